//! The value of a row, as its column says.

use super::columns::{Holds, Wanted};
use super::hex;
use crate::Error;
use crate::item::{Item, Number, Order};
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
    /// Lists of numbers, as the hexadecimal digits of their bytes.
    Numbers(Item),
}

impl Holding {
    pub(super) fn new(wanted: &Wanted, physical: Type) -> Self {
        match (wanted.element, item(wanted.holds, physical)) {
            (None, _) if wanted.holds == Holds::Bytes => Self::Bytes,
            (None, _) => Self::Json,
            (Some(_), Some(item)) => Self::Numbers(item),
            (Some(_), None) => Self::List,
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
        let value = match (self, read.value) {
            (Self::Json, value) => Ok(value),
            (_, Value::Json("null")) => Err("no value"),
            (Self::List, value) => Ok(value),
            (Self::Bytes, Value::Text(digits)) => {
                Ok(Value::Bytes(hex::read(digits, &mut row.bytes)))
            }
            (Self::Numbers(item), Value::Text(digits)) => {
                let bytes = hex::read(digits, &mut row.bytes);
                Ok(item.value(bytes, &mut row.numbers))
            }
            (Self::Bytes, _) => Err("no bytes"),
            (Self::Numbers(_), _) => Err("a list with a null"),
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

/// The items of lists of numbers; none if lists hold anything else.
pub(super) fn item(holds: Holds, physical: Type) -> Option<Item> {
    let number = match (holds, physical) {
        (Holds::Signed, Type::INT32) => Number::I32,
        (Holds::Signed, _) => Number::I64,
        (Holds::Unsigned, Type::INT32) => Number::U32,
        (Holds::Unsigned, _) => Number::U64,
        (Holds::Number, Type::FIXED_LEN_BYTE_ARRAY) => return Some(Item::little(Number::F16)),
        (Holds::Number, Type::FLOAT) => Number::F32,
        (Holds::Number, _) => Number::F64,
        (Holds::Text | Holds::Bytes | Holds::Boolean, _) => return None,
    };
    let order = Order::NATIVE;
    Some(Item { number, order })
}
