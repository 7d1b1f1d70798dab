//! Each error, with its exact message.

use super::{Folder, gzip, said, scan, stdin, twice, zstd};
use crate::{Corpus, Error, ErrorKind, FieldPath, Format, Options};

fn lines(content: &[u8]) -> String {
    content_error(content, Options::default())
}

fn content_error(content: &[u8], options: Options) -> String {
    let folder = Folder::new(&[("notes.jsonl", content)]);
    let e = scan(&folder.open("notes.jsonl", options).unwrap()).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Content);
    folder.message(&e)
}

fn with_id(path: &str) -> Options {
    Options {
        id: Some(path.parse().unwrap()),
        ..Options::default()
    }
}

#[test]
fn a_record_without_the_field() {
    assert_eq!(
        lines(b"{\"text\":\"\"}\n\n{\"id\": 1, \"body\": \"b\", \"id\": 2}\n"),
        "notes.jsonl:3: no field `text`; the record has `id`, `body`: choose one with `text_field`"
    );
    assert_eq!(
        content_error(b"{\"text\":\"\"}", with_id("key")),
        "notes.jsonl:1: no field `key`; the record has `text`: choose one with `id_field`"
    );
    assert_eq!(
        lines(b"{}"),
        "notes.jsonl:1: no field `text`; the record has no fields"
    );
}

#[test]
fn a_text_that_is_no_string() {
    for (json, found) in [
        ("17", "a number"),
        ("null", "null"),
        ("[\"a\"]", "an array"),
        ("{}", "an object"),
        ("true", "a boolean"),
    ] {
        assert_eq!(
            lines(format!("{{\"text\": {json}}}").as_bytes()),
            format!(
                "notes.jsonl:1: the text in `text` is {found}, not a string: choose another field \
                 with `text_field`"
            )
        );
    }
}

#[test]
fn an_id_that_is_neither_string_nor_integer() {
    assert_eq!(
        content_error(b"{\"text\": \"\", \"id\": 1.5}", with_id("id")),
        "notes.jsonl:1: the id in `id` is a number that is not an integer, not a string or an \
         integer: choose another field with `id_field`"
    );
    assert_eq!(
        content_error(b"{\"text\": \"\", \"id\": null}", with_id("id")),
        "notes.jsonl:1: the id in `id` is null, not a string or an integer: choose another field \
         with `id_field`"
    );
}

#[test]
fn broken_json() {
    assert_eq!(
        lines(b"{\"text\": \"a\"}\r\n{\"text\" \"a\"}\n"),
        "notes.jsonl:2:9: broken JSON: expected `:`"
    );
    assert_eq!(
        lines(b"{\"text\": \"a"),
        "notes.jsonl:1:11: broken JSON: EOF while parsing a string; JSONL has one {…} a line"
    );
    assert_eq!(
        lines(b"{\"text\": \"\\ud800\"}"),
        "notes.jsonl:1:17: broken JSON: unexpected end of hex escape"
    );
    assert_eq!(
        lines(b"{\"text\": \"a\"} {\"text\": \"b\"}\n"),
        "notes.jsonl:1:15: broken JSON: trailing characters"
    );
    assert_eq!(
        lines(b"[1]\n"),
        "notes.jsonl:1: an array instead of an object: JSONL has one {…} a line"
    );
}

#[test]
fn broken_utf8() {
    let expected = "notes.jsonl:2: not UTF-8 at byte 12 of the line: convert the file to UTF-8";
    assert_eq!(
        lines(b"{\"text\": \"a\"}\n{\"text\": \"a\xFF\"}\n"),
        expected
    );
    assert_eq!(
        lines(b"{\"text\": \"\"}\n{\"text\":\"\\n\xC3\\n\"}\n"),
        expected
    );
    let folder = Folder::new(&[("a.txt", b"one\ntwo \xFF\n")]);
    for format in [Format::Lines, Format::Files] {
        let options = Options {
            format: Some(format),
            ..Options::default()
        };
        let e = scan(&folder.open("a.txt", options).unwrap()).unwrap_err();
        assert_eq!(
            folder.message(&e),
            "a.txt:2: not UTF-8 at byte 5 of the line: convert the file to UTF-8"
        );
    }
}

