//! The third pass: each input copied, record by record, to what is kept and what is not.

use crate::feed::Feed;
use crate::{Corpus, Error, File, Place, Records};
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

impl Outputs<'_> {
    /// An output by its number, as [`Split::output`] gives it.
    pub(crate) fn output(&mut self, number: usize) -> &mut dyn Write {
        match number {
            0 => self.kept,
            1 => self.removed,
            _ => self.skipped,
        }
    }
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
    /// file that is one document goes whole. The header of CSV goes to all outputs.
    ///
    /// Each output of a JSON array is such an array again: all have what comes before the
    /// first record and after the last one, and the records are as they were, with what
    /// separates each from the one before it. Each output of a NumPy array has a head with
    /// its own number of rows.
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
        of.format().layout().split(Split {
            corpus: self,
            of,
            records,
            fate: &mut fate,
            to,
        })
    }
}

/// A file that is to be copied to three outputs.
pub(crate) struct Split<'a, 'w> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) of: &'a File,
    pub(crate) records: Records<'a>,
    pub(crate) fate: &'a mut dyn FnMut(usize, &Place) -> Fate,
    pub(crate) to: Outputs<'w>,
}

impl<'a> Split<'a, '_> {
    /// The file from its start.
    pub(crate) fn feed(&self) -> Result<Feed<'a>, Error> {
        Feed::new(self.corpus, self.records.file)
    }

    /// The number of the output of a record: 0 for what is kept, 1 for what is removed, 2 for what was passed over.
    pub(crate) fn output(&mut self, document: Option<usize>, place: &Place) -> usize {
        match document.map(|i| (self.fate)(i, place)) {
            Some(Fate::Keep) => 0,
            Some(Fate::Remove) => 1,
            None => 2,
        }
    }

    /// Copies each record with its line end, and the rest to what is kept.
    pub(crate) fn by_line(self) -> Result<(), Error> {
        let feed = self.feed()?;
        self.by_record(feed, [&[]; 3], Feed::copy_line_end)
    }

    /// Copies each record with what follows it, below a head for each output, and the rest to what is kept.
    pub(crate) fn by_record(
        mut self,
        mut feed: Feed<'a>,
        heads: [&[u8]; 3],
        end: impl Fn(&mut Feed<'a>, &mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (number, head) in heads.into_iter().enumerate() {
            let out = self.to.output(number);
            out.write_all(head)
                .map_err(|reason| Error::Write { reason })?;
        }
        for (document, place) in self.records.in_order() {
            feed.copy_to(place, self.to.output(0))?;
            let number = self.output(document, place);
            let out = self.to.output(number);
            feed.copy(u64::from(place.bytes), out)?;
            end(&mut feed, out)?;
        }
        feed.copy_rest(self.to.output(0))
    }

    /// Copies a file that is one record.
    pub(crate) fn whole(mut self) -> Result<(), Error> {
        let mut feed = self.feed()?;
        for (document, place) in self.records.in_order() {
            let number = self.output(document, place);
            feed.copy_rest(self.to.output(number))?;
        }
        feed.copy_rest(self.to.output(0))
    }
}
