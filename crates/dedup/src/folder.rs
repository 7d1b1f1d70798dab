//! The folder of results: there complete, or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use lookalike_corpus::{Codec, Packed};
use rayon::prelude::*;

use crate::{Error, hidden::Hidden};

/// What a run of `dedup` writes.
pub(crate) const ENTRIES: &[&str] = &[
    "annotated",
    "clusters.jsonl",
    "kept",
    "pairs.jsonl",
    "removed",
    "report.html",
    "report.json",
    "run.toml",
    "skipped",
    "skipped.jsonl",
];

/// A folder that gets its name when all is in it. Until then it is in a hidden one beside it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The same as it was given, for messages.
    given: PathBuf,
    /// Whether there are results of an earlier run to replace.
    replaces: bool,
    /// Taken when the folder is dropped, before the folders above it.
    hidden: Option<Hidden>,
    /// Folders above, made for this one, the innermost first.
    made: Vec<PathBuf>,
    /// What has been written, as named in the folder.
    written: Vec<PathBuf>,
}

impl Folder {
    /// Makes sure that the folder can be written, before any work is done.
    ///
    /// What is there already is refused, unless it is an empty folder, or the results of a run that may be replaced:
    /// nothing but `entries`, and among them `run.toml`. The hidden folder is [announced](Hidden::new).
    pub fn new(
        given: &Path,
        may_replace: bool,
        entries: &[&str],
        announce: &dyn Fn(&Path),
    ) -> Result<Self, Error> {
        let (path, replaces) = may_write(given, may_replace, entries)?;
        let path = &path;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let missing = parent.ancestors().take_while(|above| !above.exists());
        let mut folder = Self {
            path: path.clone(),
            given: given.to_owned(),
            replaces,
            hidden: None,
            made: missing.map(Path::to_owned).collect(),
            written: Vec::new(),
        };
        fs::create_dir_all(parent).map_err(Error::write(parent))?;
        let hidden = Hidden::new(parent, announce).map_err(Error::write(parent))?;
        // Temporary folders are for their owner alone; this one gets the usual rights.
        fs::create_dir(hidden.path().join("results")).map_err(Error::write(given))?;
        folder.hidden = Some(hidden);
        Ok(folder)
    }

    /// Refuses to replace a folder that is read from.
    pub(crate) fn refuse_inputs<'a>(
        &self,
        inputs: impl Iterator<Item = &'a str>,
    ) -> Result<(), Error> {
        for input in inputs.filter(|_| self.replaces) {
            if fs::canonicalize(input).is_ok_and(|input| input.starts_with(&self.path)) {
                let folder = self.given.display();
                return Err(Error::Setting {
                    message: format!(
                        "{input}: is in {folder}, which would be replaced: choose another --out"
                    ),
                });
            }
        }
        Ok(())
    }

    /// Where temporary files can be.
    #[must_use]
    pub fn hidden(&self) -> &Path {
        let hidden = self.hidden.as_ref().expect("taken only by drop");
        hidden.path()
    }

    fn results(&self) -> PathBuf {
        self.hidden().join("results")
    }

    /// A file in the folder, compressed so; folders on the way to it are made.
    pub(crate) fn file(&mut self, name: &Path, codec: Option<Codec>) -> Result<Out, Error> {
        let path = self.results().join(name);
        // In messages the name that the file is to have.
        let shown = self.given.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::write(&shown))?;
        }
        // No two outputs may have one name.
        let file = File::create_new(&path).map_err(Error::write(&shown))?;
        let file = Packed::new(BufWriter::with_capacity(1 << 16, file), codec);
        self.written.push(name.to_owned());
        Ok(Out {
            file: file.map_err(Error::write(&shown))?,
            path: shown,
        })
    }

    /// A folder in the folder, there even if nothing is in it.
    pub(crate) fn folder(&self, name: &str) -> Result<(), Error> {
        fs::create_dir_all(self.results().join(name)).map_err(Error::write(self.given.join(name)))
    }

    /// Writes one file.
    pub fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut out = self.file(Path::new(name), None)?;
        write(&mut out.file).map_err(Error::write(&out.path))?;
        out.finish()
    }

    /// Gives the folder its name, when all that is in it is on disk.
    pub fn publish(mut self) -> Result<(), Error> {
        let results = self.results();
        // All at once: the system then waits for its disk once and not for each file.
        self.written.par_iter().try_for_each(|name| {
            let synced = File::open(results.join(name)).and_then(|file| file.sync_all());
            synced.map_err(Error::write(self.given.join(name)))
        })?;
        // Results of an earlier run step aside, to where an interrupt does not reach them.
        let aside = self.hidden().with_extension("replaced");
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

/// Refuses a folder to which [`run`](crate::run) would not write its results. Makes nothing.
pub fn check_folder(folder: &Path, may_replace: bool) -> Result<(), Error> {
    let (path, _) = may_write(folder, may_replace, ENTRIES)?;
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
    let replaces = match entries(&path) {
        Ok(entries) if entries.is_empty() => false,
        Ok(entries) if may_replace && is_of_a_run(&entries, known) => true,
        Ok(_) if may_replace => return Err(Error::NotReplaced { path: of_given() }),
        Ok(_) => return Err(Error::Exists { path: of_given() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(_) if path.exists() => return Err(Error::Exists { path: of_given() }),
        Err(error) => return Err(Error::write(given)(error)),
    };
    if fs::canonicalize(".").is_ok_and(|here| here == path) {
        let message = "--out is the folder you are in, which cannot be replaced: name a new one";
        return Err(Error::Setting {
            message: message.into(),
        });
    }
    Ok((path, replaces))
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(self.hidden.take());
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

fn is_of_a_run(entries: &[PathBuf], known: &[&str]) -> bool {
    let is = |entry: &PathBuf, name: &str| entry.as_os_str() == name;
    let known = |entry: &PathBuf| known.iter().any(|name| is(entry, name));
    entries.iter().all(known) && entries.iter().any(|entry| is(entry, "run.toml"))
}

/// A file that is being written.
pub(crate) struct Out {
    path: PathBuf,
    pub(crate) file: Packed<BufWriter<File>>,
}

impl Out {
    /// The error of a copy: of this file, or of the one that was read.
    pub(crate) fn or_read(&self) -> impl FnOnce(lookalike_corpus::Error) -> Error {
        let path = self.path.clone();
        |error| match error {
            lookalike_corpus::Error::Write { reason } => Error::write(path)(reason),
            error => error.into(),
        }
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        let flushed = self.file.finish().and_then(|mut file| file.flush());
        flushed.map_err(Error::write(self.path))
    }
}
