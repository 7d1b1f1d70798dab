//! What a run writes.

use std::io::{self, Write};

use lookalike_corpus::{Corpus, Format, Listing, Row};
use lookalike_output::ResultFolder;
use serde::Serialize;

use crate::{
    Error,
    documents::{Doc, Documents},
    groups::{Group, Listed},
    packed::PackedFile,
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

    /// What the mode [`Annotate`](crate::Mode::Annotate) says of a document.
    pub(crate) fn note(&self, doc: Doc, fate: Option<Fate>) -> String {
        match fate {
            None if self.represents(doc) => {
                let cluster = self.id(doc);
                format!("{{\"duplicate_of\": null, \"cluster\": {cluster}}}")
            }
            None => "{\"duplicate_of\": null}".into(),
            Some((kept, similarity)) => {
                let against = self.against(kept);
                let (kept, similarity) = (self.id(kept), number(similarity));
                format!(
                    "{{\"duplicate_of\": {kept}, \"similarity\": {similarity}, \"cluster\": {kept}{against}}}"
                )
            }
        }
    }

    /// Whether a document stays for others. Groups are in the order of their representatives.
    fn represents(&self, doc: Doc) -> bool {
        let representative = |group: &Group| group.representative;
        self.groups
            .binary_search_by_key(&doc, representative)
            .is_ok()
    }

    /// One id per line, as it is; an id with a line end in it is written as JSON.
    pub(crate) fn removed_ids(
        &self,
        fates: &[Option<Fate>],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let own = (0..self.documents.own as Doc).zip(fates);
        for (doc, _) in own.filter(|(_, fate)| fate.is_some()) {
            let id = self.plain_id(doc);
            match id.contains(['\n', '\r']) {
                true => writeln!(out, "{}", self.id(doc))?,
                false => writeln!(out, "{id}")?,
            }
        }
        Ok(())
    }

    /// Pairs and clusters as tables.
    pub(crate) fn tables(
        &self,
        folder: &mut ResultFolder,
        format: Format,
        pairs: &[Listed],
    ) -> Result<(), Error> {
        let similar = |similarity: Option<f64>| similarity.map(rounded);
        let pairs = pairs
            .iter()
            .map(|&(a, b, similarity)| (self.plain_id(a), self.plain_id(b), similar(similarity)));
        let columns = ["a", "b", "similarity"];
        self.table(
            folder,
            &format!("pairs.{format}"),
            Listing { columns },
            format,
            pairs,
        )?;
        // The document that stays comes first, with no similarity to itself.
        let rows = self.groups.iter().flat_map(|group| {
            let cluster = self.plain_id(group.representative);
            let kept = std::iter::once((group.representative, None));
            let members = kept.chain(group.members.iter().copied());
            members.map(move |(doc, similarity)| {
                (cluster.clone(), self.plain_id(doc), similar(similarity))
            })
        });
        let columns = ["cluster", "id", "similarity"];
        self.table(
            folder,
            &format!("clusters.{format}"),
            Listing { columns },
            format,
            rows,
        )
    }

    fn table(
        &self,
        folder: &mut ResultFolder,
        name: &str,
        listing: Listing<'_>,
        format: Format,
        rows: impl Iterator<Item = Row>,
    ) -> Result<(), Error> {
        let mut file = PackedFile::create(folder, name.as_ref(), None)?;
        let written = listing.write(format, rows, &mut file.file);
        written.map_err(file.or_read())?;
        file.finish()
    }

    /// An id for people and tables: a string without its quotes.
    fn plain_id(&self, doc: Doc) -> String {
        self.documents.title(self.corpus, doc)
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
