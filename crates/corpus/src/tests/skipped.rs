//! Records that are passed over.

use super::{Folder, Seen, gzip, said, scan, stdin, texts, twice};
use crate::{Corpus, Error, Fate, Format, OnError, Options, Outputs, Place, Records, Skipped};
use proptest::prelude::*;

fn options(format: Format) -> Options {
    Options {
        format: Some(format),
        on_error: OnError::Skip,
        ..twice()
    }
}

pub(crate) fn scan_both(corpus: &Corpus) -> Result<(Vec<Seen>, Vec<Skipped>), Error> {
    let (mut all, mut all_skipped) = (Vec::new(), Vec::new());
    corpus.scan(
        || (),
        |(), documents| {
            let mut seen = Vec::new();
            while let Some(document) = documents.next()? {
                seen.push(Seen::from(document));
            }
            Ok::<_, Error>((seen, documents.take_skipped()))
        },
        |_, (seen, skipped)| {
            all.extend(seen);
            all_skipped.extend(skipped);
            Ok(())
        },
    )?;
    Ok((all, all_skipped))
}

/// What is kept, removed and skipped if every second document is removed.
pub(crate) fn split(corpus: &Corpus) -> [Vec<u8>; 3] {
    let (seen, skipped) = scan_both(corpus).unwrap();
    let documents: Vec<Place> = seen.iter().map(|s| s.place).collect();
    let skipped: Vec<Place> = skipped.iter().map(|s| s.place).collect();
    let records = Records {
        file: 0,
        documents: &documents,
        skipped: &skipped,
    };
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    let [kept, removed, skipped] = &mut out;
    let fate = |i: usize, _: &Place| [Fate::Keep, Fate::Remove][i % 2];
    let to = Outputs {
        kept,
        removed,
        skipped,
    };
    corpus.split(records, fate, to).unwrap();
    out
}

proptest! {
    #[test]
    fn what_is_not_skipped_is_read_as_if_it_were_alone(
        lines in prop::collection::vec((0..10usize, prop_oneof![Just(""), Just("\r")]), 0..20),
        open in any::<bool>(),
        block in 1..80usize,
    ) {
        const LINES: [&[u8]; 10] = [
            b"{\"text\": \"a\"}",
            b"{\"text\": \"b\", \"id\": 3} ",
            b" {\"text\": \"c\\n\"}",
            b" ",
            b"{\"text\": ",
            b"[1]",
            b"{\"body\": \"\"}",
            b"{\"text\": 4}",
            b"{\"text\": \"\xFF\"}",
            b"{\"text\": \"\\ud800\"}",
        ];
        let mut expected = [Vec::new(), Vec::new(), Vec::new()];
        let mut documents = 0;
        let (mut content, mut good) = (Vec::new(), Vec::new());
        let mut bad_lines = Vec::new();
        for (i, (which, carriage)) in lines.iter().enumerate() {
            let end: &[u8] = if open && i + 1 == lines.len() { b"" } else { b"\n" };
            let line = [LINES[*which], carriage.as_bytes(), end].concat();
            let to = match which {
                0..3 => {
                    documents += 1;
                    (documents + 1) % 2
                }
                3 => 0,
                _ => 2,
            };
            if to == 2 {
                bad_lines.push(i as u64 + 1);
            } else {
                good.extend_from_slice(&line);
            }
            expected[to].extend_from_slice(&line);
            content.extend(line);
        }
        let mut corpus = stdin(&content, options(Format::Jsonl)).unwrap();
        corpus.sizes.block = block;
        let (seen, skipped) = scan_both(&corpus).unwrap();
        let alone = scan(&stdin(&good, options(Format::Jsonl)).unwrap()).unwrap();
        let told = |seen: &[Seen]| -> Vec<_> {
            seen.iter().map(|s| (s.text.clone(), s.id.clone())).collect()
        };
        prop_assert_eq!(told(&seen), told(&alone));
        prop_assert_eq!(skipped.iter().map(|s| s.place.line).collect::<Vec<_>>(), bad_lines);
        for Skipped { place, reason } in &skipped {
            let at = format!("stdin:{}:", place.line);
            prop_assert!(reason.to_string().starts_with(&at), "{reason}");
        }
        prop_assert_eq!(split(&corpus), expected);
        let strict = Options { on_error: OnError::Stop, ..options(Format::Jsonl) };
        let first = scan(&stdin(&content, strict).unwrap()).err();
        prop_assert_eq!(
            first.map(|e| e.to_string()),
            skipped.first().map(|s| s.reason.to_string())
        );
    }
}

