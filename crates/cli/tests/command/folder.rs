//! A folder of its own in which the command runs, so that names in messages are short.

use std::{collections::BTreeSet, fs, path::PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

/// What a run said.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) error: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and makes the folders that it is in.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All files and folders, hidden ones too.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.0.path()).unwrap();
                names.insert(name.to_string_lossy().replace('\\', "/"));
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        names
    }

    /// Runs `lookalike` with these words.
    pub(crate) fn lookalike<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
        stdin: impl Into<Vec<u8>>,
    ) -> Said {
        let output = cargo_bin_cmd!("lookalike")
            .args(words)
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .write_stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            error: text(output.stderr),
        }
    }
}
