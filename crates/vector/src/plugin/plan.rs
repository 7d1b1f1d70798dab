//! Which parameters, bands and rows are the cheapest for a task.

use lookalike_core::{
    Banding, Items, Probability, Scheme,
    plugin::{Distance, Error, Family, KeyFamily, Proposal, Recall, Task, sample_distances},
};

use super::{Probes, Vector};
use crate::{
    Vectors,
    families::{Probed, Simulated},
};

/// Functions that are chosen at most, unless the user says how many. Products with vectors are cheap.
const BUDGET: u32 = 1024;
/// Rows of a table at most: keys of 64 bits.
const MOST_ROWS: u32 = 64;
/// Nanoseconds to store a key, or to group it in a join.
const STORE: f64 = 15.0;
/// Nanoseconds to ask for a key.
const ASK: f64 = 20.0;
/// Nanoseconds to compare a vector that is somewhere in memory: for itself, and for each dimension.
const COMPARE: (f64, f64) = (20.0, 0.3);
/// Seconds of brute force below which nobody waits for it.
const SMALL: f64 = 0.02;
/// Seconds of brute force from which the number of keys is chosen by simulation.
const SIMULATED: f64 = 1.0;
/// Keys a table that a query may ask, if nobody says how many.
pub(super) const PROBES: [u32; 3] = [1, 4, 16];

/// What planning asks of keys, beyond what a [`KeyFamily`] promises.
pub(super) trait Planned: KeyFamily {
    /// Keys that a query asks of a table.
    fn probes(&self) -> u32;

    /// How likely a query meets a vector at a distance in one table of so many rows: a quick estimate.
    fn met(&self, rows: u32, distance: f64) -> f64;

    /// The same for a query's own key.
    fn by_chance(&self, rows: u32, distance: f64) -> f64;
}

impl<F> Planned for Probes<F>
where
    Self: KeyFamily,
    F: Probed,
{
    fn probes(&self) -> u32 {
        self.probes
    }

    fn met(&self, rows: u32, distance: f64) -> f64 {
        met(&self.family, rows, self.probes, distance)
    }

    fn by_chance(&self, rows: u32, distance: f64) -> f64 {
        self.family.collision(distance).upper().all(rows).value()
    }
}

/// [`Planned::met`] of a family.
pub(super) fn met<F: Probed>(family: &F, rows: u32, probes: u32, distance: f64) -> f64 {
    /// Enough to choose by; the promise of what is chosen takes more.
    const DRAWS: u32 = 1 << 6;
    match probes {
        1 => family.collision(distance).lower().all(rows).value(),
        _ => {
            let one = Simulated::new(family, rows, probes, distance, DRAWS);
            (one.mean - 2.0 * one.standard_error).max(0.0)
        }
    }
}

/// Nanoseconds of hashing, storing and asking, and of comparing what was met by chance.
struct Cost {
    hashing: f64,
    comparing: f64,
}

/// One way to do a task.
struct Way<F> {
    family: F,
    banding: Banding,
    nanoseconds: f64,
}

/// Vectors, what is asked of them, and what that costs.
pub(super) struct Planner<'a, D: Distance> {
    distance: &'a D,
    vectors: &'a Vectors,
    task: &'a Task,
    /// Distances of some pairs, ascending.
    pub(super) sample: Vec<f64>,
}

impl<'a, D: Distance<Kind = Vector>> Planner<'a, D> {
    pub(super) fn new(
        distance: &'a D,
        vectors: &'a Vectors,
        task: &'a Task,
    ) -> Result<Self, Error> {
        let mut sample = sample_distances(distance, vectors)?;
        sample.sort_by(f64::total_cmp);
        Ok(Self {
            distance,
            vectors,
            task,
            sample,
        })
    }

    /// How many keys a table may be asked for: what the user says, or what is worth a try. Where candidates must share
    /// stored keys, it is one.
    pub(super) fn probes(&self, given: Option<u32>) -> Vec<Option<u32>> {
        match given {
            Some(_) => vec![given],
            None if self.is_worth_simulating() => PROBES.map(Some).to_vec(),
            None => vec![Some(1)],
        }
    }

