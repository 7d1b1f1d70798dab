//! The documents of a corpus that are most like some texts, without an index.

mod best;
mod queries;

use std::path::Path;

use hashbrown::HashMap;
use lookalike_corpus::{Corpus, Place};
use lookalike_output::{Progress, Stage};

pub use self::best::Found;
use self::{
    best::{Bar, Shared, insert, may_enter},
    queries::{Queries, Scratch},
};
use crate::{Error, Id, TextFamily, TextInput};

/// Compares every document of a corpus with queries that come in batches, exactly: for each query the most similar documents.
///
/// It needs no index and misses nothing. Each batch reads the corpus once, whatever the number of its queries, on the threads of
/// the current rayon pool.
///
/// ```
/// use lookalike_search::{Scan, TextFamily, TextInput};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("notes.txt");
/// # std::fs::write(&path, "the quick brown fox jumps\nover the lazy dog it went\n").unwrap();
/// # let inputs = vec![path.display().to_string()];
/// let input = TextInput { inputs, ..TextInput::default() };
/// let mut scan = Scan::new(&input, &TextFamily::default(), 10);
/// let mut found = Vec::new();
/// for query in ["the quick brown fox jumps high", "over the lazy dog it went"] {
///     if scan.is_full() {
///         found.extend(scan.answers(&())?);
///     }
///     scan.push(query)?;
/// }
/// found.extend(scan.finish(&())?);
/// assert_eq!(found[0][0].similarity, 0.5);
/// assert_eq!(&*found[1][0].text, "over the lazy dog it went");
/// # Ok::<(), lookalike_search::Error>(())
/// ```
#[derive(Debug)]
pub struct Scan<'a> {
    input: &'a TextInput,
    k: usize,
    queries: Queries,
    /// Once there was a batch.
    corpus: Option<Corpus>,
}

impl<'a> Scan<'a> {
    /// A scan for at most `k` documents per query. Nothing is opened yet.
    #[must_use]
    pub fn new(input: &'a TextInput, family: &TextFamily, k: usize) -> Self {
        Self {
            input,
            k,
            queries: Queries::new(family.shingler()),
            corpus: None,
        }
    }

    /// Adds a query to the batch, and says whether it has a shingle; without one it is like nothing.
    pub fn push(&mut self, text: &str) -> Result<bool, Error> {
        self.queries.push(text)
    }

    /// How many queries wait for their answers.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queries.len()
    }

    /// Whether the batch takes enough memory, about 200 MB while it is compared.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.queries.is_full()
    }

    /// What is found for each query of the batch, in their order; then a new batch begins.
    pub fn answers(&mut self, progress: &dyn Progress) -> Result<Vec<Vec<Found>>, Error> {
        // There will be another batch, so that a pipe is kept.
        let keep = self.input.inputs.iter().any(|input| is_stream(input));
        self.compare(keep, progress)
    }

    /// What is found for each query of the last batch.
    pub fn finish(mut self, progress: &dyn Progress) -> Result<Vec<Vec<Found>>, Error> {
        self.compare(false, progress)
    }

    fn compare(&mut self, keep: bool, progress: &dyn Progress) -> Result<Vec<Vec<Found>>, Error> {
        let corpus = match &mut self.corpus {
            Some(corpus) => &*corpus,
            none => none.insert(self.input.open(keep)?),
        };
        let table = self.queries.table();
        let k = self.k;
        let mut found = vec![Vec::new(); table.len()];
        let bars: Vec<Bar> = std::iter::repeat_with(Bar::default)
            .take(table.len())
            .collect();
        progress.start(Stage::Read, corpus.bytes());
        corpus.scan(
            Scratch::default,
            |scratch, documents| {
                let mut best: HashMap<usize, Vec<Found>> = HashMap::new();
                while let Some(document) = documents.next()? {
                    let mut shared = Shared::default();
                    table.compare(document.text, scratch, |query, counts| {
                        let similarity = counts.similarity();
                        if counts.a == 0 || !bars[query].lets_in(similarity) {
                            return;
                        }
                        let best = best.entry(query).or_default();
                        if !may_enter(best, similarity, k) {
                            return;
                        }
                        let own = document.id.filter(|_| !self.input.ignore_ids);
                        let id = || id_of(corpus, own, &document.place);
                        insert(best, shared.found(similarity, id, document.text), k);
                    });
                }
                Ok::<_, Error>(best)
            },
            |block, best| {
                progress.reach(block.consumed);
                for (query, some) in best {
                    let all = &mut found[query];
                    for one in some {
                        insert(all, one, k);
                    }
                    bars[query].raise(all, k);
                }
                Ok(())
            },
        )?;
        Ok(found)
    }
}

/// Whether an input can be read once only.
fn is_stream(input: &str) -> bool {
    let is_pipe = |path: &Path| {
        path.metadata()
            .is_ok_and(|path| !path.is_file() && !path.is_dir())
    };
    input == "-" || is_pipe(Path::new(input))
}

/// The id of a document: its own, or else its file and line.
fn id_of(corpus: &Corpus, own: Option<&str>, place: &Place) -> Id {
    let own = own.and_then(Id::from_json);
    own.unwrap_or_else(|| Id::from(name_of(corpus, place)))
}

/// Where a document is: file and line.
fn name_of(corpus: &Corpus, place: &Place) -> String {
    let file = corpus.files()[place.file as usize].name();
    format!("{file}:{}", place.line)
}

#[cfg(test)]
mod tests;
