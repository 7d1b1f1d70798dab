//! `run`, `compare` and `families`.

use crate::folder::Folder;

/// The exit code, stdout and stderr of a run in a folder.
fn lookalike(folder: &Folder, args: &[&str]) -> (i32, String, String) {
    let said = folder.lookalike(args.iter().copied(), "");
    (said.code, said.out, said.error)
}

const FILE: &str = r#"
seeds = 3
threshold = 0.7
[data]
kind = "sets"
generate.pairs = { similarities = [0.2, 0.9], each = 10 }
[sweep]
family.name = ["universal", "brute-force"]
[small]
data.generate.pairs.each = 2
"#;

#[test]
fn an_experiment_is_run_written_and_tabulated() {
    let folder = Folder::new();
    folder.write("pairs.toml", FILE);
    let run = |args: &[&str]| lookalike(&folder, args);
    let (code, said, _) = run(&["run", "pairs.toml", "--out", "found", "--width", "100"]);
    assert_eq!(code, 0);
    assert!(
        said.contains("universal") && said.contains("report.html"),
        "{said}"
    );
    for name in ["report.html", "result.json", "result.csv", "run.toml"] {
        assert!(folder.path(&format!("found/{name}")).is_file(), "{name}");
    }
    let (code, _, error) = run(&["run", "pairs.toml", "--out", "found"]);
    assert!(code == 1 && error.contains("exists already"), "{error}");
    assert_eq!(
        run(&["run", "pairs.toml", "--out", "found", "--overwrite", "-q"]).0,
        0
    );
    // What was resolved is an experiment too, and says where it is to go only if it is told.
    let (code, _, error) = run(&["run", "found/run.toml"]);
    assert!(code == 2 && error.contains("--out DIR"), "{error}");
    assert_eq!(run(&["run", "found/run.toml", "--out", "again"]).0, 0);
}

/// The text of a file in `configs`.
fn config(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs");
    std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap()
}

/// The words of each line that a run of a file in `configs` prints.
fn words(name: &str, options: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    folder.write("file.toml", config(name));
    let args = [
        &["run", "file.toml", "--out", "found", "--width", "100"],
        options,
    ]
    .concat();
    let (code, said, error) = lookalike(&folder, &args);
    assert_eq!(code, 0, "{error}");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    said.lines().map(words).collect()
}

/// The textbook's signatures are on the terminal, and figures that mean nothing for four sets are not.
#[test]
fn a_worked_example_prints_its_signatures() {
    let has = |name: &str, lines: &[&str]| {
        let found = words(name, &[]);
        for line in lines {
            assert!(
                found.iter().any(|it| it == line),
                "{name}: {line}\n{found:#?}"
            );
        }
        assert!(
            !found
                .iter()
                .any(|it| it.contains("recall") || it.contains("MB"))
        );
        assert_eq!(found.last().unwrap(), "found/report.html");
    };
    has(
        "matrix-1",
        &[
            "function A B C D",
            "1 2 2 3 1",
            "2 1 1 1 2",
            "3 1 2 2 1",
            "A and B 0.667 0.5 yes",
            "C and D 0 0 no",
        ],
    );
    // By place, by row, and other permutations: three blocks.
    has(
        "matrix-2",
        &[
            "1 2 1 2 1",
            "2 2 1 4 1",
            "3 1 2 1 2",
            "1 1 5 1 5",
            "2 2 3 1 3",
            "3 6 4 6 4",
            "1 1 2 1 2",
            "3 2 1 2 1",
            "1 and 3 0.667 0.75 yes",
            "2 and 4 1 0.75 yes",
        ],
    );
    has("matrix-3", &["1 3 1 1 2", "2 2 2 1 3", "3 1 5 3 2"]);
    has(
        "one-pass",
        &[
            "function S1 S2 S3 S4",
            "1 1 3 0 1",
            "2 0 2 0 0",
            "S1 and S4 1 0.667 yes",
        ],
    );
    has("one-pass-practice", &["function C1 C2", "1 1 0", "2 2 0"]);
}

