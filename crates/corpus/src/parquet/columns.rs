//! Which columns of a file are documents.

use super::table::Table;
use crate::json::Fields;
use crate::{Error, FieldPath};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type};
use parquet::schema::types::ColumnDescriptor;

/// A column that is read.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Its number among the leaves of the schema.
    pub(super) column: usize,
    pub(super) holds: Holds,
    /// What comes before its value in a record.
    pub(super) key: String,
    /// Whether a row without a value says so; else it has no such field.
    pub(super) says_null: bool,
    /// Of a list, the definition level at which it has an element.
    pub(super) element: Option<i16>,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Text,
    Bytes,
    Signed,
    Unsigned,
    Number,
    Boolean,
}

/// The columns that the fields name: that of the text first.
pub(super) fn wanted(table: &Table, fields: &Fields) -> Result<Vec<Wanted>, Error> {
    let is_text = |holds| holds == Holds::Text;
    let is_id = |holds| matches!(holds, Holds::Text | Holds::Signed | Holds::Unsigned);
    let (column, holds) = match fields.values {
        true => find_value(table, fields)?,
        false => find(
            table,
            &fields.text,
            Some(fields.text_option),
            "text",
            is_text,
        )?,
    };
    let mut wanted = vec![Wanted {
        column,
        holds,
        key: format!("{{{}: ", key(&fields.text)),
        says_null: true,
        element: element(table, column),
    }];
    let id = find(
        table,
        &fields.id,
        Some(crate::ID_FIELD),
        "strings or integers",
        is_id,
    );
    let id = match id {
        Ok(found) => Some(found),
        Err(e) if fields.id_required => return Err(e),
        Err(_) => None,
    };
    if let Some((column, holds)) = id.filter(|_| fields.id != fields.text) {
        wanted.push(Wanted {
            column,
            holds,
            key: format!(", {}: ", key(&fields.id)),
            says_null: false,
            element: None,
        });
    }
    let is_any = |_| true;
    for path in &fields.more {
        let key = format!(", {}: ", key(path));
        let twice = path == &fields.text || wanted.iter().any(|wanted| wanted.key == key);
        let expected = "strings, numbers or booleans";
        let (column, holds) = match find(table, path, None, expected, is_any) {
            _ if twice => continue,
            Ok(found) => found,
            Err(Error::NoColumn { .. }) => continue,
            Err(e) => return Err(e),
        };
        wanted.push(Wanted {
            column,
            holds,
            key,
            says_null: false,
            element: None,
        });
    }
    Ok(wanted)
}

/// A key as it stands in a record: a path is one name there, which comes before nested ones.
fn key(path: &FieldPath) -> String {
    serde_json::Value::from(path.as_str()).to_string()
}

/// The column of the value, which may also hold bytes or lists.
fn find_value(table: &Table, fields: &Fields) -> Result<(usize, Holds), Error> {
    let path = fields.text.as_str();
    let leaves = table.schema().columns();
    let below = format!("{path}.");
    let is_list = |leaf: &ColumnDescriptor| leaf.max_rep_level() == 1;
    // The elements of a list are one or two names below it.
    let within = |leaf: &ColumnDescriptor| {
        let name = leaf.path().string();
        let below = name.strip_prefix(&below);
        below.is_some_and(|rest| rest.split('.').count() <= 2)
    };
    let named = leaves.iter().position(|leaf| leaf.path().string() == path);
    let mut inner = (0..leaves.len()).filter(|&column| within(&leaves[column]));
    let column = match (named, inner.next(), inner.next()) {
        (Some(column), ..) => Some(column),
        (None, Some(column), None) if is_list(&leaves[column]) => Some(column),
        _ => None,
    };
    if let Some(column) = column {
        let leaf = &leaves[column];
        let is_bare =
            leaf.logical_type_ref().is_none() && leaf.converted_type() == ConvertedType::NONE;
        let is_bytes = matches!(
            leaf.physical_type(),
            Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY
        );
        if is_bare && is_bytes && leaf.max_rep_level() == 0 {
            return Ok((column, Holds::Bytes));
        }
        if is_list(leaf)
            && let Ok(holds) = holds_one(leaf)
        {
            return Ok((column, holds));
        }
    }
    let expected = "text, bytes, numbers or lists of them";
    find(
        table,
        &fields.text,
        Some(fields.text_option),
        expected,
        |_| true,
    )
}

