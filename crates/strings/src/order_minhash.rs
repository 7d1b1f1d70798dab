use lookalike_core::{Banding, Error, KeySource, TooManyKeys, mix, random};

use crate::{Units, hashes::Hashes, refused};

/// Order minhash: the q-grams with the smallest hashes of a band, in the order in which they stand in the string.
///
/// A band has as many q-grams as it has rows. Equal q-grams count as often as they occur, so that the sketch sees both
/// how often they do and in which order (Marçais, DeBlasio, Pandey and Kingsford, *Locality-sensitive hashing for the
/// edit distance*, 2019). The paper proves that the family is sensitive to edit distance relative to a length; its bound
/// for a number of edits is far below what is observed, and a planner measures it.
///
/// Of a string the first 65 536 letters count.
#[derive(Clone, Debug)]
pub struct OrderMinhash {
    units: Units,
    gram: usize,
    banding: Banding,
    seeds: Vec<u64>,
    seed: u64,
}

/// Letters of a string that count, at most.
const MOST_LETTERS: usize = 1 << 16;

impl OrderMinhash {
    /// Draws orders of all q-grams of `gram` letters.
    ///
    /// # Errors
    /// If `gram` is not from 1 to 64.
    pub fn new(units: Units, gram: u32, banding: Banding, seed: u64) -> Result<Self, Error> {
        if !(1..=64).contains(&gram) {
            return Err(refused("gram", gram, "from 1 to 64"));
        }
        let bands = u64::from(banding.bands());
        Ok(Self {
            units,
            gram: gram as usize,
            banding,
            seeds: (0..bands).map(|band| random::derive(seed, band)).collect(),
            seed,
        })
    }
}

impl OrderMinhash {
    /// The q-grams of each band: those with the smallest hashes, in the order in which they stand. Strings share the key
    /// of a band if and only if these are the same.
    ///
    /// ```
    /// use lookalike_core::Banding;
    /// use lookalike_strings::{OrderMinhash, Units};
    ///
    /// let pairs = OrderMinhash::new(Units::Characters, 2, Banding::new(1, 3)?, 0)?;
    /// // Of four letters there are three pairs.
    /// assert_eq!(pairs.grams("rose"), [["ro", "os", "se"]]);
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    #[must_use]
    pub fn grams(&self, string: &str) -> Vec<Vec<String>> {
        let mut scratch = OrderScratch::default();
        scratch.read(self.units, string, self.gram);
        let gram = self.gram.min(scratch.hashes.letters().len());
        let of_band = |&seed: &u64| {
            scratch.choose(seed, self.banding.rows() as usize);
            let places = scratch.least.iter().map(|&(_, place)| place as usize);
            let text = |place| scratch.hashes.text(place, place + gram);
            places.map(text).collect()
        };
        self.seeds.iter().map(of_band).collect()
    }
}

impl KeySource for OrderMinhash {
    type Item = str;
    type Payload = ();
    type Scratch = OrderScratch;

    fn bands(&self) -> usize {
        self.banding.bands() as usize
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        let Self {
            units,
            gram,
            banding,
            seed,
            ..
        } = self;
        format!("OrderMinhash {{ {units:?}, gram {gram}, {banding}, seed {seed} }}")
    }

    fn keys(
        &self,
        string: &str,
        scratch: &mut OrderScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        scratch.read(self.units, string, self.gram);
        for (band, &seed) in (0..).zip(&self.seeds) {
            emit(band, scratch.key(seed, self.banding.rows() as usize), ());
        }
        Ok(())
    }
}

/// Memory that [`OrderMinhash`] uses again from string to string.
#[derive(Clone, Debug, Default)]
pub struct OrderScratch {
    hashes: Hashes,
    grams: Vec<u64>,
    /// q-grams and places, to count those that are equal.
    sorted: Vec<(u64, u32)>,
    /// A word for each q-gram and for how often it stood before.
    counted: Vec<u64>,
    /// The smallest hashes of a band, each with its place.
    least: Vec<(u64, u32)>,
}

