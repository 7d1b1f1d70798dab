//! Brute force, a method of every distance, and methods bound to items.

use std::{marker::PhantomData, ops::Range};

use lookalike_core::{
    Bounds, Distances, Items, Match, Metric, Near, Probability, Scheme,
    plugin::{
        self, Distance, ItemOf, ItemsOf, Kernel, Kind, KindOf, Method, Proposal, Recall, Task,
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
    type Built = Compares<D>;

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

    fn build(&self, distance: &D, _: &ItemsOf<D>, _: u64) -> Result<Compares<D>, plugin::Error> {
        Compares::new(distance)
    }

    fn query(
        built: &Compares<D>,
        items: &ItemsOf<D>,
        item: &ItemOf<D>,
        k: usize,
        limit: f64,
    ) -> Vec<Near> {
        let mut found = Vec::new();
        let places = 0..items.count() as u32;
        built.with(items, &mut |near| {
            near.near_in(item, places.clone(), limit, &mut found)
        });
        found.sort_unstable_by(Near::nearest_first);
        found.truncate(k);
        found
    }

    fn query_all(
        built: &Compares<D>,
        items: &ItemsOf<D>,
        queries: &dyn Items<ItemOf<D>>,
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>> {
        let mut nearest = Vec::new();
        built.with(items, &mut |items| {
            let brute = Brute::new(items);
            nearest = brute.map_or(Vec::new(), |brute| brute.nearest(queries, k, limit));
        });
        nearest
    }

    fn pairs(built: &Compares<D>, items: &ItemsOf<D>, limit: f64) -> Vec<Match> {
        let mut pairs = Vec::new();
        built.with(items, &mut |items| {
            pairs = Brute::new(items).map_or(Vec::new(), |brute| brute.pairs(limit));
        });
        pairs
    }
}

/// Compares items by a distance: by its kernel if it has one, by its metric if not.
pub struct Compares<D: Distance> {
    distance: D,
    metric: D::Metric,
}

impl<D: Distance> std::fmt::Debug for Compares<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Compares").field(&self.distance).finish()
    }
}

impl<D: Distance> Compares<D> {
    pub(crate) fn new(distance: &D) -> Result<Self, plugin::Error> {
        Ok(Self {
            metric: distance.metric()?,
            distance: distance.clone(),
        })
    }

    pub(crate) fn metric(&self) -> &D::Metric {
        &self.metric
    }

    /// Calls `work` with the items, ready to be compared.
    pub(crate) fn with(&self, items: &ItemsOf<D>, work: &mut dyn FnMut(&dyn Distances<ItemOf<D>>)) {
        match self.distance.kernel(items) {
            Some(kernel) => work(&*kernel),
            None => work(&Exact::new(&self.metric, items)),
        }
    }

    /// The kernel of the distance, if it has one.
    pub(crate) fn kernel<'a>(&self, items: &'a ItemsOf<D>) -> Option<Kernel<'a, D>> {
        self.distance.kernel(items)
    }
}

/// A method bound to items and a plan.
pub(crate) struct BoundMethod<'a, M: Method> {
    items: &'a ItemsOf<M::Distance>,
    compares: Compares<M::Distance>,
    method: M,
    plan: Plan,
}

impl<'a, M: Method> BoundMethod<'a, M> {
    pub(crate) fn new(data: &'a Dataset, plan: &Plan) -> Result<Self, Error> {
        let distance: M::Distance = from_table(&plan.parameters)?;
        Ok(Self {
            items: data.items::<KindOf<M::Distance>>()?,
            compares: Compares::new(&distance)?,
            method: from_table(&plan.parameters)?,
            plan: plan.clone(),
        })
    }

    fn build(&self, items: &ItemsOf<M::Distance>) -> Result<M::Built, Error> {
        let distance = &self.compares.distance;
        Ok(self.method.build(distance, items, self.plan.seed)?)
    }

    fn limit(&self) -> f64 {
        self.plan.limit.unwrap_or(f64::INFINITY)
    }
}

impl<M: Method> Search for BoundMethod<'_, M> {
    fn pairs(&self, top: Option<usize>) -> Result<Pairs, Error> {
        without_copies(&self.compares, self.items, &|items, _| {
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
        Box::new(Compared::<M::Distance>::new(
            self.compares.metric(),
            self.items,
        ))
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
    compares: &Compares<D>,
    items: &ItemsOf<D>,
    search: &SearchItems<'_, D>,
) -> Result<Pairs, Error> {
    let search = |items: &ItemsOf<D>| {
        let mut found = Ok(Vec::new());
        compares.with(items, &mut |near| found = search(items, near));
        found
    };
    let metric = compares.metric();
    let unique = match metric.axioms().has_zeros() {
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
