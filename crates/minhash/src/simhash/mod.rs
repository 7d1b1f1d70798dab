//! SimHash: codes whose bits are sides of random hyperplanes.

mod bits;
mod coordinates;
mod planes;

pub use bits::CodeBits;
pub use coordinates::{Coordinates, SetCoordinates, WeightCoordinates};

use lookalike_core::{
    Bounds, LshFamily, LshFunctions, Probability, Scheme, random, sampled::within_flips,
};

use planes::{Planes, Sums};

/// SimHash: a code of 64 or 128 bits per item, and functions that are sampled bits of it.
///
/// An item is a vector with one coordinate per element. A bit of its code says on which side of a random hyperplane it
/// lies. The components of an element are normal numbers, a function of its hash: so the sums of two items are jointly
/// normal, however few elements they have, and a bit agrees with probability 1 − θ/180°, where θ is the angle between the
/// items (Charikar 2002). Components of ±1, as in most programs, have that probability for large sets alone. The cosine of
/// two sets lies between 2J/(1+J) and √J, which makes it a promise under Jaccard similarity.
///
/// All functions look at one code, so they are not independent of each other. The number D of bits that differ is
/// binomial; given D, r distinct bits agree with probability h(D) = C(n−D, r)/C(n, r), and b such functions are
/// independent. The promise of a scheme is the mean of its probability at h(D) over D.
///
/// ```
/// use lookalike_core::LshFamily;
/// use lookalike_minhash::{CodeBits, SetCoordinates, Shingler, SimHash};
///
/// let family = SimHash::new(SetCoordinates::new(Shingler::default()), CodeBits::B64);
/// let coder = family.coder(7);
/// let [a, b] = ["the quick brown fox jumps over the lazy dog", "The quick brown fox jumps over the lazy dog!"]
///     .map(|text| coder.code(text, &mut Default::default()));
/// assert_eq!(a, b);
/// // At J = 0.8 a bit differs with probability 0.148 to 0.151.
/// let promise = family.collision(0.2);
/// assert!((promise.lower().value() - 0.849).abs() < 0.001);
/// assert!((promise.upper().value() - 0.852).abs() < 0.001);
/// ```
///
/// Components are normal numbers in 256 levels, which moves a probability by less than 0.001.
#[derive(Clone, Debug)]
pub struct SimHash<C> {
    coordinates: C,
    bits: CodeBits,
    rows: u32,
}

impl<C: Coordinates> SimHash<C> {
    /// One bit per function, of codes of items with these coordinates.
    #[must_use]
    pub fn new(coordinates: C, bits: CodeBits) -> Self {
        Self {
            coordinates,
            bits,
            rows: 1,
        }
    }

    /// What gives items their codes, drawn from a seed: the codes whose bits the functions of that seed sample.
    #[must_use]
    pub fn coder(&self, seed: u64) -> SimHashCoder<C> {
        SimHashCoder {
            coordinates: self.coordinates.clone(),
            planes: Planes::draw(self.bits.count(), seed),
        }
    }

    /// The mean of a scheme's probability over the number of bits that differ, if one bit differs with this probability.
    fn mean(&self, scheme: &Scheme, differs: f64) -> Probability {
        let n = self.bits.count();
        let agree = |differ| Probability::saturating(within_flips(n, differ, self.rows, 0));
        let shares = binomial(n, differs);
        let mean = (0..).zip(shares).map(|(differ, share)| {
            // What hardly ever happens need not be computed.
            match share > 1e-15 {
                true => share * scheme.probability(agree(differ)).value(),
                false => 0.0,
            }
        });
        Probability::saturating(mean.sum())
    }
}

/// The probabilities of 0, 1 … n successes in n trials.
fn binomial(n: u32, p: f64) -> Vec<f64> {
    if p <= 0.0 {
        let mut none = vec![0.0; n as usize + 1];
        none[0] = 1.0;
        return none;
    }
    let mut share = (1.0 - p).powi(n as i32);
    let odds = p / (1.0 - p);
    (0..=n)
        .map(|k| {
            let now = share;
            share *= odds * f64::from(n - k) / f64::from(k + 1);
            now
        })
        .collect()
}

impl<C: Coordinates> LshFamily for SimHash<C> {
    type Item = C::Item;
    type Functions = SimHashFunctions<C>;

    fn collision(&self, distance: f64) -> Bounds {
        self.joint(&Scheme::default(), distance)
    }

