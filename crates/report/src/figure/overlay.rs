use std::fmt::{self, Write};

use super::{head, style};
use crate::number::place;
use crate::sheet::{LINE, Sheet, Size, TEXT, text};
use crate::width::ems;
use crate::{Error, chart};

/// Two prints as they lay, and the second laid over the first with the minutiae that are paired joined.
///
/// A minutia is its place, with y upwards, and its direction in radians counter-clockwise.
///
/// ```
/// use lookalike_report::Overlay;
///
/// let first = ("left", vec![(0.0, 0.0, 0.0), (40.0, 10.0, 1.0), (20.0, 60.0, 2.0)]);
/// let second = ("right", vec![(105.0, 1.0, 0.1), (145.0, 9.0, 1.0)]);
/// let overlay = Overlay::new("One finger", first, second)?
///     .laid(0.0, (-105.0, 0.0))?
///     .paired([(0, 0), (1, 1)])?
///     .note("score 7");
/// assert!(overlay.svg().starts_with("<svg "));
/// assert!(overlay.paired([(0, 2)]).is_err());
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    title: String,
    note: String,
    names: [String; 2],
    prints: [Vec<Minutia>; 2],
    rotation: f64,
    shift: (f64, f64),
    pairs: Vec<(usize, usize)>,
}

type Minutia = (f64, f64, f64);

/// The panel of each print as it lay, the gap beside it.
const SMALL: f64 = 196.0;
const GAP: f64 = 16.0;
/// A panel's border, and the room for its name.
const MARGIN: f64 = 22.0;
const NAME: f64 = 26.0;
/// No panel is higher.
const HIGHEST: f64 = 560.0;

impl Overlay {
    /// Two prints, each with its name; the second lies where it lay, and nothing is paired.
    pub fn new(
        title: impl Into<String>,
        first: (impl Into<String>, Vec<(f64, f64, f64)>),
        second: (impl Into<String>, Vec<(f64, f64, f64)>),
    ) -> Result<Self, Error> {
        let prints = [first.1, second.1];
        for &(x, y, direction) in prints.iter().flatten() {
            for (name, value) in [("x", x), ("y", y), ("direction", direction)] {
                finite(name, value)?;
            }
        }
        Ok(Self {
            title: title.into(),
            note: String::new(),
            names: [first.0.into(), second.0.into()],
            prints,
            rotation: 0.0,
            shift: (0.0, 0.0),
            pairs: Vec::new(),
        })
    }

    /// How the second print is laid over the first: turned by so many radians about the origin, then shifted.
    pub fn laid(mut self, rotation: f64, shift: (f64, f64)) -> Result<Self, Error> {
        self.rotation = finite("rotation", rotation)?;
        self.shift = (finite("shift", shift.0)?, finite("shift", shift.1)?);
        Ok(self)
    }

    /// Which minutiae of the first print belong to which of the second, by their places in the lists.
    pub fn paired(
        mut self,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, Error> {
        self.pairs = pairs.into_iter().collect();
        let [first, second] = [0, 1].map(|i: usize| self.prints[i].len());
        match self.pairs.iter().find(|(a, b)| *a >= first || *b >= second) {
            Some((a, b)) => Err(Error::parameter(
                "a pair of minutiae",
                format!("({a}, {b})"),
                "of places in both lists",
            )),
            None => Ok(self),
        }
    }

    /// The figure with a few words below its title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// The figure alone, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        self.draw(Size::Wide, "overlay", Some(&style()))
    }

    /// The figure for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    /// The second print where it is laid.
    fn moved(&self) -> Vec<Minutia> {
        let (sin, cos) = self.rotation.sin_cos();
        let moved = |&(x, y, direction): &Minutia| {
            let across = cos * x - sin * y + self.shift.0;
            let up = sin * x + cos * y + self.shift.1;
            (across, up, direction + self.rotation)
        };
        self.prints[1].iter().map(moved).collect()
    }

    fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        let (mut words, mut drawn, mut out) = (String::new(), String::new(), String::new());
        let width = size.width();
        let y = head(&mut words, width, &self.title, &self.note)
            .expect("a string takes whatever is written");
        let height = self
            .panels(&mut drawn, size, y)
            .expect("a string takes whatever is written");
        let said = format!(
            "{}. The prints {} and {}, of {} and {} minutiae, as they lay and laid over each other; {} pairs are joined.",
            self.note,
            self.names[0],
            self.names[1],
            self.prints[0].len(),
            self.prints[1].len(),
            self.pairs.len()
        );
        let sheet = Sheet {
            id,
            size,
            width,
            height,
            title: &self.title,
            text: &said,
            attributes: "",
        };
        sheet
            .open(&mut out, style)
            .expect("a string takes whatever is written");
        out + &words + &drawn + "</svg>\n"
    }

    /// The key and the three panels below y; where they end.
    fn panels(&self, out: &mut String, size: Size, y: f64) -> Result<f64, fmt::Error> {
        let width = size.width();
        let mut y = self.key(out, width, y)? + 12.0;
        let both: Vec<Minutia> = [&self.prints[0][..], &self.moved()].concat();
        let fits = Extent::of(&both);
        match size {
            Size::Wide => {
                let large = width - SMALL - GAP;
                let height = fits.height(large, HIGHEST).max(300.0);
                let each = (height - GAP) / 2.0;
                for (i, top) in [(0, y), (1, y + each + GAP)] {
                    self.alone(out, i, [0.0, top, SMALL, each])?;
                }
                self.together(out, &fits, [SMALL + GAP, y, large, height])?;
                y += height;
            }
            Size::Narrow => {
                let each = (width - GAP) / 2.0;
                let small = |i: usize| Extent::of(&self.prints[i]).height(each, 260.0);
                let high = small(0).max(small(1));
                for (i, left) in [(0, 0.0), (1, each + GAP)] {
                    self.alone(out, i, [left, y, each, high])?;
                }
                y += high + GAP;
                let height = fits.height(width, HIGHEST);
                self.together(out, &fits, [0.0, y, width, height])?;
                y += height;
            }
        }
        Ok(y + 2.0)
    }

    /// What the signs mean.
    fn key(&self, out: &mut String, width: f64, y: f64) -> Result<f64, fmt::Error> {
        let count = |i: usize| format!("{}, {} minutiae", self.names[i], self.prints[i].len());
        let pairs = format!("{} pairs", self.pairs.len());
        let (mut x, mut y) = (0.0, y + LINE + 4.0);
        for (i, words) in [count(0), count(1), pairs].iter().enumerate() {
            let needed = 30.0 + ems(words) * TEXT;
            if x > 0.0 && x + needed > width {
                (x, y) = (0.0, y + LINE);
            }
            let middle = y - TEXT / 3.0 - 1.0;
            let here = (x + 8.0, middle);
            match i {
                0 | 1 => sign(out, i, here, 0.5, true)?,
                _ => {
                    let there = (x + 15.0, middle);
                    halo(out, here, there, 15.0)?;
                    join(out, here, there)?;
                    sign(out, 0, here, 2.3, true)?;
                    sign(out, 1, there, 0.8, true)?;
                }
            }
            text(out, "", x + 30.0, y - 1.0, words)?;
            x += needed + 18.0;
        }
        Ok(y)
    }

    /// A print as it lay.
    fn alone(&self, out: &mut String, i: usize, panel: [f64; 4]) -> fmt::Result {
        frame(out, panel, &format!("{}, as it lay", self.names[i]))?;
        let extent = Extent::of(&self.prints[i]);
        let at = extent.into_panel(panel);
        let paired = |minutia: usize| {
            let of = |pair: &(usize, usize)| if i == 0 { pair.0 } else { pair.1 };
            self.pairs.iter().any(|pair| of(pair) == minutia)
        };
        for (place, minutia) in self.prints[i].iter().enumerate() {
            sign(out, i, at(minutia), minutia.2, paired(place))?;
        }
        Ok(())
    }

    fn together(&self, out: &mut String, extent: &Extent, panel: [f64; 4]) -> fmt::Result {
        frame(out, panel, "laid over each other")?;
        let at = extent.into_panel(panel);
        let moved = self.moved();
        let ends = |&(a, b): &(usize, usize)| (at(&self.prints[0][a]), at(&moved[b]));
        for pair in &self.pairs {
            let (a, b) = ends(pair);
            halo(out, a, b, 24.0)?;
        }
        for (i, print) in [&self.prints[0], &moved].into_iter().enumerate() {
            let paired = |place: usize| {
                let of = |pair: &(usize, usize)| if i == 0 { pair.0 } else { pair.1 };
                self.pairs.iter().any(|pair| of(pair) == place)
            };
            for (place, minutia) in print.iter().enumerate() {
                sign(out, i, at(minutia), minutia.2, paired(place))?;
            }
        }
        for pair in &self.pairs {
            let (a, b) = ends(pair);
            join(out, a, b)?;
        }
        Ok(())
    }
}

