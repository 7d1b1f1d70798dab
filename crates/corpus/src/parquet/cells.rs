//! The values of a column, row by row, as JSON.

use super::columns::Holds;
use super::hex;
use super::pages::Pages;
use crate::half::to_f32;
use parquet::column::reader::{
    ColumnReader, ColumnReaderImpl, get_column_reader, get_typed_column_reader,
};
use parquet::data_type::{
    AsBytes, BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

/// A value of a row.
#[derive(Debug)]
pub(super) enum Cell {
    Null,
    /// A string that is not yet written, as it may be long.
    Text(ByteArray),
    /// Anything else, written.
    Json(String),
    /// Bytes or a list, written; texts in it may not be UTF-8.
    Written(Vec<u8>),
}

/// A column, of which some rows are at hand.
pub(super) trait Cells: Send {
    /// Reads so many rows, or all that are left: how many, and what they take in bytes.
    fn read(&mut self, rows: usize) -> Result<(usize, usize)>;

    /// The value of the next row at hand.
    fn next(&mut self) -> Cell;
}

/// The cells of a column that holds this.
pub(super) fn cells(column: ColumnDescPtr, holds: Holds, pages: Pages) -> Box<dyn Cells> {
    use parquet::basic::Type;
    let physical = column.physical_type();
    let max = column.max_def_level();
    let reader = get_column_reader(column, Box::new(pages));
    match (physical, holds) {
        (Type::INT32, Holds::Unsigned) => {
            Typed::<Int32Type>::boxed(reader, max, |v| Cell::Json((*v as u32).to_string()))
        }
        (Type::INT64, Holds::Unsigned) => {
            Typed::<Int64Type>::boxed(reader, max, |v| Cell::Json((*v as u64).to_string()))
        }
        (Type::INT32, _) => Typed::<Int32Type>::boxed(reader, max, |v| Cell::Json(v.to_string())),
        (Type::INT64, _) => Typed::<Int64Type>::boxed(reader, max, |v| Cell::Json(v.to_string())),
        (Type::FLOAT, _) => Typed::<FloatType>::boxed(reader, max, |v| number(v, v.is_finite())),
        (Type::DOUBLE, _) => Typed::<DoubleType>::boxed(reader, max, |v| number(v, v.is_finite())),
        (Type::BOOLEAN, _) => Typed::<BoolType>::boxed(reader, max, |v| Cell::Json(v.to_string())),
        (Type::FIXED_LEN_BYTE_ARRAY, Holds::Number) => {
            Typed::<FixedLenByteArrayType>::boxed(reader, max, |v| half(v.data()))
        }
        (Type::FIXED_LEN_BYTE_ARRAY, _) => {
            Typed::<FixedLenByteArrayType>::boxed(reader, max, |v| hex(v.data()))
        }
        (_, Holds::Bytes) => Typed::<ByteArrayType>::boxed(reader, max, |v| hex(v.data())),
        _ => Typed::<ByteArrayType>::boxed(reader, max, |v| Cell::Text(v.clone())),
    }
}

/// Bytes as a string of hexadecimal digits, so that they survive as JSON.
fn hex(bytes: &[u8]) -> Cell {
    let mut json = vec![b'"'];
    hex::write(bytes, &mut json);
    json.push(b'"');
    Cell::Written(json)
}

/// A float of 16 bits as JSON.
fn half(bytes: &[u8]) -> Cell {
    let Ok(bytes) = bytes.try_into() else {
        return Cell::Null;
    };
    let value = to_f32(u16::from_le_bytes(bytes));
    number(&value, value.is_finite())
}

/// A number as JSON, which has none for what is not finite.
fn number(value: &impl serde::Serialize, finite: bool) -> Cell {
    match serde_json::to_string(value) {
        Ok(json) if finite => Cell::Json(json),
        _ => Cell::Null,
    }
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    /// The level at which a value is there.
    max: i16,
    levels: Vec<i16>,
    values: Vec<T::T>,
    row: usize,
    value: usize,
    cell: fn(&T::T) -> Cell,
}

impl<T: DataType> Typed<T> {
    fn boxed(reader: ColumnReader, max: i16, cell: fn(&T::T) -> Cell) -> Box<dyn Cells> {
        Box::new(Self {
            reader: get_typed_column_reader(reader),
            max,
            levels: Vec::new(),
            values: Vec::new(),
            row: 0,
            value: 0,
            cell,
        })
    }
}

impl<T: DataType> Cells for Typed<T> {
    fn read(&mut self, rows: usize) -> Result<(usize, usize)> {
        self.levels.clear();
        self.values.clear();
        (self.row, self.value) = (0, 0);
        let levels = Some(&mut self.levels);
        let (read, _, _) = self
            .reader
            .read_records(rows, levels, None, &mut self.values)?;
        let bytes = self.values.iter().map(|value| value.as_bytes().len()).sum();
        Ok((read, bytes))
    }

    fn next(&mut self) -> Cell {
        let there = self.max == 0 || self.levels[self.row] == self.max;
        self.row += 1;
        if !there {
            return Cell::Null;
        }
        self.value += 1;
        (self.cell)(&self.values[self.value - 1])
    }
}
