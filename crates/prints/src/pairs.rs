use lookalike_engine::{Match, Pair};
use rayon::prelude::*;

use crate::{Error, Gallery, gallery::Searcher};

/// Two prints that lie over each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The prints.
    pub pair: Pair,
    /// What the matcher says.
    pub score: f32,
}

impl Gallery {
    /// All pairs of enrolled prints with a score of at least `threshold`, the best first.
    ///
    /// Each print asks the index, and the `depth` prints with the most votes are verified; a pair is found if either of
    /// the two brings the other.
    pub fn pairs(&self, threshold: f32, depth: usize) -> Result<Vec<Alike>, Error> {
        let ask = |searcher: &mut Searcher<'_>, id: u32| {
            // One more, since every print finds itself.
            let ranked = searcher.ranked(&self.templates[id as usize], depth.saturating_add(1))?;
            Ok(ranked
                .iter()
                .filter_map(|ranked| Pair::new(id, ranked.id))
                .collect())
        };
        let asked = (0..self.len() as u32).into_par_iter();
        let asked = asked.map_init(|| self.searcher(), ask);
        let mut pairs = asked.collect::<Result<Vec<Vec<Pair>>, Error>>()?.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        let verify = |work: &mut _, pair: Pair| {
            let (a, b) = (self.prepared(pair.a()), self.prepared(pair.b()));
            let score = self.matcher().compare_with(a, b, work).score();
            (score >= threshold).then_some(Alike { pair, score })
        };
        let verified = pairs.into_par_iter().map_init(Default::default, verify);
        let mut alike: Vec<Alike> = verified.flatten().collect();
        alike.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.pair.cmp(&b.pair)));
        Ok(alike)
    }
}

impl Alike {
    /// The pair as a match, for clusters: the better the score, the smaller the distance.
    #[must_use]
    pub fn as_match(&self) -> Match {
        Match {
            pair: self.pair,
            distance: 1.0 / (1.0 + f64::from(self.score)),
        }
    }
}
