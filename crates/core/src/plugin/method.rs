use super::{Distance, Error, ItemOf, ItemsOf, Params, Proposal, Task};
use crate::{Items, Match, Near, Pair};

/// A way to search a distance that is not keys in buckets, such as brute force or a scan of sketches. The value holds
/// its parameters.
pub trait Method: Params {
    /// The name in files and flags: `brute-force`.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str = "";
    /// The distance that it searches.
    type Distance: Distance;
    /// What is learned from the items, such as sketches or cells. It is never part of a plan.
    type Built: Send + Sync;

    /// Parameters for a task, after a look at the items; `None` if the method cannot do it.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn propose(
        &self,
        distance: &Self::Distance,
        items: &ItemsOf<Self::Distance>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error>;

    /// Learns what a search of these items needs.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn build(
        &self,
        distance: &Self::Distance,
        items: &ItemsOf<Self::Distance>,
        seed: u64,
    ) -> Result<Self::Built, Error>;

    /// The `k` nearest items within `limit` of `item`, the nearest first, then by id.
    fn query(
        built: &Self::Built,
        items: &ItemsOf<Self::Distance>,
        item: &ItemOf<Self::Distance>,
        k: usize,
        limit: f64,
    ) -> Vec<Near>;

    /// The same for many queries at once: [`query`](Method::query) for each unless overridden.
    fn query_all(
        built: &Self::Built,
        items: &ItemsOf<Self::Distance>,
        queries: &dyn Items<ItemOf<Self::Distance>>,
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>> {
        let query = |place| Self::query(built, items, queries.item(place), k, limit);
        (0..queries.count()).map(query).collect()
    }

    /// All pairs within `limit`, the nearest first, then by their ids: a query for each item unless overridden.
    fn pairs(built: &Self::Built, items: &ItemsOf<Self::Distance>, limit: f64) -> Vec<Match> {
        let mut matches: Vec<Match> = Vec::new();
        let answers = Self::query_all(built, items, items, usize::MAX, limit);
        for (id, found) in (0u32..).zip(answers) {
            matches.extend(found.into_iter().filter_map(|near| {
                let pair = Pair::new(id, near.id)?;
                let distance = near.distance;
                Some(Match { pair, distance })
            }));
        }
        matches.sort_unstable_by(Match::nearest_first);
        matches.dedup_by_key(|found| found.pair);
        matches
    }
}
