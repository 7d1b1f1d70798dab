//! The rows of a column, each to one of several outputs.

use super::pages::Opened;
use super::read::next_size;
use super::table::{Source, Table};
use super::written::Group;
use crate::{Error, positioned};
use bytes::Bytes;
use parquet::basic::Type;
use parquet::column::reader::{ColumnReaderImpl, get_column_reader, get_typed_column_reader};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::SerializedColumnWriter;
use std::sync::Arc;

/// The outputs of a row group; some may get none of its rows.
pub(super) type Groups<'a, 's, 'w> = [Option<Group<'a, 's, 'w>>];

/// Copies a column of a row group: each row to the output of its number.
pub(super) fn column(
    table: &Table,
    group: usize,
    column: usize,
    to: &[u8],
    outputs: &mut Groups<'_, '_, '_>,
) -> std::result::Result<(), Error> {
    let at = |e| table.source.error(&table.place(group, column), e);
    let pages = table.pages(group, column)?;
    let of = table.schema().column(column);
    let levels = Levels {
        definition: of.max_def_level(),
        repetition: of.max_rep_level(),
    };
    let kind = of.physical_type();
    let opened = pages.opened();
    let reader = get_column_reader(of, Box::new(pages));
    let mut writers = Vec::new();
    for output in outputs.iter_mut() {
        writers.push(match output {
            Some(output) => output.next_column().map_err(at)?,
            None => None,
        });
    }
    macro_rules! copy {
        ($kind:ty) => {
            Copy::<$kind> {
                reader: get_typed_column_reader(reader),
                opened,
                levels,
                read: Batch::default(),
            }
            .run(to, &mut writers)
        };
    }
    let copied = match kind {
        Type::BOOLEAN => copy!(BoolType),
        Type::INT32 => copy!(Int32Type),
        Type::INT64 => copy!(Int64Type),
        Type::INT96 => copy!(Int96Type),
        Type::FLOAT => copy!(FloatType),
        Type::DOUBLE => copy!(DoubleType),
        Type::BYTE_ARRAY => copy!(ByteArrayType),
        Type::FIXED_LEN_BYTE_ARRAY => copy!(FixedLenByteArrayType),
    };
    copied.map_err(at)?;
    for writer in writers.into_iter().flatten() {
        writer.close().map_err(at)?;
    }
    Ok(())
}

/// Copies a column of a row group as it stands, with all rows.
pub(super) fn chunk(
    table: &Table,
    group: usize,
    column: usize,
    output: &mut Group<'_, '_, '_>,
) -> std::result::Result<(), Error> {
    let at = |e| table.source.error(&table.place(group, column), e);
    let chunk = table.chunk(group, column)?;
    let of = table.groups()[group].column(column).clone().into_builder();
    let dictionary = table.dictionary(group, column);
    let metadata = of
        .set_dictionary_page_offset(dictionary)
        .build()
        .map_err(at)?;
    let close = ColumnCloseResult {
        bytes_written: chunk.range.end - chunk.range.start,
        rows_written: table.rows(group),
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    output.append_column(&*table.source, close).map_err(at)
}

/// The levels at which a value is there, and at which a row has several.
#[derive(Clone, Copy)]
struct Levels {
    definition: i16,
    repetition: i16,
}

/// Some rows of a column.
struct Batch<T> {
    values: Vec<T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            definition: Vec::new(),
            repetition: Vec::new(),
        }
    }
}

impl<T> Batch<T> {
    fn clear(&mut self) {
        self.values.clear();
        self.definition.clear();
        self.repetition.clear();
    }
}

struct Copy<T: DataType> {
    reader: ColumnReaderImpl<T>,
    opened: Arc<Opened>,
    levels: Levels,
    read: Batch<T::T>,
}

impl<T: DataType> Copy<T> {
    fn run(
        mut self,
        mut to: &[u8],
        writers: &mut [Option<SerializedColumnWriter<'_>>],
    ) -> Result<()> {
        let mut parts: Vec<Batch<T::T>> = writers.iter().map(|_| Batch::default()).collect();
        let mut size = 1;
        while !to.is_empty() {
            let (now, rest) = to.split_at(size.min(to.len()));
            if self.read(now.len())? != now.len() {
                return Err(miscounted());
            }
            self.share(now, &mut parts);
            for (part, writer) in parts.iter_mut().zip(&mut *writers) {
                if let Some(writer) = writer {
                    let definition = (self.levels.definition > 0).then_some(&part.definition[..]);
                    let repetition = (self.levels.repetition > 0).then_some(&part.repetition[..]);
                    let writer = writer.typed::<T>();
                    writer.write_batch(&part.values, definition, repetition)?;
                }
                part.clear();
            }
            // Lists of nothing have levels alone.
            let levels = size_of_val(&self.read.definition[..]);
            let bytes = self.read.values.iter().map(|value| value.as_bytes().len());
            size = next_size(size, levels + bytes.sum::<usize>());
            to = rest;
        }
        match self.read(1)? {
            0 => Ok(()),
            _ => Err(miscounted()),
        }
    }

    fn read(&mut self, rows: usize) -> Result<usize> {
        self.read.clear();
        self.opened.forget();
        let Batch {
            values,
            definition,
            repetition,
        } = &mut self.read;
        let levels = (Some(definition), Some(repetition));
        let (rows, ..) = self.reader.read_records(rows, levels.0, levels.1, values)?;
        Ok(rows)
    }

    /// Deals the rows that were read out to those they go to.
    fn share(&self, to: &[u8], parts: &mut [Batch<T::T>]) {
        let Batch {
            values,
            definition,
            repetition,
        } = &self.read;
        let (mut level, mut value) = (0, 0);
        for run in to.chunk_by(|a, b| a == b) {
            let start = level;
            level = match self.levels.repetition > 0 {
                false => start + run.len(),
                true => end_of_rows(repetition, start, run.len()),
            };
            let is_there = |&&level: &&i16| level == self.levels.definition;
            let count = match self.levels.definition > 0 {
                true => definition[start..level].iter().filter(is_there).count(),
                false => run.len(),
            };
            let part = &mut parts[usize::from(run[0])];
            part.values.extend_from_slice(&values[value..value + count]);
            value += count;
            if self.levels.definition > 0 {
                part.definition.extend_from_slice(&definition[start..level]);
            }
            if self.levels.repetition > 0 {
                part.repetition.extend_from_slice(&repetition[start..level]);
            }
        }
    }
}

/// Where so many rows end: a row starts where nothing is repeated.
fn end_of_rows(repetition: &[i16], start: usize, rows: usize) -> usize {
    let starts = repetition[start..].iter().enumerate();
    let mut starts = starts.filter(|&(_, &level)| level == 0).skip(rows);
    starts
        .next()
        .map_or(repetition.len(), |(place, _)| start + place)
}

fn miscounted() -> ParquetError {
    ParquetError::General("not as many rows as the row group has".to_owned())
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Source {
    type T = positioned::Range;

    fn get_read(&self, start: u64) -> Result<positioned::Range> {
        Ok(self.range(start))
    }

    fn get_bytes(&self, start: u64, len: usize) -> Result<Bytes> {
        let bytes = self.bytes(start, len);
        bytes.map_or_else(
            |e| Err(ParquetError::External(Box::new(e))),
            |b| Ok(b.into()),
        )
    }
}
