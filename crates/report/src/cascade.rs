use crate::{
    Axis, Cell, Chart, Emphasis, Error, Level, Marker, Series, Table, TableColumn, error, number,
};

/// Bounds that are nearer than this look like one line.
const APART: f64 = 0.002;

/// What a family promises at two distances, step by step along a cascade: the figure of a (d1, d2, p1, p2)-sensitive
/// family, and its numbers.
///
/// ```
/// use lookalike_report::{Cascade, PromisedStep};
///
/// let step = |name: &str, functions, of: fn(f64) -> f64| PromisedStep {
///     name: name.into(),
///     functions,
///     p1: of(0.2),
///     p2: of(0.6),
///     rho: of(0.2).ln() / of(0.6).ln(),
///     curve: (0..=100).map(|i| f64::from(i) / 100.0).map(|d| [d, of(d), of(d)]).collect(),
/// };
/// let steps = [step("one function", 1, |d| 1.0 - d), step("and:5", 5, |d| (1.0 - d).powi(5))];
/// let cascade = Cascade::new("Jaccard distance", 1.0, (0.2, 0.6), steps)?;
/// assert!(cascade.chart("minhash")?.svg().contains("p1 = 0.3277"));
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cascade {
    distance: String,
    largest: f64,
    d1: f64,
    d2: f64,
    steps: Vec<PromisedStep>,
}

/// What is promised after one step.
#[derive(Clone, Debug, PartialEq)]
pub struct PromisedStep {
    /// The step.
    pub name: String,
    /// Functions so far.
    pub functions: u64,
    /// Items at d1 agree at least this often.
    pub p1: f64,
    /// Items at d2 agree at most this often.
    pub p2: f64,
    /// ln p1 / ln p2.
    pub rho: f64,
    /// Distance, and the probability, at least and at most.
    pub curve: Vec<[f64; 3]>,
}

impl Cascade {
    /// Steps, one function first, over distances of a name up to the largest.
    ///
    /// # Errors
    /// If there is no step, a probability is not one, or the distances are not 0 ≤ d1 ≤ d2 ≤ largest.
    pub fn new(
        distance: impl Into<String>,
        largest: f64,
        (d1, d2): (f64, f64),
        steps: impl IntoIterator<Item = PromisedStep>,
    ) -> Result<Self, Error> {
        let mut steps: Vec<PromisedStep> = steps.into_iter().collect();
        number_again(&mut steps);
        if steps.is_empty() {
            return Err(Error::parameter("steps", 0, "1 or more"));
        }
        for step in &steps {
            error::unit("p1", step.p1)?;
            error::unit("p2", step.p2)?;
        }
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(Error::parameter("largest", largest, "above 0"));
        }
        if !(0.0 <= d1 && d1 <= d2 && d2 <= largest) {
            let expected = "distances in order, up to the largest";
            return Err(Error::parameter(
                "d1 and d2",
                format!("{d1}, {d2}"),
                expected,
            ));
        }
        Ok(Self {
            distance: distance.into(),
            largest,
            d1,
            d2,
            steps,
        })
    }

    /// The probability against the distance, after each step; d1, d2 and the last p1 and p2 are marked.
    ///
    /// # Errors
    /// If a curve has a point that cannot be drawn, or two steps have one name.
    pub fn chart(&self, title: impl Into<String>) -> Result<Chart, Error> {
        let mut series = Vec::new();
        for (tone, step) in self.steps.iter().enumerate() {
            let bound = |place: usize| step.curve.iter().map(move |at| (at[0], at[place]));
            let is_range = step.curve.iter().any(|at| at[2] - at[1] > APART);
            let names = match is_range {
                true => [
                    format!("{}, at least", step.name),
                    format!("{}, at most", step.name),
                ],
                false => [step.name.clone(), String::new()],
            };
            let [least, most] = names;
            series.push(Series::line(least, bound(1))?.tone(tone));
            if is_range {
                series.push(Series::line(most, bound(2))?.tone(tone));
            }
        }
        let corners = self.steps.iter();
        let corners = corners.flat_map(|step| [(self.d1, step.p1), (self.d2, step.p2)]);
        series.push(Series::points("p1 at d1, p2 at d2", corners)?.tone(5));
        let last = &self.steps[self.steps.len() - 1];
        let said = |name: &str, x: f64| format!("{name} = {}", number::short(x));
        Chart::new(
            title,
            Axis::linear(self.distance.clone()).between(0.0, self.largest)?,
            Axis::linear("probability that two items agree").between(0.0, 1.0)?,
            series,
        )?
        .marker(Marker::new(said("d1", self.d1), self.d1))?
        .marker(Marker::new(said("d2", self.d2), self.d2))?
        .level(Level::new(said("p1", last.p1), self.d1, last.p1))?
        .level(Level::new(said("p2", last.p2), self.d2, last.p2))
    }

    /// One row per step: p1 and p2 move apart.
    ///
    /// # Errors
    /// If a row does not have a cell per column.
    pub fn table(&self) -> Result<Table, Error> {
        let [d1, d2] = [self.d1, self.d2].map(number::short);
        let columns = [
            TableColumn::text("step"),
            TableColumn::number("functions"),
            TableColumn::number(format!("p1 at {d1}")),
            TableColumn::number(format!("p2 at {d2}")),
            TableColumn::number("p1 − p2"),
            TableColumn::number("ρ"),
        ];
        let last = self.steps.len() - 1;
        let rows = self.steps.iter().enumerate().map(|(place, step)| {
            let name = Cell::new(&step.name);
            let rho = match step.rho.is_finite() {
                true => number::short(step.rho),
                false => "∞".into(),
            };
            vec![
                match place == last && last > 0 {
                    true => name.emphasis(Emphasis::Strong),
                    false => name,
                },
                Cell::new(step.functions),
                Cell::new(number::probability(step.p1)),
                Cell::new(number::probability(step.p2)),
                Cell::new(number::short(step.p1 - step.p2)),
                Cell::new(rho),
            ]
        });
        let caption = format!("What is promised, by {}", self.distance);
        Ok(Table::new(columns, rows)?.caption(caption))
    }
}

