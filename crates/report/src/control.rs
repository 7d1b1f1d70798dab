use std::fmt::{self, Write};

use crate::{Area, Axis, Chart, Error, Marker, Series, error, page::Writer};

/// Segments of the drawn curve; `page.js` has the same.
const SEGMENTS: u32 = 200;
/// Steps of the integral, which is of a smooth curve: far below what is printed.
const SLICES: u32 = 2000;
/// As many bands or rows as can be chosen where fewer are given.
const MOST_BANDS: u32 = 100;
const MOST_ROWS: u32 = 30;

/// Bands and rows to move, and what becomes of the curve: 1 − (1 − t^r)^b over t, the threshold (1/b)^(1/r), the ideal
/// step at a wanted threshold, and the areas of false positives below and false negatives above it.
///
/// Without a script the page shows the curve of the bands and rows that it was made with.
///
/// ```
/// use lookalike_report::BandingControl;
///
/// let control = BandingControl::new(20, 5)?.threshold(0.5)?.measured([(0.5, 0.46, 0.43, 0.49)])?;
/// assert!(BandingControl::new(0, 5).is_err());
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BandingControl {
    title: String,
    axis: String,
    bands: u32,
    rows: u32,
    threshold: f64,
    distinct: Option<u32>,
    measured: Option<Series>,
}

impl BandingControl {
    /// A control that begins with these bands and rows, and with the threshold that they make.
    pub fn new(bands: u32, rows: u32) -> Result<Self, Error> {
        for (name, n) in [("bands", bands), ("rows", rows)] {
            if !(1..=1_000_000).contains(&n) {
                return Err(Error::parameter(name, n, "from 1 to 1000000"));
            }
        }
        let threshold = (rule(bands, rows) * 100.0).round() / 100.0;
        Ok(Self {
            title: "Bands and rows".into(),
            axis: "similarity".into(),
            bands,
            rows,
            threshold,
            distinct: None,
            measured: None,
        })
    }

    /// The control with another title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The control with another name for t, the probability that one function agrees.
    #[must_use]
    pub fn axis(mut self, title: impl Into<String>) -> Self {
        self.axis = title.into();
        self
    }

    /// The control for functions of which there are n, those of a band different ones, such as the bits of a code: of a share
    /// t that agrees, all r of a band are with probability C(tn, r)/C(n, r).
    pub fn distinct(mut self, n: u32) -> Result<Self, Error> {
        if n < self.rows {
            return Err(Error::parameter(
                "distinct functions",
                n,
                "as many as rows, or more",
            ));
        }
        self.distinct = Some(n);
        Ok(self)
    }

    /// From which similarity on pairs are wanted.
    pub fn threshold(mut self, t: f64) -> Result<Self, Error> {
        self.threshold = error::unit("threshold", t)?;
        Ok(self)
    }

    /// What was measured, as (t, share of candidates, low, high), drawn over the curve.
    pub fn measured(
        mut self,
        points: impl IntoIterator<Item = (f64, f64, f64, f64)>,
    ) -> Result<Self, Error> {
        self.measured = Some(Series::intervals("measured", points)?.tone(1));
        Ok(self)
    }

    fn chart(&self) -> Result<Chart, Error> {
        let (b, r) = (self.bands, self.rows);
        let points = (0..=SEGMENTS).map(|i| f64::from(i) / f64::from(SEGMENTS));
        let curve = Series::line("predicted", points.map(|t| (t, self.probability(t))))?;
        let corners = [(0.0, 0.0), (self.threshold, 1.0), (1.0, 1.0)];
        let ideal = Series::steps("ideal", corners)?.tone(5);
        let series = [curve, ideal].into_iter().chain(self.measured.clone());
        Chart::new(
            self.title.clone(),
            Axis::linear(self.axis.clone()).between(0.0, 1.0)?,
            Axis::linear("probability of a candidate").between(0.0, 1.0)?,
            series,
        )?
        .area(Area::under("false positives", "predicted").to(self.threshold))?
        .area(Area::over("false negatives", "predicted").from(self.threshold))?
        .marker(Marker::new("threshold", self.threshold))?
        .marker(Marker::new("(1/b)^(1/r)", rule(b, r)))
    }

