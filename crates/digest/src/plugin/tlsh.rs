use lookalike_core::{
    Banding, Items,
    plugin::{Coder, Distance, Error, Family, Kernel, Measure, Proposal, Specimens, Task},
};
use serde::{Deserialize, Serialize};

use super::{DigestKind, specimens};
use crate::{Calibration, Digest, Digests, MedianBits, Planned, Tlsh};

/// TLSH's own distance between digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlshDistance {}

impl Distance for TlshDistance {
    const MEASURES: &'static [Measure] = &[Measure::distance("tlsh", "TLSH distance")
        .whole()
        .usually(30.0)];
    type Kind = DigestKind;
    type Metric = Tlsh;

    fn metric(&self) -> Result<Tlsh, Error> {
        Ok(Tlsh)
    }

    fn specimens() -> Option<Specimens<Digests>> {
        Some(Specimens::new(150.0, specimens::digests))
    }

    fn cost(_: usize) -> f64 {
        3.0
    }

    fn kernel<'a>(&self, digests: &'a Digests) -> Option<Kernel<'a, Self>> {
        Some(Box::new(digests))
    }
}

/// Keys of digests: sampled bits across the median.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlshFamily {}

impl Family for TlshFamily {
    const NAME: &'static str = "tlsh";
    const SUMMARY: &'static str =
        "length and sampled bits of TLSH digests, those above the median; recall by calibration";
    type Distance = TlshDistance;
    type Keys = MedianBits;

    fn keys(&self, _: &TlshDistance, _: usize) -> Result<MedianBits, Error> {
        Ok(MedianBits)
    }

    /// The cheapest bands and rows by a [`Calibration`] on these digests.
    fn propose(
        &self,
        _: &TlshDistance,
        digests: &Digests,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if task.is_exact() {
            return Ok(None);
        }
        let given = match &task.scheme {
            None => None,
            Some(scheme) => match scheme.banding() {
                Some(banding) => Some(banding),
                None if task.is_named => {
                    let message = format!("digests take bands and rows, not {scheme}");
                    return Err(Error::new(message));
                }
                None => return Ok(None),
            },
        };
        let calibration = Calibration::new(digests, task.limit);
        let planned = match given {
            Some(banding) => {
                // Refused here if it cannot be drawn.
                MedianBits.tables(banding.bands(), banding.rows(), 0)?;
                Some(calibration.expect(banding.bands(), banding.rows(), task.queries))
            }
            None => {
                let most = |rows| most_bands(rows, digests.count(), task);
                let assumed = (task.limit / 2.0) as u32;
                calibration.cheapest(task.recall, assumed, most, task.queries)
            }
        };
        planned.map(|planned| self.proposal(planned)).transpose()
    }

    /// Digests as they are published.
    fn coder(&self, _: &TlshDistance, _: u64) -> Result<Option<Coder<Digest>>, Error> {
        let coder = Coder::new(Digest::BYTES, |digest: &Digest| {
            Some(digest.to_bytes().to_vec())
        });
        Ok(Some(coder.published("tlsh", Digest::written)))
    }
}

impl TlshFamily {
    fn proposal(self, planned: Planned) -> Result<Proposal<Self>, Error> {
        let banding = Banding::new(planned.bands, planned.rows)?;
        Ok(Proposal {
            parameters: self,
            scheme: banding.scheme(),
            recall: planned.recall,
            seconds: planned.seconds,
        })
    }
}

/// The most bands of some rows that a task allows, by its functions and its memory.
fn most_bands(rows: u32, digests: usize, task: &Task) -> u32 {
    /// More than any collection needed.
    const MOST: u32 = 1000;
    const BYTES_OF_A_KEY: u64 = 8;
    let by_functions = task.functions.map_or(MOST, |functions| functions / rows);
    let by_memory = task.memory / (BYTES_OF_A_KEY * digests.max(1) as u64);
    let by_memory = u32::try_from(by_memory).unwrap_or(MOST);
    by_functions.min(by_memory).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::edited_files;
    use lookalike_core::plugin::Recall;

    fn proposed(task: &Task) -> Result<Option<Proposal<TlshFamily>>, Error> {
        let digests = edited_files(60, 4, 400, 0.02, 1);
        TlshFamily::default().propose(&TlshDistance::default(), &digests, task)
    }

    #[test]
    fn recall_is_calibrated_and_never_proved() {
        let mut task = Task::new(30.0, 60.0);
        let plan = proposed(&task).unwrap().unwrap();
        assert!(matches!(plan.recall, Recall::Calibrated { recall, .. } if recall >= 0.95));
        task.functions = Some(1);
        assert!(proposed(&task).unwrap().is_none());
        task.recall = 1.0;
        assert!(proposed(&task).unwrap().is_none());
    }

    #[test]
    fn a_given_scheme_is_used_or_refused() {
        let mut task = Task::new(30.0, 60.0);
        task.scheme = Some("and:9,or:7".parse().unwrap());
        let plan = proposed(&task).unwrap().unwrap();
        assert_eq!(plan.scheme, task.scheme.clone().unwrap());
        assert!(matches!(plan.recall, Recall::Calibrated { .. }));
        task.scheme = Some("and:59,or:2".parse().unwrap());
        assert_eq!(proposed(&task).unwrap_err().parameter(), Some("rows"));
        task.scheme = Some("or:3,and:2".parse().unwrap());
        assert!(proposed(&task).unwrap().is_none());
        task.is_named = true;
        assert!(proposed(&task).is_err());
    }

    #[test]
    fn codes_are_the_published_digests() {
        let coder = TlshFamily::default().coder(&TlshDistance::default(), 1);
        let coder = coder.unwrap().unwrap();
        let digest = crate::generate::random_digest(5);
        let code = coder.code(&digest).unwrap();
        assert_eq!(coder.written(&code), digest.to_string());
    }
}
