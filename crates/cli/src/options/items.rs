//! What an item is, and where it stands in a file.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use lookalike::corpus::{FieldPath, Format};
use lookalike::search::TextInput;

use super::{InFolders, MemoryLimits, set};
use crate::usage::Usage;

/// How items of any kind are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Items {
    /// Kind of items [default: the first with the measure that reads the file]
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Format of the files [default: detected from names and contents]; hex or bits: the digits of codes
    #[arg(long, value_name = "FORMAT", value_parser = written())]
    format: Vec<Written>,
    /// Bits of a code; files of packed codes do not say it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=65536))]
    pub(crate) bits: Option<u32>,
    /// Field of a record that holds the item, with dots for inner fields [default: by kind: text, set, weights, hash or tlsh]
    #[arg(long, value_name = "FIELD", visible_alias = "text-field")]
    pub(crate) field: Option<FieldPath>,
    /// Field that holds the id [default: id, if there is one, else file and line]
    #[arg(long, value_name = "FIELD")]
    pub(crate) id_field: Option<FieldPath>,
    /// Name items by file and line, even if they have ids
    #[arg(long, conflicts_with = "id_field")]
    pub(crate) ignore_ids: bool,
    #[command(flatten)]
    pub(crate) folders: InFolders,
    #[command(flatten)]
    pub(crate) limits: MemoryLimits,
}

/// How something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// A file.
    File(Format),
    /// The digits of a code.
    Digits(&'static str),
}

/// The digits of codes in text.
const DIGITS: [&str; 2] = ["hex", "bits"];

impl Items {
    /// The format of the files, and what the digits of codes are.
    pub(crate) fn formats(&self) -> Result<(Option<Format>, Option<&'static str>), Usage> {
        let (mut file, mut digits) = (None, None);
        for written in &self.format {
            let is_second = match *written {
                Written::File(format) => file.replace(format).is_some(),
                Written::Digits(name) => digits.replace(name).is_some(),
            };
            if is_second {
                let message = "--format is given twice for the same thing: once for the file and once for digits, hex or bits, is enough";
                return Err(Usage(message.into()));
            }
        }
        Ok((file, digits))
    }

    /// How these inputs are read as documents.
    pub(crate) fn input(&self, inputs: &[String]) -> Result<TextInput, Usage> {
        let mut input = TextInput {
            inputs: inputs.to_vec(),
            format: self.formats()?.0,
            include: self.folders.include.clone(),
            exclude: self.folders.exclude.clone(),
            id: self.id_field.clone(),
            ignore_ids: self.ignore_ids,
            ..TextInput::default()
        };
        set(&mut input.text, &self.field);
        input.limits = self.limits.over(input.limits);
        Ok(input)
    }

    /// The first option that was given and that documents do not have.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let is_for_items = |written: &Written| match written {
            Written::File(format) => format.is_array(),
            Written::Digits(_) => true,
        };
        let given = [
            (self.kind.is_some(), "--kind"),
            (self.bits.is_some(), "--bits"),
            (self.format.iter().any(is_for_items), "--format"),
        ];
        given.into_iter().find(|given| given.0).map(|given| given.1)
    }

    /// Whether a format was given.
    pub(crate) fn has_format(&self) -> bool {
        !self.format.is_empty()
    }
}

/// The name of a format, or of digits.
fn written() -> impl TypedValueParser<Value = Written> {
    let names = Format::all().map(Format::name).chain(DIGITS);
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(|name| {
        match DIGITS.into_iter().find(|digits| *digits == name) {
            Some(digits) => Ok(Written::Digits(digits)),
            None => name.parse().map(Written::File),
        }
    })
}

/// The name of any format.
pub(crate) fn any_format() -> impl TypedValueParser<Value = Format> {
    let names: Vec<&'static str> = Format::all().map(Format::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
