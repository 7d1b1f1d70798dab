//! Random hyperplanes that are functions of element hashes.

use lookalike_core::{mix, random};

/// The most bits of a code.
const MOST_BITS: usize = 128;

/// The positive half of 256 levels of the normal distribution, in 1/1024: level i is the quantile of
/// (128 + i + ½) / 256. The sum of any number of levels is exact in an `f64`, so that the order of elements
/// does not matter.
const POSITIVE: [i16; 128] = [
    5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 116, 126, 136, 146, 156, 166, 176, 187, 197, 207,
    217, 227, 238, 248, 258, 269, 279, 290, 300, 311, 321, 332, 342, 353, 363, 374, 385, 396, 406,
    417, 428, 439, 450, 461, 472, 484, 495, 506, 518, 529, 540, 552, 564, 575, 587, 599, 611, 623,
    635, 647, 660, 672, 684, 697, 710, 722, 735, 748, 762, 775, 788, 802, 816, 829, 843, 858, 872,
    886, 901, 916, 931, 946, 962, 977, 993, 1009, 1026, 1043, 1060, 1077, 1094, 1112, 1131, 1149,
    1168, 1188, 1208, 1228, 1249, 1270, 1292, 1315, 1338, 1362, 1386, 1412, 1438, 1466, 1494, 1524,
    1555, 1587, 1622, 1658, 1696, 1737, 1781, 1828, 1880, 1937, 2000, 2073, 2157, 2260, 2391, 2581,
    2955,
];

/// What the levels are multiples of: a normal number of 1 is this.
const UNIT: f64 = 1024.0;

/// All levels: those of the first half are negative. None is 0.
const LEVELS: [f64; 256] = {
    let mut levels = [0.0; 256];
    let mut place = 0;
    while place < 128 {
        levels[128 + place] = POSITIVE[place] as f64;
        levels[127 - place] = -(POSITIVE[place] as f64);
        place += 1;
    }
    levels
};

/// The hyperplanes of a code: the component of an element in eight of them is drawn from one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Planes {
    seeds: Vec<u64>,
}

/// On which side of each hyperplane an item lies, as far as its elements are known.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    sums: [f64; MOST_BITS],
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            sums: [0.0; MOST_BITS],
        }
    }
}

impl Planes {
    /// One hyperplane per bit, drawn from a seed.
    pub(super) fn draw(bits: u32, seed: u64) -> Self {
        let mut rng = random::stream(seed, 0);
        Self {
            seeds: (0..bits / 8).map(|_| rng.next_u64()).collect(),
        }
    }

    /// How many there are.
    pub(super) fn bits(&self) -> usize {
        8 * self.seeds.len()
    }

    /// Adds elements with one coordinate to the sums.
    pub(super) fn add(&self, elements: &[u64], coordinate: f64, sums: &mut Sums) {
        // The number of words is a constant of the loop.
        match self.seeds.len() {
            8 => add::<8>(&self.seeds, elements, coordinate, sums),
            _ => add::<16>(&self.seeds, elements, coordinate, sums),
        }
    }
}

fn add<const WORDS: usize>(seeds: &[u64], elements: &[u64], coordinate: f64, sums: &mut Sums) {
    let seeds: &[u64; WORDS] = seeds.try_into().expect("a word for eight bits");
    let (sums, _) = sums.sums.as_chunks_mut::<8>();
    for &element in elements {
        for (seed, sums) in seeds.iter().zip(&mut *sums) {
            let bytes = mix(element ^ seed).to_le_bytes();
            for (sum, byte) in sums.iter_mut().zip(bytes) {
                *sum += LEVELS[usize::from(byte)] * coordinate;
            }
        }
    }
}

impl Sums {
    /// The products with the first hyperplanes, in units of a normal number.
    pub(super) fn products(&self, bits: usize) -> Vec<f64> {
        self.sums[..bits].iter().map(|sum| sum / UNIT).collect()
    }

    /// Bit i: whether the item is on the positive side of hyperplane i.
    pub(super) fn code(&self) -> u128 {
        let bit = |(place, &sum): (usize, &f64)| u128::from(sum > 0.0) << place;
        self.sums.iter().enumerate().map(bit).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The normal distribution by the series of its integral.
    fn below(x: f64) -> f64 {
        let (mut term, mut sum, mut n) = (x, x, 1.0);
        while term > 1e-17 {
            term *= x * x / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
    }

    #[test]
    fn levels_are_quantiles() {
        for (place, &level) in POSITIVE.iter().enumerate() {
            let quantile = (128.5 + place as f64) / 256.0;
            let [low, high] = [-0.5, 0.5].map(|off| below((f64::from(level) + off) / 1024.0));
            assert!((low..=high).contains(&quantile), "{place}: {level}");
        }
        assert!((0..256).all(|place| LEVELS[place] == -LEVELS[255 - place]));
    }

    /// Components are independent of each other, and half of them are positive.
    #[test]
    fn components_are_fair() {
        const ELEMENTS: u64 = 4000;
        let planes = Planes::draw(128, 3);
        let code = |element: u64| {
            let mut sums = Sums::default();
            planes.add(&[element], 1.0, &mut sums);
            sums.code()
        };
        let codes: Vec<u128> = (0..ELEMENTS).map(code).collect();
        let error = 0.5 / (ELEMENTS as f64).sqrt();
        for place in 0..128 {
            let share = |shifted: u32| {
                let agree =
                    |code: &&u128| (*code >> place ^ code.rotate_right(place + shifted)) & 1 == 0;
                codes.iter().filter(agree).count() as f64 / ELEMENTS as f64
            };
            let ones = codes.iter().filter(|code| *code >> place & 1 == 1).count();
            let ones = ones as f64 / ELEMENTS as f64;
            assert!((ones - 0.5).abs() < 5.0 * error, "{place}: {ones}");
            for shifted in [1, 2, 8, 64] {
                let share = share(shifted);
                assert!(
                    (share - 0.5).abs() < 5.0 * error,
                    "{place}, {shifted}: {share}"
                );
            }
        }
    }
}
