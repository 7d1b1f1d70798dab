use std::ops::RangeInclusive;

use lookalike_core::{Banding, KeySource, TooManyKeys, mix, random};

use crate::Units;

/// Sampled places of CGK embeddings: a random walk through a string, of which each band looks at `rows` steps.
///
/// At each step the walk notes the letter that it stands at, and goes on to the next or stays, as a random function of
/// the step and the letter says. Walks through two strings that came apart at an edit come together again by chance,
/// and then stay together; so few of their steps differ (Chakraborty, Goldenberg and Koucký, *Streaming algorithms for
/// embedding and computing edit distance*, 2016). The paper shows that k edits change O(k²) steps with a constant
/// probability; for the number of equal keys nothing useful is proved, and a planner measures it.
///
/// Every other walk starts at the end of the string. Of three bands one looks at a walk from the start, one at a walk
/// from the end, and one at both; each looks at half of the string or more of it. Edits often come together, and a band
/// that does not look there does not see them: on real titles within 8 edits 8 bands then find as much as 40 walks over
/// the whole string.
///
/// Strings of similar lengths form a class, whose walks have as many steps: two per letter of its shortest string. A
/// string has a key in each class of lengths within half the `reach` of its own, so that strings up to `reach` letters
/// apart have a class in common. Of a string the first 2048 letters count.
#[derive(Clone, Debug)]
pub struct Cgk {
    units: Units,
    reach: u32,
    banding: Banding,
    seed: u64,
    /// For each group of walks and each step one word per walk: bit g says whether the walk leaves a letter of group g.
    leaves: Vec<Vec<[u64; LANES]>>,
    /// For each band and row, where the row looks.
    looks: Vec<Look>,
}

/// A step of a walk.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Which walk of its group.
    lane: usize,
    /// A fraction of the walk.
    step: f32,
}

impl Look {
    /// The step of a walk of this many steps. The fraction may have been rounded to 1.
    fn place(self, steps: usize) -> usize {
        ((self.step * steps as f32) as usize).min(steps - 1)
    }
}

/// Walks that are taken together, so that the processor need not wait for one of them. Every other one starts at the end.
const LANES: usize = 8;
/// Bands for each two walks.
const KINDS: usize = 3;
/// Bands that look at the walks of one group.
const BANDS_OF_GROUP: usize = LANES / 2 * KINDS;
/// Steps of a walk, at most.
const MOST_STEPS: usize = 4096;
/// Letters of a string that count, at most.
const MOST_LETTERS: usize = MOST_STEPS / 2;
/// Groups of letters. The last bit of a word is for the end of a string, which no walk leaves.
const GROUPS: u64 = 63;
/// The fraction of the golden ratio.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// What a walk notes beyond the end of a string.
const END: u32 = u32::MAX;

impl Cgk {
    /// Draws walks and steps.
    #[must_use]
    pub fn new(units: Units, reach: u32, banding: Banding, seed: u64) -> Self {
        let (bands, rows) = (banding.bands() as usize, banding.rows() as usize);
        let walks = |group: usize| {
            let mut rngs: [_; LANES] =
                std::array::from_fn(|lane| random::stream(seed, (group * LANES + lane) as u64));
            let mut step = || std::array::from_fn(|lane| rngs[lane].next_u64() & !(1 << GROUPS));
            (0..MOST_STEPS).map(|_| step()).collect()
        };
        let mut rng = random::stream(seed, u64::MAX);
        let first = rng.unit();
        let mut look = |place: usize| {
            let (band, row) = (place / rows, place % rows);
            let (pair, kind) = (band / KINDS, band % KINDS);
            // Multiples of the golden ratio spread the spans of any number of bands evenly.
            let turn = |shift: f64| (first + shift + GOLDEN * pair as f64).fract();
            let place = |span: f64, unit: f64| (span, span * (row as f64 + unit) / rows as f64);
            let (is_back, step) = match kind {
                0 => (false, place(0.5 + 0.5 * turn(0.0), rng.unit()).1),
                1 => (true, place(0.5 + 0.5 * turn(0.5), rng.unit()).1),
                _ => match place(0.5 + 0.4 * turn(0.0), rng.unit()) {
                    (span, step) if step < span / 2.0 => (false, step),
                    (span, step) => (true, span - step),
                },
            };
            Look {
                lane: 2 * (pair % (LANES / 2)) + usize::from(is_back),
                step: step as f32,
            }
        };
        Self {
            units,
            reach,
            banding,
            seed,
            leaves: (0..bands.div_ceil(BANDS_OF_GROUP)).map(walks).collect(),
            looks: (0..bands * rows).map(&mut look).collect(),
        }
    }

