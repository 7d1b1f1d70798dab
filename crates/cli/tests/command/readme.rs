//! The README is true: its commands run as printed, one after the other, and print what it shows.

use std::{path::Path, process::Command};

const README: &str = include_str!("../../../../README.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The rest of the last line has times.
const TIMES: &str = " of text in ";

/// The commands of the blocks for a shell, without those that build the command.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let is_ours = |line: &&str| !line.starts_with("cargo ") && !line.starts_with("export ");
    lines.filter(is_ours).collect()
}

/// Runs a line in a shell that finds the command.
fn run(line: &str, folder: &Path) -> (bool, String) {
    let program = assert_cmd::cargo::cargo_bin!("lookalike");
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("bash")
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env_remove("COLUMNS")
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stderr) + &text(output.stdout),
    )
}

#[test]
fn every_command_of_the_readme_runs_and_the_first_prints_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["examples", "configs"] {
        let copy = format!("cp -r '{ROOT}/{name}' .");
        assert!(run(&copy, folder.path()).0, "{copy}");
    }
    let commands = commands();
    assert!(commands.len() > 20, "{}", commands.len());
    for verb in ["dedup", "clusters", "pairs", "query", "fingerprint", "run"] {
        let command = format!("lookalike {verb} ");
        assert!(
            commands.iter().any(|line| line.starts_with(&command)),
            "{verb}"
        );
    }
    let printed: Vec<String> = commands
        .iter()
        .map(|line| {
            let (is_done, printed) = run(line, folder.path());
            assert!(is_done, "{line}\n{printed}");
            printed
        })
        .collect();
    assert!(
        commands[0].starts_with("lookalike dedup "),
        "{}",
        commands[0]
    );
    let shown = README.split_once("```text\n").unwrap().1;
    let shown = shown.split_once("```").unwrap().0;
    let without_times = |text: &str| text.split_once(TIMES).expect("the last line").0.to_owned();
    assert_eq!(without_times(&printed[0]), without_times(shown));
    let clusters = std::fs::read_to_string(folder.path().join("clean/clusters.jsonl")).unwrap();
    let shown = README.split_once("```json\n").unwrap().1;
    let shown = shown.split_once("\n```").unwrap().0;
    assert!(clusters.lines().any(|line| line == shown), "{shown}");
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() <= 220, "{}", README.lines().count());
    let rows = README.lines().filter(|line| line.starts_with('|')).count();
    assert!(rows <= 2 + 15, "{rows}");
}
