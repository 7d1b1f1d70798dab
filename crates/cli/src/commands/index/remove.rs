use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context;
use lookalike::search::{Index, Registry, TextIndex, is_store, remove};

use super::{
    Run, Wait,
    say::{self, Change},
    stored,
};
use crate::usage::Usage;

const EXAMPLES: &str = "\
Examples:
  lookalike index remove corpus.idx doc-17 doc-18
  All ids of a list, one per line:
    lookalike index remove corpus.idx --ids gone.txt";

/// Remove documents from an index
///
/// All of them are removed, or, if one is not there, none. Their texts are not in the file any more.
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
        if is_store(&self.index) {
            let wait = self.wait.duration();
            let (done, seconds) = self
                .run
                .work(|bar| Index::remove_ids(registry, &self.index, &ids, wait, bar))?;
            let change = stored::Change {
                removed: Some(done.removed),
                ..stored::Change::default()
            };
            return stored::write(&self.index, &change, &done.stats, seconds, self.run, out);
        }
        let before = TextIndex::load(&self.index)?.len() as u64;
        let (stats, seconds) = self.run.work(|bar| remove(&self.index, &ids, bar))?;
        let change = Change::Removed(before.saturating_sub(stats.documents));
        say::write(&self.index, change, &stats, seconds, self.run, out)
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
