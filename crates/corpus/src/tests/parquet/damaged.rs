//! Files that are not what they seem: errors, and never more than that.

use super::super::{Folder, scan};
use super::{Column, TWO, Values, all, file, groups, plain, strings, ways};
use crate::{Error, ErrorKind, Options};

fn read(content: &[u8]) -> Result<usize, Box<(String, Error)>> {
    let folder = Folder::new(&[("a.parquet", content)]);
    let corpus = folder.open("a.parquet", Options::default()).unwrap();
    match scan(&corpus) {
        Ok(seen) => Ok(seen.len()),
        Err(e) => Err(Box::new((folder.message(&e), e))),
    }
}

fn message(content: &[u8]) -> String {
    let (message, error) = *read(content).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Content, "{message}");
    message
}

#[test]
fn what_is_no_parquet_says_so() {
    for (content, reason) in [
        (&b""[..], "0 bytes are too few for a Parquet file"),
        (b"PAR1PAR1", "8 bytes are too few for a Parquet file"),
        (b"{\"text\": \"a\"}\n", "it does not start with `PAR1`"),
        (
            b"PAR1 and then nothing",
            "it does not end with `PAR1`, and so is truncated or not Parquet",
        ),
        (
            b"PAR1\xFF\xFF\0\0PAR1",
            "a footer of 65535 bytes is longer than the file",
        ),
        (b"PAR1\0\0\0\0PAR1", "its footer is cut off"),
        (b"PAR1\x1B\x01\0\0\0PAR1", "its footer is damaged"),
        (b"PAR1\x15\x01\0\0\0PAR1", "its footer is cut off"),
        (b"PAR1\xFF\xFF\x02\0\0\0PAR1", "its footer is damaged"),
        (
            b"PARE\x1B\x01\0\0\0PARE",
            "it is encrypted; decrypt it first",
        ),
    ] {
        assert_eq!(
            message(content),
            format!("a.parquet: cannot be read as Parquet: {reason}")
        );
    }
}

#[test]
fn every_truncation_is_an_error() {
    let content = file(TWO, plain(), &groups(&[9, 4]));
    assert_eq!(read(&content).unwrap(), 13);
    for len in 0..content.len() {
        assert!(read(&content[..len]).is_err(), "{len}");
    }
}

/// Each byte is changed in several ways. A text may become another text, as there are no
/// checksums, but nothing else may come of it than rows or an error.
#[test]
fn every_changed_byte_is_an_error_or_another_value() {
    for (way, properties) in ways().into_iter().step_by(9) {
        let content = file(TWO, properties, &groups(&[5]));
        for place in 0..content.len() {
            for change in [0x01, 0xFE] {
                let mut changed = content.clone();
                changed[place] ^= change;
                if let Err(found) = read(&changed) {
                    let (message, e) = *found;
                    assert_eq!(e.kind(), ErrorKind::Content, "{way} {place}: {message}");
                }
            }
        }
    }
}

/// A footer as Thrift: fields one after the other.
fn footer(fields: &[&[u8]]) -> Vec<u8> {
    let fields = fields.concat();
    let len = fields.len() as u32;
    [b"PAR1", &fields[..], &len.to_le_bytes(), b"PAR1"].concat()
}

#[test]
fn a_schema_that_claims_more_than_there_is() {
    let damaged = "a.parquet: cannot be read as Parquet: its schema is damaged";
    // 1: version 1; 2: a list of one element { 4: name "m"; 5: 2^31 − 1 children }.
    let huge = [
        &[0x48, 1, b'm', 0x15][..],
        &[0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0],
    ]
    .concat();
    assert_eq!(
        message(&footer(&[&[0x15, 2, 0x19, 0x1C], &huge, &[0]])),
        damaged
    );
    // Two hundred thousand groups, each in the one before.
    let deep = [0x48, 1, b'm', 0x15, 2, 0].repeat(200_000);
    let list = [&[0x15, 2, 0x19, 0xFC][..], &[0xC0, 0x9A, 0x0C]].concat();
    assert_eq!(message(&footer(&[&list, &deep, &[0]])), damaged);
}

#[test]
fn an_encrypted_column_says_so() {
    let content = file(TWO, plain(), &groups(&[1]));
    let len = u32::from_le_bytes(content[content.len() - 8..][..4].try_into().unwrap());
    let footer_at = content.len() - 8 - len as usize;
    // The footer again, with field 8 in the place of its end.
    let fields = &content[footer_at..content.len() - 9];
    let last = [&[0x0C, 16][..], &[0x1C, 0, 0], &[0]].concat();
    let len = (fields.len() + last.len()) as u32;
    let content = [
        &content[..footer_at],
        fields,
        &last,
        &len.to_le_bytes(),
        b"PAR1",
    ]
    .concat();
    assert_eq!(
        message(&content),
        "a.parquet: cannot be read as Parquet: it is encrypted; decrypt it first"
    );
}

#[test]
fn columns_of_different_lengths_are_not_rows() {
    use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
    use parquet::file::writer::TrackedWrite;
    use std::io::Write;
    let content = file(TWO, plain(), &groups(&[9]));
    let len = u32::from_le_bytes(content[content.len() - 8..][..4].try_into().unwrap());
    let footer_at = content.len() - 8 - len as usize;
    let metadata =
        ParquetMetaDataReader::decode_metadata(&content[footer_at..content.len() - 8]).unwrap();
    for rows in [0, 8, 10, i64::MAX, -1] {
        let group = metadata
            .row_group(0)
            .clone()
            .into_builder()
            .set_num_rows(rows);
        let lying = metadata.clone().into_builder();
        let lying = lying.set_row_groups(vec![group.build().unwrap()]).build();
        let mut out = TrackedWrite::new(Vec::new());
        out.write_all(&content[..footer_at]).unwrap();
        let mut tracked = out;
        tracked.flush().unwrap();
        let mut bytes = tracked.inner().clone();
        ParquetMetaDataWriter::new(&mut bytes, &lying)
            .finish()
            .unwrap();
        let message = message(&bytes);
        let expected = match rows {
            -1 => "row group 0: has less than no rows".to_owned(),
            _ => format!("row group 0, column `text`: not the {rows} rows that the row group has"),
        };
        assert_eq!(
            message,
            format!("a.parquet: cannot be read as Parquet: {expected}")
        );
    }
}

#[test]
fn a_column_that_is_elsewhere() {
    let columns = vec![
        strings(["a"]),
        Column {
            definition: vec![1],
            ..all(Values::Int64(vec![1]))
        },
    ];
    let content = file(TWO, plain(), &[columns]);
    assert_eq!(read(&content).unwrap(), 1);
    // A hole in the middle: the footer is whole, and points beyond what is there.
    let len = u32::from_le_bytes(content[content.len() - 8..][..4].try_into().unwrap());
    let footer_at = content.len() - 8 - len as usize;
    let holed = [b"PAR1", &content[footer_at..]].concat();
    let message = message(&holed);
    assert!(
        message.starts_with("a.parquet: cannot be read as Parquet: row group 0, column"),
        "{message}"
    );
}
