//! Numbers meet in the cells of randomly shifted grids: docs/your-own-family.md.
use lookalike::{Bounds, LshFamily, LshFunctions, Metric, Probability, random};
use lookalike::{conformance::Conformance, engine, tune::Goal};
use rand::RngExt;

#[derive(Debug)]
struct ShiftedGrid(f64); // the width of a cell
struct Shifts(f64, Vec<f64>);

impl LshFamily for ShiftedGrid {
    type Item = f64;
    type Functions = Shifts;
    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance / self.0))
    }
    fn draw(&self, k: usize, seed: u64) -> Shifts {
        let mut rng = random::stream(seed, 0);
        let shifts = (0..k).map(|_| rng.random_range(0.0..self.0)).collect();
        Shifts(self.0, shifts)
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

struct Line;
impl Metric for Line {
    type Item = f64;
    type Prepared = f64;
    fn prepare(&self, item: &f64) -> f64 {
        *item
    }
    fn distance(&self, a: &f64, b: &f64) -> f64 {
        (a - b).abs()
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pair = |distance, seed| (seed as f64 % 1e6, seed as f64 % 1e6 + distance);
    print!("{}", Conformance::new(Line, pair).check(&ShiftedGrid(1.0))?);
    let plan = Goal::new(0.1, 0.5)?.recall(0.99)?.plan(&ShiftedGrid(1.0))?;
    let source = ShiftedGrid(1.0).amplify(plan.banding.scheme()).draw(7)?;
    let items = [20.1, 17.3, 20.15, 36.6, 17.28, 0.0];
    let columns = engine::Columns::build(&source, &items)?;
    let exact = engine::Exact::new(&Line, &items, 0.1);
    println!("{:?}", engine::Join::new(&columns).matches(&exact).0);
    Ok(())
}
