//! What a run writes.

use std::{
    io::{self, Write},
    path::Path,
};

use lookalike_corpus::{self as corpus, Corpus, Format, Outputs, Records};
use serde::Serialize;

use crate::{
    Error, Mode,
    documents::{Doc, Documents},
    folder::{Folder, Out},
    groups::{Group, Listed},
    skipped::PassedOver,
};

/// A number as it is written: nine decimals say more than anybody asks, and do not show how it was computed.
pub(crate) fn rounded(similarity: f64) -> f64 {
    (similarity * 1e9).round() / 1e9
}

/// The member that `--mode annotate` adds to records.
const NOTE: &str = "lookalike";

/// The document that stays instead of another, and their similarity where it is known.
pub(crate) type Fate = (Doc, Option<f64>);

/// What the writers need to know.
pub(crate) struct Results<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) documents: &'a Documents,
    pub(crate) groups: &'a [Group],
    pub(crate) skipped: &'a PassedOver,
}

impl Results<'_> {
    /// A verified pair a line.
    pub(crate) fn pairs(&self, pairs: &[Listed], out: &mut dyn Write) -> io::Result<()> {
        for &(a, b, similarity) in pairs {
            let against = self.against(b);
            let (a, b) = (self.id(a), self.id(b));
            let similarity = number(similarity);
            writeln!(
                out,
                "{{\"a\": {a}, \"b\": {b}, \"similarity\": {similarity}{against}}}"
            )?;
        }
        Ok(())
    }

    /// A cluster a line.
    pub(crate) fn clusters(&self, out: &mut dyn Write) -> io::Result<()> {
        for group in self.groups {
            let representative = self.id(group.representative);
            let against = self.against(group.representative);
            let size = group.members.len() + 1;
            write!(
                out,
                "{{\"representative\": {representative}{against}, \"size\": {size}, \"members\": ["
            )?;
            for (place, &(doc, similarity)) in group.members.iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                let (id, similarity) = (self.id(doc), number(similarity));
                write!(out, "{comma}{{\"id\": {id}, \"similarity\": {similarity}}}")?;
            }
            writeln!(out, "]}}")?;
        }
        Ok(())
    }

    /// The member that says that a document is of the older corpus.
    fn against(&self, doc: Doc) -> &'static str {
        if self.documents.is_old(doc) {
            ", \"against\": true"
        } else {
            ""
        }
    }

    fn id(&self, doc: Doc) -> String {
        self.documents.id(self.corpus, doc)
    }

    /// For each document the one that stays instead of it, and their similarity where it is known.
    pub(crate) fn fates(&self) -> Vec<Option<Fate>> {
        let mut fates = vec![None; self.documents.len()];
        for group in self.groups {
            for &(doc, similarity) in &group.members {
                fates[doc as usize] = Some((group.representative, similarity));
            }
        }
        fates
    }

    /// Copies the documents of one file as the mode says.
    pub(crate) fn mirror(
        &self,
        folder: &mut Folder,
        mode: Mode,
        file: u32,
        docs: std::ops::Range<usize>,
        fates: &[Option<Fate>],
    ) -> Result<(), Error> {
        let fates = &fates[docs.clone()];
        let records = Records {
            file,
            documents: &self.documents.places[docs],
            skipped: self.skipped.of(file),
        };
        let of = &self.corpus.files()[file as usize];
        let is_whole = of.format() == Format::Files;
        // A file that is one document goes to one place.
        let has = |is_wanted: bool| !is_whole || is_wanted;
        let removes = fates.iter().any(Option::is_some);
        let skips = !records.skipped.is_empty();
        let mut open = |kind: &str, is_wanted: bool| match is_wanted {
            true => Copied::file(folder, &Path::new(kind).join(of.mirror())),
            false => Ok(Copied::nowhere()),
        };
        match mode {
            Mode::Report => Ok(()),
            Mode::Remove => {
                let mut kept = open("kept", has(!removes && !skips))?;
                let mut removed = open("removed", has(removes))?;
                let mut skipped = open("skipped", skips)?;
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
                skipped.finish()
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

    fn note(&self, fate: Option<Fate>) -> String {
        match fate {
            None => "{\"duplicate_of\": null}".into(),
            Some((kept, similarity)) => {
                let against = self.against(kept);
                let (kept, similarity) = (self.id(kept), number(similarity));
                format!("{{\"duplicate_of\": {kept}, \"similarity\": {similarity}{against}}}")
            }
        }
    }
}

/// Where a part of a file is copied to: a file, or nowhere.
struct Copied {
    out: Option<Out>,
    sink: io::Sink,
}

impl Copied {
    fn nowhere() -> Self {
        Self {
            out: None,
            sink: io::sink(),
        }
    }

    fn file(folder: &mut Folder, name: &Path) -> Result<Self, Error> {
        let out = Some(folder.file(name)?);
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
        let of_file = self.out.as_ref().map(Out::or_read);
        move |error| match of_file {
            Some(of_file) => of_file(error),
            None => error.into(),
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.out.map_or(Ok(()), Out::finish)
    }
}

/// A similarity as JSON.
fn number(similarity: Option<f64>) -> String {
    similarity.map_or("null".into(), |s| rounded(s).to_string())
}

/// A value as JSON that people can read.
pub(crate) fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
