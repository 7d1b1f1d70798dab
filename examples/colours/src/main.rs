//! The command `lookalike`, which also knows colours.

use std::process::ExitCode;

use colours::RandomCuts;

fn main() -> ExitCode {
    lookalike_cli::main(&lookalike::builtin().with::<RandomCuts>())
}
