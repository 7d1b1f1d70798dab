use std::fmt;

use crate::{BandingControl, Chart, Facts, Pairs, Steps, Table, page::Writer};

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
            Self::Chart(chart) => page.chart(chart),
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
    Banding(BandingControl),
    Pairs(Pairs),
    Steps(Steps)
);
