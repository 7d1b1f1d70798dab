//! Squares, points and lines in panels: a grid over a print, vectors and hyperplanes, a line that is cut into buckets.

use std::fmt::{self, Write};

use super::{head, style};
use crate::Error;
use crate::number::place;
use crate::sheet::{Sheet, Size, TEXT, text};
use crate::width::{ems, fitted};

/// Panels side by side, with the same in characters for terminals.
///
/// ```
/// use lookalike_report::{Drawing, Panel};
///
/// let panel = Panel::new("two squares of four", (0.0, 0.0), (2.0, 2.0))?
///     .cut(1.0)
///     .square((0.0, 0.0), 1.0, 0)
///     .dot((0.5, 0.5), "P", 0);
/// let drawing = Drawing::new("A grid", [panel]).characters("··\n■·");
/// assert!(drawing.svg().contains(">P</text>"));
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    title: String,
    note: String,
    panels: Vec<Panel>,
    characters: String,
}

/// A rectangle of the plane with what lies in it, y upwards. Colours are numbers from 0 to 5.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    name: String,
    low: (f64, f64),
    high: (f64, f64),
    /// The height in pixels where the two directions have scales of their own.
    height: Option<f64>,
    shapes: Vec<Shape>,
}

type Point = (f64, f64);

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Cuts(f64),
    Square(Point, f64, usize),
    Chosen(Point, f64),
    Dot(Point, String, usize),
    Line(Point, Point, usize),
    Rule(Point, Point),
    Words(Point, String),
}

/// How many colours there are.
const COLOURS: usize = 6;
/// Between panels, around what a panel shows, and the room for its name.
const GAP: f64 = 16.0;
const MARGIN: f64 = 14.0;
const NAME: f64 = 26.0;
/// No panel is wider.
const WIDEST: f64 = 360.0;

impl Drawing {
    /// Panels under a title.
    #[must_use]
    pub fn new(title: impl Into<String>, panels: impl IntoIterator<Item = Panel>) -> Self {
        Self {
            title: title.into(),
            note: String::new(),
            panels: panels.into_iter().collect(),
            characters: String::new(),
        }
    }

    /// The figure with a few words below its title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// The figure with the same in characters, which terminals show instead.
    #[must_use]
    pub fn characters(mut self, lines: impl Into<String>) -> Self {
        self.characters = lines.into();
        self
    }

    /// What terminals show; empty if there is nothing.
    #[must_use]
    pub fn in_characters(&self) -> &str {
        &self.characters
    }

    /// The figure alone, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        self.draw(Size::Wide, "drawing", Some(&style()))
    }

    /// The figure for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        const TAKEN: &str = "a string takes whatever is written";
        let (mut inner, mut out) = (String::new(), String::new());
        let y = head(&mut inner, size.width(), &self.title, &self.note).expect(TAKEN);
        let height = self.panels(&mut inner, size, y + 10.0).expect(TAKEN);
        let names: Vec<&str> = self.panels.iter().map(|panel| &*panel.name).collect();
        let sheet = Sheet {
            id,
            size,
            width: size.width(),
            height: height + 2.0,
            title: &self.title,
            text: &format!("{} Shown: {}.", self.note, names.join("; ")),
            attributes: "",
        };
        sheet.open(&mut out, style).expect(TAKEN);
        out + &inner + "</svg>\n"
    }

    /// The panels below y; where they end.
    pub(super) fn panels(&self, out: &mut String, size: Size, y: f64) -> Result<f64, fmt::Error> {
        let across = match size {
            Size::Wide if self.panels.iter().all(|panel| panel.height.is_none()) => 2,
            _ => 1,
        };
        let width = (size.width() - GAP * (across - 1) as f64) / across as f64;
        let mut y = y;
        for row in self.panels.chunks(across) {
            let heights = row.iter().map(|panel| panel.height(width));
            let height = heights.fold(0.0, f64::max);
            for (place, panel) in row.iter().enumerate() {
                let left = place as f64 * (width + GAP);
                panel.draw(out, [left, y, width, height])?;
            }
            y += height + GAP;
        }
        Ok(y - GAP.min(y))
    }
}

impl Panel {
    /// What lies between two corners, both directions to the same scale.
    ///
    /// # Errors
    /// If the corners are not finite numbers, the second right of and above the first.
    pub fn new(name: impl Into<String>, low: Point, high: Point) -> Result<Self, Error> {
        let wide = high.0 - low.0;
        let tall = high.1 - low.1;
        if !(wide > 0.0 && wide.is_finite() && tall > 0.0 && tall.is_finite()) {
            let given = format!("from {low:?} to {high:?}");
            let expected = "from a corner to another that is right of it and above";
            return Err(Error::parameter("a panel", given, expected));
        }
        Ok(Self {
            name: name.into(),
            low,
            high,
            height: None,
            shapes: Vec::new(),
        })
    }

    /// The panel as wide as the sheet and this many pixels high, each direction to a scale of its own.
    #[must_use]
    pub fn stretched(mut self, height: f64) -> Self {
        self.height = Some(height.clamp(20.0, 2000.0));
        self
    }

