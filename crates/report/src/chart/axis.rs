use crate::Error;

/// What is measured along one side of a chart, and how numbers become lengths.
///
/// Without [`between`](Axis::between) it reaches as far as the data, to the next round number.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) title: String,
    pub(crate) kind: Kind,
    pub(crate) range: Option<(f64, f64)>,
}

/// Equal lengths for equal differences, for equal ratios, or for each name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Linear,
    Log,
    Names(Vec<String>),
}

impl Axis {
    /// Equal lengths for equal differences.
    #[must_use]
    pub fn linear(title: impl Into<String>) -> Self {
        Self::of(title.into(), Kind::Linear)
    }

    /// Equal lengths for equal ratios; everything on it must be above 0.
    #[must_use]
    pub fn log(title: impl Into<String>) -> Self {
        Self::of(title.into(), Kind::Log)
    }

    /// A place for each name; the first is at 0, the second at 1, and so on.
    #[must_use]
    pub fn names<S: Into<String>>(
        title: impl Into<String>,
        names: impl IntoIterator<Item = S>,
    ) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let range = (-0.5, names.len().max(1) as f64 - 0.5);
        Self {
            range: Some(range),
            ..Self::of(title.into(), Kind::Names(names))
        }
    }

    /// The axis from one number to another; what lies beyond is not drawn.
    pub fn between(mut self, low: f64, high: f64) -> Result<Self, Error> {
        let refused = |expected| Error::Range {
            axis: self.title.clone(),
            low,
            high,
            expected,
        };
        let rising = low.is_finite() && high.is_finite() && low < high;
        match self.kind {
            Kind::Log if !(rising && low > 0.0) => {
                return Err(refused("from a number above 0 to a larger one"));
            }
            Kind::Names(_) => return Err(refused("along its names, which have their own places")),
            _ if !rising => return Err(refused("from a number to a larger one")),
            _ => self.range = Some((low, high)),
        }
        Ok(self)
    }

    fn of(title: String, kind: Kind) -> Self {
        Self {
            title,
            kind,
            range: None,
        }
    }

    /// Whether a number has a place on the axis, or else what would have one.
    pub(crate) fn accepts(&self, value: f64) -> Result<(), &'static str> {
        match &self.kind {
            _ if !value.is_finite() => Err("finite"),
            Kind::Log if value <= 0.0 => Err("above 0 on a logarithmic axis"),
            _ => Ok(()),
        }
    }
}
