//! One draw of functions, and what it finds.

use lookalike_core::plugin::Group;
use lookalike_dedup::{Cluster, Grouping, Keep, Verification};
use lookalike_engine::{Id, Match, Pair, cluster};
use lookalike_search::{Comparer, Plan, Search};
use rayon::prelude::*;

use crate::{
    Buckets, Error, Example, Settings, Signatures,
    bins::Bins,
    data::Loaded,
    examples,
    likeness::Likeness,
    met::Met,
    problem::Problem,
    signatures::All as Signed,
    stages::Stages,
    tally::Tally,
    truth::{DistanceOf, Truth},
};

/// What every repetition adds to.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    pub(crate) tallies: Vec<Tally>,
    /// For each group, how many of its pairs were candidates in each repetition.
    pub(crate) groups: Vec<Vec<u64>>,
    /// Clusters, and items of the largest.
    pub(crate) clusters: Vec<(u64, u64)>,
    pub(crate) not_compared: Vec<f64>,
    pub(crate) key_bytes: Vec<f64>,
    pub(crate) buckets: Option<Buckets>,
    pub(crate) examples: Vec<Example>,
    pub(crate) signatures: Option<Signatures>,
}

/// All that repetitions share.
pub(crate) struct Repetition<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) loaded: &'a Loaded,
    pub(crate) search: &'a dyn Search,
    pub(crate) plan: &'a Plan,
    /// Whether everything is compared, without keys.
    pub(crate) is_method: bool,
    pub(crate) comparer: &'a dyn Comparer,
    pub(crate) likeness: Likeness,
    /// The truth about pairs that were looked at.
    pub(crate) distance: &'a DistanceOf<'a>,
    pub(crate) truth: &'a Truth,
    pub(crate) bins: &'a Bins,
    /// The largest distance of pairs that are alike, by the truth.
    pub(crate) limit: f64,
    /// The largest distance of a match, by the measure.
    pub(crate) match_limit: f64,
}

