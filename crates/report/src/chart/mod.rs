//! Series over two axes, drawn as SVG.

mod area;
mod axis;
mod draw;
mod frame;
mod scale;
mod series;
mod ticks;
mod width;

use std::collections::BTreeSet;

use self::area::Side;
use self::scale::Scale;
use self::series::Shape;
use crate::Error;

pub use self::area::{Area, Marker};
pub use self::axis::Axis;
pub(crate) use self::frame::Size;
pub use self::series::Series;

/// Series over two axes, with shaded areas and markers.
///
/// ```
/// use lookalike_report::{Area, Axis, Chart, Marker, Series};
///
/// let chart = Chart::new(
///     "Queries by recall",
///     Axis::linear("recall").between(0.5, 1.0)?,
///     Axis::log("queries a second"),
///     [Series::line("blocks", [(0.8, 52e4), (0.95, 31e4), (0.99, 12e4)])?],
/// )?
/// .marker(Marker::new("wanted", 0.95))?;
/// assert!(chart.svg().starts_with("<svg "));
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    description: Option<String>,
    x: Axis,
    y: Axis,
    across: Scale,
    up: Scale,
    series: Vec<Series>,
    areas: Vec<Area>,
    markers: Vec<Marker>,
}

impl Chart {
    /// A chart; every point must have a place on the axes. Without a point it says that there is none.
    pub fn new(
        title: impl Into<String>,
        x: Axis,
        y: Axis,
        series: impl IntoIterator<Item = Series>,
    ) -> Result<Self, Error> {
        let series: Vec<Series> = series.into_iter().collect();
        let mut names = BTreeSet::new();
        for one in &series {
            if !names.insert(&one.name) {
                let name = one.name.clone();
                return Err(Error::SameName { name });
            }
            for (index, point) in one.points.iter().enumerate() {
                for (what, value) in point.numbers() {
                    let axis = if what == "x" { &x } else { &y };
                    axis.accepts(value).map_err(|expected| Error::Point {
                        series: one.name.clone(),
                        index,
                        what,
                        value,
                        expected: expected.into(),
                    })?;
                }
            }
        }
        let points = || series.iter().flat_map(|one| &one.points);
        let bars = series.iter().any(|one| one.shape == Shape::Bars);
        let ground = (bars && y.accepts(0.0).is_ok()).then_some(0.0);
        let across = Scale::new(&x, points().map(|point| point.x));
        let heights = points().flat_map(|point| point.heights());
        let up = Scale::new(&y, heights.chain(ground));
        Ok(Self {
            title: title.into(),
            description: None,
            x,
            y,
            across,
            up,
            series,
            areas: Vec::new(),
            markers: Vec::new(),
        })
    }

    /// The chart with a text for those who do not see it, instead of one that names its axes and series.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// The chart with the ground along one of its lines shaded.
    pub fn area(mut self, area: Area) -> Result<Self, Error> {
        let line = |one: &Series| one.name == area.line && one.shape == Shape::Line;
        if !self.series.iter().any(line) {
            return Err(Error::NoSuchLine {
                area: area.name,
                series: area.line,
            });
        }
        if area.from.is_nan() || area.to.is_nan() || area.from > area.to {
            return Err(Error::Range {
                axis: self.x.title,
                low: area.from,
                high: area.to,
                expected: "from a number to a larger one, for an area too",
            });
        }
        self.areas.push(area);
        Ok(self)
    }

    /// The chart with a vertical line.
    pub fn marker(mut self, marker: Marker) -> Result<Self, Error> {
        let accepted = self.x.accepts(marker.x);
        accepted.map_err(|expected| Error::parameter("the x of a marker", marker.x, expected))?;
        self.markers.push(marker);
        Ok(self)
    }

    /// The chart alone, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        let style = concat!(
            include_str!("colours.css"),
            include_str!("chart.css"),
            include_str!("alone.css")
        );
        self.draw(Size::Wide, "chart", Some(style))
    }

    /// The chart for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    /// What it shows, in words.
    fn spoken(&self) -> String {
        if let Some(text) = &self.description {
            return text.clone();
        }
        let series = self.series.iter().map(|one| {
            let kind = match one.shape {
                Shape::Line => "a line through",
                Shape::Points => "points:",
                Shape::Bars => "bars:",
                Shape::Steps => "steps:",
            };
            format!("{}, {kind} {}", one.name, one.points.len())
        });
        let areas = self.areas.iter().map(|area| {
            let side = match area.side {
                Side::Under => "under",
                Side::Over => "over",
            };
            format!("{}, shaded {side} {}", area.name, area.line)
        });
        let markers = self.markers.iter().map(|marker| {
            let x = crate::number::short(marker.x);
            format!("{}, a vertical line at {x}", marker.label)
        });
        let parts: Vec<String> = series.chain(areas).chain(markers).collect();
        format!(
            "{} over {}. {}.",
            self.y.title,
            self.x.title,
            parts.join("; ")
        )
    }
}
