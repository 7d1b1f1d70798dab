//! Small files that stand for large ones.

use super::super::{Folder, scan, twice};
use super::{Column, Values, all, file, plain, strings};
use crate::{Error, Fate, OnError, Options, Outputs, Records};
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterPropertiesBuilder, WriterVersion};

/// The error of a scan in which any number of bytes but these few must not expand too far.
fn refused(content: &[u8], free: u64) -> Error {
    let folder = Folder::new(&[("a.parquet", content)]);
    let mut corpus = folder.open("a.parquet", twice()).unwrap();
    corpus.expansion.free = free;
    let e = scan(&corpus).unwrap_err();
    assert!(matches!(e, Error::Expansion { most: 200, .. }), "{e}");
    e
}

const TEXT: &str = "message m { required binary text (UTF8); }";

#[test]
fn a_dictionary_that_is_repeated_without_end() {
    let long = "a long text ".repeat(1000);
    let content = file(TEXT, plain(), &[vec![strings(vec![long.as_str(); 4000])]]);
    assert!(content.len() < 100_000);
    let folder = Folder::new(&[("a.parquet", &content)]);
    let allowed = Options {
        limits: crate::tests::limits(10_000),
        ..twice()
    };
    assert_eq!(
        scan(&folder.open("a.parquet", allowed).unwrap())
            .unwrap()
            .len(),
        4000
    );
    let Error::Expansion { unpacked, .. } = refused(&content, 1 << 22) else {
        unreachable!()
    };
    assert!(unpacked < 12 << 20, "{unpacked}");
}

#[test]
fn a_page_that_is_much_larger_than_it_was() {
    let zeros = "\0".repeat(1 << 24);
    for codec in [
        Compression::GZIP(Default::default()),
        Compression::ZSTD(Default::default()),
        Compression::BROTLI(Default::default()),
    ] {
        for dictionary in [false, true] {
            let properties = plain()
                .set_compression(codec)
                .set_dictionary_enabled(dictionary);
            let content = file(TEXT, properties, &[vec![strings([zeros.as_str()])]]);
            refused(&content, 1 << 22);
        }
    }
}

/// A table of texts and lists.
fn lists(rows: usize, values: usize, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let schema = "message m { required binary text (UTF8); repeated int32 n; }";
    let row = |n: usize| i16::from(!n.is_multiple_of(values));
    let list = Column {
        definition: vec![1; rows * values],
        repetition: (0..rows * values).map(row).collect(),
        ..all(Values::Int32(vec![7; rows * values]))
    };
    file(schema, properties, &[vec![strings(vec!["a"; rows]), list]])
}

/// The error of rows that are dealt out, with so many bytes free.
fn dealt(content: &[u8], free: u64) -> Result<(), Error> {
    let folder = Folder::new(&[("a.parquet", content)]);
    let mut corpus = folder.open("a.parquet", twice()).unwrap();
    corpus.expansion.free = free;
    let seen = scan(&corpus).unwrap();
    let documents: Vec<_> = seen.iter().map(|s| s.place).collect();
    let to = Outputs {
        kept: &mut Vec::new(),
        removed: &mut Vec::new(),
        skipped: &mut Vec::new(),
    };
    let records = Records {
        file: 0,
        documents: &documents,
        skipped: &[],
    };
    corpus.split(records, |i, _| [Fate::Keep, Fate::Remove][i % 2], to)
}

/// All lists in one page.
fn one_page() -> WriterPropertiesBuilder {
    plain()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_data_page_row_count_limit(usize::MAX)
        .set_data_page_size_limit(1 << 30)
        .set_write_batch_size(1 << 24)
}

/// A row of a list is decoded whole, whatever its length.
#[test]
fn a_list_of_the_same_without_end() {
    let content = lists(2, 1 << 21, one_page());
    assert!(content.len() < 10_000);
    let e = dealt(&content, 1 << 21).unwrap_err();
    assert!(matches!(e, Error::Expansion { .. }), "{e}");
    dealt(&content, 1 << 40).unwrap();
}

/// A mask is a thousand ones a row: a page has many, and a row few.
#[test]
fn masks_are_no_bomb() {
    dealt(&lists(900, 1000, one_page()), 1 << 20).unwrap();
}

#[test]
fn a_row_that_goes_on_over_many_pages() {
    let properties = plain()
        .set_data_page_row_count_limit(1)
        .set_write_batch_size(1);
    let content = lists(9, 1 << 18, properties);
    dealt(&content, 1 << 20).unwrap();
    // The first levels of a page are eight bits: a row, and what it goes on with. From the
    // second page on the row is made to go on as well.
    let starts: Vec<usize> = (0..content.len() - 1)
        .filter(|&at| content[at..at + 2] == [0x03, 0xFE])
        .collect();
    assert_eq!(starts.len(), 9);
    let mut one_row = content;
    starts[1..].iter().for_each(|at| one_row[at + 1] = 0xFF);
    let e = dealt(&one_row, 1 << 20).unwrap_err();
    assert!(matches!(e, Error::Expansion { .. }), "{e}");
    let e = dealt(&one_row, 1 << 40).unwrap_err();
    assert!(e.to_string().contains("not as many rows"), "{e}");
}

/// Lengths of strings are decoded before the strings are, as many as are stated.
#[test]
fn strings_that_claim_to_be_many() {
    for encoding in [
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
        Encoding::DELTA_BYTE_ARRAY,
    ] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = plain()
                .set_writer_version(version)
                .set_dictionary_enabled(false)
                .set_encoding(encoding);
            let texts = Column {
                definition: vec![1, 0, 1, 1],
                ..strings(["a", "ab", "abc"])
            };
            let schema = "message m { optional binary text (UTF8); }";
            let content = file(schema, properties, &[vec![texts]]);
            let read = |content: &[u8]| {
                let folder = Folder::new(&[("a.parquet", content)]);
                let options = Options {
                    on_error: OnError::Skip,
                    ..twice()
                };
                scan(&folder.open("a.parquet", options).unwrap())
            };
            assert_eq!(read(&content).unwrap().len(), 3);
            // Blocks of 128 in 4 parts, and 3 lengths: once, or for prefixes and suffixes.
            let headers: Vec<usize> = (0..content.len() - 4)
                .filter(|&at| content[at..at + 4] == [0x80, 0x01, 4, 3])
                .collect();
            assert!(!headers.is_empty());
            for at in headers {
                let mut more = content.clone();
                more[at + 3] = 5;
                let e = read(&more).unwrap_err();
                let said = "a page has other lengths than it states";
                assert!(e.to_string().contains(said), "{encoding} {version:?}: {e}");
            }
        }
    }
}
