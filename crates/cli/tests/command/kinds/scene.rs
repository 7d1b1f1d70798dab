//! A folder with items, and runs of the command in it.

use std::ops::Deref;

use crate::folder::{Folder, Said};

/// A folder of its own; the command runs in it, so that names in messages are short.
pub(crate) struct Scene(Folder);

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self(Folder::new())
    }

    /// Runs `lookalike` with these words.
    pub(crate) fn run(&self, args: &str) -> Said {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &str, stdin: impl Into<Vec<u8>>) -> Said {
        self.lookalike(args.split_whitespace(), stdin)
    }

    /// The lines of a run that must go well.
    pub(crate) fn lines(&self, args: &str) -> Vec<String> {
        let said = self.run(args);
        assert_eq!(said.code, 0, "{args}: {said:?}");
        said.out.lines().map(str::to_owned).collect()
    }
}

/// Codes as lines of hexadecimal digits.
pub(crate) fn hex(codes: &[Vec<u8>]) -> String {
    let line = |code: &Vec<u8>| -> String {
        let digits = code.iter().map(|byte| format!("{byte:02x}"));
        digits.collect::<String>() + "\n"
    };
    codes.iter().map(line).collect()
}

/// A NumPy file of version 1.
pub(crate) fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    let head = format!("{head:<117}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((head.len() as u16).to_le_bytes());
    file.extend(head.as_bytes());
    file.extend(data);
    file
}

/// The number of bits in which two codes differ.
pub(crate) fn distance(a: &[u8], b: &[u8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// `count` codes of `bytes` bytes in clusters, the same for a seed.
pub(crate) fn codes(count: usize, bytes: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut state = seed.wrapping_add(1);
    let mut next = move || {
        // An xorshift: enough to make bits that look random.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    };
    let centres: Vec<Vec<u8>> = (0..count / 4 + 1)
        .map(|_| (0..bytes).map(|_| next() as u8).collect())
        .collect();
    let mut member = |_| {
        let mut code = centres[next() as usize % centres.len()].clone();
        for _ in 0..next() % 12 {
            let bit = next() as usize % (bytes * 8);
            code[bit / 8] ^= 1 << (bit % 8);
        }
        code
    };
    (0..count).map(&mut member).collect()
}
