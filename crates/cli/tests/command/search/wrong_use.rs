//! Options that make no sense: what was given, and what would do.

use super::scene::Scene;

#[test]
fn wrong_options_are_wrong_use() {
    let scene = Scene::with_index();
    for (args, given, would_do) in [
        ("query", "<ITEMS>", "--text TEXT"),
        ("query in.idx", "nothing to look for", "--text TEXT"),
        (
            "query in.idx page.txt --text word",
            "--text",
            "cannot be used with",
        ),
        ("query in.idx --text word -k 0", "'0' for '--top", "1..="),
        (
            "query in.idx --text word --jaccard 80",
            "'80' for '--jaccard",
            "--jaccard 0.8",
        ),
        (
            "query in.idx --text word --hamming 8",
            "in.idx is an index of items of the kind text",
            "use --jaccard",
        ),
        (
            "query in.idx --text word --recall 0.5",
            "--recall is for items without an index",
            "index stats",
        ),
        (
            "query in.idx --text word --limit 0",
            "'0' for '--limit",
            "1..",
        ),
        ("query in.idx --text word --texts", "--json", "not provided"),
        (
            "query in.idx --text word --shingle words:3",
            "--shingle is for items without an index",
            "index stats",
        ),
        (
            "query in.idx --text word --format lines",
            "--format is for items without an index",
            "--queries",
        ),
        (
            "query in.jsonl --text word --shingle chars:3 --tokens words",
            "--tokens",
            "takes characters",
        ),
        (
            "query in.jsonl --text word --queries docx",
            "'docx' for '--queries",
            "jsonl, json, csv, tsv, parquet, npy, fvecs, bvecs, ivecs, packed, lines, files, bytes",
        ),
        ("query in.idx --txt word", "'--txt'", "'--text'"),
        ("index", "", "build"),
        ("index biuld", "'biuld'", "'build'"),
        ("index build in.jsonl", "--out <FILE>", "index build"),
        ("index build --out new.idx", "<INPUT>", "index build"),
        (
            "index build in.jsonl --out new.idx --threshold 0.5",
            "--threshold",
            "is now --jaccard 0.5",
        ),
        (
            "index build in.jsonl --out new.idx --recall 1",
            "'1' for '--recall",
            "--exact",
        ),
        (
            "index build in.jsonl --out new.idx --bands 3",
            "--rows",
            "not provided",
        ),
        (
            "index build in.jsonl --out new.idx --bands 3 --rows 3 --recall 0.9",
            "--bands",
            "cannot be used with '--recall",
        ),
        (
            "index build in.jsonl --out new.idx --bands 65536 --rows 60000",
            "3932160000 functions",
            "at most 65536",
        ),
        (
            "index build in.jsonl --out new.idx --quiet --json",
            "--json",
            "cannot be used with",
        ),
        ("index add in.idx", "<INPUT>", "index add"),
        ("index remove in.idx", "no ids", "--ids"),
        ("index stats", "<INDEX>", "index stats"),
    ] {
        let said = scene.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args}: {said:?}");
        assert!(said.error.contains(given), "{args}: {}", said.error);
        assert!(said.error.contains(would_do), "{args}: {}", said.error);
    }
}

#[test]
fn what_is_no_index_is_named() {
    let scene = Scene::with_index();
    scene.write("binary", b"\x7fELF\x02\x01\x01\x00\xff\xfe");
    let error = scene.fails(1, "query binary --text word");
    assert!(
        error.contains("binary is no index, so it was read as documents: binary:1: not UTF-8"),
        "{error}"
    );
    let error = scene.fails(1, "query nowhere.idx --text word");
    assert!(error.contains("nowhere.idx: no such file"), "{error}");
    for command in [
        "stats in.jsonl",
        "add in.jsonl in.jsonl",
        "remove in.jsonl first",
    ] {
        let error = scene.fails(1, &format!("index {command}"));
        assert!(
            error.contains("in.jsonl: not an index: make one with `lookalike index build`"),
            "{error}"
        );
        let error = scene.fails(
            1,
            &format!("index {}", command.replacen("in.jsonl", "no.idx", 1)),
        );
        assert!(error.contains("no.idx: No such file"), "{error}");
    }
    let error = scene.fails(1, "index build nowhere.jsonl --out new.idx");
    assert!(error.contains("nowhere.jsonl: no such file"), "{error}");
    let error = scene.fails(1, "index build in.jsonl --out no/such/folder/new.idx");
    assert!(error.contains("no/such/folder/new.idx: "), "{error}");
    let mut newer = scene.bytes("in.idx");
    newer[8] = 9;
    scene.write("newer.idx", newer);
    let error = scene.fails(1, "query newer.idx --text word");
    assert!(error.contains("newer.idx: an index of format version 9, but this program reads version 2: update Lookalike, or build it again"), "{error}");
}
