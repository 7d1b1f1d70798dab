//! Whether repeats count.

use clap::Args;
use lookalike::search::Table;

/// Bags instead of sets.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Bag {
    /// Count a shingle or an element as often as it occurs (bags, Σ min / Σ max), for texts and sets
    #[arg(long, help_heading = "Text")]
    pub(crate) bag: bool,
}

impl Bag {
    /// Adds what was given to the parameters of a distance.
    pub(crate) fn over(self, parameters: &mut Table) {
        if self.bag {
            parameters.insert("bag".into(), true.into());
        }
    }

    /// The option, if it was given.
    pub(crate) fn given(self) -> Option<&'static str> {
        self.bag.then_some("--bag")
    }
}
