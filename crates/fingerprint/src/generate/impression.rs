use std::f64::consts::TAU;

use lookalike_core::random::Stream;
use rand_distr::{Distribution, Poisson, StandardNormal};

use super::{Finger, stream, within};
use crate::{DPI, Error, Minutia, Size, Template};

/// How prints of a [`Finger`] come about: the law from which each is drawn.
///
/// In this order, where N(σ) is normal with the mean 0:
///
/// 1. Only a part touches: what lies beyond a straight line across the finger is cut off. Its direction is uniform, its
///    depth uniform from 0 to `cut` of the diameter.
/// 2. Each minutia is missed with the probability `dropped`; Poisson(`spurious`) others are found anywhere on the part
///    that touches.
/// 3. Skin is pressed out of shape: (x, y) moves by (a·sin(2πy/400 + φ), b·sin(2πx/400 + ψ)), where a and b are
///    N(`distortion`) and φ and ψ uniform.
/// 4. Each place moves by N(`noise`) to each side, each direction by N(`direction_noise`).
/// 5. All is turned by N(`rotation`) about the middle, and moved by N(`translation`) to each side.
/// 6. What lies outside the image is lost; the rest is in whole pixels from the bottom left, and whole degrees.
///
/// ```
/// use lookalike_fingerprint::generate::{Finger, Impression};
///
/// let scene = Impression::default().dropped(0.4)?.cut(0.6)?.noise(4.0, 0.2)?;
/// let found = |seed| scene.of(&Finger::new(seed), 1).minutiae().len();
/// let touched = |seed| Impression::default().of(&Finger::new(seed), 1).minutiae().len();
/// assert!((0..20).map(found).sum::<usize>() < (0..20).map(touched).sum());
/// assert!(Impression::default().dropped(1.5).is_err());
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impression {
    rotation: f64,
    translation: f64,
    noise: f64,
    direction_noise: f64,
    dropped: f64,
    spurious: f64,
    cut: f64,
    distortion: f64,
    image: Size,
}

impl Default for Impression {
    /// A finger laid on a scanner, as in [the comparison](super#likeness).
    fn default() -> Self {
        Self {
            rotation: 0.17,
            translation: 48.0,
            noise: 2.2,
            direction_noise: 0.09,
            dropped: 0.19,
            spurious: 5.0,
            cut: 0.4,
            distortion: 3.5,
            image: Size {
                width: 400,
                height: 500,
            },
        }
    }
}

impl Impression {
    /// Nothing turned, moved, lost or added, in an image as large as the default's: the finger itself.
    #[must_use]
    pub fn perfect() -> Self {
        Self {
            rotation: 0.0,
            translation: 0.0,
            noise: 0.0,
            direction_noise: 0.0,
            dropped: 0.0,
            spurious: 0.0,
            cut: 0.0,
            distortion: 0.0,
            ..Self::default()
        }
    }

    /// The standard deviation of the turn, in radians.
    pub fn rotation(self, radians: f64) -> Result<Self, Error> {
        let rotation = within("the rotation", radians, 0.0, 10.0)?;
        Ok(Self { rotation, ..self })
    }

    /// The standard deviation of the move to each side, in pixels.
    pub fn translation(self, pixels: f64) -> Result<Self, Error> {
        let translation = within("the translation", pixels, 0.0, 1000.0)?;
        Ok(Self {
            translation,
            ..self
        })
    }

    /// The standard deviations of places, to each side in pixels, and of directions, in radians.
    pub fn noise(self, pixels: f64, radians: f64) -> Result<Self, Error> {
        Ok(Self {
            noise: within("the noise of places", pixels, 0.0, 100.0)?,
            direction_noise: within("the noise of directions", radians, 0.0, 10.0)?,
            ..self
        })
    }

    /// The share of minutiae that are missed.
    pub fn dropped(self, share: f64) -> Result<Self, Error> {
        let dropped = within("the share of dropped minutiae", share, 0.0, 1.0)?;
        Ok(Self { dropped, ..self })
    }

    /// The mean number of minutiae that are none.
    pub fn spurious(self, mean: f64) -> Result<Self, Error> {
        let spurious = within("the number of spurious minutiae", mean, 0.0, 200.0)?;
        Ok(Self { spurious, ..self })
    }

    /// The share of the finger's diameter that is cut off at most.
    pub fn cut(self, share: f64) -> Result<Self, Error> {
        let cut = within("the share that is cut off", share, 0.0, 0.9)?;
        Ok(Self { cut, ..self })
    }

    /// The standard deviation of the waves by which skin is pressed out of shape, in pixels.
    pub fn distortion(self, pixels: f64) -> Result<Self, Error> {
        let distortion = within("the distortion", pixels, 0.0, 100.0)?;
        Ok(Self { distortion, ..self })
    }

    /// The size of the image, in pixels of 500 an inch; the middle of an unmoved finger is its middle.
    pub fn image(self, size: Size) -> Result<Self, Error> {
        within("the width of the image", size.width.into(), 1.0, 5000.0)?;
        within("the height of the image", size.height.into(), 1.0, 5000.0)?;
        Ok(Self {
            image: size,
            ..self
        })
    }

