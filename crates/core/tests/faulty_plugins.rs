//! Kinds, distances and methods with one fault each: conformance names it.

use std::sync::atomic::{AtomicU8, Ordering};

use lookalike_core::{
    Items, Metric, Near, Scheme,
    conformance::{self, BrokenAxiom, Checked, Effort, Violation},
    plugin::{Distance, Error, Kind, Measure, Method, Proposal, Recall, Specimens, Task, Value},
    random,
};
use serde::{Deserialize, Serialize};

const RIGHT: u8 = 0;
/// Shows words without their lowest digit.
const SHOWS_LESS: u8 = 1;
/// Shows words as something that is refused.
const SHOWS_ELSE: u8 = 2;
/// Encodes the upper half, from which the rest is guessed.
const ENCODES_HALF: u8 = 3;
/// Encodes a word differently each time.
const ENCODES_ANEW: u8 = 4;
/// One word in four is farther from the others when it comes first.
const IS_LOPSIDED: u8 = 5;
/// Squares the flips, so that the way through a third word is shorter.
const IS_SQUARED: u8 = 6;
/// A method that states 0.95 and finds 0.85 of the pairs.
const MISSES_PAIRS: u8 = 7;
/// The same for answers alone.
const MISSES_ANSWERS: u8 = 8;
/// States a certain recall, and loses one pair in a thousand.
const HARDLY_MISSES: u8 = 9;
/// Gives a distance that is a little too small.
const MISJUDGES: u8 = 10;
/// Gives what lies beyond the limit.
const GIVES_MORE: u8 = 11;

struct Word<const FAULT: u8>;

impl<const FAULT: u8> Kind for Word<FAULT> {
    const NAME: &'static str = "word";
    type Item = u64;
    type Items = Vec<u64>;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), words: &mut Vec<u64>) -> Result<(), Error> {
        let word = value.text()?.parse();
        words.push(word.map_err(|_| Error::new("not a number"))?);
        Ok(())
    }

    fn show(word: &u64, _: usize) -> String {
        match FAULT {
            SHOWS_LESS => (word / 10 * 10).to_string(),
            SHOWS_ELSE => format!("{word:#x}"),
            _ => word.to_string(),
        }
    }

    fn encode(word: &u64, _: usize, bytes: &mut Vec<u8>) {
        static MADE: AtomicU8 = AtomicU8::new(0);
        match FAULT {
            ENCODES_HALF => bytes.extend((word >> 32).to_le_bytes()),
            ENCODES_ANEW => {
                bytes.extend(word.to_le_bytes());
                bytes.push(MADE.fetch_add(1, Ordering::Relaxed));
            }
            _ => bytes.extend(word.to_le_bytes()),
        }
    }

    fn decode(bytes: &[u8], words: &mut Vec<u64>) -> Result<(), Error> {
        let word = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        words.push(if FAULT == ENCODES_HALF {
            word << 32
        } else {
            word
        });
        Ok(())
    }
}

struct Flips<const FAULT: u8>;

impl<const FAULT: u8> Metric for Flips<FAULT> {
    type Item = u64;
    type Prepared = u64;

    fn prepare(&self, word: &u64) -> u64 {
        *word
    }

