//! The candidates of one repetition.

use lookalike_core::Pair;
use lookalike_search::Search;

use crate::{Error, buckets::Buckets, stages::Stages};

/// The candidates of one repetition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// The pairs, in order; `None`: all there are, since everything is compared.
    pub(crate) pairs: Option<Vec<Pair>>,
    /// Pairs that shared only buckets over the limit.
    pub(crate) not_compared: u64,
    /// Bytes of the keys in memory.
    pub(crate) key_bytes: u64,
    /// What the buckets look like, if that was asked.
    pub(crate) buckets: Option<Buckets>,
}

impl Met {
    /// All pairs: what a method that compares everything meets.
    pub(crate) fn everything() -> Self {
        Self::default()
    }

    /// Whether a pair is a candidate.
    pub(crate) fn has(&self, pair: Pair) -> bool {
        let pairs = self.pairs.as_ref();
        pairs.is_none_or(|pairs| pairs.binary_search(&pair).is_ok())
    }

    /// Draws functions from a seed, and finds what meets.
    pub(crate) fn new(
        search: &dyn Search,
        seed: u64,
        queries: Option<u32>,
        max_bucket: u32,
        with_buckets: bool,
        stages: &mut Stages,
    ) -> Result<Self, Error> {
        let about_family = |error| Error::about_table("family", error);
        let tables = stages.time("keys", || search.tables(seed, queries));
        let Some(tables) = tables.map_err(about_family)? else {
            return Ok(Self::everything());
        };
        let found = stages.time("candidates", || tables.candidates(max_bucket as usize));
        let found = found.map_err(about_family)?;
        let buckets = || Buckets::new((0..tables.bands()).map(|band| tables.keys(band)));
        Ok(Self {
            pairs: Some(found.pairs),
            not_compared: found.not_compared,
            key_bytes: tables.bytes(),
            buckets: with_buckets.then(buckets),
        })
    }
}
