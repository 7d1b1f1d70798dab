//! What README shows is what the command prints.

use assert_cmd::cargo::cargo_bin_cmd;

const README: &str = include_str!("../../../../README.md");
/// The folder that README's command writes to, and the rest of the last line, which has times.
const FOLDER: &str = "target/clean";
const TIMES: &str = " of text in ";

#[test]
fn readme_shows_what_the_main_command_prints() {
    let start = "```sh\ncargo run --release -- ";
    let after = README.split_once(start).expect("the main command").1;
    let (arguments, after) = after.split_once("\n```\n").unwrap();
    let shown = after.split_once("```text\n").unwrap().1;
    let shown = shown.split_once("```").unwrap().0;
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("clean").display().to_string();
    let output = cargo_bin_cmd!("lookalike")
        .args(arguments.replace(FOLDER, &folder).split_whitespace())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed = printed.replace(&folder, FOLDER);
    let without_times = |text: &str| text.split_once(TIMES).expect("the last line").0.to_owned();
    assert_eq!(without_times(&printed), without_times(shown));
}
