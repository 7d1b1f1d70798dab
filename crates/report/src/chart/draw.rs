//! A chart as SVG: its words, its axes, and around the plot what [`plot`](super::plot) draws.
//!
//! Colours and dashes are classes, so that a page and a file of its own share one drawing and follow the colour scheme of
//! the reader. Series differ by dash, sign or hatching as well as by colour.

use std::fmt::{self, Write};

use super::Chart;
use super::frame::{Frame, SAMPLE};
use super::path;
use super::series::{Series, Shape};
use crate::escape::Escaped;
use crate::number::place;
use crate::sheet::{Sheet, Size, TEXT, text};
use crate::width::ems;

/// How many colours, dashes and hatchings `chart.css` has.
const COLOURS: usize = 6;
const DASHES: usize = 5;
const HATCHES: usize = 3;

impl Chart {
    pub(crate) fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        let mut drawing = Drawing {
            chart: self,
            frame: Frame::new(self, size),
            id,
            out: String::new(),
        };
        drawing
            .whole(size, style)
            .expect("a string takes whatever is written");
        drawing.out
    }
}

impl Chart {
    /// What is drawn, without a sheet around it, and how high it is: a part of a larger drawing.
    pub(crate) fn part(&self, size: Size, id: &str) -> (String, f64) {
        let frame = Frame::new(self, size);
        let height = frame.height;
        let mut drawing = Drawing {
            chart: self,
            frame,
            id,
            out: String::new(),
        };
        drawing
            .inside_frame()
            .expect("a string takes whatever is written");
        (drawing.out, height)
    }
}

/// A drawing so far.
pub(super) struct Drawing<'a> {
    pub(super) chart: &'a Chart,
    pub(super) frame: Frame,
    pub(super) id: &'a str,
    pub(super) out: String,
}