impl Repetition<'_> {
    /// Draws functions, finds candidates and matches, and counts.
    pub(crate) fn run(
        &self,
        seed: u64,
        all: &mut Repeated,
        stages: &mut Stages,
    ) -> Result<(), Error> {
        let (limit, distance) = (self.limit, self.distance);
        let is_first = all.tallies.is_empty();
        stages.repeat();
        let problem = self.truth.problem;
        let (queries, max_bucket) = (self.settings.queries, self.settings.max_bucket);
        let mut met = match self.is_method {
            true => Met::everything(),
            false => Met::new(self.search, seed, queries, max_bucket, is_first, stages)?,
        };
        let verify = self.settings.verify.method;
        // Labels know what is alike, and the measure may be wrong about it: each pair must be looked at.
        let is_exact = verify == Verification::Exact && !self.likeness.is_labelled();
        if self.likeness.is_labelled() && verify == Verification::Exact {
            met.pairs.get_or_insert_with(|| problem.all().collect());
        }
        let matches: Vec<Match> = match &met.pairs {
            Some(pairs) => {
                let candidates = stages.time("compare", || compared(pairs, distance));
                let are_matches = self.judge(seed, &candidates, stages)?;
                let tally = Tally::new(
                    self.truth,
                    self.bins,
                    limit,
                    &candidates,
                    &are_matches,
                    is_exact,
                );
                all.tallies.push(tally);
                let both = candidates.into_iter().zip(are_matches);
                both.filter(|(_, is_match)| *is_match)
                    .map(|(candidate, _)| candidate)
                    .collect()
            }
            None if verify == Verification::Signature => return Err(self.no_signatures()),
            None => {
                let matches = stages.time("compare", || self.near_pairs(problem));
                let (similar, all_match) = (matches.len() as u64, verify == Verification::None);
                let tally = Tally::of_all(self.truth, self.bins, limit, similar, all_match);
                all.tallies.push(tally);
                matches
            }
        };
        let clusters = stages.time("cluster", || clusters(&self.settings.cluster, &matches));
        all.clusters.push(clusters);
        count_groups(&self.loaded.groups, &met, &mut all.groups);
        all.not_compared.push(met.not_compared as f64);
        all.key_bytes.push(met.key_bytes as f64);
        if is_first {
            let name_and_look = |id: Id| (self.loaded.name(id), self.loaded.data.summary(id));
            all.examples = examples::choose(self.truth, limit, &met, distance, &name_and_look);
            if Signed::are_few(self.loaded.data.len(), self.plan.scheme.functions()) {
                let name = |id: Id| self.loaded.name(id);
                let signatures = self.signatures(seed);
                let shown = |it: Signed| it.shown(problem.all(), distance, &met, &name);
                all.signatures = signatures.map(shown);
            }
            all.buckets = met.buckets;
        }
        Ok(())
    }

    /// Whether each candidate is a match.
    fn judge(
        &self,
        seed: u64,
        candidates: &[Match],
        stages: &mut Stages,
    ) -> Result<Vec<bool>, Error> {
        match self.settings.verify.method {
            Verification::None => Ok(vec![true; candidates.len()]),
            Verification::Exact if self.likeness.is_labelled() => {
                let is_match = |pair| self.comparer.within(pair, self.match_limit).is_some();
                Ok(stages.time("verify", || judged(candidates, &is_match)))
            }
            Verification::Exact => Ok(candidates
                .iter()
                .map(|it| it.distance <= self.limit)
                .collect()),
            Verification::Signature => {
                let signatures = stages.time("signatures", || self.signatures(seed));
                let signatures = signatures.ok_or_else(|| self.no_signatures())?;
                let alike = |pair| 1.0 - signatures.agreement(pair) <= self.match_limit + 1e-9;
                Ok(stages.time("verify", || judged(candidates, &alike)))
            }
        }
    }

    /// The signatures of all items, if the family has some.
    fn signatures(&self, seed: u64) -> Option<Signed> {
        let of = self.search.signatures(seed)?;
        Some(Signed::new(&of, self.loaded.data.len()))
    }

    fn no_signatures(&self) -> Error {
        let (name, measure) = (&self.plan.family, self.likeness.name());
        let message =
            format!("{name} has no signatures that estimate the {measure}: use exact or none");
        Error::setting("verify.method", message)
    }

    /// Compares everything.
    fn near_pairs(&self, problem: Problem) -> Vec<Match> {
        let rows = problem.asking().into_par_iter().flat_map_iter(|asking| {
            problem.partners(asking).filter_map(move |partner| {
                let pair = Pair::new(asking, partner)?;
                let distance = match self.likeness.is_labelled() {
                    true => Some((self.distance)(pair)).filter(|it| *it <= self.limit)?,
                    false => self.comparer.within(pair, self.limit)?,
                };
                Some(Match { pair, distance })
            })
        });
        rows.collect()
    }
}

/// Candidates with their distances.
fn compared(pairs: &[Pair], distance: &DistanceOf<'_>) -> Vec<Match> {
    let compared = pairs.par_iter().map(|&pair| Match {
        pair,
        distance: distance(pair),
    });
    compared.collect()
}

fn judged(candidates: &[Match], is_match: &(dyn Fn(Pair) -> bool + Sync)) -> Vec<bool> {
    let candidates = candidates.par_iter();
    candidates.map(|it| is_match(it.pair)).collect()
}

/// How many clusters, and how many items the largest has.
fn clusters(settings: &Cluster, matches: &[Match]) -> (u64, u64) {
    let last = settings.keep == Keep::Last;
    let rank = |id: Id| if last { Id::MAX - id } else { id };
    let clusters = match settings.method {
        Grouping::Star => cluster::star(matches, rank),
        Grouping::Components => cluster::components(matches, rank),
    };
    let largest = clusters.iter().map(|it| it.members.len() as u64 + 1).max();
    (clusters.len() as u64, largest.unwrap_or(0))
}

/// Counts the planted pairs among the candidates.
fn count_groups(groups: &[Group], met: &Met, counts: &mut Vec<Vec<u64>>) {
    counts.resize(groups.len(), Vec::new());
    for (group, counts) in groups.iter().zip(counts) {
        let is_candidate = |pair: &&Pair| match &met.pairs {
            Some(pairs) => pairs.binary_search(pair).is_ok(),
            None => true,
        };
        counts.push(group.pairs.iter().filter(is_candidate).count() as u64);
    }
}
