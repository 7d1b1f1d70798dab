//! The families keep their promises.

use lookalike_core::{
    Banding, Bounds, KeySource, LshFamily, Near, Probability, Scheme, Step,
    conformance::{self, Conformance, metric_axioms},
};
use lookalike_engine::{Brute, BucketIndex, Columns, Join};
use lookalike_hamming::{
    BitSampling, Blocks, Codes, Hamming, Probed, Probing, generate, within_flips,
};
use proptest::prelude::*;

/// Two codes at exactly this distance.
fn pair(bits: usize) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) {
    move |distance, seed| {
        let one = generate::random(bits, 1, seed).unwrap();
        let (other, _) = generate::neighbours(&one, distance as u32, 1, seed).unwrap();
        (one.get(0).to_vec(), other.get(0).to_vec())
    }
}

/// A few distances, from hardly any to most of the bits.
fn distances(bits: usize) -> impl Iterator<Item = f64> {
    [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.9]
        .into_iter()
        .map(move |share| (share * bits as f64).ceil())
}

#[test]
fn bit_sampling_conforms_at_every_length() {
    for bits in [64, 100, 256, 1024] {
        let family = BitSampling::new(bits).unwrap();
        let conformance = || Conformance::new(Hamming, pair(bits)).distances(distances(bits));
        conformance().check(&family).unwrap();
        // Fused, as one function.
        conformance().check(&family.rows(5).unwrap()).unwrap();
        let wide = Banding::new(40, 20).unwrap().scheme();
        conformance().under(wide).scheme(&family).unwrap();
    }
}

#[test]
fn its_sensitivity_is_that_of_the_textbook() {
    for bits in [64, 256, 1024] {
        let family = BitSampling::new(bits).unwrap();
        let n = bits as f64;
        let (d1, d2) = ((0.1 * n).floor(), (0.4 * n).floor());
        let sensitivity = family.sensitivity(d1, d2).unwrap();
        assert!((sensitivity.p1().value() - (1.0 - d1 / n)).abs() < 1e-12);
        assert!((sensitivity.p2().value() - (1.0 - d2 / n)).abs() < 1e-12);
    }
}

#[test]
fn blocks_conform() {
    for (bits, blocks) in [(64, 7), (256, 26), (1024, 60), (100, 7)] {
        let family = Blocks::new(bits, blocks).unwrap();
        let near = [1.0, 1.5, 3.0, 6.0].map(|times| times * f64::from(blocks));
        let near = near.map(|distance| distance.floor().min(bits as f64));
        let conformance = || Conformance::new(Hamming, pair(bits)).distances(near);
        conformance().functions(&family).unwrap();
        let all = Scheme::new([Step::Or(blocks)]).unwrap();
        conformance().under(all).scheme(&family).unwrap();
        // One shuffle and a part of another, seen through few bits.
        let more = Scheme::new([Step::Or(blocks + 3)]).unwrap();
        let narrow = family.at_most(6).unwrap();
        conformance().under(more).scheme(&narrow).unwrap();
    }
}

/// How often a query meets a code, two-sided: the promise is exact.
fn meets_as_promised<S: KeySource<Item = [u64]>>(
    bits: usize,
    draw: impl Fn(u64) -> S,
    promise: impl Fn(f64) -> Bounds,
    distances: &[u32],
) {
    const DRAWS: u32 = 3000;
    for &distance in distances {
        let met = (0..DRAWS).filter(|&seed| {
            let (stored, asked) = pair(bits)(distance.into(), seed.into());
            let source = draw(seed.into());
            let mut keys = Vec::new();
            let scratch = &mut Default::default();
            let store = |band, key, _| keys.push((band, key));
            source.keys(&stored, scratch, store).unwrap();
            let mut met = false;
            let ask = |band, key, _| met |= keys.contains(&(band, key));
            source.probes(&asked, scratch, ask).unwrap();
            met
        });
        let rate = met.count() as f64 / f64::from(DRAWS);
        let promised = promise(distance.into());
        assert_eq!(
            promised.lower(),
            promised.upper(),
            "exact at whole distances"
        );
        let p = promised.lower().value();
        let error = (p * (1.0 - p) / f64::from(DRAWS)).sqrt();
        assert!(
            (rate - p).abs() <= 4.0 * error,
            "{bits} bits, distance {distance}: {rate}, promised {p} ± {error}"
        );
    }
}

