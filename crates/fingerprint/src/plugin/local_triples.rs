use lookalike_core::{
    KeySource, Scheme,
    plugin::{Error, Family, Hit, KeyFamily, Proposal, Recall, Task},
};
use serde::{Deserialize, Serialize};

use super::Matched;
use crate::{Template, Triples, Votes};

/// Squares in each minutia's own frame, and votes that agree. Nothing is promised, so nothing can be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalTriples {
    /// How many prints with the most votes are verified.
    pub verified: usize,
    /// What keys are made of.
    pub triples: Triples,
}

impl Default for LocalTriples {
    fn default() -> Self {
        Self {
            verified: 100,
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
        crate::LocalTriples::new(self.triples)?;
        if self.verified == 0 {
            let message = "verified is 0, but at least 1 print must be verified";
            return Err(Error::new(message));
        }
        Ok(self.clone())
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
        Some(self.verified)
    }

    fn rank(&self, hits: &[Hit<<Self::Source as KeySource>::Payload>]) -> Vec<u32> {
        let mut votes = Votes::default();
        for hit in hits {
            votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
        }
        let ranked = votes.ranked(self.verified);
        ranked.iter().map(|ranked| ranked.id).collect()
    }
}
