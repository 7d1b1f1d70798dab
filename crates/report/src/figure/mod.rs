//! Drawings that are not single charts: panels of squares, points and lines, how two prints lie over each other, how items
//! become matches, the steps of a calculation in one picture, and charts side by side.

mod board;
mod drawing;
mod flow;
mod overlay;
mod panels;

use std::fmt;

use crate::sheet::{BOLD, LINE, TEXT, TITLE, TITLE_LINE, text};
use crate::width::wrap;
use crate::{chart, palette};

pub(crate) use self::board::board;
pub use self::drawing::{Drawing, Panel};
pub use self::flow::Flow;
pub use self::overlay::Overlay;
pub use self::panels::Panels;

/// How they look beyond what charts have, with the colours as variables.
pub(crate) const STYLE: &str = include_str!("figure.css");

/// The styles of a file of its own.
fn style() -> String {
    palette::resolved(&format!("{}{STYLE}", chart::STYLE))
}

/// The part of the width that lines of sentences take by estimate: some faces are wider.
const ROOM: f64 = 0.92;

/// Writes the title and a text below it, in lines; where they end.
fn head(out: &mut String, width: f64, title: &str, note: &str) -> Result<f64, fmt::Error> {
    let mut y = 0.0;
    for line in wrap(title, ROOM * width / (TITLE * BOLD)) {
        y += TITLE_LINE;
        text(out, "title", 0.0, y - 5.0, &line)?;
    }
    y += 2.0;
    for line in wrap(note, ROOM * width / TEXT) {
        y += LINE;
        text(out, "note", 0.0, y - 6.0, &line)?;
    }
    Ok(y)
}
