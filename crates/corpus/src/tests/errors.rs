//! Each error, with its exact message.

use super::{Folder, gzip, said, scan, stdin, texts, twice, zstd};
use crate::{Corpus, Error, ErrorKind, FieldPath, Format, Limits, Options};

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
        "notes.jsonl:1:17: broken JSON: lone surrogate `\\ud800`: half of a character, which no text can hold; write `\\ufffd`"
    );
    assert_eq!(
        lines(b"{\"text\": \"a\"} {\"text\": \"b\"}\n"),
        "notes.jsonl:1:15: broken JSON: trailing characters"
    );
    assert_eq!(
        lines(b"[1]\n"),
        "notes.jsonl:1: an array instead of an object: JSONL has one object per line, with a field for the item, such as {\"text\": …}"
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
    assert!(message(&["a*{b,c.txt"]).ends_with("not a glob pattern: a `{` is not closed by `}`"));
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
        let limits = Limits {
            max_record: 10,
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let mut corpus = folder.open("a.txt", options).unwrap();
        corpus.sizes.block = block;
        let e = scan(&corpus).unwrap_err();
        assert_eq!(
            folder.message(&e),
            "a.txt:2: a record of more than 10 bytes: split it, or allow more with `max_record`"
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
        "format is `xml`, but must be jsonl, json, csv, tsv, parquet, npy, fvecs, bvecs, ivecs, packed, lines, \
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
    for rest in [&b"x"[..], b"some words that follow", b"\0\0x"] {
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

/// The limit is the default one: a file of zeros takes no room on disk.
#[test]
fn a_record_is_1_gib_long_at_most_and_not_read_to_its_end() {
    let folder = Folder::new(&[("a.txt", b"short\n")]);
    let file = std::fs::File::options()
        .append(true)
        .open(folder.path("a.txt"));
    file.unwrap().set_len(5 << 30).unwrap();
    let corpus = folder.open("a.txt", Options::default()).unwrap();
    let e = scan(&corpus).unwrap_err();
    let message = "a.txt:2: a record of more than 1073741824 bytes: ";
    assert!(folder.message(&e).starts_with(message), "{e}");
    for (limits, message) in [
        (
            Limits {
                max_record: 1 << 32,
                ..Limits::default()
            },
            "max_record is `4294967296`, but must be 1 to 4294967295 bytes",
        ),
        (
            Limits {
                max_window: 5,
                ..Limits::default()
            },
            "max_window is `5`, but must be 1024 to 2147483648 bytes",
        ),
    ] {
        let options = Options {
            limits,
            ..Options::default()
        };
        let e = folder.open("a.txt", options).unwrap_err();
        assert_eq!(
            (e.to_string().as_str(), e.kind()),
            (message, ErrorKind::Request)
        );
    }
}

#[test]
fn what_is_not_documents_is_named_with_what_to_do() {
    let unpack = "which cannot be read: unpack it, or pack it again with gzip or zstd";
    let extract = "which cannot be read: extract the files in it, and name them";
    let index = "which cannot be read: name the files that it was made from, or query it";
    let mut tar = vec![0; 600];
    tar[257..262].copy_from_slice(b"ustar");
    let packed = gzip(&tar);
    for (content, what, advice) in [
        (&b"BZh91AY&SY\x00\x01"[..], "bzip2 data", unpack),
        (b"\xFD7zXZ\x00\x00\x04", "xz data", unpack),
        (b"\x04\x22\x4D\x18\x64\x40", "lz4 data", unpack),
        (b"PK\x03\x04\x14\x00", "a zip archive", extract),
        (b"7z\xBC\xAF\x27\x1C\x00", "a 7z archive", extract),
        (b"LKTEXTS\n\x01", "an index of Lookalike", index),
        (b"LKALIKE\n\x01", "an index of Lookalike", index),
        (&packed, "a tar archive", extract),
    ] {
        let folder = Folder::new(&[("a", content), ("a.jsonl", content)]);
        let e = folder.open("a", Options::default()).unwrap_err();
        assert_eq!(folder.message(&e), format!("a: {what}, {advice}"));
        assert_eq!(e.kind(), ErrorKind::Content);
        if what != "a tar archive" {
            let e = folder.open("a.jsonl", Options::default()).unwrap_err();
            assert!(matches!(e, Error::Foreign { .. }), "{e}");
        }
        // Bytes are bytes.
        let options = Options {
            format: Some(Format::Bytes),
            ..Options::default()
        };
        assert!(folder.open("a", options).is_ok());
    }
    // Words that start as a mark does are words.
    let folder = Folder::new(&[("a.txt", b"BZhang wrote\nPK wrote\n")]);
    assert_eq!(
        texts(&folder.open("a.txt", Options::default()).unwrap()).len(),
        2
    );
}

#[test]
fn urls_are_not_files() {
    for url in [
        "s3://bucket/a.jsonl",
        "hf://datasets/a/*.parquet",
        "https://example.org/a.jsonl",
    ] {
        let e = Corpus::open(&[url.to_owned()], Options::default()).unwrap_err();
        let message =
            "a URL; only files on this machine can be read: download it first, and name the file";
        assert_eq!(said(&e), format!("{url}: {message}"));
        assert_eq!(e.kind(), ErrorKind::Request);
    }
}

/// A frame whose head asks for a window, with these bytes as they are.
fn with_window(exponent: u8, content: &[u8]) -> Vec<u8> {
    let block = ((content.len() as u32) << 3 | 1).to_le_bytes();
    let head = [0x28, 0xB5, 0x2F, 0xFD, 0, (exponent - 10) << 3];
    [&head, &block[..3], content].concat()
}

#[test]
fn large_windows_of_zstd_are_read_up_to_a_limit_that_can_be_raised() {
    let [usual, largest] = [30, 31].map(|exponent| with_window(exponent, b"one\ntwo\n"));
    let folder = Folder::new(&[("a.zst", &usual), ("b.zst", &largest)]);
    assert_eq!(
        texts(&folder.open("a.zst", Options::default()).unwrap()),
        ["one", "two"]
    );
    let options = Options {
        format: Some(Format::Lines),
        ..Options::default()
    };
    let e = scan(&folder.open("b.zst", options.clone()).unwrap()).unwrap_err();
    let message = "b.zst: the zstd data needs a window of more than 1073741824 bytes in memory: unpack it first, or allow \
                   more with `max_window`";
    assert_eq!(folder.message(&e), message);
    let limits = Limits {
        max_window: 1 << 31,
        ..Limits::default()
    };
    let options = Options { limits, ..options };
    assert_eq!(
        texts(&folder.open("b.zst", options).unwrap()),
        ["one", "two"]
    );
}

#[test]
fn zeros_after_gzip_data_are_ignored_and_other_bytes_are_not() {
    let packed = gzip(b"one\n");
    let zeros = vec![0; 100_000];
    for content in [
        [&packed[..], &zeros].concat(),
        [&packed[..], &zeros[..7], &packed, &zeros].concat(),
    ] {
        let folder = Folder::new(&[("a.txt.gz", &content)]);
        let texts = texts(&folder.open("a.txt.gz", Options::default()).unwrap());
        assert!(
            texts.iter().all(|text| text == "one") && !texts.is_empty(),
            "{texts:?}"
        );
    }
    let folder = Folder::new(&[("a.txt.gz", &[&packed[..], &zeros[..9], b"x"].concat())]);
    let e = scan(&folder.open("a.txt.gz", Options::default()).unwrap()).unwrap_err();
    assert!(e.to_string().contains("bytes follow its end"), "{e}");
}

#[test]
fn faults_that_other_programs_write_into_json_are_named() {
    let message = |line: &str| {
        let folder = Folder::new(&[("a.jsonl", line.as_bytes())]);
        let corpus = folder.open("a.jsonl", Options::default()).unwrap();
        folder.message(&scan(&corpus).unwrap_err())
    };
    for value in ["NaN", "Infinity", "-Infinity", "[0, NaN]"] {
        let word = value.trim_matches(['[', ']', '0', ',', ' ']);
        let said = message(&format!(r#"{{"text": "a", "n": {value}}}"#));
        let expected = format!("{word} is not a value of JSON; write null or a number");
        assert!(said.ends_with(&expected), "{said}");
        assert!(said.starts_with("a.jsonl:1:2"), "{said}");
    }
    for escape in ["\\ud800", "\\uDC00", "\\ud83d\\u0041", "x\\ud83dy"] {
        let said = message(&format!(r#"{{"text": "a {escape} b"}}"#));
        let word = &escape[escape.find('\\').unwrap()..][..6];
        let expected = format!("lone surrogate `{word}`: half of a character");
        assert!(said.contains(&expected), "{said}");
    }
    let said = message(r#"{"text": "\\ud83d\\ude00", "n": nul}"#);
    assert!(
        !said.contains("surrogate") && !said.contains("null or"),
        "{said}"
    );
}
