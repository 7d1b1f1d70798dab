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
    folder::Folder,
    groups::{Group, Listed},
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
        let places = &self.documents.places[docs.clone()];
        let fates = &fates[docs];
        let records = Records {
            file,
            documents: places,
            skipped: &[],
        };
        let of = &self.corpus.files()[file as usize];
        let name = of.mirror();
        match mode {
            Mode::Report => Ok(()),
            Mode::Remove if of.format() == Format::Files => {
                let removed = fates.iter().any(Option::is_some);
                let mut out =
                    folder.file(&Path::new(if removed { "removed" } else { "kept" }).join(name))?;
                let keep = |_: usize, _: &_| corpus::Fate::Keep;
                let to = Outputs {
                    kept: &mut out.file,
                    removed: &mut io::sink(),
                    skipped: &mut io::sink(),
                };
                self.corpus.split(records, keep, to)?;
                out.finish()
            }
            Mode::Remove => {
                let mut kept = folder.file(&Path::new("kept").join(name))?;
                let mut removed = folder.file(&Path::new("removed").join(name))?;
                let fate = |i: usize, _: &_| match fates[i] {
                    None => corpus::Fate::Keep,
                    Some(_) => corpus::Fate::Remove,
                };
                let to = Outputs {
                    kept: &mut kept.file,
                    removed: &mut removed.file,
                    skipped: &mut io::sink(),
                };
                let split = self.corpus.split(records, fate, to);
                split.map_err(kept.or_read())?;
                kept.finish()?;
                removed.finish()
            }
            Mode::Annotate => {
                let mut out = folder.file(&Path::new("annotated").join(name))?;
                let note = |i: usize| Some(self.note(fates[i]));
                let annotate =
                    self.corpus
                        .annotate(records, NOTE, note, &mut out.file, &mut io::sink());
                annotate.map_err(out.or_read())?;
                out.finish()
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

/// A similarity as JSON.
fn number(similarity: Option<f64>) -> String {
    similarity.map_or("null".into(), |s| rounded(s).to_string())
}

/// A value as JSON that people can read.
pub(crate) fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
