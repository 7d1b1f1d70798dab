//! Pairs at wanted distances, for conformance.

use lookalike_core::random;

use super::SquareSets;
use crate::{
    Squares, Template,
    generate::{Finger, Impression},
};

/// Squares of the grid.
const TOTAL: u32 = 64;

/// Two sets with a share of all squares in common, each with a fifth of all or with those.
pub(super) fn squares(distance: f64, seed: u64) -> SquareSets {
    let common = ((1.0 - distance) * f64::from(TOTAL)).round() as u32;
    let own = (TOTAL / 5).saturating_sub(common);
    let mut rng = random::stream(seed, 0);
    let places = random::shuffled(TOTAL, common + 2 * own, &mut rng);
    let (shared, alone) = places.split_at(common as usize);
    let (a, b) = alone.split_at(own as usize);
    let mut sets = SquareSets::default();
    for alone in [a, b] {
        let mut set = Squares::none(TOTAL).expect("a grid of 64 squares");
        shared
            .iter()
            .chain(alone)
            .for_each(|&square| set.insert(square));
        sets.push(set).expect("squares of one grid");
    }
    sets
}

/// Two prints, of one finger if they are to be near each other.
pub(super) fn prints(distance: f64, seed: u64) -> Vec<Template> {
    let other = if distance < 0.5 {
        seed
    } else {
        random::derive(seed, 1)
    };
    let print = |finger, number| Impression::default().of(&Finger::new(finger), number);
    vec![print(seed, 0), print(other, 1)]
}
