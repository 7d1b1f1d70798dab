//! Files that change while a corpus is in use, with their times of modification restored.

use super::{Folder, gzip, scan, twice, zstd};
use crate::{Corpus, Error, Fate, Options, Outputs, Place, Records};
use std::fs::{self, OpenOptions};
use std::io::Write;

const RECORDS: &[u8] = b"{\"text\": \"one\"}\n{\"text\": \"two\"}\n";
const ADDED: &[u8] = b"{\"text\": \"new\"}\n";

/// Changes a file, and restores its time of modification.
fn change(folder: &Folder, name: &str, change: impl FnOnce(&mut fs::File)) {
    let path = folder.path(name);
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    change(&mut file);
    file.set_modified(before).unwrap();
}

fn append(folder: &Folder, name: &str, bytes: &[u8]) {
    change(folder, name, |file| file.write_all(bytes).unwrap());
}

fn places(corpus: &Corpus) -> Vec<Place> {
    scan(corpus)
        .unwrap()
        .iter()
        .map(|seen| seen.place)
        .collect()
}

/// Splits the only file, with something done while it is under way.
fn split(
    corpus: &Corpus,
    documents: &[Place],
    mut meanwhile: impl FnMut(),
) -> Result<Vec<u8>, Error> {
    let mut kept = Vec::new();
    let records = Records {
        file: 0,
        documents,
        skipped: &[],
    };
    let fate = |_: usize, _: &Place| {
        meanwhile();
        Fate::Keep
    };
    let to = Outputs {
        kept: &mut kept,
        removed: &mut Vec::new(),
        skipped: &mut Vec::new(),
    };
    corpus.split(records, fate, to).map(|()| kept)
}

fn is_changed<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert!(matches!(result, Err(Error::Changed { .. })), "{result:?}");
}

#[test]
fn a_record_that_is_appended_during_the_writing_pass_is_not_kept() {
    for name in ["a.jsonl", "a.txt"] {
        let folder = Folder::new(&[(name, RECORDS)]);
        let corpus = folder.open(name, twice()).unwrap();
        let documents = places(&corpus);
        let mut is_first = true;
        let result = split(&corpus, &documents, || {
            if std::mem::take(&mut is_first) {
                append(&folder, name, ADDED);
            }
        });
        is_changed(result);
    }
}

#[test]
fn a_record_that_is_appended_while_records_are_annotated_is_not_written() {
    let array = b"[{\"text\": \"one\"},\n{\"text\": \"two\"}]\n";
    for (name, content, added) in [("a.jsonl", RECORDS, ADDED), ("a.json", array, b" ")] {
        let folder = Folder::new(&[(name, content)]);
        let corpus = folder.open(name, twice()).unwrap();
        let documents = places(&corpus);
        let records = Records {
            file: 0,
            documents: &documents,
            skipped: &[],
        };
        let note = |i: usize| {
            if i == 0 {
                append(&folder, name, added);
            }
            Some("1".to_owned())
        };
        is_changed(corpus.annotate(records, "note", note, &mut Vec::new(), &mut Vec::new()));
    }
}

/// The length and the time are as before, so that only the bytes tell.
#[test]
fn a_change_of_the_same_length_between_two_passes_is_noticed() {
    let other = RECORDS.to_ascii_uppercase();
    for pack in [|bytes: &[u8]| bytes.to_vec(), gzip, zstd] {
        let (before, after) = (pack(RECORDS), pack(&other));
        assert_eq!(before.len(), after.len());
        let folder = Folder::new(&[("a.txt", &before)]);
        // Without a second pass nothing is kept, so that a compressed file is read again.
        let corpus = folder.open("a.txt", Options::default()).unwrap();
        let documents = places(&corpus);
        assert_eq!(split(&corpus, &documents, || ()).unwrap(), RECORDS);
        let mut stored = Vec::new();
        corpus.copy(0, &mut stored).unwrap();
        assert_eq!(stored, before);
        change(&folder, "a.txt", |_| {
            fs::write(folder.path("a.txt"), &after).unwrap()
        });
        corpus.check_unchanged().unwrap();
        is_changed(scan(&corpus));
        is_changed(split(&corpus, &documents, || ()));
        is_changed(corpus.copy(0, &mut Vec::new()));
    }
}

#[test]
fn rows_that_are_appended_to_an_array_are_noticed() {
    let row = |n: u8| [n; 4];
    let head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 4), }";
    let npy = [
        b"\x93NUMPY\x01\x00",
        &[head.len() as u8, 0][..],
        head,
        &row(1),
        &row(2),
    ]
    .concat();
    let folder = Folder::new(&[("a.npy", &npy)]);
    let options = Options {
        values: true,
        ..twice()
    };
    let corpus = folder.open("a.npy", options).unwrap();
    let mut documents = Vec::new();
    let each = |(): &mut (), block: &mut crate::Documents<'_>| {
        let mut places = Vec::new();
        while let Some(record) = block.next_value()? {
            places.push(record.place);
        }
        Ok::<_, Error>(places)
    };
    let take = |_, places: Vec<Place>| {
        documents.extend(places);
        Ok(())
    };
    corpus.scan(|| (), each, take).unwrap();
    let mut is_first = true;
    is_changed(split(&corpus, &documents, || {
        if std::mem::take(&mut is_first) {
            append(&folder, "a.npy", &row(3));
        }
    }));
}

#[test]
fn files_that_have_changed_since_they_were_opened_are_named() {
    let folder = Folder::new(&[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    let corpus = folder.open("", Options::default()).unwrap();
    corpus.check_unchanged().unwrap();
    append(&folder, "b.txt", b"three\n");
    let error = corpus.check_unchanged().unwrap_err();
    let message = folder.message(&error);
    assert!(message.starts_with("b.txt: changed while"), "{message}");
}
