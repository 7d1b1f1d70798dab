//! Items made ready to be compared.

use lookalike_core::{
    Items, Metric, Pair,
    plugin::{Distance, ItemsOf, MetricOf},
};
use rayon::prelude::*;

use crate::Comparer;

/// All items of a distance, each prepared once.
pub(crate) struct Compared<'a, D: Distance> {
    metric: &'a MetricOf<D>,
    prepared: Vec<<MetricOf<D> as Metric>::Prepared>,
}

impl<'a, D: Distance> Compared<'a, D> {
    pub(crate) fn new(metric: &'a MetricOf<D>, items: &ItemsOf<D>) -> Self {
        let places = (0..items.count()).into_par_iter();
        let prepared = places.map(|place| metric.prepare(items.item(place)));
        Self {
            metric,
            prepared: prepared.collect(),
        }
    }

    /// The two items, unless both are empty.
    fn both(&self, pair: Pair) -> Option<[&<MetricOf<D> as Metric>::Prepared; 2]> {
        let both = [pair.a(), pair.b()].map(|id| &self.prepared[id as usize]);
        let is_empty = both.iter().all(|item| self.metric.is_empty(item));
        (!is_empty).then_some(both)
    }
}

impl<D: Distance> Comparer for Compared<'_, D> {
    fn distance(&self, pair: Pair) -> Option<f64> {
        let [a, b] = self.both(pair)?;
        Some(self.metric.distance(a, b))
    }

    fn within(&self, pair: Pair, limit: f64) -> Option<f64> {
        let [a, b] = self.both(pair)?;
        self.metric.within(a, b, limit)
    }
}
