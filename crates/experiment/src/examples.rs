use lookalike_core::Items;
use lookalike_engine::Pair;

use crate::{Data, Example, Loaded, meeting::Met, outcome::Fate, truth::Truth};

/// How many pairs of each kind are shown.
const EACH: usize = 3;

/// Pairs to look at: similar ones that were found, and missed, those at the limit before the nearer ones; and false
/// candidates, the farthest first.
pub(crate) fn choose<D: Data>(
    loaded: &Loaded<D::Items>,
    truth: &Truth,
    limit: f64,
    met: &Met,
    distance: impl Fn(&Pair) -> f64,
) -> Vec<Example> {
    let is_candidate = |pair: &Pair| match &met.pairs {
        Some(pairs) => pairs.binary_search(pair).is_ok(),
        None => true,
    };
    let example = |fate: Fate, distance: f64, pair: Pair| {
        let both = [pair.a, pair.b];
        Example {
            fate,
            distance,
            names: both.map(|id| loaded.name(id)),
            items: both.map(|id| D::show(loaded.items.item(id as usize))),
        }
    };
    let mut examples = Vec::new();
    for (fate, wanted) in [(Fate::Found, true), (Fate::Missed, false)] {
        let similar = truth.similar.iter().rev();
        let chosen = similar.filter(|(_, pair)| is_candidate(pair) == wanted);
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
        .map(|pair| (distance(pair), *pair))
        .filter(|(distance, _)| *distance > limit)
        .collect();
    far.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let far = far.into_iter().take(EACH);
    examples.extend(far.map(|(distance, pair)| example(Fate::FalseCandidate, distance, pair)));
    examples
}