#[test]
fn multi_probe_meets_as_often_as_the_formula_says() {
    for (bits, rows, tables, flips) in [
        (64, 16, 3, 1),
        (256, 20, 4, 1),
        (256, 12, 1, 3),
        (1024, 18, 2, 2),
    ] {
        let family = BitSampling::new(bits).unwrap().rows(rows).unwrap();
        let promise = |distance: f64| {
            let one = within_flips(bits as u32, distance as u32, rows, flips);
            Bounds::exact(Probability::new(one).unwrap().any(tables))
        };
        let n = bits as u32;
        let draw = |seed| Probing::new(&family, tables, flips, seed).unwrap();
        assert_eq!(draw(0).promise(9.0), promise(9.0));
        meets_as_promised(bits, draw, promise, &[2, n / 20, n / 10, n / 5, n / 3]);
    }
}

#[test]
fn blocks_with_flips_meet_as_often_as_counting_says() {
    for (bits, blocks, flips, at_most) in [(64, 4, 1, 64), (256, 13, 1, 16), (100, 3, 2, 20)] {
        let family = Blocks::new(bits, blocks).unwrap().at_most(at_most).unwrap();
        let reach = blocks * (flips + 1) - 1;
        let draw = |seed| Probing::new(&family, blocks, flips, seed).unwrap();
        let promise = |distance| draw(0).promise(distance);
        assert_eq!(promise(f64::from(reach)).lower(), Probability::CERTAIN);
        assert!(promise(f64::from(reach + 1)).lower() < Probability::CERTAIN || at_most < 64);
        let distances = [reach, reach + 2, 2 * reach, 3 * reach];
        meets_as_promised(bits, draw, promise, &distances);
    }
}

#[test]
fn plugins_conform() {
    use lookalike_hamming::plugin;
    conformance::plugin::<plugin::BitSampling>().unwrap();
    conformance::plugin::<plugin::Blocks>().unwrap();
    conformance::plugin::<plugin::MultiProbe>().unwrap();
}

#[test]
fn hamming_distance_is_a_metric() {
    let codes = generate::clustered(70, 12, 3, 0.1, 5).unwrap();
    let items: Vec<&[u64]> = codes.iter().collect();
    metric_axioms(&Hamming, &items).unwrap();
}

/// What brute force finds.
fn all(codes: &Codes, query: &[u64], radius: f64) -> Vec<Near> {
    Brute::new(codes).unwrap().near(&[query], radius).remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn blocks_miss_nothing_up_to_their_reach(
        bits in 8usize..300, blocks in 1u32..20, flips in 0u32..3, at_most in 1u32..=64,
        clusters in 1usize..20, noise in 0.0f64..0.3, seed in any::<u64>(),
    ) {
        let blocks = blocks.min(bits as u32);
        let radius = (blocks * (flips + 1) - 1).min(bits as u32 - 1);
        let family = Blocks::new(bits, blocks).unwrap().at_most(at_most).unwrap();
        let Ok(source) = Probing::new(&family, blocks, flips, seed) else {
            // More keys than a query may ask for.
            return Ok(());
        };
        prop_assert_eq!(family.met(blocks, flips, radius.into()).lower(), Probability::CERTAIN);
        let codes = generate::clustered(bits, 120, clusters, noise, seed).unwrap();
        let (queries, _) = generate::neighbours(&codes, radius, 20, seed).unwrap();
        prop_assert_eq!(source.has_probes(), flips > 0);
        let index = BucketIndex::build(source, &codes).unwrap();
        let mut query = index.query();
        for code in &queries {
            let near = query.near(code, &codes, radius.into()).unwrap();
            prop_assert_eq!(near, all(&codes, code, radius.into()));
        }
        let pairs = index.matches(&codes, radius.into()).unwrap();
        prop_assert_eq!(&pairs, &Brute::new(&codes).unwrap().pairs(radius.into()));
        if flips == 0 {
            let source = family.or(blocks).draw(seed).unwrap();
            let columns = Columns::build(&source, &codes).unwrap();
            let near = |pair: lookalike_engine::Pair| {
                let [a, b] = [pair.a(), pair.b()].map(|code| codes.get(code as usize));
                let distance = lookalike_hamming::distance(a, b);
                (distance <= radius).then(|| f64::from(distance))
            };
            let joined = Join::new(&columns).bucket_limit(usize::MAX).matches(&near);
            prop_assert_eq!(&joined.found, &pairs);
        }
    }
}
