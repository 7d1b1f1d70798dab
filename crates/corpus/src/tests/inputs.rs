//! Files, folders, globs; formats by name and content.

use super::{Folder, gzip, scan, stdin, texts, twice, zstd};
use crate::{Corpus, Format, Options};
use lookalike_core::plugin::PlainFile;

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
    assert_eq!(texts(&corpus), ["z\n", "a\n", "b\n"]);
    assert_eq!(corpus.bytes(), Some(6));
    assert_eq!(corpus.ignored(), [folder.path("a/.x.txt")]);
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
        ["b", "z\n"]
    );
}

#[test]
fn a_text_file_of_a_folder_is_one_document_and_a_named_one_is_lines() {
    let folder = Folder::new(&[("d/a.txt", b"one\ntwo\n"), ("d/b.md", b"three\n")]);
    let read = |name: &str, options| texts(&folder.open(name, options).unwrap());
    let whole = ["one\ntwo\n", "three\n"];
    assert_eq!(read("d", Options::default()), whole);
    assert_eq!(read("d/a.txt", Options::default()), ["one", "two"]);
    assert_eq!(read("d/*", Options::default()), ["one", "two", "three"]);
    let format = |format| Options {
        format: Some(format),
        ..Options::default()
    };
    assert_eq!(read("d", format(Format::Lines)), ["one", "two", "three"]);
    assert_eq!(read("d/*", format(Format::Files)), whole);
    let lines = Options {
        plain: PlainFile::Lines,
        ..Options::default()
    };
    assert_eq!(read("d", lines), ["one", "two", "three"]);
}

/// Names of files and of ignored files of a folder.
fn chosen(files: &[(&str, &[u8])], options: Options) -> (Vec<String>, Vec<String>) {
    let folder = Folder::new(files);
    let corpus = folder.open("", options).unwrap();
    let below = |path: &std::path::Path| {
        let below = path.strip_prefix(folder.path("")).unwrap();
        below.display().to_string()
    };
    let read = corpus.files().iter().map(|f| below(f.name().as_ref()));
    let ignored = corpus.ignored().iter().map(|path| below(path));
    (read.collect(), ignored.collect())
}

#[test]
fn a_folder_gives_the_files_of_one_format() {
    let record: &[u8] = b"{\"text\": \"one two\"}\n";
    let archive = gzip(b"a\0b\0c");
    let long = b"# Data\n".repeat(99);
    let of = |files: &[(&str, &[u8])]| chosen(files, Options::default());
    // Documentation, archives and hidden files next to data.
    assert_eq!(
        of(&[
            ("a.jsonl", record),
            ("sub/b.jsonl.gz", &gzip(record)),
            ("README.md", &long),
            ("LICENSE", &long),
            ("raw.tar.gz", &archive),
            (".gitattributes", b"x"),
            ("codes.npy", &long),
        ]),
        (
            vec!["a.jsonl".into(), "sub/b.jsonl.gz".into()],
            [
                ".gitattributes",
                "LICENSE",
                "README.md",
                "codes.npy",
                "raw.tar.gz"
            ]
            .map(String::from)
            .to_vec()
        )
    );
    // Sources next to settings: one object over many lines is not data.
    let settings = b"{\n  \"name\": \"x\"\n}\n".repeat(99);
    let source: &[u8] = b"fn main() {}\n";
    let (read, ignored) = of(&[("package.json", &settings), ("main.rs", source)]);
    assert_eq!((read.len(), ignored.len()), (1, 1), "{read:?} {ignored:?}");
    assert_eq!(read, ["main.rs"]);
    // Of two data formats the one with more bytes, whichever comes first.
    let (read, _) = of(&[("a.csv", b"text\na\n"), ("b.jsonl", record)]);
    assert_eq!(read, ["b.jsonl"]);
    // If there is nothing else, documentation is what is meant.
    let (read, _) = of(&[("README.md", b"a"), ("more.md", b"b")]);
    assert_eq!(read, ["README.md", "more.md"]);
}

