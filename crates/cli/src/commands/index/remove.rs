use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use lookalike::search::{Index, Registry};

use super::{
    Run, Wait,
    say::{self, Change},
};
use crate::usage::Usage;

const EXAMPLES: &str = "\
Examples:
  lookalike index remove corpus.idx doc-17 doc-18
  All ids of a list, one per line:
    lookalike index remove corpus.idx --ids gone.txt";

/// Remove documents from an index
///
/// All of them are removed, or, if one is not there, none. Their items stay in the file until it is written again, which happens when
/// more than half of it is not used any more, or by `lookalike index compact`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Ids; as JSON, such as '"17"', where a number and a string would read the same; after -- if one starts with a dash
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    id: Vec<String>,
    /// A file with an id on each line; - for stdin
    #[arg(long, value_name = "FILE")]
    ids: Option<PathBuf>,
    #[command(flatten)]
    wait: Wait,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let ids = self.ids()?;
        let wait = self.wait.duration();
        let (done, seconds) = self
            .run
            .work(|bar| Index::remove_ids(registry, &self.index, &ids, wait, bar))?;
        let change = Change {
            removed: Some(done.removed),
            ..Change::default()
        };
        let stats = &done.stats;
        say::write(
            registry,
            &self.index,
            &change,
            stats,
            seconds,
            self.run,
            out,
        )
    }

    fn ids(&self) -> anyhow::Result<Vec<String>> {
        let mut ids = self.id.clone();
        if let Some(path) = &self.ids {
            let name = path.display().to_string();
            let text = match name.as_str() {
                "-" => io::read_to_string(io::stdin()),
                _ => fs::read_to_string(path),
            };
            let text = text.with_context(|| name)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            ids.extend(lines.map(str::to_owned));
        }
        if ids.is_empty() {
            let message = "no ids: name some, or a file that lists them with --ids";
            return Err(Usage(message.into()).into());
        }
        Ok(ids)
    }
}
