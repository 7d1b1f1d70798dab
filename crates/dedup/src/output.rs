//! What a run writes.

use std::io::{self, Write};

use lookalike_corpus::Corpus;
use serde::Serialize;

use crate::{
    documents::{Doc, Documents},
    groups::{Group, Listed},
    skipped::PassedOver,
};

/// A number as it is written: nine decimals say more than anybody asks, and do not show how it was computed.
pub(crate) fn rounded(similarity: f64) -> f64 {
    (similarity * 1e9).round() / 1e9
}

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

    /// What `--mode annotate` says of a document.
    pub(crate) fn note(&self, fate: Option<Fate>) -> String {
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