    fn distance(&self, a: &u64, b: &u64) -> f64 {
        let flips = f64::from((a ^ b).count_ones());
        match FAULT {
            IS_LOPSIDED if a != b && random::derive(*a, 1).is_multiple_of(4) => flips + 0.5,
            IS_SQUARED => flips * flips,
            _ => flips,
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct FlipDistance<const FAULT: u8>;

impl<const FAULT: u8> Distance for FlipDistance<FAULT> {
    const MEASURES: &'static [Measure] = &[Measure::distance("flips", "flips").whole()];
    type Kind = Word<FAULT>;
    type Metric = Flips<FAULT>;

    fn metric(&self) -> Result<Flips<FAULT>, Error> {
        Ok(Flips)
    }

    fn specimens() -> Option<Specimens<Vec<u64>>> {
        Some(Specimens::new(40.0, |distance, seed| {
            let mut rng = random::stream(seed, 0);
            let word = rng.next_u64();
            let flipped = random::distinct(64, distance.round() as u32, &mut rng);
            vec![word, flipped.iter().fold(word, |word, bit| word ^ 1 << bit)]
        }))
    }
}

/// Compares a word with all others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Scan<const FAULT: u8>;

impl<const FAULT: u8> Scan<FAULT> {
    fn near(words: &[u64], word: u64, limit: f64) -> Vec<Near> {
        let limit = if FAULT == GIVES_MORE {
            limit + 1.0
        } else {
            limit
        };
        let all = words.iter().zip(0..).map(|(other, id)| Near {
            id,
            distance: Flips::<FAULT>.distance(&word, other),
        });
        let mut near: Vec<Near> = all.filter(|near| near.distance <= limit).collect();
        if FAULT == MISJUDGES {
            near.iter_mut().for_each(|near| near.distance *= 0.99);
        }
        near.sort_by(Near::nearest_first);
        near
    }

    /// Whether a share of the pairs, by their words, is lost.
    fn loses(share: f64, a: u64, b: u64) -> bool {
        random::stream(a ^ b, a.min(b)).unit() < share
    }
}

impl<const FAULT: u8> Method for Scan<FAULT> {
    const NAME: &'static str = "scan";
    type Distance = FlipDistance<FAULT>;
    type Built = ();

    fn propose(
        &self,
        _: &FlipDistance<FAULT>,
        _: &Vec<u64>,
        _: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        Ok(Some(Proposal {
            parameters: self.clone(),
            scheme: Scheme::default(),
            recall: Recall::Proved(match FAULT {
                MISSES_PAIRS | MISSES_ANSWERS => 0.95,
                _ => 1.0,
            }),
            seconds: 1.0,
        }))
    }

    fn build(&self, _: &FlipDistance<FAULT>, _: &Vec<u64>, _: u64) -> Result<(), Error> {
        Ok(())
    }

    fn query((): &(), words: &Vec<u64>, word: &u64, k: usize, limit: f64) -> Vec<Near> {
        let mut near = Self::near(words, *word, limit);
        let share = if FAULT == MISSES_ANSWERS { 0.15 } else { 0.0 };
        near.retain(|near| !Self::loses(share, *word, *words.item(near.id as usize)));
        near.truncate(k);
        near
    }

    fn pairs((): &(), words: &Vec<u64>, limit: f64) -> Vec<lookalike_core::Match> {
        let share = match FAULT {
            MISSES_PAIRS => 0.15,
            HARDLY_MISSES => 0.001,
            _ => 0.0,
        };
        let mut found = Vec::new();
        for (id, word) in (0..).zip(words) {
            for near in Self::near(words, *word, limit) {
                let is_lost = Self::loses(share, *word, words[near.id as usize]);
                if let Some(pair) = lookalike_core::Pair::new(id, near.id).filter(|_| !is_lost) {
                    let distance = near.distance;
                    found.push(lookalike_core::Match { pair, distance });
                }
            }
        }
        found.sort_by(lookalike_core::Match::nearest_first);
        found.dedup_by_key(|found| found.pair);
        found
    }
}

fn checked<const FAULT: u8>(effort: Effort, seed: u64) -> Result<Checked, Violation> {
    conformance::method_with::<Scan<FAULT>>(effort, seed)
}

#[test]
fn a_right_method_finds_all() {
    for seed in 0..10 {
        let recall = checked::<RIGHT>(Effort::QUICK, seed)
            .unwrap()
            .recall
            .unwrap();
        assert_eq!(
            (recall.promised.lower().value(), recall.measured),
            (1.0, 1.0)
        );
        assert!(recall.detectable < 0.02, "{recall}");
    }
}

/// Asserts that a fault is named in the error, whatever the seed.
#[track_caller]
fn found<const FAULT: u8>(effort: Effort, is_it: fn(&Violation) -> bool, named: &str) {
    for seed in 0..10 {
        let violation = checked::<FAULT>(effort, seed).unwrap_err();
        assert!(is_it(&violation), "{violation}");
        assert!(violation.to_string().contains(named), "{violation}");
    }
}

#[test]
fn words_that_are_not_read_back_are_found() {
    let shown = |it: &Violation| matches!(it, Violation::Shown(..));
    found::<SHOWS_LESS>(Effort::QUICK, shown, "is read");
    found::<SHOWS_ELSE>(Effort::QUICK, shown, "not a number");
    let encoded = |it: &Violation| matches!(it, Violation::Encoded(..));
    found::<ENCODES_HALF>(Effort::QUICK, encoded, "its distance to another item is");
    let bytes = |it: &Violation| matches!(it, Violation::Bytes(..));
    found::<ENCODES_ANEW>(Effort::QUICK, bytes, "different bytes");
}

#[test]
fn broken_axioms_are_found() {
    let symmetry = |it: &Violation| matches!(it, Violation::Axiom(BrokenAxiom::Symmetry(..)));
    found::<IS_LOPSIDED>(Effort::QUICK, symmetry, "there and back");
    let triangle = |it: &Violation| matches!(it, Violation::Axiom(BrokenAxiom::Triangle(..)));
    found::<IS_SQUARED>(Effort::QUICK, triangle, "is shorter through item");
}

#[test]
fn methods_that_find_less_than_they_state_are_found() {
    let recall = |it: &Violation| matches!(it, Violation::Recall { .. });
    found::<MISSES_PAIRS>(Effort::THOROUGH, recall, "a recall of 0.9500 is stated");
    found::<MISSES_ANSWERS>(Effort::THOROUGH, recall, "a recall of 0.9500 is stated");
    found::<HARDLY_MISSES>(Effort::THOROUGH, recall, "a recall of 1.0000 is stated");
}

#[test]
fn wrong_distances_and_pairs_beyond_the_limit_are_found() {
    let wrong = |it: &Violation| matches!(it, Violation::Found { .. });
    found::<MISJUDGES>(Effort::QUICK, wrong, "but they are at");
    found::<GIVES_MORE>(Effort::QUICK, wrong, "and the limit is 8");
}
