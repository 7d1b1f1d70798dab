//! Inputs that cannot be read: a message with file and line, exit code 1, and nothing written.

use super::compressed::{gzip, zstd};
use super::scene::Scene;
use super::texts::{five, passage, records};

/// The message for an input whose third line is this, after a blank one; the same on one thread and on many.
fn third_line(line: &[u8]) -> String {
    let bytes = [
        b"{\"id\": 1, \"text\": \"a b\"}\n\n",
        line,
        b"\n{\"text\": \"c\"}\n",
    ]
    .concat();
    let scene = Scene::with("in.jsonl", bytes);
    let error = scene.fails(1, "in.jsonl --quiet --threads 1");
    assert_eq!(scene.fails(1, "in.jsonl --quiet --threads 7"), error);
    error
}

#[test]
fn a_line_that_is_no_document_is_named_with_what_is_wrong() {
    let cases: [(&[u8], &str); 15] = [
        (
            b"{\"txt\": \"a\", \"n\": 1}",
            "in.jsonl:3: no field `text`; the record has `txt`, `n`: choose one with --text-field",
        ),
        (
            b"{}",
            "in.jsonl:3: no field `text`; the record has no fields",
        ),
        (
            b"{\"text\": 5}",
            "in.jsonl:3: the text in `text` is a number, not a string",
        ),
        (
            b"{\"text\": null}",
            "in.jsonl:3: the text in `text` is null, not a string",
        ),
        (
            b"{\"text\": [\"a\"]}",
            "in.jsonl:3: the text in `text` is an array, not a string",
        ),
        (
            b"{\"text\": \"a\"",
            "in.jsonl:3:12: broken JSON: EOF while parsing an object",
        ),
        (
            b"{\"text\": \"a\"} {}",
            "in.jsonl:3:15: broken JSON: trailing characters",
        ),
        (
            b"{\"text\": \"a\", \"n\": 01}",
            "in.jsonl:3:21: broken JSON: invalid number",
        ),
        (b"{\"text\": \"\\ud800\"}", "in.jsonl:3:17: broken JSON"),
        (
            b"{\"text\": \"a\tb\"}",
            "in.jsonl:3:11: broken JSON: control character",
        ),
        (b"[\"a\"]", "in.jsonl:3: an array instead of an object"),
        (b"plain", "in.jsonl:3:1: broken JSON: expected value"),
        (
            b"{\"text\": \"a\xFF\"}",
            "in.jsonl:3: not UTF-8 at byte 12 of the line",
        ),
        (
            b"{\"text\": \"a\", \"\xC3\": 1}",
            "in.jsonl:3: not UTF-8 at byte 16 of the line",
        ),
        (
            b"{\"id\": 1, \"text\": \"z\"}",
            "in.jsonl:3: the id 1 is that of in.jsonl:1 too: ids must be unique",
        ),
    ];
    for (line, expected) in cases {
        let error = third_line(line);
        assert!(error.starts_with(&format!("error: {expected}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// More than a block of what is read at a time, so that the fault is in a later one.
#[test]
fn the_line_is_right_in_a_large_file_too() {
    let good = "{\"text\": \"some words\"}\n\n".repeat(20_000);
    let scene = Scene::with(
        "in.jsonl",
        format!("{good}{{\"text\": 1}}\n{good}{{\"text\": 2}}\n"),
    );
    for threads in [1, 2, 7] {
        let error = scene.fails(1, &format!("in.jsonl --quiet --threads {threads}"));
        assert!(error.starts_with("error: in.jsonl:40001: "), "{error}");
    }
}

#[test]
fn an_id_that_is_asked_for_must_be_there() {
    let scene = Scene::with(
        "in.jsonl",
        "{\"key\": 1, \"text\": \"a\"}\n{\"text\": \"b\"}\n",
    );
    let error = scene.fails(1, "in.jsonl --id-field key");
    assert!(
        error.contains("in.jsonl:2: no field `key`; the record has `text`"),
        "{error}"
    );
    scene.write("in.jsonl", "{\"key\": 1.5, \"text\": \"a\"}\n");
    let error = scene.fails(1, "in.jsonl --id-field key");
    assert!(
        error.contains("in.jsonl:1: the id in `key` is a number that is not an integer"),
        "{error}"
    );
}

#[test]
fn ids_are_unique_in_all_files_together_however_they_are_escaped() {
    let scene = Scene::with("data/a.jsonl", records([("x", passage("a", &[]))]));
    scene.write(
        "data/b.jsonl",
        "{\"text\": \"b\"}\n{\"text\": \"c\", \"id\": \"\\u0078\"}\n",
    );
    let error = scene.fails(1, "data");
    assert!(
        error.contains("data/b.jsonl:2: the id \"x\" is that of data/a.jsonl:1 too"),
        "{error}"
    );
}

#[test]
fn text_that_is_not_utf_8_is_named_with_line_and_byte() {
    let scene = Scene::with("in.txt", b"one\n\ntw\xFFo\n");
    for format in ["lines", "files"] {
        let error = scene.fails(1, &format!("in.txt --format {format}"));
        assert!(
            error.contains("in.txt:3: not UTF-8 at byte 3 of the line"),
            "{error}"
        );
    }
}

#[test]
fn truncated_data_is_never_taken_for_whole() {
    let text = five().into_bytes();
    for (name, whole, codec) in [
        ("in.jsonl.gz", gzip(&text), "gzip"),
        ("in.jsonl.zst", zstd(&text), "zstd"),
    ] {
        // In the header, in the data at the end of a line and elsewhere, before the last byte.
        let after_a_line = 15 + text.iter().position(|&b| b == b'\n').unwrap() + 1;
        for len in [4, 12, 100, after_a_line, whole.len() - 4, whole.len() - 1] {
            let scene = Scene::with(name, &whole[..len]);
            let error = scene.fails(1, &format!("{name} --quiet"));
            let (place, says) = error.split_once(": the ").unwrap();
            assert!(
                place.starts_with(&format!("error: {name}:")),
                "{len} bytes: {error}"
            );
            assert!(
                says.starts_with(&format!("{codec} data is truncated")),
                "{error}"
            );
        }
        let scene = Scene::with(name, &whole);
        scene.dedup(&format!("{name} --out out"));
    }
}

#[test]
fn damaged_data_is_named() {
    let mut damaged = gzip(five().as_bytes());
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let scene = Scene::with("in.jsonl.gz", damaged);
    let error = scene.fails(1, "in.jsonl.gz");
    assert!(
        error.contains("in.jsonl.gz: the gzip data is damaged"),
        "{error}"
    );
}

#[test]
fn a_fault_in_a_pipe_names_stdin() {
    let scene = Scene::new();
    let said = scene.run_with("- --out out --quiet", "{\"text\": \"a\"}\n{\"text\": }\n");
    assert_eq!(said.code, 1);
    assert!(
        said.error.starts_with("error: stdin:2:10: broken JSON"),
        "{}",
        said.error
    );
    assert!(scene.names().is_empty(), "{:?}", scene.names());
}

#[test]
fn inputs_that_are_not_there_are_named() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("empty/.hidden", "");
    for (inputs, expected) in [
        ("nowhere.jsonl", "nowhere.jsonl: no such file or folder"),
        ("in.jsonl nowhere/x", "nowhere/x: no such file or folder"),
        ("*.csv", "*.csv: no files found"),
        ("empty", "empty: no files found"),
        ("in.jsonl ./in.jsonl", "./in.jsonl: named twice"),
        ("in.jsonl *.jsonl", "in.jsonl: named twice"),
        ("- -", "stdin: named twice"),
        ("in.jsonl/x", "in.jsonl/x: "),
    ] {
        let error = scene.fails(1, inputs);
        assert!(error.starts_with(&format!("error: {expected}")), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_message_says_a_thing_once() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out in.jsonl/x");
    assert_eq!(said.error.matches("os error").count(), 1, "{}", said.error);
}

#[test]
fn a_record_that_is_too_long_is_named_with_its_line() {
    let scene = Scene::with("in.txt", format!("short\n{}\n", "long ".repeat(300)));
    let error = scene.fails(1, "in.txt --quiet --max-record 1KiB");
    assert_eq!(
        error,
        "error: in.txt:2: a record of more than 1024 bytes: split it, or allow more with --max-record\n"
    );
    scene.dedup("in.txt --out out --max-record 2k");
    assert!(scene.read("out/run.toml").contains("max_record = 2048"));
    let error = scene.fails(2, "in.txt --max-record 5GiB");
    assert!(error.contains("from 1 to 4294967295"), "{error}");
}

#[cfg(unix)]
#[test]
fn threads_that_do_not_fit_are_refused_with_what_to_do() {
    let scene = Scene::with("in.jsonl", five());
    let run = || {
        scene.run_after(
            "ulimit -v 800000",
            "in.jsonl --out out --quiet --threads 1024",
        )
    };
    // Now and then the C library or Rust's runtime has no memory for a thread that was started, and ends the process.
    let was_ended = -1;
    let mut said = run();
    for _ in 0..4 {
        if said.code == was_ended {
            said = run();
        }
    }
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.error.starts_with("error: cannot start 1024 threads: "),
        "{said:?}"
    );
    assert!(
        said.error.ends_with("use fewer with --threads\n"),
        "{said:?}"
    );
    assert_eq!(scene.names().len(), 1);
}

/// A name can hold what a terminal obeys, and bytes that are not Unicode.
#[cfg(unix)]
#[test]
fn names_of_files_are_escaped_in_messages_and_ids() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let scene = Scene::new();
    let name = |bytes: &[u8]| scene.path("").join(OsStr::from_bytes(bytes));
    std::fs::write(name(b"\x1b[31mred.jsonl"), "{}\n").unwrap();
    let said = scene.run("*.jsonl --out out --quiet");
    assert_eq!(said.code, 1);
    let message = "error: \\u{1b}[31mred.jsonl:1: no field `text`";
    assert!(said.error.starts_with(message), "{}", said.error);
    for bytes in [&b"\x1b[31mred.jsonl"[..], b"\xff.jsonl", b"\xfe.jsonl"] {
        std::fs::write(name(bytes), "{\"text\": \"the same words\"}\n").unwrap();
    }
    scene.dedup("*.jsonl --out out --allow-mass-removal");
    let clusters = scene.clusters("out");
    let ids: Vec<&String> = clusters
        .values()
        .flat_map(|members| members.keys())
        .collect();
    assert_eq!(ids, [r#""\\xfe.jsonl:1""#, r#""\\xff.jsonl:1""#]);
    let out = "\u{1b}[31mout";
    std::fs::write(scene.path(out), "").unwrap();
    let said = scene.lookalike(["dedup", "nowhere\u{7}", "--out", "x"], "");
    assert!(
        said.error.starts_with("error: nowhere\\u{7}: no such file"),
        "{}",
        said.error
    );
    let said = scene.lookalike(["dedup", "*.jsonl", "--out", out, "--quiet"], "");
    assert!(
        said.error
            .starts_with("error: \\u{1b}[31mout: exists already"),
        "{}",
        said.error
    );
    let said = scene.lookalike(["run", "nowhere\u{1b}[2J.toml"], "");
    assert!(
        !said.error.contains('\u{1b}') && said.error.contains("u{1b}[2J"),
        "{}",
        said.error
    );
}