/// The definition level at which a list has an element; none if the column is not a list.
fn element(table: &Table, column: usize) -> Option<i16> {
    let leaf = table.schema().column(column);
    let mut node = table.schema().root_schema();
    let mut level = 0;
    let mut element = None;
    for part in leaf.path().parts() {
        node = node.get_fields().iter().find(|node| node.name() == part)?;
        level += match node.get_basic_info().repetition() {
            Repetition::REQUIRED => 0,
            Repetition::OPTIONAL | Repetition::REPEATED => 1,
        };
        if node.get_basic_info().repetition() == Repetition::REPEATED {
            element = Some(level);
        }
    }
    element
}

/// The column of a path, with what it holds.
fn find(
    table: &Table,
    path: &FieldPath,
    option: Option<lookalike_core::plugin::Setting>,
    expected: &'static str,
    fits: impl Fn(Holds) -> bool,
) -> Result<(usize, Holds), Error> {
    let leaves = table.schema().columns();
    let named = |parts: fn(usize) -> bool| {
        leaves.iter().position(|leaf| {
            leaf.path().string() == path.as_str() && parts(leaf.path().parts().len())
        })
    };
    // A name with a dot in it comes before a path, as in JSON.
    let found = named(|parts| parts == 1).or_else(|| named(|parts| parts > 1));
    let (found, what) = match found {
        Some(column) => match holds(&leaves[column]) {
            Ok(holds) if fits(holds) => return Ok((column, holds)),
            Ok(holds) => (true, describe(holds)),
            Err(what) => (true, what),
        },
        None => (false, ""),
    };
    let file = table.source.name.clone();
    let field = path.as_str().to_owned();
    let present: Vec<String> = leaves.iter().map(|leaf| leaf.path().string()).collect();
    Err(match found {
        false => Error::NoColumn {
            file,
            field,
            present,
            option,
        },
        true => Error::ColumnType {
            file,
            field,
            found: what,
            expected,
            present: present.into(),
            option,
        },
    })
}

fn describe(holds: Holds) -> &'static str {
    match holds {
        Holds::Text => "text",
        Holds::Bytes => "bytes",
        Holds::Signed | Holds::Unsigned => "integers",
        Holds::Number => "numbers that are not integers",
        Holds::Boolean => "booleans",
    }
}

/// What a column holds, or why it is nothing that could be asked for.
fn holds(column: &ColumnDescriptor) -> Result<Holds, &'static str> {
    match column.max_rep_level() {
        0 => holds_one(column),
        _ => Err("lists"),
    }
}

/// What a column, or each list in it, holds.
fn holds_one(column: &ColumnDescriptor) -> Result<Holds, &'static str> {
    use ConvertedType as Old;
    let old = column.converted_type();
    let logical = column.logical_type_ref();
    if matches!(logical, Some(LogicalType::Decimal { .. })) || old == Old::DECIMAL {
        return Err("decimals");
    }
    let unsigned = match logical {
        Some(LogicalType::Integer(of)) => !of.is_signed,
        _ => matches!(
            old,
            Old::UINT_8 | Old::UINT_16 | Old::UINT_32 | Old::UINT_64
        ),
    };
    match column.physical_type() {
        Type::BYTE_ARRAY => match logical {
            None if old == Old::BSON => Err("BSON"),
            None | Some(LogicalType::String | LogicalType::Json | LogicalType::Enum) => {
                Ok(Holds::Text)
            }
            Some(_) => Err("bytes that are no text"),
        },
        Type::INT32 | Type::INT64 if unsigned => Ok(Holds::Unsigned),
        Type::INT32 | Type::INT64 => Ok(Holds::Signed),
        Type::FLOAT | Type::DOUBLE => Ok(Holds::Number),
        Type::BOOLEAN => Ok(Holds::Boolean),
        Type::INT96 => Err("timestamps of 96 bits"),
        Type::FIXED_LEN_BYTE_ARRAY if is_half(column) => Ok(Holds::Number),
        Type::FIXED_LEN_BYTE_ARRAY => Err("bytes of a fixed length"),
    }
}

/// Whether a column holds floats of 16 bits.
fn is_half(column: &ColumnDescriptor) -> bool {
    column.logical_type_ref() == Some(&LogicalType::Float16) && column.type_length() == 2
}
