use hashbrown::HashSet;

use super::{known::Known, sample::draw, sampled::Sampled};
use crate::{Error, documents::Doc, finished::Finished};

/// What the pairs in `pairs.jsonl` say.
#[derive(Debug)]
pub(super) struct Listed {
    /// Some pairs, to be compared again, with their similarity as it is listed.
    pub(super) drawn: Vec<(Doc, Doc, Option<f64>)>,
    /// Texts of the sample, each with a text that it is listed with.
    found: HashSet<(u32, u128)>,
}

impl Listed {
    /// Goes through the `all` pairs of a run.
    pub(super) fn new(
        finished: &Finished,
        known: &Known,
        sampled: &Sampled,
        [wanted, all]: [u64; 2],
        seed: u64,
    ) -> Result<Self, Error> {
        let places = draw(wanted, all, seed);
        let mut next = places.iter().peekable();
        let mut listed = Self {
            drawn: Vec::with_capacity(places.len()),
            found: HashSet::new(),
        };
        let mut number = 0;
        finished.pairs(|line| {
            let doc = |id: &str, is_old| {
                let unknown = || finished.changed(format!("no document is called {id} any more"));
                known.by_id(id, is_old).ok_or_else(unknown)
            };
            let a = doc(line.a.get(), false)?;
            let b = doc(line.b.get(), line.against)?;
            if next.next_if_eq(&&number).is_some() {
                listed.drawn.push((a, b, line.similarity));
            }
            number += 1;
            for (one, other) in [(a, b), (b, a)] {
                if let Some(text) = sampled.text(known.digest(one)) {
                    listed.found.insert((text, known.digest(other)));
                }
            }
            Ok(())
        })?;
        if number != all {
            return Err(Error::Finished {
                path: finished.folder.join("pairs.jsonl"),
                message: format!("{number} pairs, but report.json counts {all}"),
            });
        }
        Ok(listed)
    }

    /// Whether the run lists a pair between a text of the sample and another.
    pub(super) fn has(&self, text: u32, other: u128) -> bool {
        self.found.contains(&(text, other))
    }
}
