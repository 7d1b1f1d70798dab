//! From what users name to files in a stated order.

use crate::folder::{self, Patterns};
use crate::{Error, Format, Options, names, pattern};
use lookalike_core::plugin::{is_url, printable, shown};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// An input that is one stream of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Stdin,
    /// A file that was named.
    File(PathBuf),
    /// A file of a folder that was named, and the format that was chosen for it.
    InFolder(PathBuf, Format),
}

impl Input {
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::InFolder(path, _) => Some(path),
        }
    }

    /// The format, if the folder decided it.
    pub(crate) fn format(&self) -> Option<Format> {
        match self {
            Self::InFolder(_, format) => Some(*format),
            Self::Stdin | Self::File(_) => None,
        }
    }
}

/// The files that inputs name.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub(crate) own: Vec<Input>,
    /// Those of [`Options::beside`].
    pub(crate) beside: Vec<Input>,
    /// Files of folders that are not read.
    pub(crate) ignored: Vec<PathBuf>,
}

/// The files that the inputs name, none of them twice.
pub(crate) fn expand(inputs: &[String], options: &Options) -> Result<Expanded, Error> {
    let patterns = Patterns::new(options)?;
    let base = options.folder.as_deref();
    let has_folder = |inputs: &[String]| inputs.iter().any(|input| from_base(input, base).is_dir());
    if !has_folder(inputs) && !has_folder(&options.beside) {
        patterns.refuse()?;
    }
    let mut ignored = Vec::new();
    let own = named(inputs, options, &patterns, &mut ignored)?;
    if own.is_empty() {
        return Err(Error::NoInput);
    }
    let beside = named(&options.beside, options, &patterns, &mut ignored)?;
    once_each(own.iter().chain(&beside), base)?;
    // As they are seen from the base, like the names of files that are read.
    if let Some(base) = base {
        for path in &mut ignored {
            *path = path.strip_prefix(base).unwrap_or(path).to_owned();
        }
    }
    Ok(Expanded {
        own,
        beside,
        ignored,
    })
}

/// Where an input is that was named as it is seen from the base.
fn from_base(input: &str, base: Option<&Path>) -> PathBuf {
    base.map_or(PathBuf::from(input), |base| base.join(input))
}

/// Files in the order of the inputs, and those of one folder or pattern by path.
fn named(
    inputs: &[String],
    options: &Options,
    patterns: &Patterns,
    ignored: &mut Vec<PathBuf>,
) -> Result<Vec<Input>, Error> {
    let base = options.folder.as_deref();
    let mut files = Vec::new();
    for input in inputs {
        let path = &from_base(input, base);
        let shown = || printable(input).into_owned();
        if input == "-" {
            files.push(Input::Stdin);
        } else if path.is_dir() {
            let chosen = folder::files(path, options, patterns)?;
            let files_of = chosen.files.into_iter();
            files.extend(files_of.map(|(path, format)| Input::InFolder(path, format)));
            ignored.extend(chosen.ignored);
        } else if path.exists() {
            files.push(Input::File(path.clone()));
        } else if is_url(input) {
            return Err(Error::Url { url: shown() });
        } else if pattern::is_one(input) {
            files.extend(sorted(input, pattern::files(input, base)?)?);
        } else {
            return Err(match path.try_exists() {
                Err(reason) => Error::read(&shown(), reason),
                Ok(_) => Error::Missing { path: shown() },
            });
        }
    }
    Ok(files)
}

/// The error of a walk through a folder.
pub(crate) fn unreadable(root: &Path, error: walkdir::Error) -> Error {
    let path = shown(error.path().unwrap_or(root));
    let reason = match error.loop_ancestor() {
        Some(above) => io::Error::other(format!("it links to {}, which holds it", shown(above))),
        // Without the path, which the message has already.
        None => error
            .into_io_error()
            .unwrap_or_else(|| io::ErrorKind::Other.into()),
    };
    Error::read(&path, reason)
}

fn sorted(
    input: &str,
    mut files: Vec<PathBuf>,
) -> Result<impl Iterator<Item = Input> + use<>, Error> {
    if files.is_empty() {
        return Err(Error::NoFiles {
            input: printable(input).into_owned(),
        });
    }
    files.sort();
    Ok(files.into_iter().map(Input::File))
}

/// Documents of a file that is read twice would all be duplicates of themselves.
fn once_each<'a>(files: impl Iterator<Item = &'a Input>, base: Option<&Path>) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for file in files {
        let (real, name) = match file.path() {
            None => (None, "stdin".to_owned()),
            Some(path) => {
                let name = names::given(path, base);
                // The name of a pipe may lead to nothing that has a path.
                let real = path.canonicalize().or_else(|_| std::path::absolute(path));
                let real = real.map_err(|reason| Error::read(&name, reason))?;
                (Some(real), name)
            }
        };
        if !seen.insert(real) {
            return Err(Error::Twice { path: name });
        }
    }
    Ok(())
}
