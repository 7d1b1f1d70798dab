//! Files, folders, globs; formats by name and content.

use super::{Folder, gzip, scan, stdin, texts, twice, zstd};
use crate::{Corpus, Format, Options};

fn names(corpus: &Corpus) -> Vec<String> {
    let names = corpus
        .files()
        .iter()
        .map(|f| f.mirror().display().to_string());
    names.collect()
}

#[test]
fn folders_and_globs_are_sorted_and_leave_hidden_files_out() {
    let folder = Folder::new(&[
        ("b.txt", b"b\n"),
        ("a/z.txt", b"z\n"),
        ("a/.x.txt", b"x\n"),
        (".a/x.txt", b"x\n"),
        ("a.txt", b"a\n"),
    ]);
    let corpus = folder.open("", Options::default()).unwrap();
    assert_eq!(names(&corpus), ["a/z.txt", "a.txt", "b.txt"]);
    assert_eq!(texts(&corpus), ["z", "a", "b"]);
    assert_eq!(corpus.bytes(), Some(6));
    assert_eq!(
        texts(&folder.open("*.txt", Options::default()).unwrap()),
        ["a", "b"]
    );
    assert_eq!(
        texts(&folder.open("**/*.txt", Options::default()).unwrap()),
        ["z", "a", "b"]
    );
    let inputs = [folder.input("b.txt"), folder.input("a")];
    assert_eq!(
        texts(&Corpus::open(&inputs, Options::default()).unwrap()),
        ["b", "z"]
    );
}

#[test]
fn a_file_named_like_a_pattern_is_that_file() {
    let folder = Folder::new(&[("[a].txt", b"brackets\n"), ("a.txt", b"a\n")]);
    assert_eq!(
        texts(&folder.open("[a].txt", Options::default()).unwrap()),
        ["brackets"]
    );
    assert_eq!(
        texts(&folder.open("[a].tx?", Options::default()).unwrap()),
        ["a"]
    );
}

#[test]
fn the_format_is_by_name_then_by_content() {
    let record: &[u8] = b"\xEF\xBB\xBF \n{\"text\": \"t\"}\n";
    let gz = gzip(record);
    let files: [(&str, &[u8], Format); 8] = [
        ("a.ndjson", record, Format::Jsonl),
        ("a.JSON.gz", record, Format::Jsonl),
        ("a.txt", b"{}", Format::Lines),
        ("a", record, Format::Jsonl),
        ("b", &gz, Format::Jsonl),
        ("c.zst", &gz, Format::Jsonl),
        ("d.md", b"# {\n", Format::Lines),
        ("e", b"", Format::Lines),
    ];
    for (name, content, format) in files {
        let folder = Folder::new(&[(name, content)]);
        let corpus = folder.open(name, Options::default()).unwrap();
        assert_eq!(corpus.files()[0].format(), format, "{name}");
        if format == Format::Jsonl {
            assert_eq!(texts(&corpus), ["t"], "{name}");
        }
    }
    let corpus = stdin(&zstd(record), Options::default()).unwrap();
    assert_eq!((corpus.files()[0].name(), corpus.bytes()), ("stdin", None));
    assert_eq!(names(&corpus), ["stdin.jsonl"]);
    assert_eq!(texts(&corpus), ["t"]);
    assert_eq!(
        names(&stdin(b"", Options::default()).unwrap()),
        ["stdin.txt"]
    );
}

#[test]
fn a_large_head_without_a_byte_of_content_is_lines() {
    let mut content = vec![b'\n'; 1 << 20];
    content.extend_from_slice(b"{");
    for content in [gzip(&content), content] {
        assert_eq!(texts(&stdin(&content, Options::default()).unwrap()), ["{"]);
    }
}

#[test]
fn compressed_and_plain_are_the_same() {
    let lines: String = (0..40_000)
        .map(|i| format!("{{\"text\": \"line\\n{i}\"}}\n"))
        .collect();
    let lines = lines.as_bytes();
    let folder = Folder::new(&[("a.jsonl", lines)]);
    let expected = scan(&folder.open("a.jsonl", twice()).unwrap()).unwrap();
    assert_eq!(expected.len(), 40_000);
    let halves = lines.split_at(lines.len() / 3);
    let joined = |pack: fn(&[u8]) -> Vec<u8>| [pack(halves.0), pack(halves.1)].concat();
    for content in [
        gzip(lines),
        zstd(lines),
        joined(gzip),
        joined(zstd),
        lines.to_vec(),
    ] {
        folder.write("b.jsonl", &content);
        for corpus in [
            folder.open("b.jsonl", twice()).unwrap(),
            stdin(&content, twice()).unwrap(),
        ] {
            assert_eq!(scan(&corpus).unwrap(), expected);
            let mut reader = corpus.reader();
            for seen in expected.iter().step_by(977).rev() {
                assert_eq!(reader.read(&seen.place).unwrap().text, seen.text);
            }
            assert_eq!(scan(&corpus).unwrap(), expected, "a second scan");
        }
    }
}

#[test]
fn formats_are_written_as_they_are_read() {
    for format in [Format::Jsonl, Format::Lines, Format::Files] {
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        assert_eq!(
            serde_json::to_string(&format).unwrap(),
            format!("\"{format}\"")
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_once_and_kept() {
    let folder = Folder::new(&[]);
    let path = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let corpus = std::thread::scope(|scope| {
        scope.spawn(|| std::fs::write(&path, "one\ntwo\n").unwrap());
        let corpus = folder.open("pipe", twice()).unwrap();
        assert_eq!(texts(&corpus), ["one", "two"]);
        corpus
    });
    assert_eq!(corpus.bytes(), None);
    assert_eq!(texts(&corpus), ["one", "two"]);
}
