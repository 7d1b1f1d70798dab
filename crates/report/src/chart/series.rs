use crate::Error;

/// Points of one kind, with a name for the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) points: Vec<Point>,
    pub(crate) tone: Option<usize>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Line,
    Points,
    Bars,
    Steps,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

impl Series {
    /// Points joined by a line, in their order.
    pub fn line(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, Error> {
        Self::plain(name.into(), Shape::Line, points)
    }

    /// Points by themselves.
    pub fn points(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, Error> {
        Self::plain(name.into(), Shape::Points, points)
    }

    /// Points (x, y, low, high) with a whisker from low to high, such as a confidence interval.
    pub fn intervals(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64, f64, f64)>,
    ) -> Result<Self, Error> {
        let points = points.into_iter().map(|(x, y, low, high)| Point {
            x,
            y,
            interval: Some((low, high)),
        });
        Self::of(name.into(), Shape::Points, points.collect())
    }

    /// A bar from 0 to each y, or from the lower end of a logarithmic axis.
    pub fn bars(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, Error> {
        Self::plain(name.into(), Shape::Bars, points)
    }

    /// A line that keeps each y until the next x, as counts and distribution functions do.
    pub fn steps(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, Error> {
        Self::plain(name.into(), Shape::Steps, points)
    }

    /// The series in the colour and with the sign of the `n`th instead of its own: for points that belong to a line.
    #[must_use]
    pub fn tone(mut self, n: usize) -> Self {
        self.tone = Some(n);
        self
    }

    fn plain(
        name: String,
        shape: Shape,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Result<Self, Error> {
        let points = points.into_iter().map(|(x, y)| Point {
            x,
            y,
            interval: None,
        });
        Self::of(name, shape, points.collect())
    }

    fn of(name: String, shape: Shape, points: Vec<Point>) -> Result<Self, Error> {
        for (index, point) in points.iter().enumerate() {
            let refused = |what, value, expected: &str| {
                Err(Error::Point {
                    series: name.clone(),
                    index,
                    what,
                    value,
                    expected: expected.into(),
                })
            };
            if let Some((what, value)) = point.numbers().find(|(_, value)| !value.is_finite()) {
                return refused(what, value, "finite");
            }
            if let Some((low, high)) = point.interval
                && low > high
            {
                return refused("low", low, &format!("at most its high, {high}"));
            }
        }
        Ok(Self {
            name,
            shape,
            points,
            tone: None,
        })
    }
}

impl Point {
    /// All its numbers, with their names.
    pub(crate) fn numbers(self) -> impl Iterator<Item = (&'static str, f64)> {
        let ends = self
            .interval
            .map(|(low, high)| [("low", low), ("high", high)]);
        [("x", self.x), ("y", self.y)]
            .into_iter()
            .chain(ends.into_iter().flatten())
    }

    /// Its numbers along y.
    pub(crate) fn heights(self) -> impl Iterator<Item = f64> {
        self.numbers().skip(1).map(|(_, value)| value)
    }
}
