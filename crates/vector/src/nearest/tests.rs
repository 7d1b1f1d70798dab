//! Whole indexes: what they find, on every processor and with any number of threads; how far off estimates are.

use lookalike_core::{Metric, Near, random};
use rand_distr::{Distribution, StandardNormal};

use super::{
    Bits, Effort, Index, Partition, Recipe, Sample, Scratch, Space, Wanted, blocks::BLOCK, bound,
    fastest::is_plain, scan::estimate,
};
use crate::{Angle, Euclidean, Vectors, generate};

/// Vectors around a few centres, with copies, and one direction in which they differ most.
fn adversarial(count: usize, dimensions: usize, seed: u64) -> Vectors {
    let mut rng = random::stream(seed, 9);
    let mut normal = move || -> f32 { StandardNormal.sample(&mut rng) };
    let centres: Vec<Vec<f32>> = (0..20)
        .map(|_| (0..dimensions).map(|_| 3.0 * normal()).collect())
        .collect();
    let mut vectors = Vectors::new(dimensions).unwrap();
    for place in 0..count {
        // Every tenth is a copy of another.
        if place % 10 == 9 {
            let copy = vectors.get(place / 3).to_vec();
            vectors.push(&copy).unwrap();
            continue;
        }
        let centre = &centres[place * place % centres.len()];
        let mut vector: Vec<f32> = centre.iter().map(|it| it + 0.2 * normal()).collect();
        vector[0] += 30.0 * normal();
        vectors.push(&vector).unwrap();
    }
    vectors
}

fn normal(count: usize, dimensions: usize, seed: u64) -> Vectors {
    let mut rng = random::stream(seed, 8);
    let mut vectors = Vectors::new(dimensions).unwrap();
    for _ in 0..count {
        let vector: Vec<f32> = (0..dimensions)
            .map(|_| StandardNormal.sample(&mut rng))
            .collect();
        vectors.push(&vector).unwrap();
    }
    vectors
}

fn clustered(count: usize, dimensions: usize, seed: u64) -> Vectors {
    generate::clustered(dimensions, count, count / 20, 0.6, seed)
        .unwrap()
        .0
}

fn recipe(space: Space, partition: Partition, cells: usize, bits: Bits) -> Recipe {
    Recipe {
        space,
        partition,
        cells,
        bits,
        seed: 1,
    }
}

/// The exact answer.
fn brute_force(space: Space, vectors: &Vectors, query: &[f32], wanted: Wanted) -> Vec<Near> {
    let (angle, euclidean) = (Angle::default(), Euclidean::default());
    let near = (0..vectors.len() as u32).filter_map(|id| {
        let vector = vectors.get(id as usize);
        let distance = match space {
            Space::Angle => {
                let [a, b] = [query, vector].map(|it| angle.prepare(it));
                if angle.is_empty(&a) || angle.is_empty(&b) {
                    return None;
                }
                angle.distance(&a, &b)
            }
            Space::Euclidean => euclidean.distance(&query.into(), &vector.into()),
        };
        (distance <= wanted.limit).then_some(Near { id, distance })
    });
    let mut near: Vec<Near> = near.collect();
    near.sort_unstable_by(Near::nearest_first);
    near.truncate(wanted.k);
    near
}

/// Scans everything, and rules out nothing that could be near.
fn everything(index: &Index) -> Effort {
    Effort {
        scanned: index.codes(),
        // The largest that u can be.
        deviations: (index.turn.dimensions() as f64 - 1.0).sqrt(),
        is_proved: true,
    }
}

