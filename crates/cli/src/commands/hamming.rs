//! `lookalike hamming`: binary codes that are near each other.

mod pairs;
mod query;
mod say;

use std::io::Write;

use clap::{Subcommand, value_parser};
use lookalike::codes::{Collection, Format, Input};
use lookalike::corpus::{self, FieldPath};

use crate::usage;

const EXAMPLES: &str = "\
Examples:
  All pairs of image hashes that differ in at most 6 of their bits:
    lookalike hamming pairs hashes.txt --radius 6
  What of a database is near each of some queries, without missing any:
    lookalike hamming query codes.npy new.npy --radius 25 --exact
  The three nearest, for a program:
    lookalike hamming query codes.bin new.bin --bits 256 -k 3 --json

Codes are read from
  hex      a code a line, in hexadecimal digits
  jsonl, csv, parquet
           records with such a field, named by --field
  bin      bytes, one code after the other, --bits each
  npy      a NumPy array of uint8, a row a code, as np.packbits makes them
Text may be compressed with gzip or zstd. Codes of text are called by their id,
or by file and line; codes of arrays by their row, from 0.";

/// Find binary codes that are near each other: image hashes, codes of embeddings
///
/// Codes of one length, compared by the number of bits in which they differ. How they are found follows from their
/// length, the radius and the recall: by tables of sampled bits, by blocks of bits that cannot all differ, or
/// by comparing everything where that is quickest. What is found is always compared in full.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Pairs(pairs::Args),
    Query(query::Args),
}

impl Args {
    /// The command as it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Pairs(_) => "hamming pairs",
            Command::Query(_) => "hamming query",
        }
    }

    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.command {
            Command::Pairs(args) => args.run(out),
            Command::Query(args) => args.run(out),
        }
    }
}

/// How codes are read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Data")]
struct Data {
    /// What the files hold [default: what names and contents say]
    #[arg(long, value_name = "FORMAT")]
    #[arg(value_parser = ["hex", "jsonl", "csv", "parquet", "bin", "npy"])]
    format: Option<String>,
    /// Bits of a code; packed codes do not say it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=65536))]
    bits: Option<u32>,
    /// Field of a record that holds the code, dots for inner ones [default: hash]
    #[arg(long, value_name = "FIELD")]
    field: Option<FieldPath>,
    /// Field that holds the id [default: id where there is one, else file and line]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<FieldPath>,
    /// Name codes by file and line, even if they have ids
    #[arg(long, conflicts_with = "id_field")]
    ignore_ids: bool,
    /// How many times as many bytes may come out of compressed files as are in them [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    max_expansion: Option<u64>,
}

impl Data {
    fn read(&self, path: &str) -> anyhow::Result<Collection> {
        let mut input = Input::new(path);
        input.format = self.format.as_deref().map(|name| match name {
            "hex" => Format::Hex,
            "jsonl" => Format::Records(corpus::Format::Jsonl),
            "csv" => Format::Records(corpus::Format::Csv),
            "parquet" => Format::Records(corpus::Format::Parquet),
            "bin" => Format::Bin,
            _ => Format::Npy,
        });
        input.bits = self.bits.map(|bits| bits as usize);
        if let Some(field) = &self.field {
            input.field = field.clone();
        }
        input.id = self.id_field.clone();
        input.ignore_ids = self.ignore_ids;
        if let Some(most) = self.max_expansion {
            input.max_expansion = most;
        }
        Ok(input.read()?)
    }
}

/// What is to be found.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Search")]
struct Search {
    /// Share of the codes at the radius that must be found [default: 0.95]
    #[arg(long, value_name = "R", conflicts_with = "exact")]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Find all of them, for certain
    #[arg(long)]
    exact: bool,
    /// Megabytes that an index may take
    #[arg(
        long,
        value_name = "MB",
        default_value_t = 4096,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u64).range(1..=1 << 30))]
    memory: u64,
    /// Where all random draws come from
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: u64,
}

impl Search {
    fn recall(self) -> Option<f64> {
        (!self.exact).then_some(self.recall.unwrap_or(0.95))
    }

    fn bytes(self) -> u64 {
        self.memory * 1_000_000
    }
}
