//! Options that several commands share, each declared once.
//!
//! Every group of options goes over settings that are there already: defaults, a preset, a file.

mod bag;
mod banding;
mod drawn;
mod fields;
mod items;
pub(crate) mod measure;
mod pair;
mod promised;
pub(crate) mod run;
mod search;
mod text;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;

pub(crate) use self::bag::Bag;
pub(crate) use self::banding::Banding;
pub(crate) use self::drawn::Drawn;
pub(crate) use self::fields::{Fields, InFolders, MemoryLimits};
pub(crate) use self::items::{Items, any_format};
pub(crate) use self::pair::Pair;
pub(crate) use self::promised::{Candidates, Promised, Promising, Refused, stated};
pub(crate) use self::search::{Search, parameter};
pub(crate) use self::text::{Text, shingle_in_words};

/// One of some words, as the settings spell them.
pub(crate) fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}

/// What was given goes over what is there.
pub(crate) fn set<T: Clone>(place: &mut T, given: &Option<T>) {
    if let Some(given) = given {
        place.clone_from(given);
    }
}
