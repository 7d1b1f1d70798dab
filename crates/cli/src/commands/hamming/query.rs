use std::io::Write;

use clap::value_parser;
use lookalike::Near;
use lookalike::codes::{self, Aim, Collection, Finder, plan};
use lookalike::hamming::{CodeMethod, CodePlan};

use super::{Data, Search, say};
use crate::bar::Spinner;
use crate::options::run::{Run, timed};
use crate::usage::Usage;

const EXAMPLES: &str = "\
Examples:
  lookalike hamming query hashes.txt new.txt --radius 6
  All that are within 25 bits, for certain:
    lookalike hamming query codes.npy new.npy --radius 25 --exact
  The ten nearest, however far they are:
    lookalike hamming query codes.bin new.bin --bits 256 -k 10

Each line has a query, a distance and a code, separated by tabs, the nearest
first. Without --radius every code is compared, and nothing is missed.";

/// Find the codes that are near each of some queries
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file with codes, - for stdin
    #[arg(value_name = "DATA")]
    data: String,
    /// A file with queries, - for stdin
    #[arg(value_name = "QUERIES")]
    queries: String,
    /// The most bits that may differ
    #[arg(
        long,
        value_name = "BITS",
        required_unless_present = "k",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32))]
    radius: Option<u32>,
    /// At most so many codes for each query, the nearest ones [default: all within the radius]
    #[arg(
        short = 'k',
        long = "top",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    k: Option<u32>,

    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

/// Queries that are answered before their answers are written.
const BATCH: usize = 4096;

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.data == "-" && self.queries == "-" {
            let message = "stdin has the codes or the queries, not both: name a file";
            return Err(Usage(message.into()).into());
        }
        if self.radius.is_none() && self.search.recall.is_some() {
            let message = "--recall is the share of the codes at a radius: add --radius BITS";
            return Err(Usage(message.into()).into());
        }
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let [data, queries] = [&self.data, &self.queries];
        let [data, queries] = self.run.work(|| {
            let read = |path: &str| self.from.read(path);
            Ok::<_, anyhow::Error>([read(data)?, read(queries)?])
        })??;
        let [found, expected] = [&queries, &data].map(|of| of.codes.bit_length());
        if found != expected {
            return Err(codes::Error::Queries {
                queries: self.queries.clone(),
                found,
                data: self.data.clone(),
                expected,
            }
            .into());
        }
        let plan = self.plan(&data, queries.codes.len())?;
        // Without a radius everything is within it.
        let radius = self.radius.unwrap_or(expected as u32);
        if !self.run.quiet {
            spinner.hide();
            say::plan(&data.codes, &plan, self.radius)?;
        }
        spinner.say("indexing");
        let built = self
            .run
            .work(|| timed(|| Finder::new(&data.codes, plan, self.search.seed)))?;
        let (finder, build) = (built.0?, built.1);
        let k = self.k.map_or(usize::MAX, |k| k as usize);
        let (mut answers, mut seconds) = (0, 0.0);
        let all: Vec<&[u64]> = queries.codes.iter().collect();
        spinner.count("asking", all.len() as u64);
        for (number, batch) in all.chunks(BATCH).enumerate() {
            let (near, took) = self.run.work(|| timed(|| finder.near(batch, radius, k)))?;
            seconds += took;
            for (query, near) in (number * BATCH..).zip(near?) {
                answers += near.len() as u64;
                self.write(
                    &data,
                    queries.names.json(query as u32),
                    queries.names.text(query as u32),
                    &near,
                    out,
                )?;
            }
            spinner.reach((number * BATCH + batch.len()) as u64);
        }
        spinner.hide();
        if !self.run.quiet {
            say::answers(answers, all.len() as u64, build, seconds)?;
        }
        Ok(())
    }

    fn plan(&self, data: &Collection, queries: usize) -> anyhow::Result<CodePlan> {
        let Some(radius) = self.radius else {
            return Ok(CodePlan {
                method: CodeMethod::BruteForce,
                recall: 1.0,
                keys: 0,
                compared: data.codes.len() as f64,
                bytes: 0,
                seconds: 0.0,
            });
        };
        let recall = self.search.recall();
        let aim = Aim { radius, recall };
        Ok(plan(&data.codes, queries, aim, self.search.bytes())?)
    }

    fn write(
        &self,
        data: &Collection,
        json: String,
        text: String,
        near: &[Near],
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if self.run.json {
            write!(out, r#"{{"query": {json}, "hits": ["#)?;
            for (number, near) in near.iter().enumerate() {
                let comma = if number > 0 { ", " } else { "" };
                let id = data.names.json(near.id);
                write!(
                    out,
                    r#"{comma}{{"id": {id}, "distance": {}}}"#,
                    near.distance
                )?;
            }
            writeln!(out, "]}}")?;
            return Ok(());
        }
        for near in near {
            writeln!(
                out,
                "{text}\t{}\t{}",
                near.distance,
                data.names.text(near.id)
            )?;
        }
        Ok(())
    }
}
