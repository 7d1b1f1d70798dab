//! The hash of a token or of a run of characters: 64 bits, the same on every machine.
//!
//! Up to 16 bytes are two words of eight bytes, made different by a secret for each
//! length and multiplied; the two halves of the product are folded together. There
//! is no branch on the length up to 16, which a tokeniser sees in random order: that is what
//! XXH3 and its kind spend half of their time on here.

/// Bytes that may be read past the end of what is hashed.
pub(crate) const PADDING: usize = 16;

/// Digits of π, as in other hashes that need numbers nobody chose. The second is made odd, because words of
/// up to eight bytes are multiplied by it alone.
const SECRETS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0xec4e_6c89_082e_fa99];

/// What is kept of the first and the second eight bytes, and the secret, for each length up to 16.
const BY_LENGTH: [(u64, u64, u64); PADDING + 1] = by_length();

const fn by_length() -> [(u64, u64, u64); PADDING + 1] {
    let mut table = [(0, 0, 0); PADDING + 1];
    let mut length = 0;
    while length <= PADDING {
        let first = low_bytes(if length < 8 { length } else { 8 });
        let second = low_bytes(length.saturating_sub(8));
        let secret = SECRETS[0].wrapping_mul(2 * length as u64 + 1);
        table[length] = (first, second, secret);
        length += 1;
    }
    table
}

const fn low_bytes(count: usize) -> u64 {
    match count {
        0 => 0,
        count => u64::MAX >> (64 - 8 * count),
    }
}

/// Both halves of a product, folded together.
#[inline(always)]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[inline(always)]
fn lanes(sixteen: &[u8]) -> (u64, u64) {
    let (first, second) = sixteen[..16].split_at(8);
    let lane = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    (lane(first), lane(second))
}

/// The hash of `bytes[start..end]`; [`PADDING`] bytes after the end can be read.
#[inline(always)]
pub(crate) fn padded(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    if length > PADDING {
        return long(&bytes[start..end]);
    }
    let (first, second) = lanes(&bytes[start..start + PADDING]);
    short(first, second, length)
}

#[inline(always)]
pub(crate) fn short(first: u64, second: u64, length: usize) -> u64 {
    let (keep_first, keep_second, secret) = BY_LENGTH[length];
    fold(
        (first & keep_first) ^ secret,
        (second & keep_second) ^ SECRETS[1],
    )
}

/// More than 16 bytes: sixteen by sixteen, and the last sixteen.
#[inline(never)]
fn long(bytes: &[u8]) -> u64 {
    let (whole, _) = bytes.as_chunks::<16>();
    let mut hash = SECRETS[0].wrapping_mul(2 * bytes.len() as u64 + 1);
    for sixteen in whole {
        let (first, second) = lanes(sixteen);
        hash = fold(first ^ hash, second ^ SECRETS[1]);
    }
    let (first, second) = lanes(&bytes[bytes.len() - 16..]);
    fold(first ^ hash, second ^ SECRETS[1])
}

/// The hash of all `bytes`, wherever they are.
pub(crate) fn bytes(bytes: &[u8]) -> u64 {
    if bytes.len() > PADDING {
        return long(bytes);
    }
    let mut padded = [0; PADDING];
    padded[..bytes.len()].copy_from_slice(bytes);
    let (first, second) = lanes(&padded);
    short(first, second, bytes.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn value_stability() {
        assert_eq!(
            ["", "a", "rose", "sixteen letters!", "seventeen letters"]
                .map(|word| bytes(word.as_bytes())),
            [
                11642445434532468079,
                11340294096752462939,
                9434329752303494285,
                5462536150871811910,
                2777457086274758814
            ]
        );
    }

    #[test]
    fn words_that_look_alike_do_not_meet() {
        let mut seen = HashSet::new();
        let mut count = 0;
        let mut word = Vec::new();
        for length in 1..=20 {
            for place in 0..length {
                for other in 0..length {
                    for x in 0..=255u8 {
                        word.clear();
                        word.resize(length, b'a');
                        word[place] = x;
                        word[other] ^= x.rotate_left(3);
                        seen.insert((bytes(&word), word.clone()));
                        count += 1;
                    }
                }
            }
        }
        let words: HashSet<&[u8]> = seen.iter().map(|(_, word)| &word[..]).collect();
        assert!(words.len() > count / 2);
        assert_eq!(
            seen.iter()
                .map(|(hash, _)| hash)
                .collect::<HashSet<_>>()
                .len(),
            words.len()
        );
    }

    /// Each bit of a word flips each bit of what a sketch makes of its hash about half of the time.
    #[test]
    fn every_bit_counts() {
        let sketched = |word: &[u8]| fold(bytes(word) ^ SECRETS[0], SECRETS[1]);
        for length in [1, 3, 8, 9, 16, 17, 40] {
            let mut flips = [0u32; 64];
            let mut trials = 0;
            for n in 0..400u64 {
                let mut word: Vec<u8> = (0..length as u64)
                    .map(|i| lookalike_core::mix(n * 64 + i) as u8)
                    .collect();
                let before = sketched(&word);
                for bit in 0..8 * length {
                    word[bit / 8] ^= 1 << (bit % 8);
                    let changed = before ^ sketched(&word);
                    word[bit / 8] ^= 1 << (bit % 8);
                    trials += 1;
                    for (bit, flips) in flips.iter_mut().enumerate() {
                        *flips += (changed >> bit & 1) as u32;
                    }
                }
            }
            for (bit, flips) in flips.iter().enumerate() {
                let share = f64::from(*flips) / f64::from(trials);
                assert!(
                    (share - 0.5).abs() < 0.05,
                    "bit {bit} of {length} bytes: {share}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn padding_does_not_matter(word: Vec<u8>, before: Vec<u8>, after: [u8; PADDING]) {
            let all = [&before[..], &word, &after].concat();
            let hash = padded(&all, before.len(), before.len() + word.len());
            prop_assert_eq!(hash, bytes(&word));
        }
    }
}
