use std::fmt::{self, Write};

use crate::number::place;
use crate::sheet::{Sheet, Size};
use crate::{Chart, Error, chart, palette};

/// Pixels between charts, across and up.
const GAP: (f64, f64) = (4.0, 28.0);

/// Charts in one drawing, to be compared: two side by side, or one below the other where there is no room.
///
/// ```
/// use lookalike_report::{Axis, Chart, Panels, Series};
///
/// let chart = |power: i32| {
///     let points = (0..=10).map(|i| f64::from(i) / 10.0).map(|t| (t, t.powi(power)));
///     Chart::new(
///         format!("{power} rows"),
///         Axis::linear("similarity").between(0.0, 1.0)?,
///         Axis::linear("probability").between(0.0, 1.0)?,
///         [Series::line("one band", points)?],
///     )
/// };
/// let panels = Panels::new("Rows of a band", [chart(1)?, chart(5)?])?;
/// assert!(panels.svg().starts_with("<svg "));
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    title: String,
    charts: Vec<Chart>,
}

impl Panels {
    /// The most charts in one drawing.
    pub const MOST: usize = 12;

    /// A drawing of some charts. The title is for those who do not see it; each chart shows its own.
    ///
    /// # Errors
    /// If there are no charts, or too many.
    pub fn new(
        title: impl Into<String>,
        charts: impl IntoIterator<Item = Chart>,
    ) -> Result<Self, Error> {
        let charts: Vec<Chart> = charts.into_iter().collect();
        match charts.len() {
            1..=Self::MOST => Ok(Self {
                title: title.into(),
                charts,
            }),
            others => Err(Error::parameter("charts", others, "from 1 to 12")),
        }
    }

    /// The drawing as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        let style = palette::resolved(chart::STYLE);
        self.draw(Size::Wide, "panels", Some(&style))
    }

    /// The drawing for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        self.drawn(size, id, style)
            .expect("a string takes whatever is written")
    }

    fn drawn(&self, size: Size, id: &str, style: Option<&str>) -> Result<String, fmt::Error> {
        let across = match (size, self.charts.len()) {
            (Size::Wide, 2..) => 2,
            _ => 1,
        };
        // A chart alone has all of the room.
        let each = match self.charts.len() {
            1 => size,
            _ => Size::Narrow,
        };
        let (mut inner, mut height) = (String::new(), 0.0);
        for (row, charts) in self.charts.chunks(across).enumerate() {
            height += if row > 0 { GAP.1 } else { 0.0 };
            let mut tallest: f64 = 0.0;
            for (column, chart) in charts.iter().enumerate() {
                let number = row * across + column;
                let (part, tall) = chart.part(each, &format!("{id}-{number}"));
                let x = column as f64 * (each.width() + GAP.0);
                let (x, y) = (place(x), place(height));
                writeln!(inner, "<g transform=\"translate({x} {y})\">\n{part}</g>")?;
                tallest = tallest.max(tall);
            }
            height += tallest;
        }
        let texts = self.charts.iter().map(Chart::spoken);
        let text = texts.collect::<Vec<_>>().join(" ");
        let sheet = Sheet {
            id,
            size,
            width: size.width(),
            height,
            title: &self.title,
            text: &text,
            attributes: "",
        };
        let mut out = String::new();
        sheet.open(&mut out, style)?;
        writeln!(out, "{inner}</svg>")?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Area, Axis, Series};

    fn chart(title: &str) -> Chart {
        let unit = |name: &str| Axis::linear(name).between(0.0, 1.0).unwrap();
        let line = Series::line("line", [(0.0, 0.0), (1.0, 1.0)]).unwrap();
        let chart = Chart::new(title, unit("x"), unit("y"), [line]).unwrap();
        chart.area(Area::under("below", "line")).unwrap()
    }

    #[test]
    fn charts_stand_side_by_side_where_there_is_room() {
        let panels = Panels::new("three", ["a", "b", "c"].map(chart)).unwrap();
        let wide = panels.svg();
        assert_eq!(wide.matches("translate(0 ").count(), 2);
        assert_eq!(wide.matches("translate(362 0)").count(), 1);
        let narrow = panels.inline(Size::Narrow, "id");
        assert_eq!(narrow.matches("translate(0 ").count(), 3);
        assert_eq!(wide.matches("<svg").count(), 1);
        assert!(!wide.contains("var("));
    }

    #[test]
    fn no_two_parts_have_one_name() {
        let svg = Panels::new("two", ["a", "b"].map(chart)).unwrap().svg();
        let mut ids: Vec<&str> = svg.split(" id=\"").skip(1).collect();
        ids.iter_mut()
            .for_each(|id| *id = id.split('"').next().unwrap());
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        for used in svg.split("url(#").skip(1) {
            let name = used.split(')').next().unwrap();
            assert!(ids.contains(&name), "{name}");
        }
    }

    #[test]
    fn some_charts_are_needed() {
        assert!(Panels::new("none", []).is_err());
        assert!(Panels::new("many", vec![chart("a"); 13]).is_err());
    }
}
