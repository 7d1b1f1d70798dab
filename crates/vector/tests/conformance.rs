//! The families keep their promises, and the distances their axioms.

use lookalike_core::{
    Banding, Bounds, KeySource, LshFamily, LshFunctions, Metric, Scheme, Step,
    conformance::{Conformance, metric_axioms},
    random,
};
use lookalike_vector::{
    Angle, Euclidean, Manhattan, NegatedDot, Scalar,
    families::{
        CauchyLines, CrossPolytope, Hyperplanes, LiftedHyperplanes, Probed, Probing, RandomLines,
        Simulated,
    },
    generate, plugin as families,
};

const DIMENSIONS: [usize; 5] = [2, 3, 10, 100, 784];

/// Ten angles.
const ANGLES: [f64; 10] = [1.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 170.0];
/// Ten distances, for buckets of width 1.
const DISTANCES: [f64; 10] = [0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0];

fn rounded<T: Scalar>(vector: &[f64]) -> Vec<T> {
    vector.iter().map(|&number| T::nearest(number)).collect()
}

/// Pairs of vectors around a normal one.
fn pairs<T: Scalar>(
    dimensions: usize,
    near: fn(&[f64], f64, &mut random::Stream) -> Vec<f64>,
) -> impl Fn(f64, u64) -> (Vec<T>, Vec<T>) + Clone {
    move |distance, seed| {
        let mut rng = generate::stream(seed, 0);
        let a = generate::normal(dimensions, &mut rng);
        let b = near(&a, distance, &mut rng);
        (rounded(&a), rounded(&b))
    }
}

fn at_angle(vector: &[f64], degrees: f64, rng: &mut random::Stream) -> Vec<f64> {
    generate::at_angle(vector, degrees, rng).unwrap()
}

fn hyperplanes_conform<T: Scalar>() {
    for dimensions in DIMENSIONS {
        let family = Hyperplanes::<T>::new(dimensions);
        let conformance = Conformance::new(Angle::<T>::default(), pairs(dimensions, at_angle));
        let draws = if dimensions > 100 { 64 } else { 120 };
        let report = conformance.distances(ANGLES).draws(draws).check(&family);
        report.unwrap_or_else(|error| panic!("{dimensions}: {error}"));
    }
}

#[test]
fn hyperplanes_conform_with_both_types() {
    hyperplanes_conform::<f32>();
    hyperplanes_conform::<f64>();
}

fn cross_polytopes_conform<T: Scalar>() {
    for dimensions in DIMENSIONS {
        for directions in [16, 128] {
            let family = CrossPolytope::<T>::new(dimensions, directions).unwrap();
            let conformance = Conformance::new(Angle::<T>::default(), pairs(dimensions, at_angle));
            let scheme = Banding::new(8, 2).unwrap().scheme();
            let conformance = conformance.distances(ANGLES).draws(40).under(scheme);
            let report = conformance.check(&family);
            report.unwrap_or_else(|error| panic!("{dimensions} × {directions}: {error}"));
        }
    }
}

#[test]
fn cross_polytopes_conform_with_both_types() {
    cross_polytopes_conform::<f32>();
    cross_polytopes_conform::<f64>();
}

