use lookalike_fingerprint::{Grid, Normalize, Orientation, Position};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The table of a grid over prints.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GridTable {
    columns: u32,
    rows: u32,
    /// The side of a square, in pixels of 500 an inch.
    cell: f32,
    /// How near a border a minutia also counts next door.
    tolerance: f32,
    position: Position,
    orientation: Orientation,
}

impl Default for GridTable {
    /// What `lookalike fingerprint evaluate --method grid` has.
    fn default() -> Self {
        Self {
            columns: 16,
            rows: 16,
            cell: 40.0,
            tolerance: 10.0,
            position: Position::Frame,
            orientation: Orientation::AsIs,
        }
    }
}

impl GridTable {
    /// The grid, or what is wrong about it.
    pub(crate) fn grid(&self, key: &str) -> Result<Grid, Error> {
        let normalize = Normalize {
            position: self.position,
            orientation: self.orientation,
        };
        let grid = Grid::new(self.columns, self.rows, self.cell)
            .and_then(|grid| grid.tolerance(self.tolerance));
        let grid = grid.map_err(|error| Error::from(error).about(key))?;
        Ok(grid.normalize(normalize))
    }
}