    /// Whether queries take so long that a fraction of a second to choose the number of keys is well spent: how likely
    /// several keys meet a neighbour is simulated.
    fn is_worth_simulating(&self) -> bool {
        self.is_asked() && self.task.scheme.is_none() && self.brute_force() > SIMULATED
    }

    /// The seconds of comparing everything.
    fn brute_force(&self) -> f64 {
        let comparison = D::cost(self.vectors.dimensions());
        1e-9 * comparison * self.task.comparisons(self.vectors.count())
    }

    fn is_asked(&self) -> bool {
        self.task.queries.is_some() && !self.task.symmetric
    }

    /// The cheapest way among the given parameters; `None` if no way reaches the recall. `key` is what a function costs
    /// an item, in nanoseconds.
    pub(super) fn cheapest<F>(
        &self,
        variants: impl IntoIterator<Item = F>,
        key: impl Fn(&F) -> f64,
    ) -> Result<Option<Proposal<F>>, Error>
    where
        F: Family<Distance = D, Keys: Planned>,
    {
        // Brute force is as good as done, and misses nothing. But it takes no scheme.
        let is_free = self.task.scheme.is_none() && !self.task.is_named;
        if is_free && self.brute_force() < SMALL {
            return Ok(None);
        }
        let mut best: Option<Way<F>> = None;
        let mut given: Option<Proposal<F>> = None;
        for family in variants {
            let keys = family.keys(self.distance, self.vectors.dimensions())?;
            if keys.probes() > 1 && self.task.symmetric {
                continue;
            }
            let cost = key(&family);
            if let Some(scheme) = &self.task.scheme {
                let proposal = self.given(family, &keys, scheme, cost)?;
                let is_better = |best: &Proposal<F>| self.is_better(&proposal, best);
                if given.as_ref().is_none_or(is_better) {
                    given = Some(proposal);
                }
                continue;
            }
            for way in self.ways(&family, &keys, cost) {
                if best
                    .as_ref()
                    .is_none_or(|best| way.nanoseconds < best.nanoseconds)
                {
                    best = Some(way);
                }
            }
        }
        if self.task.scheme.is_some() {
            return Ok(given);
        }
        best.map_or(Ok(None), |way| self.settled(way))
    }

    /// The cheapest that reaches the recall is better, or the one with more recall.
    fn is_better<F>(&self, one: &Proposal<F>, other: &Proposal<F>) -> bool {
        let share = |it: &Proposal<F>| it.recall.share().unwrap_or(0.0);
        let reaches = |it: &Proposal<F>| share(it) >= self.task.recall;
        match (reaches(one), reaches(other)) {
            (true, true) => one.seconds < other.seconds,
            (false, false) => share(one) > share(other),
            (one, _) => one,
        }
    }

    /// A scheme that the user gave.
    fn given<F: Family<Distance = D, Keys: Planned>>(
        &self,
        family: F,
        keys: &F::Keys,
        scheme: &Scheme,
        key: f64,
    ) -> Result<Proposal<F>, Error> {
        crate::families::checked(scheme, keys.probes())?;
        let banding = scheme.banding();
        let bands = banding.map_or(1, Banding::bands);
        let one = |distance| match banding {
            Some(banding) => self.share_of_one(keys, banding.rows(), distance),
            None => keys
                .promise(scheme, distance)
                .map_or(1.0, |it| it.upper().value()),
        };
        let cost = self.cost(scheme.functions(), bands, keys.probes(), key, one);
        Ok(Proposal {
            recall: match keys.promise(scheme, self.task.limit) {
                Some(bounds) => Recall::Proved(bounds.lower().value()),
                None => Recall::Unknown,
            },
            seconds: 1e-9 * (cost.hashing + cost.comparing),
            scheme: scheme.clone(),
            parameters: family,
        })
    }

