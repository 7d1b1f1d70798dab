//! The arguments that say how a report is written, the same for every command.

use std::io::Write;

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
    /// Columns for tables and the chart [default: those of $COLUMNS or of the terminal]
    #[arg(long, value_name = "COLUMNS", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(i64::from(NARROWEST)..=i64::from(WIDEST)))]
    width: Option<u16>,
}

/// How to write a report.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Plain {
    /// Write one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Columns [default: those of $COLUMNS or of the terminal]
    #[arg(long, value_name = "COLUMNS", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(i64::from(NARROWEST)..=i64::from(WIDEST)))]
    width: Option<u16>,
}

impl Output {
    /// The width in columns.
    pub(crate) fn width(self) -> usize {
        columns(self.width)
    }
}

impl Plain {
    /// The width in columns.
    pub(crate) fn width(self) -> usize {
        columns(self.width)
    }
}

/// The columns that are given, or else those that the environment or the terminal says.
pub(crate) fn columns(given: Option<u16>) -> usize {
    let width = given.unwrap_or_else(|| {
        let columns = std::env::var("COLUMNS").ok();
        let told = columns.and_then(|text| text.parse().ok());
        let seen = || terminal_size::terminal_size().map(|(width, _)| width.0);
        told.or_else(seen)
            .unwrap_or(COLUMNS)
            .clamp(NARROWEST, WIDEST)
    });
    width.into()
}

/// Pieces in lines of at most so many columns, all as far in as the first is by its start.
pub(crate) fn wrapped(
    out: &mut impl Write,
    start: &str,
    pieces: impl Iterator<Item = String>,
    between: &str,
    width: usize,
) -> anyhow::Result<()> {
    let indent = start.chars().count();
    let mut line = start.to_owned();
    let mut used = indent;
    for piece in pieces {
        let long = piece.chars().count();
        if used > indent && used + between.len() + long > width {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(indent);
            used = indent;
        }
        if used > indent {
            line.push_str(between);
            used += between.len();
        }
        line.push_str(&piece);
        used += long;
    }
    Ok(writeln!(out, "{}", line.trim_end())?)
}