    fn draw(&self, k: usize, seed: u64) -> SimHashFunctions<C> {
        let places = |number| {
            let mut rng = random::stream(seed, 1 + number as u64);
            random::distinct(self.bits.count(), self.rows, &mut rng)
        };
        SimHashFunctions {
            coder: self.coder(seed),
            rows: self.rows,
            places: (0..k).map(places).collect(),
        }
    }

    fn fused(&self, rows: u32) -> Option<Self> {
        let rows = self.rows.checked_mul(rows)?;
        (rows <= self.bits.count().min(64)).then(|| Self {
            rows,
            ..self.clone()
        })
    }

    fn joint(&self, scheme: &Scheme, distance: f64) -> Bounds {
        let similarity = (1.0 - distance).clamp(0.0, 1.0);
        let Some((least, most)) = self.coordinates.cosines(similarity) else {
            return Bounds::ANYTHING;
        };
        let at = |cosine: f64| {
            let differs = cosine.clamp(0.0, 1.0).acos() / std::f64::consts::PI;
            self.mean(scheme, differs)
        };
        let (lower, upper) = (at(least), at(most));
        // Rounding must not put them out of order.
        Bounds::new(lower, upper).unwrap_or(Bounds::exact(lower))
    }
}

/// Gives items their codes: hyperplanes drawn by [`SimHash::coder`].
#[derive(Clone, Debug)]
pub struct SimHashCoder<C> {
    coordinates: C,
    planes: Planes,
}

impl<C: Coordinates> SimHashCoder<C> {
    /// An item's code, its first bit lowest; `None` for an item without elements, which lies on no side.
    pub fn code(&self, item: &C::Item, scratch: &mut C::Scratch) -> Option<u128> {
        self.added(item, scratch).map(|sums| sums.code())
    }

    /// An item's product with each hyperplane, of which a bit says whether it is above 0; `None` for an item without
    /// elements. That of an item is the sum of those of its elements, each times its coordinate.
    ///
    /// ```
    /// use lookalike_minhash::{CodeBits, Integers, SetCoordinates, SimHash};
    ///
    /// let coder = SimHash::new(SetCoordinates::new(Integers), CodeBits::B64).coder(7);
    /// let [one, two, both] = [&[1][..], &[2], &[1, 2]].map(|set| coder.products(set).unwrap());
    /// assert_eq!((both.len(), both[5]), (64, one[5] + two[5]));
    /// ```
    #[must_use]
    pub fn products(&self, item: &C::Item) -> Option<Vec<f64>> {
        let sums = self.added(item, &mut C::Scratch::default())?;
        Some(sums.products(self.planes.bits()))
    }

    fn added(&self, item: &C::Item, scratch: &mut C::Scratch) -> Option<Sums> {
        let mut sums = Sums::default();
        let mut has_elements = false;
        let mut add = |elements: &[u64], coordinate| {
            has_elements |= !elements.is_empty();
            self.planes.add(elements, coordinate, &mut sums);
        };
        self.coordinates.visit(item, scratch, &mut add);
        has_elements.then_some(sums)
    }
}

/// Functions drawn from [`SimHash`]: sampled bits of one code.
#[derive(Clone, Debug)]
pub struct SimHashFunctions<C> {
    coder: SimHashCoder<C>,
    rows: u32,
    places: Vec<Vec<u32>>,
}

impl<C: Coordinates> SimHashFunctions<C> {
    /// What gives items the code whose bits are sampled.
    #[must_use]
    pub fn coder(&self) -> &SimHashCoder<C> {
        &self.coder
    }

    /// The places of the bits of each function, counted from 0.
    #[must_use]
    pub fn places(&self) -> &[Vec<u32>] {
        &self.places
    }
}

impl<C: Coordinates> LshFunctions for SimHashFunctions<C> {
    type Item = C::Item;
    type Key = Option<u64>;
    type Scratch = C::Scratch;

    fn len(&self) -> usize {
        self.places.len()
    }

    fn key_bits(&self) -> u32 {
        self.rows
    }

