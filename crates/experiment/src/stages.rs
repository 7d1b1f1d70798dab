//! How long a run took and what it held in memory, stage by stage.

use std::{fs, time::Instant};

use serde::Serialize;

/// A stage of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// How long it took, in seconds; of what is done in every repetition, the mean.
    pub seconds: f64,
    /// The most memory that the process held meanwhile, in bytes, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
}

/// Stages as they go by.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    done: Vec<(Stage, u32)>,
}

impl Stages {
    /// Does something, as part of a stage.
    pub(crate) fn time<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        forget_peak();
        let start = Instant::now();
        let result = work();
        let seconds = start.elapsed().as_secs_f64();
        let peak_bytes = peak();
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

/// Linux counts the most resident memory since it was last told to forget it.
fn forget_peak() {
    // Where that is not allowed, the peak is that of the process so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_comes_again_is_one() {
        let mut stages = Stages::default();
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
}
