//! The folder of results: complete, or absent.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use crate::{
    Error,
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
    /// Whether there are results of an earlier run to replace.
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
    /// nothing but `entries`, and among them `run.toml`. The temporary folder is [announced](TemporaryFolder::new).
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
            replaces,
            temporary: None,
            made: missing.map(Path::to_owned).collect(),
            written: Vec::new(),
        };
        fs::create_dir_all(parent).map_err(Error::write(parent))?;
        let temporary = TemporaryFolder::new(parent, announce).map_err(Error::write(parent))?;
        // Temporary folders are for their owner alone; this one gets the usual rights.
        fs::create_dir(temporary.path().join("results")).map_err(Error::write(given))?;
        folder.temporary = Some(temporary);
        Ok(folder)
    }

    /// Refuses to replace a folder that is read from.
    ///
    /// # Errors
    /// If one of the inputs lies in the folder that will be replaced.
    pub fn refuse_inputs<'a>(&self, inputs: impl Iterator<Item = &'a str>) -> Result<(), Error> {
        for input in inputs.filter(|_| self.replaces) {
            if fs::canonicalize(input).is_ok_and(|input| input.starts_with(&self.path)) {
                return Err(Error::InputInside {
                    input: input.to_owned(),
                    folder: self.given.clone(),
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
        let results = self.results();
        // All at once: the system then waits for its disk once and not for each file.
        self.written.par_iter().try_for_each(|name| {
            let synced = File::open(results.join(name)).and_then(|file| file.sync_all());
            synced.map_err(Error::write(self.given.join(name)))
        })?;
        // Results of an earlier run step aside, to where an interrupt does not reach them.
        let aside = self.temporary().with_extension("replaced");
        if self.replaces {
            fs::rename(&self.path, &aside).map_err(Error::write(&self.given))?;
        }
        if let Err(error) = fs::rename(&results, &self.path) {
            if self.replaces {
                fs::rename(&aside, &self.path).map_err(Error::write(&self.given))?;
            }
            return Err(Error::write(&self.given)(error));
        }
        self.made.clear();
        if self.replaces {
            fs::remove_dir_all(&aside).map_err(Error::write(aside))?;
        }
        Ok(())
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

/// The folder itself, and whether there is something in it that will be replaced.
fn may_write(given: &Path, may_replace: bool, known: &[&str]) -> Result<(PathBuf, bool), Error> {
    // A link to a folder stands for the folder.
    let path = fs::canonicalize(given).unwrap_or_else(|_| given.to_owned());
    let of_given = || given.to_owned();
    let exists = || Error::Exists {
        path: of_given(),
        is_replaceable: known.contains(&MARK),
    };
    let replaces = match entries(&path) {
        Ok(entries) if entries.is_empty() => false,
        Ok(entries) if may_replace && is_of_a_run(&entries, known) => true,
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

fn is_of_a_run(entries: &[PathBuf], known: &[&str]) -> bool {
    let is = |entry: &PathBuf, name: &str| entry.as_os_str() == name;
    let known = |entry: &PathBuf| known.iter().any(|name| is(entry, name));
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
        let inside = folder.refuse_inputs([run.to_str().unwrap()].into_iter());
        assert!(matches!(inside, Err(Error::InputInside { .. })));
        folder.publish().unwrap();
        assert!(!run.exists());

        fs::write(path.join("mine"), "").unwrap();
        let error = new(true).unwrap_err();
        assert!(matches!(error, Error::NotReplaced { .. }), "{error}");
    }
}
