use lookalike_core::{Bounds, LshFamily, Probability, Scheme, Step, random};

use crate::{
    Codes, Error, Gather,
    chance::{self, some_within_flips},
};

/// All bits in m blocks, drawn at random: two codes that differ in fewer than m bits agree on a block for certain.
///
/// Functions are drawn m at a time, the blocks of one shuffle of the bits. A block has n/m bits; of a wide one only as
/// many as [`at_most`](Blocks::at_most) says are looked at, which loses nothing: who agrees on the block agrees on them.
///
/// ```
/// use lookalike_core::LshFamily;
/// use lookalike_hamming::Blocks;
///
/// let blocks = Blocks::new(64, 7)?;
/// let promise = |distance| blocks.or(7).promise(distance).lower().value();
/// assert_eq!(promise(6.0), 1.0);
/// assert!(promise(7.0) < 1.0);
/// # Ok::<(), lookalike_hamming::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    bits: u32,
    blocks: u32,
    at_most: u32,
}

impl Blocks {
    /// Codes of so many bits in so many blocks.
    pub fn new(bits: usize, blocks: u32) -> Result<Self, Error> {
        Codes::new(bits)?;
        let bits = bits as u32;
        if !(1..=bits).contains(&blocks) {
            let expected = format!("from 1 to {bits}, the bits of a code");
            return Err(Error::parameter("blocks", blocks, expected));
        }
        Ok(Self {
            bits,
            blocks,
            at_most: 64,
        })
    }

    /// Looks at no more than so many bits of a block, up to 64: narrow keys let the engine find buckets by address.
    pub fn at_most(self, bits: u32) -> Result<Self, Error> {
        if (1..=64).contains(&bits) {
            return Ok(Self {
                at_most: bits,
                ..self
            });
        }
        Err(Error::parameter("bits of a block", bits, "from 1 to 64"))
    }

    /// Bits of a code.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many blocks.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The places of the bits of each of k functions, as they are drawn from a seed.
    #[must_use]
    pub fn places(&self, k: usize, seed: u64) -> Vec<Vec<u32>> {
        let widths = self.widths();
        let (each, longer) = (self.bits / self.blocks, self.bits % self.blocks);
        let mut functions = Vec::with_capacity(k);
        for shuffle in 0..k.div_ceil(widths.len()) as u64 {
            let mut rng = random::stream(seed, shuffle);
            let mut places: Vec<u32> = (0..self.bits).collect();
            for last in (1..places.len()).rev() {
                let other = random::below(last as u32 + 1, &mut rng);
                places.swap(last, other as usize);
            }
            let mut rest = &places[..];
            for (block, &width) in (0..).zip(&widths) {
                let whole = each + u32::from(block < longer);
                let (places, after) = rest.split_at(whole as usize);
                functions.push(places[..width as usize].to_vec());
                rest = after;
            }
        }
        functions.truncate(k);
        functions
    }

    /// How many bits of each block are looked at.
    #[must_use]
    pub fn widths(&self) -> Vec<u32> {
        let (each, longer) = (self.bits / self.blocks, self.bits % self.blocks);
        let width = |block| (each + u32::from(block < longer)).min(self.at_most);
        (0..self.blocks).map(width).collect()
    }

    /// The probability that a query which asks for all keys within `flips` in `functions` functions meets a code at a
    /// distance.
    pub(crate) fn met(&self, functions: u32, flips: u32, distance: f64) -> Bounds {
        let widths = self.widths();
        let (shuffles, rest) = (functions / self.blocks, functions % self.blocks);
        chance::at(self.bits, distance, |differ| {
            let some = |groups: &[u32]| some_within_flips(self.bits, differ, groups, flips);
            let whole = Probability::saturating(some(&widths)).any(shuffles).value();
            if rest == 0 {
                return whole;
            }
            let part = some(&widths[..rest as usize]);
            whole + part - whole * part
        })
    }
}

impl LshFamily for Blocks {
    type Item = [u64];
    type Functions = Gather;

    /// Of a block drawn at random: the wider ones agree less often.
    fn collision(&self, distance: f64) -> Bounds {
        let widths = self.widths();
        let (first, last) = (widths[0], widths[widths.len() - 1]);
        let agree = |width| {
            chance::at(self.bits, distance, |differ| {
                chance::within_flips(self.bits, differ, width, 0)
            })
        };
        Bounds::new(agree(first).lower(), agree(last).upper()).expect("a wider block agrees less")
    }

    fn draw(&self, k: usize, seed: u64) -> Gather {
        Gather::new(self.bits as usize, self.places(k, seed))
    }

    /// Blocks of one shuffle share no bit, so that their OR is better than of independent functions: it is certain below
    /// m differing bits. What an AND of blocks does is not promised.
    fn joint(&self, scheme: &Scheme, distance: f64) -> Bounds {
        match scheme.steps() {
            [] => self.collision(distance),
            [Step::Or(functions)] => self.met(*functions, 0, distance),
            _ => Bounds::ANYTHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::LshFunctions;

    #[test]
    fn blocks_have_all_bits_once() {
        let blocks = Blocks::new(100, 7).unwrap();
        assert_eq!(blocks.widths(), [15, 15, 14, 14, 14, 14, 14]);
        let gather = blocks.draw(9, 3);
        // A code with one bit is seen by one block of the first shuffle.
        for place in 0..100 {
            let mut code = [0, 0];
            code[place / 64] = 1 << (place % 64);
            let mut keys = [0; 9];
            gather.hash_into(&code, &mut (), &mut keys);
            let seen: u32 = keys[..7].iter().map(|key| key.count_ones()).sum();
            assert_eq!(seen, 1, "bit {place}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(Blocks::new(64, 0).is_err() && Blocks::new(64, 65).is_err());
        assert!(Blocks::new(0, 1).is_err());
        let blocks = Blocks::new(64, 2).unwrap();
        assert!(blocks.at_most(0).is_err() && blocks.at_most(65).is_err());
        assert_eq!(blocks.at_most(20).unwrap().widths(), [20, 20]);
    }
}
