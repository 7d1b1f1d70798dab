use std::{cell::Cell, path::Path};

/// Who wants to know how far an experiment is. All calls come from one thread.
pub trait Progress {
    /// Results are gathered in this folder, which is removed when the run ends. Whoever ends the process before that
    /// should remove it.
    fn hidden(&self, folder: &Path) {
        let _ = folder;
    }

    /// There will be so many steps: one a run for the truth, and one a repetition.
    fn start(&self, steps: u64) {
        let _ = steps;
    }

    /// So many are done.
    fn reach(&self, done: u64) {
        let _ = done;
    }
}

/// Nobody.
impl Progress for () {}

/// Counts steps.
pub(crate) struct Steps<'a> {
    progress: &'a dyn Progress,
    done: Cell<u64>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(progress: &'a dyn Progress, steps: u64) -> Self {
        progress.start(steps);
        let done = Cell::new(0);
        Self { progress, done }
    }

    pub(crate) fn step(&self) {
        self.done.set(self.done.get() + 1);
        self.progress.reach(self.done.get());
    }
}