fn finite(name: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::parameter(name, value, "finite"))
    }
}

/// The rectangle that minutiae fill.
#[derive(Clone, Copy, Debug)]
struct Extent {
    low: (f64, f64),
    high: (f64, f64),
}

impl Extent {
    fn of(minutiae: &[Minutia]) -> Self {
        let mut extent = Self {
            low: (f64::INFINITY, f64::INFINITY),
            high: (f64::NEG_INFINITY, f64::NEG_INFINITY),
        };
        for &(x, y, _) in minutiae {
            extent.low = (extent.low.0.min(x), extent.low.1.min(y));
            extent.high = (extent.high.0.max(x), extent.high.1.max(y));
        }
        if minutiae.is_empty() {
            (extent.low, extent.high) = ((0.0, 0.0), (1.0, 1.0));
        }
        extent
    }

    /// At least a pixel each way, so that a single minutia has a scale too.
    fn sides(&self) -> (f64, f64) {
        let side = |low: f64, high: f64| (high - low).max(1.0);
        (side(self.low.0, self.high.0), side(self.low.1, self.high.1))
    }

    /// The height of a panel of this width in which it is as large as it can be.
    fn height(&self, width: f64, highest: f64) -> f64 {
        let (across, up) = self.sides();
        let scale = (width - 2.0 * MARGIN) / across;
        (up * scale + 2.0 * MARGIN + NAME).min(highest).max(120.0)
    }

    /// Where minutiae are drawn, as large as the panel allows and in its middle.
    fn into_panel(self, [left, top, width, height]: [f64; 4]) -> impl Fn(&Minutia) -> (f64, f64) {
        let (across, up) = self.sides();
        let (inner, high) = (width - 2.0 * MARGIN, height - 2.0 * MARGIN - NAME);
        let scale = (inner / across).min(high / up);
        let (x, y) = (
            left + MARGIN + (inner - across * scale) / 2.0,
            top + NAME + MARGIN + (high - up * scale) / 2.0,
        );
        move |minutia| {
            (
                x + (minutia.0 - self.low.0) * scale,
                y + (self.high.1 - minutia.1) * scale,
            )
        }
    }
}

fn frame(out: &mut String, [left, top, width, height]: [f64; 4], name: &str) -> fmt::Result {
    let [x, y, across, up] = [left, top, width, height].map(place);
    writeln!(
        out,
        "<rect class=\"panel\" x=\"{x}\" y=\"{y}\" width=\"{across}\" height=\"{up}\" rx=\"8\"/>"
    )?;
    text(out, "note", left + 12.0, top + 21.0, name)
}

