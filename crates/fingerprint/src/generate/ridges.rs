use lookalike_core::random::Stream;
use rand_distr::{Distribution, StandardNormal};

/// How the ridges of a finger run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// From one side to the other, over a hill in the middle: 7 of 100 fingers.
    Arch,
    /// From the left up round a core and back to the left: 34 of 100.
    LeftLoop,
    /// The same from the right: 32 of 100.
    RightLoop,
    /// Round and round, between two deltas: 28 of 100.
    Whorl,
}

/// The direction of ridges at every place of a finger, up to half a turn.
///
/// Round a core the direction makes half a turn, round a delta half a turn backwards, and elsewhere it is smooth
/// (Sherlock and Monro, A model for interpreting fingerprint topology, 1993):
///
/// θ(z) = ½ Σ arg(z − core) − ½ Σ arg(z − delta)
///
/// An arch has neither: tan θ = −h·x/w·exp(½ − x²/2w²), the slope of a hill of width w.
#[derive(Clone, Debug)]
pub(super) struct Ridges {
    pub(super) pattern: Pattern,
    cores: Vec<[f64; 2]>,
    deltas: Vec<[f64; 2]>,
}

/// How far the hill of an arch reaches, in pixels, and how steep it is.
const HILL: (f64, f64) = (70.0, 1.0);

impl Ridges {
    /// Patterns are as frequent as in people: Wilson, Candela and Watson, Neural network fingerprint classification,
    /// 1994, with tented arches among the arches.
    pub(super) fn draw(rng: &mut Stream) -> Self {
        let pattern = match rng.unit() {
            ..0.066 => Pattern::Arch,
            ..0.404 => Pattern::LeftLoop,
            ..0.721 => Pattern::RightLoop,
            _ => Pattern::Whorl,
        };
        let mut place = |x: f64, y: f64| {
            let [right, up]: [f64; 2] = [(); 2].map(|()| StandardNormal.sample(rng));
            [x + 12.0 * right, y + 12.0 * up]
        };
        let (cores, deltas) = match pattern {
            Pattern::Arch => (vec![], vec![]),
            // The delta lies opposite to the side from which the ridges come.
            Pattern::LeftLoop => (vec![place(0.0, 20.0)], vec![place(95.0, -130.0)]),
            Pattern::RightLoop => (vec![place(0.0, 20.0)], vec![place(-95.0, -130.0)]),
            Pattern::Whorl => (
                vec![place(0.0, 35.0), place(0.0, -10.0)],
                vec![place(-110.0, -120.0), place(110.0, -120.0)],
            ),
        };
        Self {
            pattern,
            cores,
            deltas,
        }
    }

    pub(super) fn direction(&self, x: f64, y: f64) -> f64 {
        if self.pattern == Pattern::Arch {
            let (width, height) = HILL;
            let x = x / width;
            return (-height * x * (0.5 - x * x / 2.0).exp()).atan();
        }
        let turns = |points: &[[f64; 2]]| -> f64 {
            let turn = |point: &[f64; 2]| (y - point[1]).atan2(x - point[0]);
            points.iter().map(turn).sum()
        };
        (turns(&self.cores) - turns(&self.deltas)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::generate::stream;

    fn ridges(pattern: Pattern) -> Ridges {
        let mut drawn = (0..).map(|seed| Ridges::draw(&mut stream(b"the test", seed, 0)));
        drawn.find(|ridges| ridges.pattern == pattern).unwrap()
    }

    /// Half turns that the direction makes on a small circle round a place.
    fn index(ridges: &Ridges, [x, y]: [f64; 2]) -> f64 {
        let at = |step: i32| {
            let (sine, cosine) = (f64::from(step) * PI / 180.0).sin_cos();
            ridges.direction(x + 5.0 * cosine, y + 5.0 * sine)
        };
        let turn = |step| (at(step + 1) - at(step) + PI / 2.0).rem_euclid(PI) - PI / 2.0;
        (0..360).map(turn).sum::<f64>() / PI
    }

    #[test]
    fn directions_turn_once_round_cores_and_back_round_deltas() {
        for pattern in [Pattern::LeftLoop, Pattern::RightLoop, Pattern::Whorl] {
            let ridges = ridges(pattern);
            for &core in &ridges.cores {
                assert!((index(&ridges, core) - 1.0).abs() < 1e-9);
            }
            for &delta in &ridges.deltas {
                assert!((index(&ridges, delta) + 1.0).abs() < 1e-9);
            }
            assert!(index(&ridges, [100.0, 100.0]).abs() < 1e-9);
        }
    }

    #[test]
    fn ridges_are_level_far_from_the_middle_and_steep_under_a_core() {
        for pattern in [Pattern::LeftLoop, Pattern::RightLoop, Pattern::Whorl] {
            let ridges = ridges(pattern);
            assert!(ridges.direction(0.0, 1e6).sin().abs() < 1e-3);
            let sides = |x| ridges.direction(x, -40.0).sin().abs();
            assert!(pattern == Pattern::Whorl || sides(0.0) > 0.6, "{pattern:?}");
        }
        let arch = ridges(Pattern::Arch);
        assert!(arch.direction(-70.0, 0.0) > 0.5 && arch.direction(70.0, 0.0) < -0.5);
        assert_eq!(arch.direction(0.0, 0.0), 0.0);
    }
}
