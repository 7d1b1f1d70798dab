//! From what people write to an id.

use lookalike_output::Suggestions;

use crate::{Error, Id, TextIndex, file::Document};

/// Ids that are looked at to find one that was perhaps meant.
const LOOKED_AT: usize = 1 << 20;

impl TextIndex {
    /// The id that is meant: as JSON, or without quotes where that leaves no doubt.
    pub fn meant(&self, given: &str) -> Result<Id, Error> {
        let as_text = Id::from(given);
        let as_json = Id::from_json(given).filter(|id| *id != as_text);
        let is_text = self.contains(&as_text)?;
        let json = match as_json {
            Some(id) => self.contains(&id)?.then_some(id),
            None => None,
        };
        match (json, is_text) {
            (Some(_), true) => Err(Error::Ambiguous { id: given.into() }),
            (Some(id), false) => Ok(id),
            (None, true) => Ok(as_text),
            (None, false) => Err(Error::Unknown {
                id: given.into(),
                near: self.near(given)?,
            }),
        }
    }

    /// Ids that look like this one.
    fn near(&self, given: &str) -> Result<Vec<Id>, Error> {
        let mut near = Suggestions::default();
        let mut look = |id: Id| near.add(given, &id.to_string(), || id);
        self.fresh
            .ids()
            .take(LOOKED_AT)
            .cloned()
            .for_each(&mut look);
        if let Some(stored) = &self.stored {
            let mut rows = stored.layout.documents.rows(&stored.bytes);
            let buffer = &mut Vec::new();
            for number in 0..LOOKED_AT as u32 {
                let Some(record) = rows.next()? else { break };
                if !self.removed.documents.contains(&number) {
                    look(stored.id(&Document::from_bytes(&record), buffer)?);
                }
            }
        }
        Ok(near.into_values())
    }
}
