use std::{
    io::{self, Write},
    mem::{Discriminant, discriminant},
};

use lookalike_core::plugin::{Remedied, Remedy};
use lookalike_corpus::{Corpus, Error, Place, Skipped};
use serde_json::json;

/// Reasons that are remembered; beyond, records are only counted, and copied.
const REASONS: usize = 100_000;

/// The records that are no documents and were passed over, in the order of the input.
#[derive(Debug, Default)]
pub(crate) struct PassedOver {
    places: Vec<Place>,
    reasons: Vec<String>,
    kinds: Vec<Kind>,
}

/// One kind of reason.
#[derive(Debug)]
pub(crate) struct Kind {
    of: Discriminant<Error>,
    /// How often it came.
    pub(crate) count: u64,
    /// The first reason of this kind, and what would fix it.
    pub(crate) reason: String,
    pub(crate) remedies: Vec<Remedy>,
}

impl PassedOver {
    pub(crate) fn add(&mut self, skipped: Vec<Skipped>) {
        for Skipped { place, reason } in skipped {
            self.places.push(place);
            let kind = discriminant(&reason);
            match self.kinds.iter_mut().find(|known| known.of == kind) {
                Some(known) => known.count += 1,
                None => self.kinds.push(Kind {
                    of: kind,
                    count: 1,
                    reason: reason.to_string(),
                    remedies: reason.remedies(),
                }),
            }
            if self.reasons.len() < REASONS {
                self.reasons.push(reason.to_string());
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The most frequent kind of reason.
    pub(crate) fn most(&self) -> Option<&Kind> {
        let first = self.kinds.iter().rev();
        first.max_by_key(|kind| kind.count)
    }

    /// How many there are in the first files.
    pub(crate) fn within(&self, files: usize) -> u64 {
        let places = self.places.iter();
        places.filter(|place| (place.file as usize) < files).count() as u64
    }

    /// Those of one file.
    pub(crate) fn of(&self, file: u32) -> &[Place] {
        let start = self.places.partition_point(|place| place.file < file);
        let end = self.places.partition_point(|place| place.file <= file);
        &self.places[start..end]
    }

    /// A record a line, with the reason.
    pub(crate) fn write(&self, corpus: &Corpus, out: &mut dyn Write) -> io::Result<()> {
        for (place, reason) in self.places.iter().zip(&self.reasons) {
            let file = corpus.files()[place.file as usize].name();
            writeln!(
                out,
                "{}",
                json!({"file": file, "line": place.line, "reason": reason})
            )?;
        }
        Ok(())
    }
}
