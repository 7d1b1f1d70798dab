//! What a run is measured by: one table that feeds `result.json`, the CSV, the page and the terminal.
//!
//! To add a figure, add a line to [`FIGURES`]: how it is computed from a run, what it is called, and where it is shown.

use crate::{Estimate, Run};

/// A number that a run is measured by.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// What it is called on pages: `recall of candidates`.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Where it stands in a run of `result.json`, such as `candidates.recall`; `None` for times and memory, which differ
    /// from day to day and stand apart there.
    pub path: Option<&'static str>,
    /// Its column in the CSV, if it has one.
    pub csv: Option<&'static str>,
    /// Whether the CSV has a column for its standard error, too.
    pub has_error_in_csv: bool,
    /// Its heading in the table of the terminal, if it stands there.
    pub heading: Option<&'static str>,
    /// Its heading in the table of all runs on the page, if it stands there.
    pub page_heading: Option<&'static str>,
    /// Whether it is a fact of a run on the page.
    is_fact: bool,
    /// Whether tables show its standard error.
    shows_error: bool,
    about: &'static str,
    note: Option<fn(&Run) -> String>,
    of: fn(&Run) -> Option<Estimate>,
    is_worth_showing: fn(&Run) -> bool,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of 1.
    Share,
    /// Things: pairs, clusters.
    Count,
    /// Bytes, shown in megabytes.
    Bytes,
    /// Seconds; tables of the terminal show milliseconds.
    Seconds,
}

/// All figures, in the order in which they are shown.
pub const FIGURES: &[Figure] = &[
    Figure::count("similar pairs", |run| Some(run.truth.similar))
        .at("truth.similar")
        .csv("similar")
        .about("the truth")
        .fact(),
    Figure::count("candidates", |run| Some(run.candidates.count))
        .at("candidates.count")
        .csv("candidates")
        .note(|run| {
            let share = 100.0 * run.candidates.count.mean / run.truth.pairs.max(1) as f64;
            format!("{}% of all pairs", number(share))
        })
        .fact()
        .column("candidates")
        .on_page("candidates"),
    Figure::share("recall of candidates", |run| run.candidates.recall)
        .at("candidates.recall")
        .csv("recall")
        .with_error()
        .fact()
        .column("recall")
        .on_page("recall"),
    Figure::share("precision of candidates", |run| run.candidates.precision)
        .at("candidates.precision")
        .csv("precision")
        .with_error_in_csv()
        .fact()
        .column("precision")
        .on_page("precision"),
    Figure::count("false positives", |run| {
        Some(run.candidates.false_positives)
    })
    .at("candidates.false_positives")
    .csv("false_positives")
    .about("candidates that are not similar")
    .fact(),
    Figure::count("false negatives", |run| {
        Some(run.candidates.false_negatives)
    })
    .at("candidates.false_negatives")
    .csv("false_negatives")
    .about("similar pairs that are not candidates")
    .fact()
    .column("missed"),
    Figure::count("matches", |run| Some(run.matches.count))
        .at("matches.count")
        .csv("matches")
        .about("verified candidates")
        .fact()
        .column("matches")
        .on_page("matches"),
    Figure::share("recall of matches", |run| run.matches.recall)
        .at("matches.recall")
        .csv("match_recall")
        .fact()
        .column("recall of\nmatches")
        .only_if(is_fallible),
    Figure::share("precision of matches", |run| run.matches.precision)
        .at("matches.precision")
        .csv("match_precision")
        .fact()
        .column("precision\nof matches")
        .only_if(is_fallible),
    Figure::count("false matches", |run| Some(run.matches.false_positives))
        .at("matches.false_positives"),
    Figure::count("similar pairs that are not matches", |run| {
        Some(run.matches.false_negatives)
    })
    .at("matches.false_negatives"),
    Figure::count("not compared", |run| Some(run.not_compared))
        .at("not_compared")
        .csv("not_compared")
        .about("pairs that share only buckets over the limit")
        .fact()
        .column("not\ncompared")
        .only_if(|run| run.not_compared.mean > 0.0),
    Figure::count("clusters", |run| Some(run.clusters.count))
        .at("clusters.count")
        .csv("clusters")
        .fact(),
    Figure::count("items in the largest cluster", |run| {
        Some(run.clusters.largest)
    })
    .at("clusters.largest")
    .csv("largest_cluster"),
    Figure::bytes("MB of keys", |run| Some(run.key_bytes))
        .at("key_bytes")
        .csv("key_bytes")
        .fact(),
    Figure::new("seconds", Unit::Seconds, |run| {
        Some(Estimate::known(run.seconds()))
    })
    .csv("seconds")
    .column("ms")
    .on_page("seconds"),
    Figure::bytes("MB at most", |run| {
        run.peak_bytes().map(|bytes| Estimate::known(bytes as f64))
    })
    .column("MB")
    .on_page("MB")
    .only_if(|run| run.peak_bytes().is_some()),
];

