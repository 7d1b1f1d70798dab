//! Strings that are made up: random ones, and strings at a given distance from them.

use lookalike_core::{
    Error, Metric,
    random::{self, Stream},
};

use crate::{Edits, Strings, Units, Variant, refused};

/// A string of random letters, the first `alphabet` of a to z, A to Z.
fn random_string(length: usize, alphabet: u32, rng: &mut Stream) -> String {
    (0..length).map(|_| letter(alphabet, rng)).collect()
}

fn letter(alphabet: u32, rng: &mut Stream) -> char {
    let number = random::below(alphabet, rng) as u8;
    char::from(if number < 26 {
        b'a' + number
    } else {
        b'A' + number - 26
    })
}

/// Random strings of `length` letters.
///
/// # Errors
/// If the alphabet does not have from 2 to 52 letters.
///
/// ```
/// use lookalike_core::Items;
/// use lookalike_strings::generate;
///
/// let strings = generate::random(20, 4, 100, 1)?;
/// assert_eq!(strings.count(), 100);
/// assert!(strings.item(7).chars().all(|letter| "abcd".contains(letter)));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn random(length: usize, alphabet: u32, count: usize, seed: u64) -> Result<Strings, Error> {
    check_alphabet(alphabet)?;
    let mut rng = random::stream(seed, 0);
    let mut strings = Strings::default();
    for _ in 0..count {
        strings.push(&random_string(length, alphabet, &mut rng));
    }
    Ok(strings)
}

fn check_alphabet(alphabet: u32) -> Result<(), Error> {
    match (2..=52).contains(&alphabet) {
        true => Ok(()),
        false => Err(refused("alphabet", alphabet, "from 2 to 52 letters")),
    }
}

/// A random string of `length` letters, and one at exactly `distance` edits from it.
///
/// # Errors
/// If the alphabet does not have from 2 to 52 letters, or if no such string was found: the distance must be well below
/// the length.
pub fn pair(
    length: usize,
    alphabet: u32,
    distance: usize,
    variant: Variant,
    seed: u64,
) -> Result<[String; 2], Error> {
    const TRIES: u32 = 1000;
    check_alphabet(alphabet)?;
    let mut rng = random::stream(seed, 0);
    let metric = Edits::new(variant, Units::Characters);
    for _ in 0..TRIES {
        let string = random_string(length, alphabet, &mut rng);
        let other = edited(&string, distance, variant, &mut rng);
        let apart = metric.distance(&metric.prepare(&string), &metric.prepare(&other));
        if apart == distance as f64 {
            return Ok([string, other]);
        }
    }
    let expected = format!("well below {length}, the length of a string");
    Err(refused("distances", distance, expected))
}

/// A string after random edits of its letters; new letters are some of its own.
pub(crate) fn edited(string: &str, edits: usize, variant: Variant, rng: &mut Stream) -> String {
    let own: Vec<char> = string.chars().collect();
    let mut letters = own.clone();
    let mut below = |n: usize| random::below(n as u32, rng) as usize;
    // Twice as many replacements as insertions and deletions, where they are allowed.
    let kinds = match variant {
        Variant::Indel => 2,
        Variant::Levenshtein | Variant::Osa => 4,
    };
    for _ in 0..edits.min(own.len() + MOST_NEW) {
        let new = match own.is_empty() {
            true => 'a',
            false => own[below(own.len())],
        };
        match below(kinds) {
            0 => letters.insert(below(letters.len() + 1), new),
            _ if letters.is_empty() => letters.push(new),
            1 => drop(letters.remove(below(letters.len()))),
            _ => {
                let place = below(letters.len());
                letters[place] = new;
            }
        }
    }
    letters.into_iter().collect()
}

/// Letters that edits add to a string, at most: beyond, nothing is left of it anyway.
const MOST_NEW: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Items;

    #[test]
    fn pairs_are_at_their_distance() {
        for variant in [Variant::Levenshtein, Variant::Indel, Variant::Osa] {
            let metric = Edits::new(variant, Units::Characters);
            for distance in [0, 1, 2, 5] {
                let [a, b] = pair(20, 26, distance, variant, distance as u64).unwrap();
                let apart = metric.distance(&metric.prepare(&a), &metric.prepare(&b));
                assert_eq!(apart, distance as f64);
            }
        }
        assert!(pair(3, 26, 50, Variant::Levenshtein, 1).is_err());
        assert!(pair(3, 1, 1, Variant::Levenshtein, 1).is_err());
    }

    #[test]
    fn edits_are_no_more_than_asked_for() {
        let metric = Edits::default();
        for seed in 0..200 {
            let mut rng = random::stream(seed, 0);
            for string in ["", "a", "rose", "e\u{301}名", "the quick brown fox"] {
                let edits = seed as usize % 9;
                let other = edited(string, edits, Variant::Levenshtein, &mut rng);
                let apart = metric.distance(&metric.prepare(string), &metric.prepare(&other));
                assert!(apart <= edits as f64, "{string} {other}");
            }
        }
    }

    #[test]
    fn value_stability() {
        assert_eq!(random(8, 4, 2, 7).unwrap().item(1), "bcdbadcd");
        let found = pair(8, 26, 2, Variant::Levenshtein, 7).unwrap();
        assert_eq!(found, ["vyqjmsee", "vyqjmsqeq"]);
    }
}
