//! Series over two axes, drawn as SVG.

mod area;
mod axis;
mod draw;
mod frame;
mod path;
mod plot;
mod scale;
mod series;
mod ticks;

use std::collections::BTreeSet;

use self::area::Side;
use self::scale::Scale;
use self::series::Shape;
use crate::sheet::Size;
use crate::{Error, palette};

pub use self::area::{Area, Level, Marker};
pub use self::axis::Axis;
pub(crate) use self::path::line;
pub use self::series::Series;

/// How charts look, with the colours as variables.
pub(crate) const STYLE: &str = include_str!("chart.css");

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
    levels: Vec<Level>,
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
            levels: Vec::new(),
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

    /// The chart with a horizontal line up to one x.
    pub fn level(mut self, level: Level) -> Result<Self, Error> {
        let accepted = self.x.accepts(level.x);
        accepted.map_err(|expected| Error::parameter("the x of a level", level.x, expected))?;
        let accepted = self.y.accepts(level.y);
        accepted.map_err(|expected| Error::parameter("the y of a level", level.y, expected))?;
        self.levels.push(level);
        Ok(self)
    }

    /// The chart alone, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        let style = palette::resolved(STYLE);
        self.draw(Size::Wide, "chart", Some(&style))
    }

    /// The chart for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    /// The series of bars, with their places among all.
    fn barred(&self) -> impl Iterator<Item = (usize, &Series)> {
        let series = self.series.iter().enumerate();
        series.filter(|(_, one)| one.shape == Shape::Bars)
    }

    /// What it shows, in words.
    pub(crate) fn spoken(&self) -> String {
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
        let levels = self.levels.iter().map(|level| {
            let [x, y] = [level.x, level.y].map(crate::number::short);
            format!("{}, a horizontal line at {y} up to {x}", level.label)
        });
        let parts = series.chain(areas).chain(markers).chain(levels);
        let parts: Vec<String> = parts.collect();
        format!(
            "{} over {}. {}.",
            self.y.title,
            self.x.title,
            parts.join("; ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(title: &str) -> Axis {
        Axis::linear(title).between(0.0, 1.0).unwrap()
    }

    fn chart(series: impl IntoIterator<Item = Series>) -> Chart {
        Chart::new("A chart", unit("x"), unit("y"), series).unwrap()
    }

    /// The edges of the plot, which a drawing states.
    fn plot(svg: &str) -> [f64; 4] {
        let stated = svg.split("data-plot=\"").nth(1).unwrap();
        let numbers = stated.split('"').next().unwrap().split(' ');
        let numbers: Vec<f64> = numbers.map(|n| n.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    }

    #[test]
    fn a_point_lies_where_the_scale_says() {
        let series = Series::line("line", [(0.0, 0.0), (0.25, 0.5), (1.0, 1.0)]).unwrap();
        let chart = chart([series]);
        for size in Size::BOTH {
            let svg = chart.inline(size, "id");
            let [left, right, top, bottom] = plot(&svg);
            let middle = (left + (right - left) / 4.0, (top + bottom) / 2.0);
            let expected = path::line(&[(left, bottom), middle, (right, top)]);
            assert!(svg.contains(&format!("d=\"{expected}\"")), "{expected}");
        }
    }

    #[test]
    fn decades_are_equally_far_apart() {
        let x = Axis::log("x").between(1.0, 100.0).unwrap();
        let line = Series::line("line", [(1.0, 0.0), (10.0, 0.0), (100.0, 0.0)]).unwrap();
        let svg = Chart::new("", x, unit("y"), [line]).unwrap().svg();
        let [left, right, _, bottom] = plot(&svg);
        let middle = (left + right) / 2.0;
        let expected = path::line(&[(left, bottom), (middle, bottom), (right, bottom)]);
        assert!(svg.contains(&expected), "{expected}");
    }

    #[test]
    fn the_last_label_has_room() {
        let x = Axis::linear("x").between(0.8, 1.05).unwrap();
        let line = Series::line("line", [(0.8, 0.0), (1.05, 1.0)]).unwrap();
        let svg = Chart::new("", x, unit("y"), [line]).unwrap().svg();
        let [_, right, ..] = plot(&svg);
        let label = crate::width::ems("1.050") * crate::sheet::TEXT;
        assert!(svg.contains(">1.050</text>") && right + label / 2.0 <= 720.0);
    }

    #[test]
    fn a_bar_stands_on_its_ground() {
        let bars = Series::bars("bars", [(0.0, 2.0), (1.0, -2.0)]).unwrap();
        let y = Axis::linear("y").between(-4.0, 4.0).unwrap();
        let svg = Chart::new("", Axis::names("x", ["up", "down"]), y, [bars])
            .unwrap()
            .svg();
        let [_, _, top, bottom] = plot(&svg);
        let quarter = (bottom - top) / 4.0;
        let bar = |y: f64| format!("y=\"{y}\" width=\"53\" height=\"{quarter}\"");
        assert!(svg.contains(&bar(top + quarter)) && svg.contains(&bar(top + 2.0 * quarter)));
        assert!(svg.contains("<title>bars\nup\ny 2</title>"));
    }

    #[test]
    fn an_area_ends_at_its_threshold() {
        let line = Series::line("line", [(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let chart = chart([line])
            .area(Area::under("below", "line").to(0.5))
            .and_then(|chart| chart.area(Area::over("above", "line").from(0.5)))
            .unwrap();
        let svg = chart.svg();
        let [left, right, top, bottom] = plot(&svg);
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let under = path::line(&[(left, bottom), (x, y), (x, bottom), (left, bottom)]);
        let over = path::line(&[(x, y), (right, top), (right, top), (x, top)]);
        assert!(svg.contains(&format!("{under}Z")) && svg.contains(&format!("{over}Z")));
    }

    #[test]
    fn no_point_and_one_point_are_drawn() {
        assert!(chart([]).svg().contains(">no data</text>"));
        let none = Series::bars("none", []).unwrap();
        assert!(chart([none]).svg().contains(">no data</text>"));
        for series in [
            Series::line("one", [(0.5, 0.5)]),
            Series::points("one", [(0.5, 0.5)]),
            Series::steps("one", [(0.5, 0.5)]),
            Series::bars("one", [(0.5, 0.5)]),
            Series::intervals("one", [(0.5, 0.5, 0.5, 0.5)]),
        ] {
            let series = series.unwrap();
            for axis in [Axis::linear, Axis::log] {
                let (x, y) = (axis("x"), axis("y"));
                let svg = Chart::new("", x, y, [series.clone()]).unwrap().svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(svg.contains("one"));
            }
        }
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let refused = |series: Result<Series, Error>| series.unwrap_err().to_string();
        assert_eq!(
            refused(Series::line("a", [(0.0, 0.0), (0.5, f64::NAN)])),
            "point 1 of the series \"a\" has y NaN, but it must be finite"
        );
        assert_eq!(
            refused(Series::intervals("a", [(0.0, 0.0, 0.2, 0.1)])),
            "point 0 of the series \"a\" has low 0.2, but it must be at most its high, 0.1"
        );
        let line = Series::line("a", [(0.0, 1.0)]).unwrap();
        let refused = |x, y, series: &[&Series]| {
            let series = series.iter().map(|one| (*one).clone());
            Chart::new("", x, y, series).unwrap_err().to_string()
        };
        assert_eq!(
            refused(Axis::log("x"), unit("y"), &[&line]),
            "point 0 of the series \"a\" has x 0, but it must be above 0 on a logarithmic axis"
        );
        assert_eq!(
            refused(unit("x"), unit("y"), &[&line, &line]),
            "two series are named \"a\""
        );
        let range = |axis: Axis, low, high| axis.between(low, high).unwrap_err().to_string();
        assert_eq!(
            range(Axis::linear("t"), 1.0, 0.0),
            "the axis \"t\" goes from 1 to 0, but must go from a number to a larger one"
        );
        assert!(range(Axis::linear("t"), 0.0, f64::INFINITY).contains("inf"));
        assert!(range(Axis::log("t"), 0.0, 1.0).ends_with("from a number above 0 to a larger one"));
        assert!(range(Axis::names("t", ["a"]), 0.0, 1.0).contains("names"));
        let area = chart([line.clone()]).area(Area::under("shade", "b"));
        assert_eq!(
            area.unwrap_err().to_string(),
            "the area \"shade\" is along \"b\", but the chart has no line of that name"
        );
        assert!(
            chart([line.clone()])
                .area(Area::under("", "a").from(0.5).to(0.4))
                .is_err()
        );
        assert!(chart([line]).marker(Marker::new("", f64::NAN)).is_err());
    }

    #[test]
    fn a_file_of_its_own_has_no_variable_and_no_address() {
        let line = Series::line("line", [(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let svg = chart([line]).svg();
        assert!(!svg.contains("var("));
        let addresses = svg.matches("://").count();
        assert_eq!(addresses, 1, "only the name space");
    }
}