/// A ring for the first print, a dot for the second, and which way it points.
fn sign(
    out: &mut String,
    print: usize,
    at: (f64, f64),
    direction: f64,
    paired: bool,
) -> fmt::Result {
    let (radius, reach, class) = match print {
        0 => (4.5, 12.5, "ring"),
        _ => (3.5, 12.0, "dot"),
    };
    let lone = if paired { "" } else { " lone" };
    let (sin, cos) = direction.sin_cos();
    let [x, y, from_x, from_y, to_x, to_y] = [
        at.0,
        at.1,
        at.0 + radius * cos,
        at.1 - radius * sin,
        at.0 + reach * cos,
        at.1 - reach * sin,
    ]
    .map(place);
    writeln!(
        out,
        "<g class=\"c{print}{lone}\"><path class=\"pointer\" d=\"M{from_x} {from_y}L{to_x} {to_y}\"/>\
         <circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/></g>"
    )
}

fn halo(out: &mut String, a: (f64, f64), b: (f64, f64), width: f64) -> fmt::Result {
    let line = chart::line(&[a, b]);
    writeln!(
        out,
        "<path class=\"halo\" stroke-width=\"{width}\" d=\"{line}\"/>"
    )
}

fn join(out: &mut String, a: (f64, f64), b: (f64, f64)) -> fmt::Result {
    let line = chart::line(&[a, b]);
    writeln!(out, "<path class=\"join\" d=\"{line}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlay(count: usize) -> Overlay {
        let at = |i: usize| (i as f64 * 10.0, (i * i) as f64, i as f64);
        let print = || (0..count).map(at).collect::<Vec<_>>();
        Overlay::new("Two", ("a", print()), ("b", print())).unwrap()
    }

    /// Where the joints of the pairs begin and end.
    fn joints(svg: &str) -> Vec<&str> {
        let paths = svg.split("class=\"join\" d=\"").skip(1);
        paths.map(|rest| rest.split('"').next().unwrap()).collect()
    }

    #[test]
    fn what_lies_over_each_other_is_joined_without_a_gap() {
        let moved = |&(x, y, direction): &Minutia| (5.0 - y, x - 3.0, direction);
        let one = overlay(6);
        let turned = one.prints[0].iter().map(moved).collect();
        let one = Overlay::new("Two", ("a", one.prints[0].clone()), ("b", turned)).unwrap();
        let one = one
            .laid(-std::f64::consts::FRAC_PI_2, (3.0, 5.0))
            .and_then(|one| one.paired((0..6).map(|i| (i, i))))
            .unwrap();
        for size in Size::BOTH {
            // The first joint is that of the key.
            for joint in &joints(&one.inline(size, "id"))[1..] {
                let ends = joint.trim_start_matches('M').split_once('L').unwrap();
                assert_eq!(ends.0, ends.1);
            }
        }
    }

    #[test]
    fn every_minutia_is_drawn_twice_and_in_the_key() {
        let svg = overlay(7).paired([(0, 1)]).unwrap().svg();
        for class in ["ring", "dot"] {
            let drawn = svg.matches(&format!("class=\"{class}\"")).count();
            assert_eq!(drawn, 2 * 7 + 2, "{class}");
        }
        assert_eq!(svg.matches(" lone\"").count(), 4 * 6);
    }

    #[test]
    fn no_minutia_and_one_are_drawn() {
        for count in [0, 1] {
            for size in Size::BOTH {
                let svg = overlay(count).inline(size, "id");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let wrong = Overlay::new("", ("a", vec![(0.0, f64::NAN, 0.0)]), ("b", vec![]));
        assert_eq!(
            wrong.unwrap_err().to_string(),
            "y is NaN, but must be finite"
        );
        let refused = overlay(3).paired([(0, 0), (3, 1)]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "a pair of minutiae is (3, 1), but must be of places in both lists"
        );
        assert!(overlay(1).laid(f64::INFINITY, (0.0, 0.0)).is_err());
    }
}
