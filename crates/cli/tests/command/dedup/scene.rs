//! A folder with inputs, and runs of the command in it.

use std::{collections::BTreeMap, ops::Deref, path::Path};

use serde_json::Value;

use crate::folder::{Folder, Said};

/// A folder of its own; the command runs in it, so that names in messages are short.
pub(crate) struct Scene(Folder);

/// Ids are written as JSON; a cluster is the ids in it by representative, with similarities.
pub(crate) type Clusters = BTreeMap<String, BTreeMap<String, Option<f64>>>;

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

    /// A scene with the input that most tests have.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let scene = Self::new();
        scene.write(name, bytes);
        scene
    }

    /// Runs `lookalike dedup` with these words.
    pub(crate) fn run(&self, args: &str) -> Said {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &str, stdin: impl Into<Vec<u8>>) -> Said {
        let words = ["dedup"].into_iter().chain(args.split_whitespace());
        self.lookalike(words, stdin)
    }

    /// Runs it in a shell that did something first, such as to limit what a process may take.
    #[cfg(unix)]
    pub(crate) fn run_after(&self, first: &str, args: &str) -> Said {
        let script = format!("{first}; exec \"$0\" dedup {args}");
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .arg(assert_cmd::cargo::cargo_bin!("lookalike"))
            .current_dir(self.path(""))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            error: text(output.stderr),
        }
    }

    /// A run that must go well, and quietly.
    pub(crate) fn dedup(&self, args: &str) {
        self.dedup_with(args, "");
    }

    pub(crate) fn dedup_with(&self, args: &str, stdin: impl Into<Vec<u8>>) {
        let said = self.run_with(&format!("{args} --quiet"), stdin);
        let all = (said.code, said.out.as_str(), said.error.as_str());
        assert_eq!(all, (0, "", ""), "{args}");
        assert!(self.hidden().is_empty(), "{args}: {:?}", self.hidden());
    }

    /// The message of a run that must fail with this code, and leave nothing behind.
    pub(crate) fn fails(&self, code: i32, args: &str) -> String {
        let before = self.names();
        let said = self.run(&format!("{args} --out out"));
        assert_eq!(said.code, code, "{args}: {said:?}");
        assert_eq!(self.names(), before, "{args}");
        // What was read may have been said before.
        let start = match said.error.starts_with("error: ") {
            true => 0,
            false => 1 + said.error.find("\nerror: ").expect(&said.error),
        };
        said.error[start..].to_owned()
    }

    /// The names of the files below a folder.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let below = format!("{folder}/");
        let names = self.names();
        let files = names.iter().filter_map(|name| name.strip_prefix(&below));
        files
            .filter(|name| self.path(&format!("{folder}/{name}")).is_file())
            .map(str::to_owned)
            .collect()
    }

    fn hidden(&self) -> Vec<String> {
        let names = self.names();
        let hidden = names.into_iter().filter(|name| name.starts_with('.'));
        hidden.collect()
    }

    pub(crate) fn report(&self, folder: &str) -> Value {
        serde_json::from_str(&self.read(&format!("{folder}/report.json"))).unwrap()
    }

    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        let text = self.read(name);
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub(crate) fn clusters(&self, folder: &str) -> Clusters {
        let lines = self.lines(&format!("{folder}/clusters.jsonl"));
        let cluster = |line: &Value| {
            let members = line["members"].as_array().unwrap();
            assert_eq!(line["size"], members.len() + 1, "{line}");
            let similarity = |member: &Value| member["similarity"].as_f64();
            let member = |member: &Value| (member["id"].to_string(), similarity(member));
            let members = members.iter().map(member).collect();
            (line["representative"].to_string(), members)
        };
        lines.iter().map(cluster).collect()
    }

    /// The pairs as (id, id, similarity).
    pub(crate) fn pairs(&self, folder: &str) -> Vec<(String, String, Option<f64>)> {
        let lines = self.lines(&format!("{folder}/pairs.jsonl"));
        let id = |line: &Value, of: &str| line[of].to_string();
        lines
            .iter()
            .map(|line| (id(line, "a"), id(line, "b"), line["similarity"].as_f64()))
            .collect()
    }

    /// Every file that a run wrote, with the times and threads of the report left out.
    pub(crate) fn written(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let bytes = |name: &String| {
            let path = format!("{folder}/{name}");
            if name != "report.json" {
                return self.bytes(&path);
            }
            let report = self.read(&path);
            let (before, times) = report.split_once("\"times\": {").unwrap();
            let after = times.split_once('}').unwrap().1;
            format!("{before}{after}").into_bytes()
        };
        let files = self.files(folder);
        files
            .into_iter()
            .map(|name| (name.clone(), bytes(&name)))
            .collect()
    }
}

/// Whether a path is there.
pub(crate) fn exists(path: impl AsRef<Path>) -> bool {
    path.as_ref().exists()
}
