//! A run from its settings to its files.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use lookalike_core::plugin::Setting;
use lookalike_corpus::{Corpus, FieldPath, File, OnError, Options};
use lookalike_engine::{Join, Joined};
use lookalike_minhash::Short;
use lookalike_output::{Inventory, Progress, ResultFolder, Stage};
use lookalike_search::{Registry, TextPlan};

use crate::{
    Config, Equality, Error, Mode, Report, Verification,
    copies::Copies,
    documents::{Doc, Documents},
    find::Finder,
    forecast::{self, Forecast, Sample},
    groups, guard,
    hashing::{Hashing, Promised},
    mirror,
    output::{self, Fate, Results},
    page::Seen,
    report,
    sketch::{Equal, Sketcher},
};

/// What a run writes.
const ENTRIES: &[&str] = &[
    "annotated",
    "clusters.csv",
    "clusters.jsonl",
    "clusters.parquet",
    "kept",
    "pairs.csv",
    "pairs.jsonl",
    "pairs.parquet",
    "removed",
    "removed_ids.txt",
    "report.html",
    "report.json",
    "run.toml",
    "skipped",
    "skipped.jsonl",
];

/// Refuses a folder to which [`run`] would not write its results. Makes nothing.
///
/// # Errors
/// If something is there that is not replaced, or a file is where a folder should be.
pub fn check_folder(folder: &Path, may_replace: bool) -> Result<(), Error> {
    Ok(lookalike_output::check_folder(
        folder,
        may_replace,
        ENTRIES,
    )?)
}

/// Finds near-duplicates as the settings say, and writes the results to a folder that does not exist yet.
///
/// Any family over texts in the registry can be named. Runs on the threads of the current rayon pool.
///
/// # Errors
/// If a setting is wrong, an input cannot be read, or the results cannot be written.
pub fn run(
    registry: &Registry,
    config: &Config,
    out: &Path,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    Run { registry, config }.run(out, progress)
}

/// Reads the start of the inputs, and says what a run would take. Writes nothing.
///
/// # Errors
/// If a setting is wrong, or an input cannot be read, or not twice.
pub fn forecast(registry: &Registry, config: &Config) -> Result<Forecast, Error> {
    Run { registry, config }.forecast()
}

struct Run<'a> {
    registry: &'a Registry,
    config: &'a Config,
}

