//! Generated prints are recognised: votes make the list, and the matcher puts the mate first.

use lookalike_engine::BucketIndex;
use lookalike_fingerprint::{
    LocalTriples, Matcher, Template, Triples, Votes, Work,
    generate::{Finger, Impression},
};

const FINGERS: u64 = 200;

#[test]
fn the_mate_comes_first() {
    let impression = Impression::default();
    let prints = |which: u64| -> Vec<Template> {
        let print = |finger| impression.of(&Finger::new(finger), 2 * finger + which);
        (0..FINGERS).map(print).collect()
    };
    let (stored, probes) = (prints(0), prints(1));
    let matcher = Matcher::default();
    let ready: Vec<_> = stored.iter().map(|print| matcher.prepare(print)).collect();
    let mut work = Work::default();

    // Generated prints overlap in little now and then: that is what is missing.
    for (triples, votes_alone, verified) in [
        (Triples::accurate(), 0.93, 0.96),
        (Triples::fast(), 0.78, 0.91),
    ] {
        let index = BucketIndex::build(LocalTriples::new(triples).unwrap(), &stored).unwrap();
        let mut query = index.query();
        let mut votes = Votes::default();
        let (mut by_votes, mut by_matcher) = (0, 0);
        for (mate, probe) in (0u32..).zip(&probes) {
            let hits = query.hits(probe, |hit| {
                votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
            });
            hits.unwrap();
            let list = votes.ranked(20);
            by_votes += u32::from(list.first().is_some_and(|first| first.id == mate));
            let probe = matcher.prepare(probe);
            let scores = list.iter().map(|ranked| {
                let print = &ready[ranked.id as usize];
                let overlay = matcher.compare_with(&probe, print, &mut work);
                (overlay.score(), ranked.id)
            });
            let best = scores.max_by(|a, b| a.0.total_cmp(&b.0));
            by_matcher += u32::from(best.is_some_and(|best| best.1 == mate));
        }
        let [by_votes, by_matcher] =
            [by_votes, by_matcher].map(|found| f64::from(found) / FINGERS as f64);
        eprintln!("rank 1: votes {by_votes:.3}, verified {by_matcher:.3} of {FINGERS}");
        assert!(by_votes >= votes_alone && by_matcher >= verified);
    }
}
