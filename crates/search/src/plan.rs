use std::fmt;

use lookalike_core::{Scheme, plugin::Recall};
use serde::{Deserialize, Serialize};

use crate::Table;

/// All that decides what is found, as a value: printed, stored, sent to workers.
///
/// A plan comes back from JSON bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Plan {
    /// The kind of items.
    pub kind: String,
    /// The flag of the measure.
    pub measure: String,
    /// The threshold as the user stated it, by the measure; `None`: any distance.
    pub threshold: Option<f64>,
    /// The largest distance of a match; `None`: any distance.
    pub limit: Option<f64>,
    /// The family or method.
    pub family: String,
    /// Parameters of the distance and of the family, all of them.
    pub parameters: Table,
    /// How functions are combined.
    pub scheme: Scheme,
    /// Where functions are drawn from.
    pub seed: u64,
    /// What all items have in common: bits of a code, dimensions of a vector; 0 if nothing.
    pub width: usize,
    /// The share of pairs at the limit that are found.
    pub recall: Recall,
}

/// A plan and the bids that it was chosen from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// How many items it is for.
    pub items: usize,
    /// What the measure is, for people: `Jaccard similarity`.
    pub measure_name: &'static str,
    /// Whether more of the measure is nearer.
    pub is_similarity: bool,
    /// All bids that met the request, the cheapest first.
    pub bids: Vec<Bid>,
    /// Parameters that differ from their defaults.
    pub settled: Table,
    /// What users should know about the items: that their numbers were rounded, say.
    pub notes: Vec<String>,
}

/// What one family or method offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bid {
    /// The family or method.
    pub family: &'static str,
    /// Its recall at the limit.
    pub recall: Recall,
    /// What it costs, roughly, in seconds of one thread.
    pub seconds: f64,
}

/// For people: what is searched, how, with what recall, and why so.
impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = &self.plan;
        let plural = if self.items == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.items, plan.kind)?;
        if plan.width > 0 {
            write!(f, " of width {}", plan.width)?;
        }
        match plan.threshold {
            Some(threshold) => {
                let bound = if self.is_similarity {
                    "at least"
                } else {
                    "at most"
                };
                writeln!(f, ", {} {bound} {threshold}", self.measure_name)?;
            }
            None => writeln!(f, ", any {}", self.measure_name)?,
        }
        write!(f, "{}", plan.family)?;
        let mut gap = ": ";
        if !plan.scheme.steps().is_empty() {
            match plan.scheme.banding() {
                Some(banding) => write!(f, "{gap}{banding}")?,
                None => write!(f, "{gap}{}", plan.scheme)?,
            }
            gap = ", ";
        }
        for (name, value) in &self.settled {
            match value.as_str() {
                Some(text) => write!(f, "{gap}{name} {text}")?,
                None => write!(f, "{gap}{name} {value}")?,
            }
            gap = ", ";
        }
        let of = match plan.threshold {
            Some(_) => "at the threshold",
            None => "of the nearest",
        };
        match plan.recall {
            Recall::Proved(1.0) => writeln!(f, "; finds everything")?,
            Recall::Proved(recall) => {
                let recall = rounded_down(recall);
                writeln!(f, "; recall at least {recall} {of} (proved)")?;
            }
            Recall::Calibrated {
                recall,
                standard_error,
            } => {
                let recall = rounded_down(recall);
                writeln!(
                    f,
                    "; recall {recall} ± {standard_error:.4} {of} (measured on a sample)"
                )?;
            }
            Recall::Unknown => writeln!(f, "; recall unknown")?,
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        self.reason(f)
    }
}

impl Planned {
    fn reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |bid: &Bid| {
            let digits = if bid.seconds < 0.1 { 4 } else { 1 };
            format!("{} {:.digits$} s", bid.family, bid.seconds)
        };
        match &self.bids[..] {
            [] => Ok(()),
            [_] => writeln!(f, "the only way that meets the request"),
            [chosen, others @ ..] => {
                let others: Vec<String> = others.iter().map(seconds).collect();
                let chosen = seconds(chosen);
                writeln!(f, "cheapest by estimate: {chosen}; {}", others.join(", "))
            }
        }
    }
}

/// Three digits, rounded down: what may be missed is not called all.
fn rounded_down(recall: f64) -> f64 {
    (recall * 1000.0).floor() / 1000.0
}
