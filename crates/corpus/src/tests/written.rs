//! What the third pass writes.

use super::{Folder, gzip, scan, stdin, twice};
use crate::{Corpus, Error, ErrorKind, Fate, Format, Options, Outputs, Place, Records};
use proptest::prelude::*;
use std::io::Write;

fn places(corpus: &Corpus) -> Vec<Place> {
    let seen = scan(corpus).unwrap();
    seen.into_iter().map(|s| s.place).collect()
}

fn split(corpus: &Corpus, fate: impl Fn(usize) -> Fate) -> (Vec<u8>, Vec<u8>) {
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    split_to(corpus, &places(corpus), fate, &mut kept, &mut removed).unwrap();
    (kept, removed)
}

fn split_to(
    corpus: &Corpus,
    places: &[Place],
    fate: impl Fn(usize) -> Fate,
    kept: &mut (dyn Write + Send),
    removed: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let mut skipped = Vec::new();
    let to = Outputs {
        kept,
        removed,
        skipped: &mut skipped,
    };
    corpus.split(records(places), |i, _| fate(i), to)?;
    assert_eq!(skipped, b"");
    Ok(())
}

fn records(documents: &[Place]) -> Records<'_> {
    Records {
        file: 0,
        documents,
        skipped: &[],
    }
}

fn annotate_to(
    corpus: &Corpus,
    places: &[Place],
    value: impl FnMut(usize) -> Option<String>,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    corpus.annotate(records(places), "n", value, out, &mut std::io::sink())
}

fn by(fates: &[bool]) -> impl Fn(usize) -> Fate {
    move |i| {
        if fates[i % fates.len()] {
            Fate::Keep
        } else {
            Fate::Remove
        }
    }
}

proptest! {
    #[test]
    fn each_line_goes_to_one_output(
        lines in prop::collection::vec(prop_oneof![
            3 => "[a-z]{1,9}", 1 => Just(" \r".to_owned()), 1 => Just("x\r".to_owned()), 1 => Just(String::new())
        ], 0..12),
        fates in prop::collection::vec(any::<bool>(), 1..12),
        open in any::<bool>(),
        bom in any::<bool>(),
        block in 1..40usize,
    ) {
        let mut content = lines.iter().map(|l| format!("{l}\n")).collect::<String>();
        if open {
            content.pop();
        }
        if bom {
            content.insert(0, '\u{FEFF}');
        }
        let options = Options { format: Some(Format::Lines), ..twice() };
        let mut corpus = stdin(content.as_bytes(), options).unwrap();
        corpus.sizes.block = block;
        let (kept, removed) = split(&corpus, by(&fates));
        prop_assert_eq!(kept.len() + removed.len(), content.len());
        let mut documents = 0;
        let (mut expected_kept, mut expected_removed) = (String::new(), String::new());
        for line in content.split_inclusive('\n') {
            let blank = line.trim_start_matches('\u{FEFF}').trim_ascii().is_empty();
            let (mark, line) = line.split_at(line.len() - line.trim_start_matches('\u{FEFF}').len());
            expected_kept += mark;
            if !blank {
                documents += 1;
            }
            if blank || by(&fates)(documents - 1) == Fate::Keep {
                expected_kept += line;
            } else {
                expected_removed += line;
            }
        }
        prop_assert_eq!(String::from_utf8(kept).unwrap(), expected_kept);
        prop_assert_eq!(String::from_utf8(removed).unwrap(), expected_removed);
        prop_assert_eq!(split(&corpus, |_| Fate::Keep).0, content.as_bytes());
    }
}

#[test]
fn a_file_that_is_a_document_goes_whole() {
    let content = "\u{FEFF}one\r\n\ntwo".as_bytes();
    let options = || Options {
        format: Some(Format::Files),
        ..Options::default()
    };
    let folder = Folder::new(&[("a", &gzip(content)), ("empty", b"")]);
    let corpus = folder.open("a", options()).unwrap();
    assert_eq!(
        split(&corpus, |_| Fate::Keep),
        (content.to_vec(), Vec::new())
    );
    assert_eq!(
        split(&corpus, |_| Fate::Remove),
        (Vec::new(), content.to_vec())
    );
    let corpus = folder.open("empty", options()).unwrap();
    assert_eq!(split(&corpus, |_| Fate::Remove), (Vec::new(), Vec::new()));
}

