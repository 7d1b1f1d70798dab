use crate::{Banding, Scheme};

/// What this crate refuses, with the value that was given and what would do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// The parameter, as users write it.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be accepted.
        expected: String,
    },
    /// Functions that always answer make every item carry this many keys.
    #[error(
        "the scheme {scheme} gives every item {keys} keys, more than the limit of {limit}: \
         put the OR outside the AND, or make the inner OR smaller"
    )]
    KeysMultiply {
        /// The scheme.
        scheme: Scheme,
        /// Keys that each item would have.
        keys: u64,
        /// Keys that an item may have.
        limit: u64,
    },
    /// No banding within the budget finds enough.
    #[error(
        "no banding of at most {budget} functions finds {recall} of the pairs at distance {distance}: \
         the most is {best_recall:.4}, with {best}; {}",
        remedy(*needed)
    )]
    Unreachable {
        /// The budget of hash functions.
        budget: u32,
        /// The wanted recall.
        recall: f64,
        /// The distance at which it was wanted.
        distance: f64,
        /// The banding that finds most.
        best: Banding,
        /// What `best` finds.
        best_recall: f64,
        /// The smallest budget that would reach it, if any does.
        needed: Option<u32>,
    },
}

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        value: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::Parameter {
            name,
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }
}

fn remedy(needed: Option<u32>) -> String {
    match needed {
        Some(functions) => format!("{functions} functions would reach it"),
        None => "no number of functions would: ask for less recall or a smaller distance".into(),
    }
}