#[test]
fn patterns_choose_among_the_files_of_a_folder() {
    let files: [(&str, &[u8]); 4] = [
        ("a.txt", b"a"),
        ("b.md", b"b"),
        ("sub/c.txt", b"c"),
        ("sub/d.csv", b"text\nd\n"),
    ];
    let read = |include: &[&str], exclude: &[&str]| {
        let strings = |patterns: &[&str]| patterns.iter().map(|p| String::from(*p)).collect();
        let options = Options {
            include: strings(include),
            exclude: strings(exclude),
            ..Options::default()
        };
        chosen(&files, options).0
    };
    assert_eq!(read(&["*.txt"], &[]), ["a.txt", "sub/c.txt"]);
    assert_eq!(read(&["sub/*"], &[]), ["sub/c.txt", "sub/d.csv"]);
    assert_eq!(read(&["*.{md,csv}"], &[]), ["b.md", "sub/d.csv"]);
    assert_eq!(read(&[], &["sub/**"]), ["a.txt", "b.md"]);
    assert_eq!(read(&["*.txt"], &["a*"]), ["sub/c.txt"]);
    let folder = Folder::new(&files);
    let wrong = |name: &str, pattern: &str| {
        let options = Options {
            exclude: vec![pattern.into()],
            ..Options::default()
        };
        folder.message(&folder.open(name, options).unwrap_err())
    };
    assert!(wrong("", "*").ends_with(": none of its 4 files matches the patterns"));
    assert!(wrong("", "[a").starts_with("[a: not a glob pattern: "));
    assert_eq!(
        wrong("a.txt", "b*"),
        "exclude is `b*`, but must be used with a folder: files that are named are always read"
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

#[test]
fn globs_have_braces_ranges_and_folders() {
    let names = [
        "a.txt",
        "b.txt",
        "c.csv",
        "x/a.txt",
        "x/y/b.txt",
        ".h/a.txt",
        "x/.h.txt",
        "!a.txt",
    ];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"1\n"[..])).collect();
    let folder = Folder::new(&files);
    let found = |pattern: &str| -> Vec<String> {
        let corpus = folder.open(pattern, Options::default()).unwrap();
        let root = folder.path("");
        let name = |file: &crate::File| {
            let path = file.path().unwrap().strip_prefix(&root).unwrap();
            path.display().to_string()
        };
        corpus.files().iter().map(name).collect()
    };
    assert_eq!(found("{a,b}.txt"), ["a.txt", "b.txt"]);
    assert_eq!(found("*.{csv,txt}"), ["!a.txt", "a.txt", "b.txt", "c.csv"]);
    assert_eq!(found("[a-c].*"), ["a.txt", "b.txt", "c.csv"]);
    assert_eq!(found("!*.txt"), ["!a.txt"]);
    assert_eq!(found("x/*"), ["x/a.txt"]);
    assert_eq!(found("x/**"), ["x/a.txt", "x/y/b.txt"]);
    assert_eq!(found("**/b.txt"), ["b.txt", "x/y/b.txt"]);
    assert_eq!(found("{x,x/y}/?.txt"), ["x/a.txt", "x/y/b.txt"]);
    assert_eq!(found("x/.*"), ["x/.h.txt"]);
    assert_eq!(found(".h/*"), [".h/a.txt"]);
    assert_eq!(found("*/*/b.txt"), ["x/y/b.txt"]);
}

