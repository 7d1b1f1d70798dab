use std::borrow::Borrow;

use crate::{Axioms, Metric};

/// An axiom that a distance claims and breaks, and the places of the items that show it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenAxiom {
    /// A distance is negative or not a number.
    #[error("items {0} and {1} are at distance {2}, which is not 0 or more")]
    Negative(usize, usize, f64),
    /// An item is not at 0 from itself, or different items are at 0.
    #[error(
        "items {0} and {1} are at distance {2}: it must be 0 for equal items and only for them"
    )]
    Identity(usize, usize, f64),
    /// d(a, b) ≠ d(b, a).
    #[error("items {0} and {1} are at different distances there and back")]
    Symmetry(usize, usize),
    /// d(a, c) > d(a, b) + d(b, c).
    #[error("the way from item {0} to item {2} is shorter through item {1}")]
    Triangle(usize, usize, usize),
}

/// Checks the axioms of a metric on all pairs and triples of `items`.
///
/// The triangle inequality is allowed a rounding error of 1e-9, relative or absolute. A distance that does not claim
/// the axioms ([`Axioms::None`]) is checked for symmetry only.
///
/// # Errors
/// The first axiom that is broken.
pub fn metric_axioms<M, O>(metric: &M, items: &[O]) -> Result<(), BrokenAxiom>
where
    M: Metric,
    M::Item: PartialEq,
    O: Borrow<M::Item>,
{
    let prepared: Vec<_> = items
        .iter()
        .map(|item| metric.prepare(item.borrow()))
        .collect();
    let distance = |i: usize, j: usize| metric.distance(&prepared[i], &prepared[j]);
    let is_equal = |i: usize, j: usize| items[i].borrow() == items[j].borrow();
    axioms(items.len(), metric.axioms(), &distance, &is_equal)
}

/// The axioms for `count` items by their places.
pub(super) fn axioms(
    count: usize,
    axioms: Axioms,
    d: &dyn Fn(usize, usize) -> f64,
    is_equal: &dyn Fn(usize, usize) -> bool,
) -> Result<(), BrokenAxiom> {
    let all = 0..count;
    for i in all.clone() {
        for j in all.clone() {
            let distance = d(i, j);
            if distance.is_nan() || (axioms.has_zeros() && distance < 0.0) {
                return Err(BrokenAxiom::Negative(i, j, distance));
            }
            if distance != d(j, i) {
                return Err(BrokenAxiom::Symmetry(i, j));
            }
            let equal = is_equal(i, j);
            let is_broken = match axioms {
                Axioms::None => false,
                Axioms::Pseudometric => equal && distance != 0.0,
                Axioms::Semimetric | Axioms::Metric => (distance == 0.0) != equal,
            };
            if is_broken {
                return Err(BrokenAxiom::Identity(i, j, distance));
            }
        }
    }
    if !axioms.has_triangles() {
        return Ok(());
    }
    // Last: the triangles of a distance that is negative or asymmetric say nothing.
    for i in all.clone() {
        for j in all.clone() {
            let distance = d(i, j);
            if let Some(k) = all
                .clone()
                .find(|&k| distance > (d(i, k) + d(k, j)) * (1.0 + 1e-9) + 1e-9)
            {
                return Err(BrokenAxiom::Triangle(i, k, j));
            }
        }
    }
    Ok(())
}
