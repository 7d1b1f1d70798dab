//! The note in which arrow describes columns in its own way, with a column more.
//!
//! Without it a reader of arrow's takes zones for UTC, categories for strings, and long
//! strings for short ones; and some refuse a note that describes too few columns. The note is
//! a message of arrow's stream format in base64, and a FlatBuffer is in it. All offsets there
//! point forwards, so a new head is put before what there is, which stays as it was.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::AddedColumn;

/// Writers fill the last letters up, or do not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The key of the note.
pub(super) const KEY: &str = "ARROW:schema";

/// What comes before the length of a message since version 0.15.
const CONTINUES: [u8; 4] = [0xFF; 4];

/// The unions in use: a message that is a schema, and a field of UTF-8 or of floating-point numbers.
const SCHEMA: u8 = 1;
const UTF8: u8 = 5;
const FLOATING: u8 = 3;
/// The precision of a float of 64 bits.
const DOUBLE: u8 = 2;

/// Where the list of columns starts, after the tables that lead to it.
const VECTOR: usize = 72;

/// The note with a column at its end; none if it does not describe as many columns before it.
pub(super) fn with_column(note: &str, columns: usize, column: &AddedColumn<'_>) -> Option<String> {
    let bytes = BASE64.decode(note).ok()?;
    let (start, message) = match bytes.strip_prefix(&CONTINUES) {
        Some(rest) => (&CONTINUES[..], rest),
        None => (&[][..], &bytes[..]),
    };
    let (len, rest) = message.split_first_chunk()?;
    let buffer = Buffer(rest.get(..u32::from_le_bytes(*len) as usize)?);
    let wider = buffer.with_column(columns, column)?;
    let len = u32::try_from(wider.len()).ok()?.to_le_bytes();
    Some(BASE64.encode([start, &len, &wider].concat()))
}

/// A FlatBuffer, of which nothing is taken for granted.
struct Buffer<'a>(&'a [u8]);

impl Buffer<'_> {
    fn with_column(&self, columns: usize, column: &AddedColumn<'_>) -> Option<Vec<u8>> {
        let AddedColumn { name, is_number } = *column;
        let message = self.follow(0)?;
        let (version, kind) = (self.field(message, 0)?, self.field(message, 1)?);
        if *self.0.get(kind?)? != SCHEMA {
            return None;
        }
        let schema = self.follow(self.field(message, 2)??)?;
        let fields = self.follow(self.field(schema, 1)??)?;
        if self.number(fields)? != columns {
            return None;
        }
        let body = self.field(message, 3)?;
        let endianness = self.field(schema, 0)?;
        let more = [self.field(schema, 2)?, self.field(schema, 3)?];
        // The list, and then the column that is added, at which its last offset points.
        let added = VECTOR + 4 * (columns + 2);
        // Its type is a table of nothing, or of a precision; its children are a list of none.
        let kind = added + if is_number { 44 } else { 40 };
        let children = kind + if is_number { 8 } else { 4 };
        let string = children + 4;
        let head = (string + 4 + name.len() + 1).next_multiple_of(8);

        let mut out = Head(vec![0; head]);
        out.point(0, 16)?;
        out.table(4, 16, &[20, 16, 18, 4, 8]);
        out.copy(16 + 16, self.0, version, 2)?;
        out.0[16 + 18] = SCHEMA;
        out.point(16 + 4, 52)?;
        out.copy(16 + 8, self.0, body, 8)?;
        let at = |there: Option<usize>, at| if there.is_some() { at } else { 0 };
        let entries = [20, 16, 4, at(more[0], 8), at(more[1], 12)];
        out.table(40, 52, &entries);
        out.copy(52 + 16, self.0, endianness, 2)?;
        out.point(52 + 4, VECTOR)?;
        for (place, field) in [8, 12].into_iter().zip(more) {
            if let Some(field) = field {
                out.point(52 + place, head + self.follow(field)?)?;
            }
        }
        out.number(VECTOR, columns + 1)?;
        for column in 0..columns {
            let place = 4 + 4 * column;
            out.point(VECTOR + place, head + self.follow(fields + place)?)?;
        }
        let field = added + 16;
        out.point(VECTOR + 4 + 4 * columns, field)?;
        out.table(added, field, &[20, 4, 16, 17, 8, 0, 12]);
        let of_kind: &[u16] = if is_number { &[8, 4] } else { &[4] };
        out.table(added + 36, kind, of_kind);
        if is_number {
            out.0[kind + 4] = DOUBLE;
        }
        out.point(field + 4, string)?;
        out.point(field + 8, kind)?;
        out.point(field + 12, children)?;
        let tag = if is_number { FLOATING } else { UTF8 };
        (out.0[field + 16], out.0[field + 17]) = (1, tag);
        out.number(string, name.len())?;
        out.0[string + 4..][..name.len()].copy_from_slice(name.as_bytes());
        let mut wider = out.0;
        wider.extend_from_slice(self.0);
        wider.resize(wider.len().next_multiple_of(8), 0);
        Some(wider)
    }

    fn number(&self, at: usize) -> Option<usize> {
        let bytes = self.0.get(at..)?.first_chunk()?;
        usize::try_from(u32::from_le_bytes(*bytes)).ok()
    }

    /// Where an offset points to.
    fn follow(&self, at: usize) -> Option<usize> {
        let to = at.checked_add(self.number(at)?)?;
        (to > at && to < self.0.len()).then_some(to)
    }

    /// Where a field of a table is; none within if the table does not have it.
    fn field(&self, table: usize, number: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(*self.0.get(table..)?.first_chunk()?);
        let entries = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
        let short = |at: usize| {
            let bytes = self.0.get(at..)?.first_chunk()?;
            Some(usize::from(u16::from_le_bytes(*bytes)))
        };
        let entry = 4 + 2 * number;
        match entry + 2 > short(entries)? {
            true => Some(None),
            false => Some(match short(entries + entry)? {
                0 => None,
                offset => Some(table + offset),
            }),
        }
    }
}

