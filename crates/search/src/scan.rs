use lookalike_corpus::{Corpus, Options, Place};
use lookalike_dedup::{Data, Family, Progress, Stage};
use lookalike_minhash::{Elements, Overlap, Shingler, ShinglerScratch};

use crate::{Ask, Error, Hit, Id, compare::reaching};

/// A document that was found by comparing all.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The document, and how similar it is.
    pub hit: Hit,
    /// Its text.
    pub text: String,
}

/// Compares every document of a corpus with every query, exactly: for each query the most similar documents.
///
/// This needs no index and misses nothing. Only `k` and `min` of what is asked for count: there are no candidates.
/// Runs on the threads of the current rayon pool.
pub fn scan(
    data: &Data,
    family: &Family,
    queries: &[&str],
    ask: &Ask,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Found>>, Error> {
    let corpus = open(data)?;
    let shingler = family.shingler();
    let mut scratch = ShinglerScratch::default();
    let mut hold = |query: &&str| {
        let mut elements = Vec::new();
        shingler.collect(query, &mut scratch, &mut elements);
        let mut overlap = Overlap::default();
        overlap.hold(elements);
        overlap
    };
    let held: Vec<Overlap<'static>> = queries.iter().map(&mut hold).collect();
    let mut found = vec![Vec::new(); queries.len()];
    progress.start(Stage::Read, corpus.bytes());
    corpus.scan(
        || State {
            shingler: ShinglerScratch::default(),
            elements: Vec::new(),
            held: held.clone(),
        },
        |state, documents| {
            let mut best = vec![Vec::new(); state.held.len()];
            while let Some(document) = documents.next()? {
                state.elements(&shingler, document.text);
                for (overlap, best) in state.held.iter_mut().zip(&mut best) {
                    let counts = overlap.compare(&state.elements);
                    let Some(similarity) = reaching(counts, ask.min) else {
                        continue;
                    };
                    let id = document.id.filter(|_| !data.ignore_ids);
                    let id = id_of(&corpus, id, &document.place);
                    let hit = Hit { id, similarity };
                    insert(best, hit, document.text, ask.k);
                }
            }
            Ok::<_, Error>(best)
        },
        |block, best| {
            progress.reach(block.consumed);
            for (all, some) in found.iter_mut().zip(best) {
                for Found { hit, text } in some {
                    insert(all, hit, &text, ask.k);
                }
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// What one thread uses again from document to document.
struct State {
    shingler: ShinglerScratch,
    elements: Vec<u64>,
    held: Vec<Overlap<'static>>,
}

impl State {
    fn elements(&mut self, shingler: &Shingler, text: &str) {
        self.elements.clear();
        shingler.collect(text, &mut self.shingler, &mut self.elements);
    }
}

/// Puts a document among the `k` best, if it is one.
fn insert(best: &mut Vec<Found>, hit: Hit, text: &str, k: usize) {
    let comes_before = |found: &Found| {
        let by_similarity = found.hit.similarity.total_cmp(&hit.similarity);
        let by_id = || hit.id.cmp(&found.hit.id);
        by_similarity.then_with(by_id).is_ge()
    };
    let place = best.partition_point(comes_before);
    if place < k {
        best.truncate(k - 1);
        let text = text.to_owned();
        best.insert(place, Found { hit, text });
    }
}

/// Opens what the settings name; it is read once.
pub(crate) fn open(data: &Data) -> Result<Corpus, Error> {
    let options = Options {
        format: data.format,
        text: data.text.clone(),
        id: data.id.clone(),
        ..Options::default()
    };
    Ok(Corpus::open(&data.inputs, options)?)
}

/// The id of a document: its own, or else its file and line.
pub(crate) fn id_of(corpus: &Corpus, own: Option<&str>, place: &Place) -> Id {
    let own = own.and_then(Id::from_json);
    own.unwrap_or_else(|| Id::from(name_of(corpus, place)))
}

/// Where a document is: file and line.
pub(crate) fn name_of(corpus: &Corpus, place: &Place) -> String {
    let file = corpus.files()[place.file as usize].name();
    format!("{file}:{}", place.line)
}