/// The names of files are bytes, and messages and ids need text that a terminal does not obey.
#[cfg(unix)]
#[test]
fn names_that_are_not_unicode_or_would_be_obeyed_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[("plain.txt", b"plain\n")]);
    for name in [&b"\xFF.txt"[..], b"\xFE.txt", b"\x1b[31m\n.txt"] {
        std::fs::write(folder.path("").join(OsStr::from_bytes(name)), "text\n").unwrap();
    }
    for input in ["*.txt", ""] {
        let corpus = folder.open(input, Options::default()).unwrap();
        let name = |file: &crate::File| file.name().rsplit('/').next().unwrap().to_owned();
        let names: Vec<String> = corpus.files().iter().map(name).collect();
        assert_eq!(
            names,
            [
                r"\u{1b}[31m\u{a}.txt",
                "plain.txt",
                r"\xfe.txt",
                r"\xff.txt"
            ]
        );
        assert_eq!(texts(&corpus).len(), 4);
    }
    let missing = folder.open("\u{1b}2J", Options::default()).unwrap_err();
    assert!(
        missing
            .to_string()
            .ends_with(r"/\u{1b}2J: no such file or folder"),
        "{missing}"
    );
}

#[test]
fn inputs_are_seen_from_a_folder_and_named_as_they_are_given() {
    let folder = Folder::new(&[("a/x.txt", b"x\n"), ("a/b/y.txt", b"y\n")]);
    let options = || Options {
        folder: Some(folder.path("a")),
        ..twice()
    };
    for (input, names) in [
        ("x.txt", &["x.txt"][..]),
        ("b", &["b/y.txt"]),
        ("*/*.txt", &["b/y.txt"]),
        ("*.txt", &["x.txt"]),
        (".", &["./b/y.txt", "./x.txt"]),
    ] {
        let corpus = Corpus::open(&[input.to_owned()], options()).unwrap();
        let found: Vec<&str> = corpus.files().iter().map(crate::File::name).collect();
        assert_eq!(found, names, "{input}");
        assert_eq!(texts(&corpus).len(), names.len());
    }
    let missing = Corpus::open(&["z.txt".to_owned()], options()).unwrap_err();
    assert_eq!(missing.to_string(), "z.txt: no such file or folder");
}

/// With whole files, everything in a folder is a record, as it is.
#[test]
fn files_of_any_bytes_are_records() {
    use lookalike_core::plugin::Value;
    let packed = gzip(b"packed");
    let folder = Folder::new(&[
        ("a.csv", b"x,y\n1,2\n"),
        ("b.jsonl", b"{}\n"),
        ("c.gz", &packed),
        ("d", b"\x00\xff"),
        ("README.md", b"read me"),
        ("empty", b""),
    ]);
    let options = || Options {
        plain: PlainFile::Bytes,
        values: true,
        ..Options::default()
    };
    let records = |corpus: &Corpus| {
        let mut found: Vec<Vec<u8>> = Vec::new();
        let take = |(): &mut (), records: &mut crate::Documents<'_>| {
            let mut part = Vec::new();
            while let Some(record) = records.next_value()? {
                match record.value {
                    Value::Bytes(bytes) => part.push(bytes.to_vec()),
                    Value::Text(text) => part.push(text.as_bytes().to_vec()),
                    other => panic!("{other:?}"),
                }
            }
            Ok::<_, crate::Error>(part)
        };
        let scanned = corpus.scan(
            || (),
            take,
            |_, part| {
                found.extend(part);
                Ok(())
            },
        );
        scanned.unwrap();
        found
    };
    let corpus = folder.open("", options()).unwrap();
    let expected: [&[u8]; 6] = [
        b"read me",
        b"x,y\n1,2\n",
        b"{}\n",
        &packed,
        b"\x00\xff",
        b"",
    ];
    assert_eq!(records(&corpus), expected);
    assert!(corpus.ignored().is_empty());
    // A file that is named is one record, unless its name says that it holds records.
    assert_eq!(
        records(&folder.open("d", options()).unwrap()),
        [b"\x00\xff"]
    );
    assert_eq!(
        records(&folder.open("c.gz", options()).unwrap()),
        [&packed[..]]
    );
    let lines = Folder::new(&[("list.txt", b"one\ntwo\n")]);
    assert_eq!(
        records(&lines.open("list.txt", options()).unwrap()),
        [b"one", b"two"]
    );
}
