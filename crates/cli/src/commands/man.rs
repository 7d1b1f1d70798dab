//! `lookalike man`: the manual pages.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;

const EXAMPLES: &str = "\
Examples:
  Read it:
    lookalike man > lookalike.1 && man ./lookalike.1
  Install a page for every command:
    lookalike man --out ~/.local/share/man/man1";

/// Print the manual page, or write one for every command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder for lookalike.1, lookalike-dedup.1 and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    /// Writes the pages of a command.
    pub(crate) fn run(&self, command: clap::Command, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(folder) = &self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return Ok(out.write_all(&page)?);
        };
        let failed = |path: &Path| path.display().to_string();
        fs::create_dir_all(folder).with_context(|| failed(folder))?;
        clap_mangen::generate_to(command, folder).with_context(|| failed(folder))?;
        Ok(())
    }
}
