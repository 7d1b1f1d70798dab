//! NumPy arrays and packed bytes.

use super::values::{Owned, any_value, scan_values, values};
use super::{Folder, gzip, stdin};
use crate::{ErrorKind, Format, Options, Place};
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
    for (descr, size) in [("<u2", 2), ("<u4", 4), ("<u8", 8)] {
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
    for (descr, size) in [("|i1", 1), ("<i2", 2), ("<i4", 4), ("<i8", 8)] {
        let data: Vec<u8> = [3i64, -100]
            .iter()
            .flat_map(|n| n.to_le_bytes()[..size].to_vec())
            .collect();
        assert_eq!(
            bytes(descr, "(1, 2)", &data),
            [Owned::Signed(vec![3, -100])],
            "{descr}"
        );
    }
    // 1/3, −2, infinity and the smallest number above 0.
    let halves = [0x3555u16, 0xC000, 0x7C00, 0x0001];
    let of_halves: Vec<u8> = halves.iter().flat_map(|h| h.to_le_bytes()).collect();
    let floats = [0.333_251_95f32, -2.0, f32::INFINITY, 5.960_464_5e-8];
    assert_eq!(
        bytes("<f2", "(1, 4)", &of_halves),
        [Owned::Floats(floats.map(f32::to_bits).to_vec())]
    );
    assert_eq!(bytes("<f4", "(0, 5)", b""), []);
    // Both orders are the same.
    let fortran = head_of("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2), }");
    let content = [&fortran, b"ab".as_slice()].concat();
    assert_eq!(
        values(&stdin(&content, any_value()).unwrap()),
        [Owned::Bytes(b"ab".to_vec())]
    );
    // Versions 2 and 3 have a longer length.
    for version in [2, 3] {
        let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}";
        let mut content = [b"\x93NUMPY".as_slice(), &[version, 0]].concat();
        content.extend((text.len() as u32).to_le_bytes());
        content.extend([text.as_bytes(), b"ab"].concat());
        assert_eq!(
            values(&stdin(&content, any_value()).unwrap()),
            [Owned::Bytes(b"ab".to_vec())]
        );
    }
}

#[test]
fn both_orders_of_bytes_are_read_and_kept() {
    let numbers = [1.5f64, -3.0, 1e100, 7.25];
    type Bytes = fn(f64) -> Vec<u8>;
    let kinds: [(&str, Bytes); 6] = [
        ("f8", |n| n.to_be_bytes().to_vec()),
        ("f4", |n| (n as f32).to_be_bytes().to_vec()),
        ("i8", |n| (n as i64).to_be_bytes().to_vec()),
        ("i2", |n| (n as i16).to_be_bytes().to_vec()),
        ("u4", |n| (n as u32).to_be_bytes().to_vec()),
        ("u8", |n| (n as u64).to_be_bytes().to_vec()),
    ];
    for (kind, big) in kinds {
        let row = |n: &f64| big(*n);
        let swapped = |n: &f64| big(*n).into_iter().rev().collect::<Vec<u8>>();
        let content = |order: char, data: Vec<Vec<u8>>| {
            [head(&format!("{order}{kind}"), "(2, 2)"), data.concat()].concat()
        };
        let big = content('>', numbers.iter().map(row).collect());
        let little = content('<', numbers.iter().map(swapped).collect());
        let folder = Folder::new(&[("big.npy", &big), ("little.npy", &little)]);
        let open = |name: &str| folder.open(name, any_value()).unwrap();
        let expected = values(&open("little.npy"));
        assert_eq!(values(&open("big.npy")), expected, "{kind}");
        // A part of the rows is an array of the same order.
        let corpus = open("big.npy");
        let places: Vec<Place> = scan_values(&corpus)
            .unwrap()
            .into_iter()
            .map(|(_, place)| place)
            .collect();
        let [kept, removed] = super::formats::split(&corpus, &places, &[true, false]);
        for (part, value) in [(kept, &expected[0]), (removed, &expected[1])] {
            let part = stdin(&part, any_value()).unwrap();
            assert_eq!(values(&part), std::slice::from_ref(value), "{kind}");
        }
    }
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
    assert!(of("'|b1'", "False", "(5, 64)").contains("np.packbits"));
    assert!(of("'|O'", "False", "(5, 64)").contains("Python objects: use np.stack"));
    assert!(of("[('a', '<u8')]", "False", "(5,)").contains("structured_to_unstructured"));
    for other in [
        "<f16", "<c8", "<U7", "|V2", "<M8[s]", "u4", "|f4", "=i2", "", "é",
    ] {
        let message = of(&format!("'{other}'"), "False", "(5, 4)");
        assert!(message.contains("uint8 to uint64"), "{message}");
    }
    assert!(of("'|u1'", "True", "(5, 8)").contains("ascontiguousarray"));
    assert!(of("'|u1'", "False", "(5,)").contains("[5]"));
    assert!(of("'<f4'", "False", "(5,)").contains("use array[:, np.newaxis] if each"));
    assert!(of("'|u1'", "False", "()").contains("[]"));
    assert!(of("'|u1'", "False", "()").contains("a single number"));
    assert!(of("'|u1'", "False", "(5, 0)").contains("0 columns"));
    assert!(of("'|u1'", "False", "(5, 8, 2)").contains("[5, 8, 2]"));
    assert!(of("'|u1'", "False", "(5, 8, 2)").contains("array.reshape(len(array), -1)"));
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
