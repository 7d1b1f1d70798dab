//! A family bound to items and a plan.

use std::ops::Range;

use lookalike_core::{
    Bounds, Distances, Items, KeySource, Match, Near, Pair, Payload,
    plugin::{Distance, Hit, ItemOf, ItemsOf, Kernel, KindOf, MetricOf},
};
use lookalike_engine::{BucketIndex, Columns, Exact, Id, Join, Query, Verify};
use rayon::prelude::*;

use crate::{
    Asker, Candidates, Comparer, Dataset, Error, Pairs, Plan, Search, SignatureOfId, Tables,
    brute::{Compares, without_copies},
    compared::Compared,
    erased::{AnyKeys, ErasedSource},
    slice::Slice,
    tables::{First, Joined},
};

/// The keys of a family over a distance.
type KeysOf<D, P> = dyn AnyKeys<ItemOf<D>, P>;
/// What gives items of a distance their keys.
type SourceOf<D, P> = ErasedSource<ItemOf<D>, P>;

/// A family bound to items and a plan.
pub(crate) struct Bound<'a, D: Distance, P: Payload> {
    items: &'a ItemsOf<D>,
    compares: Compares<D>,
    keys: Box<KeysOf<D, P>>,
    plan: Plan,
}

impl<'a, D: Distance, P: Payload> Bound<'a, D, P> {
    pub(crate) fn new(
        data: &'a Dataset,
        plan: &Plan,
        distance: &D,
        keys: Box<KeysOf<D, P>>,
    ) -> Result<Self, Error> {
        Ok(Self {
            items: data.items::<KindOf<D>>()?,
            compares: Compares::new(distance)?,
            keys,
            plan: plan.clone(),
        })
    }

    fn limit(&self) -> f64 {
        self.plan.limit.unwrap_or(f64::INFINITY)
    }

    fn source(&self) -> Result<SourceOf<D, P>, Error> {
        Ok(self.keys.source(&self.plan.scheme, self.plan.seed)?)
    }

    /// The pairs among `items` that are within the limit, the nearest first.
    fn matches(
        &self,
        items: &ItemsOf<D>,
        near: &dyn Distances<ItemOf<D>>,
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
        Ok(join(&columns, &Within { near, limit }, top))
    }

    /// The pairs of which one is among the best that the other meets.
    fn ranked_pairs(
        &self,
        items: &ItemsOf<D>,
        near: &dyn Distances<ItemOf<D>>,
        source: SourceOf<D, P>,
    ) -> Result<Vec<Match>, Error> {
        let index = BucketIndex::build(source, items)?;
        let met = for_each(items.count(), &|| {
            let mut met = Met::new(&*self.keys, &index);
            Box::new(move |id| met.best(items.item(id), Some(id as Id)))
        })?;
        let limit = self.limit();
        Ok(verified_pairs(met, &|pair| near.pair(pair, limit)))
    }
}

impl<D: Distance, P: Payload> Search for Bound<'_, D, P> {
    fn pairs(&self, top: Option<usize>) -> Result<Pairs, Error> {
        without_copies(&self.compares, self.items, &|items, near| {
            self.matches(items, near, top)
        })
    }

    fn asker(&self) -> Result<Box<dyn Asker + '_>, Error> {
        Ok(Box::new(KeyAsker {
            index: BucketIndex::build(self.source()?, self.items)?,
            kernel: self.compares.kernel(self.items),
            exact: Exact::new(self.compares.metric(), self.items),
            bound: self,
        }))
    }

    fn promise(&self, distance: f64) -> Option<Bounds> {
        self.keys.promise(&self.plan.scheme, distance)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Compared::<D>::new(self.compares.metric(), self.items))
    }

    fn tables(
        &self,
        seed: u64,
        queries: Option<u32>,
    ) -> Result<Option<Box<dyn Tables + '_>>, Error> {
        let source = self.keys.source(&self.plan.scheme, seed)?;
        if queries.is_none() && !source.has_probes() && self.keys.verified().is_none() {
            return Ok(Some(Box::new(Joined(Columns::build(&source, self.items)?))));
        }
        let count = self.items.count();
        let stored = count - queries.map_or(0, |queries| count.min(queries as usize));
        let items = First {
            items: self.items,
            count: stored,
        };
        Ok(Some(Box::new(Asked {
            bands: source.bands(),
            index: BucketIndex::build(source, &items)?,
            asking: match queries {
                None => 0..count as Id,
                Some(_) => stored as Id..count as Id,
            },
            bound: self,
        })))
    }

    fn verified(&self) -> Option<usize> {
        self.keys.verified()
    }

    fn signatures(&self, seed: u64) -> Option<SignatureOfId<'_>> {
        let signature = self.keys.signature(&self.plan.scheme, seed)?;
        Some(Box::new(move |id| signature(self.items.item(id as usize))))
    }
}

/// Stored items that others, or all, are asked of.
struct Asked<'a, D: Distance, P: Payload> {
    bound: &'a Bound<'a, D, P>,
    index: BucketIndex<SourceOf<D, P>>,
    bands: usize,
    asking: Range<Id>,
}

