//! Parquet, in files that the parquet crate writes.

mod annotated;
mod bombs;
mod columns;
mod damaged;
mod rows;
mod shredded;
mod values;
mod written;

use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// The values of a column of a row group, with their levels where it has some.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) values: Values,
    pub(super) definition: Vec<i16>,
    pub(super) repetition: Vec<i16>,
}

#[derive(Clone, Debug)]
pub(super) enum Values {
    Bytes(Vec<ByteArray>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bool(Vec<bool>),
    Fixed(Vec<FixedLenByteArray>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// A column in which each row has a value.
pub(super) fn all(values: Values) -> Column {
    Column {
        values,
        ..Column::default()
    }
}

pub(super) fn strings<'a>(values: impl IntoIterator<Item = &'a str>) -> Column {
    all(Values::Bytes(
        values.into_iter().map(ByteArray::from).collect(),
    ))
}

/// A column in which some rows have no value.
pub(super) fn some_strings(values: &[Option<&str>]) -> Column {
    let definition = values.iter().map(|v| i16::from(v.is_some())).collect();
    Column {
        definition,
        ..strings(values.iter().flatten().copied())
    }
}

/// A file of this schema with these row groups.
pub(super) fn file(
    schema: &str,
    properties: WriterPropertiesBuilder,
    groups: &[Vec<Column>],
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let of = writer.schema_descr().columns().to_vec();
    for columns in groups {
        let mut group = writer.next_row_group().unwrap();
        for (column, of) in columns.iter().zip(&of) {
            let mut out = group.next_column().unwrap().unwrap();
            write(&mut out, column, of);
            out.close().unwrap();
        }
        assert!(group.next_column().unwrap().is_none());
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn write(out: &mut SerializedColumnWriter<'_>, column: &Column, of: &ColumnDescriptor) {
    let definition = (of.max_def_level() > 0).then_some(&column.definition[..]);
    let repetition = (of.max_rep_level() > 0).then_some(&column.repetition[..]);
    macro_rules! batch {
        ($kind:ty, $values:expr) => {
            out.typed::<$kind>()
                .write_batch($values, definition, repetition)
                .unwrap()
        };
    }
    match &column.values {
        Values::Bytes(values) => batch!(ByteArrayType, values),
        Values::Int32(values) => batch!(Int32Type, values),
        Values::Int64(values) => batch!(Int64Type, values),
        Values::Float(values) => batch!(FloatType, values),
        Values::Double(values) => batch!(DoubleType, values),
        Values::Bool(values) => batch!(BoolType, values),
        Values::Fixed(values) => batch!(FixedLenByteArrayType, values),
    };
}

pub(super) fn plain() -> WriterPropertiesBuilder {
    WriterProperties::builder()
}

/// Ways to write the same values: every codec, both versions of pages, with a dictionary and
/// without, in pages that are small.
pub(super) fn ways() -> Vec<(String, WriterPropertiesBuilder)> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4,
        Compression::ZSTD(Default::default()),
        Compression::LZ4_RAW,
    ];
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let mut ways = Vec::new();
    for codec in codecs {
        for version in versions {
            for dictionary in [false, true] {
                let way = plain()
                    .set_compression(codec)
                    .set_writer_version(version)
                    .set_dictionary_enabled(dictionary)
                    .set_data_page_row_count_limit(7)
                    .set_write_batch_size(3);
                ways.push((format!("{codec} {version:?} {dictionary}"), way));
            }
        }
    }
    ways
}

/// Texts with an integer for each.
pub(super) const TWO: &str = "message m { required binary text (UTF8); optional int64 id; }";

/// Row groups of documents: the texts with ids from 0.
pub(super) fn groups(sizes: &[usize]) -> Vec<Vec<Column>> {
    let mut next = 0;
    let group = |&rows: &usize| {
        let ids = next..next + rows as i64;
        next = ids.end;
        let texts: Vec<String> = ids.clone().map(text).collect();
        let ids = Column {
            definition: vec![1; rows],
            ..all(Values::Int64(ids.collect()))
        };
        vec![strings(texts.iter().map(String::as_str)), ids]
    };
    sizes.iter().map(group).collect()
}

/// The text of a document: some are equal, some are empty, some have to be escaped.
pub(super) fn text(id: i64) -> String {
    match id % 5 {
        0 => String::new(),
        1 => "the same\n\"text\"\\ \u{1} in many rows".to_owned(),
        2 => format!("naïve 日本 {id}"),
        _ => format!("{id} ").repeat(id as usize % 50),
    }
}
