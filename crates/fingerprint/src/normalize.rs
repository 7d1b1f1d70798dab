//! Where a print lies before squares are laid over it.
//!
//! The textbook wants position, size and orientation normalised. Size is what the resolution says. Position and
//! orientation are taken from the minutiae, since a template has nothing else; a core point would be better, and
//! needs the image.

use serde::{Deserialize, Serialize};

use crate::{Minutia, Template, minutia::turn};

/// How a print is brought into place; size is always brought to 500 dpi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Normalize {
    /// Where the print goes.
    pub position: Position,
    /// How it is turned.
    pub orientation: Orientation,
}

/// Where a print goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// It stays in the frame of its image.
    #[default]
    Frame,
    /// The centroid of its minutiae goes to the middle of the grid.
    Centroid,
}

/// How a print is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// As the finger lay.
    #[default]
    AsIs,
    /// About the centroid, until the mean direction of its minutiae points right.
    ///
    /// The mean is that of unit vectors. Where they cancel out there is none, and the print is not turned.
    MeanDirection,
}

impl Normalize {
    /// The minutiae at 500 dpi, in place; `middle` is where the middle of the grid is.
    ///
    /// ```
    /// use lookalike_fingerprint::{Minutia, Normalize, Orientation, Position, Template};
    ///
    /// let minutiae = vec![Minutia::new(10.0, 0.0, 0.5), Minutia::new(30.0, 0.0, 0.5)];
    /// let print = Template::new(minutiae, 250.0)?;
    /// let centred = Normalize { position: Position::Centroid, orientation: Orientation::AsIs };
    /// let placed = centred.minutiae(&print, (320.0, 320.0));
    /// assert_eq!((placed[0].x, placed[1].x, placed[1].y), (300.0, 340.0, 320.0));
    /// # Ok::<(), lookalike_fingerprint::Error>(())
    /// ```
    #[must_use]
    pub fn minutiae(&self, template: &Template, middle: (f32, f32)) -> Vec<Minutia> {
        let mut minutiae: Vec<Minutia> = template.at_500_dpi().collect();
        if minutiae.is_empty() {
            return minutiae;
        }
        let (x, y) = centroid(&minutiae);
        let (to_x, to_y) = match self.position {
            Position::Frame => (x, y),
            Position::Centroid => (f64::from(middle.0), f64::from(middle.1)),
        };
        let angle = match self.orientation {
            Orientation::AsIs => None,
            Orientation::MeanDirection => mean_direction(&minutiae).map(|mean| -mean),
        };
        let (sin, cos) = angle.unwrap_or(0.0).sin_cos();
        for minutia in &mut minutiae {
            let (right, up) = (f64::from(minutia.x) - x, f64::from(minutia.y) - y);
            minutia.x = (to_x + cos * right - sin * up) as f32;
            minutia.y = (to_y + sin * right + cos * up) as f32;
            if let Some(angle) = angle {
                minutia.direction = turn(minutia.direction + angle as f32);
            }
        }
        minutiae
    }
}

fn centroid(minutiae: &[Minutia]) -> (f64, f64) {
    let n = minutiae.len() as f64;
    let mean = |of: fn(&Minutia) -> f32| minutiae.iter().map(|m| f64::from(of(m))).sum::<f64>() / n;
    (mean(|minutia| minutia.x), mean(|minutia| minutia.y))
}

