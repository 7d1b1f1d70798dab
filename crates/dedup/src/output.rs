//! What a run writes: first under another name, so that the folder is there complete or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use lookalike_corpus::{Corpus, Fate};
use rayon::prelude::*;
use serde::Serialize;
use tempfile::TempDir;

use crate::{
    Error, Mode,
    documents::{Doc, Documents},
    groups::{Group, Listed},
};

/// A folder that gets its name when all is in it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    hidden: TempDir,
    /// What has been written, as named in the folder.
    written: Vec<PathBuf>,
}

impl Folder {
    /// Makes sure that the folder can be written, before any work is done.
    ///
    /// What is there already is refused, unless it is an empty folder, or the results of a run that may be replaced.
    pub(crate) fn new(path: &Path, replace: bool) -> Result<Self, Error> {
        let is_of_a_run = || replace && path.join("run.toml").is_file();
        match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
            Ok(is_empty) if is_empty || is_of_a_run() => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if !path.exists() => return Err(Error::write(path)(error)),
            _ => {
                return Err(Error::Exists {
                    path: path.to_owned(),
                });
            }
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(Error::write(parent))?;
        let hidden = tempfile::Builder::new()
            .prefix(".lookalike-")
            .tempdir_in(parent)
            .map_err(Error::write(parent))?;
        Ok(Self {
            path: path.to_owned(),
            hidden,
            written: Vec::new(),
        })
    }

    /// Where files are written for now.
    pub(crate) fn hidden(&self) -> &Path {
        self.hidden.path()
    }

    /// A file in the folder; folders on the way to it are made.
    fn file(&mut self, name: &Path) -> Result<Out, Error> {
        let path = self.hidden.path().join(name);
        self.written.push(name.to_owned());
        // In messages the name that the file is to have.
        let shown = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::write(&shown))?;
        }
        let file = File::create(&path).map_err(Error::write(&shown))?;
        Ok(Out {
            path: shown,
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    /// Writes one file.
    pub(crate) fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut out = self.file(Path::new(name))?;
        write(&mut out.file).map_err(Error::write(&out.path))?;
        out.finish()
    }

    /// Gives the folder its name, when all that is in it is on disk.
    pub(crate) fn publish(self) -> Result<(), Error> {
        let shown = |path: &Path| Error::write(path.to_owned());
        // All at once: the system then waits for its disk once and not for each file.
        self.written.par_iter().try_for_each(|name| {
            let file = File::open(self.hidden.path().join(name));
            let synced = file.and_then(|file| file.sync_all());
            synced.map_err(Error::write(self.path.join(name)))
        })?;
        // A temporary folder is for its owner alone; what is published has the rights that a new folder has.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let probe = self.hidden.path().join("probe");
            fs::create_dir(&probe).map_err(shown(&self.path))?;
            let mode = fs::metadata(&probe)
                .map_err(shown(&self.path))?
                .permissions()
                .mode();
            fs::remove_dir(&probe).map_err(shown(&self.path))?;
            let rights = fs::Permissions::from_mode(mode);
            fs::set_permissions(self.hidden.path(), rights).map_err(shown(&self.path))?;
        }
        // Results of an earlier run step aside, and go when the new ones are in place.
        let aside = self.hidden.path().with_extension("old");
        let replaces = self.path.join("run.toml").is_file();
        if replaces {
            fs::rename(&self.path, &aside).map_err(shown(&self.path))?;
        }
        let hidden = self.hidden.keep();
        let renamed = fs::rename(&hidden, &self.path);
        if renamed.is_err() {
            let _ = fs::remove_dir_all(&hidden);
            if replaces {
                let _ = fs::rename(&aside, &self.path);
            }
        } else if replaces {
            let _ = fs::remove_dir_all(&aside);
        }
        renamed.map_err(shown(&self.path))
    }
}

