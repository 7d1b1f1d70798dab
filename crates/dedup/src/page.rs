//! What a run found, as a page to look at. It says nothing of times, so that it is the same for every number of threads.

use lookalike_core::tune;
use lookalike_corpus::Corpus;
use lookalike_report::{
    Area, Axis, BandingControl, Chart, Error, Facts, Marker, Page, Pair, Pairs, Section, Series,
    Table, TableColumn,
};
use lookalike_search::TextPlan;

use crate::{
    Report,
    documents::{Doc, Documents},
    groups::Listed,
};

/// Files that are listed.
const FILES: usize = 50;
/// Pairs that are shown.
const SHOWN: usize = 6;
/// Characters of a text that are shown.
const CHARACTERS: usize = 800;

/// What the page is made of.
pub(crate) struct Seen<'a> {
    pub(crate) report: &'a Report,
    pub(crate) corpus: &'a Corpus,
    pub(crate) documents: &'a Documents,
    pub(crate) pairs: &'a [Listed],
}

impl Seen<'_> {
    /// The page of a run.
    pub(crate) fn page(&self) -> Result<Page, Error> {
        let report = self.report;
        let lead = format!(
            "{} documents, of which {} are near-duplicates of others from a similarity of {} on.",
            report.documents.read, report.documents.removed, report.threshold
        );
        let mut page = Page::new("Near-duplicates")
            .lead(lead)
            .section(
                Section::new("What was found")
                    .block(self.facts())
                    .block(self.files()?),
            )
            .section(curve(&report.plan, report.threshold)?);
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
                "without a shingle: like nothing, kept",
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

    /// How similar matches are, and some of them: those that are matches only just.
    fn matches(&self) -> Result<Section, Error> {
        const STEPS: usize = 20;
        let threshold = self.report.threshold;
        let width = (1.0 - threshold).max(1e-3) / STEPS as f64;
        let mut counts = [0u64; STEPS + 1];
        let similar = self.pairs.iter().filter_map(|pair| Some((pair, pair.2?)));
        for (_, similarity) in similar.clone() {
            let step = ((similarity - threshold) / width + 1e-9).max(0.0) as usize;
            counts[step.min(STEPS)] += 1;
        }
        let bars = (0..).zip(counts).map(|(step, count)| {
            let from = threshold + width * f64::from(step);
            (from + width / 2.0, count as f64)
        });
        let axis = Axis::linear("similarity");
        let bars = [Series::bars("pairs", bars)?];
        let chart = Chart::new("Pairs by similarity", axis, Axis::linear("pairs"), bars)?;
        let mut shown: Vec<(&Listed, f64)> = similar.filter(|pair| pair.1 < 1.0).collect();
        shown.sort_by(|a, b| {
            a.1.total_cmp(&b.1)
                .then((a.0.0, a.0.1).cmp(&(b.0.0, b.0.1)))
        });
        let mut pairs = Pairs::new();
        for (&(a, b, _), similarity) in shown.into_iter().take(SHOWN) {
            // What came through a pipe may not be there any more.
            let (Some(left), Some(right)) = (self.text(a), self.text(b)) else {
                continue;
            };
            let name = |doc: Doc| self.documents.name(self.corpus, doc);
            pairs = pairs.pair(Pair::texts((name(a), left), (name(b), right), similarity)?);
        }
        let about = "Pairs of documents that reach the threshold; below, those that just do.";
        Ok(Section::new("Matches")
            .text(about)
            .block(chart)
            .block(pairs))
    }

    /// The beginning of a text.
    fn text(&self, doc: Doc) -> Option<String> {
        let mut reader = self.corpus.reader();
        let document = reader.read(&self.documents.places[doc as usize]).ok()?;
        let text = document.text;
        Some(match text.char_indices().nth(CHARACTERS) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        })
    }
}

/// How likely pairs become candidates, and what is missed at the threshold.
fn curve(plan: &TextPlan, threshold: f64) -> Result<Section, Error> {
    const PREDICTED: &str = "candidates";
    let line = (0..=100).map(|step| {
        let similarity = f64::from(step) / 100.0;
        let bounds = tune::one_minus_distance(&plan.scheme, 1.0 - similarity);
        (similarity, bounds.lower().value())
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
    Ok(match plan.banding {
        Some(banding) => {
            let control = BandingControl::new(banding.bands(), banding.rows())?;
            section.block(control.title("Other bands and rows").threshold(threshold)?)
        }
        None => section,
    })
}