    fn hash_into(&self, item: &C::Item, scratch: &mut C::Scratch, keys: &mut [Option<u64>]) {
        let code = self.coder.code(item, scratch);
        for (key, places) in keys.iter_mut().zip(&self.places) {
            *key = code.map(|code| {
                let bit = |key, &place| key << 1 | (code >> place) as u64 & 1;
                places.iter().fold(0, bit)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hashes, Integers, Weights};

    fn family(bits: CodeBits) -> SimHash<SetCoordinates<Integers>> {
        SimHash::new(SetCoordinates::new(Integers), bits)
    }

    #[test]
    fn value_stability() {
        let code = |bits| {
            family(bits)
                .coder(7)
                .code(&[1, 2, 3], &mut Default::default())
        };
        assert_eq!(code(CodeBits::B64), Some(7979729461897733029));
        assert_eq!(
            code(CodeBits::B128),
            Some(179674210379520497430442834060885762981)
        );
        let weights = Weights::new([(1, 0.25), (9, 1e6), (3, 2.5)]).unwrap();
        let weighted = SimHash::new(WeightCoordinates, CodeBits::B64).coder(7);
        assert_eq!(weighted.code(&weights, &mut ()), Some(11643640831692443406));
        let mut keys = [None; 3];
        let functions = family(CodeBits::B64).fused(12).unwrap().draw(3, 7);
        functions.hash_into(&[1, 2, 3], &mut Default::default(), &mut keys);
        assert_eq!(keys, [Some(2250), Some(3440), Some(949)]);
    }

    /// Bits are the signs of products, and answers are sampled bits.
    #[test]
    fn products_explain_answers() {
        let functions = family(CodeBits::B128).draw(40, 3);
        let products = functions.coder().products(&[4, 9, 17]).unwrap();
        let mut keys = [None; 40];
        functions.hash_into(&[4, 9, 17], &mut Default::default(), &mut keys);
        for (key, places) in keys.iter().zip(functions.places()) {
            assert_eq!(*key, Some(u64::from(products[places[0] as usize] > 0.0)));
        }
        assert_eq!(products.len(), 128);
        assert_eq!(functions.coder().products(&[]), None);
    }

    #[test]
    fn a_long_code_starts_with_the_short_one() {
        let item: Vec<u64> = (0..50).collect();
        let code = |bits| family(bits).coder(1).code(&item, &mut Default::default());
        let [short, long] = [CodeBits::B64, CodeBits::B128].map(|bits| code(bits).unwrap());
        assert_eq!(short, long & u128::from(u64::MAX));
        assert_ne!(long >> 64, 0);
    }

    #[test]
    fn an_empty_set_has_no_code() {
        let coder = family(CodeBits::B64).coder(7);
        assert_eq!(coder.code(&[], &mut Default::default()), None);
        let mut keys = [Some(3); 2];
        let functions = family(CodeBits::B64).draw(2, 7);
        functions.hash_into(&[], &mut Default::default(), &mut keys);
        assert_eq!(keys, [None, None]);
        let counted = SimHash::new(SetCoordinates::new(Hashes).counted(), CodeBits::B64);
        assert_eq!(counted.coder(7).code(&[], &mut Default::default()), None);
    }

    /// The binomial mean of C(n−D, r)/C(n, r) is (1−q)^r: distinct bits are independent.
    #[test]
    fn one_band_of_distinct_bits_is_a_power() {
        let one = family(CodeBits::B64);
        for distance in [0.0, 0.1, 0.3, 0.7, 1.0] {
            let p = one.collision(distance);
            for rows in [2, 8, 30, 64] {
                let fused = one.fused(rows).unwrap().collision(distance);
                for (fused, p) in [(fused.lower(), p.lower()), (fused.upper(), p.upper())] {
                    let wanted = p.value().powi(rows as i32);
                    assert!((fused.value() - wanted).abs() < 1e-12, "{distance} {rows}");
                }
            }
        }
        assert!(one.fused(65).is_none() && one.fused(u32::MAX).is_none());
    }

    /// One code has 64 bits: bands find less than independent ones would.
    #[test]
    fn bands_of_one_code_find_less_than_independent_ones() {
        let scheme: Scheme = "and:12,or:40".parse().unwrap();
        let one = family(CodeBits::B64);
        let promise = one.promise(&scheme, 0.2).lower().value();
        let independent = scheme.bounds(one.collision(0.2)).lower().value();
        assert!(promise < independent - 0.02, "{promise} {independent}");
        let long = family(CodeBits::B128).promise(&scheme, 0.2).lower().value();
        assert!(promise < long && long < independent, "{long}");
        let counted = SimHash::new(SetCoordinates::new(Integers).counted(), CodeBits::B64);
        assert_eq!(counted.promise(&scheme, 0.2), Bounds::ANYTHING);
    }
}
