//! The arguments that say how texts are read and taken apart, the same for `index` and `query`.

use clap::Args;
use lookalike::corpus::{FieldPath, Format};
use lookalike::dedup::{Data, Family};
use lookalike::minhash::{Normalize, Shingle, Tokens};

use super::dedup::words;
use crate::usage::Usage;

/// How a text becomes a set.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Text")]
pub(crate) struct Text {
    /// Shingles: words:K, chars:K or stopwords [default: words:5]
    #[arg(long, value_name = "KIND")]
    shingle: Option<Shingle>,
    /// Tokens that words shingles are made of [default: words]
    #[arg(long, value_name = "KIND")]
    #[arg(value_parser = words::<Tokens>(&["words", "uax29", "whitespace", "chars"]))]
    tokens: Option<Tokens>,
    /// Steps before the text is split: nfc, nfkc, casefold, accents, punctuation, digits, whitespace
    #[arg(long, value_name = "STEP,…", value_delimiter = ',')]
    normalize: Option<Vec<Normalize>>,
}

impl Text {
    /// The family that was asked for.
    pub(crate) fn family(&self) -> anyhow::Result<Family> {
        let mut family = Family::default();
        if let Some(shingle) = self.shingle {
            family.shingle = shingle;
        }
        if let Some(tokens) = self.tokens {
            if matches!(family.shingle, Shingle::Chars(_)) {
                let message =
                    "--tokens are for shingles of words: --shingle chars takes characters";
                return Err(Usage(message.into()).into());
            }
            family.tokens = tokens;
        }
        if let Some(normalize) = &self.normalize {
            family.normalize.clone_from(normalize);
        }
        Ok(family)
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            (self.shingle.is_some(), "--shingle"),
            (self.tokens.is_some(), "--tokens"),
            (self.normalize.is_some(), "--normalize"),
        ];
        given.into_iter().find(|given| given.0).map(|given| given.1)
    }
}

/// The fields of records.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Fields {
    /// Field of a record that holds the text, dots for inner ones [default: text]
    #[arg(long, value_name = "FIELD")]
    text_field: Option<FieldPath>,
    /// Field that holds the id [default: id where there is one, else file and line]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<FieldPath>,
    /// Name documents by file and line, even if they have ids
    #[arg(long, conflicts_with = "id_field")]
    ignore_ids: bool,
}

impl Fields {
    /// How these inputs are read.
    pub(crate) fn data(&self, inputs: &[String], format: Option<Format>) -> Data {
        let mut data = Data {
            inputs: inputs.to_vec(),
            format,
            id: self.id_field.clone(),
            ignore_ids: self.ignore_ids,
            ..Data::default()
        };
        if let Some(text) = &self.text_field {
            data.text = text.clone();
        }
        data
    }
}
