//! Whole plugins that promise nothing: what conformance still finds wrong with them.

use lookalike_core::{
    Banding, Items, KeySource, Metric, Scheme, TooManyKeys,
    conformance::{self, Checked, Effort, Violation},
    plugin::{
        Distance, Error, Family, KeyFamily, Kind, Measure, Proposal, Recall, Specimens, Task, Value,
    },
    random,
};
use serde::{Deserialize, Serialize};

/// Words of 64 bits, written as numbers.
struct Word;

impl Kind for Word {
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
        word.to_string()
    }
}

struct Flips;

impl Metric for Flips {
    type Item = u64;
    type Prepared = u64;

    fn prepare(&self, word: &u64) -> u64 {
        *word
    }

    fn distance(&self, a: &u64, b: &u64) -> f64 {
        (a ^ b).count_ones().into()
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct FlipDistance;

impl Distance for FlipDistance {
    const MEASURES: &'static [Measure] = &[Measure::distance("flips", "flips").whole()];
    type Kind = Word;
    type Metric = Flips;

    fn metric(&self) -> Result<Flips, Error> {
        Ok(Flips)
    }

    fn specimens() -> Option<Specimens<Vec<u64>>> {
        Some(Specimens::new(40.0, |distance, seed| {
            let mut rng = random::stream(seed, 0);
            let word = rng.next_u64();
            let flipped = random::distinct(64, distance.round() as u32, &mut rng);
            let other = flipped.iter().fold(word, |word, bit| word ^ 1 << bit);
            vec![word, other]
        }))
    }
}

/// Sampled bits, of which nothing is promised: a plan says what `STATED` of the bandings finds on the items.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sampled<const FAULT: u8>;

const RIGHT: u8 = 0;
/// States a recall that is too high.
const BOASTS: u8 = 1;
/// Uses the low 16 bits of its seed.
const FEW_SEEDS: u8 = 2;
/// Uses the low 4 bits of its seed, so that unrelated seeds meet now and then.
const HARDLY_ANY_SEEDS: u8 = 4;
/// Ignores its seed, and says so by stating no recall.
const NO_SEED: u8 = 3;

/// One function: a share of 0.9 of the bits at 8 flips agree on 8 rows with 0.9^8.
const BANDING: (u32, u32) = (4, 8);

impl<const FAULT: u8> Family for Sampled<FAULT> {
    const NAME: &'static str = "sampled";
    type Distance = FlipDistance;
    type Keys = Self;

    fn keys(&self, _: &FlipDistance, _: usize) -> Result<Self, Error> {
        Ok(self.clone())
    }

    fn propose(
        &self,
        _: &FlipDistance,
        items: &Vec<u64>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        // What independent bits find of the pairs within the limit.
        let (bands, rows) = BANDING;
        let met = |flips: f64| {
            let all = (1.0 - flips / 64.0).powf(rows.into());
            1.0 - (1.0 - all).powf(bands.into())
        };
        let mut found = Vec::new();
        for a in 0..items.count() {
            let near = (0..a).map(|b| Flips.distance(&items[a], &items[b]));
            found.extend(near.filter(|flips| *flips <= task.limit).map(met));
        }
        let recall = found.iter().sum::<f64>() / found.len() as f64;
        let boast = if FAULT == BOASTS { 0.06 } else { 0.0 };
        Ok(Some(Proposal {
            parameters: self.clone(),
            scheme: Banding::new(bands, rows)?.scheme(),
            recall: match FAULT {
                NO_SEED => Recall::Unknown,
                _ => Recall::Calibrated {
                    recall: recall + boast,
                    standard_error: 0.005,
                },
            },
            seconds: 1.0,
        }))
    }
}

impl<const FAULT: u8> KeyFamily for Sampled<FAULT> {
    type Item = u64;
    type Source = Tables;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Tables, Error> {
        let banding = scheme.banding().ok_or_else(|| Error::new("no bands"))?;
        let seed = match FAULT {
            FEW_SEEDS => seed & 0xffff,
            HARDLY_ANY_SEEDS => seed & 0xf,
            NO_SEED => 0,
            _ => seed,
        };
        let table = |band| {
            let mut rng = random::stream(seed, u64::from(band));
            (0..banding.rows())
                .map(|_| random::below(64, &mut rng))
                .collect()
        };
        Ok(Tables((0..banding.bands()).map(table).collect()))
    }
}

struct Tables(Vec<Vec<u32>>);

impl KeySource for Tables {
    type Item = u64;
    type Payload = ();
    type Scratch = ();

    fn bands(&self) -> usize {
        self.0.len()
    }

    fn key_bits(&self) -> u32 {
        self.0[0].len() as u32
    }

    fn describe(&self) -> String {
        format!("{:?}", self.0)
    }

    fn keys(
        &self,
        word: &u64,
        (): &mut (),
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        for (band, bits) in (0..).zip(&self.0) {
            let key = bits.iter().fold(0, |key, bit| key << 1 | word >> bit & 1);
            emit(band, key, ());
        }
        Ok(())
    }
}

fn checked<const FAULT: u8>(seed: u64) -> Result<Checked, Violation> {
    conformance::plugin_with::<Sampled<FAULT>>(Effort::QUICK, seed)
}

#[test]
fn a_recall_that_was_measured_on_a_sample_is_kept() {
    for seed in 0..20 {
        let recall = checked::<RIGHT>(seed).unwrap().recall.unwrap();
        let stated = recall.promised.lower().value() + 0.02;
        let apart = (recall.measured - stated).abs();
        assert!(apart < 5.0 * recall.standard_error, "{recall}");
    }
}

#[test]
fn a_recall_that_is_stated_too_high_is_found() {
    for seed in 0..20 {
        let violation = checked::<BOASTS>(seed).unwrap_err();
        assert!(matches!(violation, Violation::Recall { .. }), "{violation}");
    }
}

#[test]
fn a_seed_counts_as_a_whole_or_not_at_all() {
    for seed in 0..20 {
        let violation = checked::<FEW_SEEDS>(seed).unwrap_err();
        let expected = matches!(violation, Violation::SeedBitIgnored(16.., ..));
        assert!(expected, "{violation}");
        let violation = checked::<HARDLY_ANY_SEEDS>(seed).unwrap_err();
        let expected = matches!(violation, Violation::SeedBitIgnored(4.., ..));
        assert!(expected, "{violation}");
        let checked = checked::<NO_SEED>(seed).unwrap();
        assert!(checked.recall.is_none() && checked.scheme.is_none());
    }
}
