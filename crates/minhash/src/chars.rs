//! Shingles of characters: runs of k, hashed where they stand.

use crate::{canonical::char_boundary, hash};

/// Bytes of text that are taken at a time.
const WINDOW: usize = 4096;

/// Memory of a scan for characters.
#[derive(Debug, Default)]
pub(crate) struct Chars {
    padded: Vec<u8>,
    starts: Vec<u32>,
    hashes: Vec<u64>,
}

impl Chars {
    /// Hands the hash of every run of `k` characters to `take`; a text with fewer is one run, an empty one has none.
    pub(crate) fn run(&mut self, k: usize, text: &str, take: &mut dyn FnMut(&[u64])) {
        let mut start = 0;
        while start < text.len() {
            // A run takes at most 4k bytes past the window in which it starts.
            let end = char_boundary(text, (start + WINDOW).min(text.len()));
            let reach = char_boundary(text, (end + 4 * k).min(text.len()));
            self.window(k, &text[start..reach], end - start, start == 0);
            take(&self.hashes);
            start = end;
        }
    }

    /// Hashes the runs that start among the first `own` bytes of a window.
    fn window(&mut self, k: usize, text: &str, own: usize, is_first: bool) {
        self.padded.clear();
        self.padded.extend_from_slice(text.as_bytes());
        self.padded.extend([0; hash::PADDING]);
        self.hashes.clear();
        if text.is_ascii() && text.len() >= k {
            let runs = own.min(text.len() - k + 1);
            let run = |start| hash::padded(&self.padded, start, start + k);
            self.hashes.extend((0..runs).map(run));
            return;
        }
        self.starts.clear();
        (self.starts).extend(text.char_indices().map(|(start, _)| start as u32));
        self.starts.push(text.len() as u32);
        if self.starts.len() <= k {
            if is_first {
                self.hashes.push(hash::bytes(text.as_bytes()));
            }
            return;
        }
        let runs = self.starts.iter().zip(&self.starts[k..]);
        let own = runs.take_while(|(start, _)| (**start as usize) < own);
        let run =
            |(start, end): (&u32, &u32)| hash::padded(&self.padded, *start as usize, *end as usize);
        self.hashes.extend(own.map(run));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(k: usize, text: &str) -> Vec<u64> {
        let chars: Vec<char> = text.chars().collect();
        let hash = |run: &[char]| hash::bytes(run.iter().collect::<String>().as_bytes());
        match chars.len() {
            0 => Vec::new(),
            n if n < k => vec![hash(&chars)],
            _ => chars.windows(k).map(hash).collect(),
        }
    }

    fn fast(k: usize, text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        Chars::default().run(k, text, &mut |some| hashes.extend_from_slice(some));
        hashes
    }

    proptest! {
        #[test]
        fn runs_are_those_of_the_plain_definition(text in "[a-z é東\u{1f339}]{0,80}|\\PC{0,60}", k in 1usize..40) {
            prop_assert_eq!(fast(k, &text), plain(k, &text));
        }
    }

    #[test]
    fn windows_do_not_show() {
        for unit in ["a", "é", "rose", "東京", "x\u{1f339}"] {
            for bytes in [WINDOW - 3, WINDOW, WINDOW + 1, WINDOW + 30, 3 * WINDOW + 5] {
                let text = unit.repeat(bytes / unit.len());
                for k in [1, 9, 16, 17, 64] {
                    assert_eq!(fast(k, &text), plain(k, &text), "{unit} {bytes} {k}");
                }
            }
        }
    }
}
