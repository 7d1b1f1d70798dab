//! A Parquet file and what its footer says of it.

use super::footer;
use super::guard::guarded;
use super::pages::{Chunk, Pages};
use crate::expansion::Expansion;
use crate::{Error, positioned};
use parquet::data_type::{ByteArray, Int96};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is read at places.
#[derive(Debug)]
pub(super) struct Source {
    file: Arc<fs::File>,
    pub(super) name: String,
    pub(super) len: u64,
    /// Bytes of pages read so far.
    read: AtomicU64,
    /// The same, or the share of the file that the rows so far are, if that is more.
    pub(super) on_disk: Arc<AtomicU64>,
    pub(super) expansion: Expansion,
}

impl Source {
    /// So many bytes from a place, which are known to be in the file.
    pub(super) fn bytes(&self, at: u64, len: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; len];
        positioned::read_exact(&self.file, &mut bytes, at).map_err(|reason| {
            match reason.kind() {
                io::ErrorKind::UnexpectedEof => Error::changed(&self.name),
                _ => Error::read(&self.name, reason),
            }
        })?;
        Ok(bytes)
    }

    /// What follows a place.
    pub(super) fn range(&self, at: u64) -> positioned::Range {
        positioned::Range::new(Arc::clone(&self.file), at, self.len)
    }

    /// Counts bytes of a page.
    pub(super) fn count(&self, bytes: u64) {
        let before = self.read.fetch_add(bytes, Ordering::Relaxed);
        self.on_disk.fetch_max(before + bytes, Ordering::Relaxed);
    }

    /// Counts rows, with all their columns.
    pub(super) fn count_rows(&self, rows: u64, of: u64) {
        let share = u128::from(self.len) * u128::from(rows.min(of)) / u128::from(of.max(1));
        self.on_disk.fetch_max(share as u64, Ordering::Relaxed);
    }

    pub(super) fn refuse(&self, reason: impl Into<String>) -> Error {
        Error::Parquet {
            file: self.name.clone(),
            reason: reason.into(),
        }
    }

    /// An error of the crate, or the error of ours that it carries.
    pub(super) fn error(&self, place: &str, error: ParquetError) -> Error {
        match error {
            ParquetError::External(inner) => match inner.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(other) => match other.downcast::<io::Error>() {
                    // What we read has errors of our own.
                    Ok(reason) => Error::Write { reason: *reason },
                    Err(other) => self.refuse(format!("{place}: {other}")),
                },
            },
            other => self.refuse(format!("{place}: {other}")),
        }
    }

    /// Work with the crate, whose panics are errors.
    pub(super) fn guard<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        guarded(work)
            .unwrap_or_else(|said| Err(self.refuse(format!("the data is damaged: {said}"))))
    }
}

/// A file with its footer read.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) source: Arc<Source>,
    pub(super) metadata: Arc<ParquetMetaData>,
}

impl Table {
    pub(super) fn open(name: &str, file: fs::File, expansion: Expansion) -> Result<Self, Error> {
        let metadata = file
            .metadata()
            .map_err(|reason| Error::read(name, reason))?;
        let source = Source {
            len: metadata.len(),
            file: Arc::new(file),
            name: name.to_owned(),
            read: AtomicU64::new(0),
            on_disk: Arc::default(),
            expansion,
        };
        let footer = footer::read(&source)?;
        let metadata = source.guard(|| {
            ParquetMetaDataReader::decode_metadata(&footer).map_err(|e| source.error("footer", e))
        })?;
        let table = Self {
            source: Arc::new(source),
            metadata: Arc::new(metadata),
        };
        for group in 0..table.groups().len() {
            table.check(group)?;
        }
        Ok(table)
    }

    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    pub(super) fn groups(&self) -> &[RowGroupMetaData] {
        self.metadata.row_groups()
    }

    /// The rows of a group.
    pub(super) fn rows(&self, group: usize) -> u64 {
        self.groups()[group].num_rows().max(0) as u64
    }

    /// The rows of all groups.
    pub(super) fn total(&self) -> u64 {
        let rows = (0..self.groups().len()).map(|group| self.rows(group));
        rows.fold(0, u64::saturating_add)
    }

    /// The pages of a column of a group.
    pub(super) fn pages(&self, group: usize, column: usize) -> Result<Pages, Error> {
        let chunk = self.chunk(group, column)?;
        Ok(Pages::new(Arc::clone(&self.source), chunk))
    }

    /// Where a column of a group is, if it is in the file at all.
    pub(super) fn chunk(&self, group: usize, column: usize) -> Result<Chunk, Error> {
        let meta = self.groups()[group].column(column);
        let dictionary = self.dictionary(group, column);
        let start = dictionary.unwrap_or(meta.data_page_offset());
        let range = u64::try_from(start)
            .ok()
            .zip(u64::try_from(meta.compressed_size()).ok())
            .and_then(|(start, len)| Some(start..start.checked_add(len)?))
            .filter(|range| range.end <= self.source.len);
        match range {
            _ if meta.file_path().is_some() => Err(self
                .source
                .refuse(format!("{}: is in another file", self.place(group, column)))),
            Some(range) => Ok(Chunk {
                range,
                codec: meta.compression(),
                optional: meta.column_descr().max_def_level() > 0,
                repeated: meta.column_descr().max_rep_level() > 0,
                width: width(meta.column_descr()),
                decoded: decoded(meta.column_descr()),
            }),
            None => Err(self.source.refuse(format!(
                "{}: does not lie in the file",
                self.place(group, column)
            ))),
        }
    }

    /// Where the dictionary of a column of a group is. Some writers put a zero where there
    /// is none.
    pub(super) fn dictionary(&self, group: usize, column: usize) -> Option<i64> {
        let meta = self.groups()[group].column(column);
        meta.dictionary_page_offset().filter(|&at| at > 0)
    }

    /// A column of a group, for messages.
    pub(super) fn place(&self, group: usize, column: usize) -> String {
        let path = self.schema().column(column).path().string();
        format!("row group {group}, column `{path}`")
    }

    /// Refuses a group that contradicts itself.
    fn check(&self, group: usize) -> Result<(), Error> {
        let meta = &self.groups()[group];
        let refuse = |what| Err(self.source.refuse(format!("row group {group}: {what}")));
        if meta.num_columns() != self.schema().num_columns() {
            return refuse("has other columns than the schema");
        }
        if meta.num_rows() < 0 {
            return refuse("has less than no rows");
        }
        Ok(())
    }
}

/// The fewest bytes of a value of a dictionary.
fn width(column: &parquet::schema::types::ColumnDescriptor) -> usize {
    use parquet::basic::Type;
    match column.physical_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).unwrap_or(0),
    }
}

/// The bytes of a value in memory.
fn decoded(column: &parquet::schema::types::ColumnDescriptor) -> u64 {
    use parquet::basic::Type;
    let bytes = match column.physical_type() {
        Type::BOOLEAN => size_of::<bool>(),
        Type::INT32 | Type::FLOAT => size_of::<i32>(),
        Type::INT64 | Type::DOUBLE => size_of::<i64>(),
        Type::INT96 => size_of::<Int96>(),
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => size_of::<ByteArray>(),
    };
    bytes as u64
}
