//! From keys to candidates.

use lookalike_core::{Items, KeySource};
use lookalike_engine::{Columns, Id, Index, Join, Pair};
use rayon::prelude::*;

use crate::{Error, Meeting, buckets::Buckets, stages::Stages};

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

/// Finds the candidates among items.
pub(crate) fn meet<S: KeySource>(
    source: S,
    items: &impl Items<S::Item>,
    meeting: Meeting<S::Payload>,
    max_bucket: u32,
    with_buckets: bool,
    stages: &mut Stages,
) -> Result<Met, Error> {
    let bands = source.bands();
    match meeting {
        Meeting::Presence => Ok(Met {
            pairs: None,
            not_compared: 0,
            key_bytes: 0,
            buckets: None,
        }),
        Meeting::Keys => {
            let columns = stages.time("keys", || Columns::build(&source, items))?;
            let join = Join::new(&columns).bucket_limit(max_bucket as usize);
            let (pairs, summary) = stages.time("candidates", || join.candidates());
            let keys_of = |band: usize| -> Vec<u64> {
                let ids = 0..columns.items() as Id;
                ids.flat_map(|item| columns.keys(band, item).iter().copied())
                    .collect()
            };
            let all =
                (0..bands).flat_map(|band| (0..columns.items() as Id).map(move |id| (band, id)));
            let keys: usize = all.map(|(band, id)| columns.keys(band, id).len()).sum();
            Ok(Met {
                pairs: Some(pairs),
                not_compared: summary.not_compared,
                key_bytes: keys as u64 * 8,
                buckets: with_buckets.then(|| Buckets::new((0..bands).map(keys_of))),
            })
        }
        Meeting::Probes | Meeting::Votes { .. } => {
            let index = stages.time("keys", || Index::build(source, items))?;
            let pairs = stages.time("candidates", || match meeting {
                Meeting::Votes { least, class } => elected(&index, items, least, class),
                _ => Ok(index.pairs(items)?),
            })?;
            let keys_of = |band: usize| index.keys(band).map(|(key, _)| key).collect();
            Ok(Met {
                pairs: Some(pairs),
                not_compared: 0,
                key_bytes: index.bytes() as u64,
                buckets: with_buckets.then(|| Buckets::new((0..bands).map(keys_of))),
            })
        }
    }
}

/// The pairs of which one meets the other in so many hits of one class.
fn elected<S: KeySource>(
    index: &Index<S>,
    items: &impl Items<S::Item>,
    least: u32,
    class: fn(S::Payload, S::Payload) -> u32,
) -> Result<Vec<Pair>, Error> {
    let asked = (0..items.count() as Id).into_par_iter().map_init(
        || (index.query(), Vec::new()),
        |(query, votes), asked| {
            votes.clear();
            query.hits(items.item(asked as usize), |hit| {
                votes.push((hit.id, class(hit.stored, hit.asked)));
            })?;
            votes.sort_unstable();
            let alike = votes.chunk_by(|a, b| a == b);
            let enough = alike.filter(|votes| votes.len() >= least as usize);
            let pairs = enough.filter_map(|votes| Pair::new(asked, votes[0].0));
            Ok(pairs.collect())
        },
    );
    let asked: Vec<Vec<Pair>> = asked.collect::<Result<_, lookalike_engine::Error>>()?;
    let mut pairs = asked.concat();
    pairs.par_sort_unstable();
    pairs.dedup();
    Ok(pairs)
}
