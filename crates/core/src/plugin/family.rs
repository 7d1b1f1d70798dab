use super::{
    Coder, Distance, Error, Hit, ItemOf, ItemsOf, Kind, KindOf, Params, Proposal, Recall, Task,
};
use crate::{
    Bounds, Drawn, Items, KeySource, LshFamily, LshFunctions, Metric, Probability, Scheme, random,
    tune,
};

/// A family of keys for a distance, as users name it. The value holds its parameters.
pub trait Family: Params {
    /// The name in files and flags: `fast-similarity`.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str = "";
    /// What a reader should know who compares the promise with what was measured, if it is not exact.
    const CAVEAT: &'static str = "";
    /// Nanoseconds to hash an item with one function and to store the key, roughly. A constant, so that plans repeat.
    const KEY_COST: f64 = 20.0;
    /// The most functions that are chosen if the user does not say; `None`: [`tune::BUDGET`]. More for a family whose
    /// functions share most of their work.
    const FUNCTIONS: Option<u32> = None;
    /// The distance that it is sensitive to.
    type Distance: Distance;
    /// What draws key sources: for most the [`LshFamily`] itself.
    type Keys: KeyFamily<Item = ItemOf<Self::Distance>> + 'static;

    /// The family under a distance, for items of a width ([`Kind::width`]). It must not need the items: a stored index
    /// and a worker have none.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn keys(&self, distance: &Self::Distance, width: usize) -> Result<Self::Keys, Error>;

    /// The scheme that the parameters imply, such as one band per block or per given function; `None` if any will do.
    fn scheme(&self) -> Option<Scheme> {
        None
    }

    /// How many functions there are in all for items of a width, if those of a band are different ones and the distance
    /// is the number of functions that disagree: the bits of a code.
    fn distinct_functions(width: usize) -> Option<u32> {
        let _ = width;
        None
    }

    /// Parameters and a scheme for a task, after a look at the items; `None` if the family cannot do it. Unless
    /// overridden, bands and rows are [tuned] by the promise.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn propose(
        &self,
        distance: &Self::Distance,
        items: &ItemsOf<Self::Distance>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        tuned(self, distance, items, task)
    }

    /// What gives items codes for use elsewhere, drawn from a seed, if the family has such: two items that are near have
    /// codes that differ in few bits, or by whatever distance the codes are published with.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn coder(
        &self,
        distance: &Self::Distance,
        seed: u64,
    ) -> Result<Option<Coder<ItemOf<Self::Distance>>>, Error> {
        let _ = (distance, seed);
        Ok(None)
    }
}

/// A family of key sources: what [`LshFamily`] is for functions. Every `LshFamily` is one.
pub trait KeyFamily: Send + Sync {
    /// What is hashed.
    type Item: ?Sized;
    /// What gives items their keys.
    type Source: KeySource<Item = Self::Item, Scratch: 'static> + Send + 'static;

    /// Keys under a scheme, drawn from a seed.
    ///
    /// # Errors
    /// If the family cannot be drawn under this scheme.
    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error>;

    /// Bounds on the probability that items at a distance become candidates, if anything is promised.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let _ = (scheme, distance);
        None
    }

    /// The answers of the functions of a scheme, drawn from a seed, if the share on which two items agree estimates
    /// 1 − their distance.
    fn signature(&self, scheme: &Scheme, seed: u64) -> Option<SignatureOf<Self::Item>> {
        let _ = (scheme, seed);
        None
    }

    /// How many of the items that a query meets are verified; `None`: all.
    fn verified(&self) -> Option<usize> {
        None
    }

    /// The items that a query met, the most promising first: by the number of common keys, then by id, unless
    /// overridden.
    fn rank(&self, hits: &[Hit<<Self::Source as KeySource>::Payload>]) -> Vec<u32> {
        by_count(hits.iter().map(|hit| hit.id).collect())
    }
}

/// Gives an item's signature: the answer of each function, `None` for a function that has none.
pub type SignatureOf<I> = Box<dyn Fn(&I) -> Vec<Option<u64>> + Send + Sync>;

/// Each id once, the most frequent first, then by id.
fn by_count(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    let same = ids.chunk_by(|a, b| a == b);
    let mut counted: Vec<(usize, u32)> = same.map(|same| (same.len(), same[0])).collect();
    counted.sort_by_key(|&(count, id)| (std::cmp::Reverse(count), id));
    counted.into_iter().map(|(_, id)| id).collect()
}

