use lookalike_core::{
    Bounds, Items, KEY_LIMIT, Scheme,
    plugin::{Distance, Error, Family, KeyFamily, Proposal, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    EditDistance, certain, edits,
    meetings::{joined, meetings, places},
};
use crate::{Strings, deletions::neighbours};

/// Strings without some of their letters: certain up to a number of edits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deletions {
    /// Edits up to which everything is found; `None`: the limit.
    pub reach: Option<u32>,
    /// How many letters of a string are looked at; `None`: what is cheapest.
    pub prefix: Option<u32>,
}

/// Prefixes that are tried.
const PREFIXES: [u32; 5] = [8, 12, 16, 24, 40];
/// Letters that are looked at unless a plan or the user says how many.
const DEFAULT_PREFIX: u32 = 12;
/// Nanoseconds to make a key and to join or find it.
const KEY_COST: f64 = 90.0;
/// Nanoseconds to compare a candidate.
const CANDIDATE_COST: f64 = 300.0;
/// Bytes of a key.
const KEY_BYTES: f64 = 40.0;

impl Deletions {
    /// What a prefix costs, if its keys fit in memory.
    fn proposal(
        &self,
        distance: &EditDistance,
        items: &Strings,
        task: &Task,
        (reach, prefix): (u32, u32),
    ) -> Result<Option<Proposal<Self>>, Error> {
        // Without all letters of the prefix all strings are equal.
        if prefix <= reach || neighbours(prefix as usize, reach) > KEY_LIMIT as f64 {
            return Ok(None);
        }
        let source = crate::Deletions::new(distance.units, reach, prefix)?;
        let count = items.count();
        let sampled = count.min(1000);
        let keys_of = |place| {
            let length = distance.units.count(items.item(place)).min(prefix as usize);
            neighbours(length, reach)
        };
        let keys: f64 = places(count, sampled).map(keys_of).sum();
        let each = keys / sampled.max(1) as f64;
        let keys = each * (count + task.queries.unwrap_or(0)) as f64;
        let hashing = KEY_COST * keys;
        let everything = EditDistance::cost(0) * task.comparisons(count);
        if keys * KEY_BYTES > task.memory as f64 || hashing > everything && !task.is_named {
            return Ok(None);
        }
        let candidates = joined(meetings(&source, each, items, task), task);
        let settled = Self {
            reach: Some(reach),
            prefix: Some(prefix),
        };
        let cost = hashing + CANDIDATE_COST * candidates;
        Ok(Some(certain::proposal(settled, reach, cost, task)))
    }
}

impl Family for Deletions {
    const NAME: &'static str = "deletions";
    const SUMMARY: &'static str =
        "strings without some of their letters: certain up to a number of edits";
    const CAVEAT: &'static str =
        "Strings within `reach` edits meet for certain. A plan sets `reach` to the limit.";
    type Distance = EditDistance;
    type Keys = DeletionKeys;

    fn keys(&self, distance: &EditDistance, _: usize) -> Result<DeletionKeys, Error> {
        let prefix = self.prefix.unwrap_or(DEFAULT_PREFIX);
        let source = crate::Deletions::new(distance.units, self.reach.unwrap_or(1), prefix)?;
        Ok(DeletionKeys(source))
    }

    /// The cheapest prefix.
    fn propose(
        &self,
        distance: &EditDistance,
        items: &Strings,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let (Some(reach), None) = (self.reach.or(edits(task.limit)), &task.scheme) else {
            return Ok(None);
        };
        if let Some(prefix) = self.prefix {
            // Refuses a prefix that is too long.
            crate::Deletions::new(distance.units, reach, prefix)?;
            return self.proposal(distance, items, task, (reach, prefix));
        }
        let mut best: Option<Proposal<Self>> = None;
        for prefix in PREFIXES {
            let proposal = self.proposal(distance, items, task, (reach, prefix))?;
            best = [best, proposal]
                .into_iter()
                .flatten()
                .min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        }
        Ok(best)
    }
}

/// The keys of [`Deletions`].
#[derive(Clone, Copy, Debug)]
pub struct DeletionKeys(crate::Deletions);

impl KeyFamily for DeletionKeys {
    type Item = str;
    type Source = crate::Deletions;

    fn source(&self, scheme: &Scheme, _: u64) -> Result<crate::Deletions, Error> {
        certain::refuse_steps(Deletions::NAME, scheme)?;
        Ok(self.0)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        certain::promise(self.0.reach(), scheme, distance)
    }
}
