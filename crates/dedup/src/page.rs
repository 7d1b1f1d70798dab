//! What a run found, as a page to look at. It says nothing of times, so that it is the same for every number of threads.

use lookalike_corpus::{self as corpus, Corpus};
use lookalike_report::{
    Area, Axis, BandingControl, Chart, Facts, Marker, Page, Pair, Pairs, Section, Series, Table,
    TableColumn,
};
use lookalike_search::TextPlan;

use crate::{
    Error, Report,
    documents::{Doc, Documents},
    groups::{Group, Listed},
    hashing::Promised,
};

/// Files that are listed.
const FILES: usize = 50;
/// Pairs that are shown.
const SHOWN: usize = 6;
/// Characters of a text that are shown.
const CHARACTERS: usize = 800;
/// Clusters that are listed, those of them that are shown with texts, and characters of a text in the list.
const CLUSTERS: usize = 10;
const SAMPLES: usize = 3;
const LINE: usize = 80;

/// What the page is made of.
pub(crate) struct Seen<'a> {
    pub(crate) report: &'a Report,
    pub(crate) promised: &'a Promised,
    pub(crate) corpus: &'a Corpus,
    pub(crate) documents: &'a Documents,
    pub(crate) pairs: &'a [Listed],
    pub(crate) groups: &'a [Group],
}