#[test]
fn truncated_and_damaged_data() {
    let content: Vec<u8> = (0..200_000u32)
        .flat_map(|i| format!("{}\n", i.wrapping_mul(0x9E37_79B9)).into_bytes())
        .collect();
    for (codec, data) in [("gzip", gzip(&content)), ("zstd", zstd(&content))] {
        let folder = Folder::new(&[("a.txt", &data[..data.len() / 2])]);
        let e = scan(&folder.open("a.txt", Options::default()).unwrap()).unwrap_err();
        let message = folder.message(&e);
        let Error::Truncated { line, bytes, .. } = e else {
            panic!("{message}")
        };
        let lines = content[..bytes as usize]
            .iter()
            .filter(|&&b| b == b'\n')
            .count() as u64;
        assert_eq!(line, lines + 1);
        assert_eq!(
            message,
            format!(
                "a.txt:{line}: the {codec} data is truncated: it ends after {bytes} decompressed bytes"
            )
        );
        let damaged = [&data[..], b"what is no frame at all"].concat();
        folder.write("b.txt", &damaged);
        let e = scan(&folder.open("b.txt", Options::default()).unwrap()).unwrap_err();
        assert!(matches!(e, Error::Damaged { .. }), "{e}");
    }
}

#[test]
fn inputs_that_are_not_there() {
    let folder = Folder::new(&[("a.txt", b""), (".hidden", b""), ("empty/.hidden", b"")]);
    let message = |inputs: &[&str]| {
        let inputs: Vec<String> = inputs.iter().map(|name| folder.input(name)).collect();
        let e = Corpus::open(&inputs, Options::default()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Request);
        folder.message(&e)
    };
    assert_eq!(message(&["no.txt"]), "no.txt: no such file or folder");
    assert_eq!(
        message(&["*.gz"]),
        "*.gz: no files found (hidden files are left out)"
    );
    assert_eq!(
        message(&["empty"]),
        "empty: no files found (hidden files are left out)"
    );
    assert_eq!(
        message(&["a.txt", "*.txt"]),
        "a.txt: named twice among the inputs: name it once"
    );
    assert!(message(&["a[.txt"]).starts_with("a[.txt: not a glob pattern: "));
    let e = Corpus::open(&[], Options::default()).unwrap_err();
    assert_eq!(
        said(&e),
        "no input: name files, folders, globs, or `-` for stdin"
    );
}

#[test]
fn a_record_that_is_too_long() {
    let folder = Folder::new(&[("a.txt", b"1234567890\n12345678901\n")]);
    for block in [4, 1 << 18] {
        let mut corpus = folder.open("a.txt", Options::default()).unwrap();
        corpus.sizes.record = 10;
        corpus.sizes.block = block;
        let e = scan(&corpus).unwrap_err();
        assert_eq!(
            folder.message(&e),
            "a.txt:2: a record of more than 10 bytes: split it"
        );
    }
}

#[test]
fn a_file_that_changes() {
    let folder = Folder::new(&[("a.txt", b"one\ntwo\n")]);
    let corpus = folder.open("a.txt", twice()).unwrap();
    let seen = scan(&corpus).unwrap();
    folder.write("a.txt", b"one\n");
    let message = "a.txt: changed while it was in use: run again when nothing writes to it";
    let e = corpus.reader().read(&seen[1].place).unwrap_err();
    assert_eq!(
        (folder.message(&e).as_str(), e.kind()),
        (message, ErrorKind::Changed)
    );
    assert_eq!(folder.message(&scan(&corpus).unwrap_err()), message);
    std::fs::remove_file(folder.path("a.txt")).unwrap();
    assert_eq!(
        folder.message(&corpus.reader().raw(&seen[0].place).unwrap_err()),
        message
    );
}

