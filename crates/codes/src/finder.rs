use lookalike_core::{Items, Near, random};
use lookalike_engine::{Brute, BucketIndex};
use lookalike_hamming::{
    BitSampling, Blocks, CodeMethod, CodePlan, CodeTask, Codes, Probed, Probing, distance,
};
use rand::RngExt;
use rayon::prelude::*;

use crate::Error;

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The largest distance.
    pub radius: u32,
    /// The share of the codes at that distance that must be found; `None`: all.
    pub recall: Option<f64>,
}

/// How to find codes near so many queries, with an index of at most so many bytes.
///
/// A sample of the codes is looked at: where they are alike, tables must be more selective.
pub fn plan(codes: &Codes, queries: usize, aim: Aim, memory: u64) -> Result<CodePlan, Error> {
    let wish = CodeTask {
        bits: codes.bit_length(),
        codes: codes.len(),
        queries,
        radius: aim.radius,
        recall: aim.recall,
        memory,
        distances: &sample(codes),
    };
    Ok(wish.plan()?)
}

/// The distances of some pairs.
fn sample(codes: &Codes) -> Vec<u32> {
    const PAIRS: usize = 2000;
    if codes.len() < 2 {
        return Vec::new();
    }
    let mut rng = random::stream(0, 0);
    let mut one = || codes.get(rng.random_range(0..codes.len()));
    (0..PAIRS).map(|_| distance(one(), one())).collect()
}

/// Answers which codes are near a query, the way that a plan says.
pub struct Finder<'a> {
    codes: &'a Codes,
    way: Way,
}

enum Way {
    BruteForce,
    BitSampling(BucketIndex<Probing<BitSampling>>),
    Blocks(BucketIndex<Probing<Blocks>>),
}

impl<'a> Finder<'a> {
    /// Builds what the plan needs, on the threads of the current rayon pool.
    pub fn new(codes: &'a Codes, plan: CodePlan, seed: u64) -> Result<Self, Error> {
        let way = match plan.method {
            CodeMethod::BruteForce => Way::BruteForce,
            CodeMethod::BitSampling {
                rows,
                tables,
                flips,
            } => {
                let family = BitSampling::new(codes.bit_length())?.rows(rows)?;
                let source = Probing::new(&family, tables, flips, seed)?;
                Way::BitSampling(BucketIndex::build(source, codes)?)
            }
            CodeMethod::Blocks {
                blocks,
                at_most,
                flips,
            } => {
                let family = Blocks::new(codes.bit_length(), blocks)?.at_most(at_most)?;
                let source = Probing::new(&family, blocks, flips, seed)?;
                Way::Blocks(BucketIndex::build(source, codes)?)
            }
        };
        Ok(Self { codes, way })
    }

    /// For each query the `k` nearest codes within the radius, the nearest first.
    pub fn near(
        &self,
        queries: &(impl Items<[u64]> + ?Sized),
        radius: u32,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error> {
        match &self.way {
            Way::BruteForce => {
                let brute = Brute::new(self.codes)?;
                Ok(brute.nearest(queries, k, radius.into()))
            }
            Way::BitSampling(index) => self.ask(index, queries, radius, k),
            Way::Blocks(index) => self.ask(index, queries, radius, k),
        }
    }

    fn ask<F: Probed + Sync>(
        &self,
        index: &BucketIndex<Probing<F>>,
        queries: &(impl Items<[u64]> + ?Sized),
        radius: u32,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error> {
        let asked = (0..queries.count()).into_par_iter().map_init(
            || index.query(),
            |query, place| {
                let near = query.near(queries.item(place), self.codes, radius.into())?;
                Ok(near[..near.len().min(k)].to_vec())
            },
        );
        asked.collect()
    }
}

impl std::fmt::Debug for Finder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Finder");
        debug.field("codes", self.codes).finish_non_exhaustive()
    }
}