#[test]
fn lines_and_files_that_are_not_utf8() {
    let content = b"one\n\xFF\r\n\ntwo\nthree \xC3\n";
    let corpus = stdin(content, options(Format::Lines)).unwrap();
    assert_eq!(
        split(&corpus),
        [
            b"one\n\n".to_vec(),
            b"two\n".to_vec(),
            b"\xFF\r\nthree \xC3\n".to_vec()
        ]
    );
    let corpus = stdin(content, options(Format::Files)).unwrap();
    assert_eq!(split(&corpus), [vec![], vec![], content.to_vec()]);
    let (_, skipped) = scan_both(&corpus).unwrap();
    assert_eq!(skipped.len(), 1);
    assert_eq!(
        said(&skipped[0].reason),
        "stdin:2: not UTF-8 at byte 1 of the line: convert the file to UTF-8"
    );
}

#[test]
fn damage_to_a_file_is_not_passed_over() {
    let whole = gzip(b"{\"text\": \"a\"}\n{\"text\": \"b\"}\n");
    let folder = Folder::new(&[("a.jsonl.gz", &whole[..whole.len() - 9])]);
    let corpus = folder.open("a.jsonl.gz", options(Format::Jsonl)).unwrap();
    assert!(matches!(
        scan_both(&corpus),
        Err(Error::Truncated { .. } | Error::Damaged { .. })
    ));
    let mut corpus = stdin(b"{\"text\": \"a\"}\n", options(Format::Jsonl)).unwrap();
    corpus.sizes.record = 5;
    assert!(matches!(scan_both(&corpus), Err(Error::TooLong { .. })));
}

#[test]
fn an_annotated_file_is_without_what_was_skipped() {
    let content = b"\n{\"text\": \"a\"}\nbroken\r\n{\"text\": \"b\"}\n{}";
    let corpus = stdin(content, options(Format::Jsonl)).unwrap();
    let (seen, skipped) = scan_both(&corpus).unwrap();
    let records = Records {
        file: 0,
        documents: &seen.iter().map(|s| s.place).collect::<Vec<_>>(),
        skipped: &skipped.iter().map(|s| s.place).collect::<Vec<_>>(),
    };
    let (mut out, mut left_out) = (Vec::new(), Vec::new());
    corpus
        .annotate(
            records,
            "n",
            |i| Some(i.to_string()),
            &mut out,
            &mut left_out,
        )
        .unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "\n{\"text\": \"a\", \"n\": 0}\n{\"text\": \"b\", \"n\": 1}\n"
    );
    assert_eq!(left_out, b"broken\r\n{}");
}

#[test]
fn what_was_skipped_is_asked_for_once() {
    let corpus = stdin(b"{}\n{\"text\": \"a\"}\n[]\n", options(Format::Jsonl)).unwrap();
    let mut lines = Vec::new();
    let work = |(): &mut (), documents: &mut crate::Documents<'_>| {
        let mut lines = Vec::new();
        while documents.next()?.is_some() {
            lines.push(documents.take_skipped());
        }
        lines.push(documents.take_skipped());
        Ok::<_, Error>(lines)
    };
    let take = |_, found: Vec<Vec<Skipped>>| {
        for skipped in found {
            lines.push(skipped.iter().map(|s| s.place.line).collect::<Vec<_>>());
        }
        Ok(())
    };
    corpus.scan(|| (), work, take).unwrap();
    assert_eq!(lines, [[1], [3]]);
    assert_eq!(texts(&corpus), ["a"]);
}

#[test]
fn what_to_do_is_named() {
    for on_error in [OnError::Stop, OnError::Skip] {
        assert_eq!(on_error.to_string().parse::<OnError>().unwrap(), on_error);
        let json = serde_json::to_string(&on_error).unwrap();
        assert_eq!(json, format!("\"{on_error}\""));
    }
    assert_eq!(
        "ignore".parse::<OnError>().unwrap_err().to_string(),
        "on_error is `ignore`, but must be stop or skip"
    );
}