/// The hardest vectors for a rotation by signs and Hadamard transforms: few numbers, or equal ones.
#[test]
fn cross_polytopes_conform_on_sparse_vectors() {
    let one = |dimensions: usize, degrees: f64| {
        let (mut a, mut b) = (vec![0.0; dimensions], vec![0.0; dimensions]);
        a[0] = 1.0;
        (b[1], b[0]) = degrees.to_radians().sin_cos();
        (a, b)
    };
    let two = |dimensions: usize, degrees: f64| {
        let mut a = vec![0.0; dimensions];
        a[..2].fill(1.0);
        let b = at_angle(&a, degrees, &mut generate::stream(6, 6));
        (a, b)
    };
    let equal = |dimensions: usize, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let even = |place: usize| {
            if place.is_multiple_of(2) {
                cos + sin
            } else {
                cos - sin
            }
        };
        (vec![1.0; dimensions], (0..dimensions).map(even).collect())
    };
    type Pairs = fn(usize, f64) -> (Vec<f64>, Vec<f64>);
    for (dimensions, directions) in [(34, 128), (100, 16), (784, 128)] {
        let family = CrossPolytope::<f64>::new(dimensions, directions).unwrap();
        for pair in [one as Pairs, two, equal] {
            let pair = |degrees, _| pair(dimensions, degrees);
            let conformance = Conformance::new(Angle::<f64>::default(), pair).draws(60);
            let angles = [2.0, 5.0, 15.0, 30.0, 45.0, 60.0, 90.0];
            let report = conformance.distances(angles).functions(&family);
            report.unwrap_or_else(|error| panic!("{dimensions} × {directions}: {error}"));
        }
    }
}

fn lines_conform<T: Scalar>() {
    for dimensions in DIMENSIONS {
        let draws = if dimensions > 100 { 32 } else { 60 };
        let scheme = || Banding::new(16, 4).unwrap().scheme();
        let random_lines = RandomLines::<T>::new(dimensions, 1.0).unwrap();
        let near = pairs::<T>(dimensions, generate::at_euclidean);
        let conformance = Conformance::new(Euclidean::<T>::default(), near).under(scheme());
        let report = conformance
            .distances(DISTANCES)
            .draws(draws)
            .check(&random_lines);
        report.unwrap_or_else(|error| panic!("{dimensions}: {error}"));
        let cauchy_lines = CauchyLines::<T>::new(dimensions, 1.0).unwrap();
        let near = pairs::<T>(dimensions, generate::at_manhattan);
        let conformance = Conformance::new(Manhattan::<T>::default(), near).under(scheme());
        let report = conformance
            .distances(DISTANCES)
            .draws(draws)
            .check(&cauchy_lines);
        report.unwrap_or_else(|error| panic!("{dimensions}: {error}"));
    }
}

#[test]
fn lines_conform_with_both_types() {
    lines_conform::<f32>();
    lines_conform::<f64>();
}

/// *Mining of Massive Datasets*, §3.7.2 and §3.7.4.
#[test]
fn sensitivities_are_those_of_the_textbook() {
    let hyperplanes = Hyperplanes::<f64>::new(50);
    for (d1, d2) in [(10.0, 30.0), (60.0, 120.0), (1.0, 179.0)] {
        let sensitivity = hyperplanes.sensitivity(d1, d2).unwrap();
        assert!((sensitivity.p1().value() - (180.0 - d1) / 180.0).abs() < 1e-12);
        assert!((sensitivity.p2().value() - (180.0 - d2) / 180.0).abs() < 1e-12);
    }
    for a in [0.001, 1.0, 25.0] {
        let lines = RandomLines::<f64>::new(50, a).unwrap();
        let sensitivity = lines.sensitivity(a / 2.0, 2.0 * a).unwrap();
        assert!(sensitivity.p1().value() >= 1.0 / 2.0, "{sensitivity:?}");
        assert!(sensitivity.p2().value() <= 1.0 / 3.0, "{sensitivity:?}");
        // The integral itself.
        assert!((sensitivity.p1().value() - 0.6095).abs() < 1e-3);
        assert!((sensitivity.p2().value() - 0.1954).abs() < 1e-3);
    }
}

/// How often a query meets a stored vector under a source, with its standard error.
fn met<S: KeySource<Item = [f64]>>(
    draw: impl Fn(u64) -> S,
    pair: impl Fn(f64, u64) -> (Vec<f64>, Vec<f64>),
    distance: f64,
    draws: u32,
) -> (f64, f64) {
    let met = (0..u64::from(draws)).filter(|&seed| {
        let (stored, asked) = pair(distance, seed);
        let (source, mut scratch) = (draw(seed), S::Scratch::default());
        let mut keys = Vec::new();
        let store = |band, key, _| keys.push((band, key));
        source.keys(&stored, &mut scratch, store).unwrap();
        let mut met = false;
        let ask = |band, key, _| met |= keys.contains(&(band, key));
        source.probes(&asked, &mut scratch, ask).unwrap();
        met
    });
    let rate = met.count() as f64 / f64::from(draws);
    (
        rate,
        (rate * (1.0 - rate) / f64::from(draws) + f64::from(draws).powi(-2)).sqrt(),
    )
}

