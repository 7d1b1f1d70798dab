use lookalike_core::{KeySource, Scheme, TooManyKeys, plugin, random};

use crate::{Digest, Error};

/// Bits of the number of a cell: lengths are below 256, and shifts below 8.
const CELL_BITS: u32 = 6;

/// Keys that are sampled bits of a digest: for some of its buckets, whether they are above the median; and the cell in
/// which its length lies.
///
/// Of the two bits of a quartile this one says the most about unrelated files, for which it agrees half of the time,
/// and differs the least among similar ones: most changes move a bucket by one quartile, and only one move in three
/// crosses the median.
///
/// Lengths lie in cells of [`CELL`](Self::CELL) steps, shifted at random in each band. Files within a distance of 30 are at
/// most two steps apart, so that a band parts few of them, and most others.
///
/// Nothing is promised. Digests at distance d differ in at most d of these bits, but similar files differ in about a third
/// of that; how many depends on the files, so that bands and rows are [calibrated](crate::Calibration) on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MedianBits;

impl MedianBits {
    /// The most bits of a band: what a key holds.
    pub const MOST_ROWS: u32 = 64 - CELL_BITS;
    /// Steps of length in a cell. The probability that a band parts two files that are d steps apart is d/8.
    pub const CELL: u32 = 8;

    /// Tables of a number of distinct buckets each, drawn from a seed.
    ///
    /// # Errors
    /// If there are no tables, or not from 1 to 58 rows.
    pub fn tables(self, bands: u32, rows: u32, seed: u64) -> Result<MedianBitTables, Error> {
        if bands == 0 {
            return Err(Error::parameter("bands", bands, "1 or more"));
        }
        if !(1..=Self::MOST_ROWS).contains(&rows) {
            let expected = format!("from 1 to {}", Self::MOST_ROWS);
            return Err(Error::parameter("rows", rows, expected));
        }
        let table = |band| {
            let mut rng = random::stream(seed, u64::from(band));
            Table {
                buckets: random::distinct(Digest::BUCKETS, rows, &mut rng),
                shift: random::below(Self::CELL, &mut rng),
            }
        };
        Ok(MedianBitTables {
            tables: (0..bands).map(table).collect(),
            rows,
            description: format!("{self:?} · {bands} bands × {rows} rows · seed {seed}"),
        })
    }
}

impl plugin::KeyFamily for MedianBits {
    type Item = Digest;
    type Source = MedianBitTables;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<MedianBitTables, plugin::Error> {
        let banding = scheme.banding().ok_or_else(|| {
            plugin::Error::new(format!("digests take bands and rows, not {scheme}"))
        })?;
        Ok(self.tables(banding.bands(), banding.rows(), seed)?)
    }
}

/// Tables drawn from [`MedianBits`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MedianBitTables {
    tables: Vec<Table>,
    rows: u32,
    description: String,
}

/// What one band looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table {
    buckets: Vec<u32>,
    /// Steps by which cells of lengths are shifted.
    shift: u32,
}

impl Table {
    fn cell(&self, digest: &Digest) -> u32 {
        (u32::from(digest.header.length) + self.shift) / MedianBits::CELL
    }

    fn key(&self, digest: &Digest) -> u64 {
        let cell = u64::from(self.cell(digest));
        self.buckets.iter().fold(cell, |key, &bucket| {
            key << 1 | digest.high[bucket as usize / 64] >> (bucket % 64) & 1
        })
    }
}

impl MedianBitTables {
    /// The buckets of a digest at which a band looks: its key has for each of them whether it is above the median.
    ///
    /// # Panics
    /// If there are not so many bands.
    #[must_use]
    pub fn buckets(&self, band: usize) -> &[u32] {
        &self.tables[band].buckets
    }

    /// The cell in which the length of a digest lies, in a band.
    ///
    /// # Panics
    /// If there are not so many bands.
    #[must_use]
    pub fn cell(&self, band: usize, digest: &Digest) -> u32 {
        self.tables[band].cell(digest)
    }
}

