//! The folder of results: complete, or absent.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use lookalike_core::plugin::is_url;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    ending::take_name,
    temporary::{TemporaryFolder, parent},
};

/// A folder that takes its name when it is complete. Until then it is in a temporary one next to it.
///
/// ```
/// use lookalike_output::ResultFolder;
///
/// # let parent = tempfile::tempdir().unwrap();
/// let path = parent.path().join("results");
/// let mut folder = ResultFolder::new(&path, false, &["run.toml"], &|_| ())?;
/// folder.write("run.toml", |out| out.write_all(b"seed = 1\n"))?;
/// assert!(!path.exists());
/// folder.publish()?;
/// assert_eq!(std::fs::read_to_string(path.join("run.toml")).unwrap(), "seed = 1\n");
/// # Ok::<(), lookalike_output::Error>(())
/// ```
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// The same as it was given, for messages.
    given: PathBuf,
    /// Whether results of an earlier run may be replaced, what such results hold, and whether there are any.
    may_replace: bool,
    entries: Vec<String>,
    replaces: bool,
    /// Taken when the folder is dropped, before the folders above it.
    temporary: Option<TemporaryFolder>,
    /// Folders above, made for this one, the innermost first.
    made: Vec<PathBuf>,
    /// What has been written, as named in the folder.
    written: Vec<PathBuf>,
}

/// A new file of a [`ResultFolder`].
#[derive(Debug)]
pub struct ResultFile {
    /// The name that the file will have, for messages.
    pub path: PathBuf,
    /// What is written to it.
    pub writer: BufWriter<File>,
}

impl ResultFolder {
    /// Makes sure that the folder can be written, before any work is done.
    ///
    /// What is there already is refused, unless it is an empty folder, or the results of a run that may be replaced:
    /// nothing but `entries`, and among them `run.toml`, and in folders nothing but what the run wrote. The temporary
    /// folder is [announced](TemporaryFolder::beside).
    ///
    /// # Errors
    /// If something is there that is not replaced, or nothing can be written there.
    pub fn new(
        given: &Path,
        may_replace: bool,
        entries: &[&str],
        announce: &dyn Fn(&Path),
    ) -> Result<Self, Error> {
        let (path, replaces) = may_write(given, may_replace, entries)?;
        let parent = parent(&path);
        let missing = parent.ancestors().take_while(|above| !above.exists());
        let mut folder = Self {
            path: path.clone(),
            given: given.to_owned(),
            may_replace,
            entries: entries.iter().map(|&entry| entry.to_owned()).collect(),
            replaces,
            temporary: None,
            made: missing.map(Path::to_owned).collect(),
            written: Vec::new(),
        };
        fs::create_dir_all(parent).map_err(Error::write(parent))?;
        let temporary =
            TemporaryFolder::beside(&path, announce).map_err(Error::beside(given, true))?;
        // Temporary folders are for their owner alone; this one gets the usual rights.
        fs::create_dir(temporary.path().join("results")).map_err(Error::write(given))?;
        folder.temporary = Some(temporary);
        Ok(folder)
    }

