use lookalike_core::{Bounds, Probability, random};

use super::{
    Probed,
    probe_order::{Change, cheapest_sets},
};

/// An answer that a function may give to the neighbour of a query.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub(super) cost: f64,
    pub(super) probability: f64,
}

impl Choice {
    /// The query's own answer, which a neighbour has with this probability.
    #[must_use]
    pub fn own(probability: f64) -> Self {
        Self::new(0.0, probability)
    }

    /// Another answer with its cost, which decides when it is asked for.
    #[must_use]
    pub fn new(cost: f64, probability: f64) -> Self {
        Self { cost, probability }
    }
}

/// How likely a query that asks `probes` keys of a table of `rows` functions meets a vector at a distance: the mean of
/// simulated queries and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// Simulated queries behind a promise.
pub(super) const DRAWS: u32 = 1 << 13;
/// Of simulated queries: a promise is the same in every run.
const SEED: u64 = u64::from_le_bytes(*b"simulate");

impl Simulated {
    /// What a promise is made of.
    pub fn of_promise<F: Probed>(family: &F, rows: u32, probes: u32, distance: f64) -> Self {
        Self::new(family, rows, probes, distance, DRAWS)
    }

    /// Simulates `draws` queries. What is drawn does not depend on the distance, so that the probability falls with it.
    ///
    /// A table's functions are independent, and what a query finds does not depend on the data but through the distance.
    /// So a query is a draw of the query's products; given these, how likely a neighbour has each of the keys that are
    /// asked is known, and is summed.
    pub fn new<F: Probed>(family: &F, rows: u32, probes: u32, distance: f64, draws: u32) -> Self {
        let (mut sum, mut squares) = (0.0, 0.0);
        let (mut choices, mut changes, mut own) = (Vec::new(), Vec::new(), Vec::new());
        let mut probabilities: Vec<f64> = Vec::new();
        for draw in 0..draws {
            let mut rng = random::stream(SEED, draw.into());
            changes.clear();
            own.clear();
            probabilities.clear();
            for row in 0..rows as usize {
                choices.clear();
                family.simulate(distance, probes as usize, &mut rng, &mut choices);
                own.push(choices[0].probability);
                for choice in &choices[1..] {
                    let answer = probabilities.len();
                    let cost = choice.cost;
                    changes.push(Change { row, cost, answer });
                    probabilities.push(choice.probability);
                }
            }
            let mut met = 0.0;
            cheapest_sets(&mut changes, probes as usize, |set| {
                let kept = |row: usize| set.iter().all(|change| change.row != row);
                let kept = own.iter().enumerate().filter(|(row, _)| kept(*row));
                let changed = set.iter().map(|change| probabilities[change.answer]);
                met += kept.map(|(_, own)| own).product::<f64>() * changed.product::<f64>();
            });
            sum += met;
            squares += met * met;
        }
        let n = f64::from(draws);
        let mean = sum / n;
        let variance = (squares / n - mean * mean).max(0.0);
        // Rare events may not show at all and leave no variance.
        let standard_error = ((variance + n.recip()) / n).sqrt();
        // What separates the functions from the model, in every row.
        let standard_error = standard_error + mean * family.model_error() * f64::from(rows) / 4.0;
        Self {
            mean,
            standard_error,
        }
    }

    /// The mean, four standard errors more or less, for one of `tables` that are asked.
    #[must_use]
    pub fn bounds(self, tables: u32) -> Bounds {
        let of = |probability: f64| Probability::saturating(probability).any(tables);
        let slack = 4.0 * self.standard_error;
        Bounds::new(of(self.mean - slack), of(self.mean + slack)).expect("less is below more")
    }
}
