//! What is traced: texts, sets of numbers, or columns of bits.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Args;
use lookalike::minhash::{Error, trace::Matrix};
use lookalike::search::TextFamily;

use super::Numbers;
use crate::options::Text;
use crate::usage::Usage;

/// More is no small input, whatever its lines are.
const BYTES: u64 = 64 * 1024;

/// One of the ways to give an input.
#[derive(Clone, Debug, Args)]
#[group(id = "input", required = true, multiple = false)]
pub(super) struct Input {
    /// File with a text a line, - for stdin
    file: Option<PathBuf>,
    /// Text; may be repeated
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    /// Set of numbers, separated by commas; may be repeated
    #[arg(long, value_name = "N,..")]
    set: Vec<Numbers>,
    /// Column of a matrix, such as 1100111, its rows counted from 1; may be repeated
    #[arg(long, value_name = "BITS")]
    column: Vec<String>,
}

/// What was given.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Texts with their shingles.
    Texts {
        texts: Vec<String>,
        shingles: Vec<Vec<String>>,
        shingle: String,
    },
    Sets(Vec<Vec<u64>>),
    Columns(Vec<String>),
}

impl Input {
    pub(super) fn read(&self, options: &Text) -> anyhow::Result<Source> {
        let texts = match &self.file {
            Some(path) => lines(path)?,
            None => self.text.clone(),
        };
        if texts.is_empty() {
            if let Some(option) = options.given() {
                return Err(
                    Usage(format!("{option} is for texts, not for sets of numbers")).into(),
                );
            }
            return Ok(match self.set.is_empty() {
                true => Source::Columns(self.column.clone()),
                false => Source::Sets(self.set.iter().map(|set| set.0.clone()).collect()),
            });
        }
        let mut family = TextFamily::default();
        options.over(&mut family)?;
        let shingler = family.shingler();
        let shingles: Vec<Vec<String>> = texts.iter().map(|text| shingler.shingles(text)).collect();
        if shingles.iter().all(Vec::is_empty) {
            bail!(
                "no text has a shingle: give longer texts, or shorter shingles, such as --shingle chars:3"
            );
        }
        let shingle = family.shingle.to_string();
        Ok(Source::Texts {
            texts,
            shingles,
            shingle,
        })
    }
}

impl Source {
    pub(super) fn matrix(&self) -> Result<Matrix, Error> {
        match self {
            Self::Texts { shingles, .. } => Matrix::of_shingles(shingles),
            Self::Sets(sets) => Matrix::of_sets(sets),
            Self::Columns(columns) => {
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                Matrix::of_columns(&columns)
            }
        }
    }
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
