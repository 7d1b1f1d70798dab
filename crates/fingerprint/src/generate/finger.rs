use std::f64::consts::PI;

use lookalike_core::random::Stream;
use rand_distr::{Distribution, StandardNormal, UnitDisc};

use super::{Pattern, ridges::Ridges, stream, within};
use crate::{Error, Minutia, MinutiaKind};

/// What fingers are like: the law from which each [`Finger`] is drawn.
///
/// - The number of minutiae is normal, rounded, and at most 4 standard deviations from the mean.
/// - They lie in an ellipse, uniformly, except that no two are nearer than the spacing: each is drawn anew until it is
///   far enough from those before it.
/// - Their direction is that of the [ridges](Pattern) there, plus normal noise, plus half a turn in 30 of 100: ridges
///   that begin and that end lie mixed, but not evenly. In 65 of 100 the ridge ends, else it forks.
///
/// ```
/// use lookalike_fingerprint::generate::Anatomy;
///
/// let finger = Anatomy::default().minutiae(80.0, 0.0)?.finger(1);
/// assert_eq!(finger.minutiae().len(), 80);
/// assert!(Anatomy::default().minutiae(2000.0, 0.0).is_err());
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anatomy {
    mean: f64,
    sd: f64,
    width: f64,
    height: f64,
    spacing: f64,
    noise: f64,
}

impl Default for Anatomy {
    /// Those of [the comparison](super#likeness): 57 ± 16 minutiae in 275 × 375 pixels, 8 apart, and 0.18
    /// radians of noise.
    fn default() -> Self {
        Self {
            mean: 57.0,
            sd: 16.0,
            width: 275.0,
            height: 375.0,
            spacing: 8.0,
            noise: 0.18,
        }
    }
}

/// How many of the discs of half the spacing round minutiae the area may be full of: drawing at random ends at 55%, and
/// is slow long before.
const FULL: f64 = 0.3;
const SDS: f64 = 4.0;
const ENDING: f64 = 0.65;
const REVERSED: f64 = 0.3;

impl Anatomy {
    /// The number of minutiae, by mean and standard deviation: at most 500 in all, and so many that the area has room.
    pub fn minutiae(self, mean: f64, sd: f64) -> Result<Self, Error> {
        Self {
            mean: within("the mean number of minutiae", mean, 0.0, 500.0)?,
            sd: within("the spread of the number of minutiae", sd, 0.0, 125.0)?,
            ..self
        }
        .checked()
    }

    /// The axes of the ellipse, in pixels of 500 an inch.
    pub fn area(self, width: f64, height: f64) -> Result<Self, Error> {
        Self {
            width: within("the width of the finger", width, 50.0, 2000.0)?,
            height: within("the height of the finger", height, 50.0, 2000.0)?,
            ..self
        }
        .checked()
    }

    /// The least distance of two minutiae, in pixels.
    pub fn spacing(self, pixels: f64) -> Result<Self, Error> {
        Self {
            spacing: within("the spacing of minutiae", pixels, 0.0, 100.0)?,
            ..self
        }
        .checked()
    }

    /// The standard deviation of directions from those of the ridges, in radians.
    pub fn noise(self, radians: f64) -> Result<Self, Error> {
        let noise = within("the noise of directions", radians, 0.0, 10.0)?;
        Ok(Self { noise, ..self })
    }

    fn checked(self) -> Result<Self, Error> {
        let most = self.mean + SDS * self.sd;
        let room = FULL * self.width * self.height / (self.spacing * self.spacing);
        if most > room.min(500.0) {
            let expected = format!(
                "at most {:.0} for a finger of {} × {} pixels with minutiae {} apart",
                room.min(500.0),
                self.width,
                self.height,
                self.spacing
            );
            let name = "the number of minutiae, mean and 4 standard deviations";
            return Err(Error::parameter(name, most, expected));
        }
        Ok(self)
    }

    /// The finger of this seed.
    #[must_use]
    pub fn finger(&self, seed: u64) -> Finger {
        let rng = &mut stream(b"a finger", seed, 0);
        let ridges = Ridges::draw(rng);
        let spread: f64 = StandardNormal.sample(rng);
        let count = (self.mean + self.sd * spread.clamp(-SDS, SDS)).round() as usize;
        let mut places: Vec<[f64; 2]> = Vec::with_capacity(count);
        while places.len() < count {
            let [x, y] = self.place(rng);
            let apart = |place: &[f64; 2]| (x - place[0]).hypot(y - place[1]) >= self.spacing;
            if places.iter().all(apart) {
                places.push([x, y]);
            }
        }
        let mut finger = Finger {
            minutiae: Vec::with_capacity(count),
            ridges,
            anatomy: *self,
        };
        for place in places {
            let minutia = finger.minutia(place, rng);
            finger.minutiae.push(minutia);
        }
        finger
    }

