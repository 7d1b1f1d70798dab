//! How a probability is printed.
//!
//! Five decimals, and more where the probability or its complement would
//! otherwise keep fewer than two digits: .00036 and .99964 say something, .000
//! and 1.000 do not. A fixed number of significant digits was rejected: it
//! never shows how near to 1 a number is.

use lookalike::{Probability, Sensitivity};

/// Below this a power of ten is easier to read than zeros.
const TINY: f64 = 1e-8;

/// A probability, given with its complement because 1 − p forgets a p near 0 or 1.
pub(crate) fn probability(p: f64, complement: f64) -> String {
    let small = p.min(complement);
    if small == 0.0 {
        return if p < complement { "0" } else { "1" }.into();
    }
    if small < TINY {
        let near_one = if p > complement { "1 − " } else { "" };
        return format!("{near_one}{small:.1e}");
    }
    let first_digit = (-small.log10()).ceil() as usize;
    let decimals = (first_digit + 1).max(5);
    format!("{p:.decimals$}")
}

/// (d1, d2, p1, p2) as a reader wants it.
pub(crate) fn sensitivity(it: Sensitivity) -> String {
    let short = |p: Probability| {
        let text = probability(p.value(), p.complement().value());
        match text.contains('.') && !text.contains('e') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    };
    // An angle that stands for a cosine has many digits.
    let distance = |d: f64| match d >= 1.0 {
        true => (d * 1e4).round() / 1e4,
        false => plain(d),
    };
    let (d1, d2) = (distance(it.d1()), distance(it.d2()));
    format!("({d1}, {d2}, {}, {})", short(it.p1()), short(it.p2()))
}

/// A share in percent, given by what it lacks, because 1 − q forgets a q near 0.
pub(crate) fn percent(lacking: f64) -> String {
    let share = 100.0 * (1.0 - lacking);
    match lacking {
        0.0 => "all".into(),
        q if q < 1e-4 => "over 99.99%".into(),
        q if q < 0.01 => format!("{share:.2}%"),
        _ => format!("{share:.1}%"),
    }
}

/// A place on the axis, such as a threshold: four decimals are enough to find it.
pub(crate) fn place(t: f64) -> String {
    if t > 0.0 && t < 0.001 {
        format!("{t:.1e}")
    } else {
        format!("{t:.4}")
    }
}

/// A number as short as it is exact enough: what 0.8 − 0.2 was meant to be.
pub(crate) fn plain(x: f64) -> f64 {
    let rounded = (x * 1e9).round() / 1e9;
    // Large numbers have no decimals.
    if rounded.is_finite() { rounded } else { x }
}

/// ρ of a sensitivity, which is infinite where p1 is 0 or p2 is 1.
pub(crate) fn rho(rho: f64) -> String {
    match rho.is_finite() {
        true => place(rho),
        false => "∞".into(),
    }
}

/// Numbers of one column, all with the decimals of the longest.
pub(crate) fn column(numbers: &[f64]) -> Vec<String> {
    let decimals = |x: &f64| {
        let text = plain(*x).to_string();
        text.split_once('.').map_or(0, |(_, tail)| tail.len())
    };
    let most = numbers.iter().map(decimals).max().unwrap_or(0);
    numbers.iter().map(|x| format!("{x:.most$}")).collect()
}

/// A size, such as 64.5 MB.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A count that is not exact, to three digits.
pub(crate) fn about(count: u64) -> String {
    let digits = count.checked_ilog10().unwrap_or(0);
    let unit = 10u64.pow(digits.saturating_sub(2));
    (count.saturating_add(unit / 2) / unit * unit).to_string()
}

/// A time that is not exact.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(
            [bytes(0), bytes(64_512_345), bytes(12_000_000_000)],
            ["0.0 kB", "64.5 MB", "12.0 GB"]
        );
        assert_eq!(
            [
                about(0),
                about(7),
                about(123),
                about(19_987),
                about(1_234_567)
            ],
            ["0", "7", "123", "20000", "1230000"]
        );
        assert_eq!(
            [seconds(0.52), seconds(130.0), seconds(9000.0)],
            ["0.5 s", "2 min", "2.5 h"]
        );
    }

    #[test]
    fn a_share_never_rounds_to_all() {
        let printed = [0.0, 1e-9, 0.000_21, 0.0469, 0.5].map(percent);
        assert_eq!(printed, ["all", "over 99.99%", "99.98%", "95.3%", "50.0%"]);
    }

    #[test]
    fn both_sides_keep_two_digits() {
        for (p, printed) in [
            (0.5, "0.50000"),
            (0.000_356, "0.00036"),
            (0.999_643_9, "0.99964"),
            (0.000_059_03, "0.000059"),
            (0.999_999_976, "0.999999976"),
            (0.0001, "0.00010"),
            (1e-14, "1.0e-14"),
            (1.0 - 1e-10, "1 − 1.0e-10"),
            (0.0, "0"),
            (1.0, "1"),
        ] {
            assert_eq!(probability(p, 1.0 - p), printed);
        }
        assert_eq!(probability(1.0, 2.5e-30), "1 − 2.5e-30");
    }

    #[test]
    fn a_small_place_is_not_zero() {
        let printed = [0.0, 2.3e-10, 0.001, 0.549_28, 1.0].map(place);
        assert_eq!(printed, ["0.0000", "2.3e-10", "0.0010", "0.5493", "1.0000"]);
    }

    #[test]
    fn a_column_has_one_number_of_decimals() {
        assert_eq!(
            column(&[0.0, 0.1, 0.25, 1.0]),
            ["0.00", "0.10", "0.25", "1.00"]
        );
        assert_eq!(column(&[0.1 + 0.2]), ["0.3"]);
        assert_eq!(column(&[]), Vec::<String>::new());
    }
}
