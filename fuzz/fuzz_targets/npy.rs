//! Any bytes as a NumPy array: every row goes to one output, each of which is an array again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{ErrorKind, Fate};
use lookalike_fuzz::{Scanned, scan_values};

/// Types that can be read, and some that cannot.
const TYPES: [&str; 12] = [
    "|u1", "<u2", "<u4", "<u8", "<i2", "<i4", "<i8", "<f4", "<f8", "<f2", ">u2", "|b1",
];

fuzz_target!(|data: &[u8]| {
    match data {
        // A head that is right, so that rows are read.
        [0..=127, kind, rows, columns, data @ ..] => {
            let kind = TYPES[usize::from(*kind) % TYPES.len()];
            let head = format!(
                "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}\n"
            );
            let length = (head.len() as u16).to_le_bytes();
            array(&[b"\x93NUMPY\x01\x00", &length[..], head.as_bytes(), data].concat());
        }
        [_, data @ ..] => array(&[b"\x93NUMPY", data].concat()),
        [] => array(data),
    }
});

fn array(content: &[u8]) {
    let scanned = match scan_values(content, ".npy") {
        Ok(scanned) => scanned,
        Err(e) => return assert_eq!(e.kind(), ErrorKind::Content, "{e}"),
    };
    let rows = scanned.documents.len() + scanned.skipped.len();
    let mut reader = scanned.corpus.reader();
    for read in &scanned.documents {
        let again = reader.read_value(&read.place).unwrap();
        assert_eq!(again.value.described(), read.text);
    }
    let [kept, ..] = scanned.split(|_| Fate::Keep);
    if scanned.skipped.is_empty() {
        assert_eq!(kept, content);
    }
    let out = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
    let again: Vec<Scanned> = out
        .iter()
        .map(|out| scan_values(out, ".npy").unwrap())
        .collect();
    let all = again
        .iter()
        .map(|part| part.documents.len() + part.skipped.len());
    assert_eq!(all.sum::<usize>(), rows);
    assert_eq!(again[2].skipped.len(), scanned.skipped.len());
}
