//! Lines and signs as the `d` of an SVG path.

use std::fmt::Write;

use crate::number::place;

/// How many signs there are.
pub(crate) const SIGNS: usize = 5;
/// Half the width of a sign.
const RADIUS: f64 = 4.5;

/// Straight lines from place to place.
pub(crate) fn line(places: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in places.iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{} {}", place(*x), place(*y));
    }
    d
}

/// The part of a line between two places across, with its ends on them where it reaches so far.
pub(crate) fn part(places: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
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

/// Circle, square, triangle, diamond or cross around a place.
pub(crate) fn sign(nth: usize, x: f64, y: f64) -> String {
    let (a, b) = (0.35, 1.1);
    let corners: &[(f64, f64)] = match nth % SIGNS {
        0 => {
            let (left, y, r, width) = (x - RADIUS, place(y), place(RADIUS), place(2.0 * RADIUS));
            let left = place(left);
            return format!("M{left} {y}a{r} {r} 0 1 0 {width} 0a{r} {r} 0 1 0 -{width} 0Z");
        }
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
        3 => &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
        _ => &[
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
        ],
    };
    let around = |(dx, dy): &(f64, f64)| (x + dx * RADIUS, y + dy * RADIUS);
    line(&corners.iter().map(around).collect::<Vec<_>>()) + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_where_it_was_cut() {
        let line = [(0.0, 0.0), (10.0, 20.0), (20.0, 0.0)];
        assert_eq!(
            part(&line, 5.0, 15.0),
            [(5.0, 10.0), (10.0, 20.0), (15.0, 10.0)]
        );
        assert_eq!(part(&line, -5.0, 10.0), [(0.0, 0.0), (10.0, 20.0)]);
        assert_eq!(part(&line, 4.0, 4.0), [(4.0, 8.0), (4.0, 8.0)]);
        assert!(part(&line, 30.0, 40.0).is_empty());
        assert!(part(&[], 0.0, 1.0).is_empty());
    }
}
