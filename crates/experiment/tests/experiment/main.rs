//! Whole experiments: what they measure, and what they refuse.

mod plugins;
mod prints;
mod queries;
mod runs;
mod textbook;
mod written;
mod wrong_files;

use lookalike_experiment::{Experiment, Outcome, Registry};

/// Runs tell what they hold.
#[global_allocator]
static MEMORY: lookalike_experiment::Counting = lookalike_experiment::Counting;

/// Runs a file with the families of the project.
fn run(text: &str) -> Outcome {
    run_with(&Registry::builtin(), text)
}

fn run_with(registry: &Registry, text: &str) -> Outcome {
    let experiment = Experiment::parse("test.toml", text, false);
    let outcome = experiment.and_then(|experiment| experiment.run(registry, &()));
    outcome.unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of a file that is wrong.
fn refused(text: &str) -> String {
    let experiment = Experiment::parse("test.toml", text, false);
    let outcome = experiment.and_then(|experiment| experiment.run(&Registry::builtin(), &()));
    outcome.map(|_| ()).unwrap_err().to_string()
}