    /// What each band sees of a string, in each of its classes: strings share a key if and only if they share a band and
    /// a class, and their walks have the same letters where the band looks.
    ///
    /// ```
    /// use lookalike_core::Banding;
    /// use lookalike_strings::{Cgk, Units};
    ///
    /// let cgk = Cgk::new(Units::Characters, 1, Banding::new(2, 3)?, 0);
    /// let walk = &cgk.walks("roses")[0];
    /// assert_eq!((walk.letters.len(), walk.looks.len()), (8, 3));
    /// assert_eq!(walk.letters[0], Some('r'));
    /// // Every other walk starts at the end.
    /// assert!(cgk.walks("roses").iter().any(|walk| walk.band == 1 && walk.letters[0] == Some('s')));
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    #[must_use]
    pub fn walks(&self, string: &str) -> Vec<Walk> {
        let mut scratch = CgkScratch::default();
        let length = scratch.read(self.units, string);
        let classes = self.classes(length);
        let rows = self.banding.rows() as usize;
        let mut walks = Vec::new();
        for band in 0..self.bands() {
            let leaves = &self.leaves[band / BANDS_OF_GROUP];
            let looks = &self.looks[band * rows..][..rows];
            let mut lanes: Vec<usize> = looks.iter().map(|look| look.lane).collect();
            lanes.sort_unstable();
            lanes.dedup();
            for class in classes.clone() {
                let steps = steps(class);
                scratch.walk(&leaves[..steps]);
                let mut letters = Vec::with_capacity(lanes.len() * steps);
                for &lane in &lanes {
                    letters.extend(scratch.path.iter().map(|at| {
                        let letter = scratch.letters[at[lane] as usize];
                        Some(letter)
                            .filter(|&it| it != END)
                            .and_then(char::from_u32)
                    }));
                }
                let place = |look: &Look| {
                    let before = lanes.partition_point(|&lane| lane < look.lane);
                    before * steps + look.place(steps)
                };
                walks.push(Walk {
                    band: band as u32,
                    lengths: lengths(class),
                    letters,
                    looks: looks.iter().map(place).collect(),
                });
            }
        }
        walks
    }

    /// The classes of a string of a length.
    fn classes(&self, length: usize) -> RangeInclusive<u32> {
        let half = self.reach.div_ceil(2) as usize;
        let shortest = length.saturating_sub(half).min(MOST_LETTERS);
        let longest = length.saturating_add(half).min(MOST_LETTERS);
        class(shortest)..=class(longest)
    }
}

/// The shortest length of each class: from 4 letters, half as long again as the one before.
const SHORTEST: [usize; 17] = {
    let mut lengths = [0; 17];
    lengths[1] = 4;
    let mut class = 2;
    while class < lengths.len() {
        lengths[class] = lengths[class - 1] * 3 / 2;
        class += 1;
    }
    lengths
};

/// The class of a length.
fn class(length: usize) -> u32 {
    SHORTEST.partition_point(|&shortest| shortest <= length) as u32 - 1
}

/// The lengths of a class. The last has all that are longer.
fn lengths(class: u32) -> RangeInclusive<usize> {
    let next = SHORTEST.get(class as usize + 1);
    SHORTEST[class as usize]..=next.map_or(usize::MAX, |next| next - 1)
}

/// Steps of a walk in a class.
fn steps(class: u32) -> usize {
    (2 * SHORTEST[class as usize]).clamp(4, MOST_STEPS)
}

/// A walk through a string, as a band of [`Cgk`] sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The band.
    pub band: u32,
    /// The class: the lengths of the strings that have walks of as many steps.
    pub lengths: RangeInclusive<usize>,
    /// The letter at each step; `None` beyond the end of the string. If the band looks at two walks, the one from the end of the
    /// string comes after the one from the start.
    pub letters: Vec<Option<char>>,
    /// The steps at which the band looks, one per row.
    pub looks: Vec<usize>,
}

impl KeySource for Cgk {
    type Item = str;
    type Payload = ();
    type Scratch = CgkScratch;

    fn bands(&self) -> usize {
        self.banding.bands() as usize
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        let Self {
            units,
            reach,
            banding,
            seed,
            ..
        } = self;
        format!("Cgk {{ {units:?}, reach {reach}, {banding}, seed {seed} }}")
    }

    fn keys(
        &self,
        string: &str,
        scratch: &mut CgkScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let length = scratch.read(self.units, string);
        let classes = self.classes(length);
        let longest = steps(*classes.end());
        let rows = self.banding.rows() as usize;
        for (group, leaves) in self.leaves.iter().enumerate() {
            scratch.walk(&leaves[..longest]);
            let first = group * BANDS_OF_GROUP;
            for band in first..(first + BANDS_OF_GROUP).min(self.bands()) {
                let looks = &self.looks[band * rows..][..rows];
                for class in classes.clone() {
                    emit(band as u32, scratch.key(class, looks), ());
                }
            }
        }
        Ok(())
    }
}

/// Memory that [`Cgk`] uses again from string to string.
#[derive(Clone, Debug, Default)]
pub struct CgkScratch {
    letters: Vec<u32>,
    groups: Vec<u8>,
    /// Where each of the walks stands at each step.
    path: Vec<[u32; LANES]>,
}

