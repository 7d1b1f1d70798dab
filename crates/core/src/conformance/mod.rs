//! Whether a family keeps its promise: a statistical test for any family or key source.
//!
//! | part | what is compared with the promise |
//! |---|---|
//! | [`functions`](Conformance::functions) | how often one function agrees: on new pairs, and on one pair under many seeds, at all distances and between them |
//! | [`scheme`](Conformance::scheme) | how often a whole scheme nominates, asked in both directions |
//! | [`check`](Conformance::check) | both, and whether functions that are promised to be independent are |
//!
//! One part is not enough: a rotation-densified one-permutation sketch, say, has functions that are right one by one and
//! nominate nearly everything together. New pairs are not enough either: they hide functions that are not random.
//! Every part also checks what needs no statistics: the promise does not grow with the distance, a seed repeats, every
//! bit of a seed matters, keys and bands stay within their bounds, and a source that does not probe asks what it stores.
//!
//! [`plugin`] checks a whole plugin in one call: its kind, its distance and its family. [`method`] checks a method.
//!
//! A right family is refused with a probability of at most [`BUDGET`] per run, over all tests of the run together; no
//! tolerance has to be chosen. A promise of exactly 1 allows no exception. What a run cannot see it says: each
//! [`Measurement`] has the smallest error that would have been detected, and too few draws are an error.
//! `docs/conformance.md` has the reasons and what is detected how often.
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
//! assert!(report.detectable().unwrap() < 0.06);
//! # Ok::<(), lookalike_core::conformance::Violation>(())
//! ```

mod axioms;
mod dependence;
mod effort;
mod evidence;
mod kinds;
mod measurement;
mod methods;
mod plugins;
mod recalls;
mod run;
mod seeds;
mod sources;
mod strata;
mod violation;

use std::borrow::Borrow;

use self::{
    run::{Ask, Functions, Run, Take, enough},
    seeds::{Answers, repeatable, sensitive},
    strata::{middle_distance, monotone},
};
use crate::{
    Banding, Bounds, Drawn, Error, Key, KeySource, LshFamily, LshFunctions, Metric, Scheme, random,
};

pub use axioms::{BrokenAxiom, metric_axioms};
pub use effort::Effort;
pub use evidence::BUDGET;
pub use measurement::{Measurement, Report};
pub use methods::{method, method_with};
pub use plugins::{Checked, plugin, plugin_with};
pub use violation::Violation;

/// How many functions are drawn at once, in the part about one function.
const FUNCTIONS: usize = 64;

/// The distances that are tested unless others are given: near 0, near 1, and every tenth.
const DISTANCES: [f64; 14] = [
    0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99,
];

/// A conformance test under preparation: how to make pairs, and how much to test.
#[derive(Clone, Debug)]
pub struct Conformance<M, P> {
    metric: M,
    pair: P,
    distances: Vec<f64>,
    effort: Effort,
    scheme: Scheme,
    seed: u64,
}

