//! Everything compared with everything, as a family without keys: what others are measured against.

use std::{fmt, marker::PhantomData};

use lookalike_core::{Bounds, Items, KeySource, Metric, Probability, Scheme, TooManyKeys};
use lookalike_fingerprint::{CommonSquares, Squares as Held};
use lookalike_hamming::{Codes as Bits, Hamming};
use lookalike_minhash::{Integers, Jaccard, Shingler, WeightedJaccard, Weights as Weighted};
use lookalike_search::TextFamily;
use serde::{Deserialize, Serialize};

use super::{
    codes::HAMMING,
    squares::UNCOMMON,
    texts::{JACCARD, shingler},
    weights::WEIGHTED,
};
use crate::{
    Error, Measure, Meeting, Plugin, Search, Verifier,
    data::{Codes, Sets, Squares, Texts, Weights},
};

pub(super) const SUMMARY: &str = "everything compared with everything, without keys";
pub(super) const CERTAIN: &str = "(d1, d2, 1, 1)";

/// All pairs, under a metric.
pub(super) struct Brute<M: Metric> {
    metric: M,
    verifier: Option<VerifierOf<M::Item>>,
}

/// What makes a verifier of items.
type VerifierOf<T> = for<'a> fn(&'a dyn Items<T>) -> Option<Verifier<'a>>;

impl<M: Metric> Brute<M> {
    /// Pairs within a distance are matches.
    fn new(metric: M) -> Self {
        let verifier = None;
        Self { metric, verifier }
    }

    /// Pairs are matches that something else says are.
    pub(super) fn verified_by(metric: M, verifier: VerifierOf<M::Item>) -> Self {
        let verifier = Some(verifier);
        Self { metric, verifier }
    }
}

/// A source under which nothing has a key.
pub(super) struct NoKeys<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> fmt::Debug for NoKeys<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoKeys")
    }
}

impl<T: ?Sized> KeySource for NoKeys<T> {
    type Item = T;
    type Payload = ();
    type Scratch = ();

    fn bands(&self) -> usize {
        0
    }

    fn key_bits(&self) -> u32 {
        0
    }

    fn describe(&self) -> String {
        "no keys".into()
    }

    fn keys(&self, _: &T, (): &mut (), _: impl FnMut(u32, u64, ())) -> Result<(), TooManyKeys> {
        Ok(())
    }
}

impl<M: Metric<Prepared: Send + Sync> + Sync> Search for Brute<M> {
    type Item = M::Item;
    type Source = NoKeys<M::Item>;
    type Metric = M;

    fn metric(&self) -> &M {
        &self.metric
    }

    fn source(&self, _: &Scheme, _: u64) -> Result<Self::Source, Error> {
        Ok(NoKeys(PhantomData))
    }

    fn promise(&self, _: &Scheme, _: f64) -> Option<Bounds> {
        Some(Bounds::exact(Probability::CERTAIN))
    }

    fn scheme(&self) -> Option<Scheme> {
        Some(Scheme::default())
    }

    fn meeting(&self) -> Meeting<()> {
        Meeting::Presence
    }

    fn verifier<'a>(&'a self, items: &'a dyn Items<M::Item>) -> Option<Verifier<'a>> {
        self.verifier.and_then(|verifier| verifier(items))
    }
}

/// All pairs of texts.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct BruteTexts(TextFamily);

impl Plugin for BruteTexts {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = SUMMARY;
    const SENSITIVITY: &'static str = CERTAIN;
    type Data = Texts;
    type Search = Brute<Jaccard<Shingler>>;

    fn search(&self, _: &Vec<String>) -> Result<Self::Search, Error> {
        Ok(Brute::new(Jaccard::new(shingler(&self.0)?)))
    }
}

/// All pairs of sets.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BruteSets {}

impl Plugin for BruteSets {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = SUMMARY;
    const SENSITIVITY: &'static str = CERTAIN;
    type Data = Sets;
    type Search = Brute<Jaccard<Integers>>;

    fn search(&self, _: &Vec<Vec<u64>>) -> Result<Self::Search, Error> {
        Ok(Brute::new(Jaccard::new(Integers)))
    }
}

/// All pairs of weighted sets.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BruteWeights {}

impl Plugin for BruteWeights {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = WEIGHTED;
    const SUMMARY: &'static str = SUMMARY;
    const SENSITIVITY: &'static str = CERTAIN;
    type Data = Weights;
    type Search = Brute<WeightedJaccard>;

    fn search(&self, _: &Vec<Weighted>) -> Result<Self::Search, Error> {
        Ok(Brute::new(WeightedJaccard))
    }
}

/// All pairs of codes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BruteCodes {}

impl Plugin for BruteCodes {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = HAMMING;
    const SUMMARY: &'static str = SUMMARY;
    const SENSITIVITY: &'static str = CERTAIN;
    type Data = Codes;
    type Search = Brute<Hamming>;

    fn search(&self, _: &Bits) -> Result<Self::Search, Error> {
        Ok(Brute::new(Hamming))
    }
}

/// All pairs of sets of squares.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BruteSquares {}

impl Plugin for BruteSquares {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = UNCOMMON;
    const SUMMARY: &'static str = SUMMARY;
    const SENSITIVITY: &'static str = CERTAIN;
    type Data = Squares;
    type Search = Brute<CommonSquares>;

    fn search(&self, _: &Vec<Held>) -> Result<Self::Search, Error> {
        Ok(Brute::new(CommonSquares))
    }
}
