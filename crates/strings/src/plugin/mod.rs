//! Strings as a kind, edit distance, and its families, for the registry.

mod calibrate;
mod certain;
mod cgk;
mod deletions;
mod generate;
mod meetings;
mod near_pairs;
mod order_minhash;
mod partitions;
mod specimens;
mod string;

pub use certain::CertainKeys;
pub use cgk::{Cgk, CgkKeys};
pub use deletions::Deletions;
pub use generate::StringPairs;
pub use order_minhash::{OrderMinhash, OrderMinhashKeys};
pub use partitions::Partitions;
pub use string::StringKind;

use lookalike_core::{
    Banding, Scheme,
    plugin::{self, Distance, Kernel, Measure, Specimens},
};
use serde::{Deserialize, Serialize};

use crate::{Edits, Strings, Units, Variant, compared::Compared};

/// The least number of edits that turn one string into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditDistance {
    /// Which edits count.
    pub variant: Variant,
    /// What counts as one letter.
    pub units: Units,
}

impl Distance for EditDistance {
    const MEASURES: &'static [Measure] = &[Measure::distance("edits", "edit distance").whole()];
    type Kind = StringKind;
    type Metric = Edits;

    fn metric(&self) -> Result<Edits, plugin::Error> {
        Ok(Edits::new(self.variant, self.units))
    }

    fn kernel<'a>(&self, strings: &'a Strings) -> Option<Kernel<'a, Self>> {
        let edits = Edits::new(self.variant, self.units);
        Some(Box::new(Compared::new(edits, strings)))
    }

    fn specimens() -> Option<Specimens<Strings>> {
        Some(Specimens::new(20.0, specimens::strings))
    }

    /// Most pairs are told apart by their lengths and the counts of their letters.
    fn cost(_: usize) -> f64 {
        6.0
    }
}

/// The bands and rows of a scheme.
fn banding(family: &str, scheme: &Scheme) -> Result<Banding, plugin::Error> {
    let wrong = || plugin::Error::new(format!("{family} takes bands and rows, not {scheme}"));
    scheme.banding().ok_or_else(wrong)
}

/// A limit as a number of edits, if it is one that keys may reach.
fn edits(limit: f64) -> Option<u32> {
    (limit < 1e9).then_some(limit as u32)
}
