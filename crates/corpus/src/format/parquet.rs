use super::{Facts, Layout};
use crate::Error;
use crate::json::{self, Fields};
use crate::lines::{Lines, Read, Scratch};
#[cfg(feature = "parquet")]
use crate::{
    Corpus, File,
    annotate::Annotation,
    format::Head,
    parquet::{self, Rows},
    split::Split,
    stream::Stream,
};

/// Rows of a Parquet file.
///
/// The columns that are asked for are read as a stream of JSONL, so that they are cut, kept and found again as lines are.
/// Bytes and lists of numbers are strings and arrays in it, which are read back here.
#[derive(Debug)]
pub(super) struct Parquet;

impl Layout for Parquet {
    fn facts(&self) -> Facts {
        Facts {
            has_fields: true,
            is_compressed_inside: true,
            ..Facts::new("parquet", &["parquet"])
        }
    }

    fn sniff(&self, head: &[u8], _is_named: bool) -> bool {
        head.starts_with(b"PAR1") || head.starts_with(b"PARE")
    }

    /// What a file starts with is at its end, so that it must be on disk as it is.
    fn check_origin(&self, name: &str, is_plain: bool, is_on_disk: bool) -> Result<(), Error> {
        let refused = |reason| {
            Err(Error::NoParquet {
                file: name.to_owned(),
                reason,
            })
        };
        match (is_plain, is_on_disk) {
            _ if !cfg!(feature = "parquet") => {
                refused("is not part of this build; turn on its feature `parquet`")
            }
            (false, _) => refused("inside gzip or zstd cannot be read; unpack it first"),
            (_, false) => refused("cannot be read from a pipe; save it to a file, and name that"),
            (true, true) => Ok(()),
        }
    }

    #[cfg(feature = "parquet")]
    fn stream(&self, file: &File, corpus: &Corpus) -> Result<Option<Stream>, Error> {
        let rows = Rows::open(
            file.name(),
            file.reopened()?,
            &corpus.fields,
            corpus.expansion,
        )?;
        file.set_head(Head::Parquet(rows.holding()));
        let on_disk = rows.on_disk();
        let rows = Box::new(rows);
        Ok(Some(Stream::of(
            file.name(),
            rows,
            on_disk,
            corpus.expansion,
        )))
    }

    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let read = json::record(lines.bytes, at, fields, &mut scratch.json, lines.at(line))?;
        #[cfg(feature = "parquet")]
        if let Some(Head::Parquet(holding)) = lines.head {
            return holding.read(read, &mut scratch.row, lines.at(line), fields);
        }
        Ok(read)
    }

    #[cfg(feature = "parquet")]
    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        parquet::split(split)
    }

    #[cfg(feature = "parquet")]
    fn annotate(&self, annotation: Annotation<'_, '_>) -> Result<(), Error> {
        parquet::annotate(annotation)
    }
}