    /// Lines of a grid of squares with this side, from the first corner.
    #[must_use]
    pub fn cut(self, side: f64) -> Self {
        self.with(Shape::Cuts(side))
    }

    /// A square that is filled, by its lower left corner and its side.
    #[must_use]
    pub fn square(self, at: Point, side: f64, colour: usize) -> Self {
        self.with(Shape::Square(at, side, colour))
    }

    /// A square with a thick border.
    #[must_use]
    pub fn chosen(self, at: Point, side: f64) -> Self {
        self.with(Shape::Chosen(at, side))
    }

    /// A point with a name, which may be empty.
    #[must_use]
    pub fn dot(self, at: Point, name: impl Into<String>, colour: usize) -> Self {
        self.with(Shape::Dot(at, name.into(), colour))
    }

    /// A line from one point to another.
    #[must_use]
    pub fn line(self, from: Point, to: Point, colour: usize) -> Self {
        self.with(Shape::Line(from, to, colour))
    }

    /// A thin line that belongs to nothing: an axis, a border of a bucket.
    #[must_use]
    pub fn rule(self, from: Point, to: Point) -> Self {
        self.with(Shape::Rule(from, to))
    }

    /// Words in the middle of a place.
    #[must_use]
    pub fn words(self, at: Point, words: impl Into<String>) -> Self {
        self.with(Shape::Words(at, words.into()))
    }

    fn with(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    fn height(&self, width: f64) -> f64 {
        let inner = width.min(WIDEST) - 2.0 * MARGIN;
        let shown = self
            .height
            .unwrap_or(inner * (self.high.1 - self.low.1) / (self.high.0 - self.low.0));
        shown + 2.0 * MARGIN + NAME
    }

    fn draw(&self, out: &mut String, [left, top, width, height]: [f64; 4]) -> fmt::Result {
        let [x, y, across, up] = [left, top, width, height].map(place);
        writeln!(
            out,
            "<rect class=\"panel\" x=\"{x}\" y=\"{y}\" width=\"{across}\" height=\"{up}\" rx=\"8\"/>"
        )?;
        let name = fitted(&self.name, (width - 24.0) / TEXT);
        text(out, "note", left + 12.0, top + 21.0, &name)?;
        let room = match self.height {
            Some(_) => width - 2.0 * MARGIN,
            None => width.min(WIDEST) - 2.0 * MARGIN,
        };
        let frame = Frame {
            left: left + (width - room) / 2.0,
            bottom: top + height - MARGIN,
            scale: (
                room / (self.high.0 - self.low.0),
                (height - 2.0 * MARGIN - NAME) / (self.high.1 - self.low.1),
            ),
            low: self.low,
            right: left + width,
        };
        // What is filled lies below lines, and lines below points.
        for layer in 0..3 {
            for shape in self.shapes.iter().filter(|shape| shape.layer() == layer) {
                shape.draw(out, self, &frame)?;
            }
        }
        Ok(())
    }
}

/// From the plane to pixels.
struct Frame {
    left: f64,
    bottom: f64,
    scale: Point,
    low: Point,
    right: f64,
}

impl Frame {
    fn at(&self, (x, y): Point) -> Point {
        (
            self.left + (x - self.low.0) * self.scale.0,
            self.bottom - (y - self.low.1) * self.scale.1,
        )
    }
}

impl Shape {
    fn layer(&self) -> u8 {
        match self {
            Self::Square(..) | Self::Cuts(_) => 0,
            Self::Line(..) | Self::Rule(..) => 1,
            Self::Chosen(..) | Self::Dot(..) | Self::Words(..) => 2,
        }
    }

