//! What was measured, and how sure that is.

use std::{f64::consts::SQRT_2, fmt, ops::Range};

use lookalike_core::beta::student;
use serde::Serialize;

/// A mean, its standard error where it is known, and the interval that holds the truth 95 times of 100.
///
/// Errors are taken between repetitions: functions of one draw may depend on each other, draws do not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Where the truth lies, 95 times of 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

/// Four decimals, with the standard error where there is one: `0.4703 ± 0.0035`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.mean)?;
        match self.error {
            Some(error) => write!(f, " ± {error:.4}"),
            None => Ok(()),
        }
    }
}

impl Estimate {
    /// A number that is known.
    pub(crate) fn known(mean: f64) -> Self {
        Self {
            mean,
            error: None,
            interval: None,
        }
    }

    /// The mean of a number of things over repetitions.
    pub(crate) fn of_counts(counts: &[f64]) -> Self {
        Self::with(mean(counts), between(counts), 0.0..f64::INFINITY)
    }

    /// A mean whose error has these parts, within a range.
    pub(crate) fn with(
        mean: f64,
        parts: impl IntoIterator<Item = Part>,
        range: Range<f64>,
    ) -> Self {
        let parts: Vec<Part> = parts.into_iter().collect();
        if parts.is_empty() {
            return Self::known(mean);
        }
        let error = parts.iter().map(|part| part.error.powi(2)).sum::<f64>();
        // The degrees of freedom of a sum, by Welch and Satterthwaite.
        let each = parts
            .iter()
            .map(|part| part.error.powi(4) / (part.values - 1) as f64);
        let freedom = error.powi(2) / each.sum::<f64>();
        let error = error.sqrt();
        let reach = if error > 0.0 {
            student(0.95, freedom) * error
        } else {
            0.0
        };
        Self {
            mean,
            error: Some(error),
            interval: Some([
                (mean - reach).max(range.start),
                (mean + reach).min(range.end),
            ]),
        }
    }
}

/// A part of an error: a standard error, and how many values it was told by, two or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) error: f64,
    values: usize,
}

impl Part {
    pub(crate) fn at_least(self, error: f64) -> Self {
        let error = self.error.max(error);
        Self { error, ..self }
    }

    /// Of what is so many times as large.
    pub(crate) fn times(self, factor: f64) -> Self {
        let error = self.error * factor;
        Self { error, ..self }
    }
}

/// Things and those among them that count, by repetition and by sampled item.
///
/// Where all pairs are known there is a single item, and its error is that between repetitions. Of a sample, the error
/// between items adds to it (the usual one of a ratio, with the share of the items that is in the sample taken off).
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    /// The share of all items that was sampled; 1: all.
    pub(crate) sampled: f64,
    /// All things: a row a repetition, a column an item.
    pub(crate) all: Vec<Vec<u64>>,
    /// Those that count.
    pub(crate) some: Vec<Vec<u64>>,
}

impl Ratio {
    /// The share of the things that count; `None` where there are none.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let sum = |row: &Vec<u64>| row.iter().sum::<u64>() as f64;
        let sums = self.all.iter().map(sum).zip(self.some.iter().map(sum));
        let rates: Vec<f64> = sums
            .filter(|(all, _)| *all > 0.0)
            .map(|(all, some)| some / all)
            .collect();
        if rates.is_empty() {
            return None;
        }
        let rate = mean(&rates);
        let things: f64 = self.all.iter().map(sum).sum();
        // What never failed may still fail once among all that was tried; repetitions try no other items.
        let seeds = between(&rates).map(|part| part.at_least(things.recip()));
        let repetitions = self.all.len() as f64;
        let items = self.between_items(rate);
        let items = items.map(|part| part.at_least(repetitions / things));
        Some(Estimate::with(
            rate,
            seeds.into_iter().chain(items),
            0.0..1.0,
        ))
    }

    /// How many count in all, where every item is one thing and stands for `scale` of them: by repetition, and the part of the
    /// error that is due to the sample.
    pub(crate) fn totals(&self, scale: f64) -> (Vec<f64>, Option<Part>) {
        let sums = self.some.iter().map(|row| row.iter().sum::<u64>() as f64);
        let sums: Vec<f64> = sums.map(|sum| sum * scale).collect();
        let items = self.all.first().map_or(0, Vec::len) as f64;
        let part = self.between_items(mean(&sums) / (items * scale));
        // Counts of rare things are told by their own small number: as if two more had been counted, an interval holds
        // the truth about as often as it says.
        let part = part.map(|part| {
            let error = (part.error * items).hypot(SQRT_2) * scale;
            Part { error, ..part }
        });
        (sums, part)
    }

    fn between_items(&self, rate: f64) -> Option<Part> {
        let items = self.all.first()?.len();
        if items < 2 {
            return None;
        }
        let repetitions = self.all.len() as f64;
        let of = |table: &[Vec<u64>], item: usize| {
            table.iter().map(|row| row[item]).sum::<u64>() as f64 / repetitions
        };
        let (mut squares, mut total) = (0.0, 0.0);
        for item in 0..items {
            let all = of(&self.all, item);
            squares += (of(&self.some, item) - rate * all).powi(2);
            total += all;
        }
        let n = items as f64;
        let error = (n / (n - 1.0) * squares * (1.0 - self.sampled)).sqrt() / total;
        let values = items;
        Some(Part { error, values })
    }
}

