//! Templates from folders, files and archives.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use lookalike_fingerprint::{
    DPI, Template,
    format::{self, Format},
};
use walkdir::WalkDir;

use crate::Error;

/// The endings of files in folders and archives that are taken for templates.
pub(crate) const ENDINGS: &str = ".xyt, .iso, .ansi, .fmr, .fmd";

/// No template is longer: a record has at most 255 minutiae a view.
const LONGEST: u64 = 1 << 20;

/// How compressed files begin.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How templates are read.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Only files of this format; `None`: any, but each print in one only.
    pub format: Option<Format>,
    /// Dots an inch of XYT files, which do not say it.
    pub dpi: f32,
    /// Whether files that cannot be used are passed over and counted, or end it.
    pub skip: bool,
    /// Whether files that are the same to the byte are all taken, or count as files that cannot be used.
    pub copies: bool,
}

/// A print from a file.
#[derive(Clone, Debug)]
pub struct Print {
    /// The file's path below what was given, or the entry of an archive, and the view where a record has several.
    pub name: String,
    /// The folder it lies in.
    pub set: String,
    /// Which finger and which impression of it, where the name says so: 17_2.xyt is impression 2 of finger 17.
    pub label: Option<Label>,
    /// The minutiae.
    pub template: Template,
}

/// Which finger, and which impression of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The finger: what stands before the underscore.
    pub finger: String,
    /// The impression: the number after it.
    pub impression: u32,
}

/// The prints that were read.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    /// In the order of their names.
    pub prints: Vec<Print>,
    /// What was passed over, and why.
    pub skipped: Vec<String>,
}

impl Default for Input {
    /// All formats, 500 dots an inch, nothing passed over.
    fn default() -> Self {
        Self {
            format: None,
            dpi: DPI,
            skip: false,
            copies: false,
        }
    }
}

impl Input {
    /// Reads a folder with all that is below it, an archive (tar, also with gzip or zstd), or one file.
    pub fn read(&self, path: &Path) -> Result<Prints, Error> {
        let mut reading = Reading {
            input: self,
            found: Prints::default(),
            stems: HashMap::new(),
            contents: HashMap::new(),
            others: 0,
        };
        if path.is_dir() {
            for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                let entry = entry.map_err(|error| walking(path, error))?;
                if entry.file_type().is_file() && is_template(entry.path()) {
                    let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
                    let bytes = read_file(entry.path())?;
                    reading.add(&below.display().to_string(), path, bytes)?;
                }
            }
        } else if !is_archive(path)? {
            let name = path.display().to_string();
            reading.add(&name, path, read_file(path)?)?;
        } else {
            self.archive(path, &mut reading)?;
        }
        let found = reading.found;
        if found.prints.is_empty() && found.skipped.is_empty() {
            let path = path.display().to_string();
            return Err(match reading.others {
                0 => Error::Nothing { path },
                others => Error::Unusable(format!(
                    "{path}: {others} templates, but none in the format that is asked for"
                )),
            });
        }
        Ok(found)
    }

    fn archive(&self, path: &Path, reading: &mut Reading<'_>) -> Result<(), Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        let mut file = BufReader::new(file);
        let start = std::io::BufRead::fill_buf(&mut file).map_err(Error::io(path))?;
        let from: Box<dyn Read> = match start {
            packed if packed.starts_with(&ZSTD) => {
                Box::new(zstd::Decoder::with_buffer(file).map_err(Error::io(path))?)
            }
            packed if packed.starts_with(&GZIP) => {
                Box::new(flate2::bufread::MultiGzDecoder::new(file))
            }
            _ => Box::new(file),
        };
        let mut archive = tar::Archive::new(from);
        let entries = archive.entries().map_err(Error::io(path))?;
        for entry in entries {
            let entry = entry.map_err(Error::io(path))?;
            let name = entry.path().map_err(Error::io(path))?.into_owned();
            if entry.header().entry_type().is_file() && is_template(&name) {
                let mut bytes = Vec::new();
                let mut some = entry.take(LONGEST + 1);
                some.read_to_end(&mut bytes).map_err(Error::io(path))?;
                reading.add(&name.display().to_string(), path, bytes)?;
            }
        }
        Ok(())
    }
}