    /// Refuses to replace a folder that is read from, and to write into one.
    ///
    /// # Errors
    /// If one of the inputs lies in the folder that will be replaced, or is a folder that this one will be in. What is
    /// hidden below such a folder is not read.
    pub fn refuse_inputs<'a>(&self, inputs: impl Iterator<Item = &'a Path>) -> Result<(), Error> {
        let own = match parent(&self.path).canonicalize() {
            Ok(parent) => parent.join(self.path.file_name().unwrap_or_default()),
            Err(_) => self.path.clone(),
        };
        for input in inputs {
            let Ok(real) = fs::canonicalize(input) else {
                continue;
            };
            if self.replaces && real.starts_with(&own) {
                return Err(Error::InputInside {
                    input: input.to_owned(),
                    folder: self.given.clone(),
                });
            }
            let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
            if let Ok(below) = own.strip_prefix(&real)
                && real.is_dir()
                && !below.iter().any(is_hidden)
            {
                return Err(Error::InsideInput {
                    folder: self.given.clone(),
                    input: input.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// A folder for temporary files, which is removed when the results are complete.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        let temporary = self.temporary.as_ref().expect("taken only by drop");
        temporary.path()
    }

    fn results(&self) -> PathBuf {
        self.temporary().join("results")
    }

    /// Makes a file in the folder, and the folders on the way to it.
    ///
    /// # Errors
    /// If there is a file of that name already, or the system cannot write it.
    pub fn create(&mut self, name: &Path) -> Result<ResultFile, Error> {
        let path = self.results().join(name);
        let shown = self.given.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::write(&shown))?;
        }
        // No two outputs may have one name.
        let file = File::create_new(&path).map_err(Error::write(&shown))?;
        self.written.push(name.to_owned());
        Ok(ResultFile {
            path: shown,
            writer: BufWriter::with_capacity(1 << 16, file),
        })
    }

    /// Makes a folder in the folder, which may stay empty.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn create_folder(&self, name: &str) -> Result<(), Error> {
        fs::create_dir_all(self.results().join(name)).map_err(Error::write(self.given.join(name)))
    }

    /// Writes one file.
    ///
    /// # Errors
    /// If there is a file of that name already, or the system cannot write it.
    pub fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let ResultFile { path, mut writer } = self.create(Path::new(name))?;
        let written = write(&mut writer).and_then(|()| writer.flush());
        written.map_err(Error::write(path))
    }

    /// Gives the folder its name, once everything in it is on disk.
    ///
    /// # Errors
    /// If the system cannot write or rename. What was there before is then there still.
    pub fn publish(mut self) -> Result<(), Error> {
        self.write_list()?;
        let results = self.results();
        // All at once: the system then waits for its disk once and not for each file.
        self.written.par_iter().try_for_each(|name| {
            let synced = File::open(results.join(name)).and_then(|file| file.sync_all());
            synced.map_err(Error::write(self.given.join(name)))
        })?;
        let known: Vec<&str> = self.entries.iter().map(String::as_str).collect();
        take_name(|| {
            // Somebody may have put something there in the meantime.
            let (_, replaces) = may_write(&self.given, self.may_replace, &known)?;
            let renamed = match replaces {
                true => exchange(&results, &self.path),
                false => fs::rename(&results, &self.path),
            };
            renamed.map_err(Error::write(&self.given))
        })?;
        self.made.clear();
        // The name is on disk when its folder is. Where that cannot be requested, the system does it soon.
        if let Ok(parent) = File::open(parent(&self.path)) {
            let _ = parent.sync_all();
        }
        Ok(())
    }

    /// Writes the list of the files in folders, by which a later run tells them from others.
    fn write_list(&mut self) -> Result<(), Error> {
        let is_inner = |name: &&PathBuf| name.components().count() > 1;
        let files: Vec<PathBuf> = self.written.iter().filter(is_inner).cloned().collect();
        if files.is_empty() {
            return Ok(());
        }
        let list = toml::to_string(&List { files }).expect("names are text");
        self.write(LIST, |out| out.write_all(list.as_bytes()))
    }
}

/// Refuses a folder that [`ResultFolder::new`] would refuse. Makes nothing.
///
/// # Errors
/// If something is there that is not replaced, or a file is where a folder should be.
pub fn check_folder(folder: &Path, may_replace: bool, entries: &[&str]) -> Result<(), Error> {
    let (path, _) = may_write(folder, may_replace, entries)?;
    let there = path.ancestors().skip(1).find(|above| above.exists());
    match there {
        Some(above) if !above.is_dir() => {
            Err(Error::write(folder)(io::ErrorKind::NotADirectory.into()))
        }
        _ => Ok(()),
    }
}