/// The mean, 0 of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The error of the mean of values that were drawn independently; `None` for fewer than two.
pub(crate) fn between(values: &[f64]) -> Option<Part> {
    let n = values.len() as f64;
    let centre = mean(values);
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (values.len() > 1).then(|| Part {
        error: (squares / (n - 1.0) / n).sqrt(),
        values: values.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::random;
    use rand::RngExt;

    #[test]
    fn one_repetition_has_no_error() {
        let ratio = Ratio {
            sampled: 1.0,
            all: vec![vec![10]],
            some: vec![vec![4]],
        };
        assert_eq!(ratio.estimate(), Some(Estimate::known(0.4)));
        let none = Ratio {
            sampled: 1.0,
            all: vec![vec![0]],
            some: vec![vec![0]],
        };
        assert_eq!(none.estimate(), None);
    }

    #[test]
    fn what_never_failed_may_fail() {
        let ratio = Ratio {
            sampled: 1.0,
            all: vec![vec![10]; 5],
            some: vec![vec![10]; 5],
        };
        let estimate = ratio.estimate().unwrap();
        assert_eq!(estimate.error, Some(0.02));
        assert_eq!(estimate.interval.unwrap()[1], 1.0);
    }

    /// Of 400 items with 0 to 9 things each, of which a share counts that differs from item to item, 60 are sampled.
    #[test]
    fn the_interval_of_a_sample_holds_the_truth() {
        let mut rng = random::stream(3, 0);
        let items: Vec<(u64, u64)> = (0..400)
            .map(|_| {
                let things = rng.random_range(0..10);
                let likely: f64 = rng.random();
                let count = (0..things).filter(|_| rng.random::<f64>() < likely).count();
                (things, count as u64)
            })
            .collect();
        let total = |of: fn(&(u64, u64)) -> u64| items.iter().map(of).sum::<u64>() as f64;
        let truth = total(|item| item.1) / total(|item| item.0);
        let held = (0..400).filter(|_| {
            let mut places: Vec<usize> = (0..400).collect();
            let sample: Vec<(u64, u64)> = (0..60)
                .map(|_| items[places.swap_remove(rng.random_range(0..places.len()))])
                .collect();
            let ratio = Ratio {
                sampled: 60.0 / 400.0,
                all: vec![sample.iter().map(|item| item.0).collect()],
                some: vec![sample.iter().map(|item| item.1).collect()],
            };
            let [low, high] = ratio.estimate().unwrap().interval.unwrap();
            (low..=high).contains(&truth)
        });
        // 380 of 400, with a standard error of 4.4.
        let held = held.count();
        assert!((363..=397).contains(&held), "{held}");
    }

    /// Of 400 items 60 are sampled, whether things are many or rare.
    #[test]
    fn the_interval_of_a_total_holds_it() {
        let mut rng = random::stream(4, 0);
        for (share, most) in [(1.0, 9), (0.2, 1), (0.05, 1), (0.02, 1)] {
            let mut thing = || u64::from(rng.random::<f64>() < share) * rng.random_range(1..=most);
            let items: Vec<u64> = (0..400).map(|_| thing()).collect();
            let truth = items.iter().sum::<u64>() as f64;
            let held = (0..400).filter(|_| {
                let mut places: Vec<usize> = (0..400).collect();
                let sample =
                    (0..60).map(|_| items[places.swap_remove(rng.random_range(0..places.len()))]);
                let ratio = Ratio {
                    sampled: 60.0 / 400.0,
                    all: vec![vec![1; 60]],
                    some: vec![sample.collect()],
                };
                let (sums, part) = ratio.totals(400.0 / 60.0);
                let estimate = Estimate::with(mean(&sums), part, 0.0..f64::INFINITY);
                let [low, high] = estimate.interval.unwrap();
                (low..=high).contains(&truth)
            });
            // 380 of 400, with a standard error of 4.4; rare things are held somewhat oftener.
            let held = held.count();
            assert!((363..=400).contains(&held), "{share}: {held}");
        }
    }
}