    /// The print of a finger of this seed. Prints of one finger need different seeds; the same seed may serve for
    /// different fingers, whose prints are then turned and moved alike.
    #[must_use]
    pub fn of(&self, finger: &Finger, seed: u64) -> Template {
        // What concerns the whole print has a stream of its own, so that it is the same for every finger.
        let press = Press::draw(self, finger, &mut stream(b"pressing", seed, 0));
        let rng = &mut stream(b"pressing", seed, 1);
        let mut found = Vec::with_capacity(finger.minutiae().len() + 16);
        for minutia in finger.minutiae() {
            if rng.unit() >= self.dropped && press.touches(minutia) {
                found.push(*minutia);
            }
        }
        if self.spurious > 0.0 {
            let poisson = Poisson::new(self.spurious).expect("a mean above 0");
            let count = f64::min(poisson.sample(rng), 400.0) as usize;
            let others = std::iter::repeat_with(|| finger.another(rng));
            found.extend(others.filter(|other| press.touches(other)).take(count));
        }
        found.retain_mut(|minutia| {
            let moved = [(); 2].map(|()| normal(rng, self.noise));
            let [x, y] = press.place(minutia, moved);
            let direction =
                f64::from(minutia.direction) + press.turn + normal(rng, self.direction_noise);
            *minutia = Minutia {
                kind: minutia.kind,
                ..Minutia::new(x as f32, y as f32, degrees(direction))
            };
            let Size { width, height } = self.image;
            (0.0..width.into()).contains(&x) && (0.0..height.into()).contains(&y)
        });
        let template = Template::new(found, DPI).expect("few enough, and within the image");
        template.with_size(Some(self.image))
    }
}

/// Whole degrees, in the radians that an XYT file with them is read as.
fn degrees(radians: f64) -> f32 {
    (radians.to_degrees().round().rem_euclid(360.0) as f32).to_radians()
}

fn normal(rng: &mut Stream, sd: f64) -> f64 {
    let drawn: f64 = StandardNormal.sample(rng);
    sd * drawn
}

/// What happens to the whole of a print.
struct Press {
    /// The line beyond which nothing touches: the sine and cosine of its normal, and its distance.
    cut: [f64; 3],
    waves: [[f64; 2]; 2],
    turn: f64,
    middle: [f64; 2],
}

impl Press {
    fn draw(impression: &Impression, finger: &Finger, rng: &mut Stream) -> Self {
        let (sine, cosine) = (TAU * rng.unit()).sin_cos();
        let [a, b] = finger.radii();
        let depth = 2.0 * impression.cut * rng.unit();
        let reach = (a * cosine).hypot(b * sine) * (1.0 - depth);
        let waves = [(); 2].map(|()| [normal(rng, impression.distortion), TAU * rng.unit()]);
        let turn = normal(rng, impression.rotation);
        let Size { width, height } = impression.image;
        let middle =
            [width, height].map(|side| f64::from(side) / 2.0 + normal(rng, impression.translation));
        Self {
            cut: [sine, cosine, reach],
            waves,
            turn,
            middle,
        }
    }

    fn touches(&self, minutia: &Minutia) -> bool {
        let [sine, cosine, reach] = self.cut;
        f64::from(minutia.x) * cosine + f64::from(minutia.y) * sine <= reach
    }

