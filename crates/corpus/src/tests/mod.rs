//! What crosses the files of this crate.

mod arrays;
mod changed;
mod csv;
mod csv_crate;
mod errors;
mod expansion;
mod formats;
mod inputs;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod passes;
mod records;
mod skipped;
mod values;
mod vecs;
mod written;

use crate::{Corpus, Document, Error, Limits, Options, Place};
use lookalike_core::plugin::{Remedied, Remedy, Setting};
use std::io::{Cursor, Write};
use std::path::PathBuf;
use tempfile::TempDir;

/// A document that owns what it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) text: String,
    pub(crate) id: Option<String>,
    pub(crate) fields: Vec<Option<String>>,
    pub(crate) place: Place,
}

impl From<Document<'_>> for Seen {
    fn from(document: Document<'_>) -> Self {
        Self {
            text: document.text.to_owned(),
            id: document.id.map(str::to_owned),
            fields: document
                .fields
                .iter()
                .map(|f| f.map(str::to_owned))
                .collect(),
            place: document.place,
        }
    }
}

/// All documents of a corpus, by a scan.
pub(crate) fn scan(corpus: &Corpus) -> Result<Vec<Seen>, Error> {
    let mut all = Vec::new();
    corpus.scan(
        || (),
        |(), documents| {
            let mut seen = Vec::new();
            while let Some(document) = documents.next()? {
                seen.push(Seen::from(document));
            }
            Ok(seen)
        },
        |_, seen| {
            all.extend(seen);
            Ok(())
        },
    )?;
    Ok(all)
}

pub(crate) fn texts(corpus: &Corpus) -> Vec<String> {
    let seen = scan(corpus).unwrap();
    seen.into_iter().map(|s| s.text).collect()
}

/// A folder with files in it, which is gone at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, content) in files {
            folder.write(name, content);
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn input(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(crate) fn open(&self, name: &str, options: Options) -> Result<Corpus, Error> {
        Corpus::open(&[self.input(name)], options)
    }

    /// A message without this folder's path.
    pub(crate) fn message(&self, e: &Error) -> String {
        let path = format!("{}/", self.0.path().display());
        said(e).replace(&path, "")
    }
}

/// The problem, and what would fix it.
pub(crate) fn said(e: &Error) -> String {
    let neutral = |setting: Setting, _: Option<&str>| format!("`{}`", setting.0);
    match &e.remedies()[..] {
        [] => e.to_string(),
        remedies => format!("{e}: {}", Remedy::alternatives(remedies, neutral)),
    }
}

/// A corpus of what stdin would give.
pub(crate) fn stdin(content: &[u8], options: Options) -> Result<Corpus, Error> {
    let content = content.to_vec();
    Corpus::open_with(&["-".to_owned()], options, || {
        Box::new(Cursor::new(content.clone()))
    })
}

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).unwrap()
}

/// The usual limits, with another one for what is compressed.
pub(crate) fn limits(max_expansion: u64) -> Limits {
    Limits {
        max_expansion,
        ..Limits::default()
    }
}

pub(crate) fn twice() -> Options {
    Options {
        second_pass: true,
        ..Options::default()
    }
}
