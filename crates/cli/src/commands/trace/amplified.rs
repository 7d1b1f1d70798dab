//! AND and OR, step by step: what the answers of functions become, and how likely it was.

use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::{Bounds, Scheme, Step as Amplifier};

use super::{counted, pairs};
use crate::number;

/// What functions say of items.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    /// What items are called.
    pub(super) items: Vec<String>,
    /// For each function the answer for each item; `None`: in no bucket, so that it agrees with nothing.
    pub(super) answers: Vec<Vec<Option<String>>>,
}

/// How far items are from each other, and what a family promises for that.
pub(super) struct Nearness<'a> {
    /// The distance in words: `Hamming distance`.
    pub(super) measure: &'static str,
    pub(super) distance: &'a dyn Fn(usize, usize) -> f64,
    /// The probability that items at a distance agree after the steps of a scheme.
    pub(super) promise: &'a dyn Fn(&Scheme, f64) -> Bounds,
    /// Whether functions are independent, so that AND and OR follow their formulas.
    pub(super) is_independent: bool,
    /// That of one function as a formula.
    pub(super) formula: &'static str,
}

/// More agreements than this are counted instead of written out.
const WRITTEN: usize = 32;

impl Answers {
    /// What each function looks at, if that can be said, and what it answers.
    pub(super) fn table(&self, looks: Option<(TableColumn, Vec<Cell>)>) -> Result<Table, Error> {
        let (head, looks) = looks.unzip();
        let rows = self.answers.iter().enumerate().map(|(place, line)| {
            let mut cells = vec![Cell::new(format!("h{}", place + 1))];
            cells.extend(looks.iter().map(|looks| looks[place].clone()));
            cells.extend(line.iter().map(|answer| match answer {
                Some(answer) => Cell::new(answer),
                None => Cell::new("none").emphasis(Emphasis::Quiet),
            }));
            cells
        });
        let mut columns = vec![TableColumn::text("function")];
        columns.extend(head);
        columns.extend(self.items.iter().map(TableColumn::number));
        Table::new(columns, rows)
    }

    fn agreements(&self, [a, b]: [usize; 2]) -> Vec<bool> {
        let agree = |line: &Vec<Option<String>>| line[a].is_some() && line[a] == line[b];
        self.answers.iter().map(agree).collect()
    }

    /// The steps from answers to candidates.
    pub(super) fn steps(
        &self,
        steps: Steps,
        scheme: &Scheme,
        near: &Nearness<'_>,
    ) -> Result<Steps, Error> {
        let steps = match self.buckets(scheme)? {
            Some(buckets) => steps.step(buckets),
            None => steps,
        };
        if self.items.len() < 2 {
            return Ok(steps);
        }
        Ok(steps
            .step(self.combined(scheme)?)
            .step(self.likely(scheme, near)?))
    }

    /// Bands and buckets, where the scheme has bands.
    fn buckets(&self, scheme: &Scheme) -> Result<Option<Step>, Error> {
        let Some(banding) = scheme.banding() else {
            return Ok(None);
        };
        let mut rows = Vec::new();
        let mut alone = 0;
        for (band, lines) in (1..).zip(self.answers.chunks(banding.rows() as usize)) {
            let mut buckets: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
            for (item, name) in self.items.iter().enumerate() {
                let values: Option<Vec<&str>> =
                    lines.iter().map(|line| line[item].as_deref()).collect();
                let Some(values) = values else { continue };
                match buckets.iter_mut().find(|bucket| bucket.0 == values) {
                    Some(bucket) => bucket.1.push(name),
                    None => buckets.push((values, vec![name])),
                }
            }
            for (values, items) in buckets {
                let is_shared = items.len() > 1;
                alone += usize::from(!is_shared);
                // Of many bands those are shown in which something happens.
                if is_shared || self.answers.len() <= WRITTEN {
                    let items = Cell::new(items.join(" "));
                    let items = match is_shared {
                        true => items.emphasis(Emphasis::Strong),
                        false => items,
                    };
                    rows.push(vec![Cell::new(band), values.join(" ").into(), items]);
                }
            }
        }
        let columns = [
            TableColumn::number("band"),
            TableColumn::text("answers"),
            TableColumn::text("items"),
        ];
        let mut text = format!(
            "{banding}: items with the same answers in all rows of a band share its bucket."
        );
        if self.answers.len() > WRITTEN {
            text += &format!(
                " Shown are the buckets with several items; {alone} more have one item each."
            );
        }
        if rows.is_empty() {
            text += " No bucket has several items.";
        }
        let step = Step::new("Bands and buckets").text(text);
        Ok(Some(step.block(Table::new(columns, rows)?)))
    }

