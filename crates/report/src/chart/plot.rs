//! What lies inside the axes: areas below bars below lines below points, so that a mark is never under a surface.

use std::fmt::{self, Write};

use super::area::Side;
use super::draw::{Drawing, colour, dashed, filling, tone};
use super::path;
use super::series::{Point, Series, Shape};
use crate::escape::Escaped;
use crate::number::{place, short};
use crate::sheet::TEXT;
use crate::width::ems;

/// The widest bar.
const BAR: f64 = 56.0;
/// The share of the room between bars' middles that they fill.
const FILLED: f64 = 0.76;

impl Drawing<'_> {
    pub(super) fn areas(&mut self) -> fmt::Result {
        let chart = self.chart;
        for (i, area) in chart.areas.iter().enumerate() {
            let named = chart.series.iter().find(|one| one.name == area.line);
            let line = named.expect("an area is along a series of its chart");
            let f = &self.frame;
            let places = line.points.iter();
            let mut places: Vec<(f64, f64)> = places.map(|p| self.place(p.x, p.y)).collect();
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            let edge = |x: f64, beyond: f64| match chart.x.accepts(x) {
                Ok(()) => f.x(chart.across.share(x)).clamp(f.left, f.right),
                Err(_) => beyond,
            };
            let places = path::part(&places, edge(area.from, f.left), edge(area.to, f.right));
            let side = place(match area.side {
                Side::Under => f.bottom,
                Side::Over => f.top,
            });
            let mut d = path::line(&places);
            if let (Some(first), Some(last)) = (places.first(), places.last()) {
                write!(d, "L{} {side}L{} {side}Z", place(last.0), place(first.0))?;
            }
            let (name, id) = (Escaped(&area.name), self.id);
            writeln!(
                self.out,
                "<path data-area=\"{i}\" fill=\"url(#{id}-area{i})\" clip-path=\"url(#{id}-plot)\" d=\"{d}\">\
                 <title>{name}</title></path>"
            )?;
        }
        Ok(())
    }

    pub(super) fn series(&mut self) -> fmt::Result {
        let chart = self.chart;
        self.bars()?;
        for (i, one) in chart.series.iter().enumerate() {
            if matches!(one.shape, Shape::Line | Shape::Steps) {
                self.line(i, one)?;
            }
        }
        for (i, one) in chart.series.iter().enumerate() {
            if one.shows_points() {
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
        let (class, d) = (dashed(i, one), path::line(&places));
        let (name, id) = (Escaped(&one.name), self.id);
        writeln!(
            self.out,
            "<path class=\"{class}\" data-series=\"{i}\" clip-path=\"url(#{id}-plot)\" d=\"{d}\"><title>{name}</title></path>"
        )
    }

    fn points(&mut self, i: usize, one: &Series) -> fmt::Result {
        writeln!(
            self.out,
            "<g class=\"{}\" data-points=\"{i}\">",
            colour(i, one)
        )?;
        for point in &one.points {
            let (x, y) = self.place(point.x, point.y);
            if !self.inside(x, y) {
                continue;
            }
            let tip = self.tip(one, *point);
            write!(self.out, "<g><title>{}</title>", Escaped(&tip))?;
            if let Some((low, high)) = point.interval {
                let end = |height| {
                    let y = self.place(point.x, height).1;
                    place(y.clamp(self.frame.top, self.frame.bottom))
                };
                let (low, high, left, x) = (end(low), end(high), place(x - 4.0), place(x));
                write!(
                    self.out,
                    "<path class=\"whisker\" d=\"M{x} {low}V{high}M{left} {low}h8M{left} {high}h8\"/>"
                )?;
            }
            let sign = path::sign(tone(i, one), x, y);
            writeln!(self.out, "<path class=\"mark\" d=\"{sign}\"/></g>")?;
        }
        writeln!(self.out, "</g>")
    }

    /// Bars of several series stand side by side around their x, with their values where there is room.
    fn bars(&mut self) -> fmt::Result {
        let chart = self.chart;
        let many = chart.barred().count();
        let width = self.bar_width(many);
        let values = chart.barred().flat_map(|(_, one)| &one.points);
        let widest = values.map(|p| ems(&short(p.y)) * TEXT).fold(0.0, f64::max);
        let ground = match chart.y.accepts(0.0) {
            Ok(()) => chart.up.share(0.0).clamp(0.0, 1.0),
            Err(_) => 0.0,
        };
        let ground = self.frame.y(ground);
        for (nth, (i, one)) in chart.barred().enumerate() {
            let from_middle = (nth as f64 - many as f64 / 2.0) * width;
            let (class, filling) = (colour(i, one), filling(chart, self.id, i));
            writeln!(self.out, "<g class=\"bar {class}\" data-series=\"{i}\">")?;
            for point in &one.points {
                let (x, y) = self.place(point.x, point.y);
                let f = &self.frame;
                if !(f.left..=f.right).contains(&x) {
                    continue;
                }
                let y = y.clamp(f.top, f.bottom);
                let inset = if width > 6.0 { 1.5 } else { 0.0 };
                let left = x + from_middle;
                let tip = self.tip(one, *point);
                writeln!(
                    self.out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{filling}><title>{}</title></rect>",
                    place(left + inset),
                    place(y.min(ground)),
                    place(width - 2.0 * inset),
                    place((y - ground).abs()),
                    Escaped(&tip)
                )?;
                if widest <= width {
                    let (x, y) = (place(left + width / 2.0), place(y.min(ground) - 5.0));
                    let value = short(point.y);
                    writeln!(
                        self.out,
                        "<text class=\"value middle\" x=\"{x}\" y=\"{y}\">{value}</text>"
                    )?;
                }
            }
            writeln!(self.out, "</g>")?;
        }
        Ok(())
    }

    fn bar_width(&self, many: usize) -> f64 {
        let (f, chart) = (&self.frame, self.chart);
        let points = chart.barred().flat_map(|(_, one)| &one.points);
        let mut middles: Vec<f64> = points
            .map(|point| f.x(chart.across.share(point.x)))
            .collect();
        middles.sort_by(f64::total_cmp);
        let slots = match chart.across.is_names() {
            true => f.x_ticks.len().max(1),
            false => 1,
        };
        let slot = (f.right - f.left) / slots as f64;
        let gaps = middles.windows(2).map(|two| two[1] - two[0]);
        let room = gaps.filter(|gap| *gap > 0.01).fold(slot, f64::min) * FILLED;
        (room / many.max(1) as f64).clamp(1.0, BAR)
    }

    pub(super) fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let (f, chart) = (&self.frame, self.chart);
        (f.x(chart.across.share(x)), f.y(chart.up.share(y)))
    }

    fn inside(&self, x: f64, y: f64) -> bool {
        let f = &self.frame;
        (f.left - 0.5..=f.right + 0.5).contains(&x) && (f.top - 0.5..=f.bottom + 0.5).contains(&y)
    }

    /// What is shown where the pointer rests.
    fn tip(&self, one: &Series, point: Point) -> String {
        let chart = self.chart;
        let x = match chart.across.name(point.x) {
            Some(name) => name.into(),
            None => format!("{} {}", chart.x.title, short(point.x)),
        };
        let mut text = format!("{}\n{x}\n{} {}", one.name, chart.y.title, short(point.y));
        if let Some((low, high)) = point.interval {
            let _ = write!(text, "\nfrom {} to {}", short(low), short(high));
        }
        text
    }
}
