//! A new Parquet file of two columns of text and one of numbers.

use super::rewrite::optional;
use super::written::Sink;
use crate::listing::Row;
use crate::{Error, Format};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

/// Rows of a row group.
const ROWS: usize = 1 << 18;

/// Writes rows, a row group at a time.
pub(crate) fn write(
    columns: [&str; 3],
    rows: impl Iterator<Item = Row>,
    out: &mut (dyn Write + Send),
) -> std::result::Result<(), Error> {
    let mut sink = Sink::new(out);
    let written = write_all(columns, rows, &mut sink);
    sink.result()?;
    written.map_err(|e| Error::Parquet {
        file: Format::Parquet.to_string(),
        reason: e.to_string(),
    })
}

fn write_all(
    columns: [&str; 3],
    mut rows: impl Iterator<Item = Row>,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let [a, b, number] = columns;
    let fields = [(a, false), (b, false), (number, true)];
    let fields = fields.map(|(name, is_number)| optional(name, is_number).map(Arc::new));
    let fields = fields.into_iter().collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("schema")
        .with_fields(fields)
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut file = SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))?;
    loop {
        let some: Vec<Row> = rows.by_ref().take(ROWS).collect();
        if some.is_empty() {
            break;
        }
        let mut group = file.next_row_group()?;
        texts(&mut group, some.iter().map(|row| &row.0))?;
        texts(&mut group, some.iter().map(|row| &row.1))?;
        numbers(&mut group, some.iter().map(|row| row.2))?;
        group.close()?;
    }
    file.close().map(|_| ())
}

fn texts<'a, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    texts: impl Iterator<Item = &'a String>,
) -> Result<()> {
    let texts: Vec<ByteArray> = texts.map(|text| text.as_str().into()).collect();
    if let Some(mut column) = group.next_column()? {
        let levels = vec![1; texts.len()];
        let writer = column.typed::<ByteArrayType>();
        writer.write_batch(&texts, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}

fn numbers<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    numbers: impl Iterator<Item = Option<f64>> + Clone,
) -> Result<()> {
    let levels: Vec<i16> = numbers.clone().map(|n| i16::from(n.is_some())).collect();
    let numbers: Vec<f64> = numbers.flatten().collect();
    if let Some(mut column) = group.next_column()? {
        let writer = column.typed::<DoubleType>();
        writer.write_batch(&numbers, Some(&levels), None)?;
        column.close()?;
    }
    Ok(())
}
