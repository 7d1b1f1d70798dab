//! NIST's XYT: a line a minutia, `x y θ` or `x y θ quality`.
//!
//! Pixels from the bottom left, θ in degrees counter-clockwise, pointing away from the ridge: opposite to ISO. Lines
//! that are blank are passed over, numbers may have decimals, and all lines must have the same number of columns. A
//! quality of 0, which mindtct does not give, is read as none.

use std::f32::consts::PI;

use crate::{Error, Minutia, MinutiaKind, Template, minutia::turn};

/// Places farther out are no pixels of a print; the same as [`Template`] takes.
const FAR: f64 = 65536.0;

/// Reads the minutiae found in an image of so many dots an inch, which the file does not say.
///
/// ```
/// use lookalike_fingerprint::{DPI, format::xyt};
///
/// let template = xyt::parse(b"83 214 90\n140 95 270\n", DPI)?;
/// assert_eq!(template.minutiae()[0].direction, 1.5 * std::f32::consts::PI);
/// assert_eq!(xyt::write(&template), "83 214 90\n140 95 270\n");
///
/// let error = xyt::parse(b"83 214 90\n140 95 400\n", DPI).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: θ is 400, but must be from 0 to 360 degrees");
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
pub fn parse(bytes: &[u8], dpi: f32) -> Result<Template, Error> {
    let mut minutiae = Vec::new();
    let mut columns = None;
    // Editors of some systems put a mark of their own first.
    let text = text(bytes)?.trim_start_matches('\u{feff}');
    for (line, content) in (1..).zip(text.lines()) {
        let wrong = |what: String| Error::Line { line, what };
        let mut fields = content.split_whitespace();
        let fields: [Option<&str>; 5] = std::array::from_fn(|_| fields.next());
        let (x, y, theta, quality) = match fields {
            [None, ..] => continue,
            [Some(x), Some(y), Some(theta), quality, None] => (x, y, theta, quality),
            _ => {
                let found = match content.split_whitespace().count() {
                    1 => "1 column".into(),
                    more => format!("{more} columns"),
                };
                let expected = "but a minutia is x y θ, or x y θ quality";
                return Err(wrong(format!("{found}, {expected}")));
            }
        };
        if *columns.get_or_insert(quality.is_some()) != quality.is_some() {
            let (here, before) = if quality.is_some() { (4, 3) } else { (3, 4) };
            return Err(wrong(format!(
                "{here} columns after lines of {before}: give every minutia a quality, or none"
            )));
        }
        if minutiae.len() == Template::MAX_MINUTIAE {
            let most = Template::MAX_MINUTIAE;
            return Err(wrong(format!(
                "more than {most} minutiae: keep the best {most}"
            )));
        }
        let number = |name: &str, field: &str, low: f64, high: f64, unit: &str| match field.parse()
        {
            Ok(number) if (low..=high).contains(&number) => Ok(number),
            Ok(_) => Err(wrong(format!(
                "{name} is {field}, but must be from {low} to {high}{unit}"
            ))),
            Err(_) => Err(wrong(format!("{name} is {field:?}, which is not a number"))),
        };
        let x = number("x", x, -FAR, FAR, " pixels")?;
        let y = number("y", y, -FAR, FAR, " pixels")?;
        let theta = number("θ", theta, 0.0, 360.0, " degrees")?;
        let quality = match quality {
            Some(field) => number("quality", field, 0.0, 100.0, "")?.round() as u8,
            None => 0,
        };
        minutiae.push(Minutia {
            x: x as f32,
            y: y as f32,
            direction: turn((theta as f32).to_radians() + PI),
            quality: (quality > 0).then_some(quality),
            kind: MinutiaKind::Other,
        });
    }
    Template::new(minutiae, dpi)
}