    /// What agrees, after each step of the scheme.
    fn combined(&self, scheme: &Scheme) -> Result<Step, Error> {
        let amplifiers = scheme.steps();
        let rows = pairs(self.items.len()).map(|pair| {
            let mut agreed = self.agreements(pair);
            let mut cells = vec![Cell::new(self.name(pair))];
            let size = |place: usize| amplifiers.get(place).map_or(1, |step| step.size() as usize);
            cells.push(Cell::new(written(&agreed, size(0))));
            for (place, step) in amplifiers.iter().enumerate() {
                agreed = folded(&agreed, *step);
                cells.push(Cell::new(written(&agreed, size(place + 1))));
            }
            let is_candidate = agreed.iter().any(|agree| *agree);
            cells.push(match is_candidate {
                true => Cell::new("yes").emphasis(Emphasis::Good),
                false => Cell::new("no").emphasis(Emphasis::Quiet),
            });
            cells
        });
        let mut columns = vec![TableColumn::text("pair"), TableColumn::text("functions")];
        columns.extend(
            amplifiers
                .iter()
                .map(|step| TableColumn::text(step.to_string())),
        );
        columns.push(TableColumn::text("candidate"));
        Ok(Step::new("AND and OR")
            .text(format!(
                "1 where two items agree on a function. {}A pair is a candidate if a 1 is left.",
                said(amplifiers)
            ))
            .block(Table::new(columns, rows)?))
    }

    /// What was to be expected.
    fn likely(&self, scheme: &Scheme, near: &Nearness<'_>) -> Result<Step, Error> {
        let rows = pairs(self.items.len()).map(|[a, b]| {
            let distance = (near.distance)(a, b);
            let mut cells = vec![Cell::new(self.name([a, b]))];
            cells.push(Cell::new(rounded(distance)));
            let bounds = scheme
                .stages()
                .map(|stage| (near.promise)(&stage, distance));
            cells.extend(bounds.map(|bounds| Cell::new(chance(bounds))));
            cells
        });
        let mut columns = vec![TableColumn::text("pair")];
        columns.push(TableColumn::number(near.measure));
        columns.push(TableColumn::number("one function"));
        let steps = scheme.steps().iter();
        columns.extend(steps.map(|step| TableColumn::number(step.to_string())));
        let mut text = format!(
            "At distance d a random function agrees with probability {}.",
            near.formula
        );
        for step in scheme.steps().iter().filter(|_| near.is_independent) {
            text += &match step {
                Amplifier::And(n) => format!(" AND of {n} turns p into p^{n}."),
                Amplifier::Or(n) => format!(" OR of {n} turns p into 1 − (1 − p)^{n}."),
            };
        }
        Ok(Step::new("How likely that was")
            .text(text)
            .block(Table::new(columns, rows)?))
    }

    fn name(&self, pair: [usize; 2]) -> String {
        pair.map(|item| self.items[item].as_str()).join(" ")
    }
}

/// Functions and how they are combined, in words: `3 functions in and:3`.
pub(super) fn combined(count: usize, one: &str, scheme: &Scheme) -> String {
    let functions = counted(count, one);
    match scheme.steps().is_empty() {
        true => functions,
        false => format!("{functions} in {scheme}"),
    }
}

/// What the steps do, in words.
fn said(steps: &[Amplifier]) -> String {
    let mut words = String::new();
    for step in steps {
        words += &match step {
            Amplifier::And(n) => format!("{step} keeps a 1 where all {n} of a group are 1. "),
            Amplifier::Or(n) => format!("{step} keeps a 1 where at least one of {n} is 1. "),
        };
    }
    words
}

/// Groups of the number that the step combines, each as one.
fn folded(agreed: &[bool], step: Amplifier) -> Vec<bool> {
    let groups = agreed.chunks(step.size() as usize);
    match step {
        Amplifier::And(_) => groups
            .map(|group| group.iter().all(|agree| *agree))
            .collect(),
        Amplifier::Or(_) => groups
            .map(|group| group.iter().any(|agree| *agree))
            .collect(),
    }
}

/// Agreements as digits, in the groups that the next step combines; many are counted.
fn written(agreed: &[bool], group: usize) -> String {
    if agreed.len() > WRITTEN {
        let ones = agreed.iter().filter(|agree| **agree).count();
        return format!("{ones} of {}", agreed.len());
    }
    let digit = |agree: &bool| if *agree { '1' } else { '0' };
    let groups = agreed.chunks(group.max(1));
    let groups: Vec<String> = groups
        .map(|group| group.iter().map(digit).collect())
        .collect();
    groups.join(" ")
}

/// The probability, or between what and what it lies.
pub(super) fn chance(bounds: Bounds) -> String {
    let shown = |p: lookalike::Probability| number::probability(p.value(), p.complement().value());
    let [low, high] = [bounds.lower(), bounds.upper()].map(shown);
    match low == high {
        true => low,
        false => format!("{low} to {high}"),
    }
}

/// A number with at most four decimals, without zeros at its end.
pub(super) fn rounded(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".into(),
        text => text.replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_cascade_is_folded_by_its_definition() {
        let agreed = [true, true, false, true, false, false, true, false];
        let or = folded(&agreed, Amplifier::Or(2));
        assert_eq!(or, [true, true, false, true]);
        assert_eq!(folded(&or, Amplifier::And(2)), [true, false]);
        let and = folded(&agreed, Amplifier::And(2));
        assert_eq!(and, [true, false, false, false]);
        assert_eq!(folded(&and, Amplifier::Or(4)), [true]);
    }

    #[test]
    fn digits_come_in_groups_and_many_are_counted() {
        assert_eq!(written(&[true, false, true, true], 2), "10 11");
        assert_eq!(written(&[true, false], 1), "1 0");
        let mut many = vec![false; 40];
        many[7] = true;
        assert_eq!(written(&many, 4), "1 of 40");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.5, -2.0, 1.0 / 3.0, -0.00001].map(rounded),
            ["0.5", "−2", "0.3333", "0"]
        );
    }
}
