//! Joins find what they state, and nothing else.

use std::collections::BTreeSet;

use lookalike_core::{
    Match, Pair,
    plugin::{Distance, Method, Proposal, Recall, Task},
    random,
};
use lookalike_engine::Brute;
use lookalike_vector::{
    Vectors,
    plugin::{AngleDistance, CrossPolytopeTables, HyperplaneTables, JoinBy, JoinTables},
};

/// Random vectors around a common direction, each with a copy that is turned by about so many degrees.
fn turned(dimensions: usize, pairs: usize, degrees: f64, seed: u64) -> Vectors {
    let mut rng = random::stream(seed, 0);
    let mut vectors = Vectors::new(dimensions).unwrap();
    let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    for _ in 0..pairs {
        let a: Vec<f64> = (0..dimensions).map(|_| normal() + 0.5).collect();
        let noise: Vec<f64> = (0..dimensions).map(|_| normal()).collect();
        let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let share = degrees.to_radians().tan() * length(&a) / length(&noise);
        let b = a.iter().zip(&noise).map(|(a, noise)| a + share * noise);
        let b: Vec<f32> = b.map(|x| 3.0 * x as f32).collect();
        let a: Vec<f32> = a.iter().map(|&x| x as f32).collect();
        vectors.push(&a).unwrap();
        vectors.push(&b).unwrap();
    }
    vectors.push(&vec![0.0; dimensions]).unwrap();
    vectors.push(&vec![0.0; dimensions]).unwrap();
    vectors
}

fn brute(vectors: &Vectors, limit: f64) -> Vec<Match> {
    let kernel = AngleDistance::default().kernel(vectors).unwrap();
    Brute::new(&*kernel).unwrap().pairs(limit)
}

fn proposed<J: JoinTables>(
    parameters: J,
    vectors: &Vectors,
    task: &Task,
) -> Option<Proposal<JoinBy<J>>> {
    JoinBy(parameters)
        .propose(&AngleDistance::default(), vectors, task)
        .unwrap()
}

fn pairs<J: JoinTables>(join: &JoinBy<J>, vectors: &Vectors, limit: f64, seed: u64) -> Vec<Match> {
    let built = join
        .build(&AngleDistance::default(), vectors, seed)
        .unwrap();
    JoinBy::<J>::pairs(&built, vectors, limit)
}

fn bits(matches: &[Match]) -> Vec<(Pair, u64)> {
    let bits = |found: &Match| (found.pair, found.distance.to_bits());
    matches.iter().map(bits).collect()
}

