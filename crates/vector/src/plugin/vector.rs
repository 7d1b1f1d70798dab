use lookalike_core::plugin::{Column, Container, Error, Kind, Value};

use crate::{Vectors, sums};

/// Dense vectors of one dimension, kept as 32-bit floats.
///
/// Rows of arrays and list columns are vectors as they are. Text is numbers with spaces or commas between them, in
/// brackets or not; bytes are numbers from 0 to 255.
#[derive(Clone, Copy, Debug)]
pub struct Vector;

impl Kind for Vector {
    const NAME: &'static str = "vector";
    type Item = [f32];
    type Items = Vectors;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), vectors: &mut Vectors) -> Result<(), Error> {
        match value {
            Value::Floats(row) => vectors.push(row)?,
            Value::Doubles(row) => vectors.push_rounded(row.iter().copied())?,
            Value::Integers(row) => vectors.push_rounded(row.iter().map(|&it| it as f64))?,
            Value::Signed(row) => vectors.push_rounded(row.iter().map(|&it| it as f64))?,
            Value::Bytes(row) => vectors.push_rounded(row.iter().map(|&it| it.into()))?,
            Value::Json(text) | Value::Text(text) => return parse_text(value, text, vectors),
            other => return Err(other.unexpected("a vector")),
        }
        Ok(())
    }

    fn show(vector: &[f32], _: usize) -> String {
        let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
        numbers.join(" ")
    }

    /// The first numbers, and how many there are.
    fn summary(vector: &[f32], _: usize) -> String {
        const MOST: usize = 6;
        let shown: Vec<String> = vector
            .iter()
            .take(MOST)
            .map(|number| format!("{number:.3}"))
            .collect();
        match vector.len() {
            0..=MOST => format!("[{}]", shown.join(" ")),
            dimensions => format!("[{} … of {dimensions}]", shown.join(" ")),
        }
    }

    /// The numbers as little-endian bytes; both zeros are written as one.
    fn encode(vector: &[f32], _: usize, bytes: &mut Vec<u8>) {
        // Four bytes at a time: joins encode all vectors to look for copies.
        let start = bytes.len();
        bytes.resize(start + size_of_val(vector), 0);
        let (to, _) = bytes[start..].as_chunks_mut::<4>();
        for (to, number) in to.iter_mut().zip(vector) {
            *to = (number + 0.0).to_le_bytes();
        }
    }

    fn decode(bytes: &[u8], vectors: &mut Vectors) -> Result<(), Error> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(Error::new("the bytes of a stored vector are damaged"));
        }
        let numbers: Vec<f32> = numbers.iter().map(|it| f32::from_le_bytes(*it)).collect();
        Ok(vectors.push(&numbers)?)
    }

    /// A column of rows of 32-bit floats in the machine's own order.
    fn adopt(column: Column) -> Result<Vectors, Column> {
        let adopted = column
            .row_bytes()
            .filter(|bytes| bytes.is_multiple_of(size_of::<f32>()))
            .and_then(|bytes| Vectors::adopt(column.memory(), bytes / size_of::<f32>()).ok());
        adopted.ok_or(column)
    }

    fn width(vectors: &Vectors) -> usize {
        vectors.dimensions()
    }

    fn notes(vectors: &Vectors) -> Vec<String> {
        match vectors.is_rounded() {
            true => vec!["numbers of 64 bits were rounded to 32-bit floats".into()],
            false => Vec::new(),
        }
    }

    fn longest(vectors: &Vectors) -> Option<f64> {
        vectors.rows().map(sums::length).reduce(f64::max)
    }
}

/// A decimal with more digits than a 32-bit float can tell apart was written from a 64-bit float.
const DIGITS_OF_F32: usize = 9;

