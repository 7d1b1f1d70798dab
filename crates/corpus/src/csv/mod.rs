//! Rows of CSV.
//!
//! RFC 4180, read as leniently as most programs do: a quote inside a field that does not
//! start with one is a character like others, what follows a closing quote belongs to the
//! field, and `\n`, `\r\n` or `\r` end a row. The rows are walked in place, since a row
//! must be found again by its bytes, and blocks cut where rows end; the `csv` crate says
//! in the tests what each row is.

mod ends;
mod header;
mod row;

pub(crate) use ends::Ends;
pub(crate) use header::Header;
pub(crate) use row::{Scratch, end, record};

/// A quote that is not closed.
#[derive(Clone, Copy, Debug)]
struct Unclosed;

/// A value as a field: in quotes where it needs them.
pub(crate) fn field(value: &str, delimiter: u8) -> String {
    let plain = |b: u8| b != delimiter && !matches!(b, b'"' | b'\n' | b'\r');
    if value.bytes().all(plain) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('"', "\"\""))
}
