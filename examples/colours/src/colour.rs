//! What a colour is, and how far apart two of them are.

use lookalike_core::Metric;
use lookalike_core::plugin::{Distance, Error, Kind, Measure, Value};
use serde::{Deserialize, Serialize};

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// Colours as CSS writes them: `#ff8800`.
pub struct Colour;

impl Kind for Colour {
    const NAME: &'static str = "colour";
    type Item = Rgb;
    type Items = Vec<Rgb>;
    type Reading = ();

    fn parse(value: Value<'_>, _: &(), colours: &mut Vec<Rgb>) -> Result<(), Error> {
        let text = value.text()?.trim();
        if text.is_empty() {
            return Ok(());
        }
        let is_colour = |digits: &&str| digits.len() == 6 && !digits.starts_with('+');
        let digits = text.strip_prefix('#').filter(is_colour);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let number = number.ok_or(format!("`{text}` is not a colour such as #ff8800"))?;
        colours.push([16, 8, 0].map(|shift| (number >> shift) as u8));
        Ok(())
    }

    fn show([red, green, blue]: &Rgb, _: usize) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The differences of red, green and blue, summed: from 0 to 765.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RgbDifference;

impl Distance for RgbDifference {
    const MEASURES: &'static [Measure] = &[Measure::distance("rgb", "RGB difference").whole()];
    type Kind = Colour;
    type Metric = Self;

    fn metric(&self) -> Result<Self, Error> {
        Ok(Self)
    }

    fn largest(_: usize) -> Option<f64> {
        Some(765.0)
    }
}

impl Metric for RgbDifference {
    type Item = Rgb;
    type Prepared = Rgb;

    fn prepare(&self, colour: &Rgb) -> Rgb {
        *colour
    }

    fn distance(&self, a: &Rgb, b: &Rgb) -> f64 {
        let differences = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        differences.map(f64::from).sum()
    }
}
