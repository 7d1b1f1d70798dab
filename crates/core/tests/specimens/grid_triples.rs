//! Triples of grid squares: functions with one bucket, into which few items fall.

use lookalike_core::{Axioms, Bounds, LshFamily, LshFunctions, Metric, Probability, random};

use super::bit_sampling::distinct;

/// A function is three of N squares; an item that occupies all three is in its bucket, another in none.
///
/// Two items with c squares in common agree with probability C(c,3) / C(N,3).
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridTriples {
    pub(crate) squares: usize,
}

/// Three squares a function.
pub(crate) struct Triples(Vec<[usize; 3]>);

impl LshFamily for GridTriples {
    type Item = [bool];
    type Functions = Triples;

    fn collision(&self, distance: f64) -> Bounds {
        let n = self.squares as f64;
        let common = n * (1.0 - distance);
        let each = [0.0, 1.0, 2.0].map(|i| (common - i).max(0.0) / (n - i));
        Bounds::exact(Probability::saturating(each.iter().product()))
    }

    fn draw(&self, k: usize, seed: u64) -> Triples {
        let mut rng = random::stream(seed, 0);
        let mut triple = || {
            let squares = distinct(self.squares, 3, &mut rng);
            squares.try_into().expect("three squares")
        };
        Triples((0..k).map(|_| triple()).collect())
    }
}

impl LshFunctions for Triples {
    type Item = [bool];
    type Key = Option<()>;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, occupied: &[bool], (): &mut (), keys: &mut [Option<()>]) {
        for (key, triple) in keys.iter_mut().zip(&self.0) {
            *key = triple.iter().all(|&square| occupied[square]).then_some(());
        }
    }
}

/// 1 − c/N, with c squares in common. No metric: an item is not at 0 from itself.
#[derive(Clone, Copy)]
pub(crate) struct Uncommon;

impl Metric for Uncommon {
    type Item = [bool];
    type Prepared = Vec<bool>;
    fn axioms(&self) -> Axioms {
        Axioms::None
    }

    fn prepare(&self, item: &[bool]) -> Vec<bool> {
        item.to_vec()
    }

    fn distance(&self, a: &Vec<bool>, b: &Vec<bool>) -> f64 {
        let common = a.iter().zip(b).filter(|&(&a, &b)| a && b).count();
        1.0 - common as f64 / a.len() as f64
    }
}

/// Pairs of items that occupy a fifth of the squares, or what they have in common if that is more.
pub(crate) fn pairs(squares: usize) -> impl Fn(f64, u64) -> (Vec<bool>, Vec<bool>) + Clone {
    move |distance, seed| {
        let common = ((1.0 - distance) * squares as f64).round() as usize;
        let own = (squares / 5).saturating_sub(common);
        let places = distinct(squares, common + 2 * own, &mut random::stream(seed, 0));
        let occupy = |places: &mut dyn Iterator<Item = &usize>| {
            let mut item = vec![false; squares];
            places.for_each(|&place| item[place] = true);
            item
        };
        let (shared, alone) = places.split_at(common);
        let (a, b) = alone.split_at(own);
        (
            occupy(&mut shared.iter().chain(a)),
            occupy(&mut shared.iter().chain(b)),
        )
    }
}
