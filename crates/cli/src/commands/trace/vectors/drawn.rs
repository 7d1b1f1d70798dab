//! Vectors as they lie: in the plane with hyperplanes, and on lines that are cut into buckets.

use lookalike::report::{Drawing, Error, Panel};
use lookalike::vector::Vectors;

/// The most buckets of a line that are drawn, and the most lines.
const BUCKETS: f64 = 30.0;
const LINES: usize = 12;
/// The colour of hyperplanes: that of no vector unless there are many.
const PLANE: usize = 5;

/// Vectors of two dimensions as arrows, hyperplanes as lines with their positive sides.
pub(super) fn hyperplanes(vectors: &Vectors<f64>, normals: &[Vec<f64>]) -> Result<Drawing, Error> {
    let numbers = vectors.rows().flatten().map(|number| number.abs());
    let reach = numbers.fold(0.0, f64::max).max(1e-6) * 1.25;
    let mut panel = Panel::new(
        "vectors, and hyperplanes with their positive sides",
        (-reach, -reach),
        (reach, reach),
    )?;
    for (place, normal) in normals.iter().enumerate() {
        let (x, y) = (normal[0], normal[1]);
        let longest = x.abs().max(y.abs());
        // Along the line to the border of the panel.
        let along = (-y / longest * reach, x / longest * reach);
        panel = panel.line((-along.0, -along.1), along, PLANE);
        let length = x.hypot(y);
        let aside = (x / length * reach * 0.09, y / length * reach * 0.09);
        // Labels are spread along the lines, so that they do not lie on each other.
        let share = 0.86 - 0.1 * (place % 3) as f64;
        let at = (along.0 * share + aside.0, along.1 * share + aside.1);
        panel = panel.words(at, format!("h{} +", place + 1));
    }
    for (place, vector) in vectors.rows().enumerate() {
        let at = (vector[0], vector[1]);
        let name = format!("V{}", place + 1);
        panel = panel
            .line((0.0, 0.0), at, place % PLANE)
            .dot(at, name, place % PLANE);
    }
    Ok(Drawing::new("Sides of hyperplanes", [panel]))
}

/// Each line with the cuts between its buckets and the places of the vectors; nothing if a line has too many buckets.
pub(super) fn lines(
    names: &[String],
    places: &[Vec<f64>],
    count: usize,
) -> Result<Option<Drawing>, Error> {
    let mut panels = Vec::new();
    for line in 0..count {
        let on_line = || places.iter().map(|places| places[line]);
        let low = on_line().fold(f64::INFINITY, f64::min).floor() - 1.0;
        let high = on_line().fold(f64::NEG_INFINITY, f64::max).floor() + 2.0;
        let is_small = (1.0..=BUCKETS).contains(&(high - low));
        if !is_small || count > LINES {
            return Ok(None);
        }
        let name = format!("h{}: buckets and the places of the vectors", line + 1);
        let mut panel = Panel::new(name, (low, 0.0), (high, 1.0))?
            .stretched(64.0)
            .rule((low, 0.3), (high, 0.3));
        let buckets = (high - low) as usize;
        for bucket in 0..=buckets {
            let at = low + bucket as f64;
            panel = panel.rule((at, 0.12), (at, 0.48));
            if bucket < buckets {
                panel = panel.words((at + 0.5, 0.0), format!("{at}").replace('-', "−"));
            }
        }
        for (place, (name, at)) in names.iter().zip(on_line()).enumerate() {
            panel = panel.dot((at, 0.3 + 0.22 * (place % 3) as f64), name, place);
        }
        panels.push(panel);
    }
    Ok(Some(Drawing::new("Buckets on lines", panels)))
}
