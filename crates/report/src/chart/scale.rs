//! From numbers to their places along an axis, from 0 at its beginning to 1 at its end.

use super::axis::{Axis, Kind};
use super::ticks::{self, Tick};

/// Ticks by which an axis without a range is rounded.
const TICKS: usize = 5;
/// Data that begin below this share of their end are shown from 0.
const FROM_ZERO: f64 = 0.5;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
}

impl Scale {
    /// The scale of an axis over data that it accepts.
    pub(crate) fn new(axis: &Axis, data: impl Iterator<Item = f64>) -> Self {
        let kind = axis.kind.clone();
        let (low, high) = axis.range.unwrap_or_else(|| {
            let (low, high) = data.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            match kind {
                Kind::Log => round_log(low, high),
                _ => round_linear(low, high),
            }
        });
        Self { kind, low, high }
    }

    /// Where a number lies, as a share of the axis.
    pub(crate) fn share(&self, x: f64) -> f64 {
        match self.kind {
            Kind::Log => (x.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            // Halves, for a range from one end of the numbers to the other.
            _ => (x / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0),
        }
    }

    /// About so many round numbers along the axis; every name has one.
    pub(crate) fn ticks(&self, about: usize) -> Vec<Tick> {
        match &self.kind {
            Kind::Linear => ticks::linear(self.low, self.high, about),
            Kind::Log => ticks::log(self.low, self.high, about),
            Kind::Names(names) => names
                .iter()
                .enumerate()
                .map(|(i, name)| Tick {
                    at: i as f64,
                    label: name.clone(),
                })
                .collect(),
        }
    }

    pub(crate) fn is_names(&self) -> bool {
        matches!(self.kind, Kind::Names(_))
    }
}

fn round_linear(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let low = if low > 0.0 && low < FROM_ZERO * high {
        0.0
    } else {
        low
    };
    let (low, high) = match (low, high) {
        _ if low < high => (low, high),
        (0.0, _) => (0.0, 1.0),
        _ => (low - low.abs() / 2.0, high + high.abs() / 2.0),
    };
    let step = ticks::step(low, high, TICKS);
    let rounded = ((low / step).floor() * step, (high / step).ceil() * step);
    if rounded.0.is_finite() && rounded.1.is_finite() && rounded.0 < rounded.1 {
        rounded
    } else {
        (low, high)
    }
}

fn round_log(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (1.0, 10.0);
    }
    let (first, last) = (low.log10().floor(), high.log10().ceil());
    let last = if first == last { first + 1.0 } else { last };
    let (first, last) = (10f64.powf(first), 10f64.powf(last));
    if first > 0.0 && last.is_finite() {
        (first, last)
    } else {
        (low.min(high / 2.0), high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range(axis: &Axis, data: &[f64]) -> (f64, f64) {
        let scale = Scale::new(axis, data.iter().copied());
        (scale.low, scale.high)
    }

    #[test]
    fn ranges_are_round() {
        let linear = Axis::linear("x");
        assert_eq!(range(&linear, &[]), (0.0, 1.0));
        assert_eq!(range(&linear, &[0.0]), (0.0, 1.0));
        assert_eq!(range(&linear, &[8.0]), (4.0, 12.0));
        assert_eq!(range(&linear, &[-8.0]), (-12.0, -4.0));
        assert_eq!(range(&linear, &[3.0, 97.0]), (0.0, 100.0));
        assert_eq!(range(&linear, &[90.0, 97.0]), (90.0, 98.0));
        let log = Axis::log("x");
        assert_eq!(range(&log, &[]), (1.0, 10.0));
        assert_eq!(range(&log, &[1.0]), (1.0, 10.0));
        assert_eq!(range(&log, &[3.0, 1200.0]), (1.0, 10_000.0));
    }

    #[test]
    fn names_have_the_middle_of_equal_parts() {
        let scale = Scale::new(&Axis::names("stage", ["read", "hash"]), std::iter::empty());
        assert_eq!([0.0, 1.0].map(|x| scale.share(x)), [0.25, 0.75]);
    }

    proptest! {
        #[test]
        fn any_data_are_on_the_axis(data in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..9)) {
            let scale = Scale::new(&Axis::linear("x"), data.iter().copied());
            prop_assert!(scale.low < scale.high);
            for x in &data {
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&scale.share(*x)), "{} of {:?}", x, scale);
            }
            let positive: Vec<f64> = data.iter().map(|x| x.abs()).filter(|x| *x > 0.0).collect();
            let scale = Scale::new(&Axis::log("x"), positive.iter().copied());
            prop_assert!(scale.low < scale.high);
            for x in positive {
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&scale.share(x)), "{} of {:?}", x, scale);
            }
        }
    }
}
