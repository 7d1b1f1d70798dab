//! Rows that start with their dimension: `.fvecs`, `.bvecs` and `.ivecs`.

use super::values::{Owned, any_value, scan_values, values};
use super::{Folder, gzip, said, stdin, zstd};
use crate::{Corpus, ErrorKind, Format, OnError, Options};
use proptest::prelude::*;

/// A row of these bytes after a dimension.
fn row(dimension: i32, bytes: &[u8]) -> Vec<u8> {
    [&dimension.to_le_bytes(), bytes].concat()
}

fn open(format: Format, content: &[u8], block: usize) -> Corpus {
    let options = Options {
        format: Some(format),
        ..any_value()
    };
    let mut corpus = stdin(content, options).unwrap();
    corpus.sizes.block = block;
    corpus
}

/// What is wrong with a file of bytes, wherever it is cut into blocks.
fn message(content: &[u8]) -> String {
    let messages = [1, 7, 50, 1000].map(|block| {
        let e = scan_values(&open(Format::Bvecs, content, block)).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Content);
        said(&e)
    });
    assert!(messages.iter().all(|m| *m == messages[0]), "{messages:?}");
    messages[0].clone()
}

#[test]
fn rows_are_numbers_after_their_dimension() {
    let floats = [1.5f32, -0.0, f32::NAN];
    let content = [
        row(1, &floats[0].to_le_bytes()),
        row(1, &floats[1].to_le_bytes()),
        row(1, &floats[2].to_le_bytes()),
    ];
    assert_eq!(
        values(&open(Format::Fvecs, &content.concat(), 9)),
        floats.map(|f| Owned::Floats(vec![f.to_bits()]))
    );
    let content = [row(3, b"abc"), row(3, b"\n\x1f\x8b")].concat();
    let bytes = [b"abc", b"\n\x1f\x8b"].map(|row| Owned::Bytes(row.to_vec()));
    assert_eq!(values(&open(Format::Bvecs, &content, 1000)), bytes);
    let integers = [[7i32, i32::MIN], [-1, i32::MAX]];
    let content = integers.map(|n| row(2, &n.map(i32::to_le_bytes).concat()));
    assert_eq!(
        values(&open(Format::Ivecs, &content.concat(), 1)),
        integers.map(|n| Owned::Signed(n.map(i64::from).to_vec()))
    );
    assert_eq!(values(&open(Format::Fvecs, b"", 1)), []);
}

#[test]
fn names_say_that_files_are_compressed() {
    // The dimension of the first row looks like the mark of gzip.
    let dimension = i32::from_le_bytes([0x1f, 0x8b, 8, 0]);
    let long = row(dimension, &vec![3; dimension as usize]);
    let short = row(2, b"ab");
    let folder = Folder::new(&[
        ("a.bvecs", &long),
        ("a.bvecs.gz", &gzip(&short)),
        ("a.bvecs.zst", &zstd(&short)),
    ]);
    let of = |name: &str| values(&folder.open(name, any_value()).unwrap());
    assert_eq!(of("a.bvecs"), [Owned::Bytes(vec![3; dimension as usize])]);
    assert_eq!(of("a.bvecs.gz"), [Owned::Bytes(b"ab".to_vec())]);
    assert_eq!(of("a.bvecs.zst"), [Owned::Bytes(b"ab".to_vec())]);
}

#[test]
fn dimensions_that_cannot_be_are_refused() {
    for dimension in [0, -1, i32::MIN, 1_000_001, i32::MAX] {
        assert_eq!(
            message(&row(dimension, b"abcdefgh")),
            format!(
                "stdin: row 0 has dimension {dimension}, but dimensions are 1 to 1000000; the file is damaged or not in \
                 the format `bvecs`"
            )
        );
    }
    let good = row(3, b"abc").repeat(5);
    for dimension in [0, -1, 2, 4, i32::MAX] {
        let content = [&good[..], &row(dimension, b"abcdef")].concat();
        assert_eq!(
            message(&content),
            format!(
                "stdin: row 5, counted from 0, has dimension {dimension}, but row 0 has 3: all rows of a file must have the \
                 same dimension"
            )
        );
    }
}

#[test]
fn a_file_that_ends_early_says_where() {
    assert_eq!(
        message(b"\x01\0"),
        "stdin: truncated: it ends within the dimension of row 0"
    );
    assert_eq!(
        message(&row(3, b"ab")),
        "stdin: truncated: row 0, counted from 0, has 6 of its 7 bytes"
    );
    let content = row(3, b"abc").repeat(3);
    for (cut, there) in [(1, 6), (3, 4), (4, 3), (6, 1)] {
        assert_eq!(
            message(&content[..content.len() - cut]),
            format!("stdin: truncated: row 2, counted from 0, has {there} of its 7 bytes")
        );
    }
}

#[test]
fn rows_of_another_dimension_are_not_skipped() {
    let content = [row(1, b"a"), row(2, b"ab"), row(1, b"b")].concat();
    let skip = Options {
        format: Some(Format::Bvecs),
        on_error: OnError::Skip,
        ..any_value()
    };
    let e = scan_values(&stdin(&content, skip).unwrap()).unwrap_err();
    assert!(e.to_string().contains("row 1, counted from 0"), "{e}");
}

proptest! {
    /// The definition: walk from row to row by the dimension that each states.
    #[test]
    fn files_are_read_if_and_only_if_they_are_rows_of_one_dimension(
        dimensions in prop::collection::vec(1..4usize, 1..6),
        is_uniform in any::<bool>(),
        cut in 0..4usize,
        block in 1..40usize,
    ) {
        let dimension = |d: usize| if is_uniform { dimensions[0] } else { d };
        let mut content: Vec<u8> = dimensions
            .iter()
            .flat_map(|&d| row(dimension(d) as i32, &vec![9; dimension(d)]))
            .collect();
        content.truncate(content.len() - cut);
        let mut rest = &content[..];
        let mut rows = Vec::new();
        while let Some((count, after)) = rest.split_first_chunk() {
            let Some((row, after)) = after.split_at_checked(i32::from_le_bytes(*count) as usize) else { break };
            rows.push(row.len());
            rest = after;
        }
        let is_right = rest.is_empty() && rows.iter().all(|&length| length == rows[0]);
        let found = scan_values(&open(Format::Bvecs, &content, block));
        prop_assert_eq!(found.is_ok(), is_right);
        if let Ok(found) = found {
            prop_assert_eq!(found.len(), rows.len());
        }
    }
}
