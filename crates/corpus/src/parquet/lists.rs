//! The lists of a column, row by row, as JSON.
//!
//! Lists of numbers are written as the hexadecimal digits of their bytes. Decimal numbers were rejected: reading them took
//! five times as long, and JSON has none for what is not finite.

use super::cells::{Cell, Cells};
use super::columns::Holds;
use super::hex;
use super::holding::item;
use super::pages::Pages;
use super::read::escape;
use parquet::basic::Type;
use parquet::column::reader::{
    ColumnReader, ColumnReaderImpl, get_column_reader, get_typed_column_reader,
};
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type,
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
    let is_numbers = item(holds, physical).is_some();
    match physical {
        Type::INT32 => Lists::<Int32Type>::numbers(reader, levels),
        Type::INT64 => Lists::<Int64Type>::numbers(reader, levels),
        Type::FLOAT => Lists::<FloatType>::numbers(reader, levels),
        Type::DOUBLE => Lists::<DoubleType>::numbers(reader, levels),
        Type::FIXED_LEN_BYTE_ARRAY if is_numbers => {
            Lists::<FixedLenByteArrayType>::numbers(reader, levels)
        }
        Type::BOOLEAN => Lists::<BoolType>::boxed(reader, levels, Form::Array, |values, out| {
            for value in values {
                out.extend_from_slice(value.to_string().as_bytes());
            }
        }),
        _ => Lists::<ByteArrayType>::boxed(reader, levels, Form::Array, |values, out| {
            for value in values {
                out.push(b'"');
                escape(value.data(), out);
                out.push(b'"');
            }
        }),
    }
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As an array.
    Array,
    /// As a string of digits. A list with a null in it is the array `[null]` instead.
    Digits,
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
    form: Form,
    write: fn(&[T::T], &mut Vec<u8>),
}

impl<T: DataType> Lists<T> {
    fn numbers(reader: ColumnReader, levels: Levels) -> Box<dyn Cells> {
        Self::boxed(reader, levels, Form::Digits, |numbers, out| {
            for number in numbers {
                hex::write(number.as_bytes(), out);
            }
        })
    }

    fn boxed(
        reader: ColumnReader,
        levels: Levels,
        form: Form,
        write: fn(&[T::T], &mut Vec<u8>),
    ) -> Box<dyn Cells> {
        Box::new(Self {
            reader: get_typed_column_reader(reader),
            levels,
            definition: Vec::new(),
            repetition: Vec::new(),
            values: Vec::new(),
            at: 0,
            value: 0,
            form,
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
        let more = self.repetition[self.at + 1..].iter();
        let len = 1 + more.take_while(|&&level| level != 0).count();
        let levels = &self.definition[self.at..self.at + len];
        self.at += len;
        if levels[0] < self.levels.element - 1 {
            return Cell::Null;
        }
        let count = |least: i16| levels.iter().filter(|&&level| level >= least).count();
        let (elements, there) = (count(self.levels.element), count(self.levels.value));
        let values = &self.values[self.value..self.value + there];
        self.value += there;
        let mut json = Vec::new();
        match self.form {
            Form::Digits if there < elements => json.extend_from_slice(b"[null]"),
            Form::Digits => {
                json.push(b'"');
                (self.write)(values, &mut json);
                json.push(b'"');
            }
            Form::Array => self.array(levels, values, &mut json),
        }
        Cell::Written(json)
    }
}

impl<T: DataType> Lists<T> {
    /// Writes a list as an array, from the levels of its elements and from those that have a value.
    fn array(&self, levels: &[i16], values: &[T::T], json: &mut Vec<u8>) {
        let mut values = values.iter();
        json.push(b'[');
        for (place, &level) in levels.iter().enumerate() {
            if level < self.levels.element {
                break;
            }
            if place > 0 {
                json.push(b',');
            }
            let value = match level == self.levels.value {
                true => values.next(),
                false => None,
            };
            match value {
                Some(value) => (self.write)(std::slice::from_ref(value), json),
                None => json.extend_from_slice(b"null"),
            }
        }
        json.push(b']');
    }
}
