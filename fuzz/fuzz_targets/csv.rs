//! Any bytes as CSV: every byte goes to one output, and rows are those of the `csv` crate.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Error, ErrorKind, Fate, OnError, Place};
use lookalike_fuzz::{Scanned, histogram, scan};

fuzz_target!(|data: &[u8]| {
    let Some((&first, data)) = data.split_first() else {
        return;
    };
    match first {
        0..80 => rows(&[b"text\tid\r", data].concat(), ".tsv", b'\t'),
        80..160 => rows(&[b"\xEF\xBB\xBFid,\"text\"\n", data].concat(), ".csv", b','),
        _ => match scan(data, ".csv", OnError::Skip) {
            Ok(scanned) => split(&scanned, data),
            Err(e) => assert_eq!(e.kind(), ErrorKind::Content),
        },
    }
});

fn rows(content: &[u8], suffix: &str, delimiter: u8) {
    let scanned = scan(content, suffix, OnError::Skip).unwrap();
    let rows = read(content, delimiter);
    assert_eq!(
        scanned.documents.len() + scanned.skipped.len(),
        rows.len() - 1
    );
    let text = rows[0].iter().position(|name| name == b"text").unwrap();
    let (documents, passed_over) = scanned.places();
    let number = |start: u64| {
        let before = |place: &&Place| place.start < start;
        let places = documents.iter().chain(&passed_over);
        1 + places.filter(before).count()
    };
    for document in &scanned.documents {
        let row = &rows[number(document.place.start)];
        assert_eq!(row.len(), 2);
        assert_eq!(row[text], document.text.as_bytes());
    }
    for skipped in &scanned.skipped {
        let row = &rows[number(skipped.place.start)];
        match &skipped.reason {
            Error::Columns { found, .. } => {
                assert_eq!(row.len(), *found);
                assert_ne!(*found, 2)
            }
            // The crate minds neither.
            e => assert!(
                matches!(e, Error::OpenQuote { .. } | Error::Utf8 { .. }),
                "{e}"
            ),
        }
    }
    split(&scanned, content);
    let [annotated, _] = scanned.annotate().unwrap();
    let annotated = read(&annotated, delimiter);
    assert_eq!(annotated.len(), scanned.documents.len() + 1);
    assert!(annotated.iter().all(|row| row.len() == 3));
}

fn split(scanned: &Scanned, content: &[u8]) {
    scanned.read_again();
    let [kept, header, skipped] = scanned.split(|_| Fate::Keep);
    if scanned.skipped.is_empty() {
        assert_eq!(kept, content);
        assert_eq!(skipped, header);
    }
    let out = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
    assert_eq!(
        histogram(out.iter().map(Vec::as_slice)),
        histogram([content, &header, &header])
    );
}

fn read(content: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(content);
    let rows = reader.byte_records();
    rows.map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect())
        .collect()
}
