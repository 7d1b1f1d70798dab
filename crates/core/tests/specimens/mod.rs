//! Small families to try the theory on: right ones, each with its distance and
//! pairs at a given distance, and wrong ones that conformance has to catch.

pub(crate) mod bit_sampling;
pub(crate) mod faults;
pub(crate) mod faulty_sources;
pub(crate) mod grid_triples;
pub(crate) mod hyperplanes;
pub(crate) mod lines;
pub(crate) mod min_hash;
pub(crate) mod multi_probe;
pub(crate) mod sampled;
pub(crate) mod wrong;
