//! `lookalike clusters`: what a finished run put together.

use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::dedup::clusters::{Cluster, Clusters, Which, clusters};
use lookalike::plugin::printable;
use serde_json::value::RawValue;

const EXAMPLES: &str = "\
Examples:
  The ten largest clusters of a run:
    lookalike clusters clean
  Twenty at random:
    lookalike clusters clean --sample 20
  The one that has a document, as JSON:
    lookalike clusters clean page-17 --json";

/// Clusters that are listed unless another number is given.
const TOP: u64 = 10;
/// Duplicates of a cluster that are printed.
const SHOWN: usize = 10;

/// List clusters of a dedup run: the largest, a sample, or one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of a finished dedup run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Id of a document, or file and line where it has none: list its cluster, with all duplicates
    #[arg(value_name = "ID", conflicts_with_all = ["top", "sample"])]
    id: Option<String>,
    /// List the N largest clusters
    #[arg(long, value_name = "N", default_value_t = TOP, allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    top: u64,
    /// List N clusters drawn at random instead
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "top",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Where the random draws come from
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Write one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let which = match (&self.id, self.sample) {
            (Some(id), _) => Which::Of(id.clone()),
            (None, Some(count)) => Which::Sample {
                count,
                seed: self.seed,
            },
            (None, None) => Which::Largest(self.top),
        };
        let found = clusters(&self.folder, &which)?;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            return Ok(writeln!(out)?);
        }
        let Clusters { count, clusters } = &found;
        let listed = clusters.len();
        match which {
            Which::Largest(_) => writeln!(out, "the {listed} largest of {count} clusters")?,
            Which::Sample { .. } => writeln!(out, "{listed} of {count} clusters, at random")?,
            Which::Of(_) => {}
        }
        let shown = if self.id.is_some() { usize::MAX } else { SHOWN };
        clusters
            .iter()
            .try_for_each(|cluster| write(cluster, shown, out))
    }
}

/// The document that is kept, and its duplicates below it.
fn write(cluster: &Cluster, shown: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let older = if cluster.against {
        ", of the older corpus"
    } else {
        ""
    };
    let kept = plain(&cluster.representative);
    writeln!(out, "\n{} documents; kept: {kept}{older}", cluster.size)?;
    for member in cluster.members.iter().take(shown) {
        let similarity = member.similarity.map_or("-".into(), |s| format!("{s:.4}"));
        writeln!(out, "  {similarity:6}  {}", plain(&member.id))?;
    }
    if let more @ 1.. = cluster.members.len().saturating_sub(shown) {
        writeln!(out, "  and {more} more")?;
    }
    Ok(())
}

/// An id without its quotes, as a terminal may have it.
fn plain(id: &RawValue) -> String {
    let id: String = serde_json::from_str(id.get()).unwrap_or_else(|_| id.get().to_owned());
    printable(&id).into_owned()
}
