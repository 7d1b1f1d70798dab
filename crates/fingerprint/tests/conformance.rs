//! Squares as functions keep their promise.

use lookalike_core::{
    Scheme,
    conformance::{self, Conformance, metric_axioms},
    random,
};
use lookalike_fingerprint::{CommonSquares, GridSquares, Model, Squares};

/// Two prints with exactly so many squares in common, each with a fifth of all or with those.
fn pair(total: u32) -> impl Fn(f64, u64) -> (Squares, Squares) + Clone {
    move |distance, seed| {
        let common = ((1.0 - distance) * f64::from(total)).round() as u32;
        let own = (total / 5).saturating_sub(common);
        let mut rng = random::stream(seed, 0);
        let places = random::shuffled(total, common + 2 * own, &mut rng);
        let print = |places: &mut dyn Iterator<Item = &u32>| {
            let mut print = Squares::none(total).unwrap();
            places.for_each(|&square| print.insert(square));
            print
        };
        let (shared, alone) = places.split_at(common as usize);
        let (a, b) = alone.split_at(own as usize);
        let (mut a, mut b) = (shared.iter().chain(a), shared.iter().chain(b));
        (print(&mut a), print(&mut b))
    }
}

#[test]
fn squares_conform_at_every_number_of_them() {
    for (total, each) in [(64, 1), (64, 3), (100, 2), (256, 3), (256, 4), (1024, 3)] {
        let family = GridSquares::new(total).unwrap().each(each).unwrap();
        // One by one, and 16 bands of 8 functions that are fused into one of 8·t squares.
        let report = Conformance::new(CommonSquares, pair(total)).check(&family);
        report.unwrap_or_else(|violation| panic!("{total} squares, {each} each: {violation}"));
    }
}

#[test]
fn cascades_conform() {
    for (total, steps) in [
        (64, "or:40"),
        (64, "or:40,and:2"),
        (256, "or:30,and:2,or:4"),
        (256, "or:1024,and:2"),
        (1024, "or:1024,and:2"),
    ] {
        let scheme: Scheme = steps.parse().unwrap();
        let family = GridSquares::new(total).unwrap();
        let conformance = Conformance::new(CommonSquares, pair(total)).under(scheme);
        let report = conformance
            .distances([0.8, 0.84, 0.9, 0.96])
            .scheme(&family);
        report.unwrap_or_else(|violation| panic!("{total} squares, {steps}: {violation}"));
    }
}

#[test]
fn plugins_conform() {
    use lookalike_fingerprint::plugin::{GridSquares, LocalTriples, PrintGridSquares};
    conformance::plugin::<GridSquares>().unwrap();
    conformance::plugin::<LocalTriples>().unwrap();
    conformance::plugin::<PrintGridSquares>().unwrap();
}

#[test]
fn the_distance_claims_no_more_than_it_holds() {
    let prints: Vec<Squares> = (0..12)
        .map(|seed| Model::BOOK.print(100, seed).unwrap())
        .collect();
    metric_axioms(&CommonSquares, &prints).unwrap();
}
