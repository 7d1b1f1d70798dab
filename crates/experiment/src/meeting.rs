//! From keys to candidates.

use lookalike_core::{Items, KeySource};
use lookalike_engine::{BucketIndex, Columns, Id, Join, Pair};
use rayon::prelude::*;

use crate::{
    Error, Meeting,
    buckets::Buckets,
    problem::{Problem, Stored},
    stages::Stages,
};

/// The candidates of one repetition.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    /// The pairs, in order; `None`: all there are.
    pub(crate) pairs: Option<Vec<Pair>>,
    /// Pairs that shared only buckets over the limit.
    pub(crate) not_compared: u64,
    /// Bytes of the keys in memory.
    pub(crate) key_bytes: u64,
    /// What the buckets look like, if that was asked.
    pub(crate) buckets: Option<Buckets>,
}

/// Finds the candidates among the pairs of a problem.
pub(crate) fn meet<S: KeySource>(
    source: S,
    items: &impl Items<S::Item>,
    problem: Problem,
    meeting: &Meeting<S::Payload>,
    max_bucket: u32,
    with_buckets: bool,
    stages: &mut Stages,
) -> Result<Met, Error> {
    let bands = source.bands();
    match (meeting, problem) {
        (Meeting::Presence, _) => Ok(Met {
            pairs: None,
            not_compared: 0,
            key_bytes: 0,
            buckets: None,
        }),
        (Meeting::Keys, Problem::ManyToMany { .. }) if !source.has_probes() => {
            let columns = stages.time("keys", || Columns::build(&source, items))?;
            let join = Join::new(&columns).bucket_limit(max_bucket as usize);
            let joined = stages.time("candidates", || join.candidates());
            let keys_of = |band: usize| -> Vec<u64> {
                let ids = 0..columns.items() as Id;
                ids.flat_map(|item| columns.keys(band, item).iter().copied())
                    .collect()
            };
            let all =
                (0..bands).flat_map(|band| (0..columns.items() as Id).map(move |id| (band, id)));
            let keys: usize = all.map(|(band, id)| columns.keys(band, id).len()).sum();
            Ok(Met {
                pairs: Some(joined.found),
                not_compared: joined.summary.not_compared,
                key_bytes: keys as u64 * 8,
                buckets: with_buckets.then(|| Buckets::new((0..bands).map(keys_of))),
            })
        }
        _ => {
            let stored = Stored { items, problem };
            let index = stages.time("keys", || BucketIndex::build(source, &stored))?;
            let pairs = stages.time("candidates", || ask(&index, items, problem, meeting))?;
            let keys_of = |band: usize| index.keys(band).map(|posting| posting.key).collect();
            Ok(Met {
                pairs: Some(pairs),
                not_compared: 0,
                key_bytes: index.bytes() as u64,
                buckets: with_buckets.then(|| Buckets::new((0..bands).map(keys_of))),
            })
        }
    }
}

/// The pairs of which one asks and meets the other, or elects it.
fn ask<S: KeySource>(
    index: &BucketIndex<S>,
    items: &impl Items<S::Item>,
    problem: Problem,
    meeting: &Meeting<S::Payload>,
) -> Result<Vec<Pair>, Error> {
    let answers = problem.asking().into_par_iter().map_init(
        || (index.query(), Vec::new()),
        |(query, hits), asking| {
            let item = items.item(asking as usize);
            let pair = |id: &Id| Pair::new(asking, *id);
            Ok(match meeting {
                Meeting::Votes(elected) => {
                    hits.clear();
                    query.hits(item, |hit| {
                        // Nobody votes for itself.
                        if hit.id != asking {
                            hits.push(hit);
                        }
                    })?;
                    elected(hits).iter().filter_map(pair).collect()
                }
                _ => query.candidates(item)?.iter().filter_map(pair).collect(),
            })
        },
    );
    let answers: Vec<Vec<Pair>> = answers.collect::<Result<_, lookalike_engine::Error>>()?;
    let mut pairs = answers.concat();
    pairs.par_sort_unstable();
    pairs.dedup();
    Ok(pairs)
}