/// A file that is being written.
struct Out {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Out {
    fn finish(mut self) -> Result<(), Error> {
        self.file.flush().map_err(Error::write(&self.path))
    }
}

/// A number as it is written: nine decimals say more than anybody asks, and do not show how it was computed.
pub(crate) fn rounded(similarity: f64) -> f64 {
    (similarity * 1e9).round() / 1e9
}

/// What the writers need to know.
pub(crate) struct Results<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) documents: &'a Documents,
    pub(crate) groups: &'a [Group],
}

impl Results<'_> {
    /// A verified pair a line.
    pub(crate) fn pairs(&self, pairs: &[Listed], out: &mut dyn Write) -> io::Result<()> {
        for &(a, b, similarity) in pairs {
            let (a, b) = (self.id(a), self.id(b));
            let similarity = number(similarity);
            writeln!(
                out,
                "{{\"a\": {a}, \"b\": {b}, \"similarity\": {similarity}}}"
            )?;
        }
        Ok(())
    }

    /// A cluster a line.
    pub(crate) fn clusters(&self, out: &mut dyn Write) -> io::Result<()> {
        for group in self.groups {
            let representative = self.id(group.representative);
            let size = group.members.len() + 1;
            write!(
                out,
                "{{\"representative\": {representative}, \"size\": {size}, \"members\": ["
            )?;
            for (place, &(doc, similarity)) in group.members.iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                let (id, similarity) = (self.id(doc), number(similarity));
                write!(out, "{comma}{{\"id\": {id}, \"similarity\": {similarity}}}")?;
            }
            writeln!(out, "]}}")?;
        }
        Ok(())
    }

    fn id(&self, doc: Doc) -> String {
        self.documents.id(self.corpus, doc)
    }

    /// For each document the one that stays instead of it, and their similarity where it is known.
    pub(crate) fn fates(&self) -> Vec<Option<(Doc, Option<f64>)>> {
        let mut fates = vec![None; self.documents.len()];
        for group in self.groups {
            for &(doc, similarity) in &group.members {
                fates[doc as usize] = Some((group.representative, similarity));
            }
        }
        fates
    }

    /// Copies the documents of one file as the mode says.
    pub(crate) fn mirror(
        &self,
        folder: &mut Folder,
        mode: Mode,
        file: u32,
        docs: std::ops::Range<usize>,
        fates: &[Option<(Doc, Option<f64>)>],
    ) -> Result<(), Error> {
        let places = &self.documents.places[docs.clone()];
        let fates = &fates[docs];
        let name = self.corpus.files()[file as usize].mirror();
        match mode {
            Mode::Report => Ok(()),
            Mode::Remove => {
                let mut kept = folder.file(&Path::new("kept").join(name))?;
                let mut removed = folder.file(&Path::new("removed").join(name))?;
                let fate = |i: usize, _: &_| match fates[i] {
                    None => Fate::Keep,
                    Some(_) => Fate::Remove,
                };
                self.corpus
                    .split(file, places, fate, &mut kept.file, &mut removed.file)?;
                kept.finish()?;
                removed.finish()
            }
            Mode::Annotate => {
                let mut out = folder.file(&Path::new("annotated").join(name))?;
                let note = |i: usize| Some(self.note(fates[i]));
                self.corpus.annotate(file, places, note, &mut out.file)?;
                out.finish()
            }
        }
    }

    fn note(&self, fate: Option<(Doc, Option<f64>)>) -> String {
        match fate {
            None => "\"lookalike\": {\"duplicate_of\": null}".into(),
            Some((kept, similarity)) => {
                let (kept, similarity) = (self.id(kept), number(similarity));
                format!("\"lookalike\": {{\"duplicate_of\": {kept}, \"similarity\": {similarity}}}")
            }
        }
    }
}

/// A similarity as JSON.
fn number(similarity: Option<f64>) -> String {
    similarity.map_or("null".into(), |s| rounded(s).to_string())
}

/// A value as JSON that people can read.
pub(crate) fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