fn annotate(content: &str, value: impl FnMut(usize) -> Option<String>) -> String {
    let options = Options {
        text: "t".parse().unwrap(),
        format: Some(Format::Jsonl),
        ..twice()
    };
    let corpus = stdin(content.as_bytes(), options).unwrap();
    let mut out = Vec::new();
    annotate_to(&corpus, &places(&corpus), value, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn members_are_added_before_the_closing_brace() {
    let content = "\u{FEFF}{\"t\": \"a}\"}\r\n\n {\"t\": \"\" , \"o\":{ } } \n{\"t\":\"\"}";
    let members = |i: usize| (i != 1).then(|| i.to_string());
    assert_eq!(
        annotate(content, members),
        "\u{FEFF}{\"t\": \"a}\", \"n\": 0}\r\n\n {\"t\": \"\" , \"o\":{ } } \n{\"t\":\"\", \"n\": 2}"
    );
    assert_eq!(
        annotate(content, |i| (i == 1).then(|| i.to_string())),
        "\u{FEFF}{\"t\": \"a}\"}\r\n\n {\"t\": \"\" , \"o\":{ }, \"n\": 1 } \n{\"t\":\"\"}"
    );
    assert_eq!(annotate(content, |_| None), content);
}

#[test]
fn a_member_is_not_added_twice() {
    for (content, has) in [
        ("{\"t\": \"n\", \"o\": {\"n\": 1}}", false),
        ("{\"t\": \"\", \"n\": 1}", true),
        ("{\"t\": \"\", \"\\u006e\": 1}", true),
    ] {
        let options = Options {
            text: "t".parse().unwrap(),
            ..twice()
        };
        let corpus = stdin(content.as_bytes(), options).unwrap();
        let places = places(&corpus);
        let result = annotate_to(&corpus, &places, |_| Some("2".into()), &mut Vec::new());
        let message = result.err().map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(
            message.starts_with("stdin:1: the record has a field `n` already"),
            has,
            "{content}: {message}"
        );
    }
}

#[test]
fn only_records_have_members() {
    let corpus = stdin(b"one\n", twice()).unwrap();
    let annotate = |file: u32| {
        let records = Records {
            file,
            documents: &[],
            skipped: &[],
        };
        let (mut out, mut skipped) = (Vec::new(), Vec::new());
        let result = corpus.annotate(records, "n", |_| None, &mut out, &mut skipped);
        result.unwrap_err()
    };
    let e = annotate(0);
    assert_eq!(
        e.to_string(),
        "stdin: its documents are not records, so nothing can be added to them"
    );
    assert_eq!(annotate(1).kind(), ErrorKind::Request);
}

#[test]
fn places_that_are_not_the_files() {
    let corpus = stdin(b"one\ntwo\n", twice()).unwrap();
    let mut places = places(&corpus);
    let try_split = |places: &[Place]| {
        let (mut kept, mut removed) = (Vec::new(), Vec::new());
        let result = split_to(&corpus, places, |_| Fate::Keep, &mut kept, &mut removed);
        result.unwrap_err().kind()
    };
    assert_eq!(try_split(&[places[1], places[0]]), ErrorKind::Request);
    places[1].bytes = 9;
    assert_eq!(try_split(&places), ErrorKind::Changed);
    places[1].bytes = 2;
    assert_eq!(try_split(&places), ErrorKind::Changed);
}

#[test]
fn an_output_that_cannot_be_written() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let corpus = stdin(b"one\n", twice()).unwrap();
    let places = places(&corpus);
    let e = split_to(&corpus, &places, |_| Fate::Keep, &mut Full, &mut Vec::new());
    let e = e.unwrap_err();
    assert_eq!(e.to_string(), "cannot write: no storage space");
    assert_eq!(e.kind(), ErrorKind::System);
}
