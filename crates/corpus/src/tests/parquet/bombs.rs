//! Small files that stand for large ones.

use super::super::{Folder, scan, twice};
use super::{Column, Values, all, file, plain, strings};
use crate::{Error, Fate, Options, Outputs, Records};
use parquet::basic::Compression;

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
        max_expansion: 10_000,
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

/// A row of a list is decoded whole, whatever its length.
#[test]
fn a_list_of_nothing_without_end() {
    let schema = "message m { required binary text (UTF8); repeated int32 n; }";
    let mut repetition = vec![1; 1 << 22];
    repetition[0] = 0;
    let list = Column {
        definition: vec![1; 1 << 22],
        repetition,
        ..all(Values::Int32(vec![7; 1 << 22]))
    };
    let other = Column {
        definition: vec![0],
        repetition: vec![0],
        ..all(Values::Int32(vec![]))
    };
    let properties = plain()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_data_page_row_count_limit(usize::MAX)
        .set_data_page_size_limit(1 << 30)
        .set_write_batch_size(1 << 22);
    let mut list = list;
    list.definition.extend(&other.definition);
    list.repetition.extend(&other.repetition);
    let content = file(schema, properties, &[vec![strings(["a", "b"]), list]]);
    let folder = Folder::new(&[("a.parquet", &content)]);
    let mut corpus = folder.open("a.parquet", twice()).unwrap();
    corpus.expansion.free = 1 << 22;
    let seen = scan(&corpus).unwrap();
    let documents: Vec<_> = seen.iter().map(|s| s.place).collect();
    let split = |corpus: &crate::Corpus| {
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
        let fate = |i: usize, _: &_| [Fate::Keep, Fate::Remove][i];
        corpus.split(records, fate, to)
    };
    let e = split(&corpus).unwrap_err();
    assert!(matches!(e, Error::Expansion { .. }), "{e}");
    corpus.expansion.free = 1 << 40;
    split(&corpus).unwrap();
}
