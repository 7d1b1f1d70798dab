use std::{cell::RefCell, ops::Range};

use lookalike_core::{Near, Tile};

use super::{
    Compared, Form, Row,
    scan::{Block, Group, Level, Reached},
};

/// Queries in groups, ready to be compared with blocks of vectors.
pub(super) struct QueryTile<'a, F> {
    items: &'a Compared<'a, F>,
    queries: Vec<Query>,
    level: Level,
    scratch: RefCell<Scratch>,
}

/// A query and its length.
struct Query {
    numbers: Box<[f32]>,
    length: f64,
}

/// Memory that is used again from block to block.
struct Scratch {
    groups: Vec<Group>,
    lengths: Vec<f32>,
    offsets: Vec<f32>,
    reached: Vec<Vec<Reached>>,
    ranks: Vec<f64>,
}

impl Query {
    fn row(&self) -> Row<'_> {
        Row {
            numbers: &self.numbers,
            length: self.length,
        }
    }
}

impl<'a, F: Form> QueryTile<'a, F> {
    pub(super) fn new(items: &'a Compared<'a, F>, queries: &[&[f32]], level: Level) -> Self {
        let dimensions = items.vectors.dimensions();
        let groups = queries.chunks(level.lanes());
        let scratch = Scratch {
            groups: groups
                .map(|group| Group::new(level, dimensions, group.iter().copied()))
                .collect(),
            lengths: Vec::new(),
            offsets: Vec::new(),
            reached: vec![Vec::new(); level.lanes()],
            ranks: Vec::new(),
        };
        let query = |&numbers: &&[f32]| {
            let Row { numbers, length } = Row::new(numbers);
            let numbers = numbers.into();
            Query { numbers, length }
        };
        Self {
            items,
            queries: queries.iter().map(query).collect(),
            level,
            scratch: RefCell::new(scratch),
        }
    }

    /// Leaves out what is certainly not among the `k` nearest.
    fn keep_nearest(
        &self,
        query: Row<'_>,
        first: u32,
        k: usize,
        scratch: &mut Vec<f64>,
        reached: &mut Vec<Reached>,
    ) {
        if reached.len() <= k {
            return;
        }
        let rank = |reached: &Reached| {
            let length = self.items.lengths[(first + reached.item) as usize];
            self.items.form.rank(query, length, reached.score.into())
        };
        scratch.clear();
        scratch.extend(reached.iter().map(|reached| {
            let rank = rank(reached);
            rank.value + rank.error
        }));
        let (_, &mut farthest, _) = scratch.select_nth_unstable_by(k.max(1) - 1, f64::total_cmp);
        reached.retain(|reached| {
            let rank = rank(reached);
            rank.value - rank.error <= farthest
        });
    }
}

