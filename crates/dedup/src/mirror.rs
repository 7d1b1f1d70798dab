//! The inputs again, without duplicates or with notes.

use std::{
    ffi::OsString,
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use lookalike_corpus::{self as corpus, Added, AddedColumn, Codec, File, Outputs, Records};
use lookalike_output::{Progress, ResultFolder};

use crate::{
    Error, Mode, Output,
    documents::Doc,
    output::{Fate, Results},
    packed::PackedFile,
};

/// What the mode [`Annotate`](Mode::Annotate) adds: a member to JSON objects, columns to tables.
const NOTE: Added<'static> = Added {
    member: "lookalike",
    columns: &[
        AddedColumn {
            name: "duplicate_of",
            is_number: false,
        },
        AddedColumn {
            name: "similarity",
            is_number: true,
        },
        AddedColumn {
            name: "cluster",
            is_number: false,
        },
    ],
};

impl Results<'_> {
    /// Copies the documents of one file as the settings say.
    pub(crate) fn mirror(
        &self,
        folder: &mut ResultFolder,
        output: &Output,
        file: u32,
        docs: Range<usize>,
        fates: &[Option<Fate>],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let fates = &fates[docs.clone()];
        let meter = &Meter::new(self, file, docs.clone(), progress);
        let records = Records {
            file,
            documents: &self.documents.places[docs.clone()],
            skipped: self.skipped.of(file),
        };
        let of = &self.corpus.files()[file as usize];
        let codec = output.compress.codec(of);
        let is_whole = of.format().is_whole_file();
        // A file that is one document goes to one place.
        let has = |is_wanted: bool| !is_whole || is_wanted;
        let removes = fates.iter().any(Option::is_some);
        let skips = !records.skipped.is_empty();
        let mut open = |kind: &str, is_wanted: bool| match is_wanted {
            true => Copied::file(folder, &Path::new(kind).join(name(of, codec)), codec, meter),
            false => Ok(Copied::nowhere(meter)),
        };
        match output.mode {
            Mode::Ids | Mode::Report => Ok(()),
            Mode::Remove => {
                let whole = match (removes, skips) {
                    (false, false) => Some("kept"),
                    (true, _) if is_whole => Some("removed"),
                    (false, true) if is_whole => Some("skipped"),
                    _ => None,
                };
                // What stays whole stays compressed as it is.
                let whole = whole.filter(|_| is_packed_so(of, codec));
                let part = |kind: &str, is_wanted: bool| is_wanted && whole != Some(kind);
                let mut kept = open("kept", part("kept", has(!removes && !skips)))?;
                let mut removed = open("removed", part("removed", has(removes)))?;
                let mut skipped = open("skipped", part("skipped", skips))?;
                let fate = |i: usize, _: &_| match fates[i] {
                    None => corpus::Fate::Keep,
                    Some(_) => corpus::Fate::Remove,
                };
                let to = Outputs {
                    kept: kept.writer(),
                    removed: removed.writer(),
                    skipped: skipped.writer(),
                };
                let split = self.corpus.split(records, fate, to);
                split.map_err(kept.or_read())?;
                kept.finish()?;
                removed.finish()?;
                skipped.finish()?;
                match whole {
                    Some(kind) => {
                        self.copy(folder, &Path::new(kind).join(name(of, codec)), file, meter)
                    }
                    None => Ok(()),
                }
            }
            Mode::Annotate => {
                let mut out = open("annotated", true)?;
                let mut skipped = open("skipped", skips)?;
                let first = docs.start;
                let note = |i: usize| Some(self.note((first + i) as Doc, fates[i]));
                let annotate =
                    (self.corpus).annotate(records, NOTE, note, out.writer(), skipped.writer());
                annotate.map_err(out.or_read())?;
                out.finish()?;
                skipped.finish()
            }
        }
    }

    /// Copies a file as it is.
    fn copy(
        &self,
        folder: &mut ResultFolder,
        name: &Path,
        file: u32,
        meter: &Meter<'_>,
    ) -> Result<(), Error> {
        let mut out = Copied::file(folder, name, None, meter)?;
        let copied = self.corpus.copy(file, out.writer());
        copied.map_err(out.or_read())?;
        out.finish()
    }
}

/// Whether a file is on disk as it would be written.
fn is_packed_so(file: &File, codec: Option<Codec>) -> bool {
    codec.is_some() && codec == file.codec() && file.bytes().is_some()
}

/// The path of a file that mirrors another, below the folder of its kind.
pub(crate) fn name(of: &File, codec: Option<Codec>) -> PathBuf {
    let mut name = OsString::from(of.mirror());
    if let Some(codec) = codec {
        name.push(".");
        name.push(codec.extension());
    }
    name.into()
}

/// Tells how much of a file was copied, by the bytes that were written.
///
/// Not by the documents that were asked for, since Parquet asks for all of them before it writes.
struct Meter<'a> {
    progress: &'a dyn Progress,
    docs: Range<usize>,
    /// Bytes to expect.
    bytes: u64,
    written: AtomicU64,
}

impl<'a> Meter<'a> {
    /// Bytes between two reports.
    const STEP: u64 = 1 << 18;

    fn new(
        results: &Results<'_>,
        file: u32,
        docs: Range<usize>,
        progress: &'a dyn Progress,
    ) -> Self {
        let of = &results.corpus.files()[file as usize];
        let texts = &results.documents.lengths[docs.clone()];
        let texts: u64 = texts.iter().map(|&length| u64::from(length)).sum();
        let on_disk = of.bytes().filter(|_| of.codec().is_none()).unwrap_or(0);
        Self {
            progress,
            docs,
            bytes: texts.max(on_disk).max(1),
            written: AtomicU64::new(0),
        }
    }

    fn add(&self, bytes: usize) {
        let before = self.written.fetch_add(bytes as u64, Ordering::Relaxed);
        let now = before + bytes as u64;
        if before / Self::STEP != now / Self::STEP {
            let share = (now as f64 / self.bytes as f64).min(1.0);
            let docs = (share * self.docs.len() as f64) as usize;
            self.progress.reach((self.docs.start + docs) as u64);
        }
    }
}

/// Where a part of a file is copied to: a file, or nowhere.
struct Copied<'a> {
    out: Option<PackedFile>,
    meter: &'a Meter<'a>,
}

impl Write for Copied<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.out {
            Some(out) => out.file.write(bytes)?,
            None => bytes.len(),
        };
        self.meter.add(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.file.flush())
    }
}

impl<'a> Copied<'a> {
    fn nowhere(meter: &'a Meter<'a>) -> Self {
        Self { out: None, meter }
    }

    fn file(
        folder: &mut ResultFolder,
        name: &Path,
        codec: Option<Codec>,
        meter: &'a Meter<'a>,
    ) -> Result<Self, Error> {
        let out = Some(PackedFile::create(folder, name, codec)?);
        Ok(Self { out, meter })
    }

    fn writer(&mut self) -> &mut (dyn Write + Send) {
        self
    }

    /// The error of a copy: of this file, or of the one that was read.
    fn or_read(&self) -> impl FnOnce(corpus::Error) -> Error {
        let of_file = self.out.as_ref().map(PackedFile::or_read);
        move |error| match of_file {
            Some(of_file) => of_file(error),
            None => error.into(),
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.out.map_or(Ok(()), PackedFile::finish)
    }
}
