//! Squared distances of a query and some vectors, in 32-bit floats.

use super::{
    Space,
    fastest::{Loop, fastest},
    index::ask_for,
};
use crate::Vectors;

/// Numbers that are summed side by side.
const LANES: usize = 16;
/// Vectors that are asked for before they are read.
const AHEAD: usize = 6;

/// A squared length that 32-bit floats do not add up well.
const TINY: f32 = 1e-30;

/// How wrong a squared distance can be: relative to itself, and at all.
pub(super) fn error(space: Space, dimensions: usize) -> (f32, f32) {
    let unit = f32::EPSILON * (dimensions + 16) as f32;
    match space {
        Space::Euclidean => (unit, 0.0),
        // It is 2 less twice the cosine.
        Space::Angle => (0.0, 4.0 * unit),
    }
}

/// The squared distances of a query, a point of the space, from vectors; not a number where vectors are too small for
/// that.
pub(super) fn squared_distances(
    space: Space,
    vectors: &Vectors,
    query: &[f32],
    ids: &[u32],
    squares: &mut Vec<f32>,
) {
    squares.clear();
    squares.resize(ids.len(), 0.0);
    match space {
        Space::Euclidean => fastest(Measure::<false> {
            vectors,
            query,
            ids,
            squares,
        }),
        Space::Angle => fastest(Measure::<true> {
            vectors,
            query,
            ids,
            squares,
        }),
    }
}

struct Measure<'a, const BY_ANGLE: bool> {
    vectors: &'a Vectors,
    query: &'a [f32],
    ids: &'a [u32],
    squares: &'a mut [f32],
}

impl<const BY_ANGLE: bool> Loop for Measure<'_, BY_ANGLE> {
    type Answer = ();

    #[inline(always)]
    fn run(self) {
        let (numbers, dimensions) = (self.vectors.numbers(), self.vectors.dimensions());
        self.ids
            .iter()
            .take(AHEAD)
            .for_each(|&id| ask_for(self.vectors, id));
        for (number, (&id, square)) in self.ids.iter().zip(self.squares).enumerate() {
            if let Some(&later) = self.ids.get(number + AHEAD) {
                ask_for(self.vectors, later);
            }
            let vector = &numbers[id as usize * dimensions..][..dimensions];
            *square = match BY_ANGLE {
                true => {
                    let [product, length] = sums(self.query, vector, |q, x| [q * x, x * x]);
                    // Of numbers so small the squares are not exact enough.
                    let is_tiny = length < TINY;
                    let square = 2.0 - 2.0 * (product / length.sqrt());
                    if is_tiny { f32::NAN } else { square }
                }
                false => sums(self.query, vector, |q, x| [(q - x) * (q - x)])[0],
            };
        }
    }
}

/// Sums over the numbers of two vectors, in an order that does not depend on the processor.
#[inline(always)]
fn sums<const N: usize>(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> [f32; N]) -> [f32; N] {
    let mut lanes = [[0.0f32; LANES]; N];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    // What is not used of a term is not computed.
    for (a, b) in a.iter().zip(b) {
        for (sum, lanes) in lanes.iter_mut().enumerate() {
            for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
                *lane += term(*a, *b)[sum];
            }
        }
    }
    for (sum, lanes) in lanes.iter_mut().enumerate() {
        for ((lane, a), b) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
            *lane += term(*a, *b)[sum];
        }
    }
    lanes.map(|mut lanes| {
        let mut width = LANES / 2;
        while width > 0 {
            let (low, high) = lanes.split_at_mut(width);
            for (low, high) in low.iter_mut().zip(high) {
                *low += *high;
            }
            width /= 2;
        }
        lanes[0]
    })
}

/// The squared distance of two lists of numbers.
pub(super) fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    struct Apart<'a>(&'a [f32], &'a [f32]);
    impl Loop for Apart<'_> {
        type Answer = f32;

        #[inline(always)]
        fn run(self) -> f32 {
            sums(self.0, self.1, |a, b| [(a - b) * (a - b)])[0]
        }
    }
    fastest(Apart(a, b))
}
