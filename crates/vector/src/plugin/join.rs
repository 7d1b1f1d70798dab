//! Joins by sketches in large buckets, as methods.

use std::fmt;

use lookalike_core::{
    Items, KeySource, LshFamily, Match, Near, Scheme, Step,
    plugin::{Distance, Error, Method, Params, Proposal, Recall, Task},
    random,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::AngleDistance;
use crate::{
    Vectors, families,
    join::{Bucket, Centre, FEWEST_DIMENSIONS, KEPT, MOST_DIMENSIONS, Sketched, bucket_of},
    metric, sums,
};

/// Hyperplanes over the vectors as they are: the recall is proved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HyperplaneTables {
    /// Tables of buckets; `None`: as many as the recall needs.
    pub tables: Option<u32>,
    /// Hyperplanes of a table; `None`: what is cheapest.
    pub bits: Option<u32>,
}

/// Cross-polytopes over directions seen from their mean, where they differ most: fewer tables, and a recall that is
/// computed for a sample of the vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrossPolytopeTables {
    /// Tables of buckets; `None`: as many as the recall needs.
    pub tables: Option<u32>,
    /// Directions of a table, a power of two; `None`: what is cheapest.
    pub directions: Option<u32>,
}

/// A family whose functions are tables of a join.
pub trait JoinTables: Params {
    /// The name of the method.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// Whether directions are seen from their mean.
    const IS_CENTRED: bool;
    /// Sizes of a table that are worth a try.
    const SIZES: &'static [u32];
    /// What draws tables.
    type Family: LshFamily<Item = [f32], Functions: Send + 'static> + Clone + Sync + 'static;

    /// The number of tables, if it is given.
    fn tables(&self) -> Option<u32>;
    /// The size of a table, if it is given.
    fn size(&self) -> Option<u32>;
    /// Both settled.
    fn settled(tables: u32, size: u32) -> Self;
    /// The family of tables of a size, and the functions of one table.
    ///
    /// # Errors
    /// If there are no tables of this size.
    fn family(dimensions: usize, size: u32) -> Result<(Self::Family, u32), Error>;
    /// Nanoseconds to find the bucket of a vector.
    fn cost(dimensions: usize, size: u32) -> f64;
}

impl JoinTables for HyperplaneTables {
    const NAME: &'static str = "hyperplane-join";
    const SUMMARY: &'static str =
        "all pairs: hyperplanes make large buckets, sketches choose what is compared";
    const IS_CENTRED: bool = false;
    const SIZES: &'static [u32] = &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    type Family = families::Hyperplanes<f32>;

    fn tables(&self) -> Option<u32> {
        self.tables
    }

    fn size(&self) -> Option<u32> {
        self.bits
    }

    fn settled(tables: u32, size: u32) -> Self {
        Self {
            tables: Some(tables),
            bits: Some(size),
        }
    }

    fn family(dimensions: usize, size: u32) -> Result<(Self::Family, u32), Error> {
        if !(1..=16).contains(&size) {
            let message = format!("bits is {size}, but must be from 1 to 16");
            return Err(Error::new(message).about("bits"));
        }
        Ok((families::Hyperplanes::new(dimensions), size))
    }

    fn cost(dimensions: usize, size: u32) -> f64 {
        // Many vectors at a time.
        10.0 + 0.4 * f64::from(size) * super::projection_cost(dimensions)
    }
}

impl JoinTables for CrossPolytopeTables {
    const NAME: &'static str = "cross-polytope-join";
    const SUMMARY: &'static str =
        "all pairs: cross-polytopes make large buckets, sketches choose what is compared";
    const IS_CENTRED: bool = true;
    const SIZES: &'static [u32] = &[32, 64, 128, 256, 512, 1024, 2048, 4096];
    type Family = families::CrossPolytope<f32>;

    fn tables(&self) -> Option<u32> {
        self.tables
    }

    fn size(&self) -> Option<u32> {
        self.directions
    }

    fn settled(tables: u32, size: u32) -> Self {
        Self {
            tables: Some(tables),
            directions: Some(size),
        }
    }

    fn family(dimensions: usize, size: u32) -> Result<(Self::Family, u32), Error> {
        Ok((families::CrossPolytope::new(dimensions, size)?, 1))
    }

    fn cost(dimensions: usize, size: u32) -> f64 {
        super::cross_polytope::cost(dimensions, size)
    }
}

/// All pairs within an angle by tables of one family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JoinBy<J>(pub J);

/// Tables and sketches of some vectors.
pub struct BuiltJoin {
    sketched: Sketched,
    bucket_of: BucketOf,
}

/// Finds the bucket of a vector in each table.
type BucketOf = Box<dyn Fn(&[f32]) -> Vec<Bucket> + Send + Sync>;

impl fmt::Debug for BuiltJoin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltJoin").finish_non_exhaustive()
    }
}

