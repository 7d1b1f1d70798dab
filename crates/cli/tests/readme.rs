//! What README shows is what the command prints.

use assert_cmd::cargo::cargo_bin_cmd;

const README: &str = include_str!("../../../README.md");

#[test]
fn readme_shows_what_the_main_command_prints() {
    let start = "```sh\ncargo run --release -- ";
    let after = README.split_once(start).expect("the main command").1;
    let (arguments, after) = after.split_once("\n```\n").unwrap();
    let shown = after.split_once("```text\n").unwrap().1;
    let shown = shown.split_once("```").unwrap().0;
    let output = cargo_bin_cmd!("lookalike")
        .args(arguments.split_whitespace())
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown);
}