/// Two-sided: what is measured lies within the simulated bounds, and four standard errors.
fn probes_meet_as_simulated<F: Probed<Item = [f64]> + Clone>(
    family: &F,
    rows: u32,
    probes: u32,
    pair: impl Fn(f64, u64) -> (Vec<f64>, Vec<f64>) + Copy,
    distances: &[f64],
) {
    let scheme = Banding::new(2, rows).unwrap().scheme();
    let mut before = Bounds::ANYTHING.upper();
    for &distance in distances {
        let draw = |seed| Probing::new(family, &scheme, probes, seed).unwrap();
        let (rate, error) = met(draw, pair, distance, 2000);
        let promised = Simulated::of_promise(family, rows, probes, distance).bounds(2);
        let (lower, upper) = (promised.lower().value(), promised.upper().value());
        let name = format!("{family:?}, {rows} rows, {probes} probes, at {distance}");
        assert!(
            rate >= lower - 4.0 * error && rate <= upper + 4.0 * error,
            "{name}: {rate} ± {error}, promised {lower} to {upper}"
        );
        assert!(upper - lower < 0.1, "{name}: {lower} to {upper}");
        assert!(promised.upper() <= before, "{name}");
        before = promised.upper();
    }
}

#[test]
fn several_probes_meet_as_often_as_simulated() {
    let angles = |degrees, seed| pairs::<f64>(30, at_angle)(degrees, seed);
    let hyperplanes = Hyperplanes::<f64>::new(30);
    for (rows, probes) in [(12, 1), (12, 8), (20, 50), (3, 100)] {
        probes_meet_as_simulated(&hyperplanes, rows, probes, angles, &[5.0, 20.0, 40.0, 80.0]);
    }
    let cross = CrossPolytope::<f64>::new(30, 32).unwrap();
    probes_meet_as_simulated(&cross, 2, 12, angles, &[10.0, 25.0, 40.0, 70.0]);
    let wide = |degrees, seed| pairs::<f64>(100, at_angle)(degrees, seed);
    let cross = CrossPolytope::<f64>::new(100, 64).unwrap();
    probes_meet_as_simulated(&cross, 1, 5, wide, &[10.0, 25.0, 40.0, 70.0]);
    let lines = RandomLines::<f64>::new(30, 2.0).unwrap();
    let straight = |distance, seed| pairs::<f64>(30, generate::at_euclidean)(distance, seed);
    probes_meet_as_simulated(&lines, 6, 12, straight, &[0.2, 1.0, 2.0, 5.0]);
    let lines = CauchyLines::<f64>::new(30, 4.0).unwrap();
    let around = |distance, seed| pairs::<f64>(30, generate::at_manhattan)(distance, seed);
    probes_meet_as_simulated(&lines, 4, 12, around, &[0.2, 1.0, 2.0, 5.0]);
}

#[test]
fn more_probes_find_more_and_the_first_are_the_likeliest() {
    let family = Hyperplanes::<f64>::new(20);
    let at = |probes| Simulated::of_promise(&family, 16, probes, 30.0).mean;
    let gains: Vec<f64> = (1..12).map(|probes| at(probes + 1) - at(probes)).collect();
    assert!(gains.iter().all(|&gain| gain > 0.0));
    assert!(gains[0] > 1.5 * gains[9], "{gains:?}");
    // One probe is the family itself.
    let exact = family.collision(30.0).lower().all(16).value();
    assert!((at(1) - exact).abs() < 0.1 * exact, "{} {exact}", at(1));
}