    fn draw(&self, out: &mut String, panel: &Panel, frame: &Frame) -> fmt::Result {
        match self {
            Self::Cuts(side) => cuts(out, panel, frame, *side),
            Self::Square(at, side, colour) => {
                let class = format!("box c{}", colour % COLOURS);
                square(out, &class, frame, *at, *side)
            }
            Self::Chosen(at, side) => square(out, "chosen", frame, *at, *side),
            Self::Line(from, to, colour) => {
                let class = format!("edge c{}", colour % COLOURS);
                line(out, &class, frame.at(*from), frame.at(*to))
            }
            Self::Rule(from, to) => line(out, "base", frame.at(*from), frame.at(*to)),
            Self::Dot(at, name, colour) => {
                let (x, y) = frame.at(*at);
                let [cx, cy] = [x, y].map(place);
                let colour = colour % COLOURS;
                writeln!(
                    out,
                    "<circle class=\"dot c{colour}\" cx=\"{cx}\" cy=\"{cy}\" r=\"4\"/>"
                )?;
                if name.is_empty() {
                    return Ok(());
                }
                // To the left where the border of the panel is near, and cut where there is no room on either side.
                let (before, after) = (x - frame.left - 7.0, frame.right - x - 8.0);
                let is_left = ems(name) * TEXT > after && before > after;
                let room = if is_left { before } else { after };
                let name = fitted(name, room / TEXT);
                match is_left {
                    true => text(out, "tag end", x - 7.0, y - 7.0, &name),
                    false => text(out, "tag", x + 6.0, y - 7.0, &name),
                }
            }
            Self::Words(at, words) => {
                let (x, y) = frame.at(*at);
                text(out, "note middle value", x, y + TEXT / 3.0, words)
            }
        }
    }
}

fn cuts(out: &mut String, panel: &Panel, frame: &Frame, side: f64) -> fmt::Result {
    const MOST: f64 = 200.0;
    let steps = |low: f64, high: f64| match side > 0.0 {
        true => ((high - low) / side + 1e-9).floor().min(MOST) as u32,
        false => 0,
    };
    for i in 0..=steps(panel.low.0, panel.high.0) {
        let x = panel.low.0 + f64::from(i) * side;
        let ends = [panel.low.1, panel.high.1].map(|y| frame.at((x, y)));
        line(out, "grid", ends[0], ends[1])?;
    }
    for i in 0..=steps(panel.low.1, panel.high.1) {
        let y = panel.low.1 + f64::from(i) * side;
        let ends = [panel.low.0, panel.high.0].map(|x| frame.at((x, y)));
        line(out, "grid", ends[0], ends[1])?;
    }
    Ok(())
}

fn square(out: &mut String, class: &str, frame: &Frame, at: Point, side: f64) -> fmt::Result {
    let (left, top) = frame.at((at.0, at.1 + side));
    let [x, y, width, height] = [left, top, side * frame.scale.0, side * frame.scale.1].map(place);
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    )
}

fn line(out: &mut String, class: &str, from: Point, to: Point) -> fmt::Result {
    let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(place);
    writeln!(
        out,
        "<path class=\"{class}\" d=\"M{x} {y}L{to_x} {to_y}\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        Panel::new("all shapes", (0.0, 0.0), (10.0, 5.0))
            .unwrap()
            .cut(1.0)
            .square((1.0, 1.0), 1.0, 7)
            .chosen((2.0, 2.0), 1.0)
            .dot((0.0, 0.0), "<P>", 0)
            .dot((10.0, 5.0), "at the right border", 1)
            .line((0.0, 0.0), (1.0, 1.0), 2)
            .rule((0.0, 2.0), (10.0, 2.0))
            .words((5.0, 2.5), "middle")
    }

    #[test]
    fn every_shape_is_drawn_in_both_sizes() {
        let drawings = [panel(), panel().stretched(60.0)]
            .map(|panel| Drawing::new("T", [panel.clone(), panel]).note("N"));
        for (drawing, size) in drawings
            .iter()
            .flat_map(|it| Size::BOTH.map(|size| (it, size)))
        {
            let svg = drawing.inline(size, "id");
            for (part, count) in [
                ("class=\"box c1\"", 2),
                ("class=\"chosen\"", 2),
                ("class=\"grid\"", 2 * 17),
                ("&lt;P&gt;", 2),
                ("class=\"tag end\"", 2),
                ("class=\"edge c2\"", 2),
                ("class=\"base\"", 2),
                (">middle</text>", 2),
            ] {
                assert_eq!(svg.matches(part).count(), count, "{part}");
            }
        }
    }

    #[test]
    fn a_name_that_is_too_long_for_the_panel_is_cut() {
        let panel = Panel::new("", (0.0, 0.0), (10.0, 5.0)).unwrap();
        let drawing = Drawing::new("", [panel.dot((5.0, 2.0), "W".repeat(300), 0)]);
        for size in Size::BOTH {
            let svg = drawing.inline(size, "id");
            let name = svg.split("class=\"tag").nth(1).unwrap();
            let name = name.split(['>', '<']).nth(1).unwrap();
            assert!(name.starts_with("WW") && name.ends_with("W…"), "{name}");
        }
    }

    #[test]
    fn places_are_to_scale_and_upwards() {
        let frame = Frame {
            left: 10.0,
            bottom: 100.0,
            scale: (2.0, 4.0),
            low: (1.0, 1.0),
            right: 300.0,
        };
        assert_eq!(frame.at((1.0, 1.0)), (10.0, 100.0));
        assert_eq!(frame.at((6.0, 3.0)), (20.0, 92.0));
    }

    #[test]
    fn a_panel_needs_an_extent() {
        for (low, high) in [
            ((0.0, 0.0), (0.0, 1.0)),
            ((0.0, 0.0), (1.0, -1.0)),
            ((f64::NAN, 0.0), (1.0, 1.0)),
            ((0.0, 0.0), (f64::INFINITY, 1.0)),
        ] {
            let refused = Panel::new("", low, high).unwrap_err().to_string();
            assert!(refused.contains("right of it and above"), "{refused}");
        }
        // A side of nothing cuts nothing, and a tiny one not for ever.
        let panel = Panel::new("", (0.0, 0.0), (1.0, 1.0)).unwrap();
        assert!(Drawing::new("", [panel.clone().cut(0.0)]).svg().len() < 20_000);
        assert!(Drawing::new("", [panel.cut(1e-12)]).svg().len() < 100_000);
    }
}