/// At the limit, the share of pairs that are found is at least the one that is stated, and all of them are true.
fn states_its_recall<J: JoinTables>(dimensions: usize) {
    const SEEDS: u64 = 12;
    let limit = 20.0;
    // All pairs are just below the limit, where the recall is stated.
    let vectors = turned(dimensions, 800, 19.5, dimensions as u64);
    let truth = brute(&vectors, limit);
    let all: BTreeSet<(Pair, u64)> = bits(&truth).into_iter().collect();
    assert!(all.len() > 300, "{dimensions}: {} pairs", all.len());
    let mut task = Task::new(limit, 2.0 * limit);
    // So few vectors are left to brute force unless a method is named.
    task.is_named = true;
    let proposal = proposed(J::default(), &vectors, &task).expect("a plan");
    let stated = match proposal.recall {
        Recall::Proved(recall) if !J::IS_CENTRED => recall,
        Recall::Calibrated { recall, .. } if J::IS_CENTRED => recall,
        other => panic!("{}: {other:?}", J::NAME),
    };
    assert!(stated >= task.recall);
    let shares: Vec<f64> = (0..SEEDS)
        .map(|seed| {
            let found = bits(&pairs(&proposal.parameters, &vectors, limit, seed));
            assert!(
                found.iter().all(|pair| all.contains(pair)),
                "{} invents",
                J::NAME
            );
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
            found.len() as f64 / all.len() as f64
        })
        .collect();
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let variance = shares
        .iter()
        .map(|share| (share - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0);
    let error = (variance / count).sqrt();
    assert!(
        mean >= stated - 4.0 * error,
        "{} in {dimensions} dimensions: {mean} ± {error}, stated {stated}",
        J::NAME
    );
}

#[test]
fn joins_find_at_least_what_they_state() {
    for dimensions in [16, 50, 100, 300] {
        states_its_recall::<HyperplaneTables>(dimensions);
        states_its_recall::<CrossPolytopeTables>(dimensions);
    }
}

/// The nearer the limit, the more it matters that sketches are rounded.
#[test]
fn near_copies_pass_their_sketches() {
    for degrees in [0.0, 0.01, 0.3, 3.0] {
        let vectors = turned(100, 1500, 0.98 * degrees, 7);
        let limit = if degrees > 0.0 { degrees } else { 1e-4 };
        let truth = brute(&vectors, limit).len();
        assert!(truth >= 1200, "{degrees}: {truth}");
        // One bucket has nearly all pairs, so only sketches lose some.
        let join = JoinBy(HyperplaneTables {
            tables: Some(8),
            bits: Some(1),
        });
        let found = pairs(&join, &vectors, limit, 3).len();
        let lost = truth - found;
        // At most one in 740 is expected to be lost: with 1500 pairs, two.
        assert!(lost <= 8, "{degrees}: {lost} of {truth}");
    }
}

/// All vectors have one direction: seen from their mean, nothing is left but what floats round.
#[test]
fn vectors_of_one_direction_are_all_pairs() {
    let mut vectors = Vectors::new(20).unwrap();
    for length in 1..=60 {
        vectors.push(&[length as f32; 20]).unwrap();
    }
    let join = JoinBy(HyperplaneTables {
        tables: Some(1),
        bits: Some(4),
    });
    for limit in [1e-9, 1e-5, 20.0] {
        assert_eq!(brute(&vectors, limit).len(), 60 * 59 / 2);
        assert_eq!(pairs(&join, &vectors, limit, 0).len(), 60 * 59 / 2);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let vectors = turned(40, 700, 10.0, 1);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let join = JoinBy(CrossPolytopeTables {
            tables: Some(6),
            directions: Some(32),
        });
        pool.install(|| bits(&pairs(&join, &vectors, 15.0, 3)))
    };
    let one = on(1);
    assert!(one.len() > 500);
    assert_eq!(one, on(2));
    assert_eq!(one, on(7));
}

#[test]
fn one_bucket_with_everything_is_compared_in_full() {
    // So near each other that all tables have them in one bucket.
    let vectors = turned(16, 1, 0.01, 5);
    let mut close = Vectors::new(16).unwrap();
    for number in 0..700 {
        let mut vector = vectors.get(0).to_vec();
        vector[0] += number as f32 * 1e-6;
        close.push(&vector).unwrap();
    }
    let truth = brute(&close, 0.1);
    assert_eq!(truth.len(), 700 * 699 / 2);
    let join = JoinBy(HyperplaneTables {
        tables: Some(2),
        bits: Some(1),
    });
    let found = pairs(&join, &close, 0.1, 0);
    assert!(
        found.len() as f64 >= 0.99 * truth.len() as f64,
        "{}",
        found.len()
    );
}

#[test]
fn what_a_join_cannot_do_it_does_not_propose() {
    let vectors = turned(40, 50, 10.0, 1);
    let mut task = Task::new(15.0, 30.0);
    task.is_named = true;
    assert!(proposed(HyperplaneTables::default(), &vectors, &task).is_some());
    let exact = {
        let mut task = task.clone();
        task.recall = 1.0;
        task
    };
    assert!(proposed(HyperplaneTables::default(), &vectors, &exact).is_none());
    let queries = {
        let mut task = task.clone();
        task.queries = Some(10);
        task.is_named = false;
        task
    };
    assert!(proposed(CrossPolytopeTables::default(), &vectors, &queries).is_none());
    let narrow = turned(3, 50, 10.0, 1);
    assert!(proposed(HyperplaneTables::default(), &narrow, &task).is_none());
    let wrong = HyperplaneTables {
        tables: None,
        bits: Some(40),
    };
    let error = JoinBy(wrong)
        .propose(&AngleDistance::default(), &vectors, &task)
        .unwrap_err();
    assert_eq!(error.parameter(), Some("bits"));
    let wrong = CrossPolytopeTables {
        tables: None,
        directions: Some(100),
    };
    assert!(
        JoinBy(wrong)
            .propose(&AngleDistance::default(), &vectors, &task)
            .is_err()
    );
}

#[test]
fn queries_meet_their_buckets() {
    let vectors = turned(40, 400, 5.0, 9);
    let join = JoinBy(HyperplaneTables {
        tables: Some(20),
        bits: Some(4),
    });
    let built = join.build(&AngleDistance::default(), &vectors, 1).unwrap();
    let mut found = 0;
    for place in 0..100 {
        let near = JoinBy::<HyperplaneTables>::query(&built, &vectors, vectors.get(place), 2, 10.0);
        assert_eq!(near[0].id, place as u32);
        found += usize::from(near.len() == 2);
    }
    assert!(found >= 99, "{found}");
}