/// The measured curve stands next to the predicted one.
#[test]
fn planted_pairs_are_printed_with_what_was_predicted() {
    let found = words("s-curve", &["--small"]);
    let planted = |run: usize, name: &str| -> Vec<f64> {
        let lines = found
            .iter()
            .filter(|line| line.starts_with(&format!("{name} ")));
        let line = lines.collect::<Vec<_>>()[run];
        let numbers = line.split(' ').filter(|word| *word != "±");
        numbers.map(|word| word.parse().unwrap()).collect()
    };
    let [similarity, pairs, mean, predicted, measured, error] = planted(0, "0.5")[..] else {
        panic!("{found:#?}");
    };
    assert_eq!(
        (similarity, pairs, mean, predicted),
        (0.5, 5.0, 0.5, 0.4701)
    );
    assert!(
        (measured - 0.47).abs() < 4.0 * error.max(0.1),
        "{measured} ± {error}"
    );
    assert_eq!(planted(0, "0.8")[3], 0.9996);
    // The table of all runs follows.
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("run") && line.contains("recall"))
    );
    let news = words("news", &["--small"]);
    let of = |name: &str| news.iter().filter(|line| line.starts_with(name)).count();
    assert_eq!(of("same article, other advertisements 15 "), 4);
    assert_eq!(of("same advertisements, other article 15 "), 4);
}

/// Functions drawn many times agree as often as the similarity says.
#[test]
fn a_few_items_drawn_many_times_have_a_curve() {
    let found = words("permutations", &[]);
    assert!(
        found
            .iter()
            .any(|line| line.ends_with(", drawn 2000 times")),
        "{found:#?}"
    );
    let half = found
        .iter()
        .find(|line| line.starts_with("0.5 1 0.7500 "))
        .unwrap();
    let measured: f64 = half.split(' ').nth(3).unwrap().parse().unwrap();
    assert!((measured - 0.75).abs() < 0.04, "{half}");
}

#[test]
fn names_belong_to_items() {
    let folder = Folder::new();
    let file = |data: &str| {
        let text = format!("family.name = \"universal\"\n[data]\nkind = \"set\"\n{data}\n");
        folder.write("file.toml", text);
        let (code, _, error) = lookalike(&folder, &["compare", "file.toml"]);
        assert_eq!(code, 1, "{error}");
        error
    };
    let few = file("items = [[1], [2]]\nnames = [\"A\"]");
    assert!(
        few.contains("file.toml:5:") && few.contains("names has 1 entries and items 2"),
        "{few}"
    );
    let same = file("items = [[1], [2]]\nnames = [\"A\", \"A\"]");
    assert!(same.contains("the same name"), "{same}");
    let none = file("generate.pairs = { similarities = [0.5] }\nnames = [\"A\"]");
    assert!(none.contains("names are for items"), "{none}");
}

#[test]
fn a_comparison_is_a_table_and_writes_nothing() {
    let folder = Folder::new();
    folder.write("pairs.toml", FILE);
    let (code, said, _) = lookalike(
        &folder,
        &["compare", "pairs.toml", "--small", "--width", "120"],
    );
    assert_eq!(code, 0);
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("run") && lines[0].contains("recall"),
        "{said}"
    );
    assert!(
        lines[2].starts_with("brute-force") && lines[2].contains(" 1.000 "),
        "{said}"
    );
    // 8 sets: 28 pairs.
    assert!(lines[2].contains(" 28 "), "{said}");
    assert_eq!(folder.names().len(), 1);
    let (_, json, _) = lookalike(&folder, &["compare", "pairs.toml", "--small", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["runs"][1]["candidates"]["count"]["mean"], 28.0);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = Folder::new();
    folder.write("wrong.toml", FILE.replace("threshold", "treshold"));
    let (code, _, error) = lookalike(&folder, &["run", "wrong.toml", "--out", "x"]);
    assert_eq!(code, 1);
    assert!(
        error.starts_with("error: wrong.toml:3:1: unknown field `treshold`")
            && error.contains("did you mean `threshold`?"),
        "{error}"
    );
    assert!(!folder.path("x").exists());
    let (code, _, error) = lookalike(&folder, &["run", "none.toml", "--out", "x"]);
    assert!(code == 1 && error.contains("none.toml"), "{error}");
}

