use std::path::Path;

use lookalike_corpus::{Corpus, FieldPath, Options};
use lookalike_hamming::{Codes, hex};

use crate::{Error, Names, binary};

/// Where codes are read from, and how.
#[derive(Clone, Debug)]
pub struct Input {
    /// A file, `-` for stdin; text may also be a folder or a glob.
    pub path: String,
    /// What it holds; `None`: what its name and content say.
    pub format: Option<Format>,
    /// Bits of a code; packed ones do not say it.
    pub bits: Option<usize>,
    /// The field of a record that has the code.
    pub field: FieldPath,
    /// The field that has the id; `None`: `id` where there is one.
    pub id: Option<FieldPath>,
    /// Whether records are named by file and line, even if they have ids.
    pub ignore_ids: bool,
    /// How many times as many bytes may come out of compressed files as are in them.
    pub max_expansion: u64,
}

/// How codes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A code a line, in hexadecimal digits.
    Hex,
    /// Records with a hexadecimal field.
    Records(lookalike_corpus::Format),
    /// Bytes, one code after the other.
    Bin,
    /// A NumPy array of bytes, a row a code.
    Npy,
}

/// Codes and what they are called.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The codes.
    pub codes: Codes,
    /// Their names.
    pub names: Names,
}

impl Input {
    /// Reads a file as its name and content say, with the field `hash` in records.
    #[must_use]
    pub fn new(path: &str) -> Self {
        Self {
            path: path.into(),
            format: None,
            bits: None,
            field: "hash".parse().expect("a field"),
            id: None,
            ignore_ids: false,
            max_expansion: Options::default().max_expansion,
        }
    }

    /// Reads all codes.
    pub fn read(&self) -> Result<Collection, Error> {
        let format = match self.format {
            Some(format) => Some(format),
            None => self.seen()?,
        };
        let collection = match format {
            Some(Format::Bin) => binary::packed(self)?,
            Some(Format::Npy) => binary::npy(self)?,
            Some(Format::Hex) => self.records(Some(lookalike_corpus::Format::Lines))?,
            Some(Format::Records(format)) => self.records(Some(format))?,
            None => self.records(None)?,
        };
        let found = collection.codes.bit_length();
        if let Some(expected) = self.bits.filter(|&bits| bits != found) {
            let file = self.path.clone();
            return Err(Error::OtherBits {
                file,
                found,
                expected,
            });
        }
        let file = || self.path.clone();
        match u32::try_from(collection.codes.len()) {
            Ok(0) => Err(Error::Empty { file: file() }),
            Ok(_) => Ok(collection),
            Err(_) => Err(Error::TooMany { file: file() }),
        }
    }

    /// Whether name or content say that it is an array.
    fn seen(&self) -> Result<Option<Format>, Error> {
        let path = Path::new(&self.path);
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("bin")) {
            return Ok(Some(Format::Bin));
        }
        let is_npy = path.is_file() && binary::is_npy(self)?;
        Ok(is_npy.then_some(Format::Npy))
    }

    /// Reads records, on the threads of the current rayon pool.
    fn records(&self, format: Option<lookalike_corpus::Format>) -> Result<Collection, Error> {
        let options = Options {
            format,
            text: self.field.clone(),
            text_option: crate::FIELD,
            id: self.id.clone(),
            max_expansion: self.max_expansion,
            ..Options::default()
        };
        let corpus = Corpus::open(std::slice::from_ref(&self.path), options)?;
        let mut names = Names {
            files: corpus
                .files()
                .iter()
                .map(|file| file.name().into())
                .collect(),
            ..Names::default()
        };
        let name =
            |(file, line): (u32, u64)| format!("{}:{line}", corpus.files()[file as usize].name());
        let wrong = |place| {
            move |reason| Error::Code {
                place: name(place),
                reason,
            }
        };
        let mut codes: Option<Codes> = None;
        corpus.scan(
            || (),
            |(), documents| {
                let mut read = Vec::new();
                while let Some(document) = documents.next()? {
                    let place = (document.place.file, document.place.line);
                    // A line that says nothing is no code.
                    if document.text.trim().is_empty()
                        && format == Some(lookalike_corpus::Format::Lines)
                    {
                        continue;
                    }
                    let code = hex(document.text).map_err(wrong(place))?;
                    let id = document.id.filter(|_| !self.ignore_ids);
                    read.push((place, id.map(Box::<str>::from), code));
                }
                Ok::<_, Error>(read)
            },
            |_, read| {
                for (place, id, code) in read {
                    let bits = code.len() * 8;
                    let codes = match &mut codes {
                        Some(codes) => codes,
                        none => none.insert(Codes::new(bits).map_err(wrong(place))?),
                    };
                    if bits != codes.bit_length() {
                        return Err(Error::Length {
                            place: name(place),
                            found: bits,
                            first: name(names.places[0]),
                            expected: codes.bit_length(),
                        });
                    }
                    codes.push_bytes(&code)?;
                    if id.is_some() || !names.ids.is_empty() {
                        names.ids.resize(names.places.len(), None);
                        names.ids.push(id);
                    }
                    names.places.push(place);
                }
                Ok(())
            },
        )?;
        let file = self.path.clone();
        let codes = codes.ok_or(Error::Empty { file })?;
        Ok(Collection { codes, names })
    }
}