    /// A place in the ellipse.
    fn place(&self, rng: &mut Stream) -> [f64; 2] {
        let [x, y]: [f64; 2] = UnitDisc.sample(rng);
        [x * self.width / 2.0, y * self.height / 2.0]
    }
}

/// A made-up finger: ridges, and minutiae that follow them.
#[derive(Clone, Debug)]
pub struct Finger {
    minutiae: Vec<Minutia>,
    ridges: Ridges,
    anatomy: Anatomy,
}

impl Finger {
    /// A finger of the [default](Anatomy::default) kind.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Anatomy::default().finger(seed)
    }

    /// Its minutiae, in pixels of 500 an inch from the middle of the finger.
    #[must_use]
    pub fn minutiae(&self) -> &[Minutia] {
        &self.minutiae
    }

    /// How its ridges run.
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        self.ridges.pattern
    }

    /// Half of the axes.
    pub(super) fn radii(&self) -> [f64; 2] {
        [self.anatomy.width / 2.0, self.anatomy.height / 2.0]
    }

    /// A minutia anywhere, as the finger could have it but has not.
    pub(super) fn another(&self, rng: &mut Stream) -> Minutia {
        let place = self.anatomy.place(rng);
        self.minutia(place, rng)
    }

    fn minutia(&self, [x, y]: [f64; 2], rng: &mut Stream) -> Minutia {
        let noise: f64 = StandardNormal.sample(rng);
        let reversed = if rng.unit() < REVERSED { PI } else { 0.0 };
        let direction = self.ridges.direction(x, y) + self.anatomy.noise * noise + reversed;
        let ends = rng.unit() < ENDING;
        Minutia {
            kind: if ends {
                MinutiaKind::Ending
            } else {
                MinutiaKind::Bifurcation
            },
            ..Minutia::new(x as f32, y as f32, direction as f32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutiae_lie_apart_within_the_finger() {
        let anatomy = Anatomy::default().spacing(15.0).unwrap();
        let anatomy = anatomy.area(300.0, 400.0).unwrap();
        for seed in 0..50 {
            let finger = anatomy.finger(seed);
            for (i, a) in finger.minutiae().iter().enumerate() {
                assert!((a.x / 150.0).hypot(a.y / 200.0) <= 1.0);
                for b in &finger.minutiae()[..i] {
                    assert!((a.x - b.x).hypot(a.y - b.y) > 14.99);
                }
            }
        }
    }

    #[test]
    fn numbers_and_patterns_follow_their_laws() {
        let fingers: Vec<_> = (0..2000).map(Finger::new).collect();
        let counts = fingers.iter().map(|finger| finger.minutiae().len() as f64);
        let mean = counts.sum::<f64>() / 2000.0;
        // 4 standard errors of 16 / √2000.
        assert!((mean - 57.0).abs() < 1.43, "{mean}");
        for (pattern, share) in [
            (Pattern::Arch, 0.066),
            (Pattern::LeftLoop, 0.338),
            (Pattern::RightLoop, 0.317),
            (Pattern::Whorl, 0.279),
        ] {
            let found = fingers.iter().filter(|f| f.pattern() == pattern).count();
            let error = (share * (1.0 - share) / 2000.0f64).sqrt();
            assert!((found as f64 / 2000.0 - share).abs() < 4.0 * error);
        }
    }

    #[test]
    fn what_has_no_room_is_refused() {
        let message = |result: Result<Anatomy, Error>| result.unwrap_err().to_string();
        let usual = Anatomy::default();
        assert!(message(usual.minutiae(f64::NAN, 1.0)).contains("from 0 to 500"));
        assert!(message(usual.minutiae(400.0, 50.0)).contains("is 600, but must be at most"));
        assert!(message(usual.spacing(60.0)).contains("with minutiae 60 apart"));
        assert!(message(usual.area(50.0, 50.0)).contains("50 × 50 pixels"));
        assert!(message(usual.noise(-0.1)).contains("noise"));
        assert!(
            usual
                .minutiae(0.0, 0.0)
                .unwrap()
                .finger(3)
                .minutiae()
                .is_empty()
        );
    }

    #[test]
    fn value_stability() {
        let first = |seed| {
            let finger = Finger::new(seed);
            let Minutia { x, y, kind, .. } = finger.minutiae()[0];
            let degrees = finger.minutiae()[0].direction.to_degrees();
            let [x, y, degrees] = [x, y, degrees].map(|value| value.round() as i32);
            (
                finger.pattern(),
                finger.minutiae().len(),
                [x, y, degrees],
                kind,
            )
        };
        let (arch, looped) = (Pattern::Arch, Pattern::RightLoop);
        assert_eq!(first(0), (arch, 70, [-2, -172, 349], MinutiaKind::Ending));
        assert_eq!(first(7), (looped, 54, [92, -73, 315], MinutiaKind::Ending));
    }
}
