//! The folder of a finished run, read again.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use lookalike_corpus::{Corpus, Document, Options};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use lookalike_search::{Registry, TextPlan};

use crate::{Config, Error, documents::id_of, hashing::Promised, identity};

/// The number of the field that documents are compared within, among the further fields of a document.
const WITHIN: usize = 0;

/// What a run left.
pub(crate) struct Finished {
    pub(crate) folder: PathBuf,
    pub(crate) config: Config,
    pub(crate) plan: TextPlan,
    pub(crate) promised: Promised,
}

/// A line of `pairs.jsonl`; ids are JSON.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct PairLine<'a> {
    #[serde(borrow)]
    pub(crate) a: &'a RawValue,
    #[serde(borrow)]
    pub(crate) b: &'a RawValue,
    pub(crate) similarity: Option<f64>,
    /// Whether the second document is of the older corpus; the first never is.
    #[serde(default)]
    pub(crate) against: bool,
}

/// A line of `clusters.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct ClusterLine<'a> {
    #[serde(borrow)]
    pub(crate) representative: &'a RawValue,
    /// Whether it is of the older corpus; the members never are.
    #[serde(default)]
    pub(crate) against: bool,
    #[serde(borrow)]
    pub(crate) members: Vec<MemberLine<'a>>,
}

/// A member in a line of `clusters.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct MemberLine<'a> {
    #[serde(borrow)]
    pub(crate) id: &'a RawValue,
    pub(crate) similarity: Option<f64>,
}

/// What `report.json` says of the inputs.
#[derive(Debug, Deserialize)]
struct Sizes {
    files: Vec<Size>,
}

#[derive(Debug, Deserialize)]
struct Size {
    name: String,
    /// None for stdin and pipes, and in reports of older versions.
    bytes: Option<u64>,
}

impl Finished {
    /// Opens the folder that a run has written.
    pub(crate) fn open(folder: &Path, registry: &Registry) -> Result<Self, Error> {
        let path = folder.join("run.toml");
        let text = fs::read_to_string(&path).map_err(|reason| match reason.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::Finished {
                path: folder.to_owned(),
                message: "not the folder of a finished run: there is no run.toml in it".into(),
            },
            _ => unreadable(&path, reason),
        })?;
        let config = Config::parse(&text, &path.display().to_string())?;
        if config.equality().is_some() {
            return Err(Error::Finished {
                path: folder.to_owned(),
                message:
                    "this run removed equal documents and compared no others, so that there is \
                          nothing to measure or to explain"
                        .into(),
            });
        }
        Ok(Self {
            folder: folder.to_owned(),
            plan: config.plan(registry)?,
            promised: Promised::new(&config.family, registry)?,
            config,
        })
    }

    /// The inputs of the run.
    pub(crate) fn corpus(&self) -> Result<Corpus, Error> {
        let data = &self.config.data;
        let options = Options {
            second_pass: true,
            ..self.config.options()
        };
        let corpus = Corpus::open(&data.inputs, options).map_err(|reason| Error::Inputs {
            run: self.folder.join("run.toml"),
            reason: reason.into(),
        })?;
        self.check_bytes(&corpus)?;
        Ok(corpus)
    }

    /// Refuses files that are longer or shorter than the run has seen them.
    fn check_bytes(&self, corpus: &Corpus) -> Result<(), Error> {
        let Sizes { files } = self.json("report.json")?;
        for before in files {
            let is_it = |file: &&lookalike_corpus::File| file.name() == before.name;
            let now = corpus.own_files().iter().find(is_it);
            let now = now.and_then(lookalike_corpus::File::bytes);
            if let (Some(now), Some(bytes)) = (now, before.bytes)
                && now != bytes
            {
                let name = before.name;
                return Err(self.changed(format!("{name}: {now} bytes instead of {bytes}")));
            }
        }
        Ok(())
    }

    /// The id of a document as the run writes it: JSON.
    pub(crate) fn id(&self, corpus: &Corpus, document: &Document<'_>) -> String {
        let id = document.id.filter(|_| !self.config.data.ignore_ids);
        id_of(id, corpus, &document.place)
    }

    /// The value of the field that documents must share to be compared, as JSON.
    pub(crate) fn within<'d>(&self, document: &Document<'d>) -> Option<&'d str> {
        self.config.data.within.as_ref()?;
        let value = document.fields.get(WITHIN);
        value.filter(|value| *value != "null")
    }

    /// What stands for that value, where there is such a field.
    pub(crate) fn group(&self, document: &Document<'_>) -> Option<u64> {
        let within = self.config.data.within.as_ref();
        within.map(|_| identity::group(self.within(document)))
    }

    /// What stands for the item of a document.
    pub(crate) fn digest(&self, document: &Document<'_>) -> u128 {
        identity::digest(document.text, self.group(document))
    }

    /// The error where the inputs are others than those of the run.
    pub(crate) fn changed(&self, message: String) -> Error {
        Error::Changed {
            folder: self.folder.clone(),
            message,
        }
    }

    /// What a JSON file of the run says.
    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        let path = self.folder.join(name);
        let file = File::open(&path).map_err(|reason| unreadable(&path, reason))?;
        serde_json::from_reader(BufReader::new(file)).map_err(|reason| Error::Finished {
            path,
            message: reason.to_string(),
        })
    }

    /// Goes through `pairs.jsonl`.
    pub(crate) fn pairs(
        &self,
        mut take: impl FnMut(PairLine<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.lines("pairs.jsonl", |line| Ok(take(serde_json::from_str(line)?)))
    }

    /// Goes through `clusters.jsonl`.
    pub(crate) fn clusters(&self, mut take: impl FnMut(&ClusterLine<'_>)) -> Result<(), Error> {
        self.lines("clusters.jsonl", |line| {
            take(&serde_json::from_str(line)?);
            Ok(Ok(()))
        })
    }

    /// Goes through the lines of a file; the outer error is of the line, the inner one of who takes it.
    fn lines(
        &self,
        name: &str,
        take: impl FnMut(&str) -> serde_json::Result<Result<(), Error>>,
    ) -> Result<(), Error> {
        lines(&self.folder.join(name), take)
    }
}

/// Goes through the lines of a file; the outer error is of the line, the inner one of who takes it.
pub(crate) fn lines(
    path: &Path,
    mut take: impl FnMut(&str) -> serde_json::Result<Result<(), Error>>,
) -> Result<(), Error> {
    let failed = |reason| unreadable(path, reason);
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    let mut line = String::new();
    for number in 1u64.. {
        line.clear();
        if reader.read_line(&mut line).map_err(failed)? == 0 {
            break;
        }
        take(&line).map_err(|reason| Error::Finished {
            path: path.to_owned(),
            message: format!("line {number} is not what a run writes: {reason}"),
        })??;
    }
    Ok(())
}

fn unreadable(path: &Path, reason: io::Error) -> Error {
    Error::Finished {
        path: path.to_owned(),
        message: format!("cannot read: {reason}"),
    }
}
