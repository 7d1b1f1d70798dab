//! What functions answer, for all items: to verify by, and of a small run to look at.

use lookalike_engine::{Id, Pair};
use rayon::prelude::*;
use serde::Serialize;

use lookalike_search::SignatureOfId;

use crate::{met::Met, truth::DistanceOf};

/// The most items, and functions, whose answers are shown.
const ITEMS: usize = 16;
const FUNCTIONS: u32 = 64;

/// The answers of all functions to all items, for people to look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Signatures {
    /// What the items are called.
    pub items: Vec<String>,
    /// One list per function with one value per item; `None` where the function has no answer.
    pub functions: Vec<Vec<Option<u64>>>,
    /// All pairs of the items.
    pub pairs: Vec<Agreement>,
}

/// What the signatures of two items say, and what is true.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The items.
    pub names: [String; 2],
    /// The share of the functions that agree.
    pub estimated: f64,
    /// 1 − the distance.
    pub exact: f64,
    /// Whether they share a bucket.
    pub is_candidate: bool,
}

/// The signatures of all items, in their order.
#[derive(Clone, Debug)]
pub(crate) struct All(Vec<Vec<Option<u64>>>);

impl All {
    pub(crate) fn new(of: &SignatureOfId<'_>, items: usize) -> Self {
        let ids = (0..items as Id).into_par_iter();
        Self(ids.map(of).collect())
    }

    /// Whether they are so few that people can look at all of them.
    pub(crate) fn are_few(items: usize, functions: u32) -> bool {
        items <= ITEMS && functions <= FUNCTIONS
    }

    /// The share of the functions that agree on two items.
    pub(crate) fn agreement(&self, pair: Pair) -> f64 {
        let [a, b] = [pair.a(), pair.b()].map(|id| &self.0[id as usize]);
        let agree = a.iter().zip(b).filter(|(a, b)| a.is_some() && a == b);
        agree.count() as f64 / a.len().max(1) as f64
    }

    /// All of them, for people to look at.
    pub(crate) fn shown(
        &self,
        pairs: impl Iterator<Item = Pair>,
        distance: &DistanceOf<'_>,
        met: &Met,
        name: &dyn Fn(Id) -> String,
    ) -> Signatures {
        let functions = self.0.first().map_or(0, Vec::len);
        let line = |function: usize| self.0.iter().map(|item| item[function]).collect();
        let pairs = pairs.map(|pair| Agreement {
            names: [pair.a(), pair.b()].map(name),
            estimated: self.agreement(pair),
            exact: 1.0 - distance(pair),
            is_candidate: met.has(pair),
        });
        Signatures {
            items: (0..self.0.len() as Id).map(name).collect(),
            functions: (0..functions).map(line).collect(),
            pairs: pairs.collect(),
        }
    }
}
