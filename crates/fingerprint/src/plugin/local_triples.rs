use lookalike_core::{
    KeySource, Scheme,
    plugin::{Error, Family, Hit, KeyFamily, Proposal, Recall, Task},
};
use serde::{Deserialize, Serialize};

use super::{Matched, refused};
use crate::{Template, Triples, Votes};

/// Squares in each minutia's own frame, and votes that agree. Nothing is promised, so nothing can be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalTriples {
    /// How many prints with the most votes are verified.
    pub best: usize,
    /// What keys are made of.
    pub triples: Triples,
}

impl Default for LocalTriples {
    fn default() -> Self {
        Self {
            best: 10,
            triples: Triples::default(),
        }
    }
}

impl Family for LocalTriples {
    const NAME: &'static str = "local-triples";
    const SUMMARY: &'static str = "squares in each minutia's own frame, and votes that agree";
    type Distance = Matched;
    type Keys = Self;

    fn keys(&self, _: &Matched, _: usize) -> Result<Self, Error> {
        crate::LocalTriples::new(self.triples).map_err(|error| refused(&error, "triples"))?;
        if self.best == 0 {
            let message = "best is 0, but at least 1 print must be verified";
            return Err(Error::new(message).about("best"));
        }
        Ok(self.clone())
    }

    fn scheme(&self) -> Option<Scheme> {
        Some(Scheme::default())
    }

    fn propose(
        &self,
        distance: &Matched,
        _: &Vec<Template>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        self.keys(distance, 0)?;
        if task.is_exact() {
            return Ok(None);
        }
        Ok(Some(Proposal {
            parameters: self.clone(),
            scheme: Scheme::default(),
            recall: Recall::Unknown,
            seconds: 0.0,
        }))
    }
}

impl KeyFamily for LocalTriples {
    type Item = Template;
    type Source = crate::LocalTriples;

    fn source(&self, _: &Scheme, seed: u64) -> Result<crate::LocalTriples, Error> {
        let seed = self.triples.seed.wrapping_add(seed);
        Ok(crate::LocalTriples::new(Triples {
            seed,
            ..self.triples
        })?)
    }

    fn verified(&self) -> Option<usize> {
        Some(self.best)
    }

    fn rank(&self, hits: &[Hit<<Self::Source as KeySource>::Payload>]) -> Vec<u32> {
        let mut votes = Votes::default();
        for hit in hits {
            votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
        }
        let ranked = votes.ranked(self.best);
        ranked.iter().map(|ranked| ranked.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let default = LocalTriples::default();
        assert_eq!(default.verified(), Some(10));
        assert_eq!(default.scheme(), Some(Scheme::default()));
        let wrong = |family: LocalTriples| {
            let error = family.keys(&Matched::default(), 0).unwrap_err();
            error.parameter().map(str::to_owned).unwrap()
        };
        let best = LocalTriples {
            best: 0,
            ..default.clone()
        };
        assert_eq!(wrong(best), "best");
        let triples = Triples {
            squares: 0,
            ..default.triples
        };
        assert_eq!(wrong(LocalTriples { triples, ..default }), "triples");
    }
}
