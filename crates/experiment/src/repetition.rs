//! One draw of functions, and what it finds.

use lookalike_core::{Items, Metric, Scheme};
use lookalike_dedup::{Cluster, Grouping, Keep, Verification};
use lookalike_engine::{Id, Match, Pair, cluster};
use rayon::prelude::*;

use crate::{
    Buckets, Data, Error, Example, Loaded, Plugin, Search, Settings, Signatures, Verifier,
    bins::Bins,
    data::Group,
    examples,
    meeting::{Met, meet},
    problem::Problem,
    run::Prepared,
    signatures::All as Signed,
    stages::Stages,
    tally::Tally,
    truth::{DistanceOf, Truth, apart},
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
pub(crate) struct Repetition<'a, P: Plugin> {
    pub(crate) settings: &'a Settings,
    pub(crate) loaded: &'a Loaded<<P::Data as Data>::Items>,
    pub(crate) search: &'a P::Search,
    pub(crate) scheme: &'a Scheme,
    pub(crate) prepared: &'a [Prepared<P>],
    /// What verifies, where the exact distance does not.
    pub(crate) verifier: Option<&'a Verifier<'a>>,
    pub(crate) truth: &'a Truth,
    pub(crate) bins: &'a Bins,
    pub(crate) limit: f64,
}

impl<P: Plugin> Repetition<'_, P> {
    /// Draws functions, finds candidates and matches, and counts.
    pub(crate) fn run(
        &self,
        seed: u64,
        all: &mut Repeated,
        stages: &mut Stages,
    ) -> Result<(), Error> {
        let (items, limit) = (&self.loaded.items, self.limit);
        let is_first = all.tallies.is_empty();
        stages.repeat();
        let source = self.search.source(self.scheme, seed);
        let source = source.map_err(|error| error.about("family"))?;
        let problem = self.truth.problem;
        let mut met = meet(
            source,
            items,
            problem,
            &self.search.meeting(),
            self.settings.max_bucket,
            is_first,
            stages,
        )?;
        if self.verifier.is_some() {
            // What verifies may be wrong, so that each pair must be looked at.
            met.pairs.get_or_insert_with(|| problem.all().collect());
        }
        let distance: &DistanceOf<'_> = &|pair| self.distance(pair);
        let verify = self.settings.verify.method;
        let matches: Vec<Match> = match &met.pairs {
            Some(pairs) => {
                let candidates = stages.time("compare", || compared(pairs, distance));
                let are_matches = self.judge(seed, &candidates, stages)?;
                let is_exact = verify == Verification::Exact && self.verifier.is_none();
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
            None if verify == Verification::Signature => return Err(no_signatures::<P>()),
            None => {
                let within: &WithinOf<'_> = &|pair| self.within(pair);
                let matches = stages.time("compare", || near_pairs(problem, within));
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
            let name_and_look = |id: Id| {
                let look = P::Data::show(items.item(id as usize));
                (self.loaded.name(id), look)
            };
            all.examples = examples::choose(self.truth, limit, &met, distance, &name_and_look);
            all.buckets = met.buckets;
            if Signed::are_few(items.count(), self.scheme.functions()) {
                let name = |id: Id| self.loaded.name(id);
                let signatures = self.signatures(seed)?;
                all.signatures = signatures.map(|it| it.shown(problem.all(), distance, &name));
            }
        }
        Ok(())
    }

    fn both(&self, pair: Pair) -> [&Prepared<P>; 2] {
        [pair.a(), pair.b()].map(|id| &self.prepared[id as usize])
    }

    fn distance(&self, pair: Pair) -> f64 {
        let [a, b] = self.both(pair);
        apart(self.search.metric(), a, b)
    }

    fn within(&self, pair: Pair) -> Option<f64> {
        let [a, b] = self.both(pair);
        let metric = self.search.metric();
        let is_empty = metric.is_empty(a) && metric.is_empty(b);
        metric.within(a, b, self.limit).filter(|_| !is_empty)
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
            Verification::Exact => Ok(match self.verifier {
                Some(verifier) => stages.time("verify", || judged(candidates, verifier)),
                None => candidates
                    .iter()
                    .map(|it| it.distance <= self.limit)
                    .collect(),
            }),
            Verification::Signature => {
                let signatures = stages.time("signatures", || self.signatures(seed))?;
                let signatures = signatures.ok_or_else(no_signatures::<P>)?;
                let alike = |pair| 1.0 - signatures.agreement(pair) <= self.limit + 1e-9;
                Ok(stages.time("verify", || judged(candidates, &alike)))
            }
        }
    }

    /// The signatures of all items, if the family has some.
    fn signatures(&self, seed: u64) -> Result<Option<Signed>, Error> {
        let source = self.search.source(self.scheme, seed)?;
        let of = self.search.signatures(&source);
        Ok(of.map(|of| Signed::new(&of, &self.loaded.items)))
    }
}

fn no_signatures<P: Plugin>() -> Error {
    let (name, measure) = (P::NAME, P::MEASURE.name());
    let message =
        format!("{name} has no signatures that estimate the {measure}: use exact or none");
    Error::setting("verify.method", message)
}

/// The distance of a pair, if it is within the limit.
type WithinOf<'a> = dyn Fn(Pair) -> Option<f64> + Sync + 'a;

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

/// Compares everything.
fn near_pairs(problem: Problem, within: &WithinOf<'_>) -> Vec<Match> {
    let rows = problem.asking().into_par_iter().flat_map_iter(|asking| {
        problem.partners(asking).filter_map(move |partner| {
            let pair = Pair::new(asking, partner)?;
            let distance = within(pair)?;
            Some(Match { pair, distance })
        })
    });
    rows.collect()
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
        let is_candidate = |&&(a, b): &&(Id, Id)| match (&met.pairs, Pair::new(a, b)) {
            (Some(pairs), Some(pair)) => pairs.binary_search(&pair).is_ok(),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        counts.push(group.pairs.iter().filter(is_candidate).count() as u64);
    }
}
