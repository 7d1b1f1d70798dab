use std::slice;

use lookalike_core::{
    Items, KEY_LIMIT,
    plugin::{Distance, Error, Family, Proposal, Remedy, Setting, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    EditDistance,
    certain::{CertainKeys, proposal},
    edits,
    meetings::{joined, meetings, places},
};
use crate::{Strings, deletions::neighbours, refused};

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
        Ok(Some(proposal(settled, reach, cost, task)))
    }
}

impl Family for Deletions {
    const NAME: &'static str = "deletions";
    const SUMMARY: &'static str =
        "strings without some of their letters: certain up to a number of edits";
    const CAVEAT: &'static str =
        "Strings within `reach` edits meet for certain. A plan sets `reach` to the limit.";
    type Distance = EditDistance;
    type Keys = CertainKeys<crate::Deletions>;

    fn keys(&self, distance: &EditDistance, _: usize) -> Result<Self::Keys, Error> {
        let prefix = self.prefix.unwrap_or(DEFAULT_PREFIX);
        let source = crate::Deletions::new(distance.units, self.reach.unwrap_or(1), prefix)?;
        Ok(CertainKeys {
            family: Self::NAME,
            reach: source.reach(),
            source,
        })
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
        let mut prefixes = &PREFIXES[..];
        if let Some(prefix) = &self.prefix {
            // Refuses a prefix that is too long.
            crate::Deletions::new(distance.units, reach, *prefix)?;
            if *prefix <= reach {
                return Err(refused("prefix", prefix, format!("above {reach}, the edits")).into());
            }
            prefixes = slice::from_ref(prefix);
        }
        let mut best: Option<Proposal<Self>> = None;
        for &prefix in prefixes {
            let proposal = self.proposal(distance, items, task, (reach, prefix))?;
            best = [best, proposal]
                .into_iter()
                .flatten()
                .min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        }
        if best.is_none() && task.is_named {
            let message = format!(
                "{reach} edits are too many for {}: strings would have too many keys",
                Self::NAME
            );
            let remedy = Remedy::new("leave out", Setting("family"));
            return Err(Error::new(message).remedy(remedy));
        }
        Ok(best)
    }
}
