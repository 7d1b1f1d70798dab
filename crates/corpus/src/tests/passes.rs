//! Scans and reads: the same for any block size, number of threads, and pass.

use super::{Folder, Seen, scan, stdin, texts, twice};
use crate::{Corpus, Error, Format, Options};
use proptest::prelude::*;

fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => "[a-zé\"\\\\\t]{0,30}".prop_map(|s| serde_json::json!({"id": s.len(), "text": s, "n": [s]}).to_string()),
        1 => "[ \t\r]{0,3}",
        1 => Just(format!(" {{\"text\":\"{}\"}} \r", "long\\n".repeat(50))),
    ];
    let end = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    (
        prop::bool::ANY,
        prop::collection::vec((line, end), 0..20),
        prop::bool::ANY,
    )
        .prop_map(|(bom, lines, open)| {
            let mut all = String::from(if bom { "\u{FEFF}" } else { "" });
            for (line, end) in &lines {
                all += line;
                all += end;
            }
            if open && all.ends_with('\n') {
                all.pop();
            }
            all.into_bytes()
        })
}

fn options(format: Format) -> Options {
    Options {
        format: Some(format),
        fields: vec!["n".parse().unwrap(), "text".parse().unwrap()],
        ..twice()
    }
}

proptest! {
    #[test]
    fn any_block_size_gives_the_same(content in content(), block in 1..200usize) {
        let folder = Folder::new(&[("a", &content)]);
        for format in [Format::Jsonl, Format::Lines, Format::Files] {
            let whole = scan(&folder.open("a", options(format)).unwrap()).unwrap();
            let mut cut = folder.open("a", options(format)).unwrap();
            cut.sizes.block = block;
            prop_assert_eq!(&scan(&cut).unwrap(), &whole);
            let mut streamed = stdin(&content, options(format)).unwrap();
            streamed.sizes.block = block;
            prop_assert_eq!(&scan(&streamed).unwrap(), &whole);
            for corpus in [cut, streamed] {
                let mut reader = corpus.reader();
                for seen in &whole {
                    let place = seen.place;
                    let range = place.start as usize..place.start as usize + place.bytes as usize;
                    prop_assert_eq!(reader.raw(&place).unwrap(), &content[range.clone()]);
                    prop_assert_eq!(&Seen::from(reader.read(&place).unwrap()), seen);
                    let line = content[..range.start].iter().filter(|&&b| b == b'\n').count();
                    prop_assert_eq!(place.line, line as u64 + 1);
                }
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    let files: Vec<(String, String)> = (0..30)
        .map(|f| {
            let lines = (0..f * 40).map(|i| format!("{{\"text\": \"{f} {i}\"}}\n"));
            (format!("{f:02}.jsonl"), lines.collect())
        })
        .collect();
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(n, c)| (n.as_str(), c.as_bytes()))
        .collect();
    let folder = Folder::new(&files);
    let mut corpus = folder.open("", Options::default()).unwrap();
    corpus.sizes.block = 500;
    let blocks = |corpus: &Corpus| {
        let mut blocks = Vec::new();
        let work = |(): &mut (), documents: &mut crate::Documents<'_>| {
            let mut n = 0;
            while documents.next()?.is_some() {
                n += 1;
            }
            // A work that uses the pool itself must not wait for itself.
            rayon::join(|| (), std::thread::yield_now);
            Ok::<_, Error>(n)
        };
        corpus
            .scan(
                || (),
                work,
                |block, n: usize| {
                    blocks.push((block, n));
                    Ok(())
                },
            )
            .unwrap();
        blocks
    };
    let outside = blocks(&corpus);
    assert_eq!(
        outside.iter().map(|(_, n)| n).sum::<usize>(),
        40 * 29 * 30 / 2
    );
    assert_eq!(outside.last().unwrap().0.consumed, corpus.bytes().unwrap());
    let all = scan(&corpus).unwrap();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(|| blocks(&corpus)), outside);
        assert_eq!(pool.install(|| scan(&corpus).unwrap()), all);
    }
}

#[test]
fn the_first_error_in_order_wins() {
    let lines: String = (0..2000)
        .map(|i| format!("{{\"text\": \"{i}\"}}\n"))
        .collect();
    let broken = lines.replace("\"777\"", "777").replace("\"1500\"", "{");
    let folder = Folder::new(&[("a.jsonl", broken.as_bytes())]);
    let mut corpus = folder.open("a.jsonl", Options::default()).unwrap();
    corpus.sizes.block = 100;
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let e = pool.install(|| scan(&corpus).unwrap_err());
        assert!(
            folder.message(&e).starts_with("a.jsonl:778: the text"),
            "{e}"
        );
    }
    let mut taken = 0;
    let e = corpus.scan(
        || (),
        |(), _| Ok(()),
        |_, ()| {
            taken += 1;
            if taken == 3 {
                Err(Error::NoInput)
            } else {
                Ok(())
            }
        },
    );
    assert!(matches!(e, Err(Error::NoInput)));
    assert_eq!(taken, 3);
}

#[test]
#[should_panic(expected = "work failed")]
fn a_panic_at_work_is_passed_on() {
    let corpus = stdin(b"one\ntwo\n", Options::default()).unwrap();
    let _ = corpus.scan(
        || (),
        |(), _| -> Result<(), Error> { panic!("work failed") },
        |_, ()| Ok(()),
    );
}

#[test]
fn a_record_may_be_longer_than_any_block() {
    let long = "a\\n".repeat(7 << 20);
    let content = format!("{{\"text\": \"b\"}}\n{{\"text\": \"{long}\"}}\n{{\"text\": \"c\"}}");
    let corpus = stdin(content.as_bytes(), twice()).unwrap();
    let seen = scan(&corpus).unwrap();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[1].text, "a\n".repeat(7 << 20));
    assert_eq!(seen[2].place.line, 3);
    assert_eq!(
        corpus.reader().read(&seen[1].place).unwrap().text,
        seen[1].text
    );
}

#[test]
fn what_is_empty_has_no_documents() {
    for content in ["", "\n", "\u{FEFF}", "\u{FEFF}\r\n \n\t", "\r"] {
        for format in [Format::Jsonl, Format::Lines] {
            let corpus = stdin(content.as_bytes(), options(format)).unwrap();
            assert!(texts(&corpus).is_empty(), "{content:?}");
        }
    }
    assert_eq!(texts(&stdin(b"", options(Format::Files)).unwrap()), [""]);
    let blank = stdin("\u{FEFF} \n".as_bytes(), options(Format::Files)).unwrap();
    assert_eq!(texts(&blank), [" \n"]);
}

#[test]
fn line_ends_and_marks_are_not_text() {
    let content = "\u{FEFF}one\r\n\r\n two \ntw\ro\r\r\nlast\r";
    let corpus = stdin(content.as_bytes(), options(Format::Lines)).unwrap();
    let seen = scan(&corpus).unwrap();
    let texts: Vec<&str> = seen.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["one", " two ", "tw\ro", "last"]);
    let lines: Vec<u64> = seen.iter().map(|s| s.place.line).collect();
    assert_eq!(lines, [1, 3, 4, 5]);
    assert_eq!((seen[0].place.start, seen[0].place.bytes), (3, 3));
}
