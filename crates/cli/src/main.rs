//! The command `lookalike`: the library with all plugins of the project.

use std::process::ExitCode;

/// It counts for `run` and `compare`, which say how much memory families take.
#[global_allocator]
static MEMORY: lookalike::experiment::Counting = lookalike::experiment::Counting;

fn main() -> ExitCode {
    lookalike_cli::main(&lookalike::builtin())
}
