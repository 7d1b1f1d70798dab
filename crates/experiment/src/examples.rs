use lookalike_engine::{Id, Pair};

use crate::{
    Example,
    met::Met,
    outcome::Fate,
    truth::{DistanceOf, Truth},
};

/// How many pairs of each kind are shown.
const EACH: usize = 3;

/// Pairs to look at: similar ones that were found, and missed, those at the limit before the nearer ones; and false
/// candidates, the farthest first.
pub(crate) fn choose(
    truth: &Truth,
    limit: f64,
    met: &Met,
    distance: &DistanceOf<'_>,
    name_and_look: &dyn Fn(Id) -> (String, String),
) -> Vec<Example> {
    let example = |fate: Fate, distance: f64, pair: Pair| {
        let [(name_a, look_a), (name_b, look_b)] = [pair.a(), pair.b()].map(name_and_look);
        Example {
            fate,
            distance,
            names: [name_a, name_b],
            items: [look_a, look_b],
        }
    };
    let mut examples = Vec::new();
    for (fate, wanted) in [(Fate::Found, true), (Fate::Missed, false)] {
        let similar = truth.similar.iter().rev();
        let chosen = similar.filter(|(_, pair)| met.has(*pair) == wanted);
        examples.extend(
            chosen
                .take(EACH)
                .map(|&(distance, pair)| example(fate, distance, pair)),
        );
    }
    // Of a huge number of candidates some are looked at.
    const LOOKED_AT: usize = 100_000;
    let candidates = met.pairs.iter().flatten().take(LOOKED_AT);
    let mut far: Vec<(f64, Pair)> = candidates
        .map(|pair| (distance(*pair), *pair))
        .filter(|(distance, _)| *distance > limit)
        .collect();
    far.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let far = far.into_iter().take(EACH);
    examples.extend(far.map(|(distance, pair)| example(Fate::FalseCandidate, distance, pair)));
    examples
}