/// Puts new results in the place of old ones, which go to where the new ones were.
///
/// In one step where the system can: a kill then leaves either the old results or the new ones under their name.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
            // The file system cannot.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            done => return Ok(done?),
        }
    }
    let aside = new.with_extension("replaced");
    fs::rename(old, &aside)?;
    fs::rename(new, old).or_else(|error| {
        fs::rename(&aside, old)?;
        Err(error)
    })
}

/// Refuses a name that looks like a folder on this machine and is meant to be elsewhere.
pub(crate) fn refuse_url(given: &Path) -> Result<(), Error> {
    match given.to_str().is_some_and(is_url) {
        true => Err(Error::Url {
            path: given.to_owned(),
        }),
        false => Ok(()),
    }
}

/// The folder itself, and whether there is something in it that will be replaced.
fn may_write(given: &Path, may_replace: bool, known: &[&str]) -> Result<(PathBuf, bool), Error> {
    refuse_url(given)?;
    // A link to a folder stands for the folder.
    let path = fs::canonicalize(given).unwrap_or_else(|_| given.to_owned());
    let of_given = || given.to_owned();
    let exists = || Error::Exists {
        path: of_given(),
        is_replaceable: known.contains(&MARK),
    };
    let replaces = match entries(&path) {
        Ok(entries) if entries.is_empty() => false,
        Ok(entries) if may_replace && is_of_a_run(&entries, known) => {
            refuse_others(given, &path, &entries)?;
            true
        }
        Ok(_) if may_replace => return Err(Error::NotReplaced { path: of_given() }),
        Ok(_) => return Err(exists()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(_) if path.exists() => return Err(exists()),
        Err(error) => return Err(Error::write(given)(error)),
    };
    if fs::canonicalize(".").is_ok_and(|here| here == path) {
        return Err(Error::CurrentFolder { path: of_given() });
    }
    Ok((path, replaces))
}

impl Drop for ResultFolder {
    fn drop(&mut self) {
        drop(self.temporary.take());
        for made in &self.made {
            // Others may have put something there meanwhile.
            let _ = fs::remove_dir(made);
        }
    }
}

fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    let names = fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().into()));
    names.collect()
}

/// The file that says which settings made the results.
const MARK: &str = "run.toml";

/// The list of the files that a run wrote to folders among its results.
const LIST: &str = ".files.toml";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct List {
    files: Vec<PathBuf>,
}

/// Refuses to replace results if there is a file in one of their folders that the run did not write.
fn refuse_others(given: &Path, path: &Path, entries: &[PathBuf]) -> Result<(), Error> {
    let list = fs::read_to_string(path.join(LIST)).unwrap_or_default();
    let List { files } = toml::from_str(&list).unwrap_or_default();
    let ours: HashSet<&Path> = files.iter().map(PathBuf::as_path).collect();
    let mut left: Vec<PathBuf> = entries.to_vec();
    while let Some(name) = left.pop() {
        let here = path.join(&name);
        let is_folder = fs::symlink_metadata(&here).is_ok_and(|entry| entry.is_dir());
        if is_folder {
            let inner = self::entries(&here).map_err(Error::write(given.join(&name)))?;
            left.extend(inner.into_iter().map(|inner| name.join(inner)));
        } else if name.components().count() > 1 && !ours.contains(name.as_path()) {
            return Err(Error::NotWritten {
                file: given.join(name),
                folder: given.to_owned(),
            });
        }
    }
    Ok(())
}

fn is_of_a_run(entries: &[PathBuf], known: &[&str]) -> bool {
    let is = |entry: &PathBuf, name: &str| entry.as_os_str() == name;
    let known = |entry: &PathBuf| is(entry, LIST) || known.iter().any(|name| is(entry, name));
    entries.iter().all(known) && entries.iter().any(|entry| is(entry, MARK))
}

#[cfg(test)]
mod tests {
    use lookalike_core::plugin::Remedied;

    use super::*;

    const ENTRIES: [&str; 2] = ["pairs", "run.toml"];