impl<D: Distance, P: Payload> Tables for Asked<'_, D, P> {
    fn candidates(&self, _: usize) -> Result<Candidates, Error> {
        let (keys, items) = (&*self.bound.keys, self.bound.items);
        let asked = self.asking.clone().into_par_iter().map_init(
            || Met::new(keys, &self.index),
            |met, asking| {
                let item = items.item(asking as usize);
                let ids = match keys.verified() {
                    Some(_) => met.best(item, Some(asking))?,
                    None => met.query.candidates(item)?.to_vec(),
                };
                let pairs = ids.iter().filter_map(|&id| Pair::new(asking, id));
                Ok(pairs.collect::<Vec<Pair>>())
            },
        );
        let mut pairs = asked.collect::<Result<Vec<_>, Error>>()?.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        Ok(Candidates {
            pairs,
            not_compared: 0,
        })
    }

    fn bands(&self) -> usize {
        self.bands
    }

    fn keys(&self, band: usize) -> Vec<u64> {
        self.index.keys(band).map(|posting| posting.key).collect()
    }

    fn bytes(&self) -> u64 {
        self.index.bytes() as u64
    }
}

/// Answers queries from buckets.
struct KeyAsker<'a, D: Distance, P: Payload> {
    bound: &'a Bound<'a, D, P>,
    index: BucketIndex<SourceOf<D, P>>,
    kernel: Option<Kernel<'a, D>>,
    exact: Exact<'a, MetricOf<D>, ItemsOf<D>>,
}

impl<D: Distance, P: Payload> Asker for KeyAsker<'_, D, P> {
    fn ask(
        &self,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error> {
        let queries = Slice::<KindOf<D>>::new(queries, places, self.bound.plan.width)?;
        let near: &dyn Distances<ItemOf<D>> = match &self.kernel {
            Some(kernel) => &**kernel,
            None => &self.exact,
        };
        let limit = self.bound.limit();
        for_each(queries.count(), &|| {
            let (mut met, queries) = (Met::new(&*self.bound.keys, &self.index), &queries);
            Box::new(move |place| {
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
            })
        })
    }
}

/// What one thread does with the item at a place.
type Work<'a, T> = Box<dyn FnMut(usize) -> Result<T, Error> + 'a>;

/// The results of work on each of `count` places, in their order; `make` is called once per thread or more often. Behind
/// one call per item, so that it is compiled once and not once per distance.
fn for_each<'a, T: Send>(
    count: usize,
    make: &(dyn Fn() -> Work<'a, T> + Sync),
) -> Result<Vec<T>, Error> {
    let places = (0..count).into_par_iter();
    places.map_init(make, |work, place| work(place)).collect()
}

/// The pairs of each item with those that it met that are near, the nearest first.
fn verified_pairs(met: Vec<Vec<Id>>, near: &(dyn Fn(Pair) -> Option<f64> + Sync)) -> Vec<Match> {
    let of_one = |(id, met): (Id, Vec<Id>)| {
        let pairs = met.into_iter();
        pairs.filter_map(move |other| Pair::new(id, other))
    };
    let mut pairs: Vec<Pair> = (0..).zip(met).flat_map(of_one).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let verified = pairs.into_par_iter().filter_map(|pair| {
        let distance = near(pair)?;
        Some(Match { pair, distance })
    });
    let mut matches: Vec<Match> = verified.collect();
    matches.par_sort_unstable_by(Match::nearest_first);
    matches
}

/// A reader of an index that ranks what it meets.
struct Met<'a, I: ?Sized, P: Payload> {
    keys: &'a dyn AnyKeys<I, P>,
    query: Query<'a, ErasedSource<I, P>>,
    hits: Vec<Hit<P>>,
}

impl<'a, I: ?Sized, P: Payload> Met<'a, I, P> {
    fn new(keys: &'a dyn AnyKeys<I, P>, index: &'a BucketIndex<ErasedSource<I, P>>) -> Self {
        Self {
            keys,
            query: index.query(),
            hits: Vec::new(),
        }
    }

    /// The best of the items that `item` meets, itself aside.
    fn best(&mut self, item: &I, own: Option<Id>) -> Result<Vec<Id>, Error> {
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

/// Accepts pairs of items within a limit.
struct Within<'a, I: ?Sized> {
    near: &'a dyn Distances<I>,
    limit: f64,
}

impl<I: ?Sized> Verify for Within<'_, I> {
    fn verify(&self, pair: Pair) -> Option<f64> {
        self.near.pair(pair, self.limit)
    }

    fn drop_far(&self, pairs: &mut Vec<Pair>) {
        self.near.drop_far(pairs, self.limit);
    }
}

/// Not generic, so that the join is compiled once and not once per family.
fn join(columns: &Columns, verify: &dyn Verify, top: Option<usize>) -> Vec<Match> {
    // No limit on buckets: what was promised must be found.
    let join = Join::new(columns).bucket_limit(usize::MAX);
    let mut matches = match top {
        Some(k) => join.top(k, verify).found,
        None => join.matches(verify).found,
    };
    matches.par_sort_unstable_by(Match::nearest_first);
    matches
}