impl CgkScratch {
    /// The letters of a string and its end, forwards and backwards; the number of letters that count.
    fn read(&mut self, units: Units, string: &str) -> usize {
        let Self {
            letters, groups, ..
        } = self;
        letters.clear();
        units.for_each(string, MOST_LETTERS, |letter| letters.push(letter));
        let length = letters.len();
        groups.clear();
        groups.extend(
            letters
                .iter()
                .map(|&letter| (mix(u64::from(letter) + 1) % GROUPS) as u8),
        );
        letters.push(END);
        groups.push(GROUPS as u8);
        for place in (0..length).rev() {
            letters.push(letters[place]);
            groups.push(groups[place]);
        }
        letters.push(END);
        groups.push(GROUPS as u8);
        length
    }

    fn walk(&mut self, leaves: &[[u64; LANES]]) {
        self.path.resize(leaves.len(), [0; LANES]);
        let back = self.letters.len() as u32 / 2;
        let groups = &self.groups[..];
        // Four walks at a time: as many as the processor has registers for.
        for first in (0..LANES).step_by(4) {
            let mut at: [u32; 4] = std::array::from_fn(|lane| lane as u32 % 2 * back);
            for (path, leaves) in self.path.iter_mut().zip(leaves) {
                path[first..first + 4].copy_from_slice(&at);
                for (at, leaves) in at.iter_mut().zip(&leaves[first..first + 4]) {
                    let group = groups[*at as usize];
                    *at += (leaves >> group) as u32 & 1;
                }
            }
        }
    }

    /// The letters at the steps that a band looks at, one in each of equal shares of the walk, as a key.
    fn key(&self, class: u32, looks: &[Look]) -> u64 {
        let steps = steps(class);
        let mut key = mix(u64::from(class) + 1);
        for look in looks {
            let letter = self.letters[self.path[look.place(steps)][look.lane] as usize];
            key = (key ^ u64::from(letter)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            key ^= key >> 32;
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(cgk: &Cgk, string: &str) -> Vec<(u32, u64)> {
        let mut keys = Vec::new();
        let emit = |band, key, ()| keys.push((band, key));
        cgk.keys(string, &mut CgkScratch::default(), emit).unwrap();
        keys
    }

    fn cgk(reach: u32, bands: u32, rows: u32, seed: u64) -> Cgk {
        Cgk::new(
            Units::Characters,
            reach,
            Banding::new(bands, rows).unwrap(),
            seed,
        )
    }

    #[test]
    fn lengths_within_reach_have_a_class_in_common() {
        assert_eq!([0, 3, 4, 5, 6, 8, 9].map(class), [0, 0, 1, 1, 2, 2, 3]);
        for reach in 0..20 {
            let cgk = cgk(reach, 1, 1, 0);
            for length in 0..300 {
                for other in length..=length + reach as usize {
                    let (a, b) = (cgk.classes(length), cgk.classes(other));
                    assert!(a.end() >= b.start(), "{length} and {other}, {reach} edits");
                }
            }
        }
    }

    /// Keys are equal where walks are, and nowhere else.
    #[test]
    fn walks_show_what_keys_are_made_of() {
        let cgk = cgk(2, 11, 2, 3);
        let strings = ["rose", "roses", "nose", "prose", "", "violets", "né"];
        let seen = |string: &str| {
            let walks = cgk.walks(string).into_iter().map(|walk| {
                let letters: Vec<_> = walk.looks.iter().map(|&step| walk.letters[step]).collect();
                (walk.band, walk.lengths, letters)
            });
            walks.collect::<Vec<_>>()
        };
        let mut shared = 0;
        for a in strings {
            for b in strings {
                let (keys, others) = (keys(&cgk, a), keys(&cgk, b));
                let (walks, theirs) = (seen(a), seen(b));
                assert_eq!(keys.len(), walks.len());
                for (key, walk) in keys.iter().zip(&walks) {
                    let is_shared = theirs.contains(walk);
                    assert_eq!(others.contains(key), is_shared, "{a} {b}: {walk:?}");
                    shared += usize::from(is_shared && a != b);
                }
            }
        }
        assert!(shared > 10, "{shared}");
    }

    #[test]
    fn more_steps_agree_the_nearer_strings_are() {
        let title = "library for reading and writing of tables with many columns";
        let cgk = cgk(4, 200, 4, 1);
        let own = keys(&cgk, title);
        let common = |other: &str| {
            let other = keys(&cgk, other);
            own.iter().filter(|key| other.contains(key)).count() as f64 / own.len() as f64
        };
        let near = common("library for reading and writing if tables with many columns");
        let less = common("a library for writing and reading of table with many columns");
        let far = common("collection of icons for the desktop, and of sounds, in colour");
        assert_eq!(common(title), 1.0);
        assert!(
            near > 0.5 && less < near && far < 0.05,
            "{near} {less} {far}"
        );
    }

    #[test]
    fn long_and_empty_strings_have_keys() {
        let cgk = cgk(2, 9, 3, 1);
        assert_eq!(keys(&cgk, "").len(), 9);
        let long = "x".repeat(100_000);
        assert_eq!(keys(&cgk, &long).len(), 9);
        assert_eq!(keys(&cgk, &long), keys(&cgk, &long[1..]));
    }

    #[test]
    fn value_stability() {
        assert_eq!(
            keys(&cgk(0, 2, 3, 7), "né rose"),
            [(0, 1678398546623563862), (1, 9557376631187360138)]
        );
    }
}
