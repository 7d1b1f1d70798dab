use std::{fmt, ops::Range, sync::OnceLock};

use lookalike_core::{Distances, Items, Metric, Near};

use crate::{Id, Pair, Verify};

/// Items under a metric. Each item is prepared once, when it is first compared.
///
/// It compares pairs for a [`Join`](crate::Join) (see [`within`](Exact::within)), and queries with items for
/// [`Brute`](crate::Brute), [`Query::near`](crate::Query::near) and [`BucketIndex::matches`](crate::BucketIndex::matches).
///
/// Two [empty](Metric::is_empty) items are never near each other, whatever the metric says: no family gives them keys,
/// and brute force agrees with the families.
///
/// ```
/// use lookalike_core::DistanceFn;
/// use lookalike_engine::{Exact, Pair, Verify};
///
/// let gap = DistanceFn(|a: &f64, b| (a - b).abs());
/// let exact = Exact::new(&gap, &[1.0, 5.0, 2.5]);
/// let verify = exact.within(2.0);
/// assert_eq!(verify.verify(Pair::ordered(0, 2)), Some(1.5));
/// assert_eq!(verify.verify(Pair::ordered(0, 1)), None);
/// ```
pub struct Exact<'a, M: Metric, C: ?Sized> {
    metric: &'a M,
    items: &'a C,
    /// Boxed, because most items of a large join are never compared.
    prepared: Vec<OnceLock<Box<M::Prepared>>>,
}

impl<'a, M, C> Exact<'a, M, C>
where
    M: Metric<Prepared: Send + Sync> + Sync,
    C: Items<M::Item> + ?Sized,
{
    /// All `items`, whose ids are their places.
    #[must_use]
    pub fn new(metric: &'a M, items: &'a C) -> Self {
        let prepared = (0..items.count()).map(|_| OnceLock::new()).collect();
        Self {
            metric,
            items,
            prepared,
        }
    }

    /// Accepts pairs at a distance of at most `limit`.
    #[must_use]
    pub fn within(&self, limit: f64) -> impl Verify {
        move |pair: Pair| self.pair(pair, limit)
    }

    fn prepared(&self, place: Id) -> &M::Prepared {
        let place = place as usize;
        self.prepared[place].get_or_init(|| Box::new(self.metric.prepare(self.items.item(place))))
    }

    fn compare(&self, a: &M::Prepared, b: &M::Prepared, limit: f64) -> Option<f64> {
        let distance = self.metric.within(a, b, limit)?;
        // Last, because it concerns few of those that are near, and nearly none of the others.
        let are_empty = self.metric.is_empty(a) && self.metric.is_empty(b);
        (!are_empty).then_some(distance)
    }

    fn compare_all(
        &self,
        item: &M::Prepared,
        places: impl Iterator<Item = Id>,
        limit: f64,
        found: &mut Vec<Near>,
    ) {
        found.extend(places.filter_map(|id| {
            let distance = self.compare(item, self.prepared(id), limit)?;
            Some(Near { id, distance })
        }));
    }
}

impl<M, C> Items<M::Item> for Exact<'_, M, C>
where
    M: Metric<Prepared: Send + Sync> + Sync,
    C: Items<M::Item> + ?Sized,
{
    fn count(&self) -> usize {
        self.items.count()
    }

    fn item(&self, place: usize) -> &M::Item {
        self.items.item(place)
    }
}

impl<M, C> Distances<M::Item> for Exact<'_, M, C>
where
    M: Metric<Prepared: Send + Sync> + Sync,
    C: Items<M::Item> + ?Sized,
{
    fn near(&self, item: &M::Item, places: &[Id], limit: f64, found: &mut Vec<Near>) {
        if !places.is_empty() {
            let item = self.metric.prepare(item);
            self.compare_all(&item, places.iter().copied(), limit, found);
        }
    }

    fn near_in(&self, item: &M::Item, places: Range<Id>, limit: f64, found: &mut Vec<Near>) {
        self.compare_all(&self.metric.prepare(item), places, limit, found);
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        self.compare(self.prepared(pair.a()), self.prepared(pair.b()), limit)
    }

    fn near_place(&self, place: Id, places: &[Id], limit: f64, found: &mut Vec<Near>) {
        self.compare_all(self.prepared(place), places.iter().copied(), limit, found);
    }

    fn near_place_in(&self, place: Id, places: Range<Id>, limit: f64, found: &mut Vec<Near>) {
        self.compare_all(self.prepared(place), places, limit, found);
    }
}

impl<M: Metric, C: ?Sized> fmt::Debug for Exact<'_, M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Exact");
        let items = self.prepared.len();
        debug.field("items", &items).finish_non_exhaustive()
    }
}
