//! What documents are compared with, which stay, and when a run stops.

use serde_json::{Value, json};

use super::scene::{Scene, exists};
use super::texts::passage;

/// A record for each: (id, passage, further members).
fn records(of: &[(&str, &str, Value)]) -> String {
    let record = |(id, text, more): &(&str, &str, Value)| {
        let mut record = json!({"id": id, "text": passage(text, &[])});
        for (name, value) in more.as_object().unwrap() {
            record[name] = value.clone();
        }
        format!("{record}\n")
    };
    of.iter().map(record).collect()
}

#[test]
fn a_preset_is_a_layer_below_the_file_and_the_command_line() {
    let scene = Scene::with("in.jsonl", records(&[("x", "a", json!({}))]));
    scene.write(
        "mine.toml",
        "preset = \"nemo\"\n[family]\nshingle = \"chars:9\"\n",
    );
    for (args, bands, rows, shingle, threshold) in [
        ("--preset fineweb", 14, 8, "words:5", "0.75"),
        ("--preset nemo", 20, 13, "chars:24", "0.8"),
        ("--preset olmo", 20, 5, "words:5", "0.8"),
        ("--preset lee2022", 450, 20, "words:5", "0.8"),
        ("--config mine.toml", 20, 13, "chars:9", "0.8"),
        ("--config mine.toml --preset olmo", 20, 5, "chars:9", "0.8"),
        (
            "--preset fineweb --threshold 0.9 --bands 3 --rows 2",
            3,
            2,
            "words:5",
            "0.9",
        ),
    ] {
        scene.dedup(&format!("in.jsonl --out out --overwrite {args}"));
        let settings = scene.read("out/run.toml");
        for expected in [
            format!("bands = {bands}\n"),
            format!("rows = {rows}\n"),
            format!("shingle = \"{shingle}\"\n"),
            format!("threshold = {threshold}\n"),
        ] {
            assert!(settings.contains(&expected), "{args}: {settings}");
        }
        assert!(!settings.contains("preset"), "{settings}");
        // The curve is the published one: 1 − (1 − t^r)^b.
        for point in scene.report("out")["plan"]["curve"].as_array().unwrap() {
            let (t, p) = (&point["similarity"], point["candidate"].as_f64().unwrap());
            let curve = 1.0 - (1.0 - t.as_f64().unwrap().powi(rows)).powi(bands);
            assert!((p - curve).abs() < 1e-12, "{args}: {p} {curve}");
        }
    }
    let recall = "--preset lee2022 --recall 0.9";
    scene.dedup(&format!("in.jsonl --out out --overwrite {recall}"));
    assert!(scene.report("out")["plan"]["recall"].as_f64().unwrap() >= 0.9);
    assert!(!scene.read("out/run.toml").contains("bands = 450"));
    let error = scene.fails(2, "in.jsonl --preset finweb");
    assert!(
        error.contains("'finweb'") && error.contains("'fineweb'"),
        "{error}"
    );
}

#[test]
fn a_field_can_say_which_document_stays() {
    let scene = Scene::with(
        "in.jsonl",
        records(&[
            (
                "a",
                "x",
                json!({"meta": {"score": 1}, "date": "2026-01-02"}),
            ),
            (
                "b",
                "x",
                json!({"meta": {"score": 3.5}, "date": "2025-12-31"}),
            ),
            ("c", "x", json!({"meta": {"score": null}})),
            (
                "d",
                "x",
                json!({"meta": {"score": 3.5}, "date": "2026-11-16"}),
            ),
        ]),
    );
    for (keep, stays) in [
        ("max:meta.score", "\"b\""),
        ("min:meta.score", "\"a\""),
        ("max:date", "\"d\""),
        ("min:date", "\"b\""),
    ] {
        scene.dedup(&format!("in.jsonl --out found --overwrite --keep {keep}"));
        assert_eq!(
            scene.clusters("found").keys().collect::<Vec<_>>(),
            [stays],
            "{keep}"
        );
        assert!(
            scene
                .read("found/run.toml")
                .contains(&format!("keep = \"{keep}\""))
        );
    }
    let error = scene.fails(1, "in.jsonl --keep max:scor");
    assert!(error.contains("no record has a field `scor`"), "{error}");
    let error = scene.fails(2, "in.jsonl --keep longst");
    assert!(error.contains("did you mean `longest`"), "{error}");
}

