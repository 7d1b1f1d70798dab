use std::{
    ffi::OsStr,
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

const PREFIX: &str = ".lookalike-";
const LOCK: &str = "lock";
/// The name of the lock until it is held.
const NEW: &str = "new";
/// How often a folder is made if other runs take it for one of a killed run.
const ATTEMPTS: usize = 8;
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
    path: PathBuf,
    _lock: File,
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the next run.
        let _ = remove_temporary(self.path());
    }
}

/// Removes the content of a [`TemporaryFolder`] and then the folder. The lock goes last: whatever happens on the way, the
/// next run finds a lock that is free and removes the rest.
///
/// # Errors
/// If the system cannot list the folder, or remove something in it.
pub fn remove_temporary(folder: &Path) -> io::Result<()> {
    let lock = folder.join(LOCK);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.path() {
            path if path == lock => {}
            path if entry.file_type()?.is_dir() => fs::remove_dir_all(path)?,
            path => fs::remove_file(path)?,
        }
    }
    match fs::remove_file(lock) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::remove_dir(folder)
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
        let target = target.file_name().unwrap_or_default();
        let mut attempts = ATTEMPTS;
        let made = loop {
            attempts -= 1;
            match Self::make(parent, &name, target) {
                // Another run has removed it before the lock was held.
                Err(error) if attempts > 0 && is_taken(&error) => {}
                made => break made?,
            }
        };
        match is_busy(parent, &name, target) {
            true => Err(io::ErrorKind::ResourceBusy.into()),
            false => Ok(made),
        }
    }

    fn make(parent: &Path, name: &str, target: &OsStr) -> io::Result<Self> {
        let path = parent.join(name);
        let mut folder = fs::DirBuilder::new();
        // For its owner alone.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&path)?;
        match locked(&path, target) {
            Ok(lock) => Ok(Self { path, _lock: lock }),
            Err(error) => {
                let _ = fs::remove_file(path.join(NEW));
                let _ = fs::remove_dir(path);
                Err(error)
            }
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|above| !above.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// A file that is locked and says what is written. It gets its name when it is locked, since a free lock has no owner.
fn locked(folder: &Path, target: &OsStr) -> io::Result<File> {
    let new = folder.join(NEW);
    let mut lock = File::create(&new)?;
    // A file system without locks never reports a lock as free either.
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    lock.write_all(target.as_encoded_bytes())?;
    fs::rename(new, folder.join(LOCK))?;
    Ok(lock)
}

/// Whether another run was faster.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::WouldBlock
    )
}

/// Removes a folder of a run that was killed before its lock had its name: it is empty, or holds a lock that is free.
///
/// A run that is making the folder at this moment notices, and makes it again.
fn remove_unfinished(folder: &Path) {
    let new = folder.join(NEW);
    // The lock is held until the folder is gone.
    let lock = File::open(&new);
    let is_free = match &lock {
        Ok(lock) => lock.try_lock().is_ok() && fs::remove_file(new).is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_free {
        // Fails if anything else is in it.
        let _ = fs::remove_dir(folder);
    }
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
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            remove_unfinished(&entry.path());
            continue;
        };
        if lock.try_lock().is_ok() {
            let _ = remove_temporary(&entry.path());
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
        let killed = [
            ".lookalike-killed/lock",
            ".lookalike-unnamed/new",
            ".lookalike-empty/",
        ];
        let others = [
            ".lookalike-foreign/file",
            ".lookalike-held/new",
            "other/lock",
        ];
        for name in killed.iter().chain(&others) {
            let (folder, file) = name.split_once('/').unwrap();
            fs::create_dir(path(folder)).unwrap();
            if !file.is_empty() {
                fs::write(path(name), "").unwrap();
            }
        }
        let held = File::open(path(".lookalike-held/new")).unwrap();
        held.try_lock().unwrap();
        let announced = std::cell::RefCell::new(None);
        let announce = |folder: &Path| {
            assert!(!folder.exists());
            announced.replace(Some(folder.to_owned()));
        };
        let next = TemporaryFolder::beside(&path("results"), &announce).unwrap();
        assert_eq!(announced.borrow().as_deref(), Some(next.path()));
        for name in killed {
            assert!(!path(name.split_once('/').unwrap().0).exists(), "{name}");
        }
        assert!(others.iter().all(|name| path(name).exists()));
        assert!(alive.path().exists());
    }

    /// Before, the lock could go first, and a run that was killed then left a folder for good.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_removed_keeps_its_lock() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("results");
        let allow = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let made = TemporaryFolder::beside(&target, &|_| ()).unwrap();
        let path = made.path().to_owned();
        let inner = path.join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        allow(&inner, 0o500);
        // The superuser may remove it all the same.
        let is_super = fs::write(inner.join("probe"), "").is_ok();
        drop(made);
        assert_eq!(path.join(LOCK).exists(), !is_super);
        if !is_super {
            allow(&inner, 0o700);
        }
        TemporaryFolder::beside(&target, &|_| ()).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    /// Runs that start together remove what they take for left behind, and none of them fails by that.
    #[test]
    fn runs_that_start_together_do_not_remove_each_other() {
        let parent = tempfile::tempdir().unwrap();
        let make = |number: usize| {
            let target = parent.path().join(number.to_string());
            for _ in 0..200 {
                let made = TemporaryFolder::beside(&target, &|_| ()).unwrap();
                assert!(made.path().join(LOCK).exists());
            }
        };
        std::thread::scope(|scope| {
            let make = &make;
            for number in 0..4 {
                scope.spawn(move || make(number));
            }
        });
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
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
