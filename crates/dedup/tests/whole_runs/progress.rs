//! A listener hears from every stage while it runs, not only when it ends.

use std::{fmt::Write, sync::Mutex};

use lookalike_dedup::{Config, Mode, Verification, run};
use lookalike_output::{Inventory, Progress, Stage};

use crate::found::registry;

/// What a run reported, stage by stage.
#[derive(Default)]
struct Heard(Mutex<Log>);

#[derive(Default)]
struct Log {
    stages: Vec<(Stage, Vec<u64>)>,
    inputs: Option<Inventory>,
}

impl Progress for Heard {
    fn start(&self, stage: Stage, _: Option<u64>) {
        self.0.lock().unwrap().stages.push((stage, Vec::new()));
    }

    fn inputs(&self, inventory: &Inventory) {
        self.0.lock().unwrap().inputs = Some(inventory.clone());
    }

    fn reach(&self, done: u64) {
        let mut log = self.0.lock().unwrap();
        log.stages.last_mut().unwrap().1.push(done);
    }
}

/// A thousand groups of four texts that differ in one word.
fn corpus() -> String {
    let mut lines = String::new();
    for document in 0..4000 {
        let (group, member) = (document / 4, document % 4);
        let words = (0..50).map(|i| match i == member {
            true => format!("other{document} "),
            false => format!("w{group}x{i} "),
        });
        let text: String = words.collect();
        writeln!(lines, "{{\"text\": \"{text}\"}}").unwrap();
    }
    lines
}

#[test]
fn comparing_and_writing_move_within_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.jsonl");
    std::fs::write(&input, corpus()).unwrap();
    for (number, (mode, verification)) in [
        (Mode::Remove, Verification::Exact),
        (Mode::Annotate, Verification::Signature),
        (Mode::Remove, Verification::None),
    ]
    .into_iter()
    .enumerate()
    {
        let mut config = Config {
            threshold: 0.6,
            ..Config::default()
        };
        config.data.inputs = vec![input.display().to_string()];
        config.output.mode = mode;
        config.verify.method = verification;
        let heard = Heard::default();
        run(
            &registry(),
            &config,
            &folder.path().join(number.to_string()),
            &heard,
        )
        .unwrap();
        let log = heard.0.into_inner().unwrap();
        assert_eq!(log.inputs.unwrap().items, 4000);
        let stages: Vec<Stage> = log.stages.iter().map(|stage| stage.0).collect();
        assert_eq!(stages, [Stage::Read, Stage::Compare, Stage::Write]);
        for (stage, reached) in &log.stages[1..] {
            let mut steps = reached.clone();
            steps.sort_unstable();
            steps.dedup();
            assert!(steps.len() >= 3, "{stage:?} {verification:?}: {reached:?}");
        }
        assert_eq!(log.stages[2].1.last(), Some(&4000));
    }
}
