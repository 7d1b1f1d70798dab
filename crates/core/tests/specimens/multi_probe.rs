//! A key source without a family: sampled bits that are also asked with one of them flipped.

use lookalike_core::{
    Bounds, Drawn, DrawnScratch, Error, KeySource, LshFamily, Probability, TooManyKeys,
};

use super::bit_sampling::{BitSampling, Places};

const BITS: usize = 64;
const ROWS: u32 = 16;
const BANDS: u32 = 4;

/// Four bands of 16 out of 64 bits; a query meets what differs in at most one bit of a band.
pub(crate) struct MultiProbe(Drawn<BitSampling>);

impl MultiProbe {
    pub(crate) fn draw(seed: u64) -> Result<Self, Error> {
        Self::without_flips(seed).map(Self)
    }

    /// The same keys, asked as they are stored.
    pub(crate) fn without_flips(seed: u64) -> Result<Drawn<BitSampling>, Error> {
        BitSampling::new(BITS).and(ROWS).or(BANDS).draw(seed)
    }

    /// (C(n−d, r) + d·C(n−d, r−1)) / C(n, r) in one band, and at least one of the bands.
    pub(crate) fn promise(distance: f64) -> Bounds {
        let n = BITS as f64;
        // C(n−d, count) / C(n, count)
        let ratio = |count: u32| -> f64 {
            let each = (0..count).map(f64::from);
            each.map(|i| (n - distance - i).max(0.0) / (n - i))
                .product()
        };
        let none = ratio(ROWS);
        // C(n, r−1) / C(n, r) = r / (n−r+1)
        let rows = f64::from(ROWS);
        let one = distance * rows / (n - rows + 1.0) * ratio(ROWS - 1);
        Bounds::exact(Probability::saturating(none + one).any(BANDS))
    }
}

impl KeySource for MultiProbe {
    type Item = [bool];
    type Payload = ();
    type Scratch = DrawnScratch<Places>;

    fn bands(&self) -> usize {
        self.0.bands()
    }

    fn key_bits(&self) -> u32 {
        self.0.key_bits()
    }

    fn describe(&self) -> String {
        format!("{}, one flip", self.0.describe())
    }

    fn keys(
        &self,
        item: &[bool],
        scratch: &mut Self::Scratch,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        self.0.keys(item, scratch, emit)
    }

    fn has_probes(&self) -> bool {
        true
    }

    fn probes(
        &self,
        item: &[bool],
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        self.0.keys(item, scratch, |band, key, ()| {
            emit(band, key, ());
            (0..ROWS).for_each(|bit| emit(band, key ^ 1 << bit, ()));
        })
    }
}
