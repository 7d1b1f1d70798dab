use lookalike_core::{
    Bounds, KEY_LIMIT, KeySource, LshFamily, LshFunctions, Probability, TooManyKeys,
};

use crate::{BitSampling, Blocks, Error, Gather, chance};

/// Families whose keys are bits of the code, so that a flipped bit of the key is a flipped bit of the code.
pub trait Probed: LshFamily<Item = [u64], Functions = Gather> {
    /// How likely a query for all keys within `flips` in each of `tables` meets a code at this distance.
    fn met(&self, tables: u32, flips: u32, distance: f64) -> Bounds;
}

impl Probed for BitSampling {
    /// 1 − (1 − h)^b with the hypergeometric h that at most f of the r sampled bits differ ([`within_flips`](crate::within_flips)).
    fn met(&self, tables: u32, flips: u32, distance: f64) -> Bounds {
        chance::at(self.bits(), distance, |differ| {
            let one = chance::within_flips(self.bits(), differ, self.width(), flips);
            Probability::saturating(one).any(tables).value()
        })
    }
}

impl Probed for Blocks {
    /// 1 below m·(f+1) differing bits: not every block can have more than f of them.
    fn met(&self, tables: u32, flips: u32, distance: f64) -> Bounds {
        Self::met(self, tables, flips, distance)
    }
}

/// Multi-probe: a code is stored under one key a table, and a query asks for all keys that differ from its own in at most
/// f bits.
///
/// It takes fewer tables for the same recall, and more keys a query.
///
/// ```
/// use lookalike_engine::BucketIndex;
/// use lookalike_hamming::{Blocks, Codes, Probing};
///
/// // Four blocks and one flip find everything within 4 · 2 − 1 = 7 bits.
/// let source = Probing::new(&Blocks::new(64, 4)?, 4, 1, 0)?;
/// assert_eq!(source.promise(7.0).lower().value(), 1.0);
/// let mut codes = Codes::new(64)?;
/// codes.push(&[0x8001_8001_8001_8001])?;
/// let index = BucketIndex::build(source, &codes)?;
/// assert_eq!(index.query().near(&[0x0001_0001_0001_0007], &codes, 7.0)?[0].distance, 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Probing<F> {
    family: F,
    tables: Gather,
    flips: u32,
    description: String,
}

impl<F: Probed> Probing<F> {
    /// So many tables drawn from a family, asked with up to so many flips in each.
    pub fn new(family: &F, tables: u32, flips: u32, seed: u64) -> Result<Self, Error>
    where
        F: Clone,
    {
        if tables == 0 {
            return Err(Error::parameter("tables", 0, "1 or more"));
        }
        let drawn = family.draw(tables as usize, seed);
        let rows = drawn.key_bits();
        let keys = keys_within(rows, flips).saturating_mul(tables.into());
        if keys > KEY_LIMIT {
            let tables = tables as usize;
            return Err(Error::Flips {
                flips,
                tables,
                rows,
                keys,
            });
        }
        let description = format!(
            "{} · {tables} tables · {flips} flips · seed {seed}",
            family.describe()
        );
        Ok(Self {
            family: family.clone(),
            tables: drawn,
            flips,
            description,
        })
    }

    /// How likely a query meets a code at this distance.
    pub fn promise(&self, distance: f64) -> Bounds {
        self.family
            .met(self.tables.len() as u32, self.flips, distance)
    }
}

/// How many keys of so many bits differ from one in at most so many.
pub(crate) fn keys_within(rows: u32, flips: u32) -> u64 {
    let mut ways = 1u64;
    let mut keys = 1u64;
    for flip in 0..flips.min(rows) {
        ways = ways.saturating_mul(u64::from(rows - flip)) / u64::from(flip + 1);
        keys = keys.saturating_add(ways);
    }
    keys
}

impl<F: Probed + Sync> KeySource for Probing<F> {
    type Item = [u64];
    type Payload = ();
    type Scratch = Vec<u64>;

    fn bands(&self) -> usize {
        self.tables.len()
    }

    fn key_bits(&self) -> u32 {
        self.tables.key_bits()
    }

    fn describe(&self) -> String {
        self.description.clone()
    }

    fn keys(
        &self,
        code: &[u64],
        keys: &mut Vec<u64>,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        keys.resize(self.tables.len(), 0);
        self.tables.hash_into(code, &mut (), keys);
        (0..)
            .zip(keys)
            .for_each(|(band, &mut key)| emit(band, key, ()));
        Ok(())
    }

    fn has_probes(&self) -> bool {
        self.flips > 0
    }

    fn probes(
        &self,
        code: &[u64],
        keys: &mut Vec<u64>,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        keys.resize(self.tables.len(), 0);
        self.tables.hash_into(code, &mut (), keys);
        for (band, &mut key) in (0..).zip(keys) {
            emit(band, key, ());
            let width = self.tables.width(band as usize);
            flipped(key, width, self.flips, &mut |key| emit(band, key, ()));
        }
        Ok(())
    }
}

/// Every key that differs from this one in 1 to `flips` of its lowest `below` bits, once.
fn flipped(key: u64, below: u32, flips: u32, emit: &mut impl FnMut(u64)) {
    if flips == 0 {
        return;
    }
    for place in 0..below {
        let key = key ^ 1 << place;
        emit(key);
        flipped(key, place, flips - 1, emit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_keys_within_the_flips_are_asked_once() {
        for (width, flips) in [(1, 1), (5, 0), (5, 1), (5, 2), (6, 3), (4, 9)] {
            let key = 0b10110 & ((1 << width) - 1);
            let mut asked = vec![key];
            flipped(key, width, flips, &mut |key| asked.push(key));
            let near = |other: &u64| (other ^ key).count_ones() <= flips;
            let wanted: BTreeSet<u64> = (0..1 << width).filter(near).collect();
            assert_eq!(asked.len(), wanted.len());
            assert_eq!(asked.len() as u64, keys_within(width, flips));
            assert_eq!(asked.into_iter().collect::<BTreeSet<_>>(), wanted);
        }
    }

    #[test]
    fn too_many_keys_are_refused_when_the_source_is_made() {
        let family = BitSampling::new(64).unwrap().rows(40).unwrap();
        let error = Probing::new(&family, 30, 3, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 flips in 30 tables of 40 bits make 321030 keys a query, more than the limit of 65536: \
             take fewer flips, or narrower tables"
        );
        assert!(Probing::new(&family, 0, 0, 0).is_err());
    }
}
