//! A chart as SVG.
//!
//! Colours and dashes are classes, so that a page and a file of its own share one drawing and follow the colour scheme of
//! the reader. Series differ by dash and sign as well as by colour, areas by their hatching.

use std::fmt::{self, Write};

use super::Chart;
use super::area::Side;
use super::frame::{Frame, SAMPLE, Size, TEXT};
use super::series::{Point, Series, Shape};
use super::width::ems;
use crate::escape::Escaped;
use crate::number::{place, short};

/// How many colours, dashes and signs `chart.css` and [`sign`] have; their product is what can be told apart.
const COLOURS: usize = 6;
const DASHES: usize = 5;
const SIGNS: usize = 5;
const HATCHES: usize = 3;
/// Half the width of a sign.
const RADIUS: f64 = 4.5;
/// The widest bar.
const BAR: f64 = 56.0;

impl Chart {
    pub(crate) fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        let mut out = String::new();
        Drawing {
            chart: self,
            frame: Frame::new(self, size),
            id,
            out: &mut out,
        }
        .whole(size, style)
        .expect("a string takes whatever is written");
        out
    }
}

struct Drawing<'a> {
    chart: &'a Chart,
    frame: Frame,
    id: &'a str,
    out: &'a mut String,
}

impl Drawing<'_> {
    fn whole(mut self, size: Size, style: Option<&str>) -> fmt::Result {
        let (id, chart) = (self.id, self.chart);
        let (width, height) = (place(self.frame.width), place(self.frame.height));
        let alone = if style.is_some() {
            " xmlns=\"http://www.w3.org/2000/svg\""
        } else {
            ""
        };
        writeln!(
            self.out,
            "<svg{alone} class=\"chart {}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             data-plot=\"{}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">",
            size.name(),
            self.frame.plot()
        )?;
        writeln!(
            self.out,
            "<title id=\"{id}-title\">{}</title>",
            Escaped(&chart.title)
        )?;
        writeln!(
            self.out,
            "<desc id=\"{id}-text\">{}</desc>",
            Escaped(&chart.spoken())
        )?;
        if let Some(style) = style {
            writeln!(self.out, "<style>\n{style}</style>")?;
            writeln!(
                self.out,
                "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
            )?;
        }
        self.definitions()?;
        self.words()?;
        self.grid()?;
        self.areas()?;
        self.series()?;
        self.markers()?;
        writeln!(self.out, "</svg>")
    }

    /// The plot with room for the signs at its edges, and the hatchings of the areas.
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
        for (i, _) in self.chart.areas.iter().enumerate() {
            let line = match i % HATCHES {
                0 => "M-2 2l4 -4M0 8l8 -8M6 10l4 -4",
                1 => "M-2 6l4 4M0 0l8 8M6 -2l4 4",
                _ => "M4 3v2",
            };
            writeln!(
                self.out,
                "<pattern id=\"{id}-area{i}\" class=\"a{}\" patternUnits=\"userSpaceOnUse\" width=\"8\" height=\"8\">\
                 <rect width=\"8\" height=\"8\"/><path d=\"{line}\"/></pattern>",
                i % HATCHES
            )?;
        }
        writeln!(self.out, "</defs>")
    }

    /// The title, the legend, the titles of the axes.
    fn words(&mut self) -> fmt::Result {
        let (f, chart) = (&self.frame, self.chart);
        for (y, line) in &f.title {
            let y = place(*y);
            writeln!(
                self.out,
                "<text class=\"title\" x=\"0\" y=\"{y}\">{}</text>",
                Escaped(line)
            )?;
        }
        for (i, (x, y)) in f.legend.iter().enumerate() {
            let middle = y - TEXT / 3.0;
            match i.checked_sub(chart.series.len()) {
                None => sample(self.out, &chart.series[i], i, *x, middle)?,
                Some(area) => writeln!(
                    self.out,
                    "<rect class=\"shade\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"url(#{}-area{area})\"/>",
                    place(*x),
                    place(middle - 6.0),
                    place(SAMPLE),
                    self.id
                )?,
            }
            let name = match i.checked_sub(chart.series.len()) {
                None => &chart.series[i].name,
                Some(area) => &chart.areas[area].name,
            };
            let (x, y) = (place(x + SAMPLE + 8.0), place(*y));
            writeln!(
                self.out,
                "<text x=\"{x}\" y=\"{y}\">{}</text>",
                Escaped(name)
            )?;
        }
        let y = place(f.y_title);
        writeln!(
            self.out,
            "<text class=\"axis\" x=\"0\" y=\"{y}\">{}</text>",
            Escaped(&chart.y.title)
        )?;
        let (x, y) = (place(f.right), place(f.x_title));
        writeln!(
            self.out,
            "<text class=\"axis end\" x=\"{x}\" y=\"{y}\">{}</text>",
            Escaped(&chart.x.title)
        )
    }

    /// Lines across at the ticks of y, labels along both axes.
    fn grid(&mut self) -> fmt::Result {
        let (f, chart) = (&self.frame, self.chart);
        for tick in &f.y_ticks {
            let y = f.y(chart.up.share(tick.at));
            writeln!(
                self.out,
                "<path class=\"grid\" d=\"M{} {y}H{}\"/><text class=\"tick end\" x=\"{}\" y=\"{}\">{}</text>",
                place(f.left),
                place(f.right),
                place(f.left - 8.0),
                place(y + TEXT / 3.0),
                Escaped(&tick.label),
                y = place(y),
            )?;
        }
        for tick in &f.x_ticks {
            let x = f.x(chart.across.share(tick.at));
            let label = Escaped(&tick.label);
            let (left, y) = (place(x), f.bottom + 8.0 + TEXT);
            if let Some(slant) = f.slant {
                let y = place(y - 4.0);
                writeln!(
                    self.out,
                    "<text class=\"tick end\" x=\"{left}\" y=\"{y}\" transform=\"rotate(-{slant} {left} {y})\">{label}</text>",
                )?;
                continue;
            }
            if !chart.across.is_names() {
                writeln!(
                    self.out,
                    "<path class=\"base\" d=\"M{left} {}v5\"/>",
                    place(f.bottom)
                )?;
            }
            writeln!(
                self.out,
                "<text class=\"tick middle\" x=\"{left}\" y=\"{}\">{label}</text>",
                place(y),
            )?;
        }
        writeln!(
            self.out,
            "<path class=\"base\" d=\"M{} {}H{}\"/>",
            place(f.left),
            place(f.bottom),
            place(f.right)
        )?;
        if chart.series.iter().all(|one| one.points.is_empty()) {
            let (x, y) = (f.x(0.5), f.y(0.5));
            writeln!(
                self.out,
                "<text class=\"axis middle\" x=\"{}\" y=\"{}\">no data</text>",
                place(x),
                place(y)
            )?;
        }
        Ok(())
    }

    fn areas(&mut self) -> fmt::Result {
        for (i, area) in self.chart.areas.iter().enumerate() {
            let named = self.chart.series.iter().find(|one| one.name == area.line);
            let line = named.expect("an area is along a series of its chart");
            let mut places: Vec<(f64, f64)> = line
                .points
                .iter()
                .map(|point| self.place(point.x, point.y))
                .collect();
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            let end = |x: f64, edge: f64| {
                if x.is_finite() {
                    self.place(x, 0.0).0
                } else {
                    edge
                }
            };
            let (f, chart) = (&self.frame, self.chart);
            let within = |x: f64| x.clamp(f.left, f.right);
            let from = if chart.x.accepts(area.from).is_ok() {
                within(end(area.from, f.left))
            } else {
                f.left
            };
            let to = if chart.x.accepts(area.to).is_ok() {
                within(end(area.to, f.right))
            } else {
                f.right
            };
            let places = part(&places, from, to);
            let side = match area.side {
                Side::Under => f.bottom,
                Side::Over => f.top,
            };
            let mut d = path(&places);
            if let (Some(first), Some(last)) = (places.first(), places.last()) {
                write!(
                    d,
                    "L{} {side}L{} {side}Z",
                    place(last.0),
                    place(first.0),
                    side = place(side)
                )?;
            }
            writeln!(
                self.out,
                "<path class=\"shade\" data-area=\"{i}\" fill=\"url(#{id}-area{i})\" clip-path=\"url(#{id}-plot)\" d=\"{d}\">\
                 <title>{}</title></path>",
                Escaped(&area.name),
                id = self.id,
            )?;
        }
        Ok(())
    }

    /// Bars below lines below points, so that a mark is never under a surface.
    fn series(&mut self) -> fmt::Result {
        let chart = self.chart;
        self.bars()?;
        for (i, one) in chart.series.iter().enumerate() {
            if matches!(one.shape, Shape::Line | Shape::Steps) {
                self.line(i, one)?;
            }
        }
        for (i, one) in chart.series.iter().enumerate() {
            if one.shape == Shape::Points {
                self.points(i, one)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, i: usize, one: &Series) -> fmt::Result {
        let mut places = Vec::new();
        for (x, y) in one.points.iter().map(|point| self.place(point.x, point.y)) {
            if let (Shape::Steps, Some(&(_, before))) = (one.shape, places.last()) {
                places.push((x, before));
            }
            places.push((x, y));
        }
        let (colour, dash) = (tone(i, one) % COLOURS, tone(i, one) % DASHES);
        let id = self.id;
        if let [(x, y)] = places[..] {
            writeln!(
                self.out,
                "<circle class=\"mark c{colour}\" data-series=\"{i}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{}</title></circle>",
                place(x),
                place(y),
                place(RADIUS),
                Escaped(&self.tip(one, one.points[0]))
            )?;
            return Ok(());
        }
        writeln!(
            self.out,
            "<path class=\"line c{colour} d{dash}\" data-series=\"{i}\" clip-path=\"url(#{id}-plot)\" d=\"{}\">\
             <title>{}</title></path>",
            path(&places),
            Escaped(&one.name)
        )
    }

    fn points(&mut self, i: usize, one: &Series) -> fmt::Result {
        let tone = tone(i, one);
        writeln!(
            self.out,
            "<g class=\"c{}\" data-series=\"{i}\">",
            tone % COLOURS
        )?;
        for point in &one.points {
            let (x, y) = self.place(point.x, point.y);
            let f = &self.frame;
            if !self.inside(x, y) {
                continue;
            }
            let title = Escaped(&self.tip(one, *point)).to_string();
            write!(self.out, "<g><title>{title}</title>")?;
            if let Some((low, high)) = point.interval {
                let (low, high) = (self.place(point.x, low).1, self.place(point.x, high).1);
                let (low, high) = (low.clamp(f.top, f.bottom), high.clamp(f.top, f.bottom));
                write!(
                    self.out,
                    "<path class=\"whisker\" d=\"M{x} {low}V{high}M{a} {low}h8M{a} {high}h8\"/>",
                    x = place(x),
                    a = place(x - 4.0),
                    low = place(low),
                    high = place(high)
                )?;
            }
            writeln!(
                self.out,
                "<path class=\"mark\" d=\"{}\"/></g>",
                sign(tone, x, y)
            )?;
        }
        writeln!(self.out, "</g>")
    }

    /// Bars of several series stand side by side around their x.
    fn bars(&mut self) -> fmt::Result {
        let chart = self.chart;
        let barred: Vec<(usize, &Series)> = chart
            .series
            .iter()
            .enumerate()
            .filter(|(_, one)| one.shape == Shape::Bars)
            .collect();
        let mut middles: Vec<f64> = barred
            .iter()
            .flat_map(|(_, one)| one.points.iter().map(|point| self.place(point.x, 0.0).0))
            .collect();
        middles.sort_by(f64::total_cmp);
        let f = &self.frame;
        let slots = match chart.across.is_names() {
            true => (f.right - f.left) / f.x_ticks.len().max(1) as f64,
            false => f.right - f.left,
        };
        let gaps = middles
            .windows(2)
            .map(|two| two[1] - two[0])
            .filter(|gap| *gap > 0.01);
        let room = gaps.fold(slots, f64::min) * 0.76;
        let width = (room / barred.len().max(1) as f64).clamp(1.0, BAR);
        let ground = if chart.y.accepts(0.0).is_ok() {
            chart.up.share(0.0)
        } else {
            0.0
        };
        let ground = f.y(ground.clamp(0.0, 1.0));
        for (nth, (i, one)) in barred.iter().enumerate() {
            let colour = tone(*i, one) % COLOURS;
            let shift = (nth as f64 - barred.len() as f64 / 2.0) * width;
            writeln!(
                self.out,
                "<g class=\"bar c{colour} f{}\" data-series=\"{i}\">",
                nth % HATCHES
            )?;
            for point in &one.points {
                let (x, y) = self.place(point.x, point.y);
                if !(self.frame.left..=self.frame.right).contains(&x) {
                    continue;
                }
                let y = y.clamp(self.frame.top, self.frame.bottom);
                let (above, height) = (y.min(ground), (y - ground).abs());
                let inset = if width > 4.0 { 1.0 } else { 0.0 };
                let title = Escaped(&self.tip(one, *point)).to_string();
                writeln!(
                    self.out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{title}</title></rect>",
                    place(x + shift + inset),
                    place(above),
                    place(width - 2.0 * inset),
                    place(height)
                )?;
            }
            writeln!(self.out, "</g>")?;
        }
        Ok(())
    }

    fn markers(&mut self) -> fmt::Result {
        let (f, chart) = (&self.frame, self.chart);
        for (i, (marker, base)) in chart.markers.iter().zip(&f.markers).enumerate() {
            let x = f.x(chart.across.share(marker.x));
            if !(f.left - 0.5..=f.right + 0.5).contains(&x) {
                continue;
            }
            let half = ems(&marker.label) * TEXT / 2.0;
            let middle = x.min(f.width - half).max(half);
            writeln!(
                self.out,
                "<g class=\"marker m{}\" data-marker=\"{i}\"><path d=\"M{} {}V{}\"/><text class=\"middle\" data-half=\"{}\" x=\"{}\" y=\"{}\">{}</text></g>",
                i % 2,
                place(x),
                place(base + 4.0),
                place(f.bottom),
                place(half),
                place(middle),
                place(*base),
                Escaped(&marker.label)
            )?;
        }
        Ok(())
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let (f, chart) = (&self.frame, self.chart);
        (f.x(chart.across.share(x)), f.y(chart.up.share(y)))
    }

    fn inside(&self, x: f64, y: f64) -> bool {
        let f = &self.frame;
        (f.left - 0.5..=f.right + 0.5).contains(&x) && (f.top - 0.5..=f.bottom + 0.5).contains(&y)
    }

    fn tip(&self, one: &Series, point: Point) -> String {
        let ticks = &self.frame.x_ticks;
        let named = ticks
            .iter()
            .find(|tick| self.chart.across.is_names() && tick.at == point.x);
        let x = match named {
            Some(tick) => tick.label.clone(),
            None => format!("{} {}", self.chart.x.title, short(point.x)),
        };
        let mut text = format!(
            "{}\n{x}\n{} {}",
            one.name,
            self.chart.y.title,
            short(point.y)
        );
        if let Some((low, high)) = point.interval {
            let _ = write!(text, "\nfrom {} to {}", short(low), short(high));
        }
        text
    }
}

/// The colour, dash and sign of a series: its own place unless it was told another.
fn tone(i: usize, one: &Series) -> usize {
    one.tone.unwrap_or(i)
}

/// What the legend shows of a series.
fn sample(out: &mut String, one: &Series, i: usize, x: f64, y: f64) -> fmt::Result {
    let tone = tone(i, one);
    let (colour, dash) = (tone % COLOURS, tone % DASHES);
    match one.shape {
        Shape::Line | Shape::Steps => writeln!(
            out,
            "<path class=\"line c{colour} d{dash}\" d=\"M{} {}h{}\"/>",
            place(x),
            place(y),
            place(SAMPLE)
        ),
        Shape::Points => {
            let middle = x + SAMPLE / 2.0;
            writeln!(
                out,
                "<g class=\"c{colour}\"><path class=\"mark\" d=\"{}\"/></g>",
                sign(tone, middle, y)
            )
        }
        Shape::Bars => writeln!(
            out,
            "<g class=\"bar c{colour}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\"/></g>",
            place(x),
            place(y - 6.0),
            place(SAMPLE)
        ),
    }
}

/// Circle, square, triangle, diamond, cross.
fn sign(tone: usize, x: f64, y: f64) -> String {
    let r = RADIUS;
    let points: Vec<(f64, f64)> = match tone % SIGNS {
        0 => {
            let (left, r) = (place(x - r), place(r));
            let (y, width) = (place(y), place(2.0 * RADIUS));
            return format!("M{left} {y}a{r} {r} 0 1 0 {width} 0a{r} {r} 0 1 0 -{width} 0Z");
        }
        1 => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => vec![(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
        3 => vec![(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
        _ => {
            let (a, b) = (0.35, 1.1);
            vec![
                (-a, -b),
                (a, -b),
                (a, -a),
                (b, -a),
                (b, a),
                (a, a),
                (a, b),
                (-a, b),
                (-a, a),
                (-b, a),
                (-b, -a),
                (-a, -a),
            ]
        }
    };
    let places: Vec<(f64, f64)> = points
        .iter()
        .map(|(dx, dy)| (x + dx * r, y + dy * r))
        .collect();
    path(&places) + "Z"
}

/// Straight lines from place to place.
pub(crate) fn path(places: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in places.iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{} {}", place(*x), place(*y));
    }
    d
}

/// The part of a line between two places across, with its ends on them where it reaches so far.
fn part(places: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    for (i, &(x, y)) in places.iter().enumerate() {
        if let Some(&(before, height)) = i.checked_sub(1).and_then(|i| places.get(i)) {
            for edge in [from, to] {
                if before < edge && edge < x {
                    let share = (edge - before) / (x - before);
                    kept.push((edge, height + share * (y - height)));
                }
            }
        }
        if (from..=to).contains(&x) {
            kept.push((x, y));
        }
    }
    kept
}
