/// What this crate refuses, with the value that was given and what would do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A point that cannot be drawn.
    #[error("point {index} of the series {series:?} has {what} {value}, but it must be {expected}")]
    Point {
        /// The name of the series.
        series: String,
        /// The place of the point, from 0.
        index: usize,
        /// Which of its numbers: x, y, low or high.
        what: &'static str,
        /// The number.
        value: f64,
        /// What would be accepted.
        expected: String,
    },
    /// An axis without a length.
    #[error("the axis {axis:?} goes from {low} to {high}, but must go {expected}")]
    Range {
        /// The title of the axis.
        axis: String,
        /// Where it begins.
        low: f64,
        /// Where it ends.
        high: f64,
        /// What would be accepted.
        expected: &'static str,
    },
    /// Two series with one name, which a legend could not tell apart.
    #[error("two series are named {name:?}")]
    SameName {
        /// The name.
        name: String,
    },
    /// An area along a series that the chart does not have.
    #[error("the area {area:?} is along {series:?}, but the chart has no line of that name")]
    NoSuchLine {
        /// The name of the area.
        area: String,
        /// The name of the series.
        series: String,
    },
    /// A row of a table with more or fewer cells than columns.
    #[error("row {row} has {cells} cells, but the table has {columns} columns")]
    Cells {
        /// The place of the row, from 0.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many columns there are.
        columns: usize,
    },
}

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        value: impl ToString,
        expected: &'static str,
    ) -> Self {
        Self::Parameter {
            name,
            value: value.to_string(),
            expected,
        }
    }
}

/// A number from 0 to 1.
pub(crate) fn unit(name: &'static str, value: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(Error::parameter(name, value, "a number from 0 to 1"))
    }
}