/// A query of length q among vectors of length up to M: inner products are met as promised.
#[test]
fn lifted_hyperplanes_keep_their_promise() {
    let dimensions = 12;
    let (longest, query) = (5.0, 3.0);
    let family = LiftedHyperplanes::<f64>::new(dimensions, longest, query, 1).unwrap();
    let scheme = Scheme::new([Step::And(4), Step::Or(6)]).unwrap();
    for (product, length) in [(2.0, 3.0), (7.0, 3.0), (12.0, 3.0), (14.0, 3.0), (7.0, 2.0)] {
        // A vector of length 5 with this inner product with a query of this length.
        let pair = |_, seed| {
            let mut rng = generate::stream(seed, 0);
            let asked = generate::normal(dimensions, &mut rng);
            let norm = asked.iter().map(|x| x * x).sum::<f64>().sqrt();
            let asked: Vec<f64> = asked.iter().map(|x| x * length / norm).collect();
            let degrees = (product / (longest * length)).acos().to_degrees();
            let stored = at_angle(&asked, degrees, &mut rng);
            let stored = stored.iter().map(|x| x * longest / length).collect();
            (stored, asked)
        };
        let (rate, error) = met(
            |seed| family.source(&scheme, seed).unwrap(),
            pair,
            0.0,
            1500,
        );
        let promised = family.promise(&scheme, product);
        let lower = promised.lower().value();
        assert!(
            rate >= lower - 4.0 * error,
            "{product}: {rate} ± {error}, {lower}"
        );
        if length == query {
            assert!(
                rate <= lower + 4.0 * error,
                "{product}: {rate} ± {error}, {lower}"
            );
        }
    }
    assert_eq!(family.promise(&scheme, 0.0).lower().value(), 0.0);
    assert_eq!(family.promise(&scheme, -3.0).lower().value(), 0.0);
    assert!(family.promise(&scheme, -3.0).upper() < family.promise(&scheme, 0.0).upper());
    assert!(family.source(&scheme, 0).unwrap().has_probes());
    assert!(LiftedHyperplanes::<f64>::new(3, 0.0, 1.0, 1).is_err());
    assert!(LiftedHyperplanes::<f64>::new(3, 1.0, f64::NAN, 1).is_err());
}

/// Shorter vectors, which the last coordinate fills up.
#[test]
fn lifted_vectors_shorter_than_the_longest_are_met_by_their_inner_product() {
    let family = LiftedHyperplanes::<f64>::new(6, 4.0, 1.0, 1).unwrap();
    let scheme = Scheme::new([Step::And(3), Step::Or(3)]).unwrap();
    let pair = |_, seed| {
        let mut rng = generate::stream(seed, 0);
        let asked = generate::normal(6, &mut rng);
        let norm = asked.iter().map(|x| x * x).sum::<f64>().sqrt();
        let asked: Vec<f64> = asked.iter().map(|x| x / norm).collect();
        let stored = at_angle(&asked, 60.0, &mut rng);
        (stored.iter().map(|x| 2.0 * x).collect(), asked)
    };
    let (rate, error) = met(
        |seed| family.source(&scheme, seed).unwrap(),
        pair,
        0.0,
        3000,
    );
    let p = family.promise(&scheme, 1.0).lower().value();
    assert!((rate - p).abs() < 4.0 * error, "{rate} ± {error}, {p}");
}

