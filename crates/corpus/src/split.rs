//! The third pass: each input copied, record by record, to what is kept and what is not.

use crate::feed::Feed;
use crate::{Corpus, Error, Format, Place, Records};
use std::fmt;
use std::io::Write;

/// Where a document goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// To what is kept.
    Keep,
    /// To what is removed.
    Remove,
}

/// What a file is split into.
///
/// They get many small writes, and should be buffered.
pub struct Outputs<'w> {
    /// Documents that are kept, and what is no record.
    pub kept: &'w mut (dyn Write + Send),
    /// Documents that are removed.
    pub removed: &'w mut (dyn Write + Send),
    /// What was passed over.
    pub skipped: &'w mut (dyn Write + Send),
}

impl fmt::Debug for Outputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs").finish_non_exhaustive()
    }
}

impl Corpus {
    /// Copies a file to three outputs, each record with its line end to one of them.
    ///
    /// `fate` is asked once for each document, with its number among those of the file.
    /// Bytes are not changed, and each byte of the file goes to exactly one output: what
    /// is no record's (blank lines, a byte order mark) to `kept`, so that `kept` is the
    /// file if nothing is removed or was skipped. Where each line ends in a newline, so
    /// do those of all outputs; a last line without one is the last of its output too. A
    /// file that is one document goes whole. Only the header of CSV goes to all outputs.
    ///
    /// Parquet is not split by bytes: each output is a Parquet file with the same columns
    /// and notes, in which the columns of each row group have the codecs that they had. An
    /// output that gets all rows is the file itself.
    ///
    /// # Errors
    ///
    /// If reading or writing fails, or if the file is not what it was.
    pub fn split(
        &self,
        records: Records<'_>,
        mut fate: impl FnMut(usize, &Place) -> Fate,
        to: Outputs<'_>,
    ) -> Result<(), Error> {
        let of = self.file(records.file)?;
        #[cfg(feature = "parquet")]
        if of.format() == Format::Parquet {
            return crate::parquet::split(self, of, records, fate, to);
        }
        let whole = of.format() == Format::Files;
        let mut feed = Feed::new(self, records.file)?;
        if let Some(header) = of.header() {
            let mut row = Vec::new();
            feed.copy(header.next, &mut row)?;
            for out in [&mut *to.kept, &mut *to.removed, &mut *to.skipped] {
                out.write_all(&row)
                    .map_err(|reason| Error::Write { reason })?;
            }
        }
        for (document, place) in records.in_order() {
            if !whole {
                feed.copy_to(place, to.kept)?;
            }
            let out: &mut dyn Write = match document.map(|i| fate(i, place)) {
                Some(Fate::Keep) => &mut *to.kept,
                Some(Fate::Remove) => &mut *to.removed,
                None => &mut *to.skipped,
            };
            if whole {
                feed.copy_rest(out)?;
            } else {
                feed.copy(u64::from(place.bytes), out)?;
                feed.copy_line_end(out)?;
            }
        }
        feed.copy_rest(to.kept)
    }
}