/// Numbers a step that occurs again: a legend tells lines apart by their names.
fn number_again(steps: &mut [PromisedStep]) {
    let names: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    for (place, step) in steps.iter_mut().enumerate() {
        let earlier = names[..place].iter().filter(|name| **name == step.name);
        match earlier.count() {
            0 => {}
            times => step.name = format!("{} ({})", step.name, times + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str, p1: f64, p2: f64, curve: &[[f64; 3]]) -> PromisedStep {
        PromisedStep {
            name: name.into(),
            functions: 1,
            p1,
            p2,
            rho: f64::INFINITY,
            curve: curve.to_vec(),
        }
    }

    #[test]
    fn a_range_has_two_lines() {
        let exact = step("exact", 0.8, 0.4, &[[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]);
        let range = step("range", 0.8, 0.4, &[[0.0, 0.9, 1.0], [1.0, 0.0, 0.2]]);
        let cascade = Cascade::new("distance", 1.0, (0.2, 0.6), [exact, range]).unwrap();
        let svg = cascade.chart("both").unwrap().svg();
        for said in [
            "exact<",
            "range, at least<",
            "range, at most<",
            "d1 = 0.2",
            "p2 = 0.4",
        ] {
            assert!(svg.contains(said), "{said}");
        }
        assert!(!svg.contains("exact, at most"));
        assert!(cascade.table().is_ok());
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let one = || step("one", 0.8, 0.4, &[]);
        assert!(Cascade::new("d", 1.0, (0.2, 0.6), []).is_err());
        assert!(Cascade::new("d", 1.0, (0.6, 0.2), [one()]).is_err());
        assert!(Cascade::new("d", 1.0, (0.2, 1.6), [one()]).is_err());
        assert!(Cascade::new("d", 0.0, (0.0, 0.0), [one()]).is_err());
        assert!(Cascade::new("d", 1.0, (0.2, 0.6), [step("one", 1.2, 0.4, &[])]).is_err());
    }

    /// Both labels can be read, wherever the heights are.
    #[test]
    fn labels_of_levels_do_not_meet() {
        for (p1, p2) in [
            (1.0, 1.0),
            (1.0, 0.97),
            (0.5, 0.49),
            (0.02, 0.0),
            (0.0, 0.0),
            (0.9, 0.1),
        ] {
            let cascade = Cascade::new("d", 1.0, (0.2, 0.6), [step("one", p1, p2, &[])]).unwrap();
            let svg = cascade.chart("").unwrap().svg();
            let at = |name: &str| -> f64 {
                let line = svg
                    .lines()
                    .find(|line| line.contains(&format!(">{name} = ")))
                    .unwrap();
                let y = line
                    .split("y=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap();
                y.parse().unwrap()
            };
            assert!((at("p1") - at("p2")).abs() >= 15.0, "{p1} {p2}");
        }
    }
}