/// The minutiae in whole pixels and degrees, as bozorth3 takes them; with a quality each if one has a quality, where
/// 0 stands for none.
///
/// What a minutia is, the resolution and the size of the image find no place in the format.
#[must_use]
pub fn write(template: &Template) -> String {
    use std::fmt::Write;
    let judged = template.minutiae().iter().any(|m| m.quality.is_some());
    let mut text = String::new();
    for minutia in template.minutiae() {
        let (x, y) = (minutia.x.round() as i32, minutia.y.round() as i32);
        let theta = (minutia.direction + PI).to_degrees().round() as u32 % 360;
        write!(text, "{x} {y} {theta}").expect("a string takes all");
        if judged {
            write!(text, " {}", minutia.quality.unwrap_or(0)).expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

/// The bytes as text, if they are.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Error> {
    let place = |end: usize| 1 + bytes[..end].iter().filter(|&&byte| byte == b'\n').count();
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let found = bytes.iter().position(control);
    let text = std::str::from_utf8(bytes);
    match (found, &text) {
        (None, Ok(text)) => Ok(text),
        (found, text) => {
            let valid = text.map_or_else(|e| e.valid_up_to(), |_| bytes.len());
            let at = found.map_or(valid, |found| found.min(valid));
            Err(Error::Line {
                line: place(at),
                what: format!(
                    "byte {:#04x} is no text: an XYT file has lines of numbers, and a finger minutiae record starts \
                     with \"FMR\" and a zero byte",
                    bytes[at]
                ),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DPI;

    #[test]
    fn three_and_four_columns_are_read() {
        let template = parse(b" 10\t20  0 \r\n\r\n-3 4.5 359.5", 1000.0).unwrap();
        let [first, second] = template.minutiae() else {
            panic!()
        };
        assert_eq!(*first, Minutia::new(10.0, 20.0, PI));
        assert_eq!((second.x, second.y), (-3.0, 4.5));
        assert!((second.direction.to_degrees() - 179.5).abs() < 1e-4);
        assert_eq!((template.dpi(), template.size()), (1000.0, None));

        let template = parse(b"10 20 360 0\n10 20 90 100\n", DPI).unwrap();
        let qualities: Vec<_> = template.minutiae().iter().map(|m| m.quality).collect();
        assert_eq!(qualities, [None, Some(100)]);
        assert_eq!(write(&template), "10 20 0 0\n10 20 90 100\n");
    }

    #[test]
    fn a_file_without_minutiae_is_an_empty_template() {
        for nothing in ["", "\n", " \r\n\t\n"] {
            let template = parse(nothing.as_bytes(), DPI).unwrap();
            assert!(template.minutiae().is_empty());
            assert_eq!(write(&template), "");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let message = |bytes: &[u8]| parse(bytes, DPI).unwrap_err().to_string();
        assert_eq!(
            message(b"1 2 3\n\n4 5\n"),
            "line 3: 2 columns, but a minutia is x y \u{3b8}, or x y \u{3b8} quality"
        );
        assert!(message(b"1 2 3 4 5 6").starts_with("line 1: 6 columns"));
        assert_eq!(
            message(b"1 2 3\n1 2 3 4\n"),
            "line 2: 4 columns after lines of 3: give every minutia a quality, or none"
        );
        assert!(message(b"1 2 3 4\n1 2 3\n").starts_with("line 2: 3 columns after lines of 4"));
        assert_eq!(
            message(b"1 x2 3"),
            "line 1: y is \"x2\", which is not a number"
        );
        assert!(message(b"NaN 2 3").starts_with("line 1: x is NaN, but must be from -65536"));
        assert!(message(b"1 -inf 3").contains("y is -inf"));
        assert!(message(b"1e9 2 3").contains("x is 1e9, but must be from -65536 to 65536 pixels"));
        assert!(message(b"1 2 361").ends_with("but must be from 0 to 360 degrees"));
        assert!(message(b"1 2 -1").contains("\u{3b8} is -1"));
        assert!(message(b"1 2 3 101").ends_with("quality is 101, but must be from 0 to 100"));
        assert!(message(b"1 2 3\n\x89PNG\0").starts_with("line 2: byte 0x89 is no text"));
        assert!(message(b"1 2 3\n4 5\x006").starts_with("line 2: byte 0x00 is no text"));
        let many = "1 2 3\n".repeat(Template::MAX_MINUTIAE + 1);
        assert_eq!(
            message(many.as_bytes()),
            "line 1001: more than 1000 minutiae: keep the best 1000"
        );
        assert!(parse(b"", 0.0).is_err());
    }
}
