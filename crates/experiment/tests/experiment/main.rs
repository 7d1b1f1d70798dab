//! Whole experiments: what they measure, and what they refuse.

mod plugins;
mod prints;
mod queries;
mod runs;
mod textbook;
mod written;
mod wrong_files;

use lookalike_core::plugin::Remedied;
use lookalike_experiment::{Experiment, Outcome};
use lookalike_search::Registry;

/// Runs tell what they hold.
#[global_allocator]
static MEMORY: lookalike_experiment::Counting = lookalike_experiment::Counting;

/// Runs a file with the plugins of the project.
fn run(text: &str) -> Outcome {
    run_with(&lookalike::builtin(), text)
}

fn run_with(registry: &Registry, text: &str) -> Outcome {
    let experiment = Experiment::parse(registry, "test.toml", text, false);
    let outcome = experiment.and_then(|experiment| experiment.run(&()));
    outcome.unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of a file that is wrong, and what would fix it.
fn refused(text: &str) -> String {
    refused_by(&lookalike::builtin(), text)
}

fn refused_by(registry: &Registry, text: &str) -> String {
    let experiment = Experiment::parse(registry, "test.toml", text, false);
    let outcome = experiment.and_then(|experiment| experiment.run(&()));
    let error = outcome.map(|_| ()).unwrap_err();
    let remedies = error.remedies();
    let remedies = remedies.iter().map(|remedy| format!("; {remedy}"));
    format!("{error}{}", remedies.collect::<String>())
}
