//! Bad input is an error that says where, what, and what to do.

use super::scene::{Scene, npy};

/// Runs that must fail with a code and messages.
pub(super) fn refused(scene: &Scene, code: i32, cases: &[(&str, &[&str])]) {
    for (args, messages) in cases {
        let said = scene.run(args);
        assert_eq!(said.code, code, "{args}: {said:?}");
        assert_eq!(said.out, "", "{args}");
        assert!(said.error.starts_with("error: "), "{args}: {said:?}");
        for message in *messages {
            assert!(
                said.error.contains(message),
                "{args}: {message:?} in {said:?}"
            );
        }
    }
}

#[test]
fn files_of_codes_that_are_wrong_say_where_and_why() {
    let scene = Scene::new();
    scene.write("lengths.txt", "00ff\nabcd\n00\n");
    scene.write("odd.txt", "00ff\nabc\n");
    scene.write("letters.txt", "00ff\nabcz\n");
    scene.write("binary.txt", "10110011\n00000001\n");
    scene.write("bits.txt", "10111\n00001\n");
    scene.write("empty.txt", "");
    scene.write("blank.txt", "\n \n");
    scene.write("other.jsonl", "{\"id\": 1, \"phash\": \"00ff\"}\n");
    scene.write("number.jsonl", "{\"id\": 1, \"hash\": 17}\n");
    scene.write(
        "same.jsonl",
        "{\"id\": 1, \"hash\": \"00ff\"}\n{\"id\": 1, \"hash\": \"00fe\"}\n",
    );
    scene.write("other.csv", "id,phash\n1,00ff\n");
    scene.write("wide.txt", "ab".repeat(9000) + "\n");
    scene.write("codes.bin", [0; 100]);
    scene.write("none.bin", "");
    scene.write("floats.npy", npy("'<f4'", "False", "(2, 4)", &[0; 32]));
    scene.write("flat.npy", npy("'|u1'", "False", "(32,)", &[0; 32]));
    scene.write("columns.npy", npy("'|u1'", "True", "(4, 8)", &[0; 32]));
    scene.write("short.npy", npy("'|u1'", "False", "(4, 8)", &[0; 20]));
    scene.write("long.npy", npy("'|u1'", "False", "(4, 8)", &[0; 40]));
    scene.write("zero.npy", npy("'|u1'", "False", "(0, 8)", &[]));
    scene.write("bad.npy", "not an array");
    let cases: &[(&str, &[&str])] = &[
        ("lengths.txt", &["lengths.txt:3", "8 bits", "16 bits"]),
        ("odd.txt", &["odd.txt:2", "3 hexadecimal digits", "even"]),
        (
            "letters.txt",
            &["letters.txt:2", "'z'", "a code is written like"],
        ),
        (
            "binary.txt",
            &["binary.txt", "0 and 1", "--format bits", "--format hex"],
        ),
        ("bits.txt", &["bits.txt:1", "--format bits"]),
        ("empty.txt", &["empty.txt: no items"]),
        ("blank.txt --format hex", &["blank.txt: no items"]),
        (
            "other.jsonl",
            &["other.jsonl:1", "`hash`", "`phash`", "with --field"],
        ),
        ("number.jsonl", &["number.jsonl:1", "17"]),
        (
            "same.jsonl",
            &[
                "same.jsonl:2",
                "the id 1",
                "same.jsonl:1",
                "--id-field",
                "--ignore-ids",
            ],
        ),
        ("other.csv", &["other.csv", "`hash`", "with --field"]),
        ("wide.txt", &["wide.txt:1", "72000 bits", "65536"]),
        ("missing.txt", &["missing.txt", "no such file"]),
        ("missing.npy", &["missing.npy", "no such file"]),
        ("codes.bin", &["codes.bin", "--bits N"]),
        ("codes.bin --bits 64", &["codes.bin", "100 bytes"]),
        ("none.bin --bits 64", &["none.bin: no items"]),
        ("floats.npy", &["floats.npy"]),
        ("flat.npy", &["flat.npy"]),
        ("columns.npy", &["columns.npy"]),
        ("short.npy", &["short.npy"]),
        ("long.npy", &["long.npy"]),
        ("zero.npy", &["zero.npy: no items"]),
        ("bad.npy --format npy", &["bad.npy"]),
        (
            "odd.txt --bits 24 --kind code",
            &["odd.txt:1", "a code of 16 bits", "24 bits"],
        ),
    ];
    for (args, messages) in cases {
        let args = format!("pairs {args} --hamming 3");
        refused(&scene, 1, &[(&args, messages)]);
        let said = scene.run(&args);
        assert_eq!(said.error.lines().count(), 1, "{args}: {said:?}");
    }
}