/// What is read so far.
struct Reading<'a> {
    input: &'a Input,
    found: Prints,
    /// Names without their endings.
    stems: HashMap<PathBuf, String>,
    contents: HashMap<Vec<u8>, String>,
    /// Templates of other formats than the one that is asked for.
    others: usize,
}

impl Reading<'_> {
    fn add(&mut self, name: &str, root: &Path, bytes: Vec<u8>) -> Result<(), Error> {
        match self.take(name, root, bytes) {
            Err(error) if self.input.skip => self.found.skipped.push(error.to_string()),
            taken => taken?,
        }
        Ok(())
    }

    fn take(&mut self, name: &str, root: &Path, bytes: Vec<u8>) -> Result<(), Error> {
        let wrong = |source| Error::Template {
            name: name.into(),
            source,
        };
        if bytes.is_empty() {
            return Err(Error::Empty { name: name.into() });
        }
        let format = format::detect(&bytes).map_err(wrong)?;
        if self.input.format.is_some_and(|wanted| wanted != format) {
            self.others += 1;
            return Ok(());
        }
        let views = format::parse(&bytes, self.input.dpi).map_err(wrong)?;
        if views.iter().all(|view| view.template.minutiae().is_empty()) {
            return Err(Error::Empty { name: name.into() });
        }
        let path = Path::new(name);
        if let Some(first) = self.stems.get(&path.with_extension("")) {
            let (first, second) = (first.clone(), name.into());
            return Err(Error::Twins { first, second });
        }
        let copied = self.contents.get(&bytes).filter(|_| !self.input.copies);
        if let Some(first) = copied {
            let (first, second) = (first.clone(), name.into());
            return Err(Error::Copies { first, second });
        }
        self.stems.insert(path.with_extension(""), name.into());
        self.contents.insert(bytes, name.into());
        let label = label(path);
        let folder = path.parent().filter(|folder| folder.parent().is_some());
        let set = folder.map_or_else(|| root_name(root), |folder| folder.display().to_string());
        let several = views.len() > 1;
        let views = (1..).zip(views);
        self.found.prints.extend(views.map(|(number, view)| Print {
            name: if several {
                format!("{name}#{number}")
            } else {
                name.into()
            },
            set: set.clone(),
            label: label.clone(),
            template: view.template,
        }));
        Ok(())
    }
}

fn label(path: &Path) -> Option<Label> {
    let (finger, impression) = path.file_stem()?.to_str()?.rsplit_once('_')?;
    let impression = impression.parse().ok()?;
    let finger = finger.into();
    Some(Label { finger, impression })
}

fn root_name(root: &Path) -> String {
    let name = root.file_name().or(root.parent().and_then(Path::file_name));
    name.map_or_else(|| ".".into(), |name| name.display().to_string())
}

/// Whether a file is a tar, maybe compressed, by its content.
fn is_archive(path: &Path) -> Result<bool, Error> {
    const MAGIC: std::ops::Range<usize> = 257..262;
    let mut start = Vec::new();
    let file = File::open(path).map_err(Error::io(path))?;
    let mut some = file.take(MAGIC.end as u64);
    some.read_to_end(&mut start).map_err(Error::io(path))?;
    let is_packed = start.starts_with(&ZSTD) || start.starts_with(&GZIP);
    Ok(is_packed || start.get(MAGIC) == Some(b"ustar"))
}

fn is_template(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        let ending = format!(".{}", ending.to_ascii_lowercase());
        ENDINGS.split(", ").any(|known| known == ending)
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::io(path))?;
    let mut some = file.take(LONGEST + 1);
    some.read_to_end(&mut bytes).map_err(Error::io(path))?;
    Ok(bytes)
}

fn walking(path: &Path, error: walkdir::Error) -> Error {
    let at = error.path().unwrap_or(path).to_owned();
    let source = error
        .into_io_error()
        .unwrap_or_else(|| std::io::Error::other("a link that leads back to itself"));
    Error::Io { path: at, source }
}
