use super::{BrokenAxiom, Measurement};
use crate::{Error, TooManyKeys};

/// A promise that was not kept, or a test that says nothing.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// One function agrees too often or too seldom.
    #[error("one function breaks the promise of its family {0}")]
    Function(Measurement),
    /// One function agrees too often or too seldom on one pair, over many seeds: functions are not random enough.
    #[error("over many seeds, one and the same pair breaks the promise of one function {0}")]
    Pair(Measurement),
    /// A scheme nominates too often or too seldom.
    #[error("the scheme breaks its promise {0}")]
    Scheme(Measurement),
    /// A scheme breaks its promise if the item that is asked and the item that is stored change places.
    #[error("asked the other way round, the scheme breaks its promise {0}")]
    Reverse(Measurement),
    /// A scheme breaks its promise on one pair, over many seeds.
    #[error("over many seeds, one and the same pair breaks the promise of the scheme {0}")]
    SchemePair(Measurement),
    /// Functions that are promised to be independent agree together.
    #[error(
        "functions {0} apart agree together: their correlation is {1:.4}, but the promise is that of independent functions"
    )]
    Lagged(usize, f64),
    /// Two functions that are promised to be independent agree together.
    #[error(
        "functions {0} and {1} agree together: their correlation is {2:.4}, but the promise is that of independent functions"
    )]
    Correlated(usize, usize, f64),
    /// The number of functions that agree varies more than that of independent functions.
    #[error(
        "the number of functions that agree has {0:.3} times the variance of independent functions"
    )]
    Overdispersed(f64),
    /// The collision probability grows with the distance.
    #[error("the promise grows from distance {0} to distance {1}")]
    Grows(f64, f64),
    /// No distance was given, or one that is not a number.
    #[error("no distance to test")]
    NothingTested,
    /// The pairs do not follow the wanted distances, so little was tested.
    #[error("pairs that should lie at different distances all lie at {0}")]
    OneDistance(f64),
    /// The draws are too few to see an error that matters.
    #[error(
        "too few draws: an error has to be {detectable:.4} to be seen, but one of {needed:.4} must be {at}"
    )]
    TooFew {
        /// The smallest error that would have been seen.
        detectable: f64,
        /// The error that must be seen.
        needed: f64,
        /// The measurement where the promise is steepest.
        at: Measurement,
    },
    /// The same seed gave other functions.
    #[error("two draws with seed {0} answer differently")]
    Unstable(u64),
    /// Different seeds give the same functions.
    #[error("the seeds {0} and {1} give the same functions, and so do others")]
    SeedIgnored(u64, u64),
    /// Seeds that differ in one bit give the same functions.
    #[error(
        "bit {0} of the seed does not matter: the seeds {1} and {2} give the same functions, and so do others"
    )]
    SeedBitIgnored(u32, u64, u64),
    /// A draw has another number of functions than was asked for.
    #[error("{asked} functions were asked for, but {drawn} were drawn")]
    Count {
        /// The functions that were asked for.
        asked: usize,
        /// The functions that were drawn.
        drawn: usize,
    },
    /// An answer has bits beyond its width.
    #[error("a key of {key:#x} has bits beyond the {bits} that are declared")]
    WideKey {
        /// The key.
        key: u64,
        /// How many low bits may be set.
        bits: u32,
    },
    /// A band is not below the number of bands.
    #[error("band {band} of {bands} bands, which are counted from 0")]
    Band {
        /// The band.
        band: u32,
        /// How many bands there are.
        bands: usize,
    },
    /// A query asks other keys than those that are stored, but the source says that it does not.
    #[error("a query asks other keys than those that are stored, although `has_probes` is false")]
    HiddenProbes,
    /// An item, shown as text and parsed again, is not what it was.
    #[error("an item is shown as `{0}`, which is not read back: {1}")]
    Shown(String, String),
    /// An item, encoded and decoded again, is not what it was.
    #[error("the bytes of `{0}` are not decoded as the same item: {1}")]
    Encoded(String, String),
    /// Two items are made equal and have different bytes.
    #[error("`{0}` has different bytes when the same item is made again")]
    Bytes(String),
    /// The distance breaks an axiom that it claims. The items are those of the first pairs at each distance.
    #[error(transparent)]
    Axiom(#[from] BrokenAxiom),
    /// A plan finds less than it states.
    #[error("a recall of {stated:.4} is stated, but broken {measured}")]
    Recall {
        /// What was stated.
        stated: f64,
        /// What was measured.
        measured: Measurement,
    },
    /// No pair lies within the limit of a plan, so its recall was not measured.
    #[error("no pair lies within {0}, so the recall of a plan was not measured")]
    NothingWithin(f64),
    /// A method gives a pair that is not within the limit, or with another distance than that of the metric.
    #[error(
        "a method finds items {a} and {b} at distance {found}, but they are at {truth}, and the limit is {limit}"
    )]
    Found {
        /// The first item.
        a: u32,
        /// The second item.
        b: u32,
        /// The distance that the method gives.
        found: f64,
        /// The distance by the metric.
        truth: f64,
        /// The largest distance that was asked for.
        limit: f64,
    },
    /// The distance has no specimens, so there is nothing to test with.
    #[error("items of the kind {0} cannot be made up for a test: `Distance::specimens` gives none")]
    NoSpecimens(&'static str),
    /// The functions could not be drawn.
    #[error(transparent)]
    Draw(#[from] Error),
    /// An item has too many keys.
    #[error(transparent)]
    Keys(#[from] TooManyKeys),
    /// A plugin refused its own parameters, items or scheme.
    #[error(transparent)]
    Plugin(#[from] crate::plugin::Error),
}
