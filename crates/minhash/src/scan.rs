//! From text to the hashes of its tokens, without a string for any of them.
//!
//! A window of text is brought into [canonical form](crate::canonical); the edges of its tokens are
//! the bits where "is it a space" changes, taken out 64 bytes at a time; each token is then hashed. None
//! of these steps branches on what the text says, up to rare cases. The same code is compiled twice, and the
//! processor decides which is run: AVX2 and bit instructions double the speed, but a program that is
//! compiled for all must not rely on them.

use crate::{
    canonical::{self, BLOCK, mask},
    hash,
};

/// Bytes of text that are taken at a time: with all that is made of them they stay in the nearest cache.
const WINDOW: usize = 4096;
/// Edges that are taken from a block without asking whether there are so many.
const EDGES: usize = 20;

/// Which canonical form is split.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Split {
    Words,
    Whitespace,
}

/// Memory of a scan.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    canonical: Vec<u8>,
    edges: Vec<u32>,
    hashes: Vec<u64>,
}

impl Scan {
    /// Hands the hashes of all tokens to `take`, window by window.
    pub(crate) fn run(&mut self, split: Split, text: &str, take: &mut dyn FnMut(&[u64])) {
        let step = step_for_this_machine();
        let mut rest = text;
        let mut carried = 0;
        while !rest.is_empty() {
            // A token that fills window after window is looked at again each time: so windows grow with it.
            let end = rest.len().min(WINDOW.max(carried));
            let (piece, after) = rest.split_at(canonical::char_boundary(rest, end));
            rest = after;
            carried = step(self, split, piece, carried, rest.is_empty());
            take(&self.hashes);
        }
    }

    /// Hashes the tokens that end in `piece`, or at the end of the text, and says how many bytes of an
    /// unfinished one are now at the start of the canonical form.
    #[inline(always)]
    fn step(&mut self, split: Split, piece: &str, carried: usize, is_last: bool) -> usize {
        let room = carried + canonical::room(piece.len()) + 2 * BLOCK;
        if self.canonical.len() < room {
            self.canonical.resize(room, 0);
            self.edges.resize(room + EDGES, 0);
        }
        let place = &mut self.canonical[carried..];
        let filled = carried
            + match split {
                Split::Words => canonical::words(piece, place),
                Split::Whitespace => canonical::whitespace(piece, place),
            };
        self.canonical[filled..filled + 2 * BLOCK].fill(b' ');

        let edges = edges(&self.canonical, filled, &mut self.edges);
        let (tokens, _) = self.edges[..edges].as_chunks::<2>();
        let is_unfinished = !is_last && filled > 0 && self.canonical[filled - 1] != b' ';
        let (finished, unfinished) = tokens.split_at(tokens.len() - usize::from(is_unfinished));
        self.hashes.resize(finished.len(), 0);
        for (hash, &[start, end]) in self.hashes.iter_mut().zip(finished) {
            *hash = hash::padded(&self.canonical, start as usize, end as usize);
        }
        match unfinished {
            [[start, _], ..] => {
                let start = *start as usize;
                self.canonical.copy_within(start..filled, 0);
                filled - start
            }
            [] => 0,
        }
    }
}

/// Writes where tokens start and end, in turn, and says how many edges there are. A block of spaces follows what is filled.
#[inline(always)]
fn edges(canonical: &[u8], filled: usize, edges: &mut [u32]) -> usize {
    let mut count = 0;
    let mut before = 0;
    let mut base = 0;
    while base <= filled {
        let inside = !mask(canonical, base, |byte| byte == b' ');
        let mut changes = inside ^ (inside << 1 | before);
        before = inside >> 63;
        let found = changes.count_ones() as usize;
        let place: &mut [u32; EDGES] = edges[count..].first_chunk_mut().expect("room for edges");
        for edge in place {
            let at = base as u32 + changes.trailing_zeros();
            // SAFETY: a plain store. A volatile one is not gathered into vectors, which costs more than it saves.
            #[expect(unsafe_code, reason = "a third faster")]
            unsafe {
                std::ptr::write_volatile(edge, at)
            };
            changes &= changes.wrapping_sub(1);
        }
        if found > EDGES {
            for edge in &mut edges[count + EDGES..count + found] {
                *edge = base as u32 + changes.trailing_zeros();
                changes &= changes.wrapping_sub(1);
            }
        }
        count += found;
        base += BLOCK;
    }
    count
}

