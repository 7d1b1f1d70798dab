use lookalike_minhash::{Counts, Overlap, ShinglerScratch};

use crate::{
    Error,
    file::{Item, Stored, Unpacker},
    hashing::Hashing,
};

/// Compares one text with others, exactly.
#[derive(Debug, Default)]
pub(crate) struct Compare {
    overlap: Overlap<'static>,
    shingler: ShinglerScratch,
    elements: Vec<u64>,
    unpacker: Unpacker,
    buffer: Vec<u8>,
}

impl Compare {
    /// Another one that holds the same text.
    pub(crate) fn again(&self) -> Self {
        Self {
            overlap: self.overlap.clone(),
            ..Self::default()
        }
    }

    /// Holds the text with these elements.
    pub(crate) fn hold(&mut self, elements: &[u64]) {
        self.overlap.hold(elements.to_vec());
    }

    /// Compares with a text.
    pub(crate) fn text(&mut self, hashing: &Hashing, text: &str) -> Counts {
        hashing.elements(text, &mut self.shingler, &mut self.elements);
        self.overlap.compare(&self.elements)
    }

    /// Compares with a text of a file.
    pub(crate) fn stored(
        &mut self,
        hashing: &Hashing,
        stored: &Stored,
        item: &Item,
    ) -> Result<Counts, Error> {
        let text = stored.text(item, &mut self.buffer, &mut self.unpacker)?;
        hashing.elements(text, &mut self.shingler, &mut self.elements);
        Ok(self.overlap.compare(&self.elements))
    }
}

/// The similarity, if there is any and it reaches the least; a fraction that is the least does, however it is rounded.
pub(crate) fn reaching(counts: Counts, least: f64) -> Option<f64> {
    let reaches = counts.a as f64 >= least * counts.union() as f64 - 1e-9;
    (counts.a > 0 && reaches).then(|| counts.similarity())
}