impl<F> KeyFamily for F
where
    F: LshFamily<Functions: LshFunctions<Key: 'static, Scratch: 'static> + Send + 'static>
        + Clone
        + Send
        + Sync
        + 'static,
{
    type Item = F::Item;
    type Source = Drawn<F>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Drawn<F>, Error> {
        Ok(self.clone().amplify(scheme.clone()).draw(seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        Some(LshFamily::promise(self, scheme, distance))
    }

    fn signature(&self, scheme: &Scheme, seed: u64) -> Option<SignatureOf<F::Item>> {
        let estimates_similarity = [0.25, 0.5, 0.75].iter().all(|&distance| {
            let similarity = Probability::saturating(1.0 - distance);
            self.collision(distance) == Bounds::exact(similarity)
        });
        let source = self.source(scheme, seed).ok()?;
        estimates_similarity.then(|| source.into_signatures())
    }
}

/// Bands and rows that reach the recall by the family's promise, and what they cost on a sample of the items. `None` if
/// nothing is promised, or if no banding within the budget is enough.
///
/// # Errors
/// If a parameter is wrong.
pub fn tuned<F: Family>(
    family: &F,
    distance: &F::Distance,
    items: &ItemsOf<F::Distance>,
    task: &Task,
) -> Result<Option<Proposal<F>>, Error> {
    let width = KindOf::<F::Distance>::width(items);
    let keys = family.keys(distance, width)?;
    let costs = Costs {
        items: items.count(),
        key: F::KEY_COST,
        comparison: F::Distance::cost(width),
        functions: F::FUNCTIONS.unwrap_or(tune::BUDGET),
    };
    let promise = |scheme: &Scheme, distance| keys.promise(scheme, distance);
    let proposal = costs.proposal(task, &promise, &|| sample_distances(distance, items))?;
    Ok(proposal.map(|proposal| Proposal {
        parameters: family.clone(),
        scheme: proposal.scheme,
        recall: proposal.recall,
        seconds: proposal.seconds,
    }))
}

/// What a family promises. Behind a reference, so that planning is compiled once and not once per family.
type Promise<'a> = dyn Fn(&Scheme, f64) -> Option<Bounds> + 'a;

/// The given scheme, or the bands and rows that reach the recall; `None` if there are none.
fn scheme_for(task: &Task, budget: u32, promise: &Promise<'_>) -> Result<Option<Scheme>, Error> {
    if let Some(scheme) = &task.scheme {
        return Ok(Some(scheme.clone()));
    }
    if task.is_exact() || promise(&Scheme::default(), task.limit).is_none() {
        return Ok(None);
    }
    let goal = tune::Goal::new(task.limit, task.far)?
        .recall(task.recall)?
        .budget(task.functions.unwrap_or(budget))?;
    let tuned = goal.plan_with(|scheme, distance| {
        let promise = promise(scheme, distance);
        promise.unwrap_or(Bounds::ANYTHING)
    });
    match tuned {
        Ok(tuned) => Ok(Some(tuned.banding.scheme())),
        Err(error) if task.is_named => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// What hashing and comparing cost, in nanoseconds.
struct Costs {
    items: usize,
    key: f64,
    comparison: f64,
    /// The most functions, unless the task says.
    functions: u32,
}

impl Costs {
    /// A proposal without parameters. `sample` gives the distances of some pairs.
    fn proposal(
        &self,
        task: &Task,
        promise: &Promise<'_>,
        sample: &dyn Fn() -> Result<Vec<f64>, Error>,
    ) -> Result<Option<Proposal<()>>, Error> {
        let Some(scheme) = scheme_for(task, self.functions, promise)? else {
            return Ok(None);
        };
        Ok(Some(Proposal {
            parameters: (),
            // At least nothing is not a promise.
            recall: match promise(&scheme, task.limit).map(|bounds| bounds.lower().value()) {
                Some(lower) if lower > 0.0 => Recall::Proved(lower),
                _ => Recall::Unknown,
            },
            seconds: self.seconds(task, &scheme, &sample()?, promise),
            scheme,
        }))
    }

    /// The seconds that a scheme takes among items with a sample of their distances.
    fn seconds(&self, task: &Task, scheme: &Scheme, sample: &[f64], promise: &Promise<'_>) -> f64 {
        let met = |&distance: &f64| {
            let bounds = promise(scheme, distance);
            bounds.map_or(1.0, |bounds| bounds.upper().value())
        };
        let share = sample.iter().map(met).sum::<f64>() / sample.len().max(1) as f64;
        let hashed = self.items + task.queries.unwrap_or(0);
        let hashing = self.key * hashed as f64 * f64::from(scheme.functions());
        let comparing = self.comparison * share * task.comparisons(self.items);
        1e-9 * (hashing + comparing)
    }
}

/// The distances of some pairs of items, the same for the same items: what families plan by.
///
/// # Errors
/// If a parameter of the distance is wrong.
pub fn sample_distances<D: Distance>(distance: &D, items: &ItemsOf<D>) -> Result<Vec<f64>, Error> {
    let metric = distance.metric()?;
    Ok(sampled(items.count(), &|places| {
        let [a, b] = places.map(|place| metric.prepare(items.item(place)));
        metric.distance(&a, &b)
    }))
}

/// The distances at some pairs of places below `count`.
fn sampled(count: usize, distance: &dyn Fn([usize; 2]) -> f64) -> Vec<f64> {
    const PAIRS: u64 = 200;
    if count < 2 {
        return Vec::new();
    }
    let place = |number| (random::derive(0, number) % count as u64) as usize;
    let pair = |number| distance([place(2 * number), place(2 * number + 1)]);
    (0..PAIRS).map(pair).collect()
}
