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
        bytes.extend(
            vector
                .iter()
                .flat_map(|number| (number + 0.0).to_le_bytes()),
        );
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
