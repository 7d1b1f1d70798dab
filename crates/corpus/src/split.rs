//! The third pass: each input copied, record by record, to what is kept and what is not.

use crate::feed::Feed;
use crate::{Corpus, Error, Format, Place};
use std::io::Write;

/// Where a document goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// To what is kept.
    Keep,
    /// To what is removed.
    Remove,
}

impl Corpus {
    /// Copies a file to two outputs, each document with its line end to one of them.
    ///
    /// `places` are those of the file's documents, in their order; `fate` is asked once
    /// for each, with its number in `places`. Bytes are not changed, and each byte of the
    /// file goes to exactly one output: what is no document's (blank lines, a byte order
    /// mark) to `kept`, so that `kept` is the file if nothing is removed. Where each line
    /// ends in a newline, so do those of both outputs; a last line without one is the
    /// last of its output too. A file that is one document goes whole.
    ///
    /// The outputs get many small writes, and should be buffered.
    ///
    /// # Errors
    ///
    /// If reading or writing fails, or if the file is not what it was.
    pub fn split(
        &self,
        file: u32,
        places: &[Place],
        mut fate: impl FnMut(usize, &Place) -> Fate,
        kept: &mut dyn Write,
        removed: &mut dyn Write,
    ) -> Result<(), Error> {
        let whole = self.file(file)?.format() == Format::Files;
        let mut feed = Feed::new(self, file)?;
        for (i, place) in places.iter().enumerate() {
            if !whole {
                feed.copy_to(place, kept)?;
            }
            let out: &mut dyn Write = match fate(i, place) {
                Fate::Keep => &mut *kept,
                Fate::Remove => &mut *removed,
            };
            if whole {
                feed.copy_rest(out)?;
            } else {
                feed.copy(u64::from(place.bytes), out)?;
                feed.copy_line_end(out)?;
            }
        }
        feed.copy_rest(kept)
    }
}
