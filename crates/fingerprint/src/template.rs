use std::f32::consts::TAU;

use crate::{Error, Minutia};

/// The resolution that everything else is measured in: 500 dots an inch, that of most scanners.
pub const DPI: f32 = 500.0;

/// One print: its minutiae, and the resolution of the image in which they were found.
///
/// A template that exists is valid: places are numbers within an image of 65 536 pixels a side, directions within a
/// turn, and there are at most [`Template::MAX_MINUTIAE`].
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    minutiae: Vec<Minutia>,
    dpi: f32,
    size: Option<Size>,
}

/// The size of an image in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u16,
    /// From bottom to top.
    pub height: u16,
}

impl Template {
    /// More minutiae than any finger or extractor has.
    pub const MAX_MINUTIAE: usize = 1000;

    /// A print whose minutiae were found in an image of so many dots an inch.
    pub fn new(minutiae: Vec<Minutia>, dpi: f32) -> Result<Self, Error> {
        if !(50.0..=5000.0).contains(&dpi) {
            return Err(Error::parameter(
                "resolution",
                dpi,
                "from 50 to 5000 dots an inch",
            ));
        }
        if minutiae.len() > Self::MAX_MINUTIAE {
            let expected = format!("at most {}", Self::MAX_MINUTIAE);
            return Err(Error::parameter(
                "the number of minutiae",
                minutiae.len(),
                expected,
            ));
        }
        for minutia in &minutiae {
            let within = |place: f32| (-65536.0..=65536.0).contains(&place);
            if !within(minutia.x) || !within(minutia.y) {
                let place = format!("{}, {}", minutia.x, minutia.y);
                return Err(Error::parameter(
                    "a minutia's place",
                    place,
                    "within 65536 pixels",
                ));
            }
            if !(0.0..TAU).contains(&minutia.direction) {
                let expected = "from 0 to below 2π";
                return Err(Error::parameter(
                    "a minutia's direction",
                    minutia.direction,
                    expected,
                ));
            }
        }
        Ok(Self {
            minutiae,
            dpi,
            size: None,
        })
    }

    /// The same with the size of the image, where it is known.
    #[must_use]
    pub fn with_size(self, size: Option<Size>) -> Self {
        Self { size, ..self }
    }

    /// The minutiae, in the order of the file.
    #[must_use]
    pub fn minutiae(&self) -> &[Minutia] {
        &self.minutiae
    }

    /// Dots an inch.
    #[must_use]
    pub fn dpi(&self) -> f32 {
        self.dpi
    }

    /// The size of the image, where it is known.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// The minutiae at [`DPI`], whatever the image had.
    pub fn at_500_dpi(&self) -> impl Iterator<Item = Minutia> {
        let scale = DPI / self.dpi;
        self.minutiae.iter().map(move |minutia| Minutia {
            x: minutia.x * scale,
            y: minutia.y * scale,
            ..*minutia
        })
    }
}