/// Whether matches are something else than the candidates that are similar.
fn is_fallible(run: &Run) -> bool {
    let mean = |estimate: Option<Estimate>| estimate.map(|it| it.mean);
    let is_worse = mean(run.matches.precision).is_some_and(|precision| precision < 1.0);
    is_worse || mean(run.matches.recall) != mean(run.candidates.recall)
}

/// How figures are written down in [`FIGURES`].
impl Figure {
    const fn new(name: &'static str, unit: Unit, of: fn(&Run) -> Option<Estimate>) -> Self {
        Self {
            name,
            unit,
            path: None,
            csv: None,
            has_error_in_csv: false,
            heading: None,
            page_heading: None,
            is_fact: false,
            shows_error: false,
            about: "",
            note: None,
            of,
            is_worth_showing: |_| true,
        }
    }

    const fn count(name: &'static str, of: fn(&Run) -> Option<Estimate>) -> Self {
        Self::new(name, Unit::Count, of)
    }

    const fn share(name: &'static str, of: fn(&Run) -> Option<Estimate>) -> Self {
        Self::new(name, Unit::Share, of)
    }

    const fn bytes(name: &'static str, of: fn(&Run) -> Option<Estimate>) -> Self {
        Self::new(name, Unit::Bytes, of)
    }

    const fn at(self, path: &'static str) -> Self {
        let path = Some(path);
        Self { path, ..self }
    }

    const fn csv(self, csv: &'static str) -> Self {
        let csv = Some(csv);
        Self { csv, ..self }
    }

    const fn with_error_in_csv(self) -> Self {
        Self {
            has_error_in_csv: true,
            ..self
        }
    }

    const fn with_error(self) -> Self {
        Self {
            shows_error: true,
            ..self.with_error_in_csv()
        }
    }

    const fn column(self, heading: &'static str) -> Self {
        let heading = Some(heading);
        Self { heading, ..self }
    }

    const fn on_page(self, heading: &'static str) -> Self {
        let page_heading = Some(heading);
        Self {
            page_heading,
            ..self
        }
    }

    const fn fact(self) -> Self {
        Self {
            is_fact: true,
            ..self
        }
    }

    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    const fn note(self, note: fn(&Run) -> String) -> Self {
        let note = Some(note);
        Self { note, ..self }
    }

    const fn only_if(self, is_worth_showing: fn(&Run) -> bool) -> Self {
        Self {
            is_worth_showing,
            ..self
        }
    }
}

/// How figures are shown.
impl Figure {
    /// What was measured; `None` if there is nothing to measure, such as the recall where nothing is similar.
    #[must_use]
    pub fn of(&self, run: &Run) -> Option<Estimate> {
        (self.of)(run)
    }

    /// Whether it tells something about this run.
    #[must_use]
    pub fn is_worth_showing(&self, run: &Run) -> bool {
        (self.is_worth_showing)(run)
    }

