//! What a record is, and where its text and its id are.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use lookalike::corpus::{FieldPath, Format, Limits};
use lookalike::dedup::Data;

use super::set;
use crate::usage;

/// The format, and the fields of records.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Fields {
    /// What a document is: files makes each file one document, lines each line [default: by names and contents; a text file of a folder is one document, one that is named is one per line]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) format: Option<Format>,
    /// Field of a record that holds the text, dots for inner ones
    #[arg(long, value_name = "FIELD")]
    text_field: Option<FieldPath>,
    /// Field that holds a string or an integer as the id [default: id where it is such, else file and line]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<FieldPath>,
    /// Name documents by file and line, even if they have ids
    #[arg(long, conflicts_with = "id_field")]
    ignore_ids: bool,
    #[command(flatten)]
    folders: InFolders,
    #[command(flatten)]
    limits: MemoryLimits,
}

/// Which files of folders are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct InFolders {
    /// Of folders, read only the files whose name or path matches this glob, such as '*.md'; may be repeated [default: the files of one format]
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Of folders, do not read files whose name or path matches this glob; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

/// How much of an input may be in memory at once.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct MemoryLimits {
    /// Maximum decompression ratio
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    max_expansion: Option<u64>,
    /// Maximum size of a record, such as 500MiB
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    #[arg(value_parser = |size: &str| usage::size(size, Limits::RECORD_RANGE))]
    max_record: Option<u64>,
    /// Maximum window of a zstd file, up to 2GiB
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    #[arg(value_parser = |size: &str| usage::size(size, Limits::WINDOW_RANGE))]
    max_window: Option<u64>,
}

impl MemoryLimits {
    /// Goes over these limits.
    pub(crate) fn over(self, mut limits: Limits) -> Limits {
        set(&mut limits.max_expansion, &self.max_expansion);
        set(&mut limits.max_record, &self.max_record);
        set(&mut limits.max_window, &self.max_window);
        limits
    }
}

impl Fields {
    /// Goes over these settings.
    pub(crate) fn over(&self, data: &mut Data) {
        data.format = self.format.or(data.format);
        set(&mut data.text, &self.text_field);
        data.id = self.id_field.clone().or(data.id.take());
        let limits = self.limits.over(data.limits());
        data.max_expansion = limits.max_expansion;
        data.max_record = limits.max_record;
        data.max_window = limits.max_window;
        let InFolders { include, exclude } = &self.folders;
        if !include.is_empty() {
            data.include.clone_from(include);
        }
        if !exclude.is_empty() {
            data.exclude.clone_from(exclude);
        }
        data.ignore_ids |= self.ignore_ids;
        if self.id_field.is_some() {
            data.ignore_ids = false;
        }
    }
}

/// The name of a format that holds texts.
fn formats() -> impl TypedValueParser<Value = Format> {
    let texts = Format::all().filter(|format| !format.is_array());
    let names: Vec<&'static str> = texts.map(Format::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
