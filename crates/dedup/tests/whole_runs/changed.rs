//! Inputs that change while a run uses them: the run fails and writes nothing.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::PathBuf,
};

use lookalike_corpus::ErrorKind;
use lookalike_dedup::{Config, Error, Mode, run};
use lookalike_output::{Progress, Stage};

use crate::found::registry;

/// Appends bytes to a file when a stage starts, and restores the time of modification.
struct Appends {
    stage: Stage,
    path: PathBuf,
    bytes: &'static [u8],
}

impl Progress for Appends {
    fn start(&self, stage: Stage, _: Option<u64>) {
        if stage == self.stage {
            let before = fs::metadata(&self.path).unwrap().modified().unwrap();
            let mut file = OpenOptions::new().append(true).open(&self.path).unwrap();
            file.write_all(self.bytes).unwrap();
            file.set_modified(before).unwrap();
        }
    }
}

/// Before the fix, a record that was appended before the writing pass was in `kept`, and had not been compared.
#[test]
fn a_record_that_is_appended_in_any_stage_ends_the_run() {
    let inputs: [(&str, &str, &'static [u8]); 4] = [
        (
            "in.jsonl",
            "{\"text\": \"one\"}\n{\"text\": \"two\"}\n",
            b"{\"text\": \"one\"}\n",
        ),
        ("in.csv", "text\none\ntwo\n", b"one\n"),
        ("in.txt", "one\ntwo\n", b"one\n"),
        (
            "in.json",
            "[{\"text\": \"one\"}, {\"text\": \"two\"}]\n",
            b" ",
        ),
    ];
    for (name, content, bytes) in inputs {
        for stage in [Stage::Compare, Stage::Write] {
            for mode in [Mode::Remove, Mode::Annotate, Mode::Ids, Mode::Report] {
                if mode == Mode::Annotate && name == "in.txt" {
                    continue;
                }
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                fs::write(&path, content).unwrap();
                let mut config = Config::default();
                config.data.inputs = vec![path.display().to_string()];
                config.output.mode = mode;
                let appends = Appends { stage, path, bytes };
                let out = folder.path().join("out");
                let error = run(&registry(), &config, &out, &appends).unwrap_err();
                let is_changed =
                    matches!(&error, Error::Corpus(error) if error.kind() == ErrorKind::Changed);
                assert!(is_changed, "{name} {stage:?} {mode:?}: {error}");
                let left = fs::read_dir(folder.path()).unwrap().count();
                assert_eq!(left, 1, "{name} {stage:?} {mode:?}");
            }
        }
    }
}
