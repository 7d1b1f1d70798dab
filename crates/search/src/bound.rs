//! A family bound to items and a plan.

use std::ops::Range;

use lookalike_core::{
    Bounds, Distances, Items, KeySource, Match, Metric, Near, Pair,
    plugin::{Distance, Family, Hit, ItemOf, ItemsOf, KeyFamily, KindOf, MetricOf},
};
use lookalike_engine::{BucketIndex, Columns, Exact, Id, Join, Query};
use rayon::prelude::*;

use crate::{
    Asker, Dataset, Error, Pairs, Plan, Search, brute::without_copies, slice::Slice,
    table::from_table,
};

/// The source of a family.
type SourceOf<F> = <<F as Family>::Keys as KeyFamily>::Source;

/// A family bound to items and a plan.
pub(crate) struct Bound<'a, F: Family> {
    items: &'a ItemsOf<F::Distance>,
    metric: MetricOf<F::Distance>,
    keys: F::Keys,
    plan: Plan,
}

impl<'a, F: Family> Bound<'a, F> {
    pub(crate) fn new(data: &'a Dataset, plan: &Plan) -> Result<Self, Error> {
        let distance: F::Distance = from_table(&plan.parameters)?;
        let family: F = from_table(&plan.parameters)?;
        Ok(Self {
            items: data.items::<KindOf<F::Distance>>()?,
            metric: distance.metric()?,
            keys: family.keys(&distance, plan.width)?,
            plan: plan.clone(),
        })
    }

    fn limit(&self) -> f64 {
        self.plan.limit.unwrap_or(f64::INFINITY)
    }

    fn source(&self) -> Result<SourceOf<F>, Error> {
        Ok(self.keys.source(&self.plan.scheme, self.plan.seed)?)
    }

    /// The pairs among `items` that are within the limit, the nearest first.
    fn matches(
        &self,
        items: &ItemsOf<F::Distance>,
        near: &dyn Distances<ItemOf<F::Distance>>,
        top: Option<usize>,
    ) -> Result<Vec<Match>, Error> {
        let (source, limit) = (self.source()?, self.limit());
        if self.keys.verified().is_some() {
            return self.ranked_pairs(items, near, source);
        }
        if source.has_probes() {
            return Ok(BucketIndex::build(source, items)?.matches(near, limit)?);
        }
        let columns = Columns::build(&source, items)?;
        Ok(join(&columns, &|pair| near.pair(pair, limit), top))
    }

    /// The pairs of which one is among the best that the other meets.
    fn ranked_pairs(
        &self,
        items: &ItemsOf<F::Distance>,
        near: &dyn Distances<ItemOf<F::Distance>>,
        source: SourceOf<F>,
    ) -> Result<Vec<Match>, Error> {
        let index = BucketIndex::build(source, items)?;
        let met = (0..items.count() as Id).into_par_iter().map_init(
            || Met::new(&self.keys, &index),
            |met, id| {
                let ids = met.best(items.item(id as usize), Some(id))?;
                Ok(ids
                    .iter()
                    .filter_map(|&other| Pair::new(id, other))
                    .collect())
            },
        );
        let mut pairs = met.collect::<Result<Vec<Vec<Pair>>, Error>>()?.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        let limit = self.limit();
        let verified = pairs.into_par_iter().filter_map(|pair| {
            let distance = near.pair(pair, limit)?;
            Some(Match { pair, distance })
        });
        let mut matches: Vec<Match> = verified.collect();
        matches.par_sort_unstable_by(Match::nearest_first);
        Ok(matches)
    }
}

impl<F: Family> Search for Bound<'_, F> {
    fn pairs(&self, top: Option<usize>) -> Result<Pairs, Error> {
        without_copies::<F::Distance>(&self.metric, self.items, |items, near| {
            self.matches(items, near, top)
        })
    }

    fn asker(&self) -> Result<Box<dyn Asker + '_>, Error> {
        Ok(Box::new(KeyAsker {
            index: BucketIndex::build(self.source()?, self.items)?,
            exact: Exact::new(&self.metric, self.items),
            bound: self,
        }))
    }

    fn promise(&self, distance: f64) -> Option<Bounds> {
        self.keys.promise(&self.plan.scheme, distance)
    }

    fn distance(&self, pair: Pair) -> f64 {
        exact_distance(&self.metric, self.items, pair)
    }
}

/// The exact distance of two items.
pub(crate) fn exact_distance<M: Metric>(
    metric: &M,
    items: &impl Items<M::Item>,
    pair: Pair,
) -> f64 {
    let [a, b] = [pair.a(), pair.b()].map(|id| metric.prepare(items.item(id as usize)));
    metric.distance(&a, &b)
}

/// Answers queries from buckets.
struct KeyAsker<'a, F: Family> {
    bound: &'a Bound<'a, F>,
    index: BucketIndex<SourceOf<F>>,
    exact: Exact<'a, MetricOf<F::Distance>, ItemsOf<F::Distance>>,
}

impl<F: Family> Asker for KeyAsker<'_, F> {
    fn ask(
        &self,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error> {
        let queries = Slice::<KindOf<F::Distance>>::new(queries, places, self.bound.plan.width)?;
        let kernel = F::Distance::kernel(self.bound.items);
        let near: &dyn Distances<ItemOf<F::Distance>> = kernel.unwrap_or(&self.exact);
        let limit = self.bound.limit();
        let asked = (0..queries.count()).into_par_iter().map_init(
            || Met::new(&self.bound.keys, &self.index),
            |met, place| {
                let item = queries.item(place);
                if self.bound.keys.verified().is_none() {
                    let found = met.query.near(item, near, limit)?;
                    return Ok(found[..found.len().min(k)].to_vec());
                }
                let mut found = Vec::new();
                near.near(item, &met.best(item, None)?, limit, &mut found);
                found.sort_unstable_by(Near::nearest_first);
                found.truncate(k);
                Ok(found)
            },
        );
        asked.collect()
    }
}

/// A reader of an index that ranks what it meets.
struct Met<'a, K: KeyFamily> {
    keys: &'a K,
    query: Query<'a, K::Source>,
    hits: Vec<Hit<<K::Source as KeySource>::Payload>>,
}

impl<'a, K: KeyFamily> Met<'a, K> {
    fn new(keys: &'a K, index: &'a BucketIndex<K::Source>) -> Self {
        Self {
            keys,
            query: index.query(),
            hits: Vec::new(),
        }
    }

    /// The best of the items that `item` meets, itself aside.
    fn best(&mut self, item: &K::Item, own: Option<Id>) -> Result<Vec<Id>, Error> {
        self.hits.clear();
        let hits = &mut self.hits;
        self.query.hits(item, |hit| {
            if Some(hit.id) != own {
                hits.push(hit);
            }
        })?;
        let mut ids = self.keys.rank(&self.hits);
        ids.truncate(self.keys.verified().unwrap_or(usize::MAX));
        Ok(ids)
    }
}

/// Not generic, so that the join is compiled once and not once per family.
fn join(
    columns: &Columns,
    near: &(dyn Fn(Pair) -> Option<f64> + Sync),
    top: Option<usize>,
) -> Vec<Match> {
    // No limit on buckets: what was promised must be found.
    let join = Join::new(columns).bucket_limit(usize::MAX);
    let mut matches = match top {
        Some(k) => join.top(k, &near).found,
        None => join.matches(&near).found,
    };
    matches.par_sort_unstable_by(Match::nearest_first);
    matches
}
