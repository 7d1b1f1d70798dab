//! What a colour is, and how far apart two of them are.

use lookalike_core::plugin::{Distance, Error, Kind, Measure, Specimens, Value};
use lookalike_core::{Metric, random};
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

    fn specimens() -> Option<Specimens<Vec<Rgb>>> {
        Some(Specimens::new(765.0, pair))
    }
}

/// Two colours at a distance from 0 to 765: the difference is shared out among red, green and blue at random.
fn pair(distance: f64, seed: u64) -> Vec<Rgb> {
    let mut rng = random::stream(seed, 0);
    let mut differences = [0; 3];
    for _ in 0..distance.round() as u32 {
        let mut channel = random::below(3, &mut rng) as usize;
        while differences[channel] == 255 {
            channel = (channel + 1) % 3;
        }
        differences[channel] += 1;
    }
    let (mut a, mut b) = (Rgb::default(), Rgb::default());
    for (channel, difference) in differences.into_iter().enumerate() {
        let low = random::below(256 - difference, &mut rng);
        let ends = [low as u8, (low + difference) as u8];
        let is_up = random::below(2, &mut rng) as usize;
        (a[channel], b[channel]) = (ends[is_up], ends[1 - is_up]);
    }
    vec![a, b]
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
