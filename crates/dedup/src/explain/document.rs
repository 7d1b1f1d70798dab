use lookalike_corpus::{Corpus, Format, Options};
use lookalike_minhash::{Shingle, Shingler, Tokens};
use serde::Serialize;

use crate::{Error, Family};

/// One of two texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// Bytes.
    pub bytes: usize,
    /// Shingles, each counted as often as it occurs.
    pub occurrences: usize,
    /// Whether it is shorter than a shingle, and so is one as a whole.
    pub is_one_short_shingle: bool,
}

impl Text {
    pub(super) fn new(family: &Family, shingler: &Shingler, text: &str, list: &[u64]) -> Self {
        Self {
            bytes: text.len(),
            occurrences: list.len(),
            is_one_short_shingle: list.len() == 1 && is_short(family, &shingler.shingles(text)[0]),
        }
    }
}

/// Whether a shingle has fewer tokens than shingles have.
fn is_short(family: &Family, shingle: &str) -> bool {
    match (family.shingle, family.tokens) {
        (Shingle::StopWords, _) => false,
        (Shingle::Chars(k), _) => shingle.chars().count() < k.get(),
        // A space between two characters is none of theirs.
        (Shingle::Words(k), Tokens::Chars) => shingle.chars().count().div_ceil(2) < k.get(),
        (Shingle::Words(k), _) => shingle.split(' ').count() < k.get(),
    }
}

/// The text of a file, plain or compressed, or of stdin for `-`.
pub fn read_document(path: &str) -> Result<String, Error> {
    let options = Options {
        format: Some(Format::Files),
        ..Options::default()
    };
    let corpus = Corpus::open(&[path.to_owned()], options)?;
    if corpus.files().len() > 1 {
        let files = corpus.files().len();
        return Err(Error::Setting {
            message: format!("{path}: {files} files, but a document is one: name a file"),
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
