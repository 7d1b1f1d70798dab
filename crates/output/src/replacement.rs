use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use crate::{
    Error,
    ending::take_name,
    folder::refuse_url,
    temporary::{TemporaryFolder, parent},
};

/// A file that takes its name when it is complete, and replaces what had that name before.
///
/// Until then it is in a [`TemporaryFolder`] next to that name, where further temporary files can be kept.
///
/// ```
/// use lookalike_output::Replacement;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("numbers.txt");
/// # std::fs::write(&path, "1 2 3").unwrap();
/// let new = Replacement::new(&path, &|_| ())?;
/// std::fs::write(new.temporary(), "4 5 6").unwrap();
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "1 2 3");
/// new.publish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "4 5 6");
/// # Ok::<(), lookalike_output::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    folder: TemporaryFolder,
    path: PathBuf,
    /// The same as it was given, for messages.
    given: PathBuf,
}

impl Replacement {
    /// Makes sure that the file can be written, before any work is done. A link to a file stands for the file. A folder is not
    /// replaced, nor a device: a superuser who writes to `/dev/null` means to write nothing, and not to remove the device.
    ///
    /// The temporary folder is [announced](TemporaryFolder::beside).
    ///
    /// # Errors
    /// If nothing can be written next to the file, or if it is something else than a file.
    pub fn new(given: &Path, announce: &dyn Fn(&Path)) -> Result<Self, Error> {
        refuse_url(given)?;
        if fs::metadata(given).is_ok_and(|found| !found.is_file()) {
            let path = given.to_owned();
            return Err(Error::NotAFile { path });
        }
        let path = fs::canonicalize(given).unwrap_or_else(|_| given.to_owned());
        let folder =
            TemporaryFolder::beside(&path, announce).map_err(Error::beside(given, false))?;
        Ok(Self {
            folder,
            path,
            given: given.to_owned(),
        })
    }

    /// Where the new file is written.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.part("complete")
    }

    /// A path for a temporary file, which is removed with the folder.
    #[must_use]
    pub fn part(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The name that the file takes, with links followed.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name as it was given.
    #[must_use]
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// Gives the file its name, once its content is on disk.
    ///
    /// # Errors
    /// If the new file is missing, or the system cannot write it or rename it.
    pub fn publish(self) -> Result<(), Error> {
        let rename = || {
            let complete = self.temporary();
            File::open(&complete)?.sync_all()?;
            take_name(|| fs::rename(complete, &self.path))?;
            // The name is on disk when its folder is. Where that cannot be requested, the system does it soon.
            if let Ok(parent) = File::open(parent(&self.path)) {
                let _ = parent.sync_all();
            }
            Ok(())
        };
        rename().map_err(Error::write(&self.given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_published_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        fs::write(&path, "old").unwrap();
        let new = Replacement::new(&path, &|_| ()).unwrap();
        fs::write(new.temporary(), "new").unwrap();
        drop(new);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("missing/file");
        let error = Replacement::new(&nowhere, &|_| ()).unwrap_err().to_string();
        assert!(error.starts_with(nowhere.to_str().unwrap()), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [&socket, folder.path()] {
            let error = Replacement::new(path, &|_| ()).unwrap_err().to_string();
            assert!(
                error.ends_with("is not a file that can be replaced"),
                "{error}"
            );
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let new = Replacement::new(&link, &|_| ()).unwrap();
        fs::write(new.temporary(), "new").unwrap();
        new.publish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
