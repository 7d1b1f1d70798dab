//! NumPy arrays and packed bytes.

use super::values::{Owned, any_value, scan_values, values};
use super::{Folder, gzip, stdin};
use crate::{ErrorKind, Format, OnError, Options};
use proptest::prelude::*;

/// A head of version 1, as NumPy writes it.
pub(crate) fn head(descr: &str, shape: &str) -> Vec<u8> {
    head_of(&format!(
        "{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    ))
}

fn head_of(text: &str) -> Vec<u8> {
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((length as u16).to_le_bytes());
    head.extend(format!("{text:<width$}\n", width = length - 1).bytes());
    head
}

fn message(content: &[u8]) -> String {
    let options = Options {
        format: Some(Format::Npy),
        ..any_value()
    };
    let mut corpus = stdin(content, options).unwrap();
    corpus.sizes.block = 50;
    let e = scan_values(&corpus).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Content);
    e.to_string()
}

#[test]
fn rows_are_what_the_array_holds() {
    let floats = [1.5f32, -0.0, f32::NAN, 1e-40];
    let doubles = [0.1f64, f64::INFINITY];
    let bytes = |descr: &str, shape: &str, data: &[u8]| {
        let content = [&head(descr, shape), data].concat();
        values(&stdin(&content, any_value()).unwrap())
    };
    let of_floats: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    let of_doubles: Vec<u8> = doubles.iter().flat_map(|f| f.to_le_bytes()).collect();
    assert_eq!(
        bytes("<f4", "(2, 2)", &of_floats),
        [&floats[..2], &floats[2..]]
            .map(|row| Owned::Floats(row.iter().map(|f| f.to_bits()).collect()))
    );
    assert_eq!(
        bytes("<f8", "(2, 1)", &of_doubles),
        doubles.map(|f| Owned::Doubles(vec![f.to_bits()]))
    );
    assert_eq!(
        bytes("|u1", "(2, 3)", b"\n\xEF\xBB\xBF {"),
        [
            Owned::Bytes(b"\n\xEF\xBB".to_vec()),
            Owned::Bytes(b"\xBF {".to_vec())
        ]
    );
    for (descr, size) in [("<u2", 2), ("<u4", 4), ("<u8", 8), ("<i2", 2), ("<i8", 8)] {
        let data: Vec<u8> = [3u64, 700]
            .iter()
            .flat_map(|n| n.to_le_bytes()[..size].to_vec())
            .collect();
        assert_eq!(
            bytes(descr, "(1, 2)", &data),
            [Owned::Integers(vec![3, 700])],
            "{descr}"
        );
    }
    assert_eq!(bytes("<f4", "(0, 5)", b""), []);
    // Both orders are the same.
    let fortran = head_of("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2), }");
    let content = [&fortran, b"ab".as_slice()].concat();
    assert_eq!(
        values(&stdin(&content, any_value()).unwrap()),
        [Owned::Bytes(b"ab".to_vec())]
    );
    // Version 2 has a longer length.
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}";
    let mut second = b"\x93NUMPY\x02\x00".to_vec();
    second.extend((text.len() as u32).to_le_bytes());
    second.extend([text.as_bytes(), b"ab"].concat());
    assert_eq!(
        values(&stdin(&second, any_value()).unwrap()),
        [Owned::Bytes(b"ab".to_vec())]
    );
}

#[test]
fn a_negative_number_has_a_row() {
    let data: Vec<u8> = [1i32, 2, 3, -1]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let content = [&head("<i4", "(2, 2)"), &data[..]].concat();
    assert_eq!(
        message(&content),
        "stdin: row 1, counted from 0, has a negative number; only 0 and above can be used"
    );
    let skip = Options {
        on_error: OnError::Skip,
        ..any_value()
    };
    assert_eq!(
        values(&stdin(&content, skip).unwrap()),
        [Owned::Integers(vec![1, 2])]
    );
}

