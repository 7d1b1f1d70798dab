//! Families for vectors, generic over `f32` and `f64`.
//!
//! | family | distance | two vectors at a distance agree with probability |
//! |---|---|---|
//! | [`Hyperplanes`] | angle θ | 1 − θ/180 |
//! | [`CrossPolytope`] | angle θ | an integral over two normal variables |
//! | [`RandomLines`] | Euclidean c | 1 − 2Φ(−t) − 2(1 − e^(−t²/2))/(√(2π)·t), t = width/c |
//! | [`CauchyLines`] | Manhattan c | 2·atan(t)/π − ln(1 + t²)/(π·t), t = width/c |
//! | [`LiftedHyperplanes`] | inner product | 1 − acos(s/(longest·‖query‖))/π |
//!
//! [`Probing`] asks several keys a table, in the order of how likely a neighbour has them.

mod agreement;
mod cross_polytope;
mod hyperplanes;
mod lifted;
mod lines;
mod probe_order;
mod probing;
mod projection;
mod rotation;
mod simulated;

pub use cross_polytope::{CrossPolytope, Vertices};
pub use hyperplanes::{Hyperplanes, Sides};
pub use lifted::{LiftedHyperplanes, LiftedScratch, LiftedSource};
pub use lines::{Cauchy, CauchyLines, Cuts, CutsScratch, Gaussian, Law, Lines, RandomLines};
pub(crate) use probing::checked;
pub use probing::{Alternative, Perturbed, Probed, Probing, ProbingScratch};
pub(crate) use rotation::{Rotation, SHORTEST, hadamard};
pub use simulated::{Choice, Simulated};
