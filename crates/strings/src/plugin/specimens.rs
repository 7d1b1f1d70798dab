//! Pairs at wanted distances, for conformance.

use lookalike_core::random;

use crate::{Strings, Variant, generate::edited};

/// Letters of one byte, of two and of three, a combining mark, a space and a character that terminals obey.
const LETTERS: [char; 24] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'k', 'l', 'm', 'n', 'o', 'r', 's', 't', 'u', 'é',
    'Ω', '名', '\u{301}', ' ', '\t',
];
/// Letters of most strings.
const LENGTHS: std::ops::Range<u32> = 12..44;
/// One string in so many has fewer letters than these, or none.
const SHORT: (u64, u32) = (16, 9);

/// A string, and the same after as many edits as the distance says: fewer if some of them undo others.
pub(super) fn strings(distance: f64, seed: u64) -> Strings {
    let mut rng = random::stream(seed, 0);
    let length = match rng.next_u64() % SHORT.0 {
        0 => random::below(SHORT.1, &mut rng),
        _ => LENGTHS.start + random::below(LENGTHS.end - LENGTHS.start, &mut rng),
    };
    let mut letter = |_| LETTERS[random::below(LETTERS.len() as u32, &mut rng) as usize];
    let first: String = (0..length).map(&mut letter).collect();
    let edits = distance.round() as usize;
    let second = edited(&first, edits, Variant::default(), &mut rng);
    [&*first, &*second].into_iter().collect()
}
