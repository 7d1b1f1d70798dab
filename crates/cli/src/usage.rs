//! Wrong use: what clap cannot see by itself.
//!
//! What concerns one value is refused by a parser, so that clap names the
//! option; what concerns several is a [`Usage`] error, which `main` reports in
//! clap's form. Both say what was given and what would do, and exit with 2.

use clap::error::{ContextKind, ContextValue};
use lookalike::{Error, output::nearest};

/// The combination of arguments makes no sense.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl From<Error> for Usage {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The error without a suggestion that nobody would have meant: for `--cosine`, clap suggests `--shingle`.
pub(crate) fn without_far_tip(mut error: clap::Error) -> clap::Error {
    let argument = |kind| match error.get(kind) {
        Some(ContextValue::String(argument)) => Some(argument.as_str()),
        _ => None,
    };
    let given = argument(ContextKind::InvalidArg);
    let is_far = given
        .zip(argument(ContextKind::SuggestedArg))
        .is_some_and(|(given, known)| {
            nearest(
                given.trim_start_matches('-'),
                &[known.trim_start_matches('-')],
            )
            .is_none()
        });
    if is_far {
        error.remove(ContextKind::SuggestedArg);
    }
    error
}

/// A probability or similarity from 0 to 1, ends included.
pub(crate) fn unit(text: &str) -> Result<f64, String> {
    within(
        text,
        |x| (0.0..=1.0).contains(&x),
        "from 0 to 1, such as 0.8",
    )
}

/// Any finite number.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    within(text, f64::is_finite, "such as 0.6 or 12")
}

/// A share above 0 and below 1.
pub(crate) fn inner(text: &str) -> Result<f64, String> {
    within(
        text,
        |x| x > 0.0 && x < 1.0,
        "above 0 and below 1, such as 0.95",
    )
}

/// A similarity that can be told from 0.
pub(crate) fn similarity(text: &str) -> Result<f64, String> {
    let allowed = |x| (0.001..=1.0).contains(&x);
    within(text, allowed, "from 0.001 to 1, such as 0.8")
}

/// A share of pairs to find. Not 1: only pairs that are equal are found for certain.
pub(crate) fn recall(text: &str) -> Result<f64, String> {
    if text.trim().parse() == Ok(1.0) {
        return Err("no banding is certain to find every pair; 0.999 is near".into());
    }
    inner(text)
}

/// The error of an estimate. Below a ten-thousandth it takes more functions than anybody has.
pub(crate) fn estimate(text: &str) -> Result<f64, String> {
    let allowed = |x| (0.0001..1.0).contains(&x);
    within(text, allowed, "from 0.0001 to below 1, such as 0.05")
}

/// The step of a table. Below a thousandth nobody reads it.
pub(crate) fn step(text: &str) -> Result<f64, String> {
    let allowed = |x| (0.001..=1.0).contains(&x);
    within(text, allowed, "from 0.001 to 1, such as 0.05")
}

/// A number of bytes within a range: 500, 64KiB, 500MB, 1GiB.
pub(crate) fn size(text: &str, [low, high]: [u64; 2]) -> Result<u64, String> {
    const UNITS: [(&str, u64); 11] = [
        ("", 1),
        ("b", 1),
        ("k", 1 << 10),
        ("kib", 1 << 10),
        ("kb", 1000),
        ("m", 1 << 20),
        ("mib", 1 << 20),
        ("mb", 1_000_000),
        ("g", 1 << 30),
        ("gib", 1 << 30),
        ("gb", 1_000_000_000),
    ];
    let text = text.trim().to_ascii_lowercase();
    let (number, unit) = text.split_at(
        text.trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len(),
    );
    let times = UNITS.iter().find(|known| known.0 == unit);
    let bytes = number.trim().parse::<u64>().ok().zip(times);
    let bytes = bytes.and_then(|(number, times)| number.checked_mul(times.1));
    let allowed = bytes.filter(|bytes| (low..=high).contains(bytes));
    allowed.ok_or_else(|| format!("must be a number of bytes from {low} to {high}, such as 500MiB"))
}

fn within(text: &str, allowed: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    let expected = format!("must be a number {expected}");
    let Ok(x) = text.trim().parse::<f64>() else {
        return Err(expected);
    };
    if allowed(x) {
        // A zero loses its sign.
        return Ok(x + 0.0);
    }
    let percent = x / 100.0;
    if x >= 2.0 && allowed(percent) {
        return Err(format!("{expected}; {x} percent is {percent}"));
    }
    Err(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_the_range_pass() {
        for wrong in [
            "-0.1", "1.1", "nan", "inf", "-inf", "1e300", "", "x", "0,5", "½",
        ] {
            assert!(unit(wrong).is_err(), "{wrong}");
            assert!(inner(wrong).is_err(), "{wrong}");
            assert!(similarity(wrong).is_err(), "{wrong}");
            assert!(recall(wrong).is_err(), "{wrong}");
            assert!(estimate(wrong).is_err(), "{wrong}");
            assert!(step(wrong).is_err(), "{wrong}");
        }
        assert_eq!(unit("1"), Ok(1.0));
        assert!(unit("-0").unwrap().is_sign_positive());
    }

    #[test]
    fn sizes_have_units() {
        let any = [1, u64::MAX];
        for (text, bytes) in [
            ("7", 7),
            (" 64KiB ", 64 << 10),
            ("1 gib", 1 << 30),
            ("2G", 2 << 30),
            ("3MB", 3_000_000),
            ("5gb", 5_000_000_000),
        ] {
            assert_eq!(size(text, any), Ok(bytes), "{text}");
        }
        for wrong in ["", "x", "1x", "-1", "1.5G", "0", "99999999999GiB", "KiB"] {
            assert!(size(wrong, any).is_err(), "{wrong}");
        }
        assert!(size("5", [6, 8]).is_err() && size("9", [6, 8]).is_err());
    }

    #[test]
    fn percent_are_recognised() {
        let message = similarity("75").unwrap_err();
        assert_eq!(
            message,
            "must be a number from 0.001 to 1, such as 0.8; 75 percent is 0.75"
        );
    }
}
