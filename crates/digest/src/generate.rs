//! Digests and files that are made up, with known likeness.

use lookalike_core::random::{self, Stream};

use crate::{Digest, Digests, digest::Header};

/// A digest of nothing in particular: every bucket in any quartile.
#[must_use]
pub fn random_digest(seed: u64) -> Digest {
    let mut rng = random::stream(seed, 0);
    let header = rng.next_u64().to_le_bytes();
    Digest {
        high: [rng.next_u64(), rng.next_u64()],
        low: [rng.next_u64(), rng.next_u64()],
        header: Header {
            checksum: header[0],
            length: header[1],
            ratios: header[2],
        },
    }
}

/// A digest after `changes`, which move one bucket by one quartile each. Most cost 1; a bucket that is moved from one end
/// to the other costs 6 for three of them.
#[must_use]
pub fn neighbour(digest: &Digest, changes: u32, seed: u64) -> Digest {
    let mut rng = random::stream(seed, 1);
    let mut moved = *digest;
    for _ in 0..changes {
        let bucket = random::below(Digest::BUCKETS, &mut rng);
        let quartile = match moved.quartile(bucket) {
            0 => 1,
            3 => 2,
            inner => inner - 1 + 2 * random::below(2, &mut rng) as u8,
        };
        let (word, place) = (bucket as usize / 64, bucket % 64);
        let set = |plane: &mut [u64; 2], bit: u8| {
            plane[word] = plane[word] & !(1 << place) | u64::from(bit) << place;
        };
        set(&mut moved.high, quartile >> 1);
        set(&mut moved.low, quartile & 1);
    }
    moved
}

/// A file of words, as bytes.
#[must_use]
pub fn file(words: usize, seed: u64) -> Vec<u8> {
    let mut rng = random::stream(seed, 2);
    let mut bytes = Vec::new();
    for number in 0..words {
        write_word(&mut bytes, &mut rng);
        bytes.push(if number % 11 == 10 { b'\n' } else { b' ' });
    }
    bytes
}

/// The same file with a share of its words replaced.
#[must_use]
pub fn edited(file: &[u8], share: f64, seed: u64) -> Vec<u8> {
    let mut rng = random::stream(seed, 3);
    let mut bytes = Vec::new();
    for word in file.split_inclusive(|&byte| byte == b' ' || byte == b'\n') {
        match rng.unit() < share {
            true => {
                write_word(&mut bytes, &mut rng);
                bytes.push(b' ');
            }
            false => bytes.extend_from_slice(word),
        }
    }
    bytes
}

/// A word of two to four syllables.
fn write_word(bytes: &mut Vec<u8>, rng: &mut Stream) {
    const SYLLABLES: [&str; 24] = [
        "ka", "lo", "mi", "ster", "un", "tra", "bel", "qui", "fro", "sha", "vin", "dor", "pex",
        "gal", "hu", "jin", "wey", "zan", "cor", "net", "rus", "tal", "omb", "ed",
    ];
    for _ in 0..2 + random::below(3, rng) {
        let syllable = random::below(SYLLABLES.len() as u32, rng) as usize;
        bytes.extend_from_slice(SYLLABLES[syllable].as_bytes());
    }
}

/// The digests of files in groups: a first file, and edited copies of it.
#[must_use]
pub fn edited_files(groups: u32, copies: u32, words: usize, share: f64, seed: u64) -> Digests {
    let mut digests = Digests::default();
    for group in 0..groups {
        let first = file(words, random::derive(seed, group.into()));
        for copy in 0..=copies {
            let seed = random::derive(seed, u64::from(group) << 32 | u64::from(copy) << 1 | 1);
            let bytes = match copy {
                0 => first.clone(),
                _ => edited(&first, share, seed),
            };
            if let Some(digest) = Digest::of(&bytes) {
                digests.push(digest);
            }
        }
    }
    digests
}