    pub(crate) fn write(&self, page: &mut Writer) -> fmt::Result {
        let chart = self
            .chart()
            .expect("all its numbers were checked when it was made");
        let (b, r, t) = (self.bands, self.rows, self.threshold);
        let distinct = self.distinct;
        let of = distinct.map_or(String::new(), |n| format!(" data-distinct=\"{n}\""));
        writeln!(
            page.out,
            "<div class=\"control\" data-bands=\"{b}\" data-rows=\"{r}\" data-threshold=\"{t}\"{of}>"
        )?;
        page.drawn(|size, id| chart.inline(size, id))?;
        writeln!(page.out, "<form class=\"inputs\" hidden>")?;
        for (name, value, least, most, step) in [
            (
                "bands",
                b.to_string(),
                "1",
                MOST_BANDS.max(b).to_string(),
                "1",
            ),
            (
                "rows",
                r.to_string(),
                "1",
                MOST_ROWS
                    .max(r)
                    .min(distinct.unwrap_or(u32::MAX))
                    .to_string(),
                "1",
            ),
            ("threshold", t.to_string(), "0", "1".into(), "0.01"),
        ] {
            writeln!(
                page.out,
                "<label><span>{name}</span><input type=\"range\" data-name=\"{name}\" min=\"{least}\" max=\"{most}\" step=\"{step}\" \
                 value=\"{value}\"><input type=\"number\" data-name=\"{name}\" min=\"{least}\" max=\"{most}\" step=\"{step}\" \
                 value=\"{value}\" aria-label=\"{name}, as a number\"></label>"
            )?;
        }
        writeln!(page.out, "</form>\n<dl class=\"facts\">")?;
        let (positives, negatives) = self.areas(t);
        for (name, title, value) in [
            (
                "functions",
                "functions",
                (u64::from(b) * u64::from(r)).to_string(),
            ),
            (
                "rule",
                "rule threshold (1/<i>b</i>)<sup>1/<i>r</i></sup>",
                format!("{:.4}", rule(b, r)),
            ),
            (
                "at",
                "candidate at the threshold",
                format!("{:.4}", self.probability(t)),
            ),
            (
                "positives",
                "area of false positives",
                format!("{positives:.4}"),
            ),
            (
                "negatives",
                "area of false negatives",
                format!("{negatives:.4}"),
            ),
        ] {
            writeln!(
                page.out,
                "<div><dt>{title}</dt><dd data-value=\"{name}\">{value}</dd></div>"
            )?;
        }
        writeln!(page.out, "</dl>\n</div>")
    }

    /// 1 − (1 − p)^b, exact where it is small, for the probability p that a band agrees.
    fn probability(&self, t: f64) -> f64 {
        let band = match self.distinct {
            None => t.powf(f64::from(self.rows)),
            Some(n) => {
                let n = f64::from(n);
                let row = |i: u32| (n * t - f64::from(i)).max(0.0) / (n - f64::from(i));
                (0..self.rows).map(row).product()
            }
        };
        -(f64::from(self.bands) * (-band).ln_1p()).exp_m1()
    }

    /// The areas under the curve below t, and over it above t, by the trapezoidal rule.
    fn areas(&self, t: f64) -> (f64, f64) {
        let integral = |from: f64, to: f64| {
            let step = (to - from) / f64::from(SLICES);
            let at = |i: u32| self.probability(from + step * f64::from(i));
            let inner: f64 = (1..SLICES).map(at).sum();
            step * (inner + (at(0) + at(SLICES)) / 2.0)
        };
        (integral(0.0, t), 1.0 - t - integral(t, 1.0))
    }
}

/// (1/b)^(1/r).
fn rule(bands: u32, rows: u32) -> f64 {
    f64::from(bands).recip().powf(f64::from(rows).recip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_textbook() {
        let control = |bands, rows| BandingControl::new(bands, rows).unwrap();
        assert!((rule(20, 5) - 0.5493).abs() < 0.00005);
        for (t, p) in [(0.3, 0.0475), (0.5, 0.4701), (0.8, 0.99964)] {
            assert!((control(20, 5).probability(t) - p).abs() < 0.00005);
        }
        assert_eq!(
            [0.0, 1.0].map(|t| control(20, 5).probability(t)),
            [0.0, 1.0]
        );
        // With one function the curve is the diagonal, and both areas are triangles.
        let (positives, negatives) = control(1, 1).areas(0.4);
        assert!((positives - 0.08).abs() < 1e-9 && (negatives - 0.18).abs() < 1e-9);
        // One band: the areas of t^r.
        let (positives, negatives) = control(1, 4).areas(0.5);
        assert!((positives - 0.5f64.powi(5) / 5.0).abs() < 1e-6);
        assert!((negatives - (0.5 - (1.0 - 0.5f64.powi(5)) / 5.0)).abs() < 1e-6);
    }

    /// Of 8 bits 6 agree: three different ones do with probability C(6, 3)/C(8, 3) = 20/56.
    #[test]
    fn rows_may_be_distinct() {
        let control = |bands| BandingControl::new(bands, 3).unwrap().distinct(8).unwrap();
        assert!((control(1).probability(0.75) - 20.0 / 56.0).abs() < 1e-12);
        let two = 1.0 - (36.0_f64 / 56.0).powi(2);
        assert!((control(2).probability(0.75) - two).abs() < 1e-12);
        assert_eq!([0.25, 1.0].map(|t| control(2).probability(t)), [0.0, 1.0]);
        assert!(BandingControl::new(2, 9).unwrap().distinct(8).is_err());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = BandingControl::new(20, 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "rows is 0, but must be from 1 to 1000000"
        );
        let control = BandingControl::new(20, 5).unwrap();
        assert!(control.clone().threshold(1.1).is_err());
        assert!(control.clone().threshold(f64::NAN).is_err());
        assert!(control.measured([(0.5, f64::NAN, 0.0, 1.0)]).is_err());
    }

    #[test]
    fn the_script_has_the_same_constants() {
        let script = include_str!("page.js");
        let stated = format!("SEGMENTS = {SEGMENTS}, SLICES = {SLICES};");
        assert!(script.contains(&stated));
    }
}