fn parse_text(value: Value<'_>, text: &str, vectors: &mut Vectors) -> Result<(), Error> {
    let text = text.trim();
    // A blank line is not a vector.
    if text.is_empty() {
        return Ok(());
    }
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let mut has_long = false;
    let mut numbers = Vec::new();
    for word in inner
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|word| !word.is_empty())
    {
        let number: f64 = word
            .parse()
            .map_err(|_| value.unexpected("numbers with spaces or commas between them"))?;
        has_long |= significant_digits(word) > DIGITS_OF_F32;
        numbers.push(number);
    }
    match has_long {
        true => vectors.push_rounded(numbers.into_iter())?,
        false => {
            let floats: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
            vectors.push(&floats)?;
        }
    }
    Ok(())
}

/// The digits of a decimal number without zeros at its start, and without its exponent.
fn significant_digits(word: &str) -> usize {
    let mantissa = word.split(['e', 'E']).next().unwrap_or(word);
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    digits.skip_while(|&digit| digit == b'0').count()
}

impl Container<[f32]> for Vectors {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        Ok(Self::append(self, more)?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Bytes within memory that is not ours: what comes before them, and after them, belongs to it too.
    struct Foreign {
        memory: Vec<f64>,
        bytes: std::ops::Range<usize>,
    }

    impl AsRef<[u8]> for Foreign {
        fn as_ref(&self) -> &[u8] {
            &bytemuck::cast_slice(&self.memory)[self.bytes.clone()]
        }
    }

    /// The numbers behind a head of some bytes, and zeros up to a multiple of 64 bytes.
    fn foreign<T: bytemuck::Pod>(head: usize, numbers: &[T]) -> Arc<Foreign> {
        let numbers: &[u8] = bytemuck::cast_slice(numbers);
        let end = head + numbers.len();
        let mut memory = vec![0.0; end.next_multiple_of(64) / 8];
        bytemuck::cast_slice_mut(&mut memory)[head..end].copy_from_slice(numbers);
        Arc::new(Foreign {
            memory,
            bytes: head..end,
        })
    }

    const NUMBERS: [f32; 6] = [1.0, 2.0, -3.0, 4.0, 0.0, 0.5];

    /// The array of a .npy file that was read or mapped to memory: its numbers are behind a head.
    #[test]
    fn a_numpy_array_is_adopted_without_a_copy() {
        let array = foreign(128, &NUMBERS);
        let address = (*array).as_ref().as_ptr();
        let column = Column::fixed(array, 3 * size_of::<f32>()).unwrap();
        let vectors = Vector::adopt(column).unwrap();
        assert_eq!(vectors.numbers().as_ptr().cast(), address);
        assert_eq!(vectors.numbers(), NUMBERS);
        assert_eq!((vectors.len(), vectors.dimensions()), (2, 3));
        assert!(Vector::notes(&vectors).is_empty());
    }

    /// The numbers of a list array begin where its first list does, and are padded.
    #[test]
    fn an_arrow_buffer_is_adopted_without_a_copy() {
        let array = foreign(0, &NUMBERS);
        let address = (*array).as_ref().as_ptr();
        let column = Column::fixed(array, 2 * size_of::<f32>()).unwrap();
        let vectors = Vector::adopt(column).unwrap();
        assert_eq!(vectors.numbers().as_ptr().cast(), address);
        assert_eq!(vectors.get(2), [0.0, 0.5]);
        let doubles = foreign(0, &NUMBERS.map(f64::from));
        let address = (*doubles).as_ref().as_ptr();
        let vectors = Vectors::<f64>::adopt(doubles, 2).unwrap();
        assert_eq!(vectors.numbers().as_ptr().cast(), address);
        assert_eq!(vectors.get(2), [0.0, 0.5]);
    }

    #[test]
    fn what_cannot_be_adopted_is_given_back() {
        let unaligned = foreign(2, &NUMBERS);
        let infinite = foreign(0, &[1.0, f32::INFINITY]);
        for (memory, row_bytes) in [(unaligned, 12), (infinite, 8), (foreign(0, &NUMBERS), 6)] {
            let column = Column::fixed(memory, row_bytes).unwrap();
            let column = Vector::adopt(column).unwrap_err();
            assert_eq!(column.row_bytes(), Some(row_bytes));
        }
        let words = Column::new(foreign(0, &NUMBERS), vec![4, 24].into()).unwrap();
        assert!(Vector::adopt(words).is_err());
    }
}
