use lookalike_corpus::{Corpus, Format, Limits, Options};
use lookalike_minhash::Shingler;
use serde::Serialize;

use crate::Error;

/// One of two texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// Bytes.
    pub bytes: usize,
    /// Shingles, each counted as often as it occurs.
    pub occurrences: usize,
    /// Whether it has too few tokens for a shingle: then it is one as a whole, or has none, as the settings say.
    pub is_short: bool,
}

impl Text {
    pub(super) fn new(shingler: &Shingler, text: &str, list: &[u64]) -> Self {
        Self {
            bytes: text.len(),
            occurrences: list.len(),
            is_short: list.len() <= 1 && shingler.is_short(text),
        }
    }
}

/// The text of a file, plain or compressed, or of stdin for `-`, within some limits.
pub fn read_document(path: &str, limits: Limits) -> Result<String, Error> {
    let options = Options {
        format: Some(Format::Files),
        limits,
        ..Options::default()
    };
    let corpus = Corpus::open(&[path.to_owned()], options)?;
    if corpus.files().len() > 1 {
        let files = corpus.files().len();
        return Err(Error::SeveralFiles {
            path: path.to_owned(),
            files,
        });
    }
    let mut texts = Vec::new();
    corpus.scan(
        || (),
        |(), documents| {
            let document = documents.next()?;
            Ok::<_, Error>(document.map(|document| document.text.to_owned()))
        },
        |_, text| {
            texts.extend(text);
            Ok(())
        },
    )?;
    Ok(texts.pop().unwrap_or_default())
}