type Step = fn(&mut Scan, Split, &str, usize, bool) -> usize;

fn step_anywhere(scan: &mut Scan, split: Split, piece: &str, carried: usize, last: bool) -> usize {
    scan.step(split, piece, carried, last)
}

#[cfg(not(target_arch = "x86_64"))]
fn step_for_this_machine() -> Step {
    step_anywhere
}

#[cfg(target_arch = "x86_64")]
fn step_for_this_machine() -> Step {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(scan: &mut Scan, split: Split, piece: &str, carried: usize, last: bool) -> usize {
        scan.step(split, piece, carried, last)
    }
    let has_all = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    if has_all {
        #[expect(
            unsafe_code,
            reason = "compiled for instructions that not every machine has"
        )]
        // SAFETY: the machine has all the features that `step` is compiled for.
        |scan, split, piece, carried, last| unsafe { step(scan, split, piece, carried, last) }
    } else {
        step_anywhere
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Tokens;

    fn hashes(step: Option<Step>, split: Split, text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        let mut scan = Scan::default();
        match step {
            None => scan.run(split, text, &mut |some| hashes.extend_from_slice(some)),
            Some(step) => {
                step(&mut scan, split, text, 0, true);
                hashes = scan.hashes;
            }
        }
        hashes
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        for (split, tokens) in [
            (Split::Words, Tokens::Words),
            (Split::Whitespace, Tokens::Whitespace),
        ] {
            let plain = tokens.split(text);
            let plain: Vec<u64> = plain.iter().map(|t| hash::bytes(t.as_bytes())).collect();
            for step in [
                None,
                Some(step_anywhere as Step),
                Some(step_for_this_machine()),
            ] {
                prop_assert_eq!(
                    &hashes(step, split, text),
                    &plain,
                    "{:?} {:?}",
                    tokens,
                    text
                );
            }
        }
        Ok(())
    }

    /// Letters, spaces and troublemakers, so that runs, edges and slow blocks meet at every place.
    fn troublesome() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => "[a-zA-Z0-9]{1,20}",
            8 => "[ \t\n.,'-]{1,3}",
            2 => "\\PC{1,4}",
            2 => "[éÉßſKÅΑαЖжİıȺ\u{301}\u{345}]{1,5}",
            2 => "[東京データ한국어ไทยลາວខ្មែរမြန်မာ々〆ー]{1,5}",
            1 => "[\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{202f}\u{205f}\u{3000}\u{200b}\u{1c}]{1,2}",
            1 => "[a-z]{60,70}",
            1 => any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn both_ways_are_the_plain_definition(text in troublesome()) {
            check(&text)?;
        }

        #[test]
        fn any_string_is_split_as_defined(text: String) {
            check(&text)?;
        }
    }

    #[test]
    fn windows_do_not_show() {
        for unit in ["word ", "é", "東", "a", "long-winded\u{3000}", "Ⱥ"] {
            for bytes in [WINDOW - 3, WINDOW, WINDOW + 1, 5 * WINDOW + 7] {
                for shift in 0..3 {
                    let text = "x".repeat(shift) + &unit.repeat(bytes / unit.len());
                    check(&text).unwrap();
                }
            }
        }
    }

    #[test]
    fn one_token_of_megabytes_takes_no_time() {
        check(&"a".repeat(20_000_000)).unwrap();
    }
}
