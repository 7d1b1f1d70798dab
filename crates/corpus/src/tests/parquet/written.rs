//! What the third pass makes of Parquet.

use super::super::{Folder, scan, twice};
use super::shredded::{NESTED, Plain, plain_row, shred};
use super::{Column, TWO, file, groups, plain, text, ways};
use crate::{Corpus, Error, ErrorKind, Fate, OnError, Options, Outputs, Place, Records, Skipped};
use parquet::basic::Compression;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;
use proptest::prelude::*;

/// A file as the crate reads it.
pub(super) fn open(content: &[u8]) -> SerializedFileReader<bytes::Bytes> {
    SerializedFileReader::new(bytes::Bytes::copy_from_slice(content)).unwrap()
}

pub(super) fn rows(content: &[u8]) -> Vec<Row> {
    open(content)
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

/// The documents of a corpus and what was passed over.
pub(super) fn places(corpus: &Corpus) -> (Vec<Place>, Vec<Place>) {
    let (mut documents, mut skipped) = (Vec::new(), Vec::new());
    corpus
        .scan(
            || (),
            |(), block| {
                let mut places = Vec::new();
                while let Some(document) = block.next()? {
                    places.push(document.place);
                }
                Ok::<_, Error>((places, block.take_skipped()))
            },
            |_, (places, passed)| {
                documents.extend(places);
                skipped.extend(passed.iter().map(|s: &Skipped| s.place));
                Ok(())
            },
        )
        .unwrap();
    (documents, skipped)
}

/// Kept, removed and skipped.
fn split(content: &[u8], options: Options, keeps: impl Fn(usize) -> bool) -> [Vec<u8>; 3] {
    let folder = Folder::new(&[("a.parquet", content)]);
    let corpus = folder.open("a.parquet", options).unwrap();
    let (documents, skipped) = places(&corpus);
    let records = Records {
        file: 0,
        documents: &documents,
        skipped: &skipped,
    };
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    let [kept, removed, skipped] = &mut out;
    let fate = |i: usize, _: &_| match keeps(i) {
        true => Fate::Keep,
        false => Fate::Remove,
    };
    let to = Outputs {
        kept,
        removed,
        skipped,
    };
    corpus.split(records, fate, to).unwrap();
    out
}

/// Everything but the rows is as it was.
pub(super) fn assert_alike(one: &[u8], other: &[u8]) {
    let (one, other) = (open(one), open(other));
    let (a, b) = (
        one.metadata().file_metadata(),
        other.metadata().file_metadata(),
    );
    assert_eq!(a.schema(), b.schema());
    assert_eq!(a.key_value_metadata(), b.key_value_metadata());
    assert_eq!(a.version(), b.version());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn each_row_goes_to_one_file(
        tables in prop::collection::vec(prop::collection::vec(plain_row(), 0..40), 0..4),
        fates in prop::collection::vec(any::<bool>(), 1..12),
        way in 0..28usize,
    ) {
        let mut first = 0;
        let groups: Vec<Vec<Column>> = tables
            .iter()
            .map(|rows| {
                let columns = shred(rows, first);
                first += rows.len() as i64;
                columns
            })
            .collect();
        let content = file(NESTED, ways().swap_remove(way).1, &groups);
        let options = Options { on_error: OnError::Skip, ..twice() };
        let keeps = |document: usize| fates[document % fates.len()];
        let written = split(&content, options, keeps);
        let mut expected = [Vec::new(), Vec::new(), Vec::new()];
        let mut document = 0;
        let plain: Vec<&Plain> = tables.iter().flatten().collect();
        for (row, plain) in rows(&content).into_iter().zip(plain) {
            if plain.text.is_none() {
                expected[2].push(row);
                continue;
            }
            expected[usize::from(!keeps(document))].push(row);
            document += 1;
        }
        for (written, expected) in written.iter().zip(expected) {
            prop_assert_eq!(rows(written), expected);
            assert_alike(&content, written);
        }
    }
}

#[test]
fn a_file_of_which_all_goes_one_way_is_copied() {
    for (_, properties) in ways() {
        let content = file(TWO, properties, &groups(&[5, 0, 7]));
        let [kept, removed, skipped] = split(&content, twice(), |_| true);
        assert_eq!(kept, content);
        assert_eq!((rows(&removed), rows(&skipped)), (vec![], vec![]));
        assert_alike(&content, &removed);
        let [kept, removed, _] = split(&content, twice(), |_| false);
        assert_eq!(removed, content);
        assert_eq!(rows(&kept), []);
        assert_alike(&content, &kept);
    }
    let empty = file(TWO, plain(), &groups(&[]));
    assert_eq!(split(&empty, twice(), |_| false)[0], empty);
}

#[test]
fn a_row_group_of_which_all_goes_one_way_keeps_its_pages() {
    let content = file(TWO, plain(), &groups(&[50, 60, 70]));
    let [kept, removed, _] = split(&content, twice(), |i| !(50..52).contains(&i));
    let (before, after) = (open(&content), open(&kept));
    let counts = |of: &[u8]| -> Vec<i64> {
        let of = open(of);
        of.metadata()
            .row_groups()
            .iter()
            .map(|g| g.num_rows())
            .collect()
    };
    assert_eq!(counts(&kept), [50, 58, 70]);
    assert_eq!(counts(&removed), [2]);
    for group in [0, 2] {
        for column in 0..2 {
            let of = |file: &SerializedFileReader<bytes::Bytes>, content: &[u8]| {
                let column = file.metadata().row_group(group).column(column).clone();
                let (start, len) = column.byte_range();
                content[start as usize..(start + len) as usize].to_vec()
            };
            assert_eq!(of(&before, &content), of(&after, &kept), "{group} {column}");
        }
    }
    assert_eq!(rows(&kept).len() + rows(&removed).len(), 180);
}

#[test]
fn each_column_of_each_row_group_keeps_its_codec() {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4,
        Compression::ZSTD(Default::default()),
        Compression::LZ4_RAW,
    ];
    for codec in codecs {
        for other in codecs {
            let properties = plain()
                .set_compression(codec)
                .set_column_compression("id".into(), other);
            let content = file(TWO, properties, &groups(&[20, 20]));
            let [kept, ..] = split(&content, twice(), |i| i % 3 > 0);
            for group in open(&kept).metadata().row_groups() {
                assert_eq!(group.column(0).compression(), codec);
                assert_eq!(group.column(1).compression(), other);
            }
        }
    }
}

