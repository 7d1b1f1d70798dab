use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use super::{Error, Kind, Measure, Specimens};
use crate::{Distances, Metric};

/// Parameters as a value: a TOML table, flags, keyword arguments. Names and defaults come from serde.
pub trait Params:
    Serialize + DeserializeOwned + Default + Clone + Debug + Send + Sync + 'static
{
}

impl<T: Serialize + DeserializeOwned + Default + Clone + Debug + Send + Sync + 'static> Params
    for T
{
}

/// The kind of a distance.
pub type KindOf<D> = <D as Distance>::Kind;
/// The container of a distance's items.
pub type ItemsOf<D> = <KindOf<D> as Kind>::Items;
/// One item of a distance.
pub type ItemOf<D> = <KindOf<D> as Kind>::Item;
/// The metric of a distance.
pub type MetricOf<D> = <D as Distance>::Metric;

/// Items of a distance, laid out to be compared many at a time.
pub type Kernel<'a, D> = Box<dyn Distances<ItemOf<D>> + Send + 'a>;

/// An exact distance over a kind. The value holds its parameters, such as how a text becomes a set of shingles.
pub trait Distance: Params {
    /// How users state it; reports use the first.
    const MEASURES: &'static [Measure];
    /// Whether stored items and queries play the same part. Where they do not, as with inner products and containment,
    /// queries are answered, and all pairs of a collection are refused.
    const IS_SYMMETRIC: bool = true;
    /// What is compared.
    type Kind: Kind;
    /// The metric that the parameters make.
    type Metric: Metric<Item = <Self::Kind as Kind>::Item, Prepared: Send + Sync>
        + Send
        + Sync
        + 'static;

    /// Makes the metric.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn metric(&self) -> Result<Self::Metric, Error>;

    /// The largest distance that two items of a width can have, if there is one. A threshold at or beyond it would
    /// match everything.
    fn largest(width: usize) -> Option<f64> {
        let _ = width;
        None
    }

    /// Pairs at wanted distances, with the default parameters: what conformance tests the plugin with. `None`: it cannot
    /// be tested.
    fn specimens() -> Option<Specimens<ItemsOf<Self>>> {
        None
    }

    /// Nanoseconds of one comparison of items of a width, roughly. A constant, so that plans repeat.
    fn cost(width: usize) -> f64 {
        let _ = width;
        100.0
    }

    /// A faster way to compare one item with many than one by one, if the container has one.
    fn kernel<'a>(&self, items: &'a ItemsOf<Self>) -> Option<Kernel<'a, Self>> {
        let _ = items;
        None
    }
}
