use lookalike_minhash::{MinValue, compact_into, equal_bytes};
use serde::Serialize;

use lookalike_search::{Registry, TextPlan};

use crate::{Config, Error, Verification, hashing::Hashing};

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
    /// From two texts.
    pub(super) fn new(
        config: &Config,
        plan: &TextPlan,
        registry: &Registry,
        texts: [&str; 2],
    ) -> Result<Self, Error> {
        let hashing = Hashing::new(config, plan, registry)?;
        let keys = |name: &str, text: &str| {
            hashing.keys(text).map_err(|reason| Error::Keys {
                place: format!("document {name}"),
                reason,
            })
        };
        Ok(Self {
            bands: hashing.bands(),
            answers: texts.map(|text| hashing.answers(text, None)),
            keys: [keys("A", texts[0])?, keys("B", texts[1])?],
        })
    }

    fn agree(&self) -> impl Iterator<Item = bool> {
        let [a, b] = &self.answers;
        a.iter().zip(b).map(|(a, b)| a.is_some() && a == b)
    }

    /// A digit for each function, in one string for each band; nothing where functions estimate no similarity.
    pub(super) fn agreements(&self) -> Vec<String> {
        let digits: Vec<u8> = self.agree().map(|agree| b'0' + u8::from(agree)).collect();
        let band = |digits: &[u8]| String::from_utf8_lossy(digits).into_owned();
        let a_band = (digits.len() / self.bands).max(1);
        digits.chunks(a_band).map(band).collect()
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

    /// The estimate that a run with this method would have, next to the exact similarity; none where functions estimate
    /// no similarity.
    pub(super) fn estimate(&self, method: Verification, exact: f64) -> Option<Estimate> {
        let functions = self.answers[0].len();
        if functions == 0 {
            return None;
        }
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
        Some(Estimate {
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
