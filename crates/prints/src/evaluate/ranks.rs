use serde::Serialize;

use super::Probed;

/// Where mates stand in ranked lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranks {
    /// The share of probes whose mate comes first.
    pub first: f64,
    /// The share whose mate is among the best hundredth of the gallery.
    pub within_1_percent: f64,
    /// The share whose mate is among the best twentieth.
    pub within_5_percent: f64,
    /// The cumulative match characteristic: the share whose mate is among the best r, for r = 1, 2, … up to 100, and past that
    /// where it changes.
    pub cmc: Vec<(usize, f64)>,
}

impl Ranks {
    /// From the mates' places, from 0; `None`: not in the list.
    pub(super) fn new(places: impl Iterator<Item = Option<usize>>, gallery: usize) -> Self {
        let places: Vec<Option<usize>> = places.collect();
        let count = places.len().max(1) as f64;
        let mut found: Vec<usize> = places.into_iter().flatten().collect();
        found.sort_unstable();
        let within = |best: usize| found.partition_point(|&place| place < best) as f64 / count;
        let share = |share: f64| within((gallery as f64 * share).ceil() as usize);
        let later = found
            .iter()
            .map(|&place| place + 1)
            .filter(|&rank| rank > 100);
        let mut ranks: Vec<usize> = (1..=gallery.min(100))
            .chain(later)
            .chain([gallery])
            .collect();
        ranks.dedup();
        Self {
            first: within(1),
            within_1_percent: share(0.01),
            within_5_percent: share(0.05),
            cmc: ranks.iter().map(|&rank| (rank, within(rank))).collect(),
        }
    }
}

/// Hits and penetration where candidates need so many votes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The least score of a candidate.
    pub score: f32,
    /// The share of probes whose mate is a candidate.
    pub hit: f64,
    /// The share of the gallery that are candidates, of a probe on average.
    pub penetration: f64,
}

/// The curve over scores, from those of all candidates to those that hardly any reaches.
pub(super) fn penetration(probed: &[&Probed], gallery: usize) -> Vec<Curve> {
    const POINTS: usize = 60;
    let mut mates: Vec<f32> = probed.iter().filter_map(|one| Some(one.found?.1)).collect();
    mates.sort_unstable_by(f32::total_cmp);
    // From any vote at all to the best mate, at scores that mates have.
    let scores = (0..POINTS).filter_map(|point| mates.get(point * mates.len() / POINTS));
    let mut scores: Vec<f32> = std::iter::once(0.0).chain(scores.copied()).collect();
    scores.dedup();
    let probes = probed.len().max(1) as f64;
    let curve = scores.into_iter().map(|score| {
        let hits = mates.len() - mates.partition_point(|&mate| mate < score);
        let candidates = |one: &&&Probed| one.scores.partition_point(|&other| other >= score);
        let candidates: usize = probed.iter().map(|one| candidates(&one)).sum();
        Curve {
            score,
            hit: hits as f64 / probes,
            penetration: candidates as f64 / probes / gallery as f64,
        }
    });
    curve.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_mates() {
        let places = [Some(0), Some(0), Some(1), Some(40), None];
        let ranks = Ranks::new(places.into_iter(), 400);
        assert_eq!((ranks.first, ranks.within_1_percent), (0.4, 0.6));
        assert_eq!(ranks.within_5_percent, 0.6);
        assert_eq!(ranks.cmc[..2], [(1, 0.4), (2, 0.6)]);
        assert_eq!(ranks.cmc.last(), Some(&(400, 0.8)));
    }

    #[test]
    fn candidates_need_the_score() {
        let one = |scores: &[f32], mate: Option<usize>| Probed {
            set: 0,
            hits: 0,
            found: mate.map(|place| (place, scores[place])),
            verified: None,
            scores: scores.to_vec(),
            probe: 0,
            mate: 0,
            score: 0.0,
            best: None,
        };
        let probed = [one(&[5.0, 2.0, 1.0], Some(0)), one(&[4.0, 2.0], Some(1))];
        let curve = penetration(&probed.iter().collect::<Vec<_>>(), 10);
        let points: Vec<_> = curve
            .iter()
            .map(|at| (at.score, at.hit, at.penetration))
            .collect();
        assert_eq!(
            points,
            [(0.0, 1.0, 0.25), (2.0, 1.0, 0.2), (5.0, 0.5, 0.05)]
        );
    }
}