impl KeySource for MedianBitTables {
    type Item = Digest;
    type Payload = ();
    type Scratch = ();

    fn bands(&self) -> usize {
        self.tables.len()
    }

    fn key_bits(&self) -> u32 {
        self.rows + CELL_BITS
    }

    fn describe(&self) -> String {
        self.description.clone()
    }

    fn keys(
        &self,
        digest: &Digest,
        (): &mut (),
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        for (band, table) in (0..).zip(&self.tables) {
            emit(band, table.key(digest), ());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        distance::across_the_median,
        generate::{neighbour, random_digest},
    };
    use lookalike_core::{plugin::KeyFamily, sampled::within_flips};

    fn keys(source: &MedianBitTables, digest: &Digest) -> Vec<u64> {
        let mut keys = Vec::new();
        source
            .keys(digest, &mut (), |_, key, ()| keys.push(key))
            .unwrap();
        keys
    }

    #[test]
    fn value_stability() {
        let source = MedianBits.tables(3, 16, 7).unwrap();
        assert_eq!(
            keys(&source, &random_digest(1)),
            [1508491, 1564772, 1547051]
        );
    }

    /// A key is a cell and, for each bucket, whether it is above the median.
    #[test]
    fn cells_and_buckets_explain_keys() {
        let (source, digest) = (MedianBits.tables(9, 5, 2).unwrap(), random_digest(4));
        let explained = (0..9).map(|band| {
            let bits = source.buckets(band).iter();
            bits.fold(u64::from(source.cell(band, &digest)), |key, &bucket| {
                2 * key + u64::from(digest.quartile(bucket) >= 2)
            })
        });
        assert_eq!(explained.collect::<Vec<_>>(), keys(&source, &digest));
    }

    /// How often a table meets is hypergeometric in the number of bits that differ.
    #[test]
    fn tables_meet_by_the_bits_that_differ() {
        const TABLES: u32 = 4000;
        let source = MedianBits.tables(TABLES, 12, 3).unwrap();
        for changes in [5, 20, 60] {
            let a = random_digest(changes.into());
            let b = neighbour(&a, changes, 1);
            let [a_keys, b_keys] = [&a, &b].map(|digest| keys(&source, digest));
            let met = a_keys.iter().zip(&b_keys).filter(|(a, b)| a == b).count();
            let wanted = within_flips(128, across_the_median(&a, &b), 12, 0);
            let error = (wanted * (1.0 - wanted) / f64::from(TABLES)).sqrt();
            let share = met as f64 / f64::from(TABLES);
            assert!(
                (share - wanted).abs() < 4.0 * error,
                "{changes}: {share} {wanted}"
            );
        }
    }

    /// A band parts files by their lengths as often as their steps say.
    #[test]
    fn lengths_lie_in_shifted_cells() {
        const TABLES: u32 = 4000;
        let source = MedianBits.tables(TABLES, 1, 5).unwrap();
        for (length, apart) in [(0, 1), (17, 2), (100, 5), (247, 8)] {
            let mut a = random_digest(1);
            a.header.length = length;
            let mut b = a;
            b.header.length += apart;
            let [a, b] = [&a, &b].map(|digest| keys(&source, digest));
            let met = a.iter().zip(&b).filter(|(a, b)| a == b).count();
            let wanted = 1.0 - f64::from(apart) / f64::from(MedianBits::CELL);
            let error = (wanted * (1.0 - wanted) / f64::from(TABLES)).sqrt();
            let share = met as f64 / f64::from(TABLES);
            assert!(
                (share - wanted).abs() <= 4.0 * error,
                "{length} {apart}: {share}"
            );
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        assert!(MedianBits.tables(0, 8, 1).is_err());
        assert!(MedianBits.tables(4, 59, 1).is_err() && MedianBits.tables(4, 0, 1).is_err());
        let cascade: Scheme = "or:2,and:3".parse().unwrap();
        let refused = MedianBits.source(&cascade, 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "digests take bands and rows, not or:2,and:3"
        );
    }
}
