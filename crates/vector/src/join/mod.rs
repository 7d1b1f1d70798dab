//! All pairs of vectors within an angle, from few large buckets and a sketch of each vector.
//!
//! ```text
//! vectors ──hash──▶ a bucket per table ──sketches──▶ a few pairs of each bucket ──exact angle──▶ pairs
//! ```
//!
//! Comparing the sketches of two vectors takes less than a nanosecond, so buckets may be large, and few tables are enough.
//! A pair is reported by the first table that has it in one bucket, so nothing is remembered about pairs.

mod buckets;
mod scan;
mod sketch;

use lookalike_core::{KeySource, Match, Pair};
use rayon::prelude::*;

use crate::{
    Vectors,
    brute::{ByAngle, Compared},
};
pub(crate) use buckets::{Bucket, bucket_of};
use buckets::{Table, Tables};
pub(crate) use sketch::Centre;
use sketch::{Blocks, Sketches};

/// Vectors in buckets, with their sketches.
pub(crate) struct Sketched {
    sketches: Sketches,
    tables: Tables,
}

/// How far, in standard deviations, an estimate may be off before a pair is lost: one pair in 740.
const DEVIATIONS: f64 = 3.0;
/// The share of pairs that their sketches do not drop: the normal law up to [`DEVIATIONS`].
pub(crate) const KEPT: f64 = 0.998_65;
/// Vectors with fewer numbers have no sketches that tell them apart.
pub(crate) const FEWEST_DIMENSIONS: usize = 16;
/// Vectors with more numbers have sketches whose sums do not fit 16 bits.
pub(crate) const MOST_DIMENSIONS: usize = 4096;
/// Rows of a bucket that are one task.
const ROWS: usize = 64;

/// Rows of a bucket that are compared with the later ones.
struct Task {
    table: usize,
    bucket: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

impl Sketched {
    /// Hashes and sketches all vectors. `hashed` is the centre of the vectors that are hashed, if they are not hashed as
    /// they are.
    pub(crate) fn new<S>(vectors: &Vectors, source: &S, hashed: Option<&Centre>, seed: u64) -> Self
    where
        S: KeySource<Item = [f32]>,
    {
        let own;
        let centre = match hashed {
            Some(centre) => centre,
            None => {
                own = Centre::of(vectors);
                &own
            }
        };
        Self {
            sketches: Sketches::new(vectors, centre, seed),
            tables: Tables::new(vectors, source, hashed),
        }
    }

    /// The pairs within `limit` degrees that share a bucket, the nearest first.
    pub(crate) fn pairs(&self, vectors: &Vectors, limit: f64) -> Vec<Match> {
        let compared = Compared::new(vectors, ByAngle);
        let mut matches = Vec::new();
        let mut blocks = Blocks::default();
        for number in 0..self.tables.len() {
            let table = self.tables.get(number);
            self.sketches.lay_out(table, limit, DEVIATIONS, &mut blocks);
            let tasks: Vec<Task> = tasks(number, table).collect();
            let found = tasks.par_iter().map_init(Passed::default, |passed, task| {
                self.scan(task, table, &blocks, passed);
                passed
                    .pairs
                    .retain(|pair| !self.met_before(task.table, *pair));
                compared.matches(&passed.pairs, limit)
            });
            matches.extend(found.flatten_iter().collect::<Vec<Match>>());
        }
        matches.par_sort_unstable_by(Match::nearest_first);
        matches
    }

    /// The items that are in one of these buckets, one per table, in the order of ids.
    pub(crate) fn met(&self, buckets: &[Bucket]) -> Vec<u32> {
        let items = buckets.iter().enumerate();
        let items = items.flat_map(|(table, bucket)| self.tables.get(table).of(*bucket));
        let mut items: Vec<u32> = items.copied().collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// The pairs of a task whose sketches are near enough.
    fn scan(&self, task: &Task, table: Table<'_>, blocks: &Blocks, passed: &mut Passed) {
        passed.places.clear();
        let (rows, end) = (task.rows.clone(), task.bucket.end);
        let Passed { made, places, .. } = passed;
        self.sketches.scan(table, rows, end, blocks, made, places);
        let item = |place: u32| table.items[place as usize];
        let pairs = passed.places.iter();
        let pairs = pairs.filter_map(|&[a, b]| Pair::new(item(a), item(b)));
        passed.pairs.clear();
        passed.pairs.extend(pairs);
    }

    /// Whether an earlier table has the items of a pair in one bucket.
    fn met_before(&self, table: usize, pair: Pair) -> bool {
        (0..table).any(|table| self.tables.get(table).share(pair.a(), pair.b()))
    }
}

/// Memory that is used again from task to task.
#[derive(Default)]
struct Passed {
    made: Vec<u8>,
    places: Vec<[u32; 2]>,
    pairs: Vec<Pair>,
}

/// The rows of all buckets with two items or more, a few at a time.
fn tasks(number: usize, table: Table<'_>) -> impl Iterator<Item = Task> {
    let buckets = table.ranges().filter(|bucket| bucket.len() > 1);
    buckets.flat_map(move |bucket| {
        let rows = bucket.clone().step_by(ROWS);
        rows.map(move |row| Task {
            table: number,
            rows: row..bucket.end.min(row + ROWS),
            bucket: bucket.clone(),
        })
    })
}
