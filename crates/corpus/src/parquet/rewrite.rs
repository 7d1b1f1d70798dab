//! The third pass over Parquet: files with some of the rows, and else as they were.
//!
//! Schema, notes and order stay; each column of a row group keeps its codec. Where all rows
//! of a row group go one way, its bytes are copied as they are, and so is a whole file.

use super::arrow;
use super::copy::{self, Groups};
use super::table::Table;
use super::written::{Sink, Written};
use crate::annotate::Annotation;
use crate::split::Split;
use crate::{AddedColumn, Error, Place, Records};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type};
use std::io::Write;
use std::sync::Arc;

/// Bytes of a file that are copied at a time.
const PART: usize = 1 << 18;

/// Rows of a column that is added.
const ROWS: usize = 1 << 10;

/// Copies a file to three outputs, each row to one of them.
pub(crate) fn split(mut split: Split<'_, '_>) -> Result<(), Error> {
    let of = split.of;
    let table = Table::open(of.name(), of.reopened()?, split.corpus.expansion)?;
    let numbers = numbers(&table, split.records, |document, place| {
        split.output(document, place) as u8
    })?;
    let to = split.to;
    let mut sinks = [to.kept, to.removed, to.skipped].map(Sink::new);
    let split = match one(&numbers) {
        Some(one) => {
            let (whole, empty) = alone(&mut sinks, usize::from(one));
            copy_all(&table, whole)?;
            let mut empty = empty.map(|sink| Written::new(sink, &table, schema(&table)));
            empty.try_for_each(|written| finish(&table, written))
        }
        None => {
            let outputs = sinks.iter_mut();
            let outputs = outputs.map(|sink| Written::new(sink, &table, schema(&table)));
            rewrite(&table, &numbers, outputs.collect(), |_, _| Ok(()))
        }
    };
    sinks.iter_mut().try_for_each(Sink::result)?;
    split
}

/// Copies a file, with columns added.
pub(crate) fn annotate(annotation: Annotation<'_, '_>) -> Result<(), Error> {
    let Annotation {
        corpus,
        of,
        records,
        added,
        value,
        out,
        skipped,
    } = annotation;
    let table = Table::open(of.name(), of.reopened()?, corpus.expansion)?;
    let fields = table.schema().root_schema().get_fields();
    let columns = added.table();
    let is_there = |name: &str| fields.iter().any(|field| field.name() == name);
    if let Some(column) = columns.iter().find(|column| is_there(column.name)) {
        return Err(Error::has_field(of.name(), 1, column.name));
    }
    let numbers = numbers(&table, records, |document, _| match document {
        Some(_) => 0,
        None => 1,
    })?;
    let wider = with_columns(&table, &columns)?;
    let mut sinks = [Sink::new(out), Sink::new(skipped)];
    let outputs = sinks.iter_mut().zip([wider, schema(&table)]);
    let mut outputs: Vec<_> = outputs
        .map(|(sink, schema)| Written::new(sink, &table, schema))
        .collect();
    outputs[0].note(arrow::KEY, |note| {
        let mut numbered = (fields.len()..).zip(&columns);
        numbered.try_fold(note.to_owned(), |note, (before, column)| {
            arrow::with_column(&note, before, column)
        })
    });
    let mut document = 0;
    let annotated = rewrite(&table, &numbers, outputs, |groups, to| {
        let rows = to.iter().filter(|&&n| n == 0).count();
        for &column in &columns {
            let cell = |i| added.cell(value(i), column);
            let cells = (document..document + rows).map(cell);
            match column.is_number {
                true => {
                    let number = |text: String| text.parse::<f64>().ok();
                    let cells = cells.map(|cell| cell.and_then(number));
                    add::<DoubleType>(&table, groups, cells)?;
                }
                false => {
                    let text = |text: String| ByteArray::from(text.into_bytes());
                    add::<ByteArrayType>(&table, groups, cells.map(|cell| cell.map(text)))?;
                }
            }
        }
        document += rows;
        Ok(())
    });
    sinks.iter_mut().try_for_each(Sink::result)?;
    annotated
}

fn schema(table: &Table) -> SchemaDescPtr {
    table.metadata.file_metadata().schema_descr_ptr()
}

/// The number of the output for each row. Each row is a record, and their order is the same.
fn numbers(
    table: &Table,
    records: Records<'_>,
    mut number: impl FnMut(Option<usize>, &Place) -> u8,
) -> Result<Vec<u8>, Error> {
    let mut numbers = Vec::with_capacity(records.documents.len() + records.skipped.len());
    for (document, place) in records.in_order() {
        numbers.push(number(document, place));
        if place.line != numbers.len() as u64 {
            return Err(Error::Parameter {
                name: "places",
                value: format!("row {}", place.line),
                expected: "all of the file, in its order",
            });
        }
    }
    match table.total() == numbers.len() as u64 {
        true => Ok(numbers),
        false => Err(Error::changed(&table.source.name)),
    }
}

