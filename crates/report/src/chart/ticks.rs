//! Round numbers along an axis.

use crate::number;

/// A number on an axis, and how it reads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// From here on a power of ten reads better than zeros.
const LARGE: f64 = 1e7;
const SMALL: f64 = 1e-4;

/// 1, 2, 2.5 or 5 times a power of ten: the smallest step with at most `about` of them from `low` to `high`.
pub(crate) fn step(low: f64, high: f64, about: usize) -> f64 {
    let least = high / about as f64 - low / about as f64;
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    // A hair more than the least, or 1/5 of 1 would not do for five of them.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    steps.into_iter().find(fits).unwrap_or(least)
}

/// Multiples of a round step.
pub(crate) fn linear(low: f64, high: f64, about: usize) -> Vec<Tick> {
    let step = step(low, high, about);
    let slack = 1e-6;
    let first = (low / step - slack).ceil();
    let last = (high / step + slack).floor();
    let numbers: Vec<f64> = (0..=about * 3)
        .map(|i| first + i as f64)
        .take_while(|i| *i <= last)
        .map(|i| i * step)
        .collect();
    let largest = low.abs().max(high.abs());
    let decimals = (-(step.log10().floor())).max(0.0) as usize;
    let quarter = step / 10f64.powf(step.log10().floor());
    let decimals = decimals + usize::from((quarter - 2.5).abs() < 1e-6 && step < 10.0);
    let plain = (SMALL..LARGE).contains(&largest);
    let label = |at: f64| match at {
        _ if plain => number::fixed(at, decimals),
        0.0 => "0".into(),
        _ => number::power(at),
    };
    numbers
        .into_iter()
        .map(|at| Tick {
            at,
            label: label(at),
        })
        .collect()
}

/// Powers of ten, every second or third where they are many, and 2 and 5 times them where they are few.
pub(crate) fn log(low: f64, high: f64, about: usize) -> Vec<Tick> {
    let slack = 1e-9;
    let (first, last) = (low.log10(), high.log10());
    let decades = (first.floor() as i32)..=(last.ceil() as i32);
    let span = last - first;
    let every = (span / about as f64).ceil().max(1.0) as i32;
    let factors: &[f64] = match span {
        s if s * 3.0 <= about as f64 => &[1.0, 2.0, 5.0],
        s if s * 2.0 <= about as f64 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let within = |at: f64| (first - slack..=last + slack).contains(&at.log10());
    let numbers: Vec<f64> = decades
        .filter(|decade| decade % every == 0)
        .flat_map(|decade| factors.iter().map(move |factor| (decade, factor)))
        .map(|(decade, factor)| factor * 10f64.powi(decade))
        .filter(|at| within(*at))
        .collect();
    let plain = numbers.iter().all(|at| (SMALL..LARGE).contains(at));
    let label = |at: f64| match plain || at == 1.0 {
        true => number::short(at),
        false => number::power(at),
    };
    numbers
        .into_iter()
        .map(|at| Tick {
            at,
            label: label(at),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            labels(&linear(0.0, 1.0, 5)),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            labels(&linear(0.0, 1.0, 4)),
            ["0.00", "0.25", "0.50", "0.75", "1.00"]
        );
        assert_eq!(labels(&linear(0.0, 1.0, 10)).len(), 11);
        assert_eq!(labels(&linear(-3.0, 7.0, 5)), ["−2", "0", "2", "4", "6"]);
        assert_eq!(
            labels(&linear(0.0, 100_000.0, 4)),
            [
                "0",
                "25\u{202f}000",
                "50\u{202f}000",
                "75\u{202f}000",
                "100\u{202f}000"
            ]
        );
        assert_eq!(labels(&linear(0.0, 2e-9, 2)), ["0", "10⁻⁹", "2·10⁻⁹"]);
        assert_eq!(labels(&log(1.0, 1000.0, 5)), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&log(1.0, 10.0, 5)), ["1", "2", "5", "10"]);
        assert_eq!(
            labels(&log(1e-6, 1e6, 5)),
            ["10⁻⁶", "10⁻³", "1", "10³", "10⁶"]
        );
    }

    proptest! {
        #[test]
        fn there_are_some_and_not_many(low in -1e6f64..1e6, length in 1e-6f64..1e9, about in 2usize..12) {
            let ticks = linear(low, low + length, about);
            prop_assert!((1..=about + 1).contains(&ticks.len()), "{:?}", ticks);
            let slack = length * 1e-5;
            prop_assert!(ticks.iter().all(|tick| tick.at >= low - slack && tick.at <= low + length + slack));
        }

        #[test]
        fn decades_are_some_and_not_many(low in 1e-12f64..1e6, ratio in 10f64..1e12, about in 3usize..12) {
            let ticks = log(low, low * ratio, about);
            prop_assert!((1..=about + 2).contains(&ticks.len()), "{:?}", ticks);
        }
    }
}