/// The most tables that are worth a try.
const MOST_TABLES: u32 = 256;
/// Vectors that are looked at to plan.
const SAMPLE: usize = 2048;
/// Nanoseconds to sketch a vector, for each dimension; to store it in a table; and to compare two sketches, for
/// themselves and for each dimension.
const SKETCH: f64 = 4.0;
const STORE: f64 = 30.0;
const SCAN: (f64, f64) = (0.15, 0.0035);
/// Nanoseconds to begin a row: its table is made, and at least one block of codes is compared.
const ROW: f64 = 90.0;

impl<J: JoinTables> Method for JoinBy<J> {
    const NAME: &'static str = J::NAME;
    const SUMMARY: &'static str = J::SUMMARY;
    type Distance = AngleDistance;
    type Built = BuiltJoin;

    fn propose(
        &self,
        _: &AngleDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let dimensions = vectors.dimensions();
        for &size in self.0.size().iter() {
            J::family(dimensions, size)?;
        }
        let fits = (FEWEST_DIMENSIONS..=MOST_DIMENSIONS).contains(&dimensions);
        let is_for_pairs = task.queries.is_none() || task.is_named;
        let is_other = task.is_exact() || task.symmetric || task.scheme.is_some();
        if is_other || !fits || !is_for_pairs || super::is_small(vectors, task) {
            return Ok(None);
        }
        let sample = Sample::new::<J>(vectors, task.limit);
        let sizes = self.0.size().map_or(J::SIZES.to_vec(), |size| vec![size]);
        let mut best: Option<Proposal<Self>> = None;
        for size in sizes {
            let (family, rows) = J::family(dimensions, size)?;
            let met = sample.met(&family, rows);
            let Some(tables) = tables_for(&met, self.0.tables(), task) else {
                continue;
            };
            let buckets = best.as_ref().map(|best| best.seconds);
            let fixed = seconds_without_scans::<J>(vectors, tables, size);
            // Scans only add to that.
            if buckets.is_some_and(|best| best < fixed) {
                continue;
            }
            let by_chance = sample.share_a_bucket(&family, rows);
            let seconds = fixed + 1e-9 * scans(vectors, tables, by_chance);
            if best.as_ref().is_none_or(|best| seconds < best.seconds) {
                best = Some(Proposal {
                    parameters: Self(J::settled(tables, size)),
                    scheme: Scheme::default(),
                    recall: recall::<J>(&met, tables),
                    seconds,
                });
            }
        }
        Ok(best)
    }

    fn build(&self, _: &AngleDistance, vectors: &Vectors, seed: u64) -> Result<BuiltJoin, Error> {
        let (Some(tables), Some(size)) = (self.0.tables(), self.0.size()) else {
            let message = format!("{} needs its number of tables and their size", J::NAME);
            return Err(Error::new(message).about("tables"));
        };
        let (family, rows) = J::family(vectors.dimensions(), size)?;
        let source = source(family, rows, tables, seed)?;
        let centre = J::IS_CENTRED.then(|| Centre::of(vectors));
        let sketched = Sketched::new(vectors, &source, centre.as_ref(), random::derive(seed, 1));
        Ok(BuiltJoin {
            sketched,
            bucket_of: Box::new(move |vector| {
                let seen = centre.as_ref().map(|centre| centre.seen(vector));
                keys(&source, seen.as_deref().unwrap_or(vector))
            }),
        })
    }

    fn query(
        built: &BuiltJoin,
        vectors: &Vectors,
        vector: &[f32],
        k: usize,
        limit: f64,
    ) -> Vec<Near> {
        let met = built.sketched.met(&(built.bucket_of)(vector));
        let mut found = Vec::new();
        if let Some(kernel) = AngleDistance::default().kernel(vectors) {
            kernel.near(vector, &met, limit, &mut found);
        }
        found.sort_unstable_by(Near::nearest_first);
        found.truncate(k);
        found
    }

    fn pairs(built: &BuiltJoin, vectors: &Vectors, limit: f64) -> Vec<Match> {
        built.sketched.pairs(vectors, limit)
    }
}

/// Keys of some tables, each an AND of `rows` functions.
fn source<F: LshFamily>(
    family: F,
    rows: u32,
    tables: u32,
    seed: u64,
) -> Result<lookalike_core::Drawn<F>, Error> {
    let scheme = Scheme::new([Step::And(rows), Step::Or(tables)])?;
    Ok(family.amplify(scheme).draw(seed)?)
}

/// The bucket of a vector in each table.
fn keys(source: &impl KeySource<Item = [f32]>, vector: &[f32]) -> Vec<Bucket> {
    let mut keys = vec![None; source.bands()];
    let emit = |band: u32, key: u64, _| keys[band as usize] = bucket_of(key);
    let hashed = source.keys(vector, &mut Default::default(), emit);
    hashed.expect("one key per table");
    keys
}

/// Angles of some of the vectors, as they are hashed.
struct Sample {
    /// For each vector, the widest angle to a vector within the limit.
    near: Vec<f64>,
    /// For each degree, the share of pairs that are so far apart.
    strangers: Vec<f64>,
}

