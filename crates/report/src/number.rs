//! How numbers read: on axes, in tooltips, as coordinates.

/// Four digits are what a reader of a tooltip wants.
const DIGITS: i32 = 4;

/// A number with at most four digits, or all digits of its whole part.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let magnitude = x.abs().log10().floor() as i32;
    if !(-5..=8).contains(&magnitude) {
        return power(x);
    }
    let decimals = (DIGITS - 1 - magnitude).max(0) as usize;
    grouped(trimmed(&format!("{x:.decimals$}")))
}

/// A probability: five decimals, and more where it or what it lacks would keep fewer than two digits.
pub(crate) fn probability(p: f64) -> String {
    let small = p.min(1.0 - p);
    if small <= 0.0 {
        return if p < 0.5 { "0" } else { "1" }.into();
    }
    if small < 1e-8 {
        return match p < 0.5 {
            true => power(p),
            false => format!("1 − {}", power(small)),
        };
    }
    let decimals = ((-small.log10()).ceil() as usize + 1).max(5);
    format!("{p:.decimals$}")
}

/// A number with that many decimals, its thousands apart.
pub(crate) fn fixed(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    grouped(if zero {
        text.trim_start_matches('-')
    } else {
        &text
    })
}

/// A number by its power of ten, such as 2·10⁻⁷.
pub(crate) fn power(x: f64) -> String {
    let text = format!("{x:.2e}");
    let (mantissa, exponent) = text.split_once('e').expect("this format has an exponent");
    let mantissa = trimmed(mantissa).replace('-', "−");
    let exponent: String = exponent.chars().map(superscript).collect();
    match mantissa.as_str() {
        "1" => format!("10{exponent}"),
        "−1" => format!("−10{exponent}"),
        _ => format!("{mantissa}·10{exponent}"),
    }
}

/// A coordinate: a hundredth of a pixel is enough. Rounded as `page.js` rounds, which `{:.2}` would not do for halves.
pub(crate) fn place(x: f64) -> String {
    let hundredths = (x * 100.0 + 0.5).floor();
    let text = format!("{:.2}", hundredths / 100.0);
    match trimmed(&text) {
        "-0" => "0".into(),
        short => short.into(),
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// From 10 000 on, groups of three with thin spaces; a true minus.
fn grouped(text: &str) -> String {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("−", rest),
        None => ("", text),
    };
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::from(sign);
    for (i, digit) in whole.char_indices() {
        if i > 0 && whole.len() > 4 && (whole.len() - i) % 3 == 0 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped + rest
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => c
            .to_digit(10)
            .and_then(|digit| char::from_u32(0x2070 + digit))
            .unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let read = [
            0.0, 0.5, 1.0, 0.123_456, 12.3456, -3.0, 1234.5, 12345.6, 1e-7, 2.5e12, -1e20, 0.000_1,
        ]
        .map(short);
        assert_eq!(
            read,
            [
                "0",
                "0.5",
                "1",
                "0.1235",
                "12.35",
                "−3",
                "1234",
                "12\u{202f}346",
                "10⁻⁷",
                "2.5·10¹²",
                "−10²⁰",
                "0.0001"
            ]
        );
    }

    #[test]
    fn probabilities_keep_two_digits_on_both_sides() {
        let read = [0.0, 0.4, 0.000_059_03, 0.999_999_976, 1e-12, 1.0].map(probability);
        let expected = ["0", "0.40000", "0.000059", "0.999999976", "10⁻¹²", "1"];
        assert_eq!(read, expected);
        assert!(probability(1.0 - 1e-12).starts_with("1 − "));
    }

    #[test]
    fn coordinates_have_no_negative_zero() {
        assert_eq!(
            [0.0, -0.001, 10.0, 100.126].map(place),
            ["0", "0", "10", "100.13"]
        );
        assert_eq!([0.125, 0.135, -0.125].map(place), ["0.13", "0.14", "-0.12"]);
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(fixed(-12_000.0, 0), "−12\u{202f}000");
    }
}