    /// Where in the image a minutia comes to lie that extraction moves so.
    fn place(&self, minutia: &Minutia, moved: [f64; 2]) -> [f64; 2] {
        let place: [f64; 2] = [minutia.x.into(), minutia.y.into()];
        let [x, y] = [0, 1].map(|axis| {
            let [height, phase] = self.waves[axis];
            place[axis] + moved[axis] + height * (TAU * place[1 - axis] / 400.0 + phase).sin()
        });
        let (sine, cosine) = self.turn.sin_cos();
        let [right, up] = self.middle;
        [
            (right + cosine * x - sine * y).round(),
            (up + sine * x + cosine * y).round(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::{format::xyt, generate::Anatomy};

    #[test]
    fn a_perfect_print_is_the_finger_in_the_middle_of_the_image() {
        for seed in 0..20 {
            let finger = Finger::new(seed);
            let print = Impression::perfect().of(&finger, seed);
            assert_eq!(print.minutiae().len(), finger.minutiae().len());
            for (found, minutia) in print.minutiae().iter().zip(finger.minutiae()) {
                assert!((found.x - 200.0 - minutia.x).abs() <= 0.51);
                assert!((found.y - 250.0 - minutia.y).abs() <= 0.51);
                assert!((found.direction - minutia.direction).sin().abs() < 0.009);
                assert_eq!(found.kind, minutia.kind);
            }
        }
    }

    #[test]
    fn each_parameter_does_what_it_says() {
        const PRINTS: u64 = 400;
        let anatomy = Anatomy::default().minutiae(50.0, 0.0).unwrap();
        let perfect = Impression::perfect();
        let count = |impression: Impression| {
            let found = |seed| impression.of(&anatomy.finger(seed), seed).minutiae().len();
            (0..PRINTS).map(found).sum::<usize>() as f64 / PRINTS as f64
        };
        // Two-sided, in 4 standard errors of 20 000 minutiae, or 400 prints.
        let dropped = count(perfect.dropped(0.2).unwrap());
        assert!(
            (dropped - 40.0).abs() < 4.0 * (8.0 / 400.0f64).sqrt(),
            "{dropped}"
        );
        let spurious = count(perfect.spurious(9.0).unwrap());
        assert!((spurious - 59.0).abs() < 4.0 * 3.0 / 20.0, "{spurious}");
        assert_eq!(count(perfect.dropped(1.0).unwrap()), 0.0);
        // Cut at depth c, a disc loses (acos(1 − 2c) − (1 − 2c)·√(1 − (1 − 2c)²)) / π; and an ellipse is a stretched disc.
        let lost = |share: f64| {
            let height = 1.0 - 2.0 * share;
            (height.acos() - height * (1.0 - height * height).sqrt()) / PI
        };
        let mean = (0..1000)
            .map(|i| lost(0.5 * (f64::from(i) + 0.5) / 1000.0))
            .sum::<f64>()
            / 1000.0;
        let cut = count(perfect.cut(0.5).unwrap());
        // The lost share varies by less than 0.16 between prints, and by chance beside.
        assert!(
            (cut - 50.0 * (1.0 - mean)).abs() < 4.0 * 50.0 * 0.18 / 20.0,
            "{cut}"
        );

        let deviations = |impression: Impression| {
            let (mut places, mut directions, mut number) = (0.0, 0.0, 0.0);
            for seed in 0..PRINTS {
                let finger = anatomy.finger(seed);
                let (a, b) = (perfect.of(&finger, seed), impression.of(&finger, seed));
                assert_eq!(a.minutiae().len(), b.minutiae().len());
                for (p, q) in a.minutiae().iter().zip(b.minutiae()) {
                    places += f64::from((p.x - q.x).powi(2) + (p.y - q.y).powi(2)) / 2.0;
                    directions += f64::from((p.direction - q.direction).sin().powi(2));
                    number += 1.0;
                }
            }
            [places, directions].map(|sum: f64| (sum / number).sqrt())
        };
        // Both prints are rounded, which adds 1/12 pixel² and 1/12 degree² each.
        let [places, directions] = deviations(perfect.noise(3.0, 0.1).unwrap());
        assert!(
            (places - (9.0f64 + 1.0 / 6.0).sqrt()).abs() < 0.06,
            "{places}"
        );
        assert!((directions - 0.1).abs() < 0.003, "{directions}");
        let [places, directions] = deviations(perfect.distortion(3.0).unwrap());
        assert!((1.7..2.5).contains(&places), "{places}");
        assert!(directions < 1e-6);
        let [places, directions] = deviations(perfect.translation(10.0).unwrap());
        // 4 standard errors of 800 draws: 10 / √1600 each.
        assert!((places - 10.0).abs() < 1.0, "{places}");
        assert!(directions < 1e-6);
        let [_, directions] = deviations(perfect.rotation(0.1).unwrap());
        assert!((directions - 0.1).abs() < 0.015, "{directions}");
    }

    #[test]
    fn prints_are_what_files_can_say() {
        for seed in 0..50 {
            let print = Impression::default().of(&Finger::new(seed), seed);
            let text = xyt::write(&print);
            let again = xyt::parse(text.as_bytes(), DPI).unwrap();
            assert_eq!(xyt::write(&again), text);
            for (a, b) in print.minutiae().iter().zip(again.minutiae()) {
                assert_eq!((a.x, a.y), (b.x, b.y));
                assert!((a.direction - b.direction).sin().abs() < 1e-6);
            }
            let size = print.size().unwrap();
            let within = |m: &Minutia| m.x < size.width.into() && m.y < size.height.into();
            assert!(print.minutiae().iter().all(within));
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let usual = Impression::default();
        let size = Size {
            width: 0,
            height: 9,
        };
        for wrong in [
            usual.rotation(-1.0),
            usual.translation(f64::INFINITY),
            usual.noise(1.0, f64::NAN),
            usual.noise(-1.0, 1.0),
            usual.dropped(1.1),
            usual.spurious(201.0),
            usual.cut(1.0),
            usual.distortion(-0.1),
            usual.image(size),
        ] {
            assert!(wrong.unwrap_err().to_string().contains("but must be from"));
        }
    }

    #[test]
    fn value_stability() {
        let ends = |finger, seed| {
            let print = Impression::default().of(&Finger::new(finger), seed);
            let text = xyt::write(&print);
            let mut lines = text.lines();
            let ends = [lines.next(), lines.next_back()].map(|line| line.unwrap().to_owned());
            (print.minutiae().len(), ends.join(", "))
        };
        assert_eq!(ends(0, 0), (44, "206 73 174, 243 80 332".into()));
        assert_eq!(ends(7, 3), (38, "273 186 135, 263 162 145".into()));
    }
}
