//! `lookalike completions`: what a shell needs to complete the command.

use std::io::Write;

use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  bash, for this user:
    lookalike completions bash \\
      > ~/.local/share/bash-completion/completions/lookalike
  zsh, into a folder of $fpath:
    lookalike completions zsh > ~/.zfunc/_lookalike
  fish:
    lookalike completions fish > ~/.config/fish/completions/lookalike.fish";

/// Print a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    /// Writes the script of a command.
    pub(crate) fn run(
        &self,
        mut command: clap::Command,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let name = command.get_bin_name().unwrap_or("lookalike").to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Ok(out.write_all(&script)?)
    }
}
