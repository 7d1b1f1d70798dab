//! A folder with documents, and runs of the command in it.

use std::ops::Deref;

use serde_json::Value;

use crate::folder::Folder;

/// A folder in which the command runs.
pub(crate) struct Scene(Folder);

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self(Folder::new())
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        self.0.write(name, bytes);
        self
    }

    /// The exit code, stdout and stderr of a command.
    pub(crate) fn run(&self, args: &str) -> (i32, String, String) {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &str, stdin: &str) -> (i32, String, String) {
        let said = self.lookalike(args.split_whitespace(), stdin);
        (said.code, said.out, said.error)
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