/// The number of all rows, if it is one; that of what is kept if there are no rows.
fn one(numbers: &[u8]) -> Option<u8> {
    let first = numbers.first().copied().unwrap_or(0);
    numbers.iter().all(|&n| n == first).then_some(first)
}

/// One of some, and the others.
fn alone<T>(all: &mut [T], one: usize) -> (&mut T, impl Iterator<Item = &mut T>) {
    let (before, rest) = all.split_at_mut(one);
    let (one, after) = rest.split_at_mut(1);
    (&mut one[0], before.iter_mut().chain(after))
}

fn copy_all(table: &Table, out: &mut Sink<'_>) -> Result<(), Error> {
    let len = table.source.len;
    let mut at = 0;
    while at < len {
        let part = usize::try_from(len - at).map_or(PART, |left| left.min(PART));
        let bytes = table.source.bytes(at, part)?;
        if out.write_all(&bytes).is_err() {
            return out.result();
        }
        at += part as u64;
    }
    Ok(())
}

/// Writes each row to the output of its number; `more` adds to the groups of the outputs.
fn rewrite(
    table: &Table,
    numbers: &[u8],
    mut outputs: Vec<Written<'_, '_>>,
    mut more: impl FnMut(&mut Groups<'_, '_, '_>, &[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let source = &table.source;
    let failed = |e| source.error("output", e);
    let mut rest = numbers;
    for (group, like) in table.groups().iter().enumerate() {
        let rows = usize::try_from(table.rows(group)).unwrap_or(usize::MAX);
        let (to, later) = rest.split_at(rows.min(rest.len()));
        rest = later;
        let Some(&first) = to.first() else { continue };
        let mut groups = Vec::new();
        for (number, output) in (0..).zip(&mut outputs) {
            groups.push(match to.contains(&number) {
                true => Some(output.group(like).map_err(failed)?),
                false => None,
            });
        }
        for column in 0..like.num_columns() {
            source.guard(|| match (one(to), &mut groups[usize::from(first)]) {
                (Some(_), Some(output)) => copy::chunk(table, group, column, output),
                _ => copy::column(table, group, column, to, &mut groups),
            })?;
        }
        more(&mut groups, to)?;
        for group in groups.into_iter().flatten() {
            source.guard(|| group.close().map(|_| ()).map_err(failed))?;
        }
    }
    outputs
        .into_iter()
        .try_for_each(|written| finish(table, written))
}

fn finish(table: &Table, written: Written<'_, '_>) -> Result<(), Error> {
    let source = &table.source;
    source.guard(|| written.finish().map_err(|e| source.error("output", e)))
}

/// A column of strings or numbers, any of which may be missing.
pub(super) fn optional(name: &str, is_number: bool) -> Result<Type, ParquetError> {
    let (physical, logical) = match is_number {
        true => (Physical::DOUBLE, None),
        false => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// The schema with columns at its end.
fn with_columns(table: &Table, columns: &[AddedColumn<'_>]) -> Result<SchemaDescPtr, Error> {
    let build = || -> Result<Type, ParquetError> {
        let root = table.schema().root_schema();
        let mut fields = root.get_fields().to_vec();
        for column in columns {
            fields.push(Arc::new(optional(column.name, column.is_number)?));
        }
        let wider = Type::group_type_builder(root.name()).with_fields(fields);
        wider.build()
    };
    let wider = build().map_err(|e| table.source.error("schema", e))?;
    Ok(Arc::new(SchemaDescriptor::new(Arc::new(wider))))
}

/// Writes a column that is added to the first output.
fn add<T: DataType>(
    table: &Table,
    groups: &mut Groups<'_, '_, '_>,
    mut values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), Error> {
    let source = &table.source;
    let failed = |e| source.error("output", e);
    let Some(group) = &mut groups[0] else {
        return Ok(());
    };
    let Some(mut column) = group.next_column().map_err(failed)? else {
        return Ok(());
    };
    loop {
        let some: Vec<_> = values.by_ref().take(ROWS).collect();
        if some.is_empty() {
            return source.guard(|| column.close().map_err(failed));
        }
        let levels: Vec<i16> = some.iter().map(|v| i16::from(v.is_some())).collect();
        let some: Vec<T::T> = some.into_iter().flatten().collect();
        source.guard(|| {
            let writer = column.typed::<T>();
            let written = writer.write_batch(&some, Some(&levels), None);
            written.map(|_| ()).map_err(failed)
        })?;
    }
}
