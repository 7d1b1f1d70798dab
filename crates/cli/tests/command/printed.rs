//! A command that reads no files, and what it prints.

use assert_cmd::Command;
use serde_json::Value;

/// A command with its arguments, on a terminal of unknown width.
pub(crate) fn command(verb: &str, args: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    command
        .arg(verb)
        .args(args.split(' '))
        .env_remove("COLUMNS");
    command
}

/// What it prints if nothing is wrong.
pub(crate) fn text(verb: &str, args: &str) -> String {
    let assert = command(verb, args).assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// What it prints with `--json`.
pub(crate) fn json(verb: &str, args: &str) -> Value {
    serde_json::from_str(&text(verb, &format!("{args} --json"))).unwrap()
}

/// What it says where it fails with a code.
pub(crate) fn refused(code: i32, verb: &str, args: &str) -> String {
    let assert = command(verb, args).assert().code(code).stdout("");
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Fails unless two numbers are closer than `within`.
#[track_caller]
pub(crate) fn assert_near(found: &Value, expected: f64, within: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < within, "{found}, not {expected}");
}