#[test]
fn a_record_that_is_no_longer_one() {
    let folder = Folder::new(&[("a.jsonl", b"{\"text\": \"a\"}\n{\"text\": \"b\"}\n")]);
    let corpus = folder.open("a.jsonl", twice()).unwrap();
    let mut place = scan(&corpus).unwrap()[1].place;
    place.start += 1;
    let e = corpus.reader().read(&place).unwrap_err();
    assert!(matches!(e, Error::Changed { .. }), "{e}");
    place.file = 7;
    let e = corpus.reader().read(&place).unwrap_err();
    assert_eq!(
        e.to_string(),
        "file is `7`, but must be the number of a file of this corpus"
    );
}

#[test]
fn a_stream_is_read_once_unless_it_is_kept() {
    let corpus = stdin(b"one\n", Options::default()).unwrap();
    let place = scan(&corpus).unwrap()[0].place;
    let message = "stdin: can be read only once, and was not kept for a second pass";
    assert_eq!(said(&scan(&corpus).unwrap_err()), message);
    assert_eq!(
        corpus.reader().read(&place).unwrap_err().to_string(),
        message
    );
}

#[test]
fn a_spool_that_cannot_be() {
    let folder = Folder::new(&[]);
    let options = Options {
        spool: Some(folder.path("nowhere")),
        ..twice()
    };
    let e = scan(&stdin(b"one\n", options).unwrap()).unwrap_err();
    let message = folder.message(&e);
    assert!(
        message.starts_with("nowhere: cannot keep stdin for the second pass: "),
        "{message}"
    );
    assert_eq!(e.kind(), ErrorKind::System);
}

#[test]
fn options_that_are_none() {
    let e = "a..b".parse::<FieldPath>().unwrap_err();
    assert_eq!(
        e.to_string(),
        "field is `a..b`, but must be a name, or names joined by single dots, such as `meta.lang`"
    );
    let e = "xml".parse::<Format>().unwrap_err();
    assert_eq!(
        e.to_string(),
        "format is `xml`, but must be jsonl, json, csv, tsv, parquet, npy, packed, lines, \
         files or bytes"
    );
}

#[test]
fn what_follows_gzip_data_is_called_so() {
    let members = [gzip(b"one\n"), gzip(b"two\n")].concat();
    let options = || Options {
        format: Some(Format::Lines),
        ..Options::default()
    };
    let all = scan(&stdin(&members, options()).unwrap()).unwrap();
    assert_eq!(all.len(), 2);
    for rest in [&b"x"[..], b"some words that follow", b"\0\0\0"] {
        let data = [&members, rest].concat();
        let error = scan(&stdin(&data, options()).unwrap()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("bytes follow its end"), "{message}");
    }
    // A member that ends too early is another matter.
    let cut = &members[..members.len() - 3];
    let error = scan(&stdin(cut, options()).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Truncated { .. }), "{error}");
}

#[test]
fn a_file_that_shrinks_while_it_is_read_has_changed() {
    let record = "{\"text\": \"some words\"}\n";
    let folder = Folder::new(&[("a.jsonl", record.repeat(1000).as_bytes())]);
    for left in [0, record.len() + 5] {
        folder.write("a.jsonl", record.repeat(1000).as_bytes());
        let mut corpus = folder.open("a.jsonl", Options::default()).unwrap();
        corpus.sizes.block = 100;
        let mut is_cut = false;
        let error = corpus.scan(
            || (),
            |(), documents| {
                while documents.next()?.is_some() {}
                Ok::<_, Error>(())
            },
            |_, ()| {
                if !is_cut {
                    is_cut = true;
                    let path = folder.path("a.jsonl");
                    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
                    file.set_len(left as u64).unwrap();
                }
                Ok(())
            },
        );
        let error = error.unwrap_err();
        assert!(matches!(error, Error::Changed { .. }), "{error}");
    }
}
