//! Brute force, a method of every distance, and methods bound to items.

use std::{marker::PhantomData, ops::Range};

use lookalike_core::{
    Bounds, Distances, Items, Match, Metric, Near, Probability, Scheme,
    plugin::{
        self, Distance, ItemOf, ItemsOf, Kind, KindOf, Method, MetricOf, Proposal, Recall, Task,
    },
};
use lookalike_engine::{Brute, Exact};
use serde::{Deserialize, Serialize};

use crate::{
    Asker, Comparer, Dataset, Error, Pairs, Plan, Search, SignatureOfId, Tables,
    compared::Compared, slice::Slice, table::from_table, unique::Unique,
};

/// Everything compared with everything. It misses nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct BruteForce<D: Distance> {
    #[serde(skip)]
    distance: PhantomData<fn() -> D>,
}

impl<D: Distance> Method for BruteForce<D> {
    const NAME: &'static str = "brute-force";
    const SUMMARY: &'static str = "everything compared with everything: misses nothing";
    type Distance = D;
    type Built = D::Metric;

    fn propose(
        &self,
        distance: &D,
        items: &ItemsOf<D>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, plugin::Error> {
        // Wrong parameters are refused here too.
        distance.metric()?;
        if task.scheme.is_some() {
            return Ok(None);
        }
        let cost = D::cost(D::Kind::width(items));
        Ok(Some(Proposal {
            parameters: self.clone(),
            scheme: Scheme::default(),
            recall: Recall::Proved(1.0),
            seconds: 1e-9 * cost * task.comparisons(items.count()),
        }))
    }

    fn build(&self, distance: &D, _: &ItemsOf<D>, _: u64) -> Result<D::Metric, plugin::Error> {
        distance.metric()
    }

    fn query(
        metric: &D::Metric,
        items: &ItemsOf<D>,
        item: &ItemOf<D>,
        k: usize,
        limit: f64,
    ) -> Vec<Near> {
        let mut found = Vec::new();
        let places = 0..items.count() as u32;
        match D::kernel(items) {
            Some(kernel) => kernel.near_in(item, places, limit, &mut found),
            None => Exact::new(metric, items).near_in(item, places, limit, &mut found),
        }
        found.sort_unstable_by(Near::nearest_first);
        found.truncate(k);
        found
    }

    fn query_all(
        metric: &D::Metric,
        items: &ItemsOf<D>,
        queries: &dyn Items<ItemOf<D>>,
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>> {
        let nearest = |items: &dyn Distances<ItemOf<D>>| {
            let brute = Brute::new(items);
            brute.map_or(Vec::new(), |brute| brute.nearest(queries, k, limit))
        };
        match D::kernel(items) {
            Some(kernel) => nearest(kernel),
            None => nearest(&Exact::new(metric, items)),
        }
    }

    fn pairs(metric: &D::Metric, items: &ItemsOf<D>, limit: f64) -> Vec<Match> {
        let pairs = |items: &dyn Distances<ItemOf<D>>| {
            Brute::new(items).map_or(Vec::new(), |brute| brute.pairs(limit))
        };
        match D::kernel(items) {
            Some(kernel) => pairs(kernel),
            None => pairs(&Exact::new(metric, items)),
        }
    }
}

/// A method bound to items and a plan.
pub(crate) struct BoundMethod<'a, M: Method> {
    items: &'a ItemsOf<M::Distance>,
    metric: MetricOf<M::Distance>,
    method: M,
    distance: M::Distance,
    plan: Plan,
}

impl<'a, M: Method> BoundMethod<'a, M> {
    pub(crate) fn new(data: &'a Dataset, plan: &Plan) -> Result<Self, Error> {
        let distance: M::Distance = from_table(&plan.parameters)?;
        Ok(Self {
            items: data.items::<KindOf<M::Distance>>()?,
            metric: distance.metric()?,
            method: from_table(&plan.parameters)?,
            distance,
            plan: plan.clone(),
        })
    }

    fn build(&self, items: &ItemsOf<M::Distance>) -> Result<M::Built, Error> {
        Ok(self.method.build(&self.distance, items, self.plan.seed)?)
    }

    fn limit(&self) -> f64 {
        self.plan.limit.unwrap_or(f64::INFINITY)
    }
}

impl<M: Method> Search for BoundMethod<'_, M> {
    fn pairs(&self, top: Option<usize>) -> Result<Pairs, Error> {
        without_copies::<M::Distance>(&self.metric, self.items, &|items, _| {
            let mut matches = M::pairs(&self.build(items)?, items, self.limit());
            matches.truncate(top.unwrap_or(usize::MAX));
            Ok(matches)
        })
    }

    fn asker(&self) -> Result<Box<dyn Asker + '_>, Error> {
        Ok(Box::new(MethodAsker::<M> {
            built: self.build(self.items)?,
            bound: self,
        }))
    }

    fn promise(&self, _: f64) -> Option<Bounds> {
        match self.plan.recall {
            Recall::Proved(1.0) => Some(Bounds::exact(Probability::CERTAIN)),
            _ => None,
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Compared::<M::Distance>::new(&self.metric, self.items))
    }

    fn tables(&self, _: u64, _: Option<u32>) -> Result<Option<Box<dyn Tables + '_>>, Error> {
        Ok(None)
    }

    fn verified(&self) -> Option<usize> {
        None
    }

    fn signatures(&self, _: u64) -> Option<SignatureOfId<'_>> {
        None
    }
}

/// Answers queries by a method.
struct MethodAsker<'a, M: Method> {
    bound: &'a BoundMethod<'a, M>,
    built: M::Built,
}

impl<M: Method> Asker for MethodAsker<'_, M> {
    fn ask(
        &self,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error> {
        let bound = self.bound;
        let queries = Slice::<KindOf<M::Distance>>::new(queries, places, bound.plan.width)?;
        Ok(M::query_all(
            &self.built,
            bound.items,
            &queries,
            k,
            bound.limit(),
        ))
    }
}

/// The pairs that `search` finds among the items without their copies, with the pairs of copies. If equal items need
/// not be at distance 0, all items are searched.
pub(crate) fn without_copies<D: Distance>(
    metric: &D::Metric,
    items: &ItemsOf<D>,
    search: &SearchItems<'_, D>,
) -> Result<Pairs, Error> {
    let search = |items: &ItemsOf<D>| match D::kernel(items) {
        Some(kernel) => search(items, kernel),
        None => search(items, &Exact::new(metric, items)),
    };
    let unique = match <MetricOf<D> as Metric>::IS_METRIC {
        true => Unique::<D::Kind>::new(items)?,
        false => None,
    };
    let Some(unique) = unique else {
        return Ok(Pairs::new(search(items)?));
    };
    let matches = search(&unique.items)?;
    let has_copies = |&id: &u32| unique.copies.places(id).len() > 1;
    let is_empty = |&id: &u32| metric.is_empty(&metric.prepare(unique.items.item(id as usize)));
    let near = (0..unique.copies.len())
        .filter(has_copies)
        .filter(|id| !is_empty(id));
    Ok(Pairs::with_copies(
        unique.copies.clone(),
        near.collect(),
        matches,
    ))
}

/// Finds the pairs among items, compared by the second argument.
type SearchItems<'a, D> =
    dyn Fn(&ItemsOf<D>, &dyn Distances<ItemOf<D>>) -> Result<Vec<Match>, Error> + 'a;
