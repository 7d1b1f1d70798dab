//! A run from its settings to its files.

use std::{path::Path, time::Instant};

use lookalike_core::{LshFamily, LshFunctions};
use lookalike_corpus::{Corpus, Format, Options};
use lookalike_engine::{Id, Join, Match, Pair, Summary};
use lookalike_minhash::{FastSimilarity, Hashes, Universal, Value, estimate_from_bytes};

use crate::{
    Config, Error, Method, Mode, Plan, Progress, Report, Sketch, Stage,
    copies::Copies,
    folder::Folder,
    groups,
    output::{self, Results},
    report,
    sketch::{Sketched, Sketcher},
    verify::{self, Exact},
};

/// Finds near-duplicates as the settings say, and writes the results to a folder that does not exist yet.
///
/// Runs on the threads of the current rayon pool.
pub fn run(config: &Config, out: &Path, progress: &dyn Progress) -> Result<Report, Error> {
    let shingler = config.family.shingler();
    match config.family.name {
        Sketch::FastSimilarity => Run {
            texts: FastSimilarity::new(shingler),
            hashes: FastSimilarity::new(Hashes),
            config,
        }
        .run(out, progress),
        Sketch::Universal => Run {
            texts: Universal::new(shingler),
            hashes: Universal::new(Hashes),
            config,
        }
        .run(out, progress),
    }
}

/// The same family twice: for texts, and for elements that are at hand.
struct Run<'a, T, H> {
    texts: T,
    hashes: H,
    config: &'a Config,
}