#[test]
fn an_effort_without_bounds_finds_what_brute_force_finds() {
    let partitions = [
        (Partition::Pivots, 7),
        (Partition::CrossPolytope, 64),
        (Partition::None, 1),
    ];
    for (number, dimensions) in [1, 3, 16, 33, 100].into_iter().enumerate() {
        let mut vectors = adversarial(300, dimensions, 1);
        for strange in [0.0, 1e-20, 1e-30, 1e12] {
            vectors.push(&vec![strange; dimensions]).unwrap();
        }
        let (partition, cells) = partitions[number % 3];
        for space in [Space::Angle, Space::Euclidean] {
            for bits in [Bits::One, Bits::Two, Bits::Four] {
                let index = Index::new(&vectors, recipe(space, partition, cells, bits));
                let mut scratch = Scratch::default();
                for place in (0..vectors.len()).step_by(23).chain(300..304) {
                    let query = vectors.get(place);
                    for (k, limit) in [
                        (1, f64::INFINITY),
                        (10, f64::INFINITY),
                        (usize::MAX, 20.0),
                        (5, 0.0),
                    ] {
                        let wanted = Wanted { k, limit };
                        let found =
                            index.near(&vectors, query, wanted, everything(&index), &mut scratch);
                        let expected = brute_force(space, &vectors, query, wanted);
                        assert_eq!(
                            found, expected,
                            "{space:?} {bits:?} {dimensions} {place} {wanted:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn vectors_without_a_direction_and_too_few_cells_are_no_fault() {
    let mut vectors = Vectors::new(20).unwrap();
    for _ in 0..3000 {
        vectors.push(&[0.0; 20]).unwrap();
    }
    let wanted = Wanted {
        k: 3,
        limit: f64::INFINITY,
    };
    for is_one_left in [false, true] {
        if is_one_left {
            vectors.push(&[1.0; 20]).unwrap();
        }
        for (partition, cells) in [
            (Partition::Pivots, 16),
            (Partition::CrossPolytope, 1),
            (Partition::None, 1),
        ] {
            for space in [Space::Angle, Space::Euclidean] {
                let index = Index::new(&vectors, recipe(space, partition, cells, Bits::Two));
                let mut scratch = Scratch::default();
                for query in [[1.0; 20], [0.0; 20]] {
                    let found =
                        index.near(&vectors, &query, wanted, everything(&index), &mut scratch);
                    let expected = brute_force(space, &vectors, &query, wanted);
                    assert_eq!(found, expected, "{space:?} {partition:?} {query:?}");
                }
            }
        }
    }
}

#[test]
fn threads_and_processors_change_nothing() {
    let vectors = clustered(3000, 50, 2);
    let of = |partition, bits| {
        let index = Index::new(&vectors, recipe(Space::Angle, partition, 64, bits));
        let sample = Sample::new(
            &index,
            &vectors,
            Wanted {
                k: 5,
                limit: f64::INFINITY,
            },
        );
        let chosen = sample
            .choose(0.9, |scanned, compared| scanned + 20.0 * compared)
            .unwrap();
        let mut scratch = Scratch::default();
        let ask = |place: usize| {
            let wanted = Wanted {
                k: 5,
                limit: f64::INFINITY,
            };
            index.near(
                &vectors,
                vectors.get(place),
                wanted,
                chosen.effort,
                &mut scratch,
            )
        };
        let answers: Vec<_> = (0..500).map(ask).collect();
        (
            index.blocks.records[..].to_vec(),
            index.ids,
            index.centres,
            chosen.effort,
            answers,
        )
    };
    for (partition, bits) in [
        (Partition::Pivots, Bits::Two),
        (Partition::CrossPolytope, Bits::One),
        (Partition::None, Bits::Four),
    ] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| of(partition, bits))
        };
        let one = with(1);
        assert!(with(2) == one && with(7) == one, "{partition:?} {bits:?}");
        assert!(
            is_plain::during(|| of(partition, bits)) == one,
            "{partition:?} {bits:?} without AVX"
        );
    }
}

/// How often the error of an estimate exceeds a reach, over a million pairs of a query and a vector for each data set, next to
/// what is stated.
#[test]
fn errors_exceed_their_bound_as_often_as_stated() {
    const QUERIES: usize = 42;
    for (name, vectors) in [
        ("normal", normal(2000, 64, 3)),
        ("clustered", clustered(2000, 100, 4)),
        ("adversarial", adversarial(2000, 48, 5)),
    ] {
        let dimensions = vectors.dimensions();
        for (space, bits) in [(Space::Angle, Bits::Two), (Space::Euclidean, Bits::One)] {
            let mut beyond = [0.0f64; 3];
            let deviations = [1.0, 2.0, 3.0];
            let mut pairs = 0.0;
            // One rotation per index: errors of one are not independent.
            for seed in 0..6 {
                let index = Index::new(
                    &vectors,
                    Recipe {
                        seed,
                        ..recipe(space, Partition::Pivots, 16, bits)
                    },
                );
                let mut scratch = Scratch::default();
                for query in (0..QUERIES).map(|it| vectors.get(it * 37 + seed as usize)) {
                    assert!(index.prepare(query, &mut scratch));
                    for (place, &id) in index
                        .ids
                        .iter()
                        .enumerate()
                        .filter(|(_, id)| **id != u32::MAX)
                    {
                        let block = (place / BLOCK) as u32;
                        let cell = index.starts.partition_point(|&start| start <= block) - 1;
                        let aside =
                            super::rerank::squared_distance(&scratch.turned, index.centre(cell));
                        let estimate = estimate(&scratch.table, &index.blocks, place) - 0.5 * aside;
                        let near = brute_force_pair(space, query, vectors.get(id as usize));
                        let exact = -0.5 * space.squared(near) as f32;
                        let spread = index.blocks.spreads[place / BLOCK];
                        let aside = aside.sqrt().min(space.squared(near).sqrt() as f32);
                        let rounding = scratch.table.rounding() * spread.scale
                            + index.rounding(&scratch.turned);
                        for (beyond, deviations) in beyond.iter_mut().zip(deviations) {
                            let reach = bound::reach_of(dimensions, deviations) as f32;
                            *beyond += f64::from(u8::from(
                                exact - estimate > reach * aside * spread.error + rounding,
                            ));
                        }
                        pairs += 1.0;
                    }
                }
            }
            for (beyond, deviations) in beyond.into_iter().zip(deviations) {
                let stated = bound::tail(dimensions, bound::reach_of(dimensions, deviations));
                let share = beyond / pairs;
                assert!(
                    share <= stated,
                    "{name} {bits:?}, {deviations} deviations: {share}, stated {stated}"
                );
            }
        }
    }
}

fn brute_force_pair(space: Space, a: &[f32], b: &[f32]) -> f64 {
    match space {
        Space::Angle => {
            let angle = Angle::default();
            angle.distance(&angle.prepare(a), &angle.prepare(b))
        }
        Space::Euclidean => Euclidean::default().distance(&a.into(), &b.into()),
    }
}

/// Makes up a number of vectors of some dimensions from a seed.
type Make = fn(usize, usize, u64) -> Vectors;

/// The mean recall of held-out queries over seeds is not below what was asked for, and not far above.
#[test]
fn a_calibrated_recall_is_reached_and_hardly_exceeded() {
    const SEEDS: u64 = 5;
    const QUERIES: usize = 300;
    let wanted = Wanted {
        k: 10,
        limit: f64::INFINITY,
    };
    let sets: [(&str, Space, Make); 3] = [
        ("normal", Space::Angle, normal),
        ("clustered", Space::Angle, clustered),
        ("adversarial", Space::Euclidean, adversarial),
    ];
    for (name, space, make) in sets {
        let all = make(8000 + QUERIES, 24, 6);
        let (mut vectors, mut queries) = (Vectors::new(24).unwrap(), Vectors::new(24).unwrap());
        for (place, vector) in all.rows().enumerate() {
            let is_query = place % (all.len() / QUERIES) == 5 && queries.len() < QUERIES;
            let list = if is_query { &mut queries } else { &mut vectors };
            list.push(vector).unwrap();
        }
        let exact = |query: &[f32]| brute_force(space, &vectors, query, wanted)[9].distance;
        let farthest: Vec<f64> = queries.rows().map(exact).collect();
        for stated in [0.8, 0.95] {
            let (mut sum, mut is_cheapest) = (0.0, false);
            for seed in 0..SEEDS {
                let index = Index::new(
                    &vectors,
                    Recipe {
                        seed,
                        ..recipe(space, Partition::Pivots, 128, Bits::Two)
                    },
                );
                let sample = Sample::new(&index, &vectors, wanted);
                let chosen = sample
                    .choose(stated, |scanned, compared| scanned + 30.0 * compared)
                    .unwrap();
                assert!(chosen.found.share - 2.0 * chosen.found.standard_error >= stated);
                is_cheapest |= chosen.effort.scanned <= 2 * index.codes_of(0);
                let mut scratch = Scratch::default();
                let shares = queries.rows().zip(&farthest).map(|(query, &farthest)| {
                    let near = index.near(&vectors, query, wanted, chosen.effort, &mut scratch);
                    near.iter().filter(|near| near.distance <= farthest).count() as f64 / 10.0
                });
                let shares: Vec<f64> = shares.collect();
                let mean = shares.iter().sum::<f64>() / QUERIES as f64;
                let apart = shares
                    .iter()
                    .map(|share| (share - mean).powi(2))
                    .sum::<f64>();
                let error = apart.sqrt() / QUERIES as f64;
                assert!(
                    mean >= stated - 3.0 * error,
                    "{name} {stated}, seed {seed}: {mean} ± {error}"
                );
                sum += mean;
            }
            let mean = sum / SEEDS as f64;
            println!("{name}: stated {stated}, mean {mean}");
            // Queries are the same for all seeds, so their own error remains.
            assert!(mean >= stated - 0.01, "{name}: {mean}, stated {stated}");
            assert!(
                mean <= stated + 0.03 || is_cheapest,
                "{name}: {mean}, stated {stated}"
            );
        }
    }
}
