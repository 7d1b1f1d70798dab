//! What is asked for.

use std::{
    io::{self, BufRead},
    path::Path,
};

use lookalike::corpus::{Corpus, Document, Format, Options};
use lookalike::search::Id;

use crate::options::Items;
use crate::usage::Usage;

/// Opens the files with queries, each on its own: what a query is depends on the file.
pub(super) fn corpora(
    inputs: &[String],
    given: Option<Format>,
    items: &Items,
) -> anyhow::Result<Vec<Corpus>> {
    let open = |inputs: &[String], format| {
        let data = items.input(inputs)?;
        let options = Options {
            format,
            text: data.text,
            id: data.id,
            limits: data.limits,
            ..Options::default()
        };
        Ok::<_, anyhow::Error>(Corpus::open(inputs, options)?)
    };
    let mut corpora = Vec::new();
    for input in inputs {
        let one = std::slice::from_ref(input);
        if given.is_some() {
            corpora.push(open(one, given)?);
            continue;
        }
        if input == "-" {
            corpora.push(open(one, stdin_format()?)?);
            continue;
        }
        let corpus = open(one, None)?;
        if corpus.files().len() == 1 && corpus.files()[0].format().has_fields() {
            corpora.push(corpus);
            continue;
        }
        // Names and content say "lines": of a query that is a text with lines.
        for file in corpus.files() {
            let one = [file.name().to_owned()];
            let format = match file.format().has_fields() {
                true => file.format(),
                false => Format::Files,
            };
            if !Path::new(file.name()).is_file() {
                let name = file.name();
                let message = format!(
                    "{name}: a pipe, and not JSONL: say what a query is with --queries lines or --queries files"
                );
                return Err(Usage(message).into());
            }
            corpora.push(open(&one, Some(format))?);
        }
    }
    Ok(corpora)
}

/// JSONL, if it starts with a brace, and otherwise one text. What is compressed says it itself.
fn stdin_format() -> anyhow::Result<Option<Format>> {
    let mut stdin = io::stdin().lock();
    // Looked at, and not taken.
    let start = stdin.fill_buf()?;
    let is_compressed = start.starts_with(&[0x1f, 0x8b]) || start.starts_with(&[0x28, 0xb5]);
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    Ok(match first {
        _ if is_compressed => None,
        Some(b'{') => Some(Format::Jsonl),
        _ => Some(Format::Files),
    })
}

/// The queries of one corpus.
pub(super) struct Asked<'a> {
    corpus: &'a Corpus,
    ignores_ids: bool,
}

impl<'a> Asked<'a> {
    pub(super) fn new(corpus: &'a Corpus, items: &Items) -> Self {
        Self {
            corpus,
            ignores_ids: items.ignore_ids,
        }
    }

    /// The id of a query: its own, or else its file, and its line if there are several.
    pub(super) fn id(&self, document: &Document<'_>) -> Id {
        let own = document.id.filter(|_| !self.ignores_ids);
        let file = &self.corpus.files()[document.place.file as usize];
        own.and_then(Id::from_json)
            .unwrap_or_else(|| Id::from(file.name_of(&document.place)))
    }
}

/// Hands over each query, in order.
pub(super) fn each(
    inputs: &[String],
    given: Option<Format>,
    items: &Items,
    mut take: impl FnMut(Id, &str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for corpus in corpora(inputs, given, items)? {
        let asked = Asked::new(&corpus, items);
        corpus.scan(
            || (),
            |(), documents| {
                let mut read = Vec::new();
                while let Some(document) = documents.next()? {
                    read.push((asked.id(&document), document.text.to_owned()));
                }
                Ok::<_, anyhow::Error>(read)
            },
            |_, read| {
                let mut each = read.into_iter();
                each.try_for_each(|(id, text)| take(id, &text))
            },
        )?;
    }
    Ok(())
}
