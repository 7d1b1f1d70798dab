//! What is traced: texts, sets, columns of bits, codes, vectors, strings, digests, prints or squares.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context, bail};
use clap::Args;
use lookalike::digest::Digest;
use lookalike::digest::plugin::DigestKind;
use lookalike::fingerprint::{DPI, Template, format};
use lookalike::minhash::{Error, Shingle, trace::Matrix};
use lookalike::plugin;
use lookalike::search::TextFamily;

use super::functions::List;
use crate::options::{Bag, Text, shingle_in_words};
use crate::usage::Usage;

/// More is not a small input, whatever its lines are.
const BYTES: u64 = 64 * 1024;
/// The most items of each kind.
const ITEMS: usize = 16;
const STRINGS: usize = 4;
const PRINTS: usize = 4;
const DIGESTS: usize = 8;

/// One of the ways to give an input.
#[derive(Clone, Debug, Args)]
#[group(id = "input", required = true, multiple = false)]
pub(super) struct Input {
    /// File with one text per line, - for stdin
    file: Option<PathBuf>,
    /// Text; may be repeated
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    /// Set of numbers or letters, separated by commas; may be repeated
    #[arg(long, value_name = "X,..")]
    set: Vec<Elements>,
    /// Column of a matrix, such as 1100111, its rows counted from 1; may be repeated
    #[arg(long, value_name = "BITS")]
    column: Vec<String>,
    /// Code, such as 10111; may be repeated
    #[arg(long, value_name = "BITS")]
    code: Vec<String>,
    /// Vector, such as 3,-4,5; may be repeated
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    vector: Vec<List<f64>>,
    /// String, for edit distance; may be repeated
    #[arg(long, value_name = "STRING", allow_hyphen_values = true)]
    string: Vec<String>,
    /// File of any type, for its TLSH digest, or a digest, T1…; may be repeated
    #[arg(long, value_name = "FILE")]
    digest: Vec<PathBuf>,
    /// File with the minutiae of a print: XYT, ISO or ANSI; may be repeated
    #[arg(long, value_name = "FILE")]
    print: Vec<PathBuf>,
    /// Squares of a grid that hold minutiae of a print, counted from 0 at the bottom left; may be repeated
    #[arg(long, value_name = "N,..")]
    squares: Vec<List<u32>>,
}

/// The elements of a set, separated by commas.
#[derive(Clone, Debug)]
struct Elements(Vec<String>);

impl FromStr for Elements {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self(Vec::new()));
        }
        let elements: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
        match elements.iter().any(String::is_empty) {
            true => Err("an element is empty; write them like 0,3,4 or a,d".into()),
            false => Ok(Self(elements)),
        }
    }
}

/// What was given.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Texts with their shingles.
    Texts {
        texts: Vec<String>,
        shingles: Vec<Vec<String>>,
        shingle: String,
        is_bag: bool,
    },
    Sets {
        sets: Vec<Vec<String>>,
        is_bag: bool,
    },
    Columns(Vec<String>),
    Codes(Vec<String>),
    Vectors(Vec<Vec<f64>>),
    Strings(Vec<String>),
    Digests(Digests),
    Prints(Prints),
    Squares(Vec<Vec<u32>>),
}

/// Prints from files.
#[derive(Clone, Debug)]
pub(super) struct Prints {
    pub(super) names: Vec<String>,
    templates: Vec<Template>,
}

impl Prints {
    pub(super) fn templates(&self) -> &[Template] {
        &self.templates
    }
}

/// Digests, each with its file, or with nothing.
#[derive(Clone, Debug)]
pub(super) struct Digests {
    pub(super) names: Vec<String>,
    pub(super) digests: Vec<Digest>,
}

/// Which options go with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Minhash,
    Codes,
    Vectors,
    Strings,
    Digests,
    Prints,
    Squares,
}

impl Kind {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Minhash => "texts and sets",
            Self::Codes => "codes",
            Self::Vectors => "vectors",
            Self::Strings => "strings",
            Self::Digests => "digests",
            Self::Prints => "prints",
            Self::Squares => "squares",
        }
    }
}

impl Input {
    pub(super) fn read(&self, options: &Text, bag: Bag) -> anyhow::Result<Source> {
        let texts = match &self.file {
            Some(path) => lines(path)?,
            None => self.text.clone(),
        };
        if texts.is_empty() {
            if let Some(option) = options.given() {
                return Err(Usage(format!("{option} is for texts alone")).into());
            }
            if let (true, Some(option)) = (self.set.is_empty(), bag.given()) {
                return Err(Usage(format!("{option} is for texts and sets")).into());
            }
            return self.others(bag.bag);
        }
        let mut family = TextFamily::default();
        options.over(&mut family)?;
        let shingler = family.shingler();
        let shingles: Vec<Vec<String>> = texts.iter().map(|text| shingler.shingles(text)).collect();
        if shingles.iter().all(Vec::is_empty) {
            match family.shingle {
                Shingle::StopWords => bail!(
                    "no text has a shingle: none has a stop word with two words after it; --stop-words FILE takes other ones"
                ),
                _ => bail!(
                    "no text has a shingle: give longer texts, or shorter shingles, such as --shingle chars:3"
                ),
            }
        }
        let shingle = shingle_in_words(family.shingle, "words");
        Ok(Source::Texts {
            texts,
            shingles,
            shingle,
            is_bag: bag.bag,
        })
    }