#[test]
fn files_of_sets_that_are_wrong_say_where_and_why() {
    let scene = Scene::new();
    scene.write("words.txt", "3 7\n3 seven\n");
    scene.write("negative.jsonl", "{\"set\": [1, -2]}\n");
    scene.write("mixed.jsonl", "{\"x\": [1, 2]}\n{\"x\": {\"a\": 2}}\n");
    scene.write("number.jsonl", "{\"x\": 17}\n");
    scene.write("weights.jsonl", "{\"weights\": {\"a\": -1}}\n");
    scene.write("weights.txt", "3:1 x:y\n");
    scene.write("empty.jsonl", "");
    scene.write("codes.npy", npy("'|u1'", "False", "(1, 2)", &[0xff, 1]));
    refused(
        &scene,
        1,
        &[
            (
                "pairs words.txt --kind set --jaccard 0.5",
                &["words.txt:2", "`seven`", "an array of strings"],
            ),
            (
                "pairs negative.jsonl --kind set --jaccard 0.5",
                &["negative.jsonl:1", "-2"],
            ),
            (
                "pairs negative.jsonl --jaccard 0.5",
                &["negative.jsonl:1", "-2"],
            ),
            (
                "pairs mixed.jsonl --field x --jaccard 0.5",
                &["mixed.jsonl:2"],
            ),
            (
                "pairs number.jsonl --field x --jaccard 0.5",
                &[
                    "number.jsonl:1",
                    "of no kind",
                    "text:",
                    "set:",
                    "weighted-set:",
                ],
            ),
            (
                "pairs weights.jsonl --kind weighted-set --jaccard 0.5",
                &["weights.jsonl:1", "-1"],
            ),
            (
                "pairs weights.txt --kind weighted-set --jaccard 0.5",
                &["weights.txt:1"],
            ),
            (
                "query empty.jsonl words.txt --jaccard 0.5",
                &["empty.jsonl: no items"],
            ),
            (
                "query words.txt empty.jsonl --kind text --jaccard 0.5",
                &["empty.jsonl: no items"],
            ),
            (
                "pairs codes.npy --kind text --jaccard 0.5",
                &["codes.npy", "UTF-8"],
            ),
            (
                "pairs codes.npy --jaccard 0.5",
                &["codes.npy", "of no kind", "set:"],
            ),
        ],
    );
}

