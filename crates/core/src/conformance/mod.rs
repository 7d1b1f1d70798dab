//! Whether a family keeps its promise: a statistical test for any family or key source.
//!
//! It has two parts, because one is not enough.
//!
//! - **(a)** [`functions`](Conformance::functions): one function agrees as often as
//!   [`collision`](LshFamily::collision) says, tested on both sides.
//! - **(b)** [`scheme`](Conformance::scheme): a whole scheme nominates as promised, tested
//!   in the harmful direction only: too seldom where the promise is ½ or more, too often where
//!   it is below. Functions that are drawn together may be better than independent ones.
//!
//! Part (a) alone passes functions that are right one by one and wrong together: a
//! rotation-densified one-permutation sketch, say, whose bands of short documents nominate
//! nearly everything.
//!
//! Errors are standard errors *between seeds*: functions of one draw may depend on
//! each other, draws do not. A rate may stray by [`TOLERANCE`] of them, and a promise of
//! exactly 0 or 1 allows no exception.
//!
//! ```
//! # use lookalike_core::{*, conformance::Conformance};
//! # use rand::{Rng, RngExt};
//! # #[derive(Debug)] struct Bits;
//! # struct Positions(Vec<u32>);
//! # impl LshFamily for Bits {
//! #     type Item = u64; type Functions = Positions;
//! #     fn collision(&self, d: f64) -> Bounds { Bounds::exact(Probability::saturating(1.0 - d / 64.0)) }
//! #     fn draw(&self, k: usize, seed: u64) -> Positions {
//! #         let mut rng = random::stream(seed, 0);
//! #         Positions((0..k).map(|_| rng.random_range(0..64)).collect())
//! #     }
//! # }
//! # impl LshFunctions for Positions {
//! #     type Item = u64; type Key = bool; type Scratch = ();
//! #     fn len(&self) -> usize { self.0.len() }
//! #     fn hash_into(&self, x: &u64, _: &mut (), keys: &mut [bool]) {
//! #         for (key, i) in keys.iter_mut().zip(&self.0) { *key = x >> i & 1 == 1 }
//! #     }
//! # }
//! # struct Hamming;
//! # impl Metric for Hamming {
//! #     type Item = u64; type Prepared = u64;
//! #     fn prepare(&self, x: &u64) -> u64 { *x }
//! #     fn distance(&self, a: &u64, b: &u64) -> f64 { (a ^ b).count_ones().into() }
//! # }
//! // Pairs of 64-bit words at any Hamming distance, for the family `Bits`:
//! let pair = |distance: f64, seed: u64| {
//!     let x = random::stream(seed, 0).next_u64();
//!     (x, x ^ ((1u64 << distance as u32) - 1))
//! };
//! let report = Conformance::new(Hamming, pair)
//!     .distances([2.0, 6.0, 16.0, 32.0])
//!     .check(&Bits)?;
//! println!("{report}");
//! # Ok::<(), lookalike_core::conformance::Violation>(())
//! ```

mod axioms;
mod measurement;

use std::{borrow::Borrow, collections::HashSet};

use crate::{
    Banding, Bounds, Drawn, Error, Key, KeySource, LshFamily, LshFunctions, Metric, Probability,
    Scheme, TooManyKeys, random,
};

pub use axioms::{BrokenAxiom, metric_axioms};
pub use measurement::{Measurement, Report};

/// How many standard errors a measured rate may stray.
pub const TOLERANCE: f64 = 4.0;

/// A conformance test under preparation: how to make pairs, and how much to test.
#[derive(Clone, Debug)]
pub struct Conformance<M, P> {
    metric: M,
    pair: P,
    distances: Vec<f64>,
    draws: u32,
    functions: usize,
    scheme: Scheme,
    seed: u64,
}