#[test]
fn only_documents_with_the_same_value_are_compared() {
    let scene = Scene::with(
        "in.jsonl",
        records(&[
            ("a", "x", json!({"lang": "en"})),
            ("b", "x", json!({"lang": "de"})),
            ("c", "x", json!({"lang": "en"})),
            ("d", "x", json!({})),
            ("e", "x", json!({"lang": null})),
        ]),
    );
    scene.dedup("in.jsonl --out found --within lang");
    let clusters = scene.clusters("found");
    let members = |of: &str| clusters[of].keys().collect::<Vec<_>>();
    assert_eq!(members("\"a\""), ["\"c\""]);
    assert_eq!(
        members("\"d\""),
        ["\"e\""],
        "those without a value are one group"
    );
    assert_eq!(clusters.len(), 2);
    let error = scene.fails(1, "in.jsonl --within language");
    assert!(
        error.contains("no record has a field `language`"),
        "{error}"
    );
}

#[test]
fn duplicates_of_an_older_corpus_go_with_the_id_of_the_match() {
    let scene = Scene::new();
    scene.write(
        "new.jsonl",
        records(&[
            ("a", "x", json!({})),
            ("b", "y", json!({})),
            ("c", "y", json!({})),
            ("d", "z", json!({})),
        ]),
    );
    // Ids of the two are told apart; the older one has copies of its own.
    scene.write(
        "old/1.jsonl",
        records(&[
            ("a", "u", json!({})),
            ("k", "x", json!({})),
            ("l", "x", json!({})),
        ]),
    );
    scene.dedup("new.jsonl --out found --against old");
    assert_eq!(
        scene
            .lines("found/kept/new.jsonl")
            .iter()
            .map(|r| r["id"].clone())
            .collect::<Vec<_>>(),
        ["b", "d"]
    );
    assert_eq!(scene.files("found/kept"), ["new.jsonl"]);
    let clusters = scene.lines("found/clusters.jsonl");
    let of = |representative: &str| {
        clusters
            .iter()
            .find(|c| c["representative"] == representative)
            .unwrap()
    };
    assert_eq!(of("k")["against"], true);
    assert_eq!(of("k")["members"][0]["id"], "a");
    assert!(of("b").get("against").is_none());
    assert_eq!(clusters.len(), 2);
    let pairs = scene.lines("found/pairs.jsonl");
    let old: Vec<_> = pairs
        .iter()
        .filter(|pair| pair["against"] == true)
        .collect();
    assert_eq!((pairs.len(), old.len()), (3, 2));
    let report = scene.report("found");
    assert_eq!(report["against"], json!({"documents": 3, "removed": 1}));
    assert_eq!(report["documents"]["read"], 4);
    scene.dedup("new.jsonl --out noted --against old --mode annotate");
    let noted = scene.lines("found/kept/new.jsonl").len();
    assert_eq!(noted, 2);
    let first = &scene.lines("noted/annotated/new.jsonl")[0]["lookalike"];
    assert_eq!(
        *first,
        json!({"duplicate_of": "k", "similarity": 1, "cluster": "k", "against": true})
    );
    // Said by the file, and run again.
    scene.dedup("--config found/run.toml --out again");
    assert_eq!(scene.written("again"), scene.written("found"));
    let error = scene.fails(1, "new.jsonl --against new.jsonl");
    assert!(error.contains("new.jsonl"), "{error}");
}

