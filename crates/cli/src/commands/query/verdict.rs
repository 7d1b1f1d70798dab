//! What the neighbours of each query say about it: `--vote` and `--mean`.

use std::io::{self, Write};

use clap::Args;
use lookalike::Near as Hit;
use lookalike::corpus::FieldPath;
use lookalike::search::{Dataset, Vote, neighbour_mean};

use crate::number::plain;
use crate::verb::escaped;

/// A field of the items that is predicted for queries.
#[derive(Clone, Debug, Args)]
pub(crate) struct Predict {
    /// Predict this field of each query: the value that most of its neighbours have
    #[arg(long, value_name = "FIELD", conflicts_with = "texts")]
    vote: Option<FieldPath>,
    /// Predict this field of each query: the mean of the numbers that its neighbours have
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["vote", "texts"])]
    mean: Option<FieldPath>,
}

impl Predict {
    /// The option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let mean = self.mean.is_some().then_some("--mean");
        self.vote.is_some().then_some("--vote").or(mean)
    }

    /// The field to read with the items.
    pub(super) fn field(&self) -> Option<&FieldPath> {
        self.vote.as_ref().or(self.mean.as_ref())
    }

    /// How neighbours are summed up; `None` if they are listed one by one.
    ///
    /// # Errors
    /// If a mean is asked for and an item has something other than a number.
    pub(super) fn verdict(&self, data: &Dataset) -> anyhow::Result<Option<Verdict>> {
        let Some(field) = &self.mean else {
            return Ok(self.vote.is_some().then_some(Verdict::Vote));
        };
        let number = |(id, &label): (u32, &u32)| {
            let text = data.label_text(label).unwrap_or_default();
            let number = text.trim_matches('"').trim().parse::<f64>();
            let number = number.ok().filter(|number| number.is_finite());
            number.ok_or_else(|| {
                anyhow::anyhow!(
                    "{}: {field} is {text}, but --mean needs a number: use --vote {field} for classes",
                    data.names().text(id)
                )
            })
        };
        let numbers = (0..).zip(data.labels()).map(number);
        Ok(Some(Verdict::Mean(numbers.collect::<Result<_, _>>()?)))
    }
}

/// How the neighbours of a query are summed up.
#[derive(Debug)]
pub(super) enum Verdict {
    /// By the most frequent label.
    Vote,
    /// By the mean of their numbers: one per item.
    Mean(Vec<f64>),
}

impl Verdict {
    /// Writes one line for a query: its name, the prediction, and what it rests on.
    pub(super) fn write(
        &self,
        asked: &str,
        data: &Dataset,
        hits: &[Hit],
        is_json: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let neighbours = hits.len();
        match self {
            Self::Vote => {
                let vote = Vote::of(hits.iter().map(|hit| data.labels()[hit.id as usize]));
                let label = vote.and_then(|vote| data.label_text(vote.label));
                let votes = vote.map_or(0, |vote| vote.votes);
                if is_json {
                    let label = label.unwrap_or("null");
                    return writeln!(
                        out,
                        r#"{{"query": {asked}, "vote": {label}, "votes": {votes}, "neighbours": {neighbours}}}"#
                    );
                }
                let label = label.map_or("–".into(), readable);
                writeln!(out, "{asked}\t{label}\t{votes} of {neighbours}")
            }
            Self::Mean(numbers) => {
                let mean = neighbour_mean(hits.iter().map(|hit| numbers[hit.id as usize]));
                let text = |none: &str| mean.map_or(none.into(), |mean| plain(mean).to_string());
                if is_json {
                    let mean = text("null");
                    return writeln!(
                        out,
                        r#"{{"query": {asked}, "mean": {mean}, "neighbours": {neighbours}}}"#
                    );
                }
                writeln!(out, "{asked}\t{}\t{neighbours}", text("–"))
            }
        }
    }
}

/// A label as one field of a line: a string without its quotes.
fn readable(json: &str) -> String {
    let text = serde_json::from_str::<String>(json);
    escaped(text.unwrap_or_else(|_| json.to_owned()))
}