/// The direction of the sum of unit vectors, where it has one.
fn mean_direction(minutiae: &[Minutia]) -> Option<f64> {
    let sum = |of: fn(f64) -> f64| -> f64 {
        let each = minutiae.iter().map(|m| of(f64::from(m.direction)));
        each.sum()
    };
    let (x, y) = (sum(f64::cos), sum(f64::sin));
    // Directions are 32-bit numbers: what is shorter than their rounding points nowhere.
    (x.hypot(y) > 1e-6 * minutiae.len() as f64).then(|| y.atan2(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f32::consts::{PI, TAU};

    const MIDDLE: (f32, f32) = (320.0, 320.0);

    fn near(a: &[Minutia], b: &[Minutia]) -> bool {
        let close = |a: &Minutia, b: &Minutia| {
            let turned = (a.direction - b.direction).cos() > 1.0 - 1e-4;
            (a.x - b.x).abs() < 0.05 && (a.y - b.y).abs() < 0.05 && turned
        };
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
    }

    fn template(places: &[(f32, f32, f32)]) -> Template {
        let minutiae = places.iter().map(|&(x, y, d)| Minutia::new(x, y, d));
        Template::new(minutiae.collect(), 500.0).unwrap()
    }

    fn places() -> impl Strategy<Value = Vec<(f32, f32, f32)>> {
        // Within half a turn, so that there is a mean direction.
        prop::collection::vec((0.0f32..500.0, 0.0f32..500.0, 0.0f32..3.0), 1..60)
    }

    proptest! {
        #[test]
        fn a_print_moved_and_turned_comes_to_the_same_place(
            places in places(), angle in -PI..PI, dx in -300.0f32..300.0, dy in -300.0f32..300.0,
        ) {
            let (sin, cos) = angle.sin_cos();
            let move_it = |&(x, y, direction): &(f32, f32, f32)| {
                (cos * x - sin * y + dx, sin * x + cos * y + dy, direction + angle)
            };
            let moved: Vec<_> = places.iter().map(move_it).collect();
            let all = Normalize { position: Position::Centroid, orientation: Orientation::MeanDirection };
            let [a, b] = [&places, &moved].map(|places| all.minutiae(&template(places), MIDDLE));
            prop_assert!(near(&a, &b), "{:?} {:?}", a, b);
            let mean = mean_direction(&a).unwrap();
            prop_assert!(mean.abs() < 1e-3, "{}", mean);
        }

        #[test]
        fn each_normalisation_does_its_own_and_no_more(places in places()) {
            let print = template(&places);
            let normalized = |position, orientation| {
                Normalize { position, orientation }.minutiae(&print, MIDDLE)
            };
            let as_is = normalized(Position::Frame, Orientation::AsIs);
            prop_assert!(near(&as_is, print.minutiae()));
            let (x, y) = centroid(&as_is);
            let turned = centroid(&normalized(Position::Frame, Orientation::MeanDirection));
            prop_assert!((turned.0 - x).abs() < 1e-3 && (turned.1 - y).abs() < 1e-3);
            let centred = normalized(Position::Centroid, Orientation::AsIs);
            for (centred, minutia) in centred.iter().zip(&as_is) {
                prop_assert!((f64::from(centred.x - minutia.x) - (320.0 - x)).abs() < 1e-3);
                prop_assert!((f64::from(centred.y - minutia.y) - (320.0 - y)).abs() < 1e-3);
                prop_assert_eq!(centred.direction, minutia.direction);
            }
        }
    }

    #[test]
    fn size_comes_from_the_resolution() {
        let minutiae = |scale: f32| {
            let places = [(10.0, 40.0, 1.0), (200.0, 7.0, 2.0)];
            places.map(|(x, y, d)| Minutia::new(x * scale, y * scale, d))
        };
        for (dpi, scale) in [(500.0, 1.0), (1000.0, 2.0), (250.0, 0.5)] {
            let print = Template::new(minutiae(scale).to_vec(), dpi).unwrap();
            let placed = Normalize::default().minutiae(&print, MIDDLE);
            assert!(near(&placed, &minutiae(1.0)), "{dpi}");
        }
    }

    #[test]
    fn directions_that_cancel_out_turn_nothing() {
        let print = template(&[(1.0, 2.0, 0.3), (5.0, 9.0, 0.3 + PI)]);
        let turned = Normalize {
            position: Position::Frame,
            orientation: Orientation::MeanDirection,
        };
        assert!(near(&turned.minutiae(&print, MIDDLE), print.minutiae()));
        assert!(turned.minutiae(&template(&[]), MIDDLE).is_empty());
        // Directions on both sides of 0 have a mean of 0, not of π.
        let both = template(&[(0.0, 0.0, 0.1), (1.0, 1.0, TAU - 0.1)]);
        assert!(mean_direction(both.minutiae()).unwrap().abs() < 1e-6);
    }
}
