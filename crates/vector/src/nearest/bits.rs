use serde::{Deserialize, Serialize};

/// Bits of a code for each coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub(crate) enum Bits {
    /// The sign.
    One,
    /// The sign, and whether the coordinate is large.
    Two,
    /// One of 16 levels.
    Four,
}

impl TryFrom<u8> for Bits {
    type Error = String;

    fn try_from(bits: u8) -> Result<Self, String> {
        match bits {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            4 => Ok(Self::Four),
            other => Err(format!("{other} bits, but a coordinate has 1, 2 or 4")),
        }
    }
}

impl From<Bits> for u8 {
    fn from(bits: Bits) -> Self {
        match bits {
            Bits::One => 1,
            Bits::Two => 2,
            Bits::Four => 4,
        }
    }
}

/// Levels for which a standard normal number has the least squared error (Lloyd and Max): the positive ones, ascending.
const LEVELS_OF_ONE: [f32; 1] = [1.0];
const LEVELS_OF_TWO: [f32; 2] = [0.4528, 1.510];
const LEVELS_OF_FOUR: [f32; 8] = [0.1284, 0.3881, 0.6568, 0.9424, 1.256, 1.618, 2.069, 2.733];

const SIGNED_LEVELS_OF_FOUR: [f32; 16] = {
    let (mut levels, mut place) = ([0.0; 16], 0);
    while place < 8 {
        levels[8 + place] = LEVELS_OF_FOUR[place];
        levels[7 - place] = -LEVELS_OF_FOUR[place];
        place += 1;
    }
    levels
};

impl Bits {
    /// Coordinates that four bits have.
    pub(super) fn per_nibble(self) -> usize {
        4 / usize::from(u8::from(self))
    }

    fn positive(self) -> &'static [f32] {
        match self {
            Self::One => &LEVELS_OF_ONE,
            Self::Two => &LEVELS_OF_TWO,
            Self::Four => &LEVELS_OF_FOUR,
        }
    }

    /// The largest level.
    pub(super) fn top(self) -> f32 {
        *self.positive().last().expect("at least one")
    }

    /// The level of a code; the codes of larger levels are larger.
    pub(super) fn level(self, code: u8) -> f32 {
        let levels = self.positive();
        match usize::from(code).checked_sub(levels.len()) {
            Some(place) => levels[place],
            None => -levels[levels.len() - 1 - usize::from(code)],
        }
    }

    /// [`level`](Self::level) by arithmetic for one and two bits, so that loops over many codes stay in registers.
    #[inline(always)]
    pub(super) fn level_of(self, code: u8) -> f32 {
        let code_as_number = f32::from(code);
        match self {
            Self::One => 2.0 * code_as_number - 1.0,
            Self::Two => {
                let [small, large] = LEVELS_OF_TWO;
                let is_outer = code == 0 || code == 3;
                let size = if is_outer { large } else { small };
                if code >= 2 { size } else { -size }
            }
            Self::Four => SIGNED_LEVELS_OF_FOUR[usize::from(code & 15)],
        }
    }

    /// The code of the level that is nearest to a number: one more for each boundary that the number reaches.
    #[inline(always)]
    pub(super) fn code(self, number: f32) -> u8 {
        let reached = |bounds: &[f32]| bounds.iter().map(|&it| u8::from(number >= it)).sum::<u8>();
        match self {
            Self::One => u8::from(number >= 0.0),
            Self::Two => {
                const BOUND: f32 = 0.9814;
                reached(&[-BOUND, 0.0, BOUND])
            }
            Self::Four => {
                const BOUNDS: [f32; 15] = {
                    let (mut bounds, mut place) = ([0.0; 15], 0);
                    while place < 7 {
                        let bound = (LEVELS_OF_FOUR[place] + LEVELS_OF_FOUR[place + 1]) / 2.0;
                        bounds[8 + place] = bound;
                        bounds[6 - place] = -bound;
                        place += 1;
                    }
                    bounds
                };
                reached(&BOUNDS)
            }
        }
    }

    /// The levels of all choices of four bits.
    pub(super) fn levels(self) -> Vec<[f32; 16]> {
        let bits = u8::from(self);
        let of_coordinate = |coordinate: u8| {
            let level = |nibble: usize| {
                let code = nibble as u8 >> (bits * coordinate) & ((1 << bits) - 1);
                self.level(code)
            };
            std::array::from_fn(level)
        };
        (0..self.per_nibble() as u8).map(of_coordinate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_the_nearest_level() {
        for bits in [Bits::One, Bits::Two, Bits::Four] {
            let codes = 1u8 << u8::from(bits);
            for step in -400..400 {
                let number = step as f32 / 100.0 + 0.001;
                let apart = |code: u8| (bits.level(code) - number).abs();
                let nearest = (0..codes).map(apart).fold(f32::INFINITY, f32::min);
                let found = apart(bits.code(number));
                assert!(
                    found <= nearest + 1e-3,
                    "{bits:?} {number}: {found} {nearest}"
                );
            }
        }
    }

    #[test]
    fn levels_of_four_bits_are_those_of_their_codes() {
        for bits in [Bits::One, Bits::Two, Bits::Four] {
            let width = u8::from(bits);
            for (coordinate, levels) in (0..).zip(bits.levels()) {
                for (nibble, level) in (0u8..).zip(levels) {
                    let code = nibble >> (width * coordinate) & ((1 << width) - 1);
                    assert_eq!(level, bits.level(code));
                    assert_eq!(level, bits.level_of(code));
                }
            }
            assert!(Bits::try_from(width) == Ok(bits));
        }
        assert!(Bits::try_from(3).is_err());
    }
}
