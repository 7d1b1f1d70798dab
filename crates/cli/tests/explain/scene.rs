//! A folder with documents, and runs of the command in it.

use std::{fs, path::PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the command runs.
pub(crate) struct Scene(TempDir);

impl Scene {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), bytes).unwrap();
        self
    }

    /// The exit code, stdout and stderr of a command.
    pub(crate) fn run(&self, args: &str) -> (i32, String, String) {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &str, stdin: &str) -> (i32, String, String) {
        let output = cargo_bin_cmd!("lookalike")
            .args(args.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .write_stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// What a command prints that must go well.
    pub(crate) fn says(&self, args: &str) -> String {
        let (code, out, error) = self.run(args);
        assert_eq!((code, error.as_str()), (0, ""), "{args}");
        out
    }

    pub(crate) fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.says(&format!("{args} --json"))).unwrap()
    }

    /// The message of a command that must fail.
    pub(crate) fn fails(&self, code: i32, args: &str) -> String {
        let (found, out, error) = self.run(args);
        assert_eq!((found, out.as_str()), (code, ""), "{args}: {error}");
        error
    }
}

pub(crate) fn roses() -> Scene {
    let scene = Scene::new();
    scene.write("red.txt", "A rose is red, a rose is white.");
    scene.write("white.txt", "A rose is white, a rose is red.");
    scene
}
