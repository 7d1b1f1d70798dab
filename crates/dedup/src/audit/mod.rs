//! What a finished run has found and what it has missed, measured.
//!
//! *Precision*: some of the listed pairs are compared again, exactly. *Recall*: some documents are compared with all
//! documents, exactly, and what is alike is looked for among the listed pairs. The share found/true over the pairs of
//! the drawn documents is that over all pairs, as each pair has two ends. Both come with an interval.
//!
//! What a run does not compare is no pair: documents in different groups, and two of an older corpus.

mod buckets;
mod degrees;
mod interval;
mod known;
mod listed;
mod number;
mod precision;
mod prefixes;
mod recall;
pub(crate) mod sample;
mod sampled;
mod scan;

use std::path::Path;

use lookalike_core::random::derive;
use serde::Serialize;

pub use self::{
    buckets::Bucket,
    interval::{Drawn, Measured},
    number::Number,
    precision::Precision,
    recall::MeasuredRecall,
};
use self::{
    known::{Counted, Known},
    listed::Listed,
    sampled::Sampled,
    scan::Truth,
};
use lookalike_output::Progress;
use lookalike_search::{Registry, TextPlan};

use crate::{Error, Verification, finished::Finished};

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many documents and how many listed pairs are drawn, at least 1; all where there are fewer.
    pub sample: u64,
    /// Where the draws come from.
    pub seed: u64,
}

/// 2000 of each.
impl Default for Options {
    fn default() -> Self {
        Self {
            sample: 2000,
            seed: 0,
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The similarity from which on documents are duplicates.
    pub threshold: f64,
    /// How the run judged its candidates.
    pub verify: Verification,
    /// The scheme of the run, and what the S-curve promises.
    pub plan: TextPlan,
    /// Of the pairs that the run lists, those that are alike.
    pub listed: Precision,
    /// Of the pairs that are alike, those that the run has.
    #[serde(flatten)]
    pub recall: MeasuredRecall,
}

/// Measures a finished run. Its inputs are read again, on the threads of the current rayon pool.
///
/// # Errors
///
/// If the folder is not that of a run, the registry does not have its family, or its inputs are missing or are not those
/// that it has read.
pub fn audit(
    registry: &Registry,
    folder: &Path,
    options: Options,
    progress: &dyn Progress,
) -> Result<Audit, Error> {
    audit_within(ROOM, registry, folder, options, progress)
}

/// Bytes of records whose sets are held at a time.
const ROOM: u64 = 32 << 20;

fn audit_within(
    room: u64,
    registry: &Registry,
    folder: &Path,
    options: Options,
    progress: &dyn Progress,
) -> Result<Audit, Error> {
    let finished = Finished::open(folder, registry)?;
    let counted: Counted = finished.json("report.json")?;
    let corpus = finished.corpus()?;
    let known = Known::new(&finished, &corpus, &counted, progress)?;
    let all = counted.documents.read;
    let wanted = options.sample.max(1);
    let docs = sample::draw(wanted, all, derive(options.seed, 0));
    let sampled = Sampled::new(&known, &docs);
    let pairs = [wanted, counted.pairs.listed];
    let listed = Listed::new(&finished, &known, &sampled, pairs, derive(options.seed, 1))?;
    let precision = Precision::new(&finished, &corpus, &known, &listed, &counted.pairs)?;
    let truth = Truth::new(
        &finished, &corpus, &known, &sampled, &listed, room, progress,
    )?;
    let own = &truth.is_empty[..known.own];
    let empty = own.iter().filter(|is_empty| **is_empty).count() as u64;
    if empty != counted.documents.empty {
        let before = counted.documents.empty;
        let message = format!("{empty} documents without a shingle instead of {before}");
        return Err(finished.changed(message));
    }
    let drawn = Drawn {
        sampled: docs.len() as u64,
        all,
    };
    Ok(Audit {
        threshold: finished.config.threshold,
        verify: finished.config.verify.method,
        recall: MeasuredRecall::new(&known, &sampled, &truth, drawn, &precision),
        listed: precision,
        plan: finished.plan,
    })
}

#[cfg(test)]
mod tests;
