//! Slips: what is refused, and what is said about it.

use super::scene::Scene;
use super::texts::five;

#[test]
fn a_run_that_can_read_almost_nothing_stops() {
    let scene = Scene::with("in.jsonl", five());
    let slip = "in.jsonl --on-error skip --text-field nope";
    for mode in ["remove", "annotate"] {
        let error = scene.fails(3, &format!("{slip} --mode {mode} --quiet"));
        let expected =
            "error: 5 of the 5 records of the input cannot be read, which is more than 90%";
        assert!(error.starts_with(expected), "{error}");
        assert!(
            error.contains("5 of them for such a reason: in.jsonl:1: no field `nope`"),
            "{error}"
        );
    }
    scene.dedup(&format!("{slip} --out out --allow-mass-removal"));
    assert_eq!(scene.report("out")["documents"]["skipped"], 5);
    let said = scene.run(&format!("{slip} --out looked --mode report"));
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out
            .contains("warning: 5 of 5 records could not be read"),
        "{said:?}"
    );
}

#[test]
fn the_most_frequent_reason_is_named() {
    let good = "{\"text\": \"a b c\"}\n";
    let broken = "{\"text\": \"a b\n";
    let other = "{\"txt\": \"a b\"}\n";
    let scene = Scene::with("in.jsonl", [broken, good, other, other].concat());
    let error = scene.fails(3, "in.jsonl --on-error skip --max-removed 0.5 --quiet");
    assert!(error.contains("3 of the 4 records"), "{error}");
    assert!(
        error.contains("2 of them for such a reason: in.jsonl:3: "),
        "{error}"
    );
    // As many as are allowed are no slip.
    scene.dedup("in.jsonl --on-error skip --max-removed 0.75 --out out");
}

#[test]
fn what_is_no_run_is_not_replaced_and_the_advice_is_another() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("mine/notes", "precious");
    for more in ["", "--dry-run"] {
        let said = scene.run(&format!("in.jsonl --out mine --overwrite {more}"));
        assert_eq!(said.code, 1, "{said:?}");
        let expected = "error: mine: does not look like the results of a run";
        assert!(said.error.starts_with(expected), "{said:?}");
        assert!(!said.error.contains("--overwrite"), "{said:?}");
    }
}

#[test]
fn a_dry_run_looks_at_the_folder_and_can_be_quiet() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("full/notes", "precious");
    let before = scene.names();
    for (out, says) in [
        ("full", "exists already"),
        ("in.jsonl", "exists already"),
        ("in.jsonl/deep/out", "ot a directory"),
    ] {
        let said = scene.run(&format!("in.jsonl --dry-run --out {out}"));
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{said:?}");
        assert!(said.error.contains(says), "{said:?}");
    }
    let said = scene.run("in.jsonl --dry-run --quiet --out new/out");
    let all = (said.code, said.out.as_str(), said.error.as_str());
    assert_eq!(all, (0, "", ""));
    assert_eq!(scene.names(), before);
}

#[test]
fn a_dry_run_counts_the_longest_record() {
    let memory = |words: usize| {
        let record = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(words));
        let scene = Scene::with("in.jsonl", record);
        let said = scene.run("in.jsonl --dry-run --json --threads 2");
        let forecast: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        forecast["memory"].as_u64().unwrap()
    };
    let (short, long) = (memory(1000), memory(2_000_000));
    assert!(long > short + 9_900_000, "{short}, {long}");
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --dry-run");
    let says = "about, and 80 bytes more for each match";
    assert!(said.out.contains(says), "{}", said.out);
}

#[test]
fn fields_that_no_record_has_are_refused_with_those_there_are() {
    let record = "{\"text\": \"a b\", \"score\": 1, \"lang\": \"en\"}\n";
    let scene = Scene::with("in.jsonl", record.repeat(2));
    scene.write("in.csv", "text,score,lang\na b,1,en\n");
    for (slip, field) in [("--keep max:scor", "scor"), ("--within lnag", "lnag")] {
        for input in ["in.jsonl", "in.csv"] {
            let error = scene.fails(1, &format!("{input} {slip} --quiet"));
            let says = format!("no record has a field `{field}`");
            assert!(error.contains(&says), "{error}");
            assert!(error.contains("the first has `"), "{error}");
            for there in ["`text`", "`score`", "`lang`"] {
                assert!(error.contains(there), "{error}");
            }
        }
        // A pipe cannot be read again.
        let said = scene.run_with(&format!("- {slip} --out out"), record);
        assert!(said.code == 1 && said.error.contains(field), "{said:?}");
    }
}

#[test]
fn words_that_are_nearly_right_are_recognised() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("words", "the\n");
    for (slip, says) in [
        ("--shingle wrods:5", "did you mean `words`?"),
        ("--shingle stopword", "did you mean `stopwords`?"),
        ("--normalize nfcc", "did you mean `nfc`?"),
        ("--normalize nfc,case-fold", "did you mean `casefold`?"),
        (
            "--keep max:",
            "names no field: say which, such as max:score",
        ),
        (
            "--stop-words words",
            "--stop-words are for --shingle stopwords, not for words:5",
        ),
        ("--mode report --compress zstd", "--mode report writes none"),
    ] {
        let error = scene.fails(2, &format!("in.jsonl {slip}"));
        assert!(error.contains(says), "{slip}: {error}");
    }
    let error = scene.fails(2, "in.jsonl --shingle words:x");
    assert!(!error.contains("did you mean"), "{error}");
}

#[test]
fn what_cannot_be_reached_is_said_in_similarities() {
    let scene = Scene::with("in.jsonl", five());
    let error = scene.fails(1, "in.jsonl --threshold 0.001 --quiet");
    assert!(
        error.contains("of the pairs at similarity 0.001"),
        "{error}"
    );
    assert!(!error.contains("distance"), "{error}");
}