/// A promise that was not kept.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// One function agrees too often or too seldom.
    #[error("one function breaks the promise of its family {0}")]
    Function(Measurement),
    /// A scheme nominates too often or too seldom.
    #[error("the scheme breaks its promise {0}")]
    Scheme(Measurement),
    /// The collision probability grows with the distance.
    #[error("the promise grows from distance {0} to distance {1}")]
    Grows(f64, f64),
    /// No distance was given, or one that is not a number.
    #[error("no distance to test")]
    NothingTested,
    /// The pairs do not follow the wanted distances, so little was tested.
    #[error("pairs that should lie at different distances all lie at {0}")]
    OneDistance(f64),
    /// The same seed gave other functions.
    #[error("two draws with seed {0} answer differently")]
    Unstable(u64),
    /// The functions could not be drawn.
    #[error(transparent)]
    Draw(#[from] Error),
    /// An item has too many keys.
    #[error(transparent)]
    Keys(#[from] TooManyKeys),
}

impl<M, P, O> Conformance<M, P>
where
    M: Metric,
    O: Borrow<M::Item>,
    P: Fn(f64, u64) -> (O, O),
{
    /// A test with pairs from `pair(distance, seed)`, which should lie at about that
    /// distance; what counts is the distance that `metric` measures.
    pub fn new(metric: M, pair: P) -> Self {
        Self {
            metric,
            pair,
            distances: (1..10).map(|tenths| f64::from(tenths) / 10.0).collect(),
            draws: 200,
            functions: 128,
            scheme: Banding::new(16, 8).expect("16 × 8").scheme(),
            seed: 0,
        }
    }

    /// The distances to test; .1, .2 … .9 if not given.
    #[must_use]
    pub fn distances(self, distances: impl IntoIterator<Item = f64>) -> Self {
        let distances = distances.into_iter().collect();
        Self { distances, ..self }
    }

    /// How many times to draw at each distance, a new pair each time; 200 if not given, at least 2.
    #[must_use]
    pub fn draws(self, draws: u32) -> Self {
        let draws = draws.max(2);
        Self { draws, ..self }
    }

    /// The scheme of part (b); 16 bands of 8 rows if not given.
    #[must_use]
    pub fn under(self, scheme: Scheme) -> Self {
        Self { scheme, ..self }
    }

    /// Another run of the same test.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Both parts, for a family.
    pub fn check<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<Report, Violation> {
        Ok(Report {
            functions: self.functions(family)?,
            scheme: self.scheme(family)?,
        })
    }

    /// Part (a): one function, two-sided.
    pub fn functions<F: LshFamily<Item = M::Item>>(
        &self,
        family: &F,
    ) -> Result<Vec<Measurement>, Violation> {
        type KeyOf<F> = <<F as LshFamily>::Functions as LshFunctions>::Key;
        self.monotone(|distance| family.collision(distance))?;
        self.repeatable(family)?;
        let k = self.functions;
        let agreement = |a: &M::Item, b: &M::Item, seed| {
            let functions = family.draw(k, seed);
            let mut scratch = Default::default();
            let mut keys = [(); 2].map(|()| vec![KeyOf::<F>::default(); k]);
            functions.hash_into(a, &mut scratch, &mut keys[0]);
            functions.hash_into(b, &mut scratch, &mut keys[1]);
            let agree =
                |(a, b): &(&KeyOf<F>, &KeyOf<F>)| a.bits().is_some() && a.bits() == b.bits();
            let agreed = keys[0].iter().zip(&keys[1]).filter(agree).count();
            Ok(agreed as f64 / k as f64)
        };
        self.measure(k, |distance| family.collision(distance), agreement)?
            .into_iter()
            .map(|m| {
                if m.both_sides() {
                    Ok(m)
                } else {
                    Err(Violation::Function(m))
                }
            })
            .collect()
    }

    /// Part (b): the scheme over a family, one-sided.
    pub fn scheme<F: LshFamily<Item = M::Item>>(
        &self,
        family: &F,
    ) -> Result<Vec<Measurement>, Violation> {
        self.source(
            |seed| Drawn::new(family, &self.scheme, seed),
            |distance| family.promise(&self.scheme, distance),
        )
    }

    /// Part (b) for any key source with a promise: `draw(seed)` makes it, and
    /// `promise(distance)` bounds how often a query for one of two items meets the other.
    pub fn source<S: KeySource<Item = M::Item>>(
        &self,
        draw: impl Fn(u64) -> Result<S, Error>,
        promise: impl Fn(f64) -> Bounds,
    ) -> Result<Vec<Measurement>, Violation> {
        self.monotone(&promise)?;
        let candidates = |a: &M::Item, b: &M::Item, seed| {
            let source = draw(seed)?;
            let mut scratch = S::Scratch::default();
            let mut stored = HashSet::new();
            source.keys(a, &mut scratch, |band, key, _| {
                stored.insert((band, key));
            })?;
            let mut met = false;
            source.probes(b, &mut scratch, |band, key, _| {
                met |= stored.contains(&(band, key));
            })?;
            Ok(f64::from(u8::from(met)))
        };
        self.measure(1, &promise, candidates)?
            .into_iter()
            .map(|m| {
                if m.harmful_side() {
                    Ok(m)
                } else {
                    Err(Violation::Scheme(m))
                }
            })
            .collect()
    }

    /// The rate at every distance. `trials` is how many agreements one call of `rate` averages.
    fn measure(
        &self,
        trials: usize,
        promise: impl Fn(f64) -> Bounds,
        rate: impl Fn(&M::Item, &M::Item, u64) -> Result<f64, Violation>,
    ) -> Result<Vec<Measurement>, Violation> {
        let draws = f64::from(self.draws);
        let measured: Vec<Measurement> = (0..)
            .zip(&self.distances)
            .map(|(place, &distance)| {
                let mut rates = Vec::with_capacity(self.draws as usize);
                let (mut distances, mut lower, mut upper) = (0.0, 0.0, 0.0);
                for draw in 0..u64::from(self.draws) {
                    let seed = random::derive(random::derive(self.seed, place), draw);
                    let (a, b) = (self.pair)(distance, random::derive(seed, 1));
                    let (a, b) = (a.borrow(), b.borrow());
                    let measured = self
                        .metric
                        .distance(&self.metric.prepare(a), &self.metric.prepare(b));
                    let promised = promise(measured);
                    distances += measured;
                    lower += promised.lower().value();
                    upper += promised.upper().value();
                    rates.push(rate(a, b, random::derive(seed, 2))?);
                }
                let mean = |sum: f64| Probability::saturating(sum / draws);
                let promised = Bounds::new(mean(lower), mean(upper))?;
                Ok(Measurement::new(
                    distances / draws,
                    promised,
                    &rates,
                    trials,
                ))
            })
            .collect::<Result<_, Violation>>()?;
        let all_at = |wanted: &[f64]| wanted.windows(2).all(|pair| pair[0] == pair[1]);
        let lie_at: Vec<f64> = measured.iter().map(|m| m.distance).collect();
        if all_at(&lie_at) && !all_at(&self.distances) {
            return Err(Violation::OneDistance(lie_at[0]));
        }
        Ok(measured)
    }

    fn monotone(&self, promise: impl Fn(f64) -> Bounds) -> Result<(), Violation> {
        let mut distances = self.distances.clone();
        if distances.is_empty() || !distances.iter().all(|distance| distance.is_finite()) {
            return Err(Violation::NothingTested);
        }
        distances.sort_by(f64::total_cmp);
        for pair in distances.windows(2) {
            let (near, far) = (promise(pair[0]), promise(pair[1]));
            if near.lower() < far.lower() || near.upper() < far.upper() {
                return Err(Violation::Grows(pair[0], pair[1]));
            }
        }
        Ok(())
    }

    fn repeatable<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<(), Violation> {
        let (item, _) = (self.pair)(self.distances[0], self.seed);
        let answers = || {
            let functions = family.draw(self.functions, self.seed);
            let mut keys = vec![Default::default(); functions.len()];
            functions.hash_into(item.borrow(), &mut Default::default(), &mut keys);
            keys.into_iter().map(Key::bits).collect::<Vec<_>>()
        };
        if answers() == answers() {
            Ok(())
        } else {
            Err(Violation::Unstable(self.seed))
        }
    }
}
