use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Write},
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
/// let folder = TemporaryFolder::beside(&parent.join("results"), &|_| ())?;
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
    /// Makes one next to the file or folder that will be written, and removes those that killed runs have left there.
    ///
    /// `announce` gets its path before it exists, so that a handler that ends the process knows everything that must
    /// be removed.
    ///
    /// # Errors
    /// If the system cannot read the folder above `target` or write to it. If another run is about to write the same
    /// target, the error is of the kind [`ResourceBusy`](io::ErrorKind::ResourceBusy).
    pub fn beside(target: &Path, announce: &dyn Fn(&Path)) -> io::Result<Self> {
        let parent = parent(target);
        // The error should be about the parent, and not about a folder that nobody knows.
        fs::metadata(parent)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        // The time comes first, so that the earlier one of two runs has the smaller name.
        let name = format!("{PREFIX}{now:024x}-{:x}-{number:x}", process::id());
        announce(&parent.join(&name));
        let folder = tempfile::Builder::new()
            .prefix(&name)
            .rand_bytes(0)
            .tempdir_in(parent);
        let folder = folder.map_err(|error| io::Error::from(error.kind()))?;
        let target = target.file_name().unwrap_or_default();
        let lock = locked(folder.path(), target)?;
        let made = Self {
            folder,
            _lock: lock,
        };
        match is_busy(parent, &name, target) {
            true => Err(io::ErrorKind::ResourceBusy.into()),
            false => Ok(made),
        }
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

/// A file that is locked and says what is written. It gets its name when it is locked, since a free lock has no owner.
fn locked(folder: &Path, target: &OsStr) -> io::Result<File> {
    let new = folder.join("new");
    let mut lock = File::create(&new)?;
    // A file system without locks never reports a lock as free either.
    let _ = lock.try_lock();
    lock.write_all(target.as_encoded_bytes())?;
    fs::rename(new, folder.join(LOCK))?;
    Ok(lock)
}

/// Removes what killed runs have left in a folder, and says whether an earlier run that is alive writes the same target.
///
/// Two runs that start at the same time see each other, and the earlier one goes on.
fn is_busy(parent: &Path, own: &str, target: &OsStr) -> bool {
    // What cannot be read does no harm.
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut is_busy = false;
    for entry in entries {
        let name = entry.file_name();
        let is_ours = name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if !is_ours || name == own || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // Without a lock it is being made, or it is not ours.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        } else if name.as_os_str() < OsStr::new(own) {
            let theirs = fs::read(entry.path().join(LOCK)).unwrap_or_default();
            is_busy |= theirs == target.as_encoded_bytes();
        }
    }
    is_busy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_runs_are_removed_and_others_stay() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let alive = TemporaryFolder::beside(&path("others"), &|_| ()).unwrap();
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

    #[test]
    fn one_run_at_a_time_writes_a_target() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("results");
        let first = TemporaryFolder::beside(&target, &|_| ()).unwrap();
        let second = TemporaryFolder::beside(&target, &|_| ()).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        TemporaryFolder::beside(&parent.path().join("other"), &|_| ()).unwrap();
        assert!(first.path().exists());
        drop(first);
        TemporaryFolder::beside(&target, &|_| ()).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
