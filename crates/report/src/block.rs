use std::fmt;

use crate::{
    BandingControl, Chart, Drawing, Facts, Flow, Overlay, Pairs, Panels, Steps, Table, page::Writer,
};

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// Names with their values.
    Facts(Facts),
    /// Rows of cells.
    Table(Table),
    /// Series over two axes.
    Chart(Box<Chart>),
    /// Items, buckets, candidates and matches in one picture.
    Flow(Box<Flow>),
    /// Squares, points and lines in panels.
    Drawing(Drawing),
    /// Charts side by side.
    Panels(Panels),
    /// Two prints laid over each other.
    Overlay(Box<Overlay>),
    /// Bands and rows to move, and what becomes of the curve.
    Banding(BandingControl),
    /// Items side by side.
    Pairs(Pairs),
    /// A calculation one step after another.
    Steps(Steps),
}

impl Block {
    pub(crate) fn write(&self, page: &mut Writer) -> fmt::Result {
        match self {
            Self::Facts(facts) => facts.write(&mut page.out),
            Self::Table(table) => table.write(&mut page.out),
            Self::Chart(chart) => page.drawn(|size, id| chart.inline(size, id)),
            Self::Flow(flow) => page.drawn(|size, id| flow.inline(size, id)),
            Self::Drawing(drawing) => page.drawn(|size, id| drawing.inline(size, id)),
            Self::Panels(panels) => page.drawn(|size, id| panels.inline(size, id)),
            Self::Overlay(overlay) => page.drawn(|size, id| overlay.inline(size, id)),
            Self::Banding(control) => control.write(page),
            Self::Pairs(pairs) => pairs.write(&mut page.out),
            Self::Steps(steps) => steps.write(page),
        }
    }
}

impl From<Chart> for Block {
    fn from(chart: Chart) -> Self {
        Self::Chart(Box::new(chart))
    }
}

impl From<Flow> for Block {
    fn from(flow: Flow) -> Self {
        Self::Flow(Box::new(flow))
    }
}

impl From<Overlay> for Block {
    fn from(overlay: Overlay) -> Self {
        Self::Overlay(Box::new(overlay))
    }
}

macro_rules! blocks {
    ($($kind:ident($part:ty)),*) => {$(
        impl From<$part> for Block {
            fn from(part: $part) -> Self {
                Self::$kind(part)
            }
        }
    )*};
}

blocks!(
    Facts(Facts),
    Table(Table),
    Drawing(Drawing),
    Banding(BandingControl),
    Panels(Panels),
    Pairs(Pairs),
    Steps(Steps)
);
