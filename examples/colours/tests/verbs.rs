//! Colours work in every verb, with a flag of their own.

use std::fs;

use assert_cmd::cargo::cargo_bin_cmd;
use colours::{Colour, Rgb};
use lookalike_core::plugin::{Kind, Value};
use lookalike_core::random;
use tempfile::TempDir;

/// Oranges, greens, and a black that is like nothing.
const PALETTE: &str = "#ff8800\n#ff8a02\n#00a040\n\n#000000\n#02a13e\n#fd8701\n";

/// The exit code, stdout and stderr of a run in a folder.
fn run(folder: &TempDir, args: &str) -> (i32, String, String) {
    let mut command = cargo_bin_cmd!("colours");
    let command = command.args(args.split(' ')).current_dir(folder.path());
    let output = command.env_remove("COLUMNS").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// What a run that must go well writes.
fn done(folder: &TempDir, args: &str) -> String {
    let (code, out, error) = run(folder, args);
    assert_eq!(code, 0, "{args}: {error}");
    out
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("palette.txt"), PALETTE).unwrap();
    folder
}

#[test]
fn pairs_are_found() {
    let folder = folder();
    let found = "4\tpalette.txt:1\tpalette.txt:2\n4\tpalette.txt:1\tpalette.txt:7\n\
                 5\tpalette.txt:3\tpalette.txt:6\n6\tpalette.txt:2\tpalette.txt:7\n";
    assert_eq!(done(&folder, "pairs palette.txt --rgb 6 --exact"), found);
    let by_cuts = "pairs palette.txt --rgb 6 --family random-cuts --recall 0.999";
    assert_eq!(done(&folder, by_cuts), found);
    let (_, _, plan) = run(&folder, by_cuts);
    assert!(
        plan.contains("6 colours, RGB difference at most 6"),
        "{plan}"
    );
}

/// Many colours: the plan takes the family, and what it finds is a subset of what brute force finds.
#[test]
fn the_family_finds_what_it_promises() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = random::stream(1, 0);
    let mut colours: Vec<Rgb> = Vec::new();
    for _ in 0..5000 {
        let colour = [(); 3].map(|()| random::below(250, &mut rng) as u8);
        let near = colour.map(|value| value + random::below(3, &mut rng) as u8);
        colours.extend([colour, near]);
    }
    let lines: String = colours
        .iter()
        .map(|it| Colour::show(it, 0) + "\n")
        .collect();
    fs::write(folder.path().join("many.txt"), lines).unwrap();
    let (code, found, plan) = run(&folder, "pairs many.txt --rgb 6");
    assert_eq!(code, 0, "{plan}");
    assert!(plan.contains("\nrandom-cuts"), "{plan}");
    let all = done(&folder, "pairs many.txt --rgb 6 --family brute-force");
    let all: std::collections::HashSet<&str> = all.lines().collect();
    assert!(found.lines().all(|pair| all.contains(pair)));
    // At the threshold 95 % are found, nearer pairs more often.
    let share = found.lines().count() as f64 / all.len() as f64;
    assert!(share > 0.95, "{share}");
}

