//! The inputs again, without duplicates or with notes.

use std::{
    ffi::OsString,
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use lookalike_corpus::{self as corpus, Codec, File, Outputs, Records};
use lookalike_output::ResultFolder;

use crate::{
    Error, Mode, Output,
    output::{Fate, Results},
    packed::PackedFile,
};

/// The member that the mode [`Annotate`](Mode::Annotate) adds to records.
const NOTE: &str = "lookalike";

impl Results<'_> {
    /// Copies the documents of one file as the settings say.
    pub(crate) fn mirror(
        &self,
        folder: &mut ResultFolder,
        output: &Output,
        file: u32,
        docs: Range<usize>,
        fates: &[Option<Fate>],
    ) -> Result<(), Error> {
        let fates = &fates[docs.clone()];
        let records = Records {
            file,
            documents: &self.documents.places[docs],
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
            true => Copied::file(folder, &name(kind, of, codec), codec),
            false => Ok(Copied::nowhere()),
        };
        match output.mode {
            Mode::Report => Ok(()),
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
                    Some(kind) => self.copy(folder, &name(kind, of, codec), file),
                    None => Ok(()),
                }
            }
            Mode::Annotate => {
                let mut out = open("annotated", true)?;
                let mut skipped = open("skipped", skips)?;
                let note = |i: usize| Some(self.note(fates[i]));
                let annotate =
                    (self.corpus).annotate(records, NOTE, note, out.writer(), skipped.writer());
                annotate.map_err(out.or_read())?;
                out.finish()?;
                skipped.finish()
            }
        }
    }

    /// Copies a file as it is.
    fn copy(&self, folder: &mut ResultFolder, name: &Path, file: u32) -> Result<(), Error> {
        let mut out = Copied::file(folder, name, None)?;
        let copied = self.corpus.copy(file, out.writer());
        copied.map_err(out.or_read())?;
        out.finish()
    }
}

/// Whether a file is on disk as it would be written.
fn is_packed_so(file: &File, codec: Option<Codec>) -> bool {
    codec.is_some() && codec == file.codec() && file.bytes().is_some()
}

fn name(kind: &str, of: &File, codec: Option<Codec>) -> PathBuf {
    let mut name = OsString::from(Path::new(kind).join(of.mirror()));
    if let Some(codec) = codec {
        name.push(".");
        name.push(codec.extension());
    }
    name.into()
}

/// Where a part of a file is copied to: a file, or nowhere.
struct Copied {
    out: Option<PackedFile>,
    sink: io::Sink,
}

impl Copied {
    fn nowhere() -> Self {
        Self {
            out: None,
            sink: io::sink(),
        }
    }

    fn file(folder: &mut ResultFolder, name: &Path, codec: Option<Codec>) -> Result<Self, Error> {
        let out = Some(PackedFile::create(folder, name, codec)?);
        Ok(Self {
            out,
            ..Self::nowhere()
        })
    }

    fn writer(&mut self) -> &mut (dyn Write + Send) {
        match &mut self.out {
            Some(out) => &mut out.file,
            None => &mut self.sink,
        }
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
