use std::f32::consts::TAU;

/// A place where a ridge ends or forks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minutia {
    /// Pixels right of the left edge.
    pub x: f32,
    /// Pixels above the bottom edge.
    pub y: f32,
    /// Radians counter-clockwise from the right, from 0 to below 2π, as ISO/IEC 19794-2 measures them: for an
    /// ending back along its ridge.
    pub direction: f32,
    /// From 1 (worst) to 100 (best), where it was judged.
    pub quality: Option<u8>,
    /// What happens there, where it was judged.
    pub kind: MinutiaKind,
}

/// What a ridge does at a minutia.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MinutiaKind {
    /// It ends.
    Ending,
    /// It forks.
    Bifurcation,
    /// Something else, or nobody said.
    #[default]
    Other,
}

impl Minutia {
    /// A minutia of which only place and direction (in radians) are known.
    #[must_use]
    pub fn new(x: f32, y: f32, direction: f32) -> Self {
        Self {
            x,
            y,
            direction: turn(direction),
            quality: None,
            kind: MinutiaKind::Other,
        }
    }
}

/// The same direction, from 0 to below 2π.
pub(crate) fn turn(radians: f32) -> f32 {
    let turned = radians.rem_euclid(TAU);
    // A tiny negative number rounds to a whole turn.
    if turned < TAU { turned } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_stay_within_a_turn() {
        for radians in [-1e-9, 0.0, TAU, 3.0 * TAU + 1.0, -7.0] {
            let turned = turn(radians);
            assert!((0.0..TAU).contains(&turned), "{radians} {turned}");
            assert!((turned - radians).sin().abs() < 1e-5);
        }
    }
}
