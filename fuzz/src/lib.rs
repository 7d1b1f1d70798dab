//! What the fuzz targets share: a corpus of one file in memory, gone through by all three passes.

use lookalike_corpus::{
    Corpus, Documents, Error, ErrorKind, Fate, OnError, Options, Outputs, Place, Records, Skipped,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::NamedTempFile;

/// Files that are never on a disk, where the system has such.
static MEMORY: LazyLock<PathBuf> = LazyLock::new(|| {
    // One thread, this one: handing work over would take most of the time.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    pool.use_current_thread().build_global().unwrap();
    match Path::new("/dev/shm") {
        memory if memory.is_dir() => memory.to_owned(),
        _ => std::env::temp_dir(),
    }
});

/// A document that owns what it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub text: String,
    pub id: Option<String>,
    pub place: Place,
}

/// A file that has been read.
pub struct Scanned {
    _file: NamedTempFile,
    pub corpus: Corpus,
    pub documents: Vec<Read>,
    pub skipped: Vec<Skipped>,
}

/// Reads a file of this content, whose name ends so.
pub fn scan(content: &[u8], suffix: &str, on_error: OnError) -> Result<Scanned, Error> {
    let options = Options {
        on_error,
        ..Options::default()
    };
    scan_with(content, suffix, options, |document| {
        Ok(document.next()?.map(|document| Read {
            text: document.text.to_owned(),
            id: document.id.map(str::to_owned),
            place: document.place,
        }))
    })
}

/// Reads the rows of a file of this content as values; the text of each is what it holds.
pub fn scan_values(content: &[u8], suffix: &str) -> Result<Scanned, Error> {
    let options = Options {
        on_error: OnError::Skip,
        values: true,
        ..Options::default()
    };
    scan_with(content, suffix, options, |document| {
        Ok(document.next_value()?.map(|record| Read {
            text: format!("{:?}", record.value),
            id: record.id.map(str::to_owned),
            place: record.place,
        }))
    })
}

fn scan_with(
    content: &[u8],
    suffix: &str,
    options: Options,
    next: impl Fn(&mut Documents<'_>) -> Result<Option<Read>, Error> + Sync,
) -> Result<Scanned, Error> {
    let builder = tempfile::Builder::new()
        .suffix(suffix)
        .tempfile_in(&*MEMORY);
    let mut file = builder.unwrap();
    file.write_all(content).unwrap();
    let options = Options {
        second_pass: true,
        spool: Some(MEMORY.clone()),
        ..options
    };
    let corpus = Corpus::open(&[file.path().display().to_string()], options)?;
    let (mut documents, mut skipped) = (Vec::new(), Vec::new());
    corpus.scan(
        || (),
        |(), block| {
            let mut documents = Vec::new();
            while let Some(read) = next(block)? {
                documents.push(read);
            }
            Ok::<_, Error>((documents, block.take_skipped()))
        },
        |_, (of_block, skipped_there)| {
            documents.extend(of_block);
            skipped.extend(skipped_there);
            Ok(())
        },
    )?;
    Ok(Scanned {
        _file: file,
        corpus,
        documents,
        skipped,
    })
}

impl Scanned {
    /// What is kept, removed and skipped.
    pub fn split(&self, fate: impl Fn(usize) -> Fate) -> [Vec<u8>; 3] {
        self.try_split(fate).unwrap()
    }

    /// The same where damage may be in what a scan does not read.
    pub fn try_split(&self, fate: impl Fn(usize) -> Fate) -> Result<[Vec<u8>; 3], Error> {
        let mut out = [Vec::new(), Vec::new(), Vec::new()];
        let [kept, removed, skipped] = &mut out;
        let to = Outputs {
            kept,
            removed,
            skipped,
        };
        let (documents, passed_over) = self.places();
        let records = Records {
            file: 0,
            documents: &documents,
            skipped: &passed_over,
        };
        self.corpus.split(records, |i, _| fate(i), to)?;
        Ok(out)
    }

    /// The records with a member `note`, and what was skipped.
    pub fn annotate(&self) -> Result<[Vec<u8>; 2], Error> {
        let (documents, passed_over) = self.places();
        let records = Records {
            file: 0,
            documents: &documents,
            skipped: &passed_over,
        };
        let mut out = [Vec::new(), Vec::new()];
        let [annotated, skipped] = &mut out;
        let value = |i: usize| (i % 3 != 0).then(|| format!("{{\"i\": {i}}}"));
        self.corpus
            .annotate(records, "note", value, annotated, skipped)?;
        Ok(out)
    }

    /// Reads every document again by its place.
    pub fn read_again(&self) {
        let mut reader = self.corpus.reader();
        for read in &self.documents {
            let again = reader.read(&read.place).unwrap();
            assert_eq!(
                (again.text, again.id),
                (read.text.as_str(), read.id.as_deref())
            );
        }
    }

    /// Where documents are, and what was skipped.
    pub fn places(&self) -> (Vec<Place>, Vec<Place>) {
        (
            self.documents.iter().map(|d| d.place).collect(),
            self.skipped.iter().map(|s| s.place).collect(),
        )
    }
}

/// Reads a file of rows, reads each of them again by its place, and shares them out: each output is a file of rows again.
pub fn rows(content: &[u8], suffix: &str) {
    let scanned = match scan_values(content, suffix) {
        Ok(scanned) => scanned,
        Err(e) => return assert_eq!(e.kind(), ErrorKind::Content, "{e}"),
    };
    assert!(scanned.skipped.is_empty());
    let mut reader = scanned.corpus.reader();
    for read in &scanned.documents {
        let again = reader.read_value(&read.place).unwrap();
        assert_eq!(format!("{:?}", again.value), read.text);
    }
    let [kept, ..] = scanned.split(|_| Fate::Keep);
    assert_eq!(kept, content);
    let texts = |of: &Scanned| -> Vec<String> {
        let texts = of.documents.iter().map(|read| read.text.clone());
        texts.collect()
    };
    let all = texts(&scanned);
    let out = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
    for (number, out) in out.iter().enumerate() {
        let again = texts(&scan_values(out, suffix).unwrap());
        let expected = (0..all.len()).filter(|i| number < 2 && i % 2 == number);
        let expected: Vec<&String> = expected.map(|i| &all[i]).collect();
        assert_eq!(again.iter().collect::<Vec<_>>(), expected);
    }
}

/// How often each byte is there: the same for what was shared out and what was not.
pub fn histogram<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<usize> {
    let mut counts = vec![0; 256];
    for byte in parts.into_iter().flatten() {
        counts[usize::from(*byte)] += 1;
    }
    counts
}
