//! The third pass when nothing is removed: records with members added to them.

use crate::feed::Feed;
use crate::{Corpus, Error, Format, Place};
use std::io::Write;

impl Corpus {
    /// Copies a file of records, with members added at the end of some of them.
    ///
    /// `places` are those of the file's documents, in their order; `extra` is asked once
    /// for each, by its number in `places`, for members as JSON, such as
    /// `"duplicate_of": 3, "similarity": 0.9`. Everything else stays as it is. Members
    /// are not compared with those that the record has.
    ///
    /// # Errors
    ///
    /// If the file's documents are not records, if reading or writing fails, or if the
    /// file is not what it was.
    pub fn annotate(
        &self,
        file: u32,
        places: &[Place],
        mut extra: impl FnMut(usize) -> Option<String>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let of = self.file(file)?;
        if of.format() != Format::Jsonl {
            return Err(Error::NotRecords {
                file: of.name().to_owned(),
            });
        }
        let mut feed = Feed::new(self, file)?;
        let mut record = Vec::new();
        for (i, place) in places.iter().enumerate() {
            feed.copy_to(place, out)?;
            let Some(members) = extra(i).filter(|members| !members.trim().is_empty()) else {
                feed.copy(u64::from(place.bytes), out)?;
                continue;
            };
            record.clear();
            feed.copy(u64::from(place.bytes), &mut record)?;
            let (before, after) = open_end(&record).ok_or_else(|| Error::changed(of.name()))?;
            let comma = if before.ends_with(b"{") { "" } else { ", " };
            for part in [before, comma.as_bytes(), members.as_bytes(), after] {
                out.write_all(part)
                    .map_err(|reason| Error::Write { reason })?;
            }
        }
        feed.copy_rest(out)
    }
}

/// The record up to its last member, and what follows it: blanks and the closing brace.
fn open_end(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = record.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end();
    Some(record.split_at(open.len()))
}
