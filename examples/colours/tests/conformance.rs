//! The kind reads back what it writes, the distance is a metric, and the family keeps its promise.

use colours::RandomCuts;
use lookalike_core::conformance::{self, Effort};

#[test]
fn the_plugin_conforms() {
    let checked = conformance::plugin::<RandomCuts>().unwrap();
    println!("{}", checked.report);
}

/// Takes longer and sees smaller errors.
#[test]
fn the_plugin_conforms_on_a_closer_look() {
    conformance::plugin_with::<RandomCuts>(Effort::THOROUGH, 1).unwrap();
}
