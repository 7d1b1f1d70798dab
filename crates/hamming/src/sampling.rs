use lookalike_core::{Bounds, LshFamily, random};

use crate::{Codes, Error, Gather, chance};

/// Bits drawn at random: two codes agree on a function if they agree on its bits.
///
/// A function has one bit, and the family is (d1, d2, 1−d1/n, 1−d2/n)-sensitive. An AND of r is fused into functions of
/// r distinct bits, gathered into a key of r bits: they agree with the probability C(n−d, r)/C(n, r), which is less than
/// (1−d/n)^r, and the engine can find their buckets by address.
///
/// ```
/// use lookalike_core::{LshFamily, Scheme, Step};
/// use lookalike_hamming::BitSampling;
///
/// let family = BitSampling::new(64)?;
/// let one = family.sensitivity(6.0, 32.0)?;
/// assert_eq!((one.p1().value(), one.p2().value()), (1.0 - 6.0 / 64.0, 0.5));
/// let twenty = family.and(20).promise(6.0);
/// assert!((twenty.lower().value() - 0.0941).abs() < 0.0001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitSampling {
    bits: u32,
    rows: u32,
}

impl BitSampling {
    /// One bit a function, of codes of so many bits.
    pub fn new(bits: usize) -> Result<Self, Error> {
        Codes::new(bits)?;
        Ok(Self {
            bits: bits as u32,
            rows: 1,
        })
    }

    /// So many distinct bits a function, up to 64.
    pub fn rows(self, rows: u32) -> Result<Self, Error> {
        let most = self.bits.min(64);
        if (1..=most).contains(&rows) {
            return Ok(Self { rows, ..self });
        }
        let expected = format!("from 1 to {most}, for codes of {} bits", self.bits);
        Err(Error::parameter("rows", rows, expected))
    }

    /// The places of the bits of each of k functions, as they are drawn from a seed.
    #[must_use]
    pub fn places(&self, k: usize, seed: u64) -> Vec<Vec<u32>> {
        let function = |number| {
            let mut rng = random::stream(seed, number as u64);
            random::distinct(self.bits, self.rows, &mut rng)
        };
        (0..k).map(function).collect()
    }

    /// Bits of a code.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Bits of a function.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.rows
    }
}

impl LshFamily for BitSampling {
    type Item = [u64];
    type Functions = Gather;

    fn collision(&self, distance: f64) -> Bounds {
        chance::at(self.bits, distance, |differ| {
            chance::within_flips(self.bits, differ, self.rows, 0)
        })
    }

    fn draw(&self, k: usize, seed: u64) -> Gather {
        Gather::new(self.bits as usize, self.places(k, seed))
    }

    fn fused(&self, rows: u32) -> Option<Self> {
        self.rows(self.rows.checked_mul(rows)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::LshFunctions;

    #[test]
    fn what_cannot_be_fused_is_folded() {
        let family = BitSampling::new(100).unwrap();
        assert!(family.fused(64).is_some() && family.fused(65).is_none());
        assert!(BitSampling::new(8).unwrap().fused(9).is_none());
        assert!(family.rows(0).is_err() && family.rows(65).is_err());
        assert!(BitSampling::new(0).is_err());
    }

    #[test]
    fn value_stability() {
        let functions = BitSampling::new(256).unwrap().rows(20).unwrap().draw(3, 7);
        let code = [
            0x0123_4567_89ab_cdef,
            0xfedc_ba98_7654_3210,
            42,
            u64::MAX / 3,
        ];
        let mut keys = [0; 3];
        functions.hash_into(&code, &mut (), &mut keys);
        assert_eq!(keys, [724929, 525155, 507930]);
    }
}
