use std::path::Path;

/// What a long run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Documents are read and hashed; progress is in bytes.
    Read,
    /// Candidates are found and compared; progress is in candidates.
    Compare,
    /// Results are written; progress is in documents.
    Write,
    /// Experiments run; progress is in steps: one per run for the truth, and one per repetition.
    Measure,
}

/// A listener that is told how far a run is. All calls come from one thread.
pub trait Progress {
    /// Results will be gathered in this folder, which is removed when the run ends. A caller that ends the process
    /// earlier should remove it.
    fn temporary(&self, folder: &Path) {
        let _ = folder;
    }

    /// A stage begins; `total` is its size, if that is known.
    fn start(&self, stage: Stage, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// The stage has come this far.
    fn reach(&self, done: u64) {
        let _ = done;
    }
}

/// Listens to nothing.
impl Progress for () {}
