use serde::Serialize;
use std::path::{Path, PathBuf};

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

/// What the inputs of a run turned out to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inventory {
    /// Documents or other items.
    pub items: u64,
    /// The formats of the files, and how many files have each, in the order of the inputs.
    pub formats: Vec<FormatFiles>,
    /// Files of folders that were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Values that were read and hold no item.
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
}

/// Values that hold no item, such as files that are too short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// How many there are.
    pub count: u64,
    /// What the first of them are called.
    pub first: Vec<String>,
    /// Why they hold none.
    pub reason: &'static str,
}

impl LeftOut {
    /// How many are named.
    pub const NAMED: usize = 5;

    /// Adds the names of more.
    pub fn extend(&mut self, names: Vec<String>) {
        self.count += names.len() as u64;
        let more = Self::NAMED - self.first.len();
        self.first.extend(names.into_iter().take(more));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// The files of one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FormatFiles {
    /// The name of the format.
    pub format: &'static str,
    /// How many files have it.
    pub files: u64,
}

impl Inventory {
    /// Counts the formats of files.
    pub fn new(
        items: u64,
        formats: impl IntoIterator<Item = &'static str>,
        ignored: &[PathBuf],
    ) -> Self {
        let mut counts: Vec<FormatFiles> = Vec::new();
        for format in formats {
            match counts.iter_mut().find(|count| count.format == format) {
                Some(count) => count.files += 1,
                None => counts.push(FormatFiles { format, files: 1 }),
            }
        }
        let ignored = ignored.iter().map(|path| path.display().to_string());
        Self {
            items,
            formats: counts,
            ignored: ignored.collect(),
            left_out: LeftOut::default(),
        }
    }
}

/// A listener that is told how far a run is.
pub trait Progress: Sync {
    /// Results will be gathered in this folder, which is removed when the run ends. A caller that ends the process
    /// earlier should remove it.
    fn temporary(&self, folder: &Path) {
        let _ = folder;
    }

    /// A stage begins; `total` is its size, if that is known.
    fn start(&self, stage: Stage, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// All inputs have been read.
    fn inputs(&self, inventory: &Inventory) {
        let _ = inventory;
    }

    /// The stage has come this far. Calls may come from any thread.
    fn reach(&self, done: u64) {
        let _ = done;
    }
}

/// Listens to nothing.
impl Progress for () {}