impl Run<'_> {
    fn run(&self, out: &Path, progress: &dyn Progress) -> Result<Report, Error> {
        let start = Instant::now();
        let config = self.config;
        let plan = config.plan(self.registry)?;
        let announce = |folder: &Path| progress.temporary(folder);
        let mut folder = ResultFolder::new(out, config.output.overwrite, ENTRIES, &announce)?;
        let corpus = self.open(Some(&folder))?;
        let sketcher = self.sketcher(&plan)?;

        progress.start(Stage::Read, corpus.bytes());
        let sketched = sketcher.run(&corpus, |consumed| {
            progress.reach(consumed);
            false
        })?;
        let documents = &sketched.documents;
        let formats = corpus.own_files().iter().map(|file| file.format().name());
        let inventory = Inventory::new(documents.own as u64, formats, corpus.ignored());
        progress.inputs(&inventory);
        guard::check_skipped(config, &corpus, documents, &sketched.skipped)?;
        self.check_fields(documents)?;
        documents.check_ids(&corpus)?;
        let read = start.elapsed();

        progress.start(Stage::Compare, None);
        let in_order = documents.in_order_of(&config.cluster.keep);
        let copies = Copies::new(documents, sketched.items, &in_order);
        let join = Join::new(&sketched.columns)
            .bucket_limit(config.max_bucket as usize)
            .prefer(&copies.ranks()[..sketched.columns.items()]);
        let finder = Finder {
            corpus: &corpus,
            sketched: &sketched,
            counted: &sketcher.counted,
            threshold: config.threshold,
        };
        let Joined {
            found: matches,
            summary,
        } = finder.run(config.verify.method, join, progress)?;
        let similarity = |distance: f64| match config.verify.method {
            Verification::None => None,
            _ => Some(1.0 - distance),
        };
        // Equal values of a field say nothing about texts.
        let of_copies = config.by.is_none().then_some(1.0);
        let method = config.cluster.method;
        let groups = groups::groups(&matches, &copies, method, similarity, of_copies);
        let (pairs, not_listed) = groups::pairs(&matches, &copies, similarity, of_copies);
        let compared = start.elapsed();

        progress.start(Stage::Write, Some(documents.own as u64));
        let results = Results {
            corpus: &corpus,
            documents,
            groups: &groups,
            skipped: &sketched.skipped,
        };
        let fates = results.fates();
        // What the older corpus has already is no sign of a wrong setting.
        guard::check(config, &corpus, documents, |doc| {
            fates[doc as usize].is_some_and(|(kept, _)| !documents.is_old(kept))
        })?;
        folder.write("pairs.jsonl", |out| results.pairs(&pairs, out))?;
        folder.write("clusters.jsonl", |out| results.clusters(out))?;
        if let Some(format) = config.output.tables.format() {
            results.tables(&mut folder, format, &pairs)?;
        }
        if config.output.mode == Mode::Ids {
            folder.write("removed_ids.txt", |out| results.removed_ids(&fates, out))?;
        }
        if !sketched.skipped.is_empty() {
            folder.write("skipped.jsonl", |out| sketched.skipped.write(&corpus, out))?;
        }
        let resolved = config.resolved(&plan.scheme, plan.banding)?;
        let resolved = toml::to_string(&resolved).expect("settings are a table");
        folder.write("run.toml", |out| out.write_all(resolved.as_bytes()))?;
        if config.output.mode == Mode::Remove {
            folder.create_folder("kept")?;
            folder.create_folder("removed")?;
        }
        let files = self.mirror(&mut folder, &results, &fates, progress)?;

        let own = documents.own as u64;
        let removed: u64 = files.iter().map(|file| file.removed).sum();
        let is_copy = |doc: &Doc| {
            let item = documents.items[*doc as usize];
            item.is_some_and(|item| copies.of(item)[0] != *doc)
        };
        let by_old = |fate: &&Fate| documents.is_old(fate.0);
        let mut report = Report {
            version: env!("CARGO_PKG_VERSION"),
            threshold: config.threshold,
            plan: config.equality().is_none().then_some(plan),
            inputs: inventory,
            documents: report::Documents {
                read: own,
                kept: own - removed,
                removed,
                empty: own - documents.with_shingles as u64,
                short: sketched.short,
                skipped: files.iter().map(|file| file.skipped).sum(),
                copies: (0..own as Doc).filter(is_copy).count() as u64,
                text_bytes: sketched.text_bytes,
                removed_text_bytes: (documents.lengths.iter().zip(&fates))
                    .filter(|(_, fate)| fate.is_some())
                    .map(|(&length, _)| u64::from(length))
                    .sum(),
            },
            against: (!config.data.against.is_empty()).then(|| report::Against {
                documents: documents.len() as u64 - own,
                removed: fates.iter().flatten().filter(by_old).count() as u64,
            }),
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
        let seen = Seen {
            report: &report,
            promised: &Promised::new(&config.family, self.registry)?,
            corpus: &corpus,
            documents,
            pairs: &pairs,
            groups: &groups,
        };
        let page = seen.page()?.html();
        folder.write("report.html", |out| out.write_all(page.as_bytes()))?;
        let total = start.elapsed();
        report.times = report::Times {
            threads: rayon::current_num_threads(),
            read: report::Times::seconds(read),
            compare: report::Times::seconds(compared - read),
            write: report::Times::seconds(total - compared),
            total: report::Times::seconds(total),
        };
        folder.write("report.json", |out| output::json(&report, out))?;
        corpus.check_unchanged()?;
        folder.publish()?;
        Ok(report)
    }

    /// Reads a sample, and says what the rest would take.
    fn forecast(&self) -> Result<Forecast, Error> {
        let plan = self.config.plan(self.registry)?;
        let corpus = self.open(None)?;
        let Some(bytes) = corpus.bytes() else {
            return Err(Error::ReadOnce);
        };
        let sketcher = self.sketcher(&plan)?;
        let start = Instant::now();
        let mut read = 0;
        let sketched = sketcher.run(&corpus, |consumed| {
            read = consumed;
            forecast::suffices(consumed, start)
        })?;
        let compressed = corpus.files().iter().filter(|file| file.is_compressed());
        let sample = Sample {
            corpus: &corpus,
            sketched: &sketched,
            read,
            bytes,
            compressed: compressed.filter_map(|file| file.bytes()).sum(),
            time: start.elapsed(),
        };
        Ok(sample.forecast(self.config, plan))
    }

    /// Opens the inputs; without a folder, for one pass.
    fn open(&self, folder: Option<&ResultFolder>) -> Result<Corpus, Error> {
        let config = self.config;
        let writes = config.output.mode.writes_documents();
        let options = Options {
            second_pass: folder.is_some()
                && (writes || config.verify.method == Verification::Exact),
            spool: folder.map(|folder| folder.temporary().to_owned()),
            ..config.options()
        };
        let corpus = Corpus::open(&config.data.inputs, options)?;
        if let Some(folder) = folder {
            let from = config.data.folder.as_deref().unwrap_or(Path::new(""));
            let given = config.data.inputs.iter().chain(&config.data.against);
            let given: Vec<PathBuf> = given.map(|input| from.join(input)).collect();
            let files = corpus.files().iter().filter_map(File::path);
            folder.refuse_inputs(given.iter().map(PathBuf::as_path).chain(files))?;
        }
        let plain = corpus
            .own_files()
            .iter()
            .find(|file| !file.format().has_fields());
        match plain {
            Some(file) if config.output.mode == Mode::Annotate => Err(Error::NotRecords {
                file: file.name().to_owned(),
            }),
            _ => Ok(corpus),
        }
    }

    fn sketcher(&self, plan: &TextPlan) -> Result<Sketcher, Error> {
        let Self { registry, config } = self;
        let (method, equality) = (config.verify.method, config.equality());
        let hashing = || Hashing::new(config, plan, registry);
        Ok(Sketcher {
            shingler: config.family.shingler(),
            counted: config.family.elements(),
            hashing: equality.is_none().then(hashing).transpose()?,
            signatures: method == Verification::Signature && equality.is_none(),
            elements: method == Verification::Exact && equality.is_none(),
            ignores_ids: config.data.ignore_ids,
            skips_short: config.family.short == Short::Skip,
            equal: equality.map(|equality| match equality {
                Equality::Text => Equal::Text,
                Equality::Field(_) => Equal::Field(config.by_field().unwrap_or_default()),
            }),
            within: config.data.within.is_some().then_some(0),
            worth: config.worth_field(),
        })
    }

    /// A field that no record has is a slip.
    fn check_fields(&self, documents: &Documents) -> Result<(), Error> {
        let missing = |field: &FieldPath, setting| Error::NoField {
            field: field.to_string(),
            setting,
            present: self.present(field),
        };
        match (&self.config.data.within, self.config.cluster.keep.field()) {
            (Some(field), _) if documents.groups.is_vacant() => {
                Err(missing(field, Setting("within")))
            }
            _ if self.config.by.is_some() && documents.items.iter().all(Option::is_none) => {
                let field = self.config.by.as_ref().expect("it was asked for");
                Err(missing(field, Setting("by")))
            }
            (_, Some(field)) if documents.worths.is_vacant() => {
                Err(missing(field, Setting("keep")))
            }
            _ => Ok(()),
        }
    }

    /// The fields of the first record, which lacks this one; none where that cannot be read again.
    fn present(&self, field: &FieldPath) -> Vec<String> {
        let options = Options {
            text: field.clone(),
            on_error: OnError::Stop,
            ..self.config.options()
        };
        let inputs = &self.config.data.inputs;
        let is_stdin = inputs.iter().any(|input| input == "-");
        let Some(corpus) = (!is_stdin)
            .then(|| Corpus::open(inputs, options).ok())
            .flatten()
        else {
            return Vec::new();
        };
        // Whoever asks for it as the text is told what there is instead.
        let first = corpus.scan(
            || (),
            |(), documents| documents.next().map(|_| ()),
            |_, ()| Ok::<_, lookalike_corpus::Error>(()),
        );
        match first {
            Err(
                lookalike_corpus::Error::NoField { present, .. }
                | lookalike_corpus::Error::NoColumn { present, .. },
            ) => present,
            _ => Vec::new(),
        }
    }

    /// Copies every file as the mode says, and counts.
    fn mirror(
        &self,
        folder: &mut ResultFolder,
        results: &Results<'_>,
        fates: &[Option<Fate>],
        progress: &dyn Progress,
    ) -> Result<Vec<report::File>, Error> {
        let places = &results.documents.places;
        let mut start = 0;
        let mut files = Vec::new();
        for (number, file) in (0..).zip(results.corpus.own_files()) {
            let end = start + places[start..].partition_point(|place| place.file <= number);
            let output = &self.config.output;
            results.mirror(folder, output, number, start..end, fates, progress)?;
            files.push(report::File {
                name: file.name().to_owned(),
                mirror: mirror::name(file, output.compress.codec(file)),
                bytes: file.bytes(),
                documents: (end - start) as u64,
                skipped: results.skipped.of(number).len() as u64,
                removed: fates[start..end].iter().flatten().count() as u64,
            });
            start = end;
            progress.reach(end as u64);
        }
        Ok(files)
    }
}
