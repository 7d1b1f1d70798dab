//! The loop of brute force: scores of a group of queries with many items, compared with bars.
//!
//! The numbers of a group are interleaved, dimension by dimension, so that one number of an item is multiplied with those
//! of all queries at once. The sums of a few items stay in registers until all dimensions are done. Items are read as
//! they lie in memory. The loop is compiled for AVX-512, for AVX2 and for any processor; the processor decides. It
//! is as fast as a product of matrices, and compares its sums before they leave the registers.

use lookalike_memory::prefetch;

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512};
use super::lanes::{Lanes, Plain};

/// Groups of fewer queries than this leave so many lanes empty that dimensions are taken side by side instead.
const FEW: usize = 4;

/// A group of queries, and the bars of each.
pub(super) struct Group {
    /// `lanes` numbers for each dimension.
    packed: Vec<f32>,
    /// The same numbers, query by query, if there are few.
    rows: Vec<f32>,
    queries: usize,
    /// The constant of each bar, then the slope.
    constants: Vec<f32>,
    slopes: Vec<f32>,
}

/// Items to be compared: rows, their lengths and offsets of bars.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) numbers: &'a [f32],
    pub(super) dimensions: usize,
    pub(super) lengths: &'a [f32],
    pub(super) offsets: &'a [f32],
}

/// A score that reached its bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reached {
    /// The place of the item in its block.
    pub(super) item: u32,
    pub(super) score: f32,
}

/// Which compiled form of the loop is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best that this processor can run.
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }

    /// Queries in a group.
    pub(super) fn lanes(self) -> usize {
        match self {
            Self::Plain => 2 * Plain::COUNT,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => 2 * Avx2::COUNT,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => 2 * Avx512::COUNT,
        }
    }
}

