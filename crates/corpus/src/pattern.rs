//! Globs: `*.txt`, `**/*.jsonl`, `part-[0-9].csv`, `{train,test}.parquet`.
//!
//! A pattern is matched against the names below the folder before its first special character, byte by byte, so that names
//! need not be Unicode. Hidden files and folders match only where the pattern writes their dot.

use crate::Error;
use crate::inputs::unreadable;
use lookalike_core::plugin::printable;
use std::io;
use std::path::{Path, PathBuf};

const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// Whether a name would be a pattern.
pub(crate) fn is_one(input: &str) -> bool {
    input.contains(SPECIAL)
}

/// The files that match, in any order. A relative pattern is seen from the base.
pub(crate) fn files(input: &str, base: Option<&Path>) -> Result<Vec<PathBuf>, Error> {
    let special = input.find(SPECIAL).unwrap_or(input.len());
    let start = input[..special].rfind('/').map_or(0, |slash| slash + 1);
    let (above, pattern) = input.split_at(start);
    let root = match (base, above) {
        (Some(base), above) => base.join(above),
        (None, "") => PathBuf::from("."),
        (None, above) => PathBuf::from(above),
    };
    check(input)?;
    let matching = Pattern::new(pattern)?;
    let parts: Vec<&str> = pattern.split('/').collect();
    let is_deep = pattern.contains("**");
    let shows_hidden = |depth: usize| match parts.get(depth - 1) {
        Some(part) if !is_deep => part.starts_with('.'),
        _ => parts.iter().any(|part| part.starts_with('.')),
    };
    let is_wanted = |entry: &walkdir::DirEntry| {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        entry.depth() == 0 || !is_hidden || shows_hidden(entry.depth())
    };
    let mut files = Vec::new();
    let walk = walkdir::WalkDir::new(&root)
        .follow_links(true)
        .min_depth(1)
        .max_depth(if is_deep { usize::MAX } else { parts.len() });
    for entry in walk.into_iter().filter_entry(is_wanted) {
        let entry = match entry {
            Ok(entry) => entry,
            // A link to nothing, or to itself, is not a file.
            Err(e) if e.path().is_some_and(is_broken_link) => continue,
            Err(e) => return Err(unreadable(&root, e)),
        };
        let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        if entry.file_type().is_file() && matching.matches(below) {
            // Without a folder before it, a name stays as short as the pattern.
            files.push(match (base, above) {
                (None, "") => below.to_owned(),
                _ => entry.into_path(),
            });
        }
    }
    Ok(files)
}

/// Whether a path is a link that leads nowhere, and not to something that may not be read.
fn is_broken_link(path: &Path) -> bool {
    let is_lost = |error: io::Error| error.kind() != io::ErrorKind::PermissionDenied;
    path.is_symlink() && path.metadata().is_err_and(is_lost)
}

/// A pattern that is well formed.
#[derive(Debug)]
pub(crate) struct Pattern(String);

impl Pattern {
    /// Refuses brackets and braces that are not closed.
    pub(crate) fn new(pattern: &str) -> Result<Self, Error> {
        check(pattern)?;
        // A leading `!` would turn the pattern round.
        Ok(Self(match pattern.starts_with('!') {
            true => format!("\\{pattern}"),
            false => pattern.to_owned(),
        }))
    }

    /// Whether a path matches as a whole; `*` does not match a slash.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        fast_glob::glob_match(&self.0, path.as_os_str().as_encoded_bytes())
    }
}

/// Refuses brackets and braces that are not closed.
fn check(pattern: &str) -> Result<(), Error> {
    let refuse = |reason: String| {
        Err(Error::Pattern {
            pattern: printable(pattern).into_owned(),
            reason,
        })
    };
    let (mut braces, mut rest) = (0u32, pattern);
    while let Some(at) = rest.find(['[', '{', '}', '\\']) {
        let (found, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = match found {
            b'\\' => after
                .get(after.chars().next().map_or(0, char::len_utf8)..)
                .unwrap_or(""),
            b'[' => {
                // A bracket that comes first is one of the characters.
                let first = after.strip_prefix(['!', '^']).unwrap_or(after);
                let first = first.strip_prefix(']').unwrap_or(first);
                match first.split_once(']') {
                    Some((_, after)) => after,
                    None => return refuse("a `[` is not closed by `]`".to_owned()),
                }
            }
            b'{' => {
                braces += 1;
                after
            }
            _ if braces == 0 => after,
            _ => {
                braces -= 1;
                after
            }
        };
    }
    match braces {
        0 => Ok(()),
        _ => refuse("a `{` is not closed by `}`".to_owned()),
    }
}