#[test]
fn an_array_has_the_rows_that_it_announces() {
    let head = head("|u1", "(3, 4)");
    let with = |bytes: usize| message(&[&head[..], &vec![7; bytes]].concat());
    for (bytes, found) in [(0, 0), (3, 0), (4, 1), (11, 2)] {
        assert_eq!(
            with(bytes),
            format!("stdin: truncated: its head announces 3 rows, but it ends after {found}")
        );
    }
    for bytes in [13, 16, 1000] {
        assert_eq!(
            with(bytes),
            "stdin: bytes follow the 3 rows that its head announces"
        );
    }
    let huge = super::npy::head("|u1", "(18446744073709551615, 4000000000)");
    assert!(message(&huge).contains("ends after 0"));
}

#[test]
fn a_head_that_cannot_be_used_says_why_and_what_to_do() {
    let of = |descr: &str, order: &str, shape: &str| {
        let text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
        message(&head_of(&text))
    };
    assert!(of("'>u8'", "False", "(5, 4)").contains("big-endian"));
    assert!(of("'|b1'", "False", "(5, 64)").contains("np.packbits"));
    assert!(of("'|i1'", "False", "(5, 64)").contains("use array.view(np.uint8)"));
    assert!(of("'<f2'", "False", "(5, 64)").contains("float32"));
    assert!(of("[('a', '<u8')]", "False", "(5,)").contains("uint8 to uint64"));
    assert!(of("'|u1'", "True", "(5, 8)").contains("ascontiguousarray"));
    assert!(of("'|u1'", "False", "(5,)").contains("[5]"));
    assert!(of("'|u1'", "False", "()").contains("[]"));
    assert!(of("'|u1'", "False", "(5, 0)").contains("0 columns"));
    assert!(of("'|u1'", "False", "(5, 8, 2)").contains("[5, 8, 2]"));
    assert!(of("'|u1'", "False", "(-5, 8)").contains("whole numbers"));
    assert!(message(b"PK rows").contains("not a NumPy file"));
    assert!(message(b"").contains("not a NumPy file"));
    assert!(message(b"\x93NUM").contains("ends in its head"));
    assert!(message(b"\x93NUMPY").contains("ends in its head"));
    assert!(message(b"\x93NUMPY\x09\x00\x00\x00").contains("version 9"));
    assert!(message(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").contains("claims 4294967295"));
    assert!(message(&head_of("{'descr': '|u1'}")).contains("lacks \"shape\""));
    assert!(message(&head_of("nothing")).contains("not a NumPy dictionary"));
}

proptest! {
    #[test]
    fn no_head_is_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in ".{0,60}") {
        for content in [
            bytes.clone(),
            [b"\x93NUMPY".as_slice(), &bytes].concat(),
            head_of(&text),
            head_of(&format!("{{{text}}}")),
        ] {
            let options = Options { format: Some(Format::Npy), ..any_value() };
            let _ = scan_values(&stdin(&content, options).unwrap());
        }
    }
}

#[test]
fn packed_bytes_are_cut_as_they_are_told() {
    let gz = gzip(b"abcdef");
    let folder = Folder::new(&[("a.bin", b"abcdef"), ("b.bin.gz", &gz), ("c.bin", &gz)]);
    let options = |record_bytes| Options {
        record_bytes,
        ..any_value()
    };
    let read = |name: &str, bytes| folder.open(name, options(Some(bytes)));
    let abc = [Owned::Bytes(b"abc".to_vec()), Owned::Bytes(b"def".to_vec())];
    assert_eq!(values(&read("a.bin", 3).unwrap()), abc);
    assert_eq!(values(&read("b.bin.gz", 3).unwrap()), abc);
    // The name does not say that it is compressed.
    let all = values(&read("c.bin", gz.len() as u32).unwrap());
    assert_eq!(all, [Owned::Bytes(gz)]);
    let message = |bytes| {
        let corpus = folder.open("a.bin", options(bytes)).unwrap();
        folder.message(&scan_values(&corpus).unwrap_err())
    };
    assert_eq!(
        message(Some(4)),
        "a.bin: 6 bytes are not a whole number of records of 4 bytes; the file is cut off, or its records have another \
         length"
    );
    assert_eq!(
        message(None),
        "a.bin: packed bytes do not say how long a record is: state the bits of a record with `bits`"
    );
    let e = read("a.bin", 0).unwrap_err();
    assert_eq!(e.to_string(), "record_bytes is `0`, but must be 1 or more");
}