    #[test]
    fn only_results_of_a_run_are_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("above/results");
        let new = |may_replace| ResultFolder::new(&path, may_replace, &ENTRIES, &|_| ());
        drop(new(false).unwrap());
        assert!(!parent.path().join("above").exists(), "made for nothing");

        let mut folder = new(false).unwrap();
        folder.write("run.toml", |out| out.write_all(b"1")).unwrap();
        assert!(folder.write("run.toml", |_| Ok(())).is_err(), "one name");
        folder.publish().unwrap();

        let error = new(false).unwrap_err();
        assert!(matches!(error, Error::Exists { .. }), "{error}");
        assert_eq!(error.remedies().len(), 3);
        assert!(check_folder(&path, false, &ENTRIES).is_err());
        check_folder(&path, true, &ENTRIES).unwrap();
        let folder = new(true).unwrap();
        let run = path.join("run.toml");
        let inside = folder.refuse_inputs([run.as_path()].into_iter());
        assert!(matches!(inside, Err(Error::InputInside { .. })));
        let inside = folder.refuse_inputs([parent.path()].into_iter());
        assert!(matches!(inside, Err(Error::InsideInput { .. })));
        folder.publish().unwrap();
        assert!(!run.exists());

        fs::write(path.join("mine"), "").unwrap();
        let error = new(true).unwrap_err();
        assert!(matches!(error, Error::NotReplaced { .. }), "{error}");
    }

    #[test]
    fn files_of_others_in_a_folder_of_the_results_are_not_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("results");
        let run = || {
            let mut folder = ResultFolder::new(&path, true, &ENTRIES, &|_| ())?;
            folder.write("run.toml", |out| out.write_all(b"1")).unwrap();
            folder.write("pairs/a/1", |_| Ok(())).unwrap();
            folder.create_folder("pairs/empty").unwrap();
            folder.publish()
        };
        run().unwrap();
        run().unwrap();
        for name in ["pairs/mine", "pairs/a/mine", "pairs/new/mine"] {
            let mine = path.join(name);
            fs::create_dir_all(mine.parent().unwrap()).unwrap();
            fs::write(&mine, "precious").unwrap();
            let error = run().unwrap_err();
            assert!(
                matches!(&error, Error::NotWritten { file, .. } if *file == mine),
                "{error}"
            );
            assert!(check_folder(&path, true, &ENTRIES).is_err());
            fs::remove_file(&mine).unwrap();
        }
        // What comes while a run is under way is not deleted either.
        let mut folder = ResultFolder::new(&path, true, &ENTRIES, &|_| ()).unwrap();
        folder.write("run.toml", |_| Ok(())).unwrap();
        fs::write(path.join("pairs/mine"), "precious").unwrap();
        assert!(matches!(folder.publish(), Err(Error::NotWritten { .. })));
        assert!(path.join("pairs/mine").exists() && path.join("pairs/a/1").exists());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn two_runs_do_not_write_one_folder() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("results");
        let first = ResultFolder::new(&path, false, &ENTRIES, &|_| ()).unwrap();
        let error = ResultFolder::new(&path, true, &ENTRIES, &|_| ()).unwrap_err();
        assert!(matches!(error, Error::Busy { .. }), "{error}");
        // Others that do not know the lock.
        fs::create_dir(&path).unwrap();
        fs::write(path.join("mine"), "").unwrap();
        assert!(matches!(first.publish(), Err(Error::Exists { .. })));
        assert!(path.join("mine").exists());
    }

    #[test]
    fn a_url_is_not_a_folder() {
        for url in [
            "s3://bucket/results",
            "hf://datasets/a",
            "https://example.org",
        ] {
            let error = ResultFolder::new(Path::new(url), false, &ENTRIES, &|_| ()).unwrap_err();
            assert!(matches!(error, Error::Url { .. }), "{error}");
            let error = crate::Replacement::new(Path::new(url), &|_| ()).unwrap_err();
            assert!(matches!(error, Error::Url { .. }), "{error}");
        }
    }
}
