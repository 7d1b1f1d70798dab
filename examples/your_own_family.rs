//! Numbers meet in the cells of randomly shifted grids: docs/your-own-family.md.
use lookalike::experiment::{self, Experiment, FamilySearch, Measure, Plugin, Registry};
use lookalike::{Bounds, DistanceFn, LshFamily, LshFunctions, Probability, random};
use rand::RngExt;

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct ShiftedGrid {
    width: f64, // of a cell
}
struct Shifts(f64, Vec<f64>);

impl LshFamily for ShiftedGrid {
    type Item = f64;
    type Functions = Shifts;
    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance / self.width))
    }
    fn draw(&self, k: usize, seed: u64) -> Shifts {
        let mut rng = random::stream(seed, 0);
        let shifts = (0..k).map(|_| rng.random_range(0.0..self.width));
        Shifts(self.width, shifts.collect())
    }
}

impl LshFunctions for Shifts {
    type Item = f64;
    type Key = u64;
    type Scratch = ();
    fn len(&self) -> usize {
        self.1.len()
    }
    fn hash_into(&self, item: &f64, _: &mut (), keys: &mut [u64]) {
        for (key, shift) in keys.iter_mut().zip(&self.1) {
            *key = ((item + shift) / self.0).floor() as i64 as u64;
        }
    }
}

const LINE: DistanceFn<f64> = DistanceFn(|a, b| (a - b).abs());

impl Plugin for ShiftedGrid {
    const NAME: &'static str = "shifted-grid";
    const MEASURE: Measure = Measure::Distance("difference");
    type Data = experiment::data::Lines<f64>;
    type Search = FamilySearch<Self, DistanceFn<f64>>;
    fn search(&self, _: &Vec<f64>) -> Result<Self::Search, experiment::Error> {
        Ok(FamilySearch::new(self.clone(), LINE))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pair = |distance, seed| (seed as f64 % 1e6, seed as f64 % 1e6 + distance);
    let test = lookalike::conformance::Conformance::new(LINE, pair);
    print!("{}", test.check(&ShiftedGrid { width: 1.0 })?);
    let experiment = Experiment::parse("grid.toml", include_str!("your_own_family.toml"), false)?;
    let outcome = experiment.run(&Registry::builtin().with::<ShiftedGrid>(), &())?;
    assert_eq!(outcome.runs[0].matches.count.mean, 2.0);
    Ok(())
}