    /// A cell of a table on the terminal.
    #[must_use]
    pub fn short(&self, run: &Run) -> String {
        let Some(Estimate { mean, error, .. }) = self.of(run) else {
            return "–".into();
        };
        // Only what is missed depends on the sample of the truth.
        let is_sampled =
            self.path == Some("candidates.false_negatives") && run.truth.sampled_items.is_some();
        match (self.unit, error) {
            (Unit::Share, Some(error)) if self.shows_error => format!("{mean:.3} ± {error:.3}"),
            (Unit::Share, _) => format!("{mean:.3}"),
            (Unit::Count, Some(error)) if is_sampled => {
                format!("~{} ± {}", count(mean.round()), count(error.round()))
            }
            (Unit::Count, _) => count(mean),
            (Unit::Bytes, _) => format!("{:.1}", mean / 1e6),
            (Unit::Seconds, _) => format!("{:.1}", mean * 1e3),
        }
    }

    /// A cell of a table on a page.
    pub(crate) fn cell(&self, run: &Run) -> Option<String> {
        let Estimate { mean, error, .. } = self.of(run)?;
        Some(match (self.unit, error) {
            (Unit::Share, Some(error)) if self.shows_error => format!("{mean:.4} ± {error:.4}"),
            (Unit::Share, _) => format!("{mean:.4}"),
            (Unit::Count | Unit::Seconds, _) => number(mean),
            (Unit::Bytes, _) => number(mean / 1e6),
        })
    }

    /// A fact on a page, if it is one of this run: the value, and what to know of it.
    pub(crate) fn fact_of(&self, run: &Run) -> Option<(String, String)> {
        if !self.is_fact || !self.is_worth_showing(run) {
            return None;
        }
        let Some(Estimate {
            mean,
            error,
            interval,
        }) = self.of(run)
        else {
            return Some(("–".into(), String::new()));
        };
        let about = self.note.map_or(self.about.to_owned(), |note| note(run));
        Some(match self.unit {
            Unit::Share => {
                let interval = interval.map(|[low, high]| format!("{low:.4} to {high:.4}"));
                (format!("{mean:.4}"), interval.unwrap_or_default())
            }
            Unit::Count => {
                let error = error.filter(|error| *error > 0.0);
                let error = error.map(|error| format!("± {}", number(error)));
                let known = error.into_iter().chain(Some(about));
                let known: Vec<String> = known.filter(|it| !it.is_empty()).collect();
                (number(mean), known.join("; "))
            }
            Unit::Bytes => (number(mean / 1e6), about),
            Unit::Seconds => (number(mean), about),
        })
    }
}

/// A number with three digits, or all those of its whole part.
#[must_use]
pub fn number(x: f64) -> String {
    let size = x.abs();
    if size >= 100.0 || x.fract() == 0.0 {
        return format!("{x:.0}");
    }
    let decimals = (2.0 - size.log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{x:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A mean of whole numbers.
fn count(mean: f64) -> String {
    if mean.fract() == 0.0 || mean >= 100.0 {
        format!("{mean:.0}")
    } else {
        format!("{mean:.1}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let numbers = [
            0.0, 1.0, 0.5, 0.686523, 12.345, 99.999, 330.4, 0.0012345, 1e-12,
        ];
        let read = [
            "0", "1", "0.5", "0.687", "12.3", "100", "330", "0.00123", "0",
        ];
        assert_eq!(numbers.map(number), read);
    }

    #[test]
    fn no_name_or_place_is_given_twice() {
        let all: [fn(&Figure) -> Option<&'static str>; 5] = [
            |it| Some(it.name),
            |it| it.path,
            |it| it.csv,
            |it| it.heading,
            |it| it.page_heading,
        ];
        for of in all {
            let given: Vec<&str> = FIGURES.iter().filter_map(of).collect();
            let distinct: BTreeSet<&str> = given.iter().copied().collect();
            assert_eq!(given.len(), distinct.len(), "{given:?}");
        }
    }
}
