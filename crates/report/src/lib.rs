//! Pages worth looking at: text, tables, charts and a control, as one HTML file.
//!
//! A page is a plain value, made of [`Section`]s of [`Block`]s; [`Page::html`] writes it. The file opens offline: styles,
//! pictures and the little script are inside, and its content policy forbids every request. The same value gives the
//! same bytes.
//!
//! ```
//! use lookalike_report::{Axis, BandingControl, Chart, Facts, Page, Section, Series};
//!
//! let curve = (0..=100).map(|i| f64::from(i) / 100.0).map(|t| (t, 1.0 - (1.0 - t.powi(5)).powi(20)));
//! let chart = Chart::new(
//!     "20 bands × 5 rows",
//!     Axis::linear("similarity").between(0.0, 1.0)?,
//!     Axis::linear("probability of a candidate").between(0.0, 1.0)?,
//!     [Series::line("predicted", curve)?],
//! )?;
//! let page = Page::new("A run")
//!     .lead("What was measured, in one sentence.")
//!     .section(
//!         Section::new("Candidates")
//!             .text("A candidate shares a bucket; a match is verified.")
//!             .block(Facts::new().fact("documents", "21").fact("candidates", "4"))
//!             .block(chart)
//!             .block(BandingControl::new(20, 5)?.threshold(0.8)?),
//!     );
//! assert!(page.html().starts_with("<!DOCTYPE html>"));
//! # Ok::<(), lookalike_report::Error>(())
//! ```
//!
//! Templates and charting libraries were rejected: a page has nine kinds of blocks, and what draws them is smaller than
//! what would configure a library to. Fonts, scripts and pictures from elsewhere were rejected since a report is kept,
//! mailed and opened years later.

mod block;
mod cascade;
mod chart;
mod control;
mod diff;
mod error;
mod escape;
mod facts;
mod figure;
mod number;
mod page;
mod pairs;
mod palette;
mod policy;
mod sheet;
mod steps;
mod table;
mod width;

pub use block::Block;
pub use cascade::{Cascade, PromisedStep};
pub use chart::{Area, Axis, Chart, Level, Marker, Series};
pub use control::BandingControl;
pub use error::Error;
pub use facts::Facts;
pub use figure::{Drawing, Flow, Overlay, Panel, Panels};
pub use page::{Page, Section};
pub use pairs::{Pair, Pairs};
pub use steps::{Step, Steps};
pub use table::{Cell, Emphasis, Table, TableColumn};