impl Group {
    /// Interleaves at most [`lanes`](Level::lanes) queries. Lanes to spare never reach a bar.
    pub(super) fn new<'a>(
        level: Level,
        dimensions: usize,
        queries: impl ExactSizeIterator<Item = &'a [f32]>,
    ) -> Self {
        let lanes = level.lanes();
        assert!(queries.len() <= lanes, "a group has {lanes} lanes");
        let count = queries.len();
        let mut rows = Vec::new();
        let mut packed = vec![0.0; lanes * dimensions];
        for (lane, query) in queries.enumerate() {
            if count < FEW {
                rows.extend_from_slice(query);
                continue;
            }
            for (place, &number) in query.iter().enumerate() {
                packed[place * lanes + lane] = number;
            }
        }
        Self {
            packed,
            rows,
            queries: count,
            constants: vec![f32::INFINITY; lanes],
            slopes: vec![0.0; lanes],
        }
    }

    /// Sets the bar of a query.
    pub(super) fn set_bar(&mut self, lane: usize, constant: f32, slope: f32) {
        self.constants[lane] = constant;
        self.slopes[lane] = slope;
    }

    /// Adds to `reached[lane]` the items of a block whose score with the query reaches its bar. `IS_PRODUCT` tells
    /// products from negated sums of differences.
    #[expect(unsafe_code, reason = "calls what the processor has")]
    pub(super) fn scan<const IS_PRODUCT: bool>(
        &self,
        level: Level,
        block: Block<'_>,
        reached: &mut [Vec<Reached>],
    ) {
        match level {
            // SAFETY: plain lanes need no special instructions.
            Level::Plain => unsafe { scan::<IS_PRODUCT, Plain, 2>(self, block, reached) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the level was chosen by what the processor has.
            Level::Avx2 => unsafe { scan_with_avx2::<IS_PRODUCT>(self, block, reached) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the level was chosen by what the processor has.
            Level::Avx512 => unsafe { scan_with_avx512::<IS_PRODUCT>(self, block, reached) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[expect(unsafe_code, reason = "lanes of this processor")]
fn scan_with_avx2<const IS_PRODUCT: bool>(
    group: &Group,
    block: Block<'_>,
    reached: &mut [Vec<Reached>],
) {
    // SAFETY: this function is compiled for AVX2.
    unsafe { scan::<IS_PRODUCT, Avx2, 6>(group, block, reached) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
#[expect(unsafe_code, reason = "lanes of this processor")]
fn scan_with_avx512<const IS_PRODUCT: bool>(
    group: &Group,
    block: Block<'_>,
    reached: &mut [Vec<Reached>],
) {
    // SAFETY: this function is compiled for AVX-512.
    unsafe { scan::<IS_PRODUCT, Avx512, 12>(group, block, reached) }
}

/// # Safety
/// See [`Lanes`].
#[inline(always)]
#[expect(unsafe_code, reason = "lanes of this processor")]
unsafe fn scan<const IS_PRODUCT: bool, L: Lanes, const ITEMS: usize>(
    group: &Group,
    block: Block<'_>,
    reached: &mut [Vec<Reached>],
) {
    let items = block.lengths.len();
    if group.queries < FEW {
        for (lane, reached) in reached.iter_mut().take(group.queries).enumerate() {
            // SAFETY: that of the caller.
            unsafe { one_query::<IS_PRODUCT, L>(group, block, lane, reached) };
        }
        return;
    }
    let whole = items - items % ITEMS;
    for first in (0..whole).step_by(ITEMS) {
        // SAFETY: that of the caller.
        unsafe { some_items::<IS_PRODUCT, L, ITEMS>(group, block, first, reached) };
    }
    for first in whole..items {
        // SAFETY: that of the caller.
        unsafe { some_items::<IS_PRODUCT, L, 1>(group, block, first, reached) };
    }
}

/// Scores of one query with all items, dimensions side by side.
///
/// # Safety
/// See [`Lanes`].
#[inline(always)]
#[expect(unsafe_code, reason = "lanes of this processor")]
unsafe fn one_query<const IS_PRODUCT: bool, L: Lanes>(
    group: &Group,
    block: Block<'_>,
    lane: usize,
    reached: &mut Vec<Reached>,
) {
    /// Items whose sums grow together: one sum alone waits for its last product.
    const ITEMS: usize = 4;
    /// Numbers that are asked for before they are read. The processor asks for a few lines of memory by itself.
    const AHEAD: usize = 1 << 11;
    /// Numbers in a line of memory.
    const LINE: usize = 16;
    let query = &group.rows[lane * block.dimensions..][..block.dimensions];
    let items = block.lengths.len();
    let whole = items - items % ITEMS;
    let mut offer = |item: usize, score: f32| {
        let bar = group.constants[lane] + group.slopes[lane] * block.lengths[item];
        if score >= bar + block.offsets[item] {
            let item = item as u32;
            reached.push(Reached { item, score });
        }
    };
    for first in (0..whole).step_by(ITEMS) {
        let start = first * block.dimensions + AHEAD;
        for line in (start..start + ITEMS * block.dimensions).step_by(LINE) {
            prefetch(block.numbers, line);
        }
        // SAFETY: that of the caller.
        let scores = unsafe { side_by_side::<IS_PRODUCT, L, ITEMS>(query, block, first) };
        for (item, score) in scores.into_iter().enumerate() {
            offer(first + item, score);
        }
    }
    for item in whole..items {
        // SAFETY: that of the caller.
        let [score] = unsafe { side_by_side::<IS_PRODUCT, L, 1>(query, block, item) };
        offer(item, score);
    }
}

/// Scores of one query with `ITEMS` items.
///
/// # Safety
/// See [`Lanes`].
#[inline(always)]
#[expect(unsafe_code, reason = "lanes of this processor")]
unsafe fn side_by_side<const IS_PRODUCT: bool, L: Lanes, const ITEMS: usize>(
    query: &[f32],
    block: Block<'_>,
    first: usize,
) -> [f32; ITEMS] {
    let dimensions = query.len();
    let rows: [&[f32]; ITEMS] =
        std::array::from_fn(|item| &block.numbers[(first + item) * dimensions..][..dimensions]);
    let whole = dimensions - dimensions % L::COUNT;
    // SAFETY: that of the caller, for all lanes below.
    unsafe {
        let mut sums = [L::splat(0.0); ITEMS];
        let add = |sum: &mut L, a: L, b: L| {
            *sum = match IS_PRODUCT {
                true => sum.add_product(a, b),
                false => sum.subtract_difference(a, b),
            };
        };
        for place in (0..whole).step_by(L::COUNT) {
            let numbers = L::load(&query[place..]);
            for (sum, row) in sums.iter_mut().zip(rows) {
                add(sum, numbers, L::load(&row[place..]));
            }
        }
        if whole < dimensions {
            let numbers = L::load_few(&query[whole..]);
            for (sum, row) in sums.iter_mut().zip(rows) {
                add(sum, numbers, L::load_few(&row[whole..]));
            }
        }
        sums.map(|sum| sum.sum())
    }
}

/// Scores of `ITEMS` items with two vectors of lanes.
///
/// # Safety
/// See [`Lanes`].
#[inline(always)]
#[expect(unsafe_code, reason = "lanes of this processor")]
unsafe fn some_items<const IS_PRODUCT: bool, L: Lanes, const ITEMS: usize>(
    group: &Group,
    block: Block<'_>,
    first: usize,
    reached: &mut [Vec<Reached>],
) {
    let dimensions = block.dimensions;
    let rows: [&[f32]; ITEMS] =
        std::array::from_fn(|item| &block.numbers[(first + item) * dimensions..][..dimensions]);
    // SAFETY: that of the caller, for all lanes below.
    unsafe {
        let mut sums = [[L::splat(0.0); 2]; ITEMS];
        for (place, packed) in group
            .packed
            .chunks_exact(2 * L::COUNT)
            .take(dimensions)
            .enumerate()
        {
            let queries = [L::load(packed), L::load(&packed[L::COUNT..])];
            for item in 0..ITEMS {
                let number = L::splat(rows[item][place]);
                for half in 0..2 {
                    let sum = sums[item][half];
                    sums[item][half] = match IS_PRODUCT {
                        true => sum.add_product(queries[half], number),
                        false => sum.subtract_difference(queries[half], number),
                    };
                }
            }
        }
        let halves = |list: &[f32]| [L::load(list), L::load(&list[L::COUNT..])];
        let (constants, slopes) = (halves(&group.constants), halves(&group.slopes));
        for (item, sums) in sums.iter().enumerate() {
            let length = L::splat(block.lengths[first + item]);
            // Added as a product, so that lanes need no other sum.
            let offset = L::splat(block.offsets[first + item]);
            for half in 0..2 {
                let bar = constants[half].add_product(slopes[half], length);
                let hits = sums[half].at_least(bar.add_product(offset, L::splat(1.0)));
                if hits != 0 {
                    let mut scores = [0.0; 16];
                    sums[half].store(&mut scores);
                    push(
                        hits,
                        &scores,
                        (first + item) as u32,
                        &mut reached[half * L::COUNT..],
                    );
                }
            }
        }
    }
}

/// Rarely called, so that the loop above stays short.
#[cold]
#[inline(never)]
fn push(mut hits: u32, scores: &[f32; 16], item: u32, reached: &mut [Vec<Reached>]) {
    while hits != 0 {
        let lane = hits.trailing_zeros() as usize;
        hits &= hits - 1;
        let score = scores[lane];
        reached[lane].push(Reached { item, score });
    }
}
