use lookalike_core::plugin::{Error, Family, Proposal, Task, tuned};
use serde::{Deserialize, Serialize};

use super::{SquareSets, SquaresInCommon, refused};

/// Functions of a few squares: a print is in the one bucket of a function, or in none. For teaching: it proposes
/// nothing unless it is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GridSquares {
    /// Squares of a function.
    pub each: u32,
}

impl Default for GridSquares {
    fn default() -> Self {
        Self { each: 3 }
    }
}

impl Family for GridSquares {
    const NAME: &'static str = "grid-squares";
    const SUMMARY: &'static str = "functions of a few squares, with one bucket each, for teaching";
    type Distance = SquaresInCommon;
    type Keys = crate::GridSquares;

    fn keys(&self, _: &SquaresInCommon, squares: usize) -> Result<crate::GridSquares, Error> {
        // Without items there is no grid; then any that is large enough will do.
        let total = if squares == 0 {
            self.each
        } else {
            squares as u32
        };
        grid_squares(total, self.each)
    }

    fn propose(
        &self,
        distance: &SquaresInCommon,
        items: &SquareSets,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if !task.is_named {
            return Ok(None);
        }
        tuned(self, distance, items, task)
    }
}

/// The family over a grid of `total` squares, with functions of `each`.
pub(super) fn grid_squares(total: u32, each: u32) -> Result<crate::GridSquares, Error> {
    let family = crate::GridSquares::new(total)?;
    family.each(each).map_err(|error| refused(&error, "each"))
}
