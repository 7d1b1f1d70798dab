//! The value of a row, as its column says.

use super::columns::{Holds, Wanted};
use crate::Error;
use crate::json::{At, Fields};
use crate::lines::{Read, Row};
use lookalike_core::plugin::Value;
use parquet::basic::Type;

/// What the column of the value holds, which the records of a stream of JSON do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    /// What the JSON says.
    Json,
    /// Bytes as hexadecimal digits.
    Bytes,
    /// Lists of what the JSON says.
    List,
    /// Lists of integers.
    Integers,
    /// Lists of floats of 32 bits.
    Floats,
    /// Lists of floats of 64 bits.
    Doubles,
}

impl Holding {
    pub(super) fn new(wanted: &Wanted, physical: Type) -> Self {
        match (wanted.element, wanted.holds) {
            (None, Holds::Bytes) => Self::Bytes,
            (None, _) => Self::Json,
            (Some(_), Holds::Signed | Holds::Unsigned) => Self::Integers,
            (Some(_), Holds::Number) if physical == Type::FLOAT => Self::Floats,
            (Some(_), Holds::Number) => Self::Doubles,
            (Some(_), Holds::Text | Holds::Bytes | Holds::Boolean) => Self::List,
        }
    }

    /// A record with the value that its JSON stands for.
    pub(crate) fn read<'a>(
        self,
        read: Read<'a>,
        row: &'a mut Row,
        at: At<'_>,
        fields: &Fields,
    ) -> Result<Read<'a>, Error> {
        let value = match self {
            Self::Json => Ok(read.value),
            _ if read.value == Value::Json("null") => Err("no value"),
            Self::List => Ok(read.value),
            Self::Bytes => bytes(read.value, &mut row.bytes).map(Value::Bytes),
            Self::Integers => match read.value {
                Value::Json(json) if json.contains('-') => Err("a negative number"),
                value => numbers(value, &mut row.integers).map(Value::Integers),
            },
            Self::Floats => numbers(read.value, &mut row.floats).map(Value::Floats),
            Self::Doubles => numbers(read.value, &mut row.doubles).map(Value::Doubles),
        };
        match value {
            Ok(value) => Ok(Read { value, ..read }),
            Err(found) => Err(Error::Cell {
                file: at.file.to_owned(),
                row: at.line,
                field: fields.text.to_string(),
                found,
            }),
        }
    }
}

const NOT_A_NUMBER: &str = "a list with something else than finite numbers";

/// The numbers of a list without blanks.
fn numbers<'a, T: std::str::FromStr>(
    value: Value<'_>,
    numbers: &'a mut Vec<T>,
) -> Result<&'a [T], &'static str> {
    let Value::Json(json) = value else {
        return Err(NOT_A_NUMBER);
    };
    let inner = json
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.ok_or(NOT_A_NUMBER)?;
    numbers.clear();
    if !inner.is_empty() {
        for number in inner.split(',') {
            numbers.push(number.parse().map_err(|_| NOT_A_NUMBER)?);
        }
    }
    Ok(numbers)
}

/// The bytes that hexadecimal digits stand for.
fn bytes<'a>(value: Value<'_>, bytes: &'a mut Vec<u8>) -> Result<&'a [u8], &'static str> {
    let Value::Text(digits) = value else {
        return Err("no bytes");
    };
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => digit - b'0',
        _ => digit.wrapping_sub(b'a').wrapping_add(10),
    };
    bytes.clear();
    let (pairs, _) = digits.as_bytes().as_chunks::<2>();
    bytes.extend(
        pairs
            .iter()
            .map(|&[high, low]| digit(high) << 4 | digit(low)),
    );
    Ok(bytes)
}
