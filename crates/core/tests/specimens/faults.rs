//! The wrong families of the table of power, `docs/conformance.md`: each has one fault that hides well.

use lookalike_core::{
    Bounds, LshFamily, Probability, Scheme,
    conformance::{Conformance, Effort, Violation},
    random,
};

use super::{
    bit_sampling::{self, Hamming},
    faulty_sources::{self, Fault},
    min_hash::{self, Jaccard},
    sampled::Sampled,
    wrong::Claiming,
};

/// A wrong family, and how a run ends that tests it.
pub(crate) struct Wrong {
    /// What is wrong.
    pub(crate) name: &'static str,
    /// Whether also a quick run has to see it.
    pub(crate) is_quick: bool,
    /// A run with a seed.
    pub(crate) run: fn(Effort, u64) -> Result<(), Violation>,
}

/// Bits of the items.
const BITS: usize = 64;

/// How functions read bits.
#[derive(Clone, Copy, Debug)]
enum Reading {
    IgnoringSeed,
    LowBits(u32),
    HalfOfBits,
    Skewed,
    Copying(f64),
    EveryEighth,
}

impl Reading {
    /// The places that k functions read.
    fn places(self, k: usize, seed: u64) -> Vec<usize> {
        let seed = match self {
            Self::IgnoringSeed => 7,
            Self::LowBits(bits) => seed & ((1 << bits) - 1),
            _ => seed,
        };
        let mut rng = random::stream(seed, 0);
        let mut place = |most: usize| random::below(most as u32, &mut rng) as usize;
        let mut places: Vec<usize> = Vec::with_capacity(k);
        for i in 0..k {
            let own = match self {
                Self::HalfOfBits => place(BITS / 2),
                // The smaller of two: the first places are read twice as often as on average, the last never.
                Self::Skewed => place(BITS).min(place(BITS)),
                _ => place(BITS),
            };
            let is_copy = match self {
                Self::Copying(share) => (place(1 << 20) as f64) < share * f64::from(1 << 20),
                Self::EveryEighth => i % 8 == 7,
                _ => false,
            };
            let before = places.last().copied().filter(|_| is_copy);
            places.push(before.unwrap_or(own));
        }
        places
    }
}

/// Bit sampling with a fault, or with a joint promise that is wrong by a factor.
#[derive(Clone, Copy, Debug)]
struct Faulty {
    reading: Option<Reading>,
    joint: f64,
}

impl LshFamily for Faulty {
    type Item = [bool];
    type Functions = Sampled;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance / BITS as f64))
    }

    fn draw(&self, k: usize, seed: u64) -> Sampled {
        let right = Reading::Copying(0.0);
        Sampled(self.reading.unwrap_or(right).places(k, seed))
    }

    fn joint(&self, scheme: &Scheme, distance: f64) -> Bounds {
        let right = scheme.bounds(self.collision(distance));
        right.map(|p| Probability::saturating(p.value() * self.joint))
    }
}

fn bits(reading: Option<Reading>, joint: f64, effort: Effort, seed: u64) -> Result<(), Violation> {
    let test = Conformance::new(Hamming, bit_sampling::pairs(BITS)).distances([
        0.0, 1.0, 2.0, 4.0, 8.0, 12.0, 20.0, 32.0, 44.0, 56.0, 62.0, 64.0,
    ]);
    let family = Faulty { reading, joint };
    test.effort(effort).seed(seed).check(&family).map(drop)
}

fn claims(promise: fn(f64) -> f64, effort: Effort, seed: u64) -> Result<(), Violation> {
    let test = Conformance::new(Jaccard, min_hash::pairs(40));
    let family = Claiming(Box::new(move |distance| {
        Bounds::exact(Probability::saturating(promise(distance)))
    }));
    test.effort(effort).seed(seed).check(&family).map(drop)
}

/// A promise that is right at every tenth, and takes the next tenth for what lies more than 0.02 behind.
fn right_at_tenths(distance: f64) -> f64 {
    let tenths = (10.0 * distance - 0.2).ceil().max(0.0);
    let wrong = 1.0 - tenths / 10.0;
    let is_between = (10.0 * distance - (10.0 * distance).round()).abs() > 0.2;
    if is_between {
        wrong.min(1.0 - distance)
    } else {
        1.0 - distance
    }
}

macro_rules! wrong {
    ($($name:literal $is_quick:literal $run:expr;)*) => {
        &[$(Wrong { name: $name, is_quick: $is_quick, run: $run },)*]
    };
}

/// All of them, in the order of the table.
pub(crate) const TABLE: &[Wrong] = wrong! {
    "ignores its seed" true |e, s| bits(Some(Reading::IgnoringSeed), 1.0, e, s);
    "uses 4 low bits of the seed" true |e, s| bits(Some(Reading::LowBits(4)), 1.0, e, s);
    "uses 16 low bits of the seed" true |e, s| bits(Some(Reading::LowBits(16)), 1.0, e, s);
    "uses 32 low bits of the seed" true |e, s| bits(Some(Reading::LowBits(32)), 1.0, e, s);
    "samples only half of the bits" true |e, s| bits(Some(Reading::HalfOfBits), 1.0, e, s);
    "samples bits with a skewed distribution" true |e, s| bits(Some(Reading::Skewed), 1.0, e, s);
    "function i+1 copies function i with probability 0.05" false |e, s| bits(Some(Reading::Copying(0.05)), 1.0, e, s);
    "function i+1 copies function i with probability 0.1" false |e, s| bits(Some(Reading::Copying(0.1)), 1.0, e, s);
    "every 8th function copies its neighbour" false |e, s| bits(Some(Reading::EveryEighth), 1.0, e, s);
    "`joint` 5 % too low" false |e, s| bits(None, 0.95, e, s);
    "`joint` 10 % too low" false |e, s| bits(None, 0.9, e, s);
    "`joint` 20 % too low" false |e, s| bits(None, 0.8, e, s);
    "`joint` 5 % too high" false |e, s| bits(None, 1.05, e, s);
    "`joint` 10 % too high" false |e, s| bits(None, 1.1, e, s);
    "`joint` 20 % too high" false |e, s| bits(None, 1.2, e, s);
    "promise 1 − d/3 below a distance of 0.09" false |e, s| claims(|d| if d < 0.09 { 1.0 - d / 3.0 } else { 1.0 - d }, e, s);
    "promise (1 − d)/2 above a distance of 0.9" false |e, s| claims(|d| if d > 0.9 { (1.0 - d) * 0.5 } else { 1.0 - d }, e, s);
    "promise wrong by 0.03 to 0.08 between every tenth" false |e, s| claims(right_at_tenths, e, s);
    "source that probes in one direction only" true |e, s| faulty_sources::run(Fault::OneWay, e, s);
    "a band outside `bands()`" true |e, s| faulty_sources::run(Fault::Band, e, s);
    "keys outside `key_bits()`" true |e, s| faulty_sources::run(Fault::WideKey, e, s);
    "source that is not repeatable" true |e, s| faulty_sources::run(Fault::Unrepeatable, e, s);
};
