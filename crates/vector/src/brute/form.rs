use crate::{metric, sums};

/// A vector and its Euclidean length.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) numbers: &'a [f32],
    pub(crate) length: f64,
}

impl<'a> Row<'a> {
    pub(crate) fn new(numbers: &'a [f32]) -> Self {
        Self {
            length: sums::length(numbers),
            numbers,
        }
    }
}

/// How vectors are compared: exactly, and roughly by a score that a loop over many vectors can compute.
///
/// A score is a sum of 32-bit floats, so it has an error. Each form says which scores can belong to an exact distance
/// within a limit; whatever reaches its [bar](Form::bar) is compared exactly.
pub(crate) trait Form: Copy + Send + Sync {
    /// Whether the score is Σ aᵢ·bᵢ, or −Σ |aᵢ − bᵢ| if not.
    const IS_PRODUCT: bool = true;

    /// Whether a vector has nothing that could be compared.
    fn is_empty(self, row: Row<'_>) -> bool {
        let _ = row;
        false
    }

    /// The distance.
    fn exact(self, a: Row<'_>, b: Row<'_>) -> f64;

    /// The least score of an item within `limit` of the query.
    fn bar(self, query: Row<'_>, limit: f64) -> Bar;

    /// What the bar has on top for an item of this length.
    fn offset(self, length: f64) -> f64 {
        let _ = length;
        0.0
    }

    /// A number that grows with the distance, from a score, and how wrong it may be.
    fn rank(self, query: Row<'_>, length: f64, score: f64) -> Rank;
}

/// A bar for an item of length n: `constant` + `slope` · n + the item's offset.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    pub(crate) constant: f64,
    pub(crate) slope: f64,
}

/// A number that grows with the distance, known within an error.
#[derive(Clone, Copy)]
pub(crate) struct Rank {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// Half the distance of two neighbouring 32-bit floats at 1.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// How wrong a sum of d rounded terms can be, relative to the sum of their absolute values (Higham, *Accuracy and
/// Stability of Numerical Algorithms*, §3.1), and as much again for rounding the bar itself.
fn error(dimensions: usize) -> f64 {
    let terms = (dimensions + 16) as f64 * UNIT;
    terms / (1.0 - terms)
}

/// By the angle: the product is cos α · ‖q‖ · ‖x‖.
#[derive(Clone, Copy)]
pub(crate) struct ByAngle;

impl Form for ByAngle {
    fn is_empty(self, row: Row<'_>) -> bool {
        row.length == 0.0
    }

    fn exact(self, a: Row<'_>, b: Row<'_>) -> f64 {
        metric::angle(a.numbers, a.length, b.numbers, b.length)
    }

    fn bar(self, query: Row<'_>, limit: f64) -> Bar {
        let cosine = match limit < 180.0 {
            true => limit.to_radians().cos(),
            false => -1.0,
        };
        Bar {
            constant: 0.0,
            slope: (cosine - error(query.numbers.len())) * query.length,
        }
    }

    fn rank(self, query: Row<'_>, length: f64, score: f64) -> Rank {
        let lengths = query.length * length;
        Rank {
            // A vector without a direction is no neighbour.
            value: if lengths > 0.0 {
                -score / lengths
            } else {
                f64::INFINITY
            },
            error: error(query.numbers.len()),
        }
    }
}

/// By Euclidean distance: the product is (‖q‖² + ‖x‖² − d²) / 2.
#[derive(Clone, Copy)]
pub(crate) struct ByEuclidean;

impl Form for ByEuclidean {
    fn exact(self, a: Row<'_>, b: Row<'_>) -> f64 {
        sums::squared_distance(a.numbers, b.numbers).sqrt()
    }

    fn bar(self, query: Row<'_>, limit: f64) -> Bar {
        let (q, d) = (query.length * query.length, limit * limit);
        Bar {
            constant: (q - d) / 2.0 - 8.0 * UNIT * (q + d),
            slope: -error(query.numbers.len()) * query.length,
        }
    }

    fn offset(self, length: f64) -> f64 {
        (0.5 - 8.0 * UNIT) * length * length
    }

    fn rank(self, query: Row<'_>, length: f64, score: f64) -> Rank {
        Rank {
            value: length * length / 2.0 - score,
            error: error(query.numbers.len()) * query.length * length,
        }
    }
}

/// By the inner product, negated.
#[derive(Clone, Copy)]
pub(crate) struct ByDot;

impl Form for ByDot {
    fn exact(self, a: Row<'_>, b: Row<'_>) -> f64 {
        -sums::dot(a.numbers, b.numbers)
    }

    fn bar(self, query: Row<'_>, limit: f64) -> Bar {
        Bar {
            constant: -limit - 8.0 * UNIT * limit.abs(),
            slope: -error(query.numbers.len()) * query.length,
        }
    }

    fn rank(self, query: Row<'_>, length: f64, score: f64) -> Rank {
        Rank {
            value: -score,
            error: error(query.numbers.len()) * query.length * length,
        }
    }
}

/// By Manhattan distance: the score is the distance, negated.
#[derive(Clone, Copy)]
pub(crate) struct ByManhattan;

impl Form for ByManhattan {
    const IS_PRODUCT: bool = false;

    fn exact(self, a: Row<'_>, b: Row<'_>) -> f64 {
        sums::manhattan(a.numbers, b.numbers)
    }

    fn bar(self, query: Row<'_>, limit: f64) -> Bar {
        Bar {
            constant: -limit * (1.0 + error(query.numbers.len())),
            slope: 0.0,
        }
    }

    fn rank(self, query: Row<'_>, _: f64, score: f64) -> Rank {
        Rank {
            value: -score,
            error: error(query.numbers.len()) * -score,
        }
    }
}