impl Sample {
    fn new<J: JoinTables>(vectors: &Vectors, limit: f64) -> Self {
        let stride = vectors.len().div_ceil(SAMPLE).max(1);
        let places: Vec<usize> = (0..vectors.count()).step_by(stride).collect();
        let centre = J::IS_CENTRED.then(|| Centre::of(vectors));
        let seen = |&place: &usize| match &centre {
            Some(centre) => centre.seen(vectors.get(place)),
            None => vectors.get(place).to_vec(),
        };
        let seen: Vec<Vec<f32>> = places.par_iter().map(seen).collect();
        let chord = 2.0 * (limit / 2.0).to_radians().sin();
        let near = match J::IS_CENTRED {
            true => seen.iter().map(|seen| widest(seen, chord)).collect(),
            false => vec![limit],
        };
        Self {
            near,
            strangers: strangers(&seen),
        }
    }

    /// How likely a vector of the sample meets one at the limit in a table: for each at least so.
    fn met(&self, family: &(impl LshFamily + Sync), rows: u32) -> Vec<f64> {
        let met = |&angle: &f64| family.collision(angle).lower().all(rows).value();
        self.near.par_iter().map(met).collect()
    }

    /// The share of pairs that share a bucket of a table.
    fn share_a_bucket(&self, family: &(impl LshFamily + Sync), rows: u32) -> f64 {
        let met = |(degree, &share): (usize, &f64)| match share > 0.0 {
            true => share * family.collision(degree as f64).upper().all(rows).value(),
            false => 0.0,
        };
        let met: Vec<f64> = self.strangers.par_iter().enumerate().map(met).collect();
        met.iter().sum()
    }
}

/// For each degree, the share of pairs of some vectors that are so far apart, of pairs that have an angle.
fn strangers(vectors: &[Vec<f32>]) -> Vec<f64> {
    /// Pairs that each vector is in, with those that follow it at these distances.
    const PARTNERS: usize = 32;
    let lengths: Vec<f64> = vectors.iter().map(|it| sums::length(it)).collect();
    let angles = (0..vectors.len()).into_par_iter().flat_map_iter(|a| {
        let others = (1..=PARTNERS).map(move |step| (a + step * step) % vectors.len());
        let lengths = &lengths;
        others
            .filter(move |&b| b != a && lengths[a] > 0.0 && lengths[b] > 0.0)
            .map(move |b| metric::angle(&vectors[a], lengths[a], &vectors[b], lengths[b]))
    });
    let mut counts = vec![0u64; 181];
    for angle in angles.collect::<Vec<f64>>() {
        counts[angle.round() as usize] += 1;
    }
    let all = counts.iter().sum::<u64>().max(1) as f64;
    counts.iter().map(|&count| count as f64 / all).collect()
}

/// The widest angle, seen from the centre, between a direction and another one that is at most `chord` away from it.
///
/// Of all points within a ball around the direction, the one on the tangent through the centre is seen at the widest
/// angle, the arc sine of chord / distance. If the centre lies in the ball, the angle can be anything.
fn widest(seen: &[f32], chord: f64) -> f64 {
    let distance = sums::length(seen);
    match chord < distance {
        true => (chord / distance).asin().to_degrees(),
        false => 180.0,
    }
}

/// The given number of tables, or the fewest that reach the recall; `None` if there are none.
fn tables_for(met: &[f64], given: Option<u32>, task: &Task) -> Option<u32> {
    let reaches = |&tables: &u32| {
        let (mean, error) = found(met, tables);
        mean - 2.0 * error >= task.recall
    };
    let most = task.functions.unwrap_or(MOST_TABLES).min(MOST_TABLES);
    match given {
        Some(_) => given,
        None => (1..=most).find(reaches),
    }
}

/// The share of pairs at the limit that some tables find, and its standard error between vectors.
fn found(met: &[f64], tables: u32) -> (f64, f64) {
    let found = met
        .iter()
        .map(|met| KEPT * (1.0 - (1.0 - met).powi(tables as i32)));
    let found: Vec<f64> = found.collect();
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let variance = found
        .iter()
        .map(|share| (share - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, (variance / count).sqrt())
}

fn recall<J: JoinTables>(met: &[f64], tables: u32) -> Recall {
    let (recall, standard_error) = found(met, tables);
    match J::IS_CENTRED {
        true => Recall::Calibrated {
            recall,
            standard_error,
        },
        false => Recall::Proved(recall),
    }
}

/// The seconds of everything but comparing sketches.
fn seconds_without_scans<J: JoinTables>(vectors: &Vectors, tables: u32, size: u32) -> f64 {
    let dimensions = vectors.dimensions();
    let sketch = SKETCH * dimensions.next_power_of_two() as f64;
    let of_table = J::cost(dimensions, size) + STORE + ROW;
    1e-9 * vectors.len() as f64 * (sketch + f64::from(tables) * of_table)
}

/// The nanoseconds of comparing sketches in some tables.
fn scans(vectors: &Vectors, tables: u32, by_chance: f64) -> f64 {
    let (count, dimensions) = (
        vectors.len() as f64,
        vectors.dimensions().next_power_of_two(),
    );
    let one = SCAN.0 + SCAN.1 * dimensions as f64;
    f64::from(tables) * by_chance * count * count / 2.0 * one
}
