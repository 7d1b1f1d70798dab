//! Which files of a folder are read: those of one format.
//!
//! A folder of data often holds a README, a licence or an archive next to the data, and a folder of sources holds a
//! `package.json`. So the format with the most bytes is read and the rest is ignored; companions weigh nothing. To read
//! every file was rejected: documentation became documents, and archives errors.

use crate::inputs::unreadable;
use crate::pattern::Pattern;
use crate::{Error, Format, Options, file, format};
use lookalike_core::plugin::{PlainFile, shown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names, without what follows the first dot, of files that accompany data.
const COMPANIONS: [&str; 7] = [
    "readme",
    "license",
    "licence",
    "copying",
    "notice",
    "changelog",
    "authors",
];

/// The files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) files: Vec<(PathBuf, Format)>,
    pub(crate) ignored: Vec<PathBuf>,
}

/// [`Options::include`] and [`Options::exclude`].
#[derive(Debug)]
pub(crate) struct Patterns {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    /// One of them, for messages.
    first: Option<(&'static str, String)>,
}

impl Patterns {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let of = |patterns: &[String]| -> Result<Vec<Pattern>, Error> {
            patterns
                .iter()
                .map(|pattern| Pattern::new(pattern))
                .collect()
        };
        let first = |name, patterns: &[String]| patterns.first().map(|p| (name, p.clone()));
        Ok(Self {
            include: of(&options.include)?,
            exclude: of(&options.exclude)?,
            first: first("include", &options.include).or(first("exclude", &options.exclude)),
        })
    }

    /// Refuses patterns where there is no folder.
    pub(crate) fn refuse(&self) -> Result<(), Error> {
        match &self.first {
            None => Ok(()),
            Some((name, pattern)) => Err(Error::Parameter {
                name,
                value: pattern.clone(),
                expected: "used with a folder: files that are named are always read",
            }),
        }
    }

    /// Whether a file is a candidate.
    fn admit(&self, below: &Path) -> bool {
        let name = below.file_name().map(Path::new);
        let matches = |patterns: &[Pattern]| {
            let mut patterns = patterns.iter();
            patterns.any(|it| it.matches(below) || name.is_some_and(|name| it.matches(name)))
        };
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}

/// What a file is, and how much it counts in the choice of a format.
struct Candidate {
    path: PathBuf,
    /// None for bytes that are not text.
    format: Option<Format>,
    weight: u64,
}

/// The files below a folder that are read, by path.
pub(crate) fn files(input: &Path, options: &Options, patterns: &Patterns) -> Result<Chosen, Error> {
    let mut chosen = Chosen::default();
    let mut candidates = Vec::new();
    let mut visible = 0;
    let is_hidden = |entry: &walkdir::DirEntry| {
        entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
    };
    for entry in walkdir::WalkDir::new(input)
        // A link to a file of the folder would be a copy of it, and one to nothing an error.
        .follow_links(!takes_any_bytes(options))
        .into_iter()
        .filter_entry(|entry| !(is_hidden(entry) && entry.file_type().is_dir()))
    {
        let entry = entry.map_err(|error| unreadable(input, error))?;
        if !entry.file_type().is_file() {
            continue;
        }
        let hidden = is_hidden(&entry);
        visible += usize::from(!hidden);
        let below = entry.path().strip_prefix(input).unwrap_or(entry.path());
        match patterns.admit(below) {
            true if hidden => chosen.ignored.push(entry.into_path()),
            true => candidates.push(Candidate::of(entry, options)?),
            false => {}
        }
    }
    if visible == 0 {
        return Err(Error::NoFiles {
            input: shown(input),
        });
    }
    let reason = match candidates.is_empty() {
        true => "matches the patterns",
        false => "is text or data",
    };
    choose(candidates, options, &mut chosen);
    if chosen.files.is_empty() {
        return Err(Error::NoneChosen {
            input: shown(input),
            files: visible,
            reason,
        });
    }
    chosen.files.sort_by(|a, b| a.0.cmp(&b.0));
    chosen.ignored.sort();
    Ok(chosen)
}

/// Whether every file is a record, whatever it holds.
fn takes_any_bytes(options: &Options) -> bool {
    let unless_given = options.format.is_none() && options.plain == PlainFile::Bytes;
    unless_given || options.format == Some(Format::Bytes)
}

impl Candidate {
    fn of(entry: walkdir::DirEntry, options: &Options) -> Result<Self, Error> {
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        let path = entry.into_path();
        if takes_any_bytes(options) {
            return Ok(Self {
                path,
                format: Some(Format::Bytes),
                weight: bytes,
            });
        }
        let mut head = None;
        let detected = format::detect(Some(&path), || {
            let read = file::head(&path, options.limits)?;
            Ok::<_, Error>(head.insert(read).clone())
        })?;
        let head = head.unwrap_or_default();
        // A name says that a text is one; else a zero byte says that it is not.
        let is_named = path.extension().is_some_and(|e| e == "txt");
        let format = match detected {
            Format::Lines if !is_named && head.contains(&0) => None,
            Format::Lines if options.plain == PlainFile::Text => Some(Format::Files),
            format => Some(format),
        };
        let is_array = format.is_some_and(Format::is_array) && !options.values;
        let is_companion = is_array || is_companion(&path) || is_one_object(detected, &head);
        Ok(Self {
            path,
            format,
            weight: if is_companion { 0 } else { bytes },
        })
    }

    /// Whether it may hold what is asked for in this format.
    fn fits(&self, wanted: Format) -> bool {
        let is_text = |format| matches!(format, Format::Lines | Format::Files);
        let fits = |format| format == wanted || is_text(format) && is_text(wanted);
        self.format.is_some_and(fits)
    }
}

fn is_companion(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    COMPANIONS.contains(&stem) || name.ends_with(".md")
}

/// Whether a file of JSON is one object over many lines, such as settings, and not one object per line.
fn is_one_object(format: Format, head: &[u8]) -> bool {
    let first = head
        .split(|&b| b == b'\n')
        .find(|l| !l.trim_ascii().is_empty());
    let ends = |line: &[u8]| line.trim_ascii().ends_with(b"}");
    format == Format::Jsonl && first.is_some_and(|line| line.len() < head.len() && !ends(line))
}

/// Takes the files of the format that was asked for, or of the one that weighs the most.
fn choose(candidates: Vec<Candidate>, options: &Options, chosen: &mut Chosen) {
    let takes_all = !options.include.is_empty();
    let one = match options.format {
        Some(format) => candidates.iter().any(|c| c.fits(format)).then_some(format),
        None => heaviest(&candidates),
    };
    for candidate in candidates {
        let is_chosen = match (options.format, one) {
            _ if takes_all => true,
            (Some(_), Some(wanted)) => candidate.fits(wanted),
            (Some(_), None) => true,
            (None, one) => candidate.format.is_some() && candidate.format == one,
        };
        match is_chosen {
            true => {
                let own = candidate.format.unwrap_or(Format::Files);
                let format = options.format.unwrap_or(own);
                chosen.files.push((candidate.path, format));
            }
            false => chosen.ignored.push(candidate.path),
        }
    }
}

/// The format whose files weigh the most; of equal ones that of more files, then the first in the table.
fn heaviest(candidates: &[Candidate]) -> Option<Format> {
    let mut totals: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for candidate in candidates {
        if let Some(format) = candidate.format {
            let total = totals.entry(format as usize).or_default();
            total.0 += candidate.weight;
            total.1 += 1;
        }
    }
    let most = totals.into_iter().rev().max_by_key(|(_, total)| *total);
    most.and_then(|(number, _)| Format::all().nth(number))
}
