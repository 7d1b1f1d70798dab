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

/// A temporary folder with a lock, in which results grow. It is removed when it is dropped.
///
/// A run that is killed cannot remove its own. The next run that writes next to it does: a run holds the lock for as
/// long as it lives, so a folder whose lock is free has no owner.
///
/// ```
/// use lookalike_output::TemporaryFolder;
///
/// let parent = std::env::temp_dir();
/// let folder = TemporaryFolder::new(&parent, &|_| ())?;
/// let path = folder.path().to_owned();
/// assert!(path.starts_with(&parent) && path.exists());
/// drop(folder);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _lock: File,
}

impl TemporaryFolder {
    /// Makes one in `parent`, and removes those that killed runs have left there.
    ///
    /// `announce` gets its path before it exists, so that a handler that ends the process knows everything that must
    /// be removed.
    ///
    /// # Errors
    /// If the system cannot read `parent` or write to it.
    pub fn new(parent: &Path, announce: &dyn Fn(&Path)) -> io::Result<Self> {
        // The error should be about the parent, and not about a folder that nobody knows.
        fs::metadata(parent)?;
        // Where they cannot be removed, they do no harm.
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
        // A file system without locks never reports a lock as free either.
        let _ = lock.try_lock();
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// Makes one next to a file or folder; see [`new`](Self::new).
    ///
    /// # Errors
    /// If the system cannot read the folder above `path` or write to it.
    pub fn beside(path: &Path, announce: &dyn Fn(&Path)) -> io::Result<Self> {
        Self::new(parent(path), announce)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|above| !above.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
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
        // Without a lock it is being made, or it is not ours.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_runs_are_removed_and_others_stay() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let alive = TemporaryFolder::new(parent.path(), &|_| ()).unwrap();
        for name in [".lookalike-killed", ".lookalike-new", "other"] {
            fs::create_dir(path(name)).unwrap();
        }
        fs::write(path(".lookalike-killed/lock"), "").unwrap();
        fs::write(path("other/lock"), "").unwrap();
        let announced = std::cell::RefCell::new(None);
        let announce = |folder: &Path| {
            assert!(!folder.exists());
            announced.replace(Some(folder.to_owned()));
        };
        let next = TemporaryFolder::beside(&path("results"), &announce).unwrap();
        assert_eq!(announced.borrow().as_deref(), Some(next.path()));
        assert!(!path(".lookalike-killed").exists());
        assert!(path(".lookalike-new").exists() && path("other").exists());
        assert!(alive.path().exists());
    }
}
