//! Vectors as a kind, their distances and families, for the registry.

mod cross_polytope;
mod distances;
mod generate;
mod hyperplanes;
mod join;
mod lifted;
mod lines;
mod plan;
mod probes;
mod sketches;
mod specimens;
mod vector;

pub use cross_polytope::CrossPolytope;
pub use distances::{AngleDistance, DotDistance, EuclideanDistance, ManhattanDistance};
pub use generate::{VectorClusters, VectorPairs};
pub use hyperplanes::Hyperplanes;
pub use join::{BuiltJoin, CrossPolytopeTables, HyperplaneTables, JoinBy, JoinTables};
pub use lifted::DotHyperplanes;
pub use lines::{CauchyLines, LawOf, LinesBy, RandomLines};
pub use probes::Probes;
pub use sketches::{BuiltSketches, InSpace, SketchesBy};

pub use crate::nearest::{Partition, Space};
pub use vector::Vector;

use lookalike_core::plugin;

use crate::Vectors;

impl From<crate::Error> for plugin::Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}

/// Whether brute force is done before the tables of cross-polytopes are integrated. Whoever names a family gets it.
fn is_small(vectors: &Vectors, task: &plugin::Task) -> bool {
    let comparison = <AngleDistance as plugin::Distance>::cost(vectors.dimensions());
    let seconds = 1e-9 * comparison * task.comparisons(vectors.len());
    seconds < 0.1 && !task.is_named
}

/// Nanoseconds of a product with one direction, among many, and of the key that it becomes.
fn projection_cost(dimensions: usize) -> f64 {
    2.0 + 0.04 * dimensions as f64
}