    /// For each number of rows the fewest tables that reach the recall.
    fn ways<F: Family<Distance = D, Keys: Planned>>(
        &self,
        family: &F,
        keys: &F::Keys,
        key: f64,
    ) -> Vec<Way<F>> {
        let (task, budget) = (self.task, self.task.functions.unwrap_or(BUDGET));
        let (mut ways, mut least) = (Vec::new(), f64::INFINITY);
        for rows in 1..=MOST_ROWS.min(budget) {
            let one = keys.met(rows, task.limit);
            let Some(banding) =
                fewest(one, rows, task.recall).filter(|it| it.functions() <= budget)
            else {
                break;
            };
            let bytes = 12 * u64::from(banding.bands()) * self.vectors.len() as u64;
            if bytes > task.memory {
                break;
            }
            let share = |distance| self.share_of_one(keys, rows, distance);
            let (functions, bands) = (banding.functions(), banding.bands());
            let cost = self.cost(functions, bands, keys.probes(), key, share);
            let nanoseconds = cost.hashing + cost.comparing;
            ways.push(Way {
                family: family.clone(),
                banding,
                nanoseconds,
            });
            // More rows spare comparisons: there are hardly any, or the tables cost more than that.
            least = least.min(nanoseconds);
            if cost.comparing < 0.01 * cost.hashing || nanoseconds > 1.3 * least {
                break;
            }
        }
        ways
    }

    /// The chosen way with what it really promises.
    fn settled<F: Family<Distance = D, Keys: Planned>>(
        &self,
        way: Way<F>,
    ) -> Result<Option<Proposal<F>>, Error> {
        let keys = way.family.keys(self.distance, self.vectors.dimensions())?;
        let rows = way.banding.rows();
        let limit = self.task.limit;
        let promised = |banding: Banding| {
            let bounds = keys.promise(&banding.scheme(), limit);
            bounds.map_or(0.0, |bounds| bounds.lower().value())
        };
        let one = Banding::new(1, rows).map(promised)?;
        let Some(banding) = fewest(one, rows, self.task.recall) else {
            return Ok(None);
        };
        Ok(Some(Proposal {
            recall: Recall::Proved(promised(banding)),
            scheme: banding.scheme(),
            seconds: 1e-9 * way.nanoseconds * f64::from(banding.bands())
                / f64::from(way.banding.bands()),
            parameters: way.family,
        }))
    }

    /// How likely one table brings vectors at a distance together, for the number of comparisons by chance: far from a
    /// query, each of its keys is about as likely as its own.
    fn share_of_one(&self, keys: &impl Planned, rows: u32, distance: f64) -> f64 {
        (f64::from(keys.probes()) * keys.by_chance(rows, distance)).min(1.0)
    }

    fn cost(
        &self,
        functions: u32,
        bands: u32,
        probes: u32,
        key: f64,
        share_of_one: impl Fn(f64) -> f64,
    ) -> Cost {
        let met = |&distance: &f64| {
            Probability::saturating(share_of_one(distance))
                .any(bands)
                .value()
        };
        let share = self.sample.iter().map(met).sum::<f64>() / self.sample.len().max(1) as f64;
        let items = self.vectors.count() as f64;
        let queries = self.task.queries.unwrap_or(0) as f64;
        let (fixed, each) = COMPARE;
        let compare = fixed + each * self.vectors.dimensions() as f64;
        Cost {
            hashing: (items + queries) * f64::from(functions) * key
                + items * f64::from(bands) * STORE
                + queries * f64::from(bands) * f64::from(probes) * ASK,
            comparing: share * self.task.comparisons(self.vectors.count()) * compare,
        }
    }
}

/// The fewest tables that reach a recall, if one does with this probability.
fn fewest(one: f64, rows: u32, recall: f64) -> Option<Banding> {
    if one.is_nan() || one <= 0.0 {
        return None;
    }
    let bands = ((1.0 - recall).ln() / (-one).ln_1p()).ceil().max(1.0);
    // Rounding must not leave it just below.
    let enough = |bands: u32| Probability::saturating(one).any(bands).value() >= recall;
    let bands = (bands < 1e9).then_some(bands as u32)?;
    let bands = if enough(bands) { bands } else { bands + 1 };
    Banding::new(bands, rows).ok()
}