    /// What is not texts.
    fn others(&self, is_bag: bool) -> anyhow::Result<Source> {
        if !self.set.is_empty() {
            let sets = self.set.iter().map(|set| set.0.clone()).collect();
            return Ok(Source::Sets { sets, is_bag });
        }
        if !self.code.is_empty() {
            limit("codes", self.code.len(), ITEMS)?;
            return Ok(Source::Codes(self.code.clone()));
        }
        if !self.vector.is_empty() {
            limit("vectors", self.vector.len(), ITEMS)?;
            let vectors = self.vector.iter().map(|vector| vector.0.clone());
            return Ok(Source::Vectors(vectors.collect()));
        }
        if !self.string.is_empty() {
            limit("strings", self.string.len(), STRINGS)?;
            return Ok(Source::Strings(self.string.clone()));
        }
        if !self.digest.is_empty() {
            limit("digests", self.digest.len(), DIGESTS)?;
            return digests(&self.digest).map(Source::Digests);
        }
        if !self.print.is_empty() {
            limit("prints", self.print.len(), PRINTS)?;
            return prints(&self.print).map(Source::Prints);
        }
        if !self.squares.is_empty() {
            limit("prints", self.squares.len(), PRINTS)?;
            let squares = self.squares.iter().map(|squares| squares.0.clone());
            return Ok(Source::Squares(squares.collect()));
        }
        Ok(Source::Columns(self.column.clone()))
    }
}

fn limit(what: &str, given: usize, most: usize) -> anyhow::Result<()> {
    if given > most {
        bail!("{given} {what} are given, but a trace shows at most {most}");
    }
    Ok(())
}

impl Source {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Texts { .. } | Self::Sets { .. } | Self::Columns(_) => Kind::Minhash,
            Self::Codes(_) => Kind::Codes,
            Self::Vectors(_) => Kind::Vectors,
            Self::Strings(_) => Kind::Strings,
            Self::Digests(_) => Kind::Digests,
            Self::Prints(_) => Kind::Prints,
            Self::Squares(_) => Kind::Squares,
        }
    }

    /// The characteristic matrix of texts, sets or columns; of other items there is none, and no rows.
    pub(super) fn matrix(&self) -> Result<Matrix, Error> {
        match self {
            Self::Texts {
                shingles, is_bag, ..
            } => Matrix::of_shingles(shingles, *is_bag),
            Self::Sets { sets, is_bag } => match numbers(sets).filter(|_| !is_bag) {
                Some(numbers) => Matrix::of_sets(&numbers),
                None => Matrix::of_words(sets, *is_bag),
            },
            Self::Columns(columns) => {
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                Matrix::of_columns(&columns)
            }
            _ => Matrix::of_sets(&[]),
        }
    }
}

/// Sets whose elements are all numbers.
fn numbers(sets: &[Vec<String>]) -> Option<Vec<Vec<u64>>> {
    let of_set = |set: &Vec<String>| set.iter().map(|word| word.parse().ok()).collect();
    sets.iter().map(of_set).collect()
}

/// Digests that are given, or those of files.
fn digests(given: &[PathBuf]) -> anyhow::Result<Digests> {
    let mut digests = Digests {
        names: Vec::new(),
        digests: Vec::new(),
    };
    for path in given {
        let name = path.display().to_string();
        let (name, digest) = match name.parse() {
            Ok(digest) => ("–".to_owned(), digest),
            Err(_) => {
                let bytes = fs::read(path).with_context(|| name.clone())?;
                let left_out = <DigestKind as plugin::Kind>::LEFT_OUT;
                let digest = Digest::of(&bytes).with_context(|| format!("{name}: {left_out}"))?;
                (name, digest)
            }
        };
        digests.names.push(name);
        digests.digests.push(digest);
    }
    Ok(digests)
}

/// The prints of files, one each.
fn prints(paths: &[PathBuf]) -> anyhow::Result<Prints> {
    let mut prints = Prints {
        names: Vec::new(),
        templates: Vec::new(),
    };
    for path in paths {
        let name = path.display().to_string();
        let bytes = fs::read(path).with_context(|| name.clone())?;
        let mut views = format::parse(&bytes, DPI).with_context(|| name.clone())?;
        if views.len() != 1 {
            bail!(
                "{name}: {} prints, but a trace takes one per file",
                views.len()
            );
        }
        let stem = path.file_stem().unwrap_or_default();
        prints.names.push(stem.to_string_lossy().into_owned());
        prints
            .templates
            .extend(views.pop().map(|view| view.template));
    }
    Ok(prints)
}

/// The lines of a small file that are not blank.
fn lines(path: &Path) -> anyhow::Result<Vec<String>> {
    let name = match path.as_os_str() == "-" {
        true => "stdin".to_owned(),
        false => path.display().to_string(),
    };
    let mut bytes = Vec::new();
    let read = |bytes: &mut Vec<u8>| match path.as_os_str() == "-" {
        true => io::stdin().lock().take(BYTES + 1).read_to_end(bytes),
        false => File::open(path)?.take(BYTES + 1).read_to_end(bytes),
    };
    read(&mut bytes).with_context(|| name.clone())?;
    if bytes.len() as u64 > BYTES {
        bail!(
            "{name}: more than {BYTES} bytes, but a trace is for small inputs; take some lines with head"
        );
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{name}: not UTF-8"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() {
        bail!("{name}: no line with a text");
    }
    Ok(lines)
}
