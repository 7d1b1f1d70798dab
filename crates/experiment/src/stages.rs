//! How long a run took and what it held in memory, stage by stage.

use std::time::Instant;

use lookalike_memory::Meter;
use serde::Serialize;

/// A stage of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// How long it took, in seconds; of what is done in every repetition, the mean.
    pub seconds: f64,
    /// The most bytes that were held meanwhile, beyond what was held when the run began, and of what is done in every
    /// repetition, when that did; where the program counts them with a [`Counting`](crate::Counting) allocator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
}

/// Stages as they go by.
#[derive(Debug)]
pub(crate) struct Stages {
    done: Vec<(Stage, u32)>,
    meter: Option<Meter>,
}

impl Stages {
    /// A run begins.
    pub(crate) fn new() -> Self {
        Self {
            done: Vec::new(),
            meter: Meter::start(),
        }
    }

    /// A repetition begins.
    pub(crate) fn repeat(&mut self) {
        self.meter = Meter::start();
    }

    /// Does something, as part of a stage.
    pub(crate) fn time<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.meter.inspect(|meter| meter.forget());
        let start = Instant::now();
        let result = work();
        let seconds = start.elapsed().as_secs_f64();
        let peak_bytes = self.meter.map(Meter::most);
        match self.done.iter_mut().find(|(stage, _)| stage.name == name) {
            Some((stage, times)) => {
                stage.seconds += seconds;
                stage.peak_bytes = stage.peak_bytes.max(peak_bytes);
                *times += 1;
            }
            None => {
                let stage = Stage {
                    name,
                    seconds,
                    peak_bytes,
                };
                self.done.push((stage, 1));
            }
        }
        result
    }

    /// All stages, with the mean time of those that came several times.
    pub(crate) fn finish(self) -> Vec<Stage> {
        let mean = |(stage, times): (Stage, u32)| Stage {
            seconds: (stage.seconds / f64::from(times) * 1e9).round() / 1e9,
            ..stage
        };
        self.done.into_iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static MEMORY: crate::Counting = crate::Counting;

    #[test]
    fn a_stage_that_comes_again_is_one() {
        let mut stages = Stages::new();
        assert_eq!(stages.time("load", || 7), 7);
        for _ in 0..3 {
            stages.time("keys", || {
                std::thread::sleep(std::time::Duration::from_millis(2))
            });
        }
        let stages = stages.finish();
        assert_eq!(
            stages.iter().map(|it| it.name).collect::<Vec<_>>(),
            ["load", "keys"]
        );
        assert!(stages[1].seconds >= 0.002 && stages[1].seconds < 1.0);
    }

    /// Other tests hold memory at the same time, but none as much.
    #[test]
    fn memory_is_that_of_the_stage() {
        const MUCH: usize = 1 << 26;
        let mut stages = Stages::new();
        let before = vec![1u8; MUCH];
        stages.repeat();
        let kept = stages.time("keys", || vec![1u8; MUCH]);
        stages.time("more", || drop(vec![1u8; MUCH]));
        drop((before, kept));
        stages.time("less", || ());
        let held = stages.finish().into_iter().map(|it| it.peak_bytes.unwrap());
        let held: Vec<f64> = held.map(|bytes| bytes as f64 / MUCH as f64).collect();
        assert!(
            matches!(held[..], [a, b, c] if (0.9..1.4).contains(&a) && (1.9..2.4).contains(&b) && c < 0.4),
            "{held:?}"
        );
    }
}