impl Drawing<'_> {
    fn whole(&mut self, size: Size, style: Option<&str>) -> fmt::Result {
        self.open(size, style)?;
        self.inside_frame()?;
        writeln!(self.out, "</svg>")
    }

    /// All of it but the sheet that it is drawn on.
    fn inside_frame(&mut self) -> fmt::Result {
        self.definitions()?;
        self.words()?;
        self.grid()?;
        self.areas()?;
        self.markers()?;
        self.levels()?;
        self.series()?;
        self.labels()?;
        self.level_labels()
    }

    fn open(&mut self, size: Size, style: Option<&str>) -> fmt::Result {
        let (chart, f) = (self.chart, &self.frame);
        let sheet = Sheet {
            id: self.id,
            size,
            width: f.width,
            height: f.height,
            title: &chart.title,
            text: &chart.spoken(),
            attributes: &format!(" data-plot=\"{}\"", f.plot()),
        };
        sheet.open(&mut self.out, style)
    }

    /// What may be drawn upon, and the hatchings of areas and of bars after the first.
    fn definitions(&mut self) -> fmt::Result {
        let (f, id) = (&self.frame, self.id);
        writeln!(
            self.out,
            "<defs><clipPath id=\"{id}-plot\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>",
            place(f.left - 1.0),
            place(f.top - 1.0),
            place(f.right - f.left + 2.0),
            place(f.bottom - f.top + 2.0)
        )?;
        for i in 0..self.chart.areas.len() {
            let class = format!("a{}", i % HATCHES);
            hatching(&mut self.out, &format!("{id}-area{i}"), &class, i)?;
        }
        for (nth, (i, one)) in self.chart.barred().enumerate().skip(1) {
            let class = colour(i, one);
            hatching(&mut self.out, &format!("{id}-bar{i}"), &class, nth - 1)?;
        }
        writeln!(self.out, "</defs>")
    }

    /// The title, the legend, the titles of the axes.
    fn words(&mut self) -> fmt::Result {
        let (f, chart) = (&self.frame, self.chart);
        for (y, line) in &f.title {
            text(&mut self.out, "title", 0.0, *y, line)?;
        }
        for (i, (x, y)) in f.legend.iter().enumerate() {
            let middle = y - TEXT / 3.0;
            let name = match i.checked_sub(chart.series.len()) {
                None => {
                    sample(&mut self.out, self.id, chart, i, *x, middle)?;
                    &chart.series[i].name
                }
                Some(area) => {
                    let fill = format!(" fill=\"url(#{}-area{area})\"", self.id);
                    swatch(&mut self.out, &fill, *x, middle)?;
                    &chart.areas[area].name
                }
            };
            text(&mut self.out, "", x + SAMPLE + 8.0, *y, name)?;
        }
        text(&mut self.out, "axis", 0.0, f.y_title, &chart.y.title)?;
        text(
            &mut self.out,
            "axis end",
            f.right,
            f.x_title,
            &chart.x.title,
        )
    }

    /// Lines across at the ticks of y, labels along both axes.
    fn grid(&mut self) -> fmt::Result {
        let (f, chart) = (&self.frame, self.chart);
        let [left, right, bottom] = [f.left, f.right, f.bottom].map(place);
        for tick in &f.y_ticks {
            let y = f.y(chart.up.share(tick.at));
            let at = place(y);
            writeln!(
                self.out,
                "<path class=\"grid\" d=\"M{left} {at}H{right}\"/>"
            )?;
            let beside = f.left - 8.0;
            text(
                &mut self.out,
                "tick end",
                beside,
                y + TEXT / 3.0,
                &tick.label,
            )?;
        }
        for tick in &f.x_ticks {
            let x = f.x(chart.across.share(tick.at));
            let below = f.bottom + 8.0 + TEXT;
            if let Some(slant) = f.slant {
                let (x, y) = (place(x + 4.0), place(below - 4.0));
                writeln!(
                    self.out,
                    "<text class=\"tick end\" x=\"{x}\" y=\"{y}\" transform=\"rotate(-{slant} {x} {y})\">{}</text>",
                    Escaped(&tick.label)
                )?;
                continue;
            }
            if !chart.across.is_names() {
                let at = place(x);
                writeln!(self.out, "<path class=\"base\" d=\"M{at} {bottom}v5\"/>")?;
            }
            text(&mut self.out, "tick middle", x, below, &tick.label)?;
        }
        writeln!(
            self.out,
            "<path class=\"base\" d=\"M{left} {bottom}H{right}\"/>"
        )?;
        if chart.series.iter().all(|one| one.points.is_empty()) {
            text(&mut self.out, "axis middle", f.x(0.5), f.y(0.5), "no data")?;
        }
        Ok(())
    }

    fn markers(&mut self) -> fmt::Result {
        for (i, x, base) in self.frame.marked(self.chart) {
            let (x, top, bottom) = (place(x), place(base + 5.0), place(self.frame.bottom));
            writeln!(
                self.out,
                "<path class=\"marker m{}\" data-marker=\"{i}\" d=\"M{x} {top}V{bottom}\"/>",
                i % 2
            )?;
        }
        Ok(())
    }

    fn levels(&mut self) -> fmt::Result {
        for level in &self.chart.levels {
            let (x, y) = self.place(level.x, level.y);
            let [left, x, y] = [self.frame.left, x, y].map(place);
            writeln!(
                self.out,
                "<path class=\"marker level\" d=\"M{left} {y}H{x}\"/>"
            )?;
        }
        Ok(())
    }

    /// The labels of the levels, at the left: the first above its line, the others below theirs, none over another.
    fn level_labels(&mut self) -> fmt::Result {
        const APART: f64 = TEXT + 3.0;
        let (top, bottom) = (self.frame.top, self.frame.bottom);
        let mut taken: Vec<f64> = Vec::new();
        for (i, level) in self.chart.levels.iter().enumerate() {
            let y = self.place(level.x, level.y).1;
            let (above, below) = (y - 6.0, y + TEXT + 3.0);
            let wants_above = i == 0 || below > bottom - 4.0;
            let mut base = match wants_above && above - TEXT > top {
                true => above,
                false => below,
            };
            let away = if base > (top + bottom) / 2.0 {
                -APART
            } else {
                APART
            };
            while taken.iter().any(|other| (other - base).abs() < APART) {
                base += away;
            }
            taken.push(base);
            let x = self.frame.left + 8.0;
            text(&mut self.out, "label", x, base, &level.label)?;
        }
        Ok(())
    }

    /// The labels of the markers, above everything that might cross them.
    fn labels(&mut self) -> fmt::Result {
        for (i, x, base) in self.frame.marked(self.chart) {
            let label = &self.chart.markers[i].label;
            let half = ems(label) * TEXT / 2.0;
            let middle = x.min(self.frame.width - half).max(half);
            writeln!(
                self.out,
                "<text class=\"label middle m{}\" data-label=\"{i}\" data-half=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                i % 2,
                place(half),
                place(middle),
                place(base),
                Escaped(label)
            )?;
        }
        Ok(())
    }
}

