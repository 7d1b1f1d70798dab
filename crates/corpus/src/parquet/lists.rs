//! The lists of a column, row by row, as JSON.

use super::cells::{Cell, Cells};
use super::columns::Holds;
use super::pages::Pages;
use super::read::escape;
use parquet::basic::Type;
use parquet::column::reader::{
    ColumnReader, ColumnReaderImpl, get_column_reader, get_typed_column_reader,
};
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

/// The cells of a column of lists that hold this. `element` is the definition level at which a list has an element.
pub(super) fn lists(
    column: ColumnDescPtr,
    holds: Holds,
    element: i16,
    pages: Pages,
) -> Box<dyn Cells> {
    let physical = column.physical_type();
    let levels = Levels {
        element,
        value: column.max_def_level(),
    };
    let reader = get_column_reader(column, Box::new(pages));
    match (physical, holds) {
        (Type::INT32, Holds::Unsigned) => {
            Lists::<Int32Type>::boxed(reader, levels, |v, out| number(&(*v as u32), true, out))
        }
        (Type::INT64, Holds::Unsigned) => {
            Lists::<Int64Type>::boxed(reader, levels, |v, out| number(&(*v as u64), true, out))
        }
        (Type::INT32, _) => {
            Lists::<Int32Type>::boxed(reader, levels, |v, out| number(v, true, out))
        }
        (Type::INT64, _) => {
            Lists::<Int64Type>::boxed(reader, levels, |v, out| number(v, true, out))
        }
        (Type::FLOAT, _) => {
            Lists::<FloatType>::boxed(reader, levels, |v, out| number(v, v.is_finite(), out))
        }
        (Type::DOUBLE, _) => {
            Lists::<DoubleType>::boxed(reader, levels, |v, out| number(v, v.is_finite(), out))
        }
        (Type::BOOLEAN, _) => {
            Lists::<BoolType>::boxed(reader, levels, |v, out| number(v, true, out))
        }
        _ => Lists::<ByteArrayType>::boxed(reader, levels, |v, out| {
            out.push(b'"');
            escape(v.data(), out);
            out.push(b'"');
        }),
    }
}

/// A number as JSON; what is not finite is null there.
fn number(value: &(impl serde::Serialize + ?Sized), is_finite: bool, out: &mut Vec<u8>) {
    let start = out.len();
    if !is_finite || serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// Definition levels of a column of lists: below `element` - 1 a list is null, at it the list is empty.
#[derive(Clone, Copy, Debug)]
struct Levels {
    /// The list has an element, which may be null.
    element: i16,
    /// The element has a value.
    value: i16,
}

struct Lists<T: DataType> {
    reader: ColumnReaderImpl<T>,
    levels: Levels,
    definition: Vec<i16>,
    repetition: Vec<i16>,
    values: Vec<T::T>,
    /// The level and the value that come next.
    at: usize,
    value: usize,
    write: fn(&T::T, &mut Vec<u8>),
}

impl<T: DataType> Lists<T> {
    fn boxed(
        reader: ColumnReader,
        levels: Levels,
        write: fn(&T::T, &mut Vec<u8>),
    ) -> Box<dyn Cells> {
        Box::new(Self {
            reader: get_typed_column_reader(reader),
            levels,
            definition: Vec::new(),
            repetition: Vec::new(),
            values: Vec::new(),
            at: 0,
            value: 0,
            write,
        })
    }
}

impl<T: DataType> Cells for Lists<T> {
    fn read(&mut self, rows: usize) -> Result<(usize, usize)> {
        self.definition.clear();
        self.repetition.clear();
        self.values.clear();
        (self.at, self.value) = (0, 0);
        let (read, _, _) = self.reader.read_records(
            rows,
            Some(&mut self.definition),
            Some(&mut self.repetition),
            &mut self.values,
        )?;
        let bytes: usize = self.values.iter().map(|value| value.as_bytes().len()).sum();
        Ok((read, bytes + 2 * self.definition.len()))
    }

    fn next(&mut self) -> Cell {
        if self.definition[self.at] < self.levels.element - 1 {
            self.at += 1;
            return Cell::Null;
        }
        let mut json = vec![b'['];
        loop {
            let level = self.definition[self.at];
            if level >= self.levels.element {
                if json.len() > 1 {
                    json.push(b',');
                }
                match level == self.levels.value {
                    true => {
                        (self.write)(&self.values[self.value], &mut json);
                        self.value += 1;
                    }
                    false => json.extend_from_slice(b"null"),
                }
            }
            self.at += 1;
            if self.repetition.get(self.at).is_none_or(|&level| level == 0) {
                break;
            }
        }
        json.push(b']');
        Cell::List(json)
    }
}