#[test]
fn a_run_that_would_remove_almost_everything_stops() {
    let many = |id: &str, text: &str, n: usize, source: &str| -> String {
        let record = |i| {
            json!({"id": format!("{id}{i}"), "text": passage(text, &[]), "source": source})
                .to_string()
                + "\n"
        };
        (0..n).map(record).collect()
    };
    let scene = Scene::with("in.jsonl", many("a", "x", 11, "s"));
    let error = scene.fails(3, "in.jsonl");
    for said in [
        "10 of the 11 documents of the input",
        "more than 90%",
        "--mode report",
        "--allow-mass-removal",
    ] {
        assert!(error.contains(said), "{error}");
    }
    scene.fails(3, "in.jsonl --mode annotate");
    scene.dedup("in.jsonl --out report --mode report");
    scene.dedup("in.jsonl --out more --max-removed 0.95");
    scene.dedup("in.jsonl --out out --allow-mass-removal");
    assert_eq!(scene.report("out")["documents"]["removed"], 10);
    scene.dedup("--config out/run.toml --out again");
    // Ten of ten are nine duplicates: 90% is not more.
    scene.write("ten.jsonl", many("a", "x", 10, "s"));
    scene.dedup("ten.jsonl --out ten");

    // One source of a thousand, among others that are all different.
    let different: String = (0..600)
        .map(|i| many(&format!("d{i}-"), &format!("d{i}"), 1, "t"))
        .collect();
    for (n, is_source) in [(999, false), (1000, true)] {
        let scene = Scene::with("in/big.jsonl", many("b", "x", n, "s"));
        scene.write("in/other.jsonl", &different);
        if is_source {
            let error = scene.fails(3, "in");
            assert!(
                error.contains("999 of the 1000 documents of in/big.jsonl"),
                "{error}"
            );
            scene.write("one.jsonl", many("b", "x", n, "s") + &different);
            scene.dedup("one.jsonl --out one");
            let error = scene.fails(3, "one.jsonl --within source");
            assert!(
                error.contains("999 of the 1000 documents of `source` \"s\""),
                "{error}"
            );
        } else {
            scene.dedup("in --out out");
        }
    }
    assert!(!exists(scene.path("never")));
}

#[test]
fn short_documents_are_compared_whole_or_skipped() {
    let lines = "one two\none two\nthree\na b c d e f\na b c d e f\n...\n";
    let scene = Scene::with("in.txt", lines);
    scene.dedup("in.txt --out whole");
    assert_eq!(
        scene.read("whole/kept/in.txt"),
        "one two\nthree\na b c d e f\n...\n"
    );
    scene.dedup("in.txt --out skip --short skip");
    assert_eq!(
        scene.read("skip/kept/in.txt"),
        "one two\none two\nthree\na b c d e f\n...\n"
    );
    let documents = &scene.report("skip")["documents"];
    assert_eq!(
        (&documents["empty"], &documents["short"]),
        (&json!(4), &json!(3))
    );
    assert!(
        scene
            .run("in.txt --out said --short skip")
            .out
            .contains("short")
    );
}

