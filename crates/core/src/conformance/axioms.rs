use std::borrow::Borrow;

use crate::Metric;

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
/// the axioms ([`Metric::IS_METRIC`] is false) is checked for sign and symmetry only.
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
    let d = |i: usize, j: usize| metric.distance(&prepared[i], &prepared[j]);
    let all = 0..items.len();
    for i in all.clone() {
        for j in all.clone() {
            let distance = d(i, j);
            if distance.is_nan() || distance < 0.0 {
                return Err(BrokenAxiom::Negative(i, j, distance));
            }
            if distance != d(j, i) {
                return Err(BrokenAxiom::Symmetry(i, j));
            }
            let equal = items[i].borrow() == items[j].borrow();
            if M::IS_METRIC && (distance == 0.0) != equal {
                return Err(BrokenAxiom::Identity(i, j, distance));
            }
        }
    }
    if !M::IS_METRIC {
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