impl<F: Form> Tile for QueryTile<'_, F> {
    fn near(&self, places: Range<u32>, limits: &[f64], k: usize, found: &mut [Vec<Near>]) {
        let vectors = self.items.vectors;
        let (start, end) = (places.start as usize, places.end as usize);
        let dimensions = vectors.dimensions();
        let mut scratch = self.scratch.borrow_mut();
        let Scratch {
            groups,
            lengths,
            offsets,
            reached,
            ranks,
        } = &mut *scratch;
        let of_block = &self.items.lengths[start..end];
        lengths.clear();
        lengths.extend(of_block.iter().map(|&length| length as f32));
        offsets.clear();
        offsets.extend(
            of_block
                .iter()
                .map(|&length| self.items.form.offset(length) as f32),
        );
        let block = Block {
            numbers: &vectors.numbers()[start * dimensions..end * dimensions],
            dimensions,
            lengths,
            offsets,
        };
        for (number, group) in groups.iter_mut().enumerate() {
            let first = number * self.level.lanes();
            let queries = self.queries[first..].iter().take(self.level.lanes());
            for (lane, query) in queries.clone().enumerate() {
                let bar = self.items.form.bar(query.row(), limits[first + lane]);
                group.set_bar(lane, bar.constant as f32, bar.slope as f32);
            }
            match F::IS_PRODUCT {
                true => group.scan::<true>(self.level, block, reached),
                false => group.scan::<false>(self.level, block, reached),
            }
            for (lane, query) in queries.enumerate() {
                let (reached, found) = (&mut reached[lane], &mut found[first + lane]);
                self.keep_nearest(query.row(), places.start, k, ranks, reached);
                for Reached { item, .. } in reached.drain(..) {
                    let place = places.start + item;
                    found.extend(self.items.within(query.row(), place, limits[first + lane]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Vectors,
        brute::{ByAngle, ByDot, ByEuclidean, ByManhattan},
    };
    use lookalike_core::random;
    use proptest::prelude::*;

    fn vectors(count: usize, dimensions: usize, shift: f32, seed: u64) -> Vectors {
        let mut rng = random::stream(seed, 0);
        let mut vectors = Vectors::new(dimensions).unwrap();
        for _ in 0..count {
            // Few different numbers, so that there are copies and ties; some vectors are zeros.
            let scale = [0.0, 1.0, 1.0, 3.0][(rng.next_u64() % 4) as usize];
            let row = (0..dimensions).map(|_| (rng.next_u64() % 5) as f32 - 2.0);
            let row: Vec<f32> = row.map(|number| (number + shift) * scale).collect();
            vectors.push(&row).unwrap();
        }
        vectors
    }

    /// Each query with each item, one pair at a time.
    fn one_by_one<F: Form>(
        form: F,
        items: &Vectors,
        queries: &Vectors,
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>> {
        let compared = Compared::new(items, form);
        let near = |query: &[f32]| {
            let places = 0..items.len() as u32;
            let near = places.filter_map(|place| compared.within(Row::new(query), place, limit));
            let mut near: Vec<Near> = near.collect();
            near.sort_unstable_by(Near::nearest_first);
            near.truncate(k);
            near
        };
        queries.rows().map(near).collect()
    }

    fn levels() -> Vec<Level> {
        let best = Level::best();
        let mut levels = vec![Level::Plain, best];
        #[cfg(target_arch = "x86_64")]
        if best == Level::Avx512 {
            levels.push(Level::Avx2);
        }
        levels
    }

    fn check<F: Form>(form: F, items: &Vectors, queries: &Vectors, k: usize, limit: f64) {
        let expected = one_by_one(form, items, queries, k, limit);
        let compared = Compared::new(items, form);
        let rows: Vec<&[f32]> = queries.rows().collect();
        for level in levels() {
            let tile = QueryTile::new(&compared, &rows, level);
            let mut found = vec![Vec::new(); rows.len()];
            let limits = vec![limit; rows.len()];
            let count = items.len() as u32;
            for block in [0..count / 3, count / 3..count] {
                tile.near(block, &limits, k, &mut found);
            }
            for (found, expected) in found.iter_mut().zip(&expected) {
                found.sort_unstable_by(Near::nearest_first);
                found.truncate(k);
                assert_eq!(found, expected, "{level:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_tile_answers_like_one_pair_at_a_time(
            dimensions in 1usize..40, count in 1usize..60, asked in 1usize..70, shift in prop::sample::select(vec![0.0f32, 1000.0]),
            seed in any::<u64>(), k in prop::sample::select(vec![1usize, 3, usize::MAX]), share in 0.0f64..1.2,
        ) {
            let items = vectors(count, dimensions, shift, seed);
            let mut queries = vectors(asked, dimensions, shift, seed ^ 1);
            queries.push(items.get(0)).unwrap();
            // Some limits are distances that occur.
            let at = |form: f64| if share > 1.0 { f64::INFINITY } else { form * share };
            check(ByAngle, &items, &queries, k, at(180.0));
            let limit = one_by_one(ByAngle, &items, &queries, 2, 180.0).concat().last().map_or(0.0, |near| near.distance);
            check(ByAngle, &items, &queries, k, limit);
            let width = dimensions as f64;
            check(ByEuclidean, &items, &queries, k, at(10.0 * width.sqrt()));
            let limit = one_by_one(ByEuclidean, &items, &queries, 2, f64::INFINITY).concat()[0].distance;
            check(ByEuclidean, &items, &queries, k, limit);
            check(ByManhattan, &items, &queries, k, at(10.0 * width));
            let limit = one_by_one(ByManhattan, &items, &queries, 2, f64::INFINITY).concat()[0].distance;
            check(ByManhattan, &items, &queries, k, limit);
            check(ByDot, &items, &queries, k, at(4.0 * width) - 2.0 * width);
        }
    }
}