impl Seen<'_> {
    /// The page of a run.
    pub(crate) fn page(&self) -> Result<Page, Error> {
        let report = self.report;
        let documents = &report.documents;
        let share = 100.0 * documents.removed as f64 / documents.read.max(1) as f64;
        let headline = format!(
            "{share:.1}% duplicates: {} of {} documents, {} of {} of text",
            documents.removed,
            documents.read,
            bytes(documents.removed_text_bytes),
            bytes(documents.text_bytes)
        );
        let lead = match report.plan {
            Some(_) => format!(
                "A duplicate has a similarity of at least {} to a document that is kept.",
                report.threshold
            ),
            None => "A duplicate is equal to a document that is kept.".into(),
        };
        let mut page = Page::new(headline).lead(lead).section(
            Section::new("What was found")
                .block(self.facts())
                .block(self.files()?),
        );
        if !self.groups.is_empty() {
            page = page.section(self.clusters()?);
        }
        if let Some(plan) = &report.plan {
            page = page.section(curve(plan, self.promised, report.threshold)?);
        }
        if self.pairs.iter().any(|pair| pair.2.is_some()) {
            page = page.section(self.matches()?);
        }
        let version = report.version;
        Ok(page.note(format!(
            "Made by lookalike dedup {version}. pairs.jsonl and clusters.jsonl have all, report.json the times, run.toml the settings."
        )))
    }

    fn facts(&self) -> Facts {
        let Report {
            documents,
            pairs,
            buckets,
            clusters,
            ..
        } = self.report;
        let mut facts = Facts::new()
            .fact("documents", documents.read)
            .fact("kept", documents.kept)
            .noted(
                "removed",
                documents.removed,
                "duplicates of one that is kept",
            )
            .noted("copies", documents.copies, "with the text of another")
            .noted(
                "empty",
                documents.empty,
                "without a shingle: like nothing but their copies",
            )
            .noted(
                "candidates",
                pairs.candidates,
                "pairs of texts that shared a bucket",
            )
            .noted("matches", pairs.matches, "verified candidates")
            .noted(
                "clusters",
                clusters.count,
                format!("the largest of {} documents", clusters.largest),
            )
            .noted(
                "shared buckets",
                buckets.shared,
                format!("the largest of {} texts", buckets.largest),
            );
        if documents.skipped > 0 {
            facts = facts.noted(
                "skipped",
                documents.skipped,
                "records that could not be read",
            );
        }
        if pairs.not_compared > 0 {
            let about = format!(
                "pairs that shared only the {} buckets over the limit",
                buckets.over_limit
            );
            facts = facts.noted("not compared", pairs.not_compared, about);
        }
        facts
    }

    fn files(&self) -> Result<Table, Error> {
        let files = &self.report.files;
        let columns = [
            TableColumn::text("file"),
            TableColumn::number("documents"),
            TableColumn::number("removed"),
        ];
        let rows = files.iter().take(FILES).map(|file| {
            vec![
                file.name.as_str().into(),
                file.documents.to_string().into(),
                file.removed.to_string().into(),
            ]
        });
        let table = Table::new(columns, rows)?;
        Ok(match files.len().saturating_sub(FILES) {
            0 => table,
            more => table.caption(format!("{more} files more are in report.json")),
        })
    }

    /// The largest clusters, with the text that is kept and the duplicate that is the least like it.
    fn clusters(&self) -> Result<Section, Error> {
        let mut largest: Vec<&Group> = self.groups.iter().collect();
        largest.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
        largest.truncate(CLUSTERS);
        let least = |group: &Group| {
            let known = group.members.iter().filter_map(|&(doc, s)| Some((doc, s?)));
            known.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let columns = [
            TableColumn::text("kept"),
            TableColumn::number("documents"),
            TableColumn::number("least similarity"),
            TableColumn::text("text"),
        ];
        let rows = largest.iter().map(|group| {
            let kept = group.representative;
            let similarity = least(group).map_or(String::new(), |(_, s)| format!("{s:.3}"));
            Ok(vec![
                self.title(kept).into(),
                (group.members.len() + 1).to_string().into(),
                similarity.into(),
                self.text(kept, LINE)?.unwrap_or_default().into(),
            ])
        });
        let rows = rows.collect::<Result<Vec<_>, Error>>()?;
        let table = Table::new(columns, rows)?;
        let mut pairs = Pairs::new();
        for group in largest.iter().take(SAMPLES) {
            if let Some((doc, similarity)) = least(group) {
                pairs = self.pair(pairs, group.representative, doc, similarity)?;
            }
        }
        let about = "Each cluster is a document that is kept and its duplicates; below the table, the kept text of the \
                     largest ones next to the duplicate that is the least similar.";
        Ok(Section::new("Largest clusters")
            .text(about)
            .block(table)
            .block(pairs))
    }

    /// Adds two documents, unless they came through a pipe and are not there any more.
    fn pair(&self, pairs: Pairs, a: Doc, b: Doc, similarity: f64) -> Result<Pairs, Error> {
        let left = self.text(a, CHARACTERS)?;
        let right = self.text(b, CHARACTERS)?;
        let (Some(left), Some(right)) = (left, right) else {
            return Ok(pairs);
        };
        let texts = ((self.title(a), left), (self.title(b), right));
        Ok(pairs.pair(Pair::texts(texts.0, texts.1, similarity)?))
    }

    fn title(&self, doc: Doc) -> String {
        self.documents.title(self.corpus, doc)
    }

    /// How similar matches are, and some of them: those that are matches only just.
    fn matches(&self) -> Result<Section, Error> {
        const STEPS: usize = 20;
        let threshold = self.report.threshold;
        // Bars end at 1, also for a threshold of 1.
        let start = threshold.min(0.99);
        let width = (1.0 - start) / STEPS as f64;
        let mut counts = [0u64; STEPS];
        let similar = self.pairs.iter().filter_map(|pair| Some((pair, pair.2?)));
        for (_, similarity) in similar.clone() {
            let step = ((similarity - start) / width + 1e-9).max(0.0) as usize;
            counts[step.min(STEPS - 1)] += 1;
        }
        let bars = (0..).zip(counts).map(|(step, count)| {
            let from = start + width * f64::from(step);
            (from + width / 2.0, count as f64)
        });
        let axis = Axis::linear("similarity").between(start, 1.0)?;
        let bars = [Series::bars("pairs", bars)?];
        let chart = Chart::new("Pairs by similarity", axis, Axis::linear("pairs"), bars)?;
        let mut shown: Vec<(&Listed, f64)> = similar.filter(|pair| pair.1 < 1.0).collect();
        shown.sort_by(|a, b| {
            a.1.total_cmp(&b.1)
                .then((a.0.0, a.0.1).cmp(&(b.0.0, b.0.1)))
        });
        let mut pairs = Pairs::new();
        for (&(a, b, _), similarity) in shown.into_iter().take(SHOWN) {
            pairs = self.pair(pairs, a, b, similarity)?;
        }
        let about = "Pairs of documents that reach the threshold; below, those that just do.";
        Ok(Section::new("Matches")
            .text(about)
            .block(chart)
            .block(pairs))
    }

    /// The beginning of a text, or nothing if it came through a pipe that was not kept. Any other fault ends the run.
    fn text(&self, doc: Doc, characters: usize) -> Result<Option<String>, Error> {
        let mut reader = self.corpus.reader();
        let text = match reader.read(&self.documents.places[doc as usize]) {
            Ok(document) => document.text,
            Err(corpus::Error::ReadOnce { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(match text.char_indices().nth(characters) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }))
    }
}

/// A size for people.
fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// How likely pairs become candidates, and what is missed at the threshold.
fn curve(plan: &TextPlan, promised: &Promised, threshold: f64) -> Result<Section, Error> {
    const PREDICTED: &str = "candidates";
    let line = (0..=100).map(|step| {
        let similarity = f64::from(step) / 100.0;
        (similarity, promised.candidate(plan, similarity))
    });
    let unit = |title: &str| Axis::linear(title).between(0.0, 1.0);
    let chart = Chart::new(
        "How likely a pair becomes a candidate",
        unit("similarity")?,
        unit("probability")?,
        [Series::line(PREDICTED, line)?],
    )?
    .area(Area::under("compared in vain", PREDICTED).to(threshold))?
    .area(Area::over("missed", PREDICTED).from(threshold))?
    .marker(Marker::new("threshold", threshold))?;
    let scheme = match plan.banding {
        Some(banding) => banding.to_string(),
        None => plan.scheme.to_string(),
    };
    let about = format!(
        "{scheme}: of the pairs at the threshold {:.1}% become candidates. All candidates are compared, so that those below it are only a cost.",
        100.0 * plan.recall
    );
    let section = Section::new("Candidates").text(about).block(chart);
    // The control draws the S-curve.
    Ok(match plan.banding.filter(|_| plan.is_s_curve) {
        Some(banding) => {
            let control = BandingControl::new(banding.bands(), banding.rows())?;
            section.block(control.title("Other bands and rows").threshold(threshold)?)
        }
        None => section,
    })
}