/// The same answers one by one and all at once, at every number of functions and vectors.
#[test]
fn batches_give_the_same_answers() {
    fn check<F: LshFamily<Item = [f32]>>(family: &F, dimensions: usize) {
        let vectors = generate::clustered::<f32>(dimensions, 70, 5, 0.5, 1)
            .unwrap()
            .0;
        let all: Vec<&[f32]> = vectors.rows().collect();
        for functions in [1, 7, 16, 65] {
            let drawn = family.draw(functions, 3);
            let mut scratch = Default::default();
            let mut together = vec![Default::default(); functions * all.len()];
            drawn.hash_all_into(&all, &mut scratch, &mut together);
            let bits = |keys: &[<F::Functions as LshFunctions>::Key]| -> Vec<Option<u64>> {
                keys.iter()
                    .map(|key| lookalike_core::Key::bits(*key))
                    .collect()
            };
            for (vector, together) in all.iter().zip(together.chunks(functions)) {
                let mut alone = vec![Default::default(); functions];
                drawn.hash_into(vector, &mut scratch, &mut alone);
                assert_eq!(bits(&alone), bits(together));
            }
        }
    }
    for dimensions in [1, 3, 33, 100] {
        check(&Hyperplanes::new(dimensions), dimensions);
        check(&CrossPolytope::new(dimensions, 16).unwrap(), dimensions);
        check(&RandomLines::new(dimensions, 0.5).unwrap(), dimensions);
        check(&CauchyLines::new(dimensions, 0.5).unwrap(), dimensions);
    }
}

#[test]
fn distances_keep_their_axioms() {
    fn check<T: Scalar>() {
        for dimensions in [1, 2, 3, 10, 100, 784] {
            let (vectors, _) = generate::clustered::<T>(dimensions, 9, 3, 0.1, 2).unwrap();
            let mut items: Vec<Vec<T>> = vectors.rows().map(<[T]>::to_vec).collect();
            items.push(items[0].clone());
            metric_axioms(&Euclidean::<T>::default(), &items).unwrap();
            metric_axioms(&Manhattan::<T>::default(), &items).unwrap();
            metric_axioms(&NegatedDot::<T>::default(), &items).unwrap();
            // A vector and its double are at the same angle from everything, and at 0 from each other.
            items.push(items[0].iter().map(|&it| it + it).collect());
            items.push(items[0].iter().map(|&it| -it).collect());
            let angle = Angle::<T>::default();
            metric_axioms(&angle, &items).unwrap();
            let [a, b] = [0, items.len() - 2].map(|place| angle.prepare(&items[place]));
            assert_eq!(angle.distance(&a, &b), 0.0);
        }
    }
    check::<f32>();
    check::<f64>();
}

/// Inner products of made-up pairs are those asked for, from the longest vectors of one direction to opposite ones.
#[test]
fn specimens_of_inner_products_have_them() {
    use lookalike_core::{Items, plugin::Distance};
    let specimens = families::DotDistance::specimens().unwrap();
    assert_eq!((specimens.nearest(), specimens.farthest()), (-9.0, 9.0));
    for wanted in [-9.0, -8.9, -5.4, 0.0, 3.0, 9.0] {
        for seed in 0..100 {
            let pair = specimens.pair(wanted, seed);
            let [stored, query] = [0, 1].map(|place| pair.item(place));
            let metric = NegatedDot::<f32>::default();
            let negated = metric.distance(&metric.prepare(stored), &metric.prepare(query));
            assert!((negated - wanted).abs() < 1e-5, "{negated} for {wanted}");
            let length = |vector: &[f32]| vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((length(query) - 3.0).abs() < 1e-5);
            assert!(length(stored) < 3.0001 && 3.0 * length(stored) > -1e-5 + wanted.abs() as f32);
        }
    }
}

#[test]
fn plugins_conform() {
    use lookalike_core::conformance::{method, plugin};
    plugin::<families::Hyperplanes>().unwrap();
    plugin::<families::CrossPolytope>().unwrap();
    plugin::<families::RandomLines>().unwrap();
    plugin::<families::CauchyLines>().unwrap();
    plugin::<families::DotHyperplanes>().unwrap();
    method::<families::JoinBy<families::HyperplaneTables>>().unwrap();
    method::<families::JoinBy<families::CrossPolytopeTables>>().unwrap();
    method::<families::SketchesBy<families::AngleDistance>>().unwrap();
    method::<families::SketchesBy<families::EuclideanDistance>>().unwrap();
}