#[test]
fn stop_words_may_come_from_a_file() {
    let scene = Scene::with(
        "in.txt",
        "der Hund beisst die Katze\nder Hund beisst die Maus\n",
    );
    scene.write("de.txt", "# Artikel\nder\n\ndie # auch\n");
    let args = "in.txt --shingle stopwords --threshold 0.5";
    scene.dedup(&format!("{args} --out english"));
    assert_eq!(scene.report("english")["documents"]["empty"], 2);
    scene.dedup(&format!("{args} --stop-words de.txt --out german"));
    assert_eq!(scene.report("german")["documents"]["empty"], 0);
    assert!(
        scene.read("german/run.toml").contains("[\"der\", \"die\"]")
            || scene.read("german/run.toml").contains("\"der\"")
    );
    scene.write("none.txt", "# nothing\n");
    for (options, said) in [
        ("--stop-words none.txt --shingle stopwords", "no stop words"),
        (
            "--stop-words missing.txt --shingle stopwords",
            "missing.txt",
        ),
    ] {
        let error = scene.fails(1, &format!("in.txt {options}"));
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn buckets_over_a_stated_limit_are_not_expanded() {
    // Alike in half of their words, so that many share buckets and none is a copy.
    let texts: String = (0..60)
        .map(|i| format!("{}\n", passage("same", &[i % 7 * 9]) + &i.to_string()))
        .collect();
    let scene = Scene::with("in.txt", texts);
    let args = "in.txt --bands 40 --rows 1 --max-removed 1";
    scene.dedup(&format!("{args} --out all"));
    assert_eq!(scene.report("all")["buckets"]["over_limit"], 0);
    scene.dedup(&format!("{args} --max-bucket 10 --out few"));
    assert!(
        scene.report("few")["buckets"]["over_limit"]
            .as_u64()
            .unwrap()
            > 0
    );
    assert!(scene.read("few/run.toml").contains("max_bucket = 10"));
    let error = scene.fails(2, "in.txt --max-bucket 1");
    assert!(error.contains("--max-bucket"), "{error}");
}

#[test]
fn records_that_cannot_be_read_are_put_aside_where_that_is_asked_for() {
    let good = records(&[
        ("a", "x", json!({})),
        ("b", "y", json!({})),
        ("c", "x", json!({})),
    ]);
    let mut lines: Vec<&str> = good.lines().collect();
    lines.insert(1, "{\"id\": \"broken\", \"text\": ");
    lines.insert(3, "[1, 2]");
    lines.push("{\"id\": 7}");
    let text = lines.join("\n") + "\n";
    let scene = Scene::with("in.jsonl", &text);
    let error = scene.fails(1, "in.jsonl");
    assert!(error.contains("in.jsonl:2"), "{error}");
    scene.dedup("in.jsonl --out out --on-error skip");
    assert_eq!(
        scene.read("out/skipped/in.jsonl"),
        format!("{}\n{}\n{}\n", lines[1], lines[3], lines[5])
    );
    assert_eq!(
        scene.read("out/kept/in.jsonl"),
        format!("{}\n{}\n", lines[0], lines[2])
    );
    assert_eq!(
        scene.read("out/removed/in.jsonl"),
        format!("{}\n", lines[4])
    );
    let reasons = scene.lines("out/skipped.jsonl");
    let at: Vec<_> = reasons
        .iter()
        .map(|r| (r["file"].as_str().unwrap(), r["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(at, [("in.jsonl", 2), ("in.jsonl", 4), ("in.jsonl", 6)]);
    assert!(
        reasons
            .iter()
            .all(|r| r["reason"].as_str().unwrap().contains("in.jsonl:"))
    );
    let report = scene.report("out");
    assert_eq!(
        (
            &report["documents"]["read"],
            &report["documents"]["skipped"]
        ),
        (&json!(3), &json!(3))
    );
    assert_eq!(report["files"][0]["skipped"], 3);
    assert!(
        scene
            .run("in.jsonl --out said --on-error skip")
            .out
            .contains("records that could not be read")
    );
    scene.dedup("in.jsonl --out noted --on-error skip --mode annotate");
    assert_eq!(scene.lines("noted/annotated/in.jsonl").len(), 3);
    assert_eq!(
        scene.read("noted/skipped/in.jsonl"),
        scene.read("out/skipped/in.jsonl")
    );
    // A replaced folder may have had them.
    scene.dedup("in.jsonl --out out --on-error skip --overwrite");
}

#[test]
fn a_dry_run_says_what_to_expect_and_writes_nothing() {
    let many: String = (0..300)
        .map(|i| records(&[(&format!("d{i}"), &format!("t{}", i % 250), json!({}))]))
        .collect();
    let scene = Scene::with("in.jsonl", &many);
    let before = scene.names();
    let said = scene.run("in.jsonl --dry-run");
    assert_eq!(said.code, 0, "{said:?}");
    for word in [
        "documents",
        "memory",
        "time",
        "disk",
        "0.8",
        "nothing was written",
    ] {
        assert!(said.out.contains(word), "{word}: {}", said.out);
    }
    let json: Value =
        serde_json::from_str(&scene.run("in.jsonl --dry-run --json --out never").out).unwrap();
    assert_eq!(
        (&json["documents"], &json["bytes"]),
        (&json!(300), &json!(many.len()))
    );
    assert_eq!(json["plan"]["bands"], 13);
    assert!(json["memory"].as_u64().unwrap() > 1 << 20);
    assert_eq!(scene.names(), before);
    let said = scene.run_with("- --dry-run", many);
    assert!(said.code == 1 && said.error.contains("stdin"), "{said:?}");
}

/// What is known already is why older data is named: only duplicates among the documents themselves may be a slip.
#[test]
fn documents_that_the_older_corpus_has_are_no_mass_removal() {
    let line = |i: usize| format!("{}\n", json!({"text": passage(&format!("t{i}w"), &[])}));
    let all: String = (0..40).map(line).collect();
    let scene = Scene::with("old.jsonl", &all);
    scene.write("new.jsonl", format!("{all}{}", line(99)));
    scene.dedup("new.jsonl --against old.jsonl --out known");
    assert_eq!(scene.report("known")["against"]["removed"], 40);
    // Copies of one another are counted as ever.
    scene.write("new.jsonl", line(99).repeat(41));
    let error = scene.fails(3, "new.jsonl --against old.jsonl");
    assert!(error.contains("40 of the 41 documents"), "{error}");
}