/// The place of a series among colours, dashes and signs: its own unless it was told another.
pub(super) fn tone(i: usize, one: &Series) -> usize {
    one.tone.unwrap_or(i)
}

/// The class of its colour.
pub(super) fn colour(i: usize, one: &Series) -> String {
    format!("c{}", tone(i, one) % COLOURS)
}

/// The classes of a line.
pub(super) fn dashed(i: usize, one: &Series) -> String {
    format!("line {} d{}", colour(i, one), tone(i, one) % DASHES)
}

fn hatching(out: &mut String, id: &str, class: &str, nth: usize) -> fmt::Result {
    let line = match nth % HATCHES {
        0 => "M-2 2l4 -4M0 8l8 -8M6 10l4 -4",
        1 => "M-2 6l4 4M0 0l8 8M6 -2l4 4",
        _ => "M4 0v8",
    };
    let ground = match class.starts_with('c') {
        true => "<rect class=\"ground\" width=\"8\" height=\"8\"/>",
        false => "",
    };
    writeln!(
        out,
        "<pattern id=\"{id}\" class=\"{class}\" patternUnits=\"userSpaceOnUse\" width=\"8\" height=\"8\">{ground}\
         <rect class=\"wash\" width=\"8\" height=\"8\"/><path d=\"{line}\"/></pattern>"
    )
}

/// What the legend shows of a series.
fn sample(out: &mut String, id: &str, chart: &Chart, i: usize, x: f64, y: f64) -> fmt::Result {
    let one = &chart.series[i];
    let colour = colour(i, one);
    let sign = path::sign(tone(i, one), x + SAMPLE / 2.0, y);
    match one.shape {
        Shape::Line | Shape::Steps => {
            let (left, at, width) = (place(x), place(y), place(SAMPLE));
            let class = dashed(i, one);
            writeln!(out, "<path class=\"{class}\" d=\"M{left} {at}h{width}\"/>")?;
            match one.shows_points() {
                true => writeln!(out, "<path class=\"mark {colour}\" d=\"{sign}\"/>"),
                false => Ok(()),
            }
        }
        Shape::Points => writeln!(out, "<path class=\"mark {colour}\" d=\"{sign}\"/>"),
        Shape::Bars => {
            write!(out, "<g class=\"bar {colour}\">")?;
            swatch(out, &filling(chart, id, i), x, y)?;
            writeln!(out, "</g>")
        }
    }
}

/// The hatching of the bars of a series as an attribute; the first have none.
pub(super) fn filling(chart: &Chart, id: &str, i: usize) -> String {
    match chart.barred().next() {
        Some((first, _)) if first != i => format!(" style=\"fill: url(#{id}-bar{i})\""),
        _ => String::new(),
    }
}

fn swatch(out: &mut String, attributes: &str, x: f64, y: f64) -> fmt::Result {
    let (x, y, width) = (place(x), place(y - 6.0), place(SAMPLE));
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"12\"{attributes}/>"
    )
}
