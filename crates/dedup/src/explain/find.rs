//! Two documents of a run, by what they are called.

use lookalike_corpus::{Corpus, Document};
use lookalike_output::Suggestions;

use crate::{Error, finished::Finished};

/// A document of a run.
#[derive(Debug)]
pub(super) struct Found {
    /// Its id as JSON.
    pub(super) id: String,
    pub(super) text: String,
    /// The value of the field that documents must share to be compared, as JSON.
    pub(super) within: Option<String>,
    /// Whether it is of the older corpus.
    pub(super) is_old: bool,
}

/// Longer ids are not suggested where one is unknown.
const LONGEST: usize = 256;

/// What a document may be called, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Called {
    /// By its id, as JSON.
    Json,
    /// By its id, a string without quotes.
    Plain,
    /// By its file and line, though it has an id.
    Place,
}

/// A name, in all the forms in which it is looked for.
#[derive(Debug)]
struct Wanted<'a> {
    given: &'a str,
    quoted: String,
    place: Option<(&'a str, u64)>,
}

impl<'a> Wanted<'a> {
    fn new(given: &'a str) -> Self {
        let place = given.rsplit_once(':');
        Self {
            given,
            quoted: serde_json::Value::from(given).to_string(),
            place: place.and_then(|(file, line)| Some((file, line.parse().ok()?))),
        }
    }

    fn is(&self, id: Option<&str>, corpus: &Corpus, document: &Document<'_>) -> Option<Called> {
        match id {
            Some(id) if id == self.given => return Some(Called::Json),
            Some(id) if id == self.quoted => return Some(Called::Plain),
            _ => {}
        }
        let (file, line) = self.place?;
        let here = document.place.line == line;
        let here = here && corpus.files()[document.place.file as usize].name() == file;
        here.then_some(Called::Place)
    }
}

/// Looks for both in one pass.
pub(super) fn find(finished: &Finished, ids: [&str; 2]) -> Result<[Found; 2], Error> {
    let wanted = ids.map(Wanted::new);
    let corpus = finished.corpus()?;
    let ignores_ids = finished.config.data.ignore_ids;
    let mut found: [Option<(Called, Found)>; 2] = [None, None];
    corpus.scan(
        || (),
        |(), documents| {
            let mut hits = Vec::new();
            while let Some(document) = documents.next()? {
                let id = document.id.filter(|_| !ignores_ids);
                for (which, wanted) in wanted.iter().enumerate() {
                    if let Some(called) = wanted.is(id, &corpus, &document) {
                        let found = Found {
                            id: finished.id(&corpus, &document),
                            text: document.text.to_owned(),
                            within: finished.within(&document).map(str::to_owned),
                            is_old: document.place.file as usize >= corpus.own_files().len(),
                        };
                        hits.push((which, called, found));
                    }
                }
            }
            Ok::<_, Error>(hits)
        },
        |_, hits| {
            for (which, called, hit) in hits {
                let best = &mut found[which];
                if best.as_ref().is_none_or(|(before, _)| called < *before) {
                    *best = Some((called, hit));
                }
            }
            Ok(())
        },
    )?;
    let [a, b] = found;
    match (a, b) {
        (Some((_, a)), Some((_, b))) if (&a.id, a.is_old) == (&b.id, b.is_old) => {
            Err(Error::OneDocument {
                ids: ids.map(str::to_owned),
            })
        }
        (Some((_, a)), Some((_, b))) => Ok([a, b]),
        (None, _) => Err(unknown(finished, ids[0])?),
        (_, None) => Err(unknown(finished, ids[1])?),
    }
}

/// The error for an id that no document has, with those that look like it.
fn unknown(finished: &Finished, given: &str) -> Result<Error, Error> {
    let corpus = finished.corpus()?;
    let mut near = Suggestions::default();
    corpus.scan(
        || (),
        |(), documents| {
            let mut near = Suggestions::default();
            while let Some(document) = documents.next()? {
                let json = finished.id(&corpus, &document);
                let id = serde_json::from_str::<String>(&json).unwrap_or(json);
                if id.len() <= LONGEST {
                    near.add(given, &id, || id.clone());
                }
            }
            Ok::<_, Error>(near)
        },
        |_, some| {
            near.append(some);
            Ok(())
        },
    )?;
    Ok(Error::UnknownId {
        id: given.to_owned(),
        near: near.into_values(),
    })
}