/// A file names its keys, not flags, and only those that its kind of data has.
#[test]
fn remedies_are_keys_of_the_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"body\": \"a b c\"}\n");
    folder.write(
        "texts.toml",
        "family.name = \"universal\"\ndata = { kind = \"text\", inputs = [\"in.jsonl\"] }\n",
    );
    let (code, _, error) = lookalike(&folder, &["compare", "texts.toml"]);
    assert_eq!(code, 1, "{error}");
    assert_eq!(
        error,
        "error: texts.toml:2:34: in.jsonl:1: no field `text`; the record has `body`: choose one with data.field\n"
    );
    folder.write("1_1.xyt", "1 2 3\n4 5 6\n");
    folder.write("1_2.xyt", "1 2 3\n4 5 6\n");
    folder.write(
        "prints.toml",
        "family.name = \"local-triples\"\ndata = { kind = \"prints\", inputs = [\".\"] }\n",
    );
    let (code, _, error) = lookalike(&folder, &["compare", "prints.toml"]);
    assert_eq!(code, 1, "{error}");
    assert!(
        error.ends_with("are the same to the byte: remove one\n"),
        "{error}"
    );
}

#[test]
fn families_are_listed_with_what_they_promise() {
    let folder = Folder::new();
    let (code, said, _) = lookalike(&folder, &["families", "--width", "300"]);
    assert_eq!(code, 0);
    let part = |kind: &str| {
        let mut parts = said.split("\n\n");
        parts.find(|part| part.starts_with(kind)).unwrap()
    };
    let sensitive = "(0.2, 0.6, 0.8, 0.4)-sensitive";
    for (kind, words) in [
        (
            "text\n",
            &[
                "  --jaccard Jaccard similarity\n",
                "shingle = words:5",
                "  fast-similarity ",
                sensitive,
                "  brute-force ",
                "a method",
            ][..],
        ),
        ("weighted-set\n", &["  consistent-weighted ", sensitive]),
        (
            "code\n",
            &[
                "  --hamming Hamming distance\n",
                "reading: bits = unset, digits = unset\n",
                "one function is (6, 24, 0.90625, 0.625)-sensitive for items of width 64\n",
                "for items of width 64, blocks = 8\n",
                "flips = unset",
                // One sampled bit that a query may flip meets everything.
                "sensitive for items of width 64, as a band of 16 rows\n",
            ],
        ),
        ("print\n", &["one function promises nothing\n"]),
        (
            "set\n",
            &[
                "  generate.pairs: ",
                "    each = 20, ",
                "What is predicted is a range. Functions that are drawn together",
            ],
        ),
    ] {
        let part = part(kind);
        for words in words {
            assert!(part.contains(words), "{words}: {part}");
        }
    }
    assert!(!said.contains("hashed"), "internal kinds are not listed");
    let (_, json, _) = lookalike(&folder, &["families", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let kinds = json["kinds"].as_array().unwrap();
    let code = kinds.iter().find(|kind| kind["kind"] == "code").unwrap();
    let families = code["families"].as_array().unwrap();
    let sampling = families.iter().find(|it| it["name"] == "bit-sampling");
    let promise = &sampling.unwrap()["promise"];
    assert_eq!(
        (&promise["p1"], &promise["width"]),
        (&0.90625.into(), &64.into())
    );
    let generators = code["generators"].as_array().unwrap();
    assert_eq!(
        (generators.len(), &generators[0]["name"]),
        (2, &"pairs".into())
    );
    // Squares have two distances, and brute force by each.
    assert_eq!(said.matches("squares\n").count(), 2, "{said}");
    let (_, said, _) = lookalike(&folder, &["families", "--width", "60"]);
    assert!(
        said.lines().all(|line| line.chars().count() <= 60),
        "{said}"
    );
}

/// What is held in memory is that of a run, whatever ran before it.
#[test]
fn memory_does_not_depend_on_the_order_of_runs() {
    let folder = Folder::new();
    let bytes = |names: &str| -> Vec<f64> {
        let file = format!(
            "threshold = 0.7\nbands = 20\nrows = 5\n[data]\nkind = \"sets\"\ngenerate.pairs = {{ similarities = [0.9], each = 2000, union = 20 }}\n[sweep]\nfamily.name = [{names}]"
        );
        folder.write("order.toml", file);
        let args = ["compare", "order.toml", "--threads", "1", "--json"];
        let (code, json, error) = lookalike(&folder, &args);
        assert_eq!(code, 0, "{error}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let stages = |run: &serde_json::Value| {
            let stages = run.as_array().unwrap().iter();
            let keys = stages.filter(|stage| stage["name"] == "keys");
            keys.map(|it| it["peak_bytes"].as_f64().unwrap()).next()
        };
        let runs = json["times"]["runs"].as_array().unwrap().iter();
        runs.map(|run| stages(run).unwrap()).collect()
    };
    let one = bytes("\"universal\", \"fast-similarity\"");
    let other = bytes("\"fast-similarity\", \"universal\"");
    // 4000 sets with 20 keys of 8 bytes.
    assert!(one.iter().all(|&it| it > 640_000.0), "{one:?}");
    for (a, b) in [(one[0], other[1]), (one[1], other[0])] {
        assert!((a / b - 1.0).abs() < 0.05, "{one:?} {other:?}");
    }
}

#[test]
fn a_sampled_truth_is_marked() {
    let folder = Folder::new();
    let file = format!("truth.comparisons = 100\n{FILE}");
    folder.write("pairs.toml", file);
    let args = ["compare", "pairs.toml", "--width", "120"];
    let (_, said, _) = lookalike(&folder, &args);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[1].contains(" ~"), "{said}");
    assert!(!lines[2].contains('~'), "nothing is missed: {said}");
    assert!(said.contains("~ The truth is a sample: 2 items"), "{said}");
    // Too wide with the titles of the runs: their numbers stand for them.
    let args = ["compare", "pairs.toml", "--width", "60"];
    let (_, said, _) = lookalike(&folder, &args);
    assert!(
        said.starts_with("  1  universal\n  2  brute-force\n\nrun"),
        "{said}"
    );
}

/// A match by signatures may be wrong, and then the table says how often.
#[test]
fn matches_that_may_be_wrong_have_columns_of_their_own() {
    let folder = Folder::new();
    let file = "threshold = 0.5\nbands = 20\nrows = 1\nverify.method = \"signature\"\n[family]\nname = \"universal\"\n[data]\nkind = \"sets\"\ngenerate.pairs = { similarities = [0.4, 0.5, 0.6], each = 40 }";
    folder.write("signatures.toml", file);
    let args = ["compare", "signatures.toml", "--width", "120"];
    let (_, said, _) = lookalike(&folder, &args);
    assert!(said.lines().next().unwrap().contains("precision"), "{said}");
    assert!(said.contains("of matches"), "{said}");
}

/// One schema: what was resolved for a run of texts is taken by dedup.
#[test]
fn the_settings_of_a_run_of_texts_are_taken_by_dedup() {
    let folder = Folder::new();
    let texts =
        "one two three four five six seven eight\n".repeat(2) + "nothing of the kind here\n";
    folder.write("texts.txt", texts);
    let file = "seeds = 3\nthreshold = 0.7\n[data]\ninputs = [\"texts.txt\"]\n[small]\nseeds = 1";
    folder.write("texts.toml", file);
    let run = |args: &[&str]| lookalike(&folder, args);
    assert_eq!(run(&["run", "texts.toml", "--out", "found"]).0, 0);
    for config in ["texts.toml", "found/run.toml"] {
        let args = [
            "dedup",
            "--config",
            config,
            "--out",
            "clean",
            "--overwrite",
            "--json",
        ];
        let (code, json, error) = run(&args);
        assert_eq!(code, 0, "{config}: {error}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["clusters"]["count"], 1, "{json}");
    }
}