/// What is put before a buffer.
struct Head(Vec<u8>);

impl Head {
    fn number(&mut self, at: usize, number: usize) -> Option<()> {
        let bytes = u32::try_from(number).ok()?.to_le_bytes();
        self.0.get_mut(at..at + 4)?.copy_from_slice(&bytes);
        Some(())
    }

    /// Points from a place to a later one.
    fn point(&mut self, from: usize, to: usize) -> Option<()> {
        self.number(from, to - from)
    }

    /// Says before a table where its fields are: first its size, then the place of each.
    fn table(&mut self, entries: usize, table: usize, places: &[u16]) {
        let size = 2 + 2 * places.len() as u16;
        for (n, short) in [size].iter().chain(places).enumerate() {
            self.0[entries + 2 * n..][..2].copy_from_slice(&short.to_le_bytes());
        }
        let back = (table - entries) as u32;
        self.0[table..][..4].copy_from_slice(&back.to_le_bytes());
    }

    /// Copies a field of so many bytes, if there is one: it is 0 if not.
    fn copy(&mut self, to: usize, bytes: &[u8], from: Option<usize>, len: usize) -> Option<()> {
        if let Some(from) = from {
            let bytes = bytes.get(from..from.checked_add(len)?)?;
            self.0[to..][..len].copy_from_slice(bytes);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As pyarrow 26 writes it: `text` of long strings, `c` of categories, and `k` noted as `v`.
    const NOTE: &str = "/////wgBAAAQAAAAAAAKAA4ABgAFAAgACgAAAAABBAAQAAAAAAAKAAwAAAAEAAgACgAA\
        ADQAAAAEAAAAAQAAAAwAAAAIAAwABAAIAAgAAAAQAAAABAAAAAEAAAB2AAAAAQAAAGsAAAACAAAAdAAAABQAAAAQ\
        ABgACAAGAAcADAAQABQAEAAAAAAAAQUUAAAAPAAAABwAAAAEAAAAAAAAAAEAAABjAAAACAAIAAAABAAIAAAADAAA\
        AAgADAAIAAcACAAAAAAAAAEgAAAAyP///xAAFAAIAAYABwAMAAAAEAAQAAAAAAABFBAAAAAcAAAABAAAAAAAAAAE\
        AAAAdGV4dAAAAAAEAAQABAAAAAAAAAA=";

    /// The names of the columns with the kinds of their values, and how many notes there are.
    fn described(note: &str) -> (Vec<(String, u8)>, usize) {
        let bytes = BASE64.decode(note).unwrap();
        assert_eq!(bytes.len() % 8, 0);
        assert_eq!(bytes[..4], CONTINUES);
        let buffer = Buffer(&bytes[8..]);
        assert_eq!(buffer.0.len(), Buffer(&bytes).number(4).unwrap());
        let part = |table, number| buffer.field(table, number).unwrap().unwrap();
        let follow = |at| buffer.follow(at).unwrap();
        let schema = follow(part(follow(0), 2));
        let fields = follow(part(schema, 1));
        let described = (0..buffer.number(fields).unwrap()).map(|n| {
            let field = follow(fields + 4 + 4 * n);
            let name = follow(part(field, 0));
            let name = &buffer.0[name + 4..][..buffer.number(name).unwrap()];
            assert!(buffer.number(follow(part(field, 5))).is_some());
            let name = String::from_utf8(name.to_vec()).unwrap();
            (name, buffer.0[part(field, 2)])
        });
        let notes = buffer.number(follow(part(schema, 2))).unwrap();
        (described.collect(), notes)
    }

    #[test]
    fn a_column_comes_after_those_that_were_there() {
        let long = ("text".to_owned(), 20);
        let category = ("c".to_owned(), UTF8);
        let mut fields = vec![long, category];
        assert_eq!(described(NOTE), (fields.clone(), 1));
        let mut note = NOTE.to_owned();
        for name in ["", "a", "né", "abc", "lookalike"] {
            for (is_number, tag) in [(false, UTF8), (true, FLOATING)] {
                let column = AddedColumn { name, is_number };
                note = with_column(&note, fields.len(), &column).unwrap();
                fields.push((name.to_owned(), tag));
                assert_eq!(described(&note), (fields.clone(), 1));
            }
        }
    }

    const A: AddedColumn<'static> = AddedColumn {
        name: "a",
        is_number: false,
    };

    #[test]
    fn a_note_of_other_columns_is_none() {
        assert_eq!(with_column(NOTE, 1, &A), None);
        assert_eq!(with_column(NOTE, 3, &A), None);
        for note in ["", "/////", "AAAA", "no base64"] {
            assert_eq!(with_column(note, 0, &A), None);
        }
    }

    proptest! {
        #[test]
        fn damage_is_no_panic(place in 0usize..272, byte: u8, len in 0usize..272) {
            let mut bytes = BASE64.decode(NOTE).unwrap();
            bytes[place] = byte;
            with_column(&BASE64.encode(&bytes), 2, &A);
            bytes.truncate(len);
            with_column(&BASE64.encode(&bytes), 2, &A);
        }
    }
}
