//! What a record is, and where its text and its id are.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use lookalike::corpus::{FieldPath, Format};
use lookalike::dedup::Data;
use lookalike::search::TextInput;

use super::set;

/// The format, and the fields of records.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Fields {
    /// What a document is [default: what the names and contents say]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) format: Option<Format>,
    /// Field of a record that holds the text, dots for inner ones [default: text]
    #[arg(long, value_name = "FIELD")]
    text_field: Option<FieldPath>,
    /// Field that holds a string or an integer as the id [default: id where it is such, else file and line]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<FieldPath>,
    /// Name documents by file and line, even if they have ids
    #[arg(long, conflicts_with = "id_field")]
    ignore_ids: bool,
    #[command(flatten)]
    expansion: Expansion,
}

/// How far files may expand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Expansion {
    /// How many times as many bytes may come out of compressed files as are in them [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    pub(crate) max_expansion: Option<u64>,
}

impl Fields {
    /// Goes over these settings.
    pub(crate) fn over(&self, data: &mut Data) {
        data.format = self.format.or(data.format);
        set(&mut data.text, &self.text_field);
        data.id = self.id_field.clone().or(data.id.take());
        set(&mut data.max_expansion, &self.expansion.max_expansion);
        data.ignore_ids |= self.ignore_ids;
        if self.id_field.is_some() {
            data.ignore_ids = false;
        }
    }

    /// How these inputs are read.
    pub(crate) fn input(&self, inputs: &[String]) -> TextInput {
        let mut input = TextInput {
            inputs: inputs.to_vec(),
            format: self.format,
            id: self.id_field.clone(),
            ignore_ids: self.ignore_ids,
            ..TextInput::default()
        };
        set(&mut input.text, &self.text_field);
        set(&mut input.max_expansion, &self.expansion.max_expansion);
        input
    }
}

/// The name of a format that holds texts.
fn formats() -> impl TypedValueParser<Value = Format> {
    let texts = Format::all().filter(|format| !format.is_array());
    let names: Vec<&'static str> = texts.map(Format::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
