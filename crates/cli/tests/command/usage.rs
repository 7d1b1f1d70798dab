//! Wrong use, help, and readers that leave early.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The exit code, stdout and stderr of a run.
fn run(args: &str) -> (i32, String, String) {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    let output = command.args(args.split_whitespace()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn wrong_use_says_what_was_given_and_what_would_do() {
    for (args, given, would_do) in [
        (
            "curve",
            "no scheme",
            "--bands 20 --rows 5, or --amplify and:5,or:20",
        ),
        ("curve --bands 20", "--bands", "--rows <N,..>"),
        ("curve --rows 5", "--rows", "--bands <N,..>"),
        (
            "curve --bands 20,15,10 --rows 5,6",
            "--bands 20,15,10 has 3",
            "as many of both, or one",
        ),
        ("curve --bands 0 --rows 5", "'0' for '--bands", "1..="),
        ("curve --bands 20 --rows 0", "'0' for '--rows", "1..="),
        ("curve --bands 20 --rows -5", "'-5' for '--rows", "1..="),
        (
            "curve --bands 20 --rows 2.5",
            "'2.5' for '--rows",
            "invalid digit",
        ),
        (
            "curve --bands 4294967295 --rows 5",
            "--bands 4294967295",
            "at most 858993459 bands",
        ),
        (
            "curve --bands 4294967296 --rows 1",
            "'4294967296'",
            "1..=4294967295",
        ),
        (
            "curve --bands 1,2,3,4,5,6,7,8,9,10,11,12,13 --rows 1",
            "13 schemes",
            "at most 12",
        ),
        ("curve --amplify xor:3", "'xor:3'", "like and:5 or or:20"),
        ("curve --amplify and:0", "'and:0'", "1 or more"),
        (
            "curve --amplify and:5 --step 0",
            "'0' for '--step",
            "from 0.001 to 1",
        ),
        (
            "curve --amplify and:5 --step 1e-9",
            "'1e-9' for '--step",
            "from 0.001 to 1",
        ),
        (
            "curve --amplify and:5 --step nan",
            "'nan' for '--step",
            "from 0.001 to 1",
        ),
        (
            "curve --amplify and:5 --at 0.5,1.5",
            "'1.5' for '--at",
            "from 0 to 1",
        ),
        (
            "curve --amplify and:5 --at -0.5",
            "'-0.5' for '--at",
            "from 0 to 1",
        ),
        (
            "curve --amplify and:5 --width 0",
            "'0' for '--width",
            "40..=400",
        ),
        (
            "curve --amplify and:5 --width 100000",
            "'100000' for '--width",
            "40..=400",
        ),
        ("tune", "required", "--threshold <S>"),
        (
            "tune --threshold 1.5",
            "'1.5' for '--threshold",
            "from 0.001 to 1, such as 0.8",
        ),
        (
            "tune --threshold 75",
            "'75' for '--threshold",
            "75 percent is 0.75",
        ),
        (
            "tune --threshold nan",
            "'nan' for '--threshold",
            "from 0.001 to 1",
        ),
        (
            "tune --threshold inf",
            "'inf' for '--threshold",
            "from 0.001 to 1",
        ),
        (
            "tune --threshold -1",
            "'-1' for '--threshold",
            "from 0.001 to 1",
        ),
        (
            "tune --threshold 1e-300",
            "'1e-300' for '--threshold",
            "from 0.001 to 1",
        ),
        (
            "tune --threshold 0.8 --rare 0.8",
            "--rare 0.8",
            "below --threshold 0.8, such as 0.6",
        ),
        (
            "tune --threshold 0.8 --rare 0.9",
            "--rare 0.9",
            "below --threshold 0.8",
        ),
        (
            "tune --threshold 0.8 --recall 1",
            "'1' for '--recall",
            "0.999",
        ),
        (
            "tune --threshold 0.8 --recall 0",
            "'0' for '--recall",
            "above 0 and below 1",
        ),
        (
            "tune --threshold 0.8 --recall 0.9 --avoid false-positives",
            "--recall",
            "--avoid false-negatives",
        ),
        (
            "tune --threshold 0.8 --rare 1.5",
            "--rare 1.5",
            "from 0 to 1, such as 0.6",
        ),
        (
            "tune --threshold 0.8 --jaccard 0.8",
            "--jaccard",
            "cannot be used with",
        ),
        ("tune --jaccard 80", "'80' for '--jaccard", "--jaccard 0.8"),
        (
            "tune --jaccard 0.8 --rare 0.9",
            "--rare 0.9",
            "below --jaccard 0.8",
        ),
        (
            "tune --hamming 6 --bits 64 --rare 3",
            "--rare 3",
            "above --hamming 6",
        ),
        ("tune --hamming 6", "width of the items", "--bits 64"),
        (
            "tune --hamming 64 --bits 64",
            "--hamming 64",
            "the largest Hamming distance of codes of 64 bits is 64",
        ),
        ("tune --tlsh 30", "--tlsh 30", "lookalike families"),
        (
            "tune --jaccard 0.8 --family univresal",
            "univresal",
            "did you mean `universal`?",
        ),
        (
            "tune --jaccard 0.8 --family bit-sampling",
            "bit-sampling is not for --jaccard",
            "--hamming",
        ),
        (
            "tune --jaccard 0.8 --set blocks=3",
            "unknown parameter `blocks`",
            "known are",
        ),
        (
            "tune --threshold 0.8 --family universal",
            "--family",
            "--jaccard",
        ),
        ("tune --estimate 0.05 --svg a.svg", "--svg", "--threshold"),
        (
            "tune --threshold 0.8 --avoid both",
            "'both'",
            "false-negatives, false-positives",
        ),
        (
            "tune --threshold 0.8 --budget 0",
            "'0' for '--budget",
            "1..=65536",
        ),
        (
            "tune --threshold 0.8 --budget 4294967295",
            "'4294967295' for '--budget",
            "1..=65536",
        ),
        (
            "tune --threshold 0.8 --confidence 0.9",
            "--confidence",
            "--estimate <EPS>",
        ),
        (
            "tune --estimate 0.05 --budget 100",
            "--budget",
            "--threshold <S>",
        ),
        ("tune --estimate 0", "'0' for '--estimate", "from 0.0001"),
        (
            "tune --estimate 1e-300",
            "'1e-300' for '--estimate",
            "from 0.0001",
        ),
        (
            "tune --estimate 0.1 --confidence 1",
            "'1' for '--confidence",
            "below 1",
        ),
        ("tune --treshold 0.8", "'--treshold'", "'--threshold'"),
        ("tuen", "'tuen'", "'tune'"),
    ] {
        let (code, out, error) = run(args);
        assert_eq!(code, 2, "{args}: {error}");
        assert_eq!(out, "", "{args}");
        assert!(error.contains(given), "{args}: {error}");
        assert!(error.contains(would_do), "{args}: {error}");
        assert!(error.contains("try '--help'"), "{args}: {error}");
    }
}

/// Commands that need a corpus; they have tests of their own.
const NEEDS_FILES: [&str; 8] = [
    "dedup",
    "explain",
    "audit",
    "index",
    "query",
    "pairs",
    "fingerprint",
    "run",
];

#[test]
fn help_teaches_by_example_and_the_examples_run() {
    let (code, help, _) = run("--help");
    assert_eq!(code, 0);
    for text in ["dedup", "curve", "tune", "Exit codes:", "2 wrong use"] {
        assert!(help.contains(text), "{text}: {help}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut examples = 0;
    for page in ["curve --help", "tune --help", "sensitivity --help"] {
        let (_, help, _) = run(page);
        let (_, after) = help.split_once("Examples:\n").unwrap();
        let after = after.replace("\\\n", "");
        for line in after.lines().map(str::trim) {
            let example = line.strip_prefix("lookalike ");
            if let Some(args) =
                example.filter(|args| !NEEDS_FILES.iter().any(|command| args.starts_with(command)))
            {
                examples += 1;
                let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
                command.args(args.split_whitespace()).current_dir(&folder);
                let output = command.assert().success().stderr("").get_output().clone();
                assert!(!output.stdout.is_empty(), "{args}");
            }
        }
    }
    assert_eq!(examples, 21);
}

/// Whoever reads the help, README or the cookbook learns what is compared.
#[test]
fn tokens_are_defined_where_users_look() {
    let (_, help, _) = run("dedup --help");
    let readme = include_str!("../../../../README.md");
    let cookbook = include_str!("../../../../docs/cookbook.md");
    for (name, text) in [("help", &*help), ("README", readme), ("cookbook", cookbook)] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [
            "letters and digits, in lower case",
            "\"a + b\" equals \"a - b\"",
            "not equal bytes",
            "--tokens whitespace",
            "--copies-only",
            "--by",
        ] {
            assert!(text.contains(said), "{name}: {said}");
        }
    }
}

#[test]
fn the_version_is_the_packages() {
    let (code, out, _) = run("--version");
    assert_eq!(
        (code, out),
        (0, format!("lookalike {}\n", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn lines_fit_the_width() {
    for args in [
        "tune --threshold 0.8",
        "tune --threshold 0.8 --budget 100 --avoid false-negatives",
        "tune --hamming 6 --bits 64",
        "sensitivity universal --d1 0.2 --d2 0.6 --amplify and:5,or:20",
        "curve --bands 20,15,10,5 --rows 5 --at 0.8",
        "curve --bands 20,15 --rows 5 --threshold 0.6",
    ] {
        let (_, out, _) = run(&format!("{args} --width 80"));
        let widest = out.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{widest}");
    }
}

#[test]
fn the_environment_gives_the_width() {
    let curve = "curve --amplify and:5";
    for (columns, width) in [
        ("120", 120),
        ("0", 40),
        ("65535", 400),
        ("", 80),
        ("-1", 80),
        ("wide", 80),
        ("99999999999", 80),
    ] {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
        command.args(curve.split(' ')).env("COLUMNS", columns);
        let (_, expected, _) = run(&format!("{curve} --width {width}"));
        command.assert().success().stdout(expected);
    }
}

/// More than a pipe holds, so that the writer meets the closed end.
#[test]
fn a_reader_may_leave_after_the_first_line() {
    for json in [&[][..], &["--json"]] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
            .args([
                "curve",
                "--rows",
                "5",
                "--bands",
                "1,2,3,4,5,6,7,8,9,10,11,12",
            ])
            .args(["--step", "0.001"])
            .args(json)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut reader = BufReader::with_capacity(64, child.stdout.take().unwrap());
        reader.read_line(&mut first).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert!(!first.is_empty());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Every command whose help has something after the options.
const PAGES: [&str; 22] = [
    "clusters",
    "codes",
    "pairs",
    "families",
    "dedup",
    "explain",
    "audit",
    "query",
    "index",
    "index build",
    "index add",
    "index remove",
    "index stats",
    "curve",
    "fingerprint",
    "fingerprint enroll",
    "fingerprint search",
    "fingerprint pairs",
    "fingerprint evaluate",
    "tune",
    "trace",
    "completions",
];

#[test]
fn examples_and_tables_of_the_help_fit_a_terminal() {
    for page in PAGES {
        // Nothing is wrapped at this width: lines are as they were written.
        let output = assert_cmd::cargo::cargo_bin_cmd!("lookalike")
            .args(page.split_whitespace())
            .arg("--help")
            .env("COLUMNS", "400")
            .output()
            .unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let starts = ["Examples:", "Words:"];
        let start = starts.iter().filter_map(|start| help.find(start)).min();
        let after = &help[start.unwrap_or_else(|| panic!("{page}: no examples"))..];
        for line in after.lines().filter(|line| line.starts_with(' ')) {
            assert!(line.chars().count() <= 78, "{page}: {line}");
        }
    }
}

/// The disk that is full may be another one than that of the results.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_named() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let output = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .args(["tune", "--threshold", "0.8"])
        .stdout(full.unwrap())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: cannot write to stdout: No space left on device"),
        "{error}"
    );
    assert_eq!(output.status.code(), Some(1));
}
