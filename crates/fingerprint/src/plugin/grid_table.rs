use lookalike_core::plugin::Error;
use serde::{Deserialize, Serialize};

use super::refused;
use crate::{Grid, Normalize, Orientation, Position};

/// The parameters of a [`Grid`] over prints.
///
/// ```
/// use lookalike_fingerprint::plugin::GridTable;
///
/// assert_eq!(GridTable::default().grid()?.total(), 256);
/// # Ok::<(), lookalike_core::plugin::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GridTable {
    /// Columns of squares.
    pub columns: u32,
    /// Rows of squares.
    pub rows: u32,
    /// The side of a square, in pixels at 500 dpi.
    pub cell: f32,
    /// How near a border a minutia also counts next door, in pixels.
    pub tolerance: f32,
    /// Where prints are moved.
    pub position: Position,
    /// How prints are turned.
    pub orientation: Orientation,
}

impl Default for GridTable {
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
    /// The grid.
    ///
    /// # Errors
    /// If a parameter is wrong. The error is about the parameter `grid`, which this table is where it is used.
    pub fn grid(&self) -> Result<Grid, Error> {
        let grid = Grid::new(self.columns, self.rows, self.cell)
            .and_then(|grid| grid.tolerance(self.tolerance))
            .map_err(|error| refused(&error, "grid"))?;
        Ok(grid.normalize(Normalize {
            position: self.position,
            orientation: self.orientation,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_about_the_grid() {
        let default = GridTable::default();
        for (table, expected) in [
            (GridTable { rows: 0, ..default }, "16 × 0"),
            (
                GridTable {
                    cell: 0.5,
                    ..default
                },
                "0.5",
            ),
            (
                GridTable {
                    tolerance: 41.0,
                    ..default
                },
                "41",
            ),
        ] {
            let wrong = table.grid().unwrap_err();
            assert_eq!(wrong.parameter(), Some("grid"));
            assert!(wrong.to_string().contains(expected), "{wrong}");
        }
    }

    #[test]
    fn the_written_form_is_stable() {
        let json = serde_json::to_string(&GridTable::default()).unwrap();
        assert_eq!(
            json,
            r#"{"columns":16,"rows":16,"cell":40.0,"tolerance":10.0,"position":"frame","orientation":"as-is"}"#
        );
        assert_eq!(
            serde_json::from_str::<GridTable>("{}").unwrap(),
            GridTable::default()
        );
        assert!(serde_json::from_str::<GridTable>(r#"{"cells": 1}"#).is_err());
    }
}
