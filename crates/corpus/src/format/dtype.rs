//! The types of items by their names in heads of NumPy arrays.

use crate::item::{Item, Number, Order};

/// Numbers that can be read, without the order of their bytes.
const NUMBERS: [(&str, Number); 11] = [
    ("u1", Number::U8),
    ("u2", Number::U16),
    ("u4", Number::U32),
    ("u8", Number::U64),
    ("i1", Number::I8),
    ("i2", Number::I16),
    ("i4", Number::I32),
    ("i8", Number::I64),
    ("f2", Number::F16),
    ("f4", Number::F32),
    ("f8", Number::F64),
];

/// The items that a type of NumPy's names, or why they cannot be used and what to do.
pub(super) fn item(kind: &str) -> Result<Item, String> {
    let order = match kind.as_bytes().first() {
        Some(b'<') => Some(Order::Little),
        Some(b'>') => Some(Order::Big),
        _ => None,
    };
    let name = kind.trim_start_matches(['<', '>', '|', '=']);
    if let Some((_, number)) = NUMBERS.iter().find(|(of, _)| *of == name) {
        let item = Item::little(*number);
        match order {
            Some(order) => return Ok(Item { order, ..item }),
            // One byte has no order.
            None if item.bytes() == 1 => return Ok(item),
            None => {}
        }
    }
    let (what, remedy) = match kind {
        "|b1" => (
            "booleans",
            "use np.packbits(array, axis=1) for codes, array.astype(np.float32) for vectors",
        ),
        "|O" => (
            "Python objects",
            "use np.stack(array), or array.astype(np.float32)",
        ),
        _ if kind.starts_with('[') => (
            "records with fields",
            "use numpy.lib.recfunctions.structured_to_unstructured(array)",
        ),
        _ => (
            "another type",
            "use array.astype(np.float32), or another type of uint8 to uint64, int8 to int64, float16 to float64",
        ),
    };
    Err(format!(
        "an array of {kind:?} cannot be used, because it holds {what}: {remedy}"
    ))
}

/// The name of items in heads.
pub(super) fn name(item: Item) -> String {
    let order = match item {
        _ if item.bytes() == 1 => '|',
        Item {
            order: Order::Little,
            ..
        } => '<',
        Item {
            order: Order::Big, ..
        } => '>',
    };
    let named = NUMBERS.iter().find(|(_, number)| *number == item.number);
    let (name, _) = named.expect("all types of numbers have a name");
    format!("{order}{name}")
}
