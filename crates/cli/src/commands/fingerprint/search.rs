use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::fingerprint::Comparison;
use lookalike::prints::{Candidate, Gallery, Print};
use rayon::prelude::*;
use serde::Serialize;

use super::{Data, say_skipped};
use crate::{
    bar::Spinner,
    options::run::Run,
    table::{Align, Column, Table},
};

const EXAMPLES: &str = "\
Examples:
  lookalike fingerprint search prints.idx scene.xyt --top 10
  A folder of probes, each with its best print, for a program:
    lookalike fingerprint search prints.idx probes --top 1 --json

A score says how well a print lies over the probe: minutiae that are paired,
against those that could be. Of two prints of different fingers fewer than one
in a thousand reach 11; but the best of thousands of strangers often does, so
that in a large database more is needed. Votes are weighted keys that agree on
one position.";

/// Find a print in a database
///
/// Candidates are ranked by votes; the best of them are compared minutia by minutia, and come first.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file that `enroll` made
    #[arg(value_name = "FILE")]
    index: PathBuf,
    /// Templates to look for, or folders of them
    #[arg(value_name = "PROBE", required = true)]
    probes: Vec<PathBuf>,
    /// How many prints to list for each probe
    #[arg(
        long,
        short = 'k',
        value_name = "K",
        default_value_t = 10,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    top: u32,
    /// How many of the best by votes are compared [default: a twentieth of the database, at least 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    verify: Option<u32>,

    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

#[derive(Serialize)]
struct Answer<'a> {
    probe: &'a str,
    candidates: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    rank: usize,
    name: &'a str,
    votes: f32,
    /// Missing where the print was not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
    #[serde(flatten)]
    explained: Option<Explained>,
}

/// What a score is made of.
#[derive(Serialize)]
struct Explained {
    paired: usize,
    /// The sum of how close the pairs are, from 0 to 1 each.
    closeness: f32,
    /// Edges between neighbours that agree.
    edges: u32,
    /// Minutiae of the probe, and of the print, that could have been paired.
    of: (u32, u32),
    degrees: f32,
    shift: (f32, f32),
}

impl From<&Comparison> for Explained {
    fn from(comparison: &Comparison) -> Self {
        Self {
            paired: comparison.pairs.len(),
            closeness: comparison.closeness,
            edges: comparison.support,
            of: comparison.overlap,
            degrees: comparison.rotation.to_degrees(),
            shift: comparison.shift,
        }
    }
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let gallery = Gallery::open(&self.index)?;
        let mut probes: Vec<Print> = Vec::new();
        let mut skipped = Vec::new();
        for path in &self.probes {
            let mut read = self.from.read(path)?;
            probes.append(&mut read.prints);
            skipped.append(&mut read.skipped);
        }
        spinner.hide();
        say_skipped(&skipped, self.run.quiet);
        let verify = self
            .verify
            .map_or((gallery.len() / 20).max(100), |n| n as usize);
        spinner.say("searching");
        let found = self.run.work(|| {
            let search = |searcher: &mut lookalike::prints::Searcher<'_>, probe: &Print| {
                searcher.search(&probe.template, self.top as usize, verify)
            };
            let all = probes.par_iter().map_init(|| gallery.searcher(), search);
            all.collect::<Result<Vec<_>, _>>()
        })??;
        spinner.hide();
        for (number, (probe, candidates)) in probes.iter().zip(&found).enumerate() {
            if self.run.json {
                self.json(&gallery, probe, candidates, out)?;
            } else {
                if number > 0 {
                    writeln!(out)?;
                }
                self.text(&gallery, probe, candidates, out)?;
            }
        }
        Ok(())
    }

    fn json(
        &self,
        gallery: &Gallery,
        probe: &Print,
        candidates: &[Candidate],
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let found = (1..).zip(candidates).map(|(rank, candidate)| {
            let comparison = candidate.comparison.as_ref();
            Found {
                rank,
                name: gallery.name(candidate.id),
                votes: candidate.votes,
                score: comparison.map(|_| candidate.score()),
                explained: comparison.map(Explained::from),
            }
        });
        let answer = Answer {
            probe: &probe.name,
            candidates: found.collect(),
        };
        Ok(writeln!(out, "{}", serde_json::to_string(&answer)?)?)
    }

    fn text(
        &self,
        gallery: &Gallery,
        probe: &Print,
        candidates: &[Candidate],
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if candidates.is_empty() {
            return Ok(writeln!(
                out,
                "{}: no print shares a key with it",
                probe.name
            )?);
        }
        writeln!(out, "{}", probe.name)?;
        let numbers = |head: &str, cell: &dyn Fn(&Candidate) -> String| {
            Column::new(head, Align::Right, candidates.iter().map(cell))
        };
        let compared = |candidate: &Candidate, say: &dyn Fn(&Comparison) -> String| {
            candidate
                .comparison
                .as_ref()
                .map_or_else(|| "-".into(), say)
        };
        let ranks = (1..=candidates.len()).map(|rank| rank.to_string());
        let names = candidates
            .iter()
            .map(|candidate| gallery.name(candidate.id).to_owned());
        let columns = vec![
            Column::new("rank", Align::Right, ranks),
            Column::new("print", Align::Left, names),
            numbers("score", &|candidate| {
                compared(candidate, &|comparison| {
                    format!("{:.2}", comparison.score())
                })
            }),
            numbers("paired", &|candidate| {
                compared(candidate, &|comparison| comparison.pairs.len().to_string())
            }),
            numbers("of", &|candidate| {
                compared(candidate, &|comparison| {
                    format!("{}, {}", comparison.overlap.0, comparison.overlap.1)
                })
            }),
            numbers("close-\nness", &|candidate| {
                compared(candidate, &|comparison| {
                    format!("{:.1}", comparison.closeness)
                })
            }),
            numbers("edges", &|candidate| {
                compared(candidate, &|comparison| comparison.support.to_string())
            }),
            numbers("turned", &|candidate| {
                compared(candidate, &|comparison| {
                    format!("{:.0}°", comparison.rotation.to_degrees())
                })
            }),
            numbers("votes", &|candidate| format!("{:.2}", candidate.votes)),
        ];
        let width = crate::output::columns(None);
        Ok(write!(out, "{}", Table { columns, width })?)
    }
}
