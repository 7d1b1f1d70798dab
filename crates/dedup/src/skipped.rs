use std::io::{self, Write};

use lookalike_corpus::{Corpus, Place, Skipped};
use serde_json::json;

/// Reasons that are remembered; beyond, records are only counted, and copied.
const REASONS: usize = 100_000;

/// The records that are no documents and were passed over, in the order of the input.
#[derive(Debug, Default)]
pub(crate) struct PassedOver {
    places: Vec<Place>,
    reasons: Vec<String>,
}

impl PassedOver {
    pub(crate) fn add(&mut self, skipped: Vec<Skipped>) {
        for Skipped { place, reason } in skipped {
            self.places.push(place);
            if self.reasons.len() < REASONS {
                self.reasons.push(reason.to_string());
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
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