impl<M, P, O> Conformance<M, P>
where
    M: Metric,
    O: Borrow<M::Item>,
    P: Fn(f64, u64) -> (O, O),
{
    /// A test with pairs from `pair(distance, seed)`, which should lie at about that distance; what counts is the
    /// distance that `metric` measures. It is [quick](Effort::QUICK) unless another effort is chosen.
    pub fn new(metric: M, pair: P) -> Self {
        Self {
            metric,
            pair,
            distances: DISTANCES.to_vec(),
            effort: Effort::QUICK,
            scheme: Banding::new(16, 8).expect("16 × 8").scheme(),
            seed: 0,
        }
    }

    /// The distances to test: these, and those between them; 0.01 to 0.99 if not given. Pairs near 0 and near the
    /// largest distance should be among them.
    #[must_use]
    pub fn distances(self, distances: impl IntoIterator<Item = f64>) -> Self {
        let distances = distances.into_iter().collect();
        Self { distances, ..self }
    }

    /// How much to measure.
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// [`Effort::THOROUGH`] instead of [`Effort::QUICK`].
    #[must_use]
    pub fn thorough(self) -> Self {
        self.effort(Effort::THOROUGH)
    }

    /// How many times to draw functions at each distance, where neither effort fits. Draws of a scheme follow. Too few
    /// to see an error of 0.1 in the probability of one function are a [`Violation::TooFew`].
    #[must_use]
    pub fn draws(self, draws: u32) -> Self {
        self.effort(Effort::with_draws(draws.max(2)))
    }

    /// The scheme that is tested; 16 bands of 8 rows if not given.
    #[must_use]
    pub fn under(self, scheme: Scheme) -> Self {
        Self { scheme, ..self }
    }

    /// Another run of the same test.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Everything, for a family.
    ///
    /// # Errors
    /// What is wrong with the family, or that the test says nothing.
    pub fn check<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<Report, Violation> {
        let measured = self.measured(family)?;
        if self.claims_independence(family) {
            dependence::check(&measured.samples)?;
        }
        let scheme = self.scheme(family)?.scheme;
        enough(&measured.functions, self.effort.needed_of_functions())?;
        Ok(Report {
            functions: measured.functions,
            pairs: measured.pairs,
            scheme,
        })
    }

    /// One function, on new pairs and on pairs that stay, tested on both sides.
    ///
    /// # Errors
    /// What is wrong with the functions, or that the test says nothing.
    pub fn functions<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<Report, Violation> {
        let measured = self.measured(family)?;
        enough(&measured.functions, self.effort.needed_of_functions())?;
        Ok(Report {
            functions: measured.functions,
            pairs: measured.pairs,
            scheme: Vec::new(),
        })
    }

    fn measured<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<Functions, Violation> {
        let promise = |distance| family.collision(distance);
        monotone(&self.distances, &promise)?;
        let distance = middle_distance(&self.distances, &promise);
        let visit = |distance: f64, seed: u64, take: &mut Take<'_, M::Item>| {
            self.visit(distance, seed, take);
        };
        repeatable(&visit, distance, self.seed, &|seed| {
            let functions = drawn(family, seed)?;
            Ok(Box::new(move |a, b| {
                let [a, b] = [a, b].map(|item| answered(&functions, item));
                Ok(Answers {
                    hash: hash(a?.into_iter().chain(b?)),
                    say_nothing: false,
                })
            }))
        })?;
        sensitive(&visit, distance, self.seed, &|seed| {
            let mut ask = agree(family, seed)?;
            Ok(Box::new(move |a, b| {
                ask(a, b).map(|agreements| Answers::of_agreements(&agreements))
            }))
        })?;
        self.run(&visit)
            .functions(&promise, &|seed| agree(family, seed))
    }

    /// Whether the family promises of a scheme what independent functions give.
    fn claims_independence<F: LshFamily<Item = M::Item>>(&self, family: &F) -> bool {
        self.distances.iter().all(|&distance| {
            let independent = self.scheme.bounds(family.collision(distance));
            family.joint(&self.scheme, distance) == independent
        })
    }

    /// The scheme over a family, tested on both sides.
    ///
    /// # Errors
    /// What is wrong with the scheme, or that the test says nothing.
    pub fn scheme<F: LshFamily<Item = M::Item>>(&self, family: &F) -> Result<Report, Violation> {
        self.source(
            |seed| Drawn::new(family, &self.scheme, seed),
            |distance| family.promise(&self.scheme, distance),
        )
    }

    /// Any key source with a promise: `draw(seed)` makes it, and `promise(distance)` bounds how often a query for one of
    /// two items meets the other. Both are asked for.
    ///
    /// # Errors
    /// What is wrong with the source, or that the test says nothing.
    pub fn source<S: KeySource<Item = M::Item>>(
        &self,
        draw: impl Fn(u64) -> Result<S, Error>,
        promise: impl Fn(f64) -> Bounds,
    ) -> Result<Report, Violation> {
        let visit = |distance: f64, seed: u64, take: &mut Take<'_, M::Item>| {
            self.visit(distance, seed, take);
        };
        let sources = |seed: u64, ask_all: bool| Ok(sources::asked(draw(seed)?, ask_all));
        sources::check(&self.run(&visit), &sources, &promise)
    }

    fn run<'a>(&'a self, visit: &'a run::Visit<'a, M::Item>) -> Run<'a, M::Item> {
        Run {
            visit,
            distances: &self.distances,
            effort: self.effort,
            seed: self.seed,
            share: evidence::PART,
        }
    }

    fn visit(&self, distance: f64, seed: u64, take: &mut Take<'_, M::Item>) {
        let (a, b) = (self.pair)(distance, seed);
        let (a, b) = (a.borrow(), b.borrow());
        let [first, second] = [a, b].map(|item| self.metric.prepare(item));
        take(self.metric.distance(&first, &second), a, b);
    }
}

fn drawn<F: LshFamily>(family: &F, seed: u64) -> Result<F::Functions, Violation> {
    let functions = family.draw(FUNCTIONS, seed);
    let drawn = functions.len();
    match drawn == FUNCTIONS {
        true => Ok(functions),
        false => Err(Violation::Count {
            asked: FUNCTIONS,
            drawn,
        }),
    }
}

fn answered<F: LshFunctions>(functions: &F, item: &F::Item) -> Result<Vec<Option<u64>>, Violation> {
    let mut keys = vec![Default::default(); functions.len()];
    functions.hash_into(item, &mut Default::default(), &mut keys);
    let answers: Vec<Option<u64>> = keys.into_iter().map(Key::bits).collect();
    let bits = functions.key_bits();
    let mut given = answers.iter().flatten();
    match given.find(|&&key| sources::is_wide(key, bits)) {
        Some(&key) => Err(Violation::WideKey { key, bits }),
        None => Ok(answers),
    }
}

/// Whether two items agree on each of the functions that a seed gives.
fn agree<'a, F: LshFamily>(family: &F, seed: u64) -> Result<Ask<'a, F::Item, Vec<bool>>, Violation>
where
    F::Functions: 'a,
{
    let functions = drawn(family, seed)?;
    Ok(Box::new(move |a, b| {
        let (a, b) = (answered(&functions, a)?, answered(&functions, b)?);
        let agreements = a.iter().zip(&b).map(|(a, b)| a.is_some() && a == b);
        Ok(agreements.collect())
    }))
}

/// One number for a list of answers.
fn hash(answers: impl Iterator<Item = Option<u64>>) -> u64 {
    answers.fold(0, |hash, answer| {
        let number = answer.map_or(1, |bits| random::derive(bits, 2));
        crate::mix(hash.rotate_left(5) ^ number)
    })
}