#[test]
fn notes_order_and_encodings_stay() {
    let notes = vec![
        KeyValue::new("pandas".to_owned(), "{\"columns\": []}".to_owned()),
        KeyValue::new("ARROW:schema".to_owned(), "/////".to_owned()),
        KeyValue::new("huggingface".to_owned(), None),
    ];
    let order = vec![SortingColumn {
        column_idx: 1,
        descending: true,
        nulls_first: false,
    }];
    let delta = parquet::basic::Encoding::DELTA_BINARY_PACKED;
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(notes.clone()))
        .set_sorting_columns(Some(order.clone()))
        .set_column_dictionary_enabled("id".into(), false)
        .set_column_encoding("id".into(), delta);
    let content = file(TWO, properties, &groups(&[20, 20]));
    for written in &split(&content, twice(), |i| i % 3 > 0) {
        assert_alike(&content, written);
        let written = open(written);
        for group in written.metadata().row_groups() {
            assert_eq!(group.sorting_columns(), Some(&order));
            assert!(group.column(1).encodings().any(|e| e == delta));
            assert!(group.column(0).dictionary_page_offset().is_some());
            assert!(group.column(1).dictionary_page_offset().is_none());
        }
    }
}

#[test]
fn what_is_written_can_be_read_again() {
    let content = file(TWO, plain(), &groups(&[30, 30]));
    let [kept, ..] = split(&content, twice(), |i| i % 2 == 0);
    let folder = Folder::new(&[("kept.parquet", &kept)]);
    let seen = scan(&folder.open("kept.parquet", Options::default()).unwrap()).unwrap();
    let expected: Vec<String> = (0..60).step_by(2).map(text).collect();
    assert!(seen.iter().map(|s| &s.text).eq(&expected));
}

#[test]
fn places_that_are_not_the_rows() {
    let folder = Folder::new(&[("a.parquet", &file(TWO, plain(), &groups(&[3])))]);
    let corpus = folder.open("a.parquet", twice()).unwrap();
    let (places, _) = places(&corpus);
    let try_split = |documents: &[Place]| {
        let records = Records {
            file: 0,
            documents,
            skipped: &[],
        };
        let to = Outputs {
            kept: &mut Vec::new(),
            removed: &mut Vec::new(),
            skipped: &mut Vec::new(),
        };
        corpus
            .split(records, |_, _| Fate::Keep, to)
            .unwrap_err()
            .kind()
    };
    assert_eq!(
        try_split(&[places[1], places[0], places[2]]),
        ErrorKind::Request
    );
    assert_eq!(try_split(&places[..2]), ErrorKind::Changed);
}

#[test]
fn an_output_that_cannot_be_written() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            match self.0.checked_sub(bytes.len()) {
                Some(left) => self.0 = left,
                None => return Err(std::io::ErrorKind::StorageFull.into()),
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let content = file(TWO, plain(), &groups(&[900, 900]));
    let folder = Folder::new(&[("a.parquet", &content)]);
    let corpus = folder.open("a.parquet", twice()).unwrap();
    let (documents, _) = places(&corpus);
    let records = Records {
        file: 0,
        documents: &documents,
        skipped: &[],
    };
    for keeps in [3, usize::MAX] {
        for room in [0, 3, 9_000, 20_000] {
            let to = Outputs {
                kept: &mut Full(room),
                removed: &mut Vec::new(),
                skipped: &mut Vec::new(),
            };
            let fate = |i: usize, _: &_| match i % keeps == 1 {
                true => Fate::Remove,
                false => Fate::Keep,
            };
            let e = corpus.split(records, fate, to).unwrap_err();
            assert_eq!(e.to_string(), "cannot write: no storage space", "{room}");
        }
        let e = corpus
            .annotate(
                records,
                "note",
                |_| Some("1".into()),
                &mut Full(20_000),
                &mut Vec::new(),
            )
            .unwrap_err();
        assert_eq!(e.to_string(), "cannot write: no storage space");
    }
}
