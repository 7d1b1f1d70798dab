use std::f32::consts::TAU;

use lookalike_core::Payload;

use crate::Minutia;

/// Where a minutia's own frame lies in its print: what is stored beside a key.
///
/// Two prints share a key by chance now and then. In prints of one finger the frames of all shared keys differ by the same
/// rotation and shift; by chance they do not.
///
/// Four bytes: the direction in 256 parts of a turn, the place in whole pixels from the middle of the print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame(u32);

/// Pixels beyond which a place is taken for the border: 12 bits with a sign.
const FARTHEST: f32 = 2047.0;

impl Frame {
    /// The frame of a minutia in a print whose middle is given.
    #[must_use]
    pub fn new(minutia: &Minutia, middle: (f32, f32)) -> Self {
        let place = |from: f32| from.round().clamp(-FARTHEST, FARTHEST) as i32 as u32 & 0xfff;
        let direction = byte(minutia.direction);
        let (x, y) = (place(minutia.x - middle.0), place(minutia.y - middle.1));
        Self(u32::from(direction) << 24 | x << 12 | y)
    }

    /// The direction, 256 to a turn.
    #[must_use]
    pub fn direction(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The place, in pixels from the middle of the print.
    #[must_use]
    pub fn place(self) -> (i32, i32) {
        let signed = |bits: u32| (bits << 20) as i32 >> 20;
        (signed(self.0 >> 12), signed(self.0))
    }
}

impl Payload for Frame {
    const BYTES: usize = 4;
    fn store(self, bytes: &mut [u8]) {
        self.0.store(bytes);
    }
    fn fetch(bytes: &[u8]) -> Self {
        Self(u32::fetch(bytes))
    }
}

/// An angle, 256 to a turn.
pub(crate) fn byte(radians: f32) -> u8 {
    (radians / TAU * 256.0).round() as i32 as u8
}

/// The mean place.
pub(crate) fn middle(minutiae: &[Minutia]) -> (f32, f32) {
    let count = minutiae.len().max(1) as f32;
    let sum = |of: fn(&Minutia) -> f32| minutiae.iter().map(of).sum::<f32>() / count;
    (sum(|minutia| minutia.x), sum(|minutia| minutia.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_frame_keeps_what_it_was_made_of(x in -2000i32..2000, y in -2000i32..2000, turn in 0u8..=255) {
            let minutia = Minutia::new(x as f32, y as f32, f32::from(turn) / 256.0 * TAU);
            let frame = Frame::new(&minutia, (0.0, 0.0));
            prop_assert_eq!((frame.place(), frame.direction()), ((x, y), turn));
            let mut bytes = [0; 4];
            frame.store(&mut bytes);
            prop_assert_eq!(Frame::fetch(&bytes), frame);
        }
    }

    #[test]
    fn what_is_far_away_stays_at_the_border() {
        let minutia = Minutia::new(60_000.0, -60_000.0, TAU - 0.001);
        let frame = Frame::new(&minutia, (0.0, 0.0));
        assert_eq!((frame.place(), frame.direction()), ((2047, -2047), 0));
    }
}
