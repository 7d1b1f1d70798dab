//! Digests as a whole plugin: kind, distance, keys, and the recall of a plan.

use lookalike_core::{
    Items, Metric,
    conformance::{self, Effort},
    plugin::Distance,
};
use lookalike_digest::{
    Tlsh,
    plugin::{TlshDistance, TlshFamily},
};

#[test]
fn the_plugin_conforms() {
    for seed in 0..5 {
        let checked = conformance::plugin_with::<TlshFamily>(Effort::QUICK, seed).unwrap();
        assert!(checked.scheme.is_none() && checked.report.scheme.is_empty());
        let recall = checked.recall.unwrap();
        assert!(recall.promised.lower().value() > 0.7, "{recall}");
    }
}

/// Pairs lie near the wanted distance. A few lie beyond it: three quartiles cost 6.
#[test]
fn specimens_lie_at_their_distance() {
    let specimens = TlshDistance::specimens().unwrap();
    for wanted in [0.0, 1.0, 10.0, 30.0, 60.0] {
        let mut sum = 0.0;
        for seed in 0..100 {
            let pair = specimens.pair(wanted, seed);
            let distance = Tlsh.distance(pair.item(0), pair.item(1));
            assert!(distance <= 1.2 * wanted, "{distance} for {wanted}");
            sum += distance;
        }
        let mean = sum / 100.0;
        assert!((0.5 * wanted..=wanted).contains(&mean), "{wanted}: {mean}");
    }
}
