//! Options and settings that make no sense: what was given, and what would do.

use super::scene::Scene;
use super::texts::five;

#[test]
fn wrong_options_are_wrong_use() {
    let scene = Scene::with("in.jsonl", five());
    for (options, given, would_do) in [
        ("--threshold 2", "'2' for '--threshold", "from 0.001 to 1"),
        (
            "--threshold 80",
            "'80' for '--threshold",
            "80 percent is 0.8",
        ),
        ("--threshold -1", "'-1' for '--threshold", "from 0.001 to 1"),
        ("--recall 1", "'1' for '--recall", "0.999"),
        ("--functions 0", "'0' for '--functions", "1..=65536"),
        ("--bands 3", "--rows", "not provided"),
        ("--rows 3", "--bands", "not provided"),
        ("--bands 0 --rows 3", "'0' for '--bands", "1..=65536"),
        (
            "--bands 3 --rows 3 --recall 0.9",
            "--bands",
            "cannot be used with '--recall",
        ),
        (
            "--bands 3 --rows 3 --functions 9",
            "--bands",
            "cannot be used with '--functions",
        ),
        (
            "--shingle words",
            "`words` is not known",
            "words:K, chars:K or stopwords",
        ),
        ("--shingle words:65", "65", "from 1 to 64"),
        ("--shingle chars:0", "0", "from 1 to 64"),
        ("--tokens word", "'word' for '--tokens", "'words'"),
        (
            "--tokens whitespace --shingle chars:9",
            "--tokens",
            "--shingle chars takes characters",
        ),
        ("--normalize nfc,upper", "`upper` is not known", "casefold"),
        ("--text-field a..b", "`a..b`", "meta.lang"),
        (
            "--format xml",
            "'xml' for '--format",
            "jsonl, json, csv, tsv, parquet, lines, files, bytes",
        ),
        ("--verify maybe", "'maybe'", "exact, signature, none"),
        ("--cluster chain", "'chain'", "star, components"),
        ("--keep best", "'best'", "first, last, longest, shortest"),
        ("--mode delete", "'delete'", "remove, annotate, ids, report"),
        (
            "--family simhsah",
            "unknown family `simhsah`",
            "fast-similarity",
        ),
        ("--seed 1.5", "'1.5' for '--seed", "invalid digit"),
        ("--threads 0", "'0' for '--threads", "1..=1024"),
        ("--quiet --json", "--json", "cannot be used with"),
        ("--treshold 0.8", "'--treshold'", "'--threshold'"),
    ] {
        let error = scene.fails(2, &format!("in.jsonl {options}"));
        assert!(error.contains(given), "{options}: {error}");
        assert!(error.contains(would_do), "{options}: {error}");
        assert!(error.contains("try '--help'"), "{options}: {error}");
    }
}

#[test]
fn an_input_and_a_folder_must_be_named_somewhere() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("mine.toml", "");
    for (args, lacks) in [
        ("", "<INPUT>"),
        ("in.jsonl", "--out <DIR>"),
        ("--out out", "<INPUT>"),
        ("--config mine.toml in.jsonl", "--out DIR"),
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, 2, "{args}");
        assert!(said.error.contains(lacks), "{args}: {}", said.error);
    }
    let error = scene.fails(2, "--config mine.toml");
    assert!(error.contains("no inputs"), "{error}");
    let error = scene.fails(1, "in.jsonl --config nowhere.toml");
    assert!(error.contains("nowhere.toml: No such file"), "{error}");
}

#[test]
fn a_wrong_line_of_a_file_is_named_with_what_was_perhaps_meant() {
    let scene = Scene::with("in.jsonl", five());
    for (text, place, says) in [
        ("treshold = 0.9", "1:1", "did you mean `threshold`?"),
        ("seed = 1\n[famly]\n", "2:2", "did you mean `family`?"),
        (
            "[family]\nshingel = \"words:5\"",
            "2:1",
            "did you mean `shingle`?",
        ),
        (
            "[family]\n\ntokens = \"whitspace\"",
            "3:10",
            "did you mean `whitespace`?",
        ),
        (
            "[cluster]\nkeep = \"best\"",
            "2:8",
            "must be first, last, longest, shortest, max:FIELD or min:FIELD",
        ),
        ("[family]\nshingle = \"words:0\"", "2:11", "from 1 to 64"),
        (
            "[cluster]\nkeep = \"longst\"",
            "2:8",
            "did you mean `longest`?",
        ),
        ("preset = \"fineweb2\"", "1:10", "did you mean `fineweb`?"),
        ("[data]\non_error = \"skp\"", "2:12", "did you mean `skip`?"),
        ("[data]\nwithn = \"lang\"", "2:1", "did you mean `within`?"),
        ("[family]\nhash = 16", "2:8", "32 or 64"),
        ("[data]\ntext = \"a..b\"", "2:8", "such as `meta.lang`"),
        ("seed = -1", "1:8", "expected u64"),
        ("threshold = \"high\"", "1:13", "expected f64"),
        ("threshold = 0.8\nthreshold = 0.9", "2:1", "duplicate key"),
        ("# é\nthreshold = \"é", "2:", "invalid basic string"),
        ("amplify = [{ xor = 3 }]", "1:", "expected"),
    ] {
        scene.write("mine.toml", text);
        let error = scene.fails(1, "in.jsonl --config mine.toml");
        assert!(
            error.starts_with(&format!("error: mine.toml:{place}")),
            "{text}: {error}"
        );
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let scene = Scene::with("in.jsonl", five());
    for (text, says) in [
        (
            "recall = 0.9\nbands = 3\nrows = 3",
            "recall and bands and rows contradict each other",
        ),
        (
            "amplify = [{ and = 3 }]\nbands = 3\nrows = 3",
            "bands and rows and amplify contradict",
        ),
        ("bands = 3", "bands and rows come together"),
        (
            "bands = 3\nrows = 3\nfunctions = 9",
            "functions is a limit for what recall chooses",
        ),
        (
            "threshold = 2",
            "threshold is 2, but must be from 0.001 to 1",
        ),
        ("threshold = nan", "threshold is NaN"),
        ("recall = 1", "recall is 1, but must be above 0 and below 1"),
        (
            "functions = 0",
            "functions is 0, but must be from 1 to 65536",
        ),
        ("amplify = []", "amplify has no steps"),
        (
            "[family]\nshingle = \"chars:9\"\ntokens = \"uax29\"",
            "tokens are for shingles of words",
        ),
        (
            "[family]\nstop_words = [\"a\"]",
            "stop_words are for the shingle stopwords",
        ),
        ("bands = 0\nrows = 1", "bands is 0, but must be 1 or more"),
        (
            "amplify = [{ or = 20 }, { and = 5 }]",
            "in.jsonl:1: 3200000 keys, more than the limit of 65536",
        ),
    ] {
        scene.write("mine.toml", text);
        let error = scene.fails(1, "in.jsonl --config mine.toml --quiet");
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn more_functions_than_anybody_has_are_refused() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out --bands 65536 --rows 60000");
    assert!(said.code == 1 || said.code == 2, "{said:?}");
    assert!(said.error.starts_with("error: "), "{said:?}");
}
