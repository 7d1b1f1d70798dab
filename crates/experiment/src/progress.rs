use std::cell::Cell;

use lookalike_output::{Progress, Stage};

/// Counts the steps of an experiment.
pub(crate) struct Steps<'a> {
    progress: &'a dyn Progress,
    done: Cell<u64>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(progress: &'a dyn Progress, steps: u64) -> Self {
        progress.start(Stage::Measure, Some(steps));
        let done = Cell::new(0);
        Self { progress, done }
    }

    pub(crate) fn step(&self) {
        self.done.set(self.done.get() + 1);
        self.progress.reach(self.done.get());
    }
}
