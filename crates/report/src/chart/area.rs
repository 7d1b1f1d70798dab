/// The shaded ground between a line and one side of the chart, such as the false positives below a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    pub(crate) name: String,
    pub(crate) line: String,
    pub(crate) side: Side,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// Which side of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Under,
    Over,
}

/// A vertical line at one x, with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub(crate) label: String,
    pub(crate) x: f64,
}

/// A horizontal line from the left edge to one x, with a label: how high a curve is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub(crate) label: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Level {
    /// A line at the height y, up to x.
    #[must_use]
    pub fn new(label: impl Into<String>, x: f64, y: f64) -> Self {
        Self {
            label: label.into(),
            x,
            y,
        }
    }
}

impl Area {
    /// What lies below the line of that name.
    #[must_use]
    pub fn under(name: impl Into<String>, line: impl Into<String>) -> Self {
        Self::of(name.into(), line.into(), Side::Under)
    }

    /// What lies above it.
    #[must_use]
    pub fn over(name: impl Into<String>, line: impl Into<String>) -> Self {
        Self::of(name.into(), line.into(), Side::Over)
    }

    /// Only from this x on.
    #[must_use]
    pub fn from(mut self, x: f64) -> Self {
        self.from = x;
        self
    }

    /// Only up to this x.
    #[must_use]
    pub fn to(mut self, x: f64) -> Self {
        self.to = x;
        self
    }

    fn of(name: String, line: String, side: Side) -> Self {
        Self {
            name,
            line,
            side,
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
        }
    }
}

impl Marker {
    /// A line at x.
    #[must_use]
    pub fn new(label: impl Into<String>, x: f64) -> Self {
        Self {
            label: label.into(),
            x,
        }
    }
}
