//! `lookalike pairs`: all pairs of items that are alike.

use std::io::{self, Write};

use clap::value_parser;
use lookalike::search::Registry;

use crate::bar::Spinner;
use crate::number::seconds;
use crate::options::measure::Near;
use crate::options::run::{Run, timed};
use crate::options::{Bag, Items, Search, Text};
use crate::verb::{Verb, many, name};

const EXAMPLES: &str = "\
Examples:
  Image hashes that differ in at most 6 bits:
    lookalike pairs hashes.txt --hamming 6
  All of them, for certain, as JSON:
    lookalike pairs codes.npy --hamming 25 --exact --json
  Records with a field phash, named by their url:
    lookalike pairs images.jsonl --field phash --id-field url --hamming 6
  Names that at most 2 edits turn into each other:
    lookalike pairs names.txt --edits 2
  Texts that share 80 % of their shingles, and the ten most similar of them:
    lookalike pairs corpus.jsonl --jaccard 0.8
    lookalike pairs corpus.jsonl --jaccard 0.8 --top 10
  The same with repeats: a shingle counts as often as it occurs:
    lookalike pairs corpus.jsonl --jaccard 0.8 --bag
  Files of any type by their TLSH digests, or a list of digests:
    lookalike pairs downloads --tlsh 30
    lookalike pairs digests.txt --tlsh 30
  Sets of whole numbers, one per line:
    lookalike pairs baskets.txt --kind set --jaccard 0.5

Items:
  text          a field of a record, a line of a text file that is named, a
                text file of a folder that is named
  set           an array of numbers or strings, a list column, a line of
                numbers with --kind set
  weighted-set  an object such as {\"tea\": 2, \"milk\": 0.5}, a line such as
                3:0.5 7:2 with --kind weighted-set, a row of an array
  code          hexadecimal digits, bits such as 10111 with --format bits,
                packed bytes with --bits N, a row of a NumPy array
  digest        a file of a folder, whatever it holds, or a named file with
                --format bytes; a field or a line with a TLSH digest, T1…
  string        a field of a record, a line of a text file
  vector        a row of an array, a list of numbers in a field or a line

Each line has the similarity or distance and two items, separated by tabs, the
most similar first. Items are named by their id, or by file and line; rows of
an array by their number from 0. In names, a tab is written \\t, a line break \\n
or \\r, a backslash \\\\; with --json they are JSON. How it is done goes to stderr.";

/// Find all pairs of similar items: texts, codes, vectors, names
///
/// State how near is near by a measure, such as --jaccard 0.8 or --hamming 6. The way to search follows from the items,
/// the threshold and the recall: the cheapest family or method that meets the request. What it finds is always compared
/// exactly.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files, folders or globs; - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    near: Near,
    /// Only the most similar N pairs [default: all]
    #[arg(short = 'k', long, value_name = "N", help_heading = "Search")]
    #[arg(value_parser = value_parser!(u64).range(1..), allow_negative_numbers = true)]
    top: Option<u64>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    bag: Bag,
    #[command(flatten)]
    items: Items,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let (items, search) = (&self.items, &self.search);
        let verb = Verb::new(registry, self.near, items, search, &self.text, self.bag)?;
        self.run.start()?;
        let spinner = Spinner::new(!self.run.quiet);
        let data = verb.read(&self.inputs, &spinner)?;
        let planned = verb.plan(&data, None, None, self.run.quiet)?;
        spinner.say("comparing");
        let top = self
            .top
            .map(|top| usize::try_from(top).unwrap_or(usize::MAX));
        let (found, took) = timed(|| verb.registry().search(&data, &planned.plan)?.pairs(top));
        spinner.hide();
        let found = found?;
        let key = verb.key();
        let mut written = 0;
        for found in found.iter().take(top.unwrap_or(usize::MAX)) {
            written += 1;
            let is_json = self.run.json;
            let [a, b] = [found.pair.a(), found.pair.b()].map(|id| name(data.names(), id, is_json));
            let value = verb.shown(found.distance);
            match is_json {
                true => writeln!(out, r#"{{"a": {a}, "b": {b}, "{key}": {value}}}"#)?,
                false => writeln!(out, "{value}\t{a}\t{b}")?,
            }
        }
        if !self.run.quiet {
            out.flush()?;
            let pairs = many(written, "pair", "pairs");
            let which = match top {
                Some(_) => ", the most similar ones",
                None => "",
            };
            let _ = writeln!(io::stderr(), "{pairs}{which}, in {}", seconds(took));
        }
        Ok(())
    }
}
