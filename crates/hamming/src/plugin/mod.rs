//! Codes as a kind, Hamming distance, and its families, for the registry.

mod bit_sampling;
mod blocks;
mod code;
mod generate;
mod multi_probe;
mod probes;

pub use bit_sampling::BitSampling;
pub use blocks::Blocks;
pub use code::{Code, CodeReading, Digits};
pub use generate::{CodeClusters, CodePairs};
pub use multi_probe::MultiProbe;
pub use probes::Probes;

use lookalike_core::{
    Scheme, Step,
    plugin::{self, Distance, Kernel, Measure, Specimens},
};
use serde::{Deserialize, Serialize};

use crate::{CodePlan, CodeTask, Codes};

/// The number of bits in which two codes differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HammingDistance {}

impl Distance for HammingDistance {
    const MEASURES: &'static [Measure] =
        &[Measure::distance("hamming", "Hamming distance").whole()];
    type Kind = Code;
    type Metric = crate::Hamming;

    fn metric(&self) -> Result<crate::Hamming, plugin::Error> {
        Ok(crate::Hamming)
    }

    fn specimens() -> Option<Specimens<Codes>> {
        Some(Specimens::new(64.0, codes))
    }

    fn largest(bits: usize) -> Option<f64> {
        Some(bits as f64)
    }

    fn cost(bits: usize) -> f64 {
        crate::plan::comparison(bits)
    }

    fn kernel<'a>(&self, codes: &'a Codes) -> Option<Kernel<'a, Self>> {
        Some(Box::new(codes))
    }
}

/// Two codes of 64 bits at exactly a distance, for conformance.
fn codes(distance: f64, seed: u64) -> Codes {
    let made = crate::generate::random(64, 1, seed).and_then(|mut codes| {
        let (other, _) = crate::generate::neighbours(&codes, distance.round() as u32, 1, seed)?;
        codes.append(other)?;
        Ok(codes)
    });
    made.expect("at most 64 of 64 bits differ")
}

impl From<crate::Error> for plugin::Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}

/// Refuses a band with more rows than codes have bits: its bits are distinct.
fn refuse_wide(scheme: &Scheme, codes: &Codes) -> Result<(), plugin::Error> {
    if let [Step::And(rows), ..] = *scheme.steps()
        && !codes.is_empty()
    {
        crate::BitSampling::new(codes.bit_length())?.rows(rows)?;
    }
    Ok(())
}

/// The cheapest of some plans for a task that fits in memory, the first of equals.
fn cheapest(
    codes: &Codes,
    task: &plugin::Task,
    plans: impl Fn(&CodeTask<'_>) -> Vec<CodePlan>,
) -> Option<CodePlan> {
    // Every code is that near: no promise reaches so far.
    if task.limit >= codes.bit_length() as f64 {
        return None;
    }
    let distances = crate::plan::sample(codes);
    let code_task = CodeTask {
        bits: codes.bit_length(),
        codes: codes.len(),
        queries: task.queries.unwrap_or(codes.len()),
        radius: task.limit as u32,
        recall: (!task.is_exact()).then_some(task.recall),
        memory: task.memory,
        distances: &distances,
    };
    let mut best: Option<CodePlan> = None;
    for plan in plans(&code_task) {
        let is_cheaper = best.is_none_or(|best| plan.seconds < best.seconds);
        let functions = plan.method.functions();
        let is_within = task
            .functions
            .is_none_or(|most| functions <= u64::from(most));
        if plan.bytes <= task.memory && is_within && is_cheaper {
            best = Some(plan);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::plugin::{Family, Task};

    #[test]
    fn the_nearest_of_all_are_not_for_families() {
        let codes = crate::generate::random(64, 100, 1).unwrap();
        let mut task = Task::new(f64::MAX / 2.0, f64::MAX);
        for recall in [0.95, 1.0] {
            task.recall = recall;
            let distance = HammingDistance::default();
            let blocks = Blocks::default().propose(&distance, &codes, &task);
            assert!(blocks.unwrap().is_none());
            let sampling = BitSampling::default().propose(&distance, &codes, &task);
            assert!(sampling.unwrap().is_none());
            let probing = MultiProbe::default().propose(&distance, &codes, &task);
            assert!(probing.unwrap().is_none());
        }
    }

    #[test]
    fn parameters_imply_schemes() {
        let blocks = |blocks| Blocks {
            blocks,
            ..Blocks::default()
        };
        assert_eq!(blocks(None).scheme(), None);
        assert_eq!(blocks(Some(7)).scheme(), Some("or:7".parse().unwrap()));
        assert_eq!(blocks(Some(0)).scheme(), None);
        assert_eq!(BitSampling::distinct_functions(64), Some(64));
        assert_eq!(MultiProbe::distinct_functions(64), None);
        let codes = crate::generate::random(16, 100, 1).unwrap();
        let task = Task::new(3.0, 6.0);
        let wrong = blocks(Some(99)).propose(&HammingDistance::default(), &codes, &task);
        assert_eq!(wrong.unwrap_err().parameter(), Some("blocks"));
        let wrong = blocks(Some(0)).propose(&HammingDistance::default(), &codes, &task);
        assert_eq!(wrong.unwrap_err().parameter(), Some("blocks"));
    }

    #[test]
    fn a_band_has_no_more_rows_than_codes_have_bits() {
        let codes = crate::generate::random(64, 100, 1).unwrap();
        let distance = HammingDistance::default();
        let mut task = Task::new(6.0, 12.0);
        for (rows, is_taken) in [(64, true), (65, false)] {
            task.scheme = Some(Scheme::new([Step::And(rows), Step::Or(4)]).unwrap());
            let sampling = BitSampling::default().propose(&distance, &codes, &task);
            let probing = MultiProbe::default().propose(&distance, &codes, &task);
            let refused =
                [sampling.err(), probing.err()].map(|error| error.map(|it| it.to_string()));
            let message = "rows is 65, but must be from 1 to 64, for codes of 64 bits";
            assert_eq!(
                refused,
                [
                    (!is_taken).then(|| message.to_owned()),
                    (!is_taken).then(|| message.to_owned())
                ]
            );
            // Blocks leave bands to the others, unless they are named.
            task.is_named = false;
            assert!(
                Blocks::default()
                    .propose(&distance, &codes, &task)
                    .unwrap()
                    .is_none()
            );
            task.is_named = true;
            assert!(Blocks::default().propose(&distance, &codes, &task).is_err());
        }
    }

    #[test]
    fn functions_and_bits_of_a_block_are_what_the_user_says() {
        let codes = crate::generate::random(256, 20_000, 1).unwrap();
        let distance = HammingDistance::default();
        let mut task = Task::new(25.0, 50.0);
        let sampling = |task: &Task| BitSampling::default().propose(&distance, &codes, task);
        let free = sampling(&task).unwrap().unwrap().scheme.functions();
        task.functions = Some(free - 1);
        let few = sampling(&task).unwrap().unwrap().scheme.functions();
        assert!(few < free, "{few}");
        task.functions = None;
        for bits in [7, 9] {
            let blocks = Blocks {
                block_bits: Some(bits),
                ..Blocks::default()
            };
            let proposed = blocks.propose(&distance, &codes, &task).unwrap().unwrap();
            assert_eq!(proposed.parameters.block_bits, Some(bits));
        }
    }
}
