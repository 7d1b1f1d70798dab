//! From what users name to files in a stated order.

use crate::Error;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// An input that is one stream of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

/// The files that the inputs name, none of them twice, and after them those that others name.
pub(crate) fn expand(
    inputs: &[String],
    beside: &[String],
) -> Result<(Vec<Input>, Vec<Input>), Error> {
    let own = named(inputs)?;
    if own.is_empty() {
        return Err(Error::NoInput);
    }
    let beside = named(beside)?;
    once_each(own.iter().chain(&beside))?;
    Ok((own, beside))
}

/// Files in the order of the inputs, and those of one folder or pattern by path.
fn named(inputs: &[String]) -> Result<Vec<Input>, Error> {
    let mut files = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if input == "-" {
            files.push(Input::Stdin);
        } else if path.is_dir() {
            files.extend(folder(input)?.into_iter().map(Input::File));
        } else if path.exists() {
            files.push(Input::File(path.to_owned()));
        } else if input.contains(['*', '?', '[']) {
            files.extend(pattern(input)?.into_iter().map(Input::File));
        } else {
            return Err(match path.try_exists() {
                Err(reason) => Error::read(input, reason),
                Ok(_) => Error::Missing {
                    path: input.clone(),
                },
            });
        }
    }
    Ok(files)
}

fn folder(input: &str) -> Result<Vec<PathBuf>, Error> {
    let visible = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(input)
        .follow_links(true)
        .into_iter()
        .filter_entry(visible)
    {
        let entry = entry.map_err(|e| {
            let path = e
                .path()
                .map_or(input.to_owned(), |p| p.display().to_string());
            Error::read(&path, e.into())
        })?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    sorted(input, files)
}

fn pattern(input: &str) -> Result<Vec<PathBuf>, Error> {
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let paths = glob::glob_with(input, options).map_err(|e| Error::Pattern {
        pattern: input.to_owned(),
        reason: e.msg.to_owned(),
    })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|e| {
            let path = e.path().display().to_string();
            Error::read(&path, e.into())
        })?;
        if path.is_file() {
            files.push(path);
        }
    }
    sorted(input, files)
}

fn sorted(input: &str, mut files: Vec<PathBuf>) -> Result<Vec<PathBuf>, Error> {
    if files.is_empty() {
        return Err(Error::NoFiles {
            input: input.to_owned(),
        });
    }
    files.sort();
    Ok(files)
}

/// Documents of a file that is read twice would all be duplicates of themselves.
fn once_each<'a>(files: impl Iterator<Item = &'a Input>) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for file in files {
        let (real, name) = match file {
            Input::Stdin => (None, "stdin".to_owned()),
            Input::File(path) => {
                let name = path.display().to_string();
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
