//! A folder with documents, and runs of the command in it.

use std::{ops::Deref, process::Command};

use serde_json::{Value, json};

use crate::folder::{Folder, Said};

/// A folder of its own; the command runs in it, so that names in messages are short.
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

    /// A scene with the corpus that most tests have, and an index of it that finds what is three tenths alike for certain.
    pub(crate) fn with_index() -> Self {
        let scene = Self::new();
        scene.write("in.jsonl", six());
        scene.quiet("index build in.jsonl --out in.idx --bands 64 --rows 1");
        scene
    }

    /// Runs `lookalike` with these words.
    pub(crate) fn run(&self, args: &str) -> Said {
        let args: Vec<&str> = args.split_whitespace().collect();
        self.run_with(&args, "")
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: impl Into<Vec<u8>>) -> Said {
        self.lookalike(args.iter().copied(), stdin)
    }

    /// The command, to be run in another way.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"));
        command
            .args(args.split_whitespace())
            .current_dir(self.path(""));
        command
    }

    /// What a run says that must go well.
    pub(crate) fn says(&self, args: &str) -> String {
        let said = self.run(args);
        assert_eq!((said.code, said.error.as_str()), (0, ""), "{args}");
        said.out
    }

    /// A run that must go well, and quietly.
    pub(crate) fn quiet(&self, args: &str) {
        assert_eq!(self.says(&format!("{args} --quiet")), "", "{args}");
    }

    /// The JSON documents that a run writes.
    pub(crate) fn json(&self, args: &str) -> Vec<Value> {
        let out = self.says(&format!("{args} --json"));
        let values = serde_json::Deserializer::from_str(&out).into_iter();
        values.map(Result::unwrap).collect()
    }

    /// The (id, similarity) that are found for each query, ids as JSON.
    pub(crate) fn hits(&self, args: &str) -> Vec<Vec<(String, f64)>> {
        let hit = |hit: &Value| (hit["id"].to_string(), hit["similarity"].as_f64().unwrap());
        let hits = |line: &Value| line["hits"].as_array().unwrap().iter().map(hit).collect();
        self.json(args).iter().map(hits).collect()
    }

    /// The message of a run that must fail with this code, and change nothing.
    pub(crate) fn fails(&self, code: i32, args: &str) -> String {
        let before = self.names();
        let said = self.run(args);
        assert_eq!(said.code, code, "{args}: {said:?}");
        assert!(said.error.starts_with("error: "), "{args}: {said:?}");
        assert_eq!(self.names(), before, "{args}");
        said.error
    }
}

/// A hundred words that no other tag has, those at the given places replaced.
///
/// It has 96 shingles of five words. Two texts that differ in n places far from each other have 96 − 5n of
/// 96 + 5n in common.
pub(crate) fn passage(tag: &str, replaced: &[usize]) -> String {
    let word = |i| match replaced.contains(&i) {
        true => format!("{tag}new{i}"),
        false => format!("{tag}{i}"),
    };
    let words: Vec<String> = (0..100).map(word).collect();
    words.join(" ")
}

/// The similarity of two passages of a tag that differ in so many places, as it is written.
pub(crate) fn similarity(places: usize) -> f64 {
    let exact = (96 - 5 * places) as f64 / (96 + 5 * places) as f64;
    (exact * 1e9).round() / 1e9
}

pub(crate) fn record(id: impl Into<Value>, text: &str) -> String {
    format!("{}\n", json!({"id": id.into(), "text": text}))
}

/// Six records: "near" and "far" are like "first", "copy" and 7 are equal to it, "other" is like nothing.
pub(crate) fn six() -> String {
    [
        record("first", &passage("a", &[])),
        record("near", &passage("a", &[50])),
        record("far", &passage("a", &[10, 20, 30, 40, 60, 70, 80])),
        record("other", &passage("b", &[])),
        record("copy", &passage("a", &[])),
        record(7, &passage("a", &[])),
    ]
    .concat()
}
