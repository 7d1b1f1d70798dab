//! The kind reads back what it writes, the distance is a metric, and the family keeps its promise.

use colours::RandomCuts;
use lookalike_core::conformance::{self, Effort};

/// `cargo test -- --nocapture` prints what was measured.
#[test]
fn the_plugin_conforms() {
    let checked = conformance::plugin::<RandomCuts>();
    println!("{}", checked.unwrap_or_else(|wrong| panic!("{wrong}")));
}

/// Takes longer and sees smaller errors. Another seed makes other colours and draws other functions.
#[test]
fn the_plugin_conforms_on_a_closer_look() {
    let checked = conformance::plugin_with::<RandomCuts>(Effort::THOROUGH, 1);
    checked.unwrap_or_else(|wrong| panic!("{wrong}"));
}