#[test]
fn wrong_use_says_what_would_do() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n");
    scene.write("texts.txt", "one two\nthree four\n");
    refused(
        &scene,
        2,
        &[
            (
                "pairs codes.txt --hamming 16",
                &["hamming is 16, but must be below 16"],
            ),
            (
                "pairs codes.txt --hamming -1",
                &["'-1' for '--hamming", "0 or more"],
            ),
            (
                "pairs codes.txt --hamming 1.5",
                &["'1.5' for '--hamming", "whole number"],
            ),
            (
                "pairs codes.txt --jaccard 80",
                &["'80' for '--jaccard", "--jaccard 0.8"],
            ),
            ("pairs codes.txt --jaccard 0", &["above 0 and up to 1"]),
            (
                "pairs codes.txt --hamming 6 --family blocks --set blocks=2",
                &[
                    "blocks with these parameters finds ",
                    "less than 0.95, the default",
                    "--recall",
                ],
            ),
            (
                "pairs codes.txt --hamming 6 --set flips=many",
                &["flips is \"many\"", "expected a whole number"],
            ),
            ("pairs codes.txt --jaccard x", &["must be a number"]),
            (
                "pairs codes.txt --hamming 1 --bands 2 --rows 17",
                &["rows is 17, but must be from 1 to 16"],
            ),
            (
                "pairs codes.txt --hamming 1 --family multi-probe --bands 2 --rows 17",
                &["rows is 17, but must be from 1 to 16"],
            ),
            (
                "pairs texts.txt --threshold 0.5",
                &["--threshold is now --jaccard 0.5"],
            ),
            (
                "pairs codes.txt --chebyshev 0.9",
                &["'--chebyshev'", "--jaccard <S>|--hamming <N>|"],
            ),
            ("pairs codes.txt", &["--jaccard <S>", "--hamming <N>"]),
            ("pairs --hamming 3", &["<INPUT>"]),
            (
                "pairs codes.txt --hamming 3 --jaccard 0.5",
                &["--hamming <N>", "cannot be used with '--jaccard"],
            ),
            (
                "query codes.txt codes.txt --hamming 3 --measure hamming",
                &["cannot be used with"],
            ),
            (
                "query codes.txt codes.txt --measure haming -k 1",
                &["known measures", "did you mean `hamming`?"],
            ),
            (
                "query codes.txt codes.txt --measure hamming",
                &["-k N", "--hamming"],
            ),
            (
                "query codes.txt codes.txt --measure hamming -k 1 --recall 0.9",
                &["--recall is the share", "--hamming instead of --measure"],
            ),
            (
                "query codes.txt codes.txt -k 0 --hamming 1",
                &["'0' for '--top"],
            ),
            ("query - - --hamming 1", &["not both"]),
            ("query codes.txt --hamming 1", &["nothing to look for"]),
            (
                "query codes.txt codes.txt --hamming 1 --limit 5",
                &["--limit is for an index"],
            ),
            (
                "query codes.txt codes.txt --exact",
                &["--exact needs a measure"],
            ),
            (
                "query codes.txt codes.txt --self",
                &["--self needs a measure"],
            ),
            (
                "query codes.txt codes.txt --format hex",
                &["--format needs a measure"],
            ),
            ("pairs codes.txt --hamming 1 --recall 1", &["use --exact"]),
            (
                "pairs codes.txt --hamming 1 --recall 0.9 --exact",
                &["cannot be used with"],
            ),
            (
                "pairs codes.txt --hamming 1 --bands 3 --rows 2 --recall 0.9",
                &["cannot be used with"],
            ),
            (
                "pairs codes.txt --hamming 1 --amplify and:3 --exact",
                &["cannot be used with"],
            ),
            (
                "pairs codes.txt --hamming 1 --amplify xor:3",
                &["like and:5 or or:20"],
            ),
            ("pairs codes.txt --hamming 1 --bands 3", &["--rows"]),
            (
                "pairs codes.txt --hamming 1 --bands 65536 --rows 2",
                &["at most 65536"],
            ),
            (
                "pairs codes.txt --hamming 1 --format docx",
                &["jsonl", "npy", "packed", "hex", "bits"],
            ),
            (
                "pairs codes.txt --hamming 1 --format hex --format bits",
                &["twice"],
            ),
            (
                "pairs codes.txt --hamming 1 --kind cod",
                &["did you mean `code`?"],
            ),
            (
                "pairs codes.txt --hamming 1 --kind set",
                &["set have no hamming", "code"],
            ),
            (
                "pairs codes.txt --hamming 1 --family block",
                &["unknown family", "did you mean `blocks`?"],
            ),
            (
                "pairs codes.txt --hamming 1 --set flip=1",
                &["unknown parameter `flip`", "did you mean `flips`?"],
            ),
            (
                "pairs codes.txt --hamming 1 --set flips=many",
                &["flips is \"many\""],
            ),
            (
                "pairs codes.txt --hamming 1 --set digits=oct",
                &["digits is \"oct\"", "hex"],
            ),
            ("pairs codes.txt --hamming 1 --set flips", &["NAME=VALUE"]),
            (
                "pairs codes.txt --hamming 1 --shingle words:2",
                &["unknown parameter `shingle`"],
            ),
            (
                "pairs texts.txt --jaccard 0.5 --bits 8",
                &["--bits 8 is for codes"],
            ),
            (
                "pairs texts.txt --jaccard 0.5 --format hex",
                &["--format hex is for codes"],
            ),
            (
                "pairs texts.txt --jaccard 0.5 --shingle chars:3 --tokens chars",
                &["takes characters"],
            ),
            (
                "pairs texts.txt --jaccard 0.5 --exact --family universal",
                &["universal cannot promise", "leave out --family", "--recall"],
            ),
        ],
    );
}

#[test]
fn queries_must_fit_the_items() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n");
    scene.write("long.txt", "00ff00\n");
    scene.write("sets.jsonl", "{\"id\": 1, \"set\": [1, 2]}\n");
    refused(
        &scene,
        1,
        &[
            (
                "query codes.txt long.txt --hamming 3",
                &["long.txt: a code of width 24", "the items have width 16"],
            ),
            (
                "query codes.txt --text 00ff00 --hamming 3",
                &["--text: a code of width 24"],
            ),
            ("query codes.txt --text zz --hamming 3", &["--text: 'z'"]),
            (
                "query codes.txt sets.jsonl --hamming 3",
                &["sets.jsonl:1", "`hash`", "--field"],
            ),
            (
                "query sets.jsonl codes.txt --kind set --jaccard 0.5",
                &["codes.txt:1", "`00ff`"],
            ),
        ],
    );
}

#[test]
fn what_is_gone_names_its_successor() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n");
    refused(
        &scene,
        2,
        &[
            (
                "hamming pairs codes.txt --radius 6 --json",
                &["`lookalike pairs codes.txt --hamming 6 --json`"],
            ),
            ("hamming", &["lookalike pairs", "lookalike query"]),
            (
                "pairs codes.txt --radius 6",
                &["--radius is now --hamming 6"],
            ),
            (
                "query codes.txt codes.txt --radius 6",
                &["--radius is now --hamming 6"],
            ),
            (
                "query codes.txt --text word --min 0.8",
                &["--min is now --jaccard 0.8"],
            ),
        ],
    );
}

#[test]
fn a_suggestion_is_near_what_was_given() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n");
    let near = scene.run("pairs codes.txt --haming 3").error;
    assert!(
        near.contains("similar argument exists: '--hamming'"),
        "{near}"
    );
    let far = scene.run("pairs codes.txt --chebyshev 0.9").error;
    assert!(!far.contains("similar argument"), "{far}");
}
