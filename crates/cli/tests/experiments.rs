//! `run`, `compare` and `families`.

use std::fs;

use assert_cmd::cargo::cargo_bin_cmd;

/// The exit code, stdout and stderr of a run in a folder.
fn lookalike(folder: &std::path::Path, args: &[&str]) -> (i32, String, String) {
    let mut command = cargo_bin_cmd!("lookalike");
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
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
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pairs.toml"), FILE).unwrap();
    let run = |args: &[&str]| lookalike(folder.path(), args);
    let (code, said, _) = run(&["run", "pairs.toml", "--out", "found", "--width", "100"]);
    assert_eq!(code, 0);
    assert!(
        said.contains("universal") && said.contains("report.html"),
        "{said}"
    );
    for name in ["report.html", "result.json", "result.csv", "run.toml"] {
        assert!(folder.path().join("found").join(name).is_file(), "{name}");
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

#[test]
fn a_comparison_is_a_table_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pairs.toml"), FILE).unwrap();
    let (code, said, _) = lookalike(
        folder.path(),
        &["compare", "pairs.toml", "--small", "--width", "120"],
    );
    assert_eq!(code, 0);
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[1].starts_with("run") && lines[1].contains("recall"),
        "{said}"
    );
    assert!(
        lines[3].starts_with("brute-force") && lines[3].contains(" 1.000 "),
        "{said}"
    );
    // 8 sets: 28 pairs.
    assert!(lines[3].contains(" 28 "), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let (_, json, _) = lookalike(
        folder.path(),
        &["compare", "pairs.toml", "--small", "--json"],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["runs"][1]["candidates"]["count"]["mean"], 28.0);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("wrong.toml"),
        FILE.replace("threshold", "treshold"),
    )
    .unwrap();
    let (code, _, error) = lookalike(folder.path(), &["run", "wrong.toml", "--out", "x"]);
    assert_eq!(code, 1);
    assert!(
        error.starts_with("error: wrong.toml:3:1: unknown field `treshold`")
            && error.contains("did you mean `threshold`?"),
        "{error}"
    );
    assert!(!folder.path().join("x").exists());
    let (code, _, error) = lookalike(folder.path(), &["run", "none.toml", "--out", "x"]);
    assert!(code == 1 && error.contains("none.toml"), "{error}");
}

#[test]
fn families_are_listed_with_what_they_promise() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said, _) = lookalike(folder.path(), &["families", "--width", "300"]);
    assert_eq!(code, 0);
    let line = said.lines().find(|line| line.starts_with("bit-sampling"));
    let line = line.unwrap();
    for word in ["codes", "Hamming distance", "(d1, d2, 1 − d1/n, 1 − d2/n)"] {
        assert!(line.contains(word), "{line}");
    }
}
