use lookalike_core::{DrawnScratch, Key, KeySource, LshFamily, LshFunctions};
use lookalike_minhash::{FastSimilarity, Hashes, MinValue, Universal, compact_into, equal_bytes};
use serde::Serialize;

use lookalike_search::{Sketch, TextPlan};

use crate::{Config, Error, Verification};

/// The similarity by two signatures, beside the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Functions that agree.
    pub agreed: usize,
    /// All functions.
    pub functions: usize,
    /// The estimate: agreed/functions, or less what agrees by chance where a run keeps a byte a function.
    pub similarity: f64,
    /// √(J(1−J)/k) at the exact similarity. Fast similarity sketches of short texts are nearer than that.
    pub standard_error: f64,
    /// How many standard errors the estimate is above the exact similarity; none where the error is 0.
    pub standard_errors_off: Option<f64>,
}

/// A key of both documents: a bucket they share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedKey {
    /// The band, from 1.
    pub band: u32,
    /// The key, in hexadecimal digits.
    pub key: String,
}

/// What the functions of a run answer for two documents.
#[derive(Debug)]
pub(super) struct Signatures {
    bands: usize,
    answers: [Vec<MinValue>; 2],
    /// (band, key), ascending.
    keys: [Vec<(u32, u64)>; 2],
}

impl Signatures {
    /// From the elements of two texts.
    pub(super) fn new(config: &Config, plan: &TextPlan, lists: [&[u64]; 2]) -> Result<Self, Error> {
        match config.family.name {
            Sketch::FastSimilarity => Self::by(FastSimilarity::new(Hashes), config, plan, lists),
            Sketch::Universal => Self::by(Universal::new(Hashes), config, plan, lists),
        }
    }

    fn by<H>(family: H, config: &Config, plan: &TextPlan, lists: [&[u64]; 2]) -> Result<Self, Error>
    where
        H: LshFamily<Item = [u64], Functions: LshFunctions<Key = MinValue>>,
    {
        let drawn = family.amplify(plan.scheme.clone()).draw(config.seed)?;
        let sign = |name: &str, list: &[u64]| {
            let mut scratch = DrawnScratch::default();
            let mut keys = Vec::new();
            drawn
                .keys(list, &mut scratch, |band, key, ()| keys.push((band, key)))
                .map_err(|reason| Error::Keys {
                    place: format!("document {name}"),
                    reason,
                })?;
            keys.sort_unstable();
            keys.dedup();
            Ok::<_, Error>((scratch.answers().to_vec(), keys))
        };
        let (a, of_a) = sign("A", lists[0])?;
        let (b, of_b) = sign("B", lists[1])?;
        Ok(Self {
            bands: drawn.bands(),
            answers: [a, b],
            keys: [of_a, of_b],
        })
    }

    fn agree(&self) -> impl Iterator<Item = bool> {
        let [a, b] = &self.answers;
        let agree = |(a, b): (&MinValue, &MinValue)| a.bits().is_some() && a.bits() == b.bits();
        a.iter().zip(b).map(agree)
    }

    /// A digit a function, a string a band.
    pub(super) fn agreements(&self) -> Vec<String> {
        let digits: Vec<u8> = self.agree().map(|agree| b'0' + u8::from(agree)).collect();
        let band = |digits: &[u8]| String::from_utf8_lossy(digits).into_owned();
        digits.chunks(digits.len() / self.bands).map(band).collect()
    }

    pub(super) fn shared_keys(&self) -> Vec<SharedKey> {
        let [a, b] = &self.keys;
        let shared = a.iter().filter(|key| b.binary_search(key).is_ok());
        shared
            .map(|(band, key)| SharedKey {
                band: band + 1,
                key: format!("{key:x}"),
            })
            .collect()
    }

    /// The estimate that a run with this method would have, beside the exact similarity.
    pub(super) fn estimate(&self, method: Verification, exact: f64) -> Result<Estimate, Error> {
        let functions = self.answers[0].len();
        // By chance the bytes of different values agree, too.
        let (agreed, chance) = match method {
            Verification::Signature => (self.equal_bytes(), 1.0 / 256.0),
            Verification::Exact | Verification::None => {
                (self.agree().filter(|agree| *agree).count(), 0.0)
            }
        };
        let scale = 1.0 - chance;
        let share = agreed as f64 / functions as f64;
        let similarity = ((share - chance) / scale).max(0.0);
        let expected = chance + scale * exact;
        let standard_error = (expected * (1.0 - expected) / functions as f64).sqrt() / scale;
        let off = (similarity - exact) / standard_error;
        Ok(Estimate {
            agreed,
            functions,
            similarity,
            standard_error,
            standard_errors_off: (standard_error > 0.0).then_some(off),
        })
    }

    fn equal_bytes(&self) -> usize {
        let [a, b] = self.answers.each_ref().map(|answers| {
            let mut bytes = vec![0; answers.len()];
            let _ = compact_into(answers, &mut bytes);
            bytes
        });
        equal_bytes(&a, &b)
    }
}
