//! How a text becomes a set.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use lookalike::minhash::{Normalize, Shingle, Short, Tokens};
use lookalike::output::did_you_mean;
use lookalike::search::{Table, TextFamily};
use serde::Serialize;
use serde_json::Value;

use super::{set, words};
use crate::usage::Usage;

/// A shingle in words, such as `3 words`, if its tokens are called so.
pub(crate) fn shingle_in_words(shingle: Shingle, tokens: &str) -> String {
    let several = |length: usize, tokens: &str| match length {
        1 => format!(
            "1 {}",
            tokens
                .replacen("words", "word", 1)
                .replacen("characters", "character", 1)
        ),
        _ => format!("{length} {tokens}"),
    };
    match shingle {
        Shingle::Words(length) => several(length.get(), tokens),
        Shingle::Chars(length) => several(length.get(), "characters"),
        Shingle::StopWords => "a stop word and the two words after it".into(),
    }
}

/// Normalisation, tokens and shingles.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct Text {
    /// Shingles: words:K, chars:K or stopwords
    #[arg(long, value_name = "KIND", value_parser = shingle)]
    shingle: Option<Shingle>,
    /// What a word is in --shingle words:K. words: a run of letters and digits, in lower case; everything else is dropped, so that "a + b" equals "a - b". uax29: words by Unicode's rules, with case. whitespace: what white space separates, with case and punctuation: for source code and formulas. chars: each character: for languages without spaces
    #[arg(long, value_name = "KIND")]
    #[arg(value_parser = words::<Tokens>(&["words", "uax29", "whitespace", "chars"]))]
    tokens: Option<Tokens>,
    /// Steps before the text is split: nfc, nfkc, casefold, accents, punctuation, digits, whitespace
    #[arg(long, value_name = "STEP,…", value_delimiter = ',', value_parser = step)]
    normalize: Option<Vec<Normalize>>,
    /// Texts with fewer tokens than a shingle: compare them whole, or skip them, so that they are like nothing
    #[arg(long, value_name = "HOW")]
    #[arg(value_parser = words::<Short>(&["whole", "skip"]))]
    short: Option<Short>,
    /// Stop words for --shingle stopwords, one per line [default: English stop words, those of spaCy]
    #[arg(long, value_name = "FILE")]
    stop_words: Option<PathBuf>,
}

impl Text {
    /// Goes over these settings.
    pub(crate) fn over(&self, family: &mut TextFamily) -> anyhow::Result<()> {
        set(&mut family.shingle, &self.shingle);
        set(&mut family.tokens, &self.tokens);
        set(&mut family.normalize, &self.normalize);
        set(&mut family.short, &self.short);
        if let Some(path) = &self.stop_words {
            if family.shingle != Shingle::StopWords {
                let shingle = family.shingle;
                let message =
                    format!("--stop-words are for --shingle stopwords, not for {shingle}");
                return Err(Usage(message).into());
            }
            family.stop_words = Some(stop_words(path)?);
        }
        if self.tokens.is_some() && matches!(family.shingle, Shingle::Chars(_)) {
            let message = "--tokens are for shingles of words: --shingle chars takes characters";
            return Err(Usage(message.into()).into());
        }
        Ok(())
    }

    /// What was given, as parameters of a distance.
    pub(crate) fn parameters(&self) -> anyhow::Result<Table> {
        let mut table = Table::new();
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                table.insert(name.into(), value);
            }
        };
        add("shingle", json(&self.shingle)?);
        add("tokens", json(&self.tokens)?);
        add("normalize", json(&self.normalize)?);
        add("short", json(&self.short)?);
        let stop_words = self.stop_words.as_deref().map(stop_words).transpose()?;
        add("stop_words", json(&stop_words)?);
        Ok(table)
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            (self.shingle.is_some(), "--shingle"),
            (self.tokens.is_some(), "--tokens"),
            (self.normalize.is_some(), "--normalize"),
            (self.short.is_some(), "--short"),
            (self.stop_words.is_some(), "--stop-words"),
        ];
        given.into_iter().find(|given| given.0).map(|given| given.1)
    }
}

fn json(given: &Option<impl Serialize>) -> serde_json::Result<Option<Value>> {
    given.as_ref().map(serde_json::to_value).transpose()
}

fn shingle(text: &str) -> Result<Shingle, String> {
    let word = text.split(':').next().unwrap_or_default();
    let known = ["words", "chars", "stopwords"];
    text.parse()
        .map_err(|error| format!("{error}{}", did_you_mean(word, &known)))
}

fn step(text: &str) -> Result<Normalize, String> {
    let known = [
        "nfc",
        "nfkc",
        "casefold",
        "accents",
        "punctuation",
        "digits",
        "whitespace",
    ];
    text.parse()
        .map_err(|error| format!("{error}{}", did_you_mean(text, &known)))
}

/// The stop words of a file: one per line, blank lines and what follows `#` aside.
fn stop_words(path: &Path) -> anyhow::Result<Vec<String>> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let line = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let words: Vec<String> = text
        .lines()
        .map(line)
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        anyhow::bail!("{}: no stop words: write one per line", name());
    }
    Ok(words)
}
