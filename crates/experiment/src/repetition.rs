//! One draw of functions, and what it finds.

use lookalike_core::{Metric, Scheme};
use lookalike_dedup::{Grouping, Keep, Method};
use lookalike_engine::{Id, Match, Pair, cluster};
use rayon::prelude::*;

use crate::{
    Buckets, Data, Error, Example, Loaded, Plugin, Search, Settings, Verifier,
    bins::Bins,
    examples,
    meeting::{Met, meet},
    run::Prepared,
    stages::Stages,
    tally::Tally,
    truth::Truth,
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
        let metric = self.search.metric();
        let distance = |pair: &Pair| {
            metric.distance(
                &self.prepared[pair.a as usize],
                &self.prepared[pair.b as usize],
            )
        };
        let matches: Vec<Match> = match &met.pairs {
            Some(pairs) => {
                let compare = || pairs.par_iter().map(distance).collect();
                let distances: Vec<f64> = stages.time("compare", compare);
                let judged = self.judge(seed, pairs, &distances, stages)?;
                let both = pairs.iter().zip(&distances).zip(&judged);
                let candidates = both
                    .clone()
                    .map(|((pair, distance), is_match)| (*pair, *distance, *is_match));
                all.tallies
                    .push(Tally::new(self.truth, self.bins, limit, candidates));
                let matched = both.filter(|(_, is_match)| **is_match);
                matched
                    .map(|((&pair, &distance), _)| Match { pair, distance })
                    .collect()
            }
            None => {
                let matches = stages.time("compare", || self.near_pairs());
                let count = match self.settings.verify.method {
                    Method::None => problem.pairs(),
                    _ => matches.len() as u64,
                };
                all.tallies
                    .push(Tally::of_all(self.truth, self.bins, limit, count));
                matches
            }
        };
        let clusters = stages.time("cluster", || self.clusters(&matches));
        all.clusters.push(clusters);
        self.groups(&met, &mut all.groups);
        all.not_compared.push(met.not_compared as f64);
        all.key_bytes.push(met.key_bytes as f64);
        if is_first {
            all.examples =
                examples::choose::<P::Data>(self.loaded, self.truth, limit, &met, distance);
            all.buckets = met.buckets;
        }
        Ok(())
    }

    /// Whether each candidate is a match.
    fn judge(
        &self,
        seed: u64,
        pairs: &[Pair],
        distances: &[f64],
        stages: &mut Stages,
    ) -> Result<Vec<bool>, Error> {
        match self.settings.verify.method {
            Method::None => Ok(vec![true; pairs.len()]),
            Method::Exact => Ok(match self.verifier {
                Some(verifier) => stages.time("verify", || {
                    let pairs = pairs.par_iter();
                    pairs.map(|pair| verifier(*pair)).collect()
                }),
                None => distances.iter().map(|d| *d <= self.limit).collect(),
            }),
            Method::Signature => {
                let source = self.search.source(self.scheme, seed)?;
                let items = &self.loaded.items;
                let agreement = self.search.agreement(&source, items);
                let Some(agreement) = agreement else {
                    let message = format!(
                        "{} has no signatures that estimate the {}: use exact or none",
                        P::NAME,
                        P::MEASURE.name()
                    );
                    return Err(Error::setting("verify.method", message));
                };
                let alike = |pair: &Pair| 1.0 - agreement(*pair) <= self.limit + 1e-9;
                Ok(stages.time("signatures", || pairs.par_iter().map(alike).collect()))
            }
        }
    }

    /// Compares everything.
    fn near_pairs(&self) -> Vec<Match> {
        let metric = self.search.metric();
        let problem = self.truth.problem;
        let rows = problem.asking().into_par_iter().flat_map_iter(|asking| {
            problem.partners(asking).filter_map(move |partner| {
                let pair = Pair::new(asking, partner)?;
                let [x, y] = [pair.a, pair.b].map(|id| &self.prepared[id as usize]);
                let distance = metric.within(x, y, self.limit)?;
                Some(Match { pair, distance })
            })
        });
        rows.collect()
    }

    /// How many clusters, and how many items the largest has.
    fn clusters(&self, matches: &[Match]) -> (u64, u64) {
        let last = self.settings.cluster.keep == Keep::Last;
        let rank = |id: Id| if last { Id::MAX - id } else { id };
        let clusters = match self.settings.cluster.method {
            Grouping::Star => cluster::star(matches, rank),
            Grouping::Components => cluster::components(matches, rank),
        };
        let largest = clusters.iter().map(|it| it.members.len() as u64 + 1).max();
        (clusters.len() as u64, largest.unwrap_or(0))
    }

    /// Counts the planted pairs among the candidates.
    fn groups(&self, met: &Met, counts: &mut Vec<Vec<u64>>) {
        counts.resize(self.loaded.groups.len(), Vec::new());
        for (group, counts) in self.loaded.groups.iter().zip(counts) {
            let is_candidate = |&&(a, b): &&(Id, Id)| match (&met.pairs, Pair::new(a, b)) {
                (Some(pairs), Some(pair)) => pairs.binary_search(&pair).is_ok(),
                (None, Some(_)) => true,
                (_, None) => false,
            };
            counts.push(group.pairs.iter().filter(is_candidate).count() as u64);
        }
    }
}