#[test]
fn queries_are_answered() {
    let folder = folder();
    let line = "text\t2\tpalette.txt:1\ntext\t4\tpalette.txt:2\n";
    assert_eq!(
        done(&folder, "query palette.txt --text #ff8701 --rgb 4 --self")
            .lines()
            .count(),
        3
    );
    assert_eq!(
        done(
            &folder,
            "query palette.txt --text #ff8900 --measure rgb -k 2"
        ),
        line.replace("\t2\t", "\t1\t").replace("\t4\t", "\t3\t")
    );
    let records =
        "{\"id\": \"sky\", \"colour\": \"#87ceeb\"}\n{\"id\": \"sea\", \"colour\": \"#88cdea\"}\n";
    fs::write(folder.path().join("named.jsonl"), records).unwrap();
    let json = done(&folder, "query named.jsonl named.jsonl --rgb 10 --json");
    assert!(
        json.starts_with("{\"query\": \"sky\", \"hits\": [{\"id\": \"sea\", \"distance\": 3}]}"),
        "{json}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    fs::write(folder.path().join("wrong.txt"), "#ff8800\norange\n").unwrap();
    let (code, _, error) = run(&folder, "pairs wrong.txt --rgb 6");
    assert_eq!(code, 1);
    assert_eq!(
        error,
        "error: wrong.txt:2: `orange` is not a colour such as #ff8800\n"
    );
    for (args, message) in [
        (
            "pairs palette.txt --rgb 6.5",
            "must be a whole number, 0 or more",
        ),
        ("pairs palette.txt --rgb 765", "must be below 765"),
        (
            "pairs palette.txt --rgb 6 --hamming 2",
            "cannot be used with",
        ),
        (
            "pairs palette.txt --hamming 6 --kind colour",
            "items of the kind colour have no hamming",
        ),
        (
            "query palette.txt --text #000000 --measure rgp -k 1",
            "did you mean `rgb`?",
        ),
    ] {
        let (code, _, error) = run(&folder, args);
        assert_eq!(code, 2, "{args}: {error}");
        assert!(error.contains(message), "{args}: {error}");
    }
    for text in ["#+12345", "#12345", "ff8800", "#ff88000"] {
        let parsed = Colour::parse(Value::Text(text), &(), &mut Vec::new());
        assert!(parsed.is_err(), "{text}");
    }
}

#[test]
fn families_lists_colours_with_their_promise() {
    let folder = folder();
    let list = done(&folder, "families");
    let (_, own) = list.split_once("\ncolour\n").unwrap();
    let lines: Vec<&str> = own.lines().map(str::trim).collect();
    assert_eq!(lines[0], "--rgb RGB difference");
    assert!(
        lines.contains(&"random-cuts  is red, green or blue above a random cut?"),
        "{own}"
    );
    // 1 − 6/765 and 1 − 24/765.
    assert!(own.contains("(6, 24, 0.99216, 0.96863)-sensitive"), "{own}");
    assert!(
        list.contains("--jaccard"),
        "the families of the project are there, too"
    );
}

#[test]
fn help_completions_and_manual_have_the_flag() {
    let folder = folder();
    for verb in ["pairs", "query"] {
        let help = done(&folder, &format!("{verb} --help"));
        assert!(
            help.contains("--rgb <N>\n          RGB difference of at most N"),
            "{help}"
        );
        assert!(help.contains(&format!("Usage: colours {verb}")), "{help}");
    }
    let help = done(&folder, "query --help");
    assert!(help.contains("--jaccard S|--hamming N|"), "{help}");
    assert!(help.contains("|--rgb N [OPTIONS]"), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = done(&folder, &format!("completions {shell}"));
        assert!(
            script.contains("rgb") && script.contains("colours"),
            "{shell}"
        );
    }
    done(&folder, "man --out man");
    for verb in ["pairs", "query"] {
        let page =
            fs::read_to_string(folder.path().join(format!("man/lookalike-{verb}.1"))).unwrap();
        assert!(page.contains("\\-\\-rgb"), "{verb}: {page}");
    }
}

#[test]
fn colours_are_read_as_they_are_shown() {
    let mut rng = random::stream(2, 0);
    let mut read = Vec::new();
    for number in 0..1000 {
        let colour = [(); 3].map(|()| random::below(256, &mut rng) as u8);
        let shown = Colour::show(&colour, 0);
        Colour::parse(Value::Text(&shown), &(), &mut read).unwrap();
        assert_eq!(read[number], colour, "{shown}");
    }
}

/// The file of an experiment names the measure, the family and the kind like any other.
#[test]
fn a_file_runs() {
    let folder = folder();
    let file = "seeds = 20\nrgb = 12\nbands = 8\nrows = 40\n[family]\nname = \"random-cuts\"\n[data]\ninputs = [\"palette.txt\"]\n";
    fs::write(folder.path().join("cuts.toml"), file).unwrap();
    let table = done(&folder, "run cuts.toml --out measured");
    assert!(
        table.contains("recall") && table.contains("Memory not measured"),
        "{table}"
    );
    let json = fs::read_to_string(folder.path().join("measured/result.json")).unwrap();
    for expected in [
        "\"family\": \"random-cuts\"",
        "\"kind\": \"colour\"",
        "\"measure\": \"RGB difference\"",
        "\"threshold\": 12.0",
    ] {
        assert!(json.contains(expected), "{expected}: {json}");
    }
    assert!(done(&folder, "compare cuts.toml").contains("candidates"));
    let (code, _, error) = run(&folder, "compare missing.toml");
    assert_eq!(code, 1, "{error}");
    fs::write(folder.path().join("cuts.toml"), file.replace("rgb", "rbg")).unwrap();
    let (code, _, error) = run(&folder, "compare cuts.toml");
    assert!(
        code == 1 && error.contains("unknown field `rbg`"),
        "{error}"
    );
}
