use std::{
    fs::{self, File},
    io,
    path::Path,
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use tempfile::TempDir;

const PREFIX: &str = ".lookalike-";
const LOCK: &str = "lock";
/// How many this process has made.
static CREATED: AtomicU64 = AtomicU64::new(0);

/// The hidden folder beside results, in which they grow. It is removed when it is dropped.
///
/// A run that is killed cannot remove its own. The next run that writes beside it does: a run holds a lock in its
/// folder for as long as it lives, so that a folder whose lock is free is nobody's.
#[derive(Debug)]
pub struct Hidden {
    folder: TempDir,
    _lock: File,
}

impl Hidden {
    /// A new one in this folder, and the end of those that are left from runs that were killed. It is announced before it is
    /// there, so that whoever ends the process knows of everything that is to be removed.
    pub fn new(parent: &Path, announce: &dyn Fn(&Path)) -> io::Result<Self> {
        // What the system says of the parent, and not of a folder that nobody knows.
        fs::metadata(parent)?;
        // Where they cannot be removed they are in nobody's way.
        let _ = remove_left(parent);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{:x}-{now:x}-{number:x}", process::id());
        announce(&parent.join(&name));
        let folder = tempfile::Builder::new()
            .prefix(&name)
            .rand_bytes(0)
            .tempdir_in(parent);
        let folder = folder.map_err(|error| io::Error::from(error.kind()))?;
        let lock = File::create(folder.path().join(LOCK))?;
        // Where there are no locks, nothing is ever found free either.
        let _ = lock.try_lock();
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn remove_left(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_ours = entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes());
        if !is_ours || !entry.file_type()?.is_dir() {
            continue;
        }
        // Without a lock in it, it is being made, or not ours.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}
