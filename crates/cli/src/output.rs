//! The arguments that say how a report is written, the same for every command.

use clap::Args;

/// The columns where neither the user, nor the environment, nor a terminal says more.
const COLUMNS: u16 = 80;
/// Below it the axis has no room for its labels.
const NARROWEST: u16 = 40;
/// Above it nobody reads a line.
const WIDEST: u16 = 400;

/// How to write a report.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Write one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not draw the curve
    #[arg(long)]
    pub(crate) no_chart: bool,
    /// Columns for tables and the chart, 40 to 400 [default: $COLUMNS, else the terminal's, else 80]
    #[arg(long, value_name = "COLUMNS", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(i64::from(NARROWEST)..=i64::from(WIDEST)))]
    width: Option<u16>,
}

impl Output {
    /// The width in columns.
    pub(crate) fn width(self) -> usize {
        self.width.map_or_else(columns, usize::from)
    }
}

/// The columns that the environment or the terminal says.
pub(crate) fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok();
    let told = columns.and_then(|text| text.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| width.0);
    let columns = told.or_else(seen).unwrap_or(COLUMNS);
    columns.clamp(NARROWEST, WIDEST).into()
}