impl OrderScratch {
    fn read(&mut self, units: Units, string: &str, gram: usize) {
        let Self {
            hashes,
            grams,
            sorted,
            counted,
            ..
        } = self;
        hashes.read(units, string, MOST_LETTERS);
        // A string that is shorter is one q-gram.
        let length = hashes.letters().len();
        let gram = gram.min(length);
        grams.clear();
        grams.extend((0..=length - gram).map(|start| hashes.piece(start, start + gram)));
        sorted.clear();
        sorted.extend(grams.iter().copied().zip(0..));
        sorted.sort_unstable();
        counted.clear();
        counted.resize(grams.len(), 0);
        for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
            for (before, &(gram, place)) in (0..).zip(equal) {
                counted[place as usize] = mix(gram ^ mix(before));
            }
        }
    }

    fn key(&mut self, seed: u64, rows: usize) -> u64 {
        self.choose(seed, rows);
        let Self { grams, least, .. } = self;
        let grams = least.iter().map(|&(_, place)| grams[place as usize]);
        grams.fold(seed, |key, gram| mix(key ^ gram).wrapping_add(gram))
    }

    /// Finds the q-grams with the smallest hashes of a band, in the order in which they stand.
    fn choose(&mut self, seed: u64, rows: usize) {
        let Self { counted, least, .. } = self;
        least.clear();
        for (place, &word) in (0..).zip(&*counted) {
            let hash = (word ^ seed).wrapping_mul(0xd6e8_feb8_6659_fd93);
            let hash = hash ^ (hash >> 32);
            if least.len() == rows && hash >= least[rows - 1].0 {
                continue;
            }
            least.truncate(rows - 1);
            let before = least.partition_point(|&(other, _)| other <= hash);
            least.insert(before, (hash, place));
        }
        least.sort_unstable_by_key(|&(_, place)| place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(gram: u32, bands: u32, rows: u32, string: &str) -> Vec<u64> {
        let banding = Banding::new(bands, rows).unwrap();
        let source = OrderMinhash::new(Units::Characters, gram, banding, 7).unwrap();
        let mut keys = Vec::new();
        let emit = |_, key, ()| keys.push(key);
        source
            .keys(string, &mut OrderScratch::default(), emit)
            .unwrap();
        keys
    }

    #[test]
    fn order_and_number_of_grams_count() {
        let common = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|it| keys(2, 400, 3, it));
            a.iter().zip(&b).filter(|(a, b)| a == b).count()
        };
        let title = "library for reading and writing of tables";
        assert_eq!(common(title, title), 400);
        let near = common(title, "library for reading and writing if tables");
        assert!((150..400).contains(&near), "{near}");
        // The same q-grams in another order.
        assert!(common("abcdefgh.12345678", "12345678.abcdefgh") < 100);
        // The same q-grams, more often.
        assert!(common("ababab", "ababababababababab") < 100);
    }

    /// Keys are equal where q-grams are, and nowhere else.
    #[test]
    fn grams_show_what_keys_are_made_of() {
        let strings = ["rose", "roses", "prose", "ab", "", "abab", "né rose"];
        let source = OrderMinhash::new(Units::Characters, 2, Banding::new(40, 2).unwrap(), 7);
        let source = source.unwrap();
        let mut shared = 0;
        for (a, b) in strings.iter().flat_map(|a| strings.map(|b| (*a, b))) {
            let [first, second] = [a, b].map(|string| keys(2, 40, 2, string));
            let [grams, others] = [a, b].map(|string| source.grams(string));
            for band in 0..40 {
                let is_shared = grams[band] == others[band];
                assert_eq!(first[band] == second[band], is_shared, "{a} {b} {band}");
                shared += usize::from(is_shared && a != b);
            }
        }
        assert!(shared > 20, "{shared}");
    }

    #[test]
    fn short_strings_have_keys() {
        for string in ["", "a", "ab"] {
            assert_eq!(keys(3, 2, 4, string).len(), 2);
        }
        assert_ne!(keys(3, 2, 4, ""), keys(3, 2, 4, "a"));
        let long = "x".repeat(100_000);
        assert_eq!(keys(3, 2, 4, &long), keys(3, 2, 4, &long[1..]));
        assert!(OrderMinhash::new(Units::Bytes, 0, Banding::new(1, 1).unwrap(), 0).is_err());
    }

    #[test]
    fn value_stability() {
        assert_eq!(
            keys(2, 2, 3, "né rose"),
            [4824621229045745864, 12538866834570236393]
        );
    }
}
