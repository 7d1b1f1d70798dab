//! `lookalike query`: which documents are like a text?
//!
//! An index answers from its buckets; without one every document of a corpus is compared.

mod answers;
mod asked;
mod batch;

use std::{io::Write, path::Path};

use clap::value_parser;
use lookalike::corpus::Format;
use lookalike::search::{Ask, Error, LIMIT, Scan, Searcher, TextFamily, TextIndex, is_index};

use self::answers::{Found, Shown, Style, Why};
use self::asked::Asked;
use self::batch::Batch;
use super::index::found;
use crate::bar::Bar;
use crate::options::{Fields, Text, formats};
use crate::usage::{self, Usage};

const USAGE: &str = "\
lookalike query INDEX|CORPUS --text TEXT [OPTIONS]
       lookalike query INDEX|CORPUS FILE... [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  A text, in an index and without one:
    lookalike query corpus.idx --text \"the ferry leaves the island at nine\"
    lookalike query corpus.jsonl --text \"the ferry leaves the island at nine\"
  The three documents that are most like a page:
    lookalike query corpus.idx page.txt -k 3
  What of a new file is in the index already, for a program:
    lookalike query corpus.idx new.jsonl -k 1 --min 0.8 --json

Similarities are exact: the share of shingles that two texts have in common
(Jaccard). Texts are compared as wholes: a sentence is not like the long page
that contains it. An index finds documents at its threshold with the recall it
was made for, and fewer below; a corpus is compared document by document, and
nothing is missed.";

/// Find the documents that are most like a text
///
/// The first argument is an index, made by `lookalike index build`, or a corpus: a file, a folder
/// or a glob. What to look for is a text, or files: each record of a JSONL file and each row of a CSV or
/// Parquet file is a query, any other file is one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Args {
    /// An index; or a corpus, which is then compared document by document; - for one on stdin
    #[arg(value_name = "INDEX|CORPUS")]
    target: String,
    /// Files with what to look for: one query per record or row of JSONL, JSON, CSV, TSV and Parquet, other files whole; - for stdin
    #[arg(value_name = "FILE", conflicts_with = "text")]
    inputs: Vec<String>,
    /// What to look for
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// At most so many documents for each query
    #[arg(short = 'k', long = "top", value_name = "N", default_value_t = 5)]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    k: u32,
    /// Only documents at least so similar, from 0 to 1
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    min: f64,
    /// Compare at most so many candidates of an index, those first that share the most buckets
    #[arg(long, value_name = "N", default_value_t = LIMIT as u32)]
    #[arg(value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    limit: u32,

    #[command(flatten)]
    how: Text,
    /// What a query is in the files to look for [default: a record or row of JSONL, JSON, CSV, TSV and Parquet, else a file]
    #[arg(long, value_name = "FORMAT", help_heading = "Data")]
    #[arg(value_parser = formats())]
    queries: Option<Format>,
    #[command(flatten)]
    fields: Fields,

    /// Threads [default: all cores]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Output",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write a JSON object for each query, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Whole texts of the documents in the JSON
    #[arg(long, help_heading = "Output", requires = "json")]
    texts: bool,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.text.is_none() && self.inputs.is_empty() {
            let message = "nothing to look for: add --text TEXT, or name files; - for stdin";
            return Err(Usage(message.into()).into());
        }
        if self.target == "-" && self.inputs.iter().any(|input| input == "-") {
            let message = "stdin is the corpus or what to look for, not both: name a file";
            return Err(Usage(message.into()).into());
        }
        let ask = Ask {
            k: self.k as usize,
            min: self.min,
            limit: self.limit as usize,
        };
        let style = match (self.json, self.texts) {
            (false, _) => Style::Text,
            (true, false) => Style::Json,
            (true, true) => Style::JsonWithTexts,
        };
        // Answers are written by this thread, which is none of a pool.
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build_global()?;
        if is_index(Path::new(&self.target)) {
            return self.ask_index(&ask, style, out);
        }
        self.ask_corpus(&ask, style, out)
    }

    /// Asks an index, query by query.
    fn ask_index(&self, ask: &Ask, style: Style, out: &mut impl Write) -> anyhow::Result<()> {
        let corpus_only = self.how.given().or(self.fields.format.map(|_| "--format"));
        if let Some(option) = corpus_only {
            let message = format!(
                "{option} is for a corpus without an index: {} was made with settings of its own, which `lookalike index stats` shows",
                self.target
            );
            return Err(Usage(message).into());
        }
        let index = TextIndex::load(&self.target)?;
        let stats = index.stats();
        let finds = (stats.documents > 0).then(|| found(&stats.plan, stats.settings.threshold));
        let why = Why::Index(finds, ask.min);
        let mut shown = Shown::new(style, self.text.is_some(), why);
        let answer = |searcher: &mut Searcher<'_>, text: &str| {
            let answer = searcher.ask(text, ask)?;
            let found = answer.hits.into_iter().map(|hit| {
                let text = match style {
                    Style::Json => None,
                    _ => index.text(&hit.id)?.map(Into::into),
                };
                Ok(Found { hit, text })
            });
            Ok::<_, Error>(answers::Answer {
                found: found.collect::<Result<_, Error>>()?,
                has_shingles: answer.has_shingles,
                candidates: Some((answer.candidates, answer.compared)),
            })
        };
        if let Some(text) = &self.text {
            let answer = answer(&mut index.searcher(), text)?;
            shown.answer(None, &answer, out)?;
            return shown.end(out);
        }
        for corpus in asked::corpora(&self.inputs, self.queries, &self.fields)? {
            let asked = Asked::new(&corpus, &self.fields);
            corpus.scan(
                || index.searcher(),
                |searcher, documents| {
                    let mut answers = Vec::new();
                    while let Some(document) = documents.next()? {
                        let answer = answer(searcher, document.text)?;
                        answers.push((asked.id(&document), answer));
                    }
                    Ok::<_, anyhow::Error>(answers)
                },
                |_, answers| {
                    for (id, answer) in &answers {
                        shown.answer(Some(id), answer, out)?;
                    }
                    Ok(())
                },
            )?;
        }
        shown.end(out)
    }

    /// Compares every document of a corpus with every query.
    fn ask_corpus(&self, ask: &Ask, style: Style, out: &mut impl Write) -> anyhow::Result<()> {
        let mut family = TextFamily::default();
        self.how.over(&mut family)?;
        let inputs = std::slice::from_ref(&self.target);
        let data = self.fields.input(inputs);
        let mut batch = Batch {
            scan: Scan::new(&data, &family, ask)?,
            asked: Vec::new(),
            target: &self.target,
            shown: Shown::new(style, self.text.is_some(), Why::Corpus(ask.min)),
            bar: Bar::new(style == Style::Text),
        };
        match &self.text {
            Some(text) => batch.push(None, text, out)?,
            None => {
                asked::each(&self.inputs, self.queries, &self.fields, |id, text| {
                    batch.push(Some(id), text, out)
                })?;
            }
        }
        batch.finish(out)
    }
}