impl<T, H> Run<'_, T, H>
where
    T: LshFamily<Item = str, Functions: LshFunctions<Key = Value>> + Clone,
    H: LshFamily<Item = [u64], Functions: LshFunctions<Key = Value>> + Clone,
{
    fn run(&self, out: &Path, progress: &dyn Progress) -> Result<Report, Error> {
        let start = Instant::now();
        let config = self.config;
        let plan = Plan::new(config)?;
        let mut folder = Folder::new(out, config.output.overwrite)?;
        progress.hidden(folder.hidden());
        let corpus = self.open(&folder)?;
        let sketcher = self.sketcher(&plan)?;

        progress.start(Stage::Read, corpus.bytes());
        let sketched = sketcher.run(&corpus, progress)?;
        let documents = &sketched.documents;
        documents.check_ids(&corpus)?;
        let read = start.elapsed();

        progress.start(Stage::Compare, None);
        let in_order = documents.in_order_of(config.cluster.keep);
        let copies = Copies::new(documents, sketched.columns.items(), &in_order);
        let join = Join::new(&sketched.columns).prefer(copies.ranks());
        let (matches, summary) = self.matches(join, &sketched, &sketcher, &corpus, progress)?;
        let similarity = |distance: f64| match config.verify.method {
            Method::None => None,
            _ => Some(1.0 - distance),
        };
        let groups = groups::groups(&matches, &copies, config.cluster.method, similarity);
        let (pairs, not_listed) = groups::pairs(&matches, &copies, similarity);
        let compared = start.elapsed();

        progress.start(Stage::Write, Some(documents.len() as u64));
        let results = Results {
            corpus: &corpus,
            documents,
            groups: &groups,
        };
        folder.write("pairs.jsonl", |out| results.pairs(&pairs, out))?;
        folder.write("clusters.jsonl", |out| results.clusters(out))?;
        let resolved = config.resolved(&plan.scheme, plan.banding);
        let resolved = toml::to_string(&resolved).expect("settings are a table");
        folder.write("run.toml", |out| out.write_all(resolved.as_bytes()))?;
        if config.output.mode == Mode::Remove {
            folder.folder("kept")?;
            folder.folder("removed")?;
        }
        let files = self.mirror(&mut folder, &results, progress)?;

        let removed: u64 = files.iter().map(|file| file.removed).sum();
        let items = documents.items.iter().flatten().count() as u64;
        let mut report = Report {
            version: env!("CARGO_PKG_VERSION"),
            threshold: config.threshold,
            plan,
            documents: report::Documents {
                read: documents.len() as u64,
                kept: documents.len() as u64 - removed,
                removed,
                empty: documents.len() as u64 - items,
                copies: items - sketched.columns.items() as u64,
                text_bytes: sketched.text_bytes,
            },
            pairs: report::Pairs {
                candidates: summary.candidates,
                matches: matches.len() as u64,
                listed: pairs.len() as u64,
                not_listed,
                not_compared: summary.not_compared,
                not_compared_is_exact: summary.not_compared_is_exact,
            },
            buckets: (&summary).into(),
            clusters: report::Clusters {
                count: groups.len() as u64,
                largest: groups
                    .iter()
                    .map(|g| g.members.len() as u64 + 1)
                    .max()
                    .unwrap_or(0),
            },
            files,
            times: report::Times::default(),
        };
        let total = start.elapsed();
        report.times = report::Times {
            threads: rayon::current_num_threads(),
            read: report::Times::seconds(read),
            compare: report::Times::seconds(compared - read),
            write: report::Times::seconds(total - compared),
            total: report::Times::seconds(total),
        };
        folder.write("report.json", |out| output::json(&report, out))?;
        folder.publish()?;
        Ok(report)
    }

    fn open(&self, folder: &Folder) -> Result<Corpus, Error> {
        let config = self.config;
        let writes = config.output.mode != Mode::Report;
        let options = Options {
            format: config.data.format,
            text: config.data.text.clone(),
            id: config.data.id.clone(),
            second_pass: writes || config.verify.method == Method::Exact,
            spool: Some(folder.hidden().to_owned()),
            ..Options::default()
        };
        let corpus = Corpus::open(&config.data.inputs, options)?;
        folder.refuse_inputs(corpus.files().iter().map(|file| file.name()))?;
        let plain = corpus
            .files()
            .iter()
            .find(|file| file.format() != Format::Jsonl);
        match plain {
            Some(file) if config.output.mode == Mode::Annotate => Err(Error::Setting {
                message: format!(
                    "{}: not JSONL, so there is no record to annotate: use --mode remove or --mode report",
                    file.name()
                ),
            }),
            _ => Ok(corpus),
        }
    }

    fn sketcher(&self, plan: &Plan) -> Result<Sketcher<T, H>, Error> {
        let seed = self.config.seed;
        let method = self.config.verify.method;
        Ok(Sketcher {
            shingler: self.config.family.shingler(),
            texts: self.texts.clone().amplify(plan.scheme.clone()).draw(seed)?,
            hashes: self
                .hashes
                .clone()
                .amplify(plan.scheme.clone())
                .draw(seed)?,
            signatures: method == Method::Signature,
            elements: method == Method::Exact,
            ignores_ids: self.config.data.ignore_ids,
        })
    }

    /// The pairs of items that are matches, by the method that is asked for.
    fn matches(
        &self,
        join: Join<'_>,
        sketched: &Sketched,
        sketcher: &Sketcher<T, H>,
        corpus: &Corpus,
        progress: &dyn Progress,
    ) -> Result<(Vec<Match>, Summary), Error> {
        let threshold = self.config.threshold;
        let found = match self.config.verify.method {
            Method::None => join.matches(&|_: Pair| Some(0.0)),
            Method::Signature => {
                let functions = sketcher.hashes.functions().len();
                let signature = |item: Id| {
                    let start = item as usize * functions;
                    &sketched.signatures[start..start + functions]
                };
                let by_signature = |pair: Pair| {
                    let estimate =
                        estimate_from_bytes(signature(pair.a), signature(pair.b)).ok()?;
                    let similarity = estimate.similarity();
                    (similarity >= threshold).then_some(1.0 - similarity)
                };
                join.matches(&by_signature)
            }
            Method::Exact => {
                let place = |item: Id| {
                    let first = sketched.firsts[item as usize];
                    sketched.documents.places[first as usize]
                };
                let exact = Exact::new(
                    corpus,
                    &sketcher.shingler,
                    &sketched.held,
                    &place,
                    threshold,
                );
                return compare(join, &exact, progress);
            }
        };
        Ok(found)
    }

    /// Copies every file as the mode says, and counts.
    fn mirror(
        &self,
        folder: &mut Folder,
        results: &Results<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<report::File>, Error> {
        let fates = results.fates();
        let places = &results.documents.places;
        let mut start = 0;
        let mut files = Vec::new();
        for (number, file) in (0..).zip(results.corpus.files()) {
            let end = start + places[start..].partition_point(|place| place.file <= number);
            results.mirror(folder, self.config.output.mode, number, start..end, &fates)?;
            files.push(report::File {
                name: file.name().to_owned(),
                documents: (end - start) as u64,
                removed: fates[start..end].iter().flatten().count() as u64,
            });
            start = end;
            progress.reach(end as u64);
        }
        Ok(files)
    }
}

/// Compares candidates in batches, so that they are never held all together.
fn compare(
    join: Join<'_>,
    exact: &Exact<'_>,
    progress: &dyn Progress,
) -> Result<(Vec<Match>, Summary), Error> {
    let mut waiting = Vec::new();
    let mut matches = Vec::new();
    let mut result = Ok(());
    let mut done = 0;
    let summary = join.run(
        |_| Some(()),
        |pair, ()| {
            waiting.push(pair);
            if waiting.len() == verify::BATCH {
                if result.is_ok() {
                    result = exact.run(&mut waiting, &mut matches);
                }
                done += waiting.len() as u64;
                progress.reach(done);
                waiting.clear();
            }
        },
    );
    result?;
    exact.run(&mut waiting, &mut matches)?;
    progress.reach(summary.candidates);
    matches.sort_unstable_by_key(|found| found.pair);
    Ok((matches, summary))
}
