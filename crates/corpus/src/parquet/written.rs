//! A Parquet file that is written row group by row group.
//!
//! The crate's own writer fixes codecs and encodings for a whole file; here each row group
//! has those of the one it comes from.

use super::table::Table;
use crate::Error;
use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter,
    RowGroupMetaData,
};
use parquet::file::properties::{
    DEFAULT_CREATED_BY, EnabledStatistics, WriterProperties, WriterVersion,
};
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::SchemaDescPtr;
use std::io::{self, Write};
use std::sync::Arc;

/// Where bytes go to, and the first thing that went wrong there.
pub(super) struct Sink<'w> {
    out: &'w mut (dyn Write + Send),
    failed: Option<io::Error>,
}

impl<'w> Sink<'w> {
    pub(super) fn new(out: &'w mut (dyn Write + Send)) -> Self {
        Self { out, failed: None }
    }

    /// What went wrong. The crate buffers, and drops its buffers without a word.
    pub(super) fn result(&mut self) -> std::result::Result<(), Error> {
        match self.failed.take() {
            Some(reason) => Err(Error::Write { reason }),
            None => Ok(()),
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.out.write(bytes) {
            Err(e) if e.kind() != io::ErrorKind::Interrupted => {
                let kind = e.kind();
                self.failed.get_or_insert(e);
                Err(kind.into())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A row group that is being written.
pub(super) type Group<'a, 's, 'w> = SerializedRowGroupWriter<'a, &'s mut Sink<'w>>;

/// A file that is being written.
pub(super) struct Written<'s, 'w> {
    buffer: TrackedWrite<&'s mut Sink<'w>>,
    schema: SchemaDescPtr,
    notes: Option<Vec<KeyValue>>,
    version: i32,
    groups: Vec<RowGroupMetaData>,
}

impl<'s, 'w> Written<'s, 'w> {
    /// A file like that one, with this schema.
    pub(super) fn new(sink: &'s mut Sink<'w>, like: &Table, schema: SchemaDescPtr) -> Self {
        let mut buffer = TrackedWrite::new(sink);
        // A few bytes stay in its buffer: what goes wrong with them is told later.
        let _ = buffer.write_all(b"PAR1");
        let of = like.metadata.file_metadata();
        Self {
            buffer,
            schema,
            notes: of.key_value_metadata().cloned(),
            version: of.version(),
            groups: Vec::new(),
        }
    }

    /// Notes something else under a key, or nothing.
    pub(super) fn note(&mut self, key: &str, other: impl Fn(&str) -> Option<String>) {
        let Some(notes) = &mut self.notes else { return };
        notes.retain_mut(|note| {
            if note.key == key {
                note.value = note.value.as_deref().and_then(&other);
            }
            note.key != key || note.value.is_some()
        });
    }

    /// A row group like that one.
    pub(super) fn group<'a>(&'a mut self, like: &RowGroupMetaData) -> Result<Group<'a, 's, 'w>> {
        let number = i32::try_from(self.groups.len())
            .map_err(|_| ParquetError::General("too many row groups".to_owned()))?;
        let groups = &mut self.groups;
        Ok(SerializedRowGroupWriter::new(
            Arc::clone(&self.schema),
            Arc::new(properties(like)),
            &mut self.buffer,
            number,
            Some(Box::new(|_, group, _, _, _| {
                groups.push(group);
                Ok(())
            })),
        ))
    }

    /// Writes the footer.
    pub(super) fn finish(self) -> Result<()> {
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let of = FileMetaData::new(
            self.version,
            rows,
            Some(DEFAULT_CREATED_BY.to_owned()),
            self.notes,
            self.schema,
            None,
        );
        let metadata = ParquetMetaData::new(of, self.groups);
        ParquetMetaDataWriter::new_with_tracked(self.buffer, &metadata)
            .with_preserve_page_index_locations(false)
            .finish()
    }
}

/// Codecs, encodings and order of a row group. Page indexes and bloom filters are left out,
/// which readers do without.
fn properties(like: &RowGroupMetaData) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_max_row_group_row_count(None)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_sorting_columns(like.sorting_columns().cloned());
    // A column that is added is compressed as the first one is.
    if let Some(first) = like.columns().first() {
        properties = properties.set_compression(first.compression());
    }
    for column in like.columns() {
        let path = column.column_path();
        let dictionary = column.dictionary_page_offset().is_some();
        properties = properties
            .set_column_compression(path.clone(), column.compression())
            .set_column_dictionary_enabled(path.clone(), dictionary);
        if let Some(encoding) = encoding(column) {
            properties = properties.set_column_encoding(path.clone(), encoding);
        }
        if column.statistics().is_none() {
            let none = EnabledStatistics::None;
            properties = properties.set_column_statistics_enabled(path.clone(), none);
        }
    }
    properties.build()
}

/// The encoding of a column besides a dictionary, if it is not the plain one.
fn encoding(column: &ColumnChunkMetaData) -> Option<Encoding> {
    let known: &[Encoding] = match column.column_type() {
        Type::INT32 | Type::INT64 => &[Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT],
        Type::BYTE_ARRAY => &[
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::DELTA_BYTE_ARRAY,
        ],
        Type::FLOAT | Type::DOUBLE | Type::FIXED_LEN_BYTE_ARRAY => &[Encoding::BYTE_STREAM_SPLIT],
        Type::BOOLEAN | Type::INT96 => &[],
    };
    column.encodings().find(|encoding| known.contains(encoding))
}
