//! The first pass: every document is read, shingled, sketched and forgotten.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use hashbrown::HashTable;
use lookalike_corpus::{Corpus, Document, Skipped};
use lookalike_engine::{Columns, Id, Rows};
use lookalike_minhash::{BagScratch, Elements, SetOrBag, Shingler, ShinglerScratch, compact_into};

use crate::{
    Error,
    documents::Documents,
    hashing::{Hashing, HashingScratch},
    held::Held,
    identity,
    skipped::PassedOver,
};

/// Texts that are sketched as they are read, without a list of their elements: longer than this.
const LONG: usize = 1 << 20;

/// What a document becomes.
#[derive(Debug)]
pub(crate) struct Sketcher {
    pub(crate) shingler: Shingler,
    /// What the exact similarity counts.
    pub(crate) counted: SetOrBag<Shingler>,
    /// None where nothing is hashed, since what must be equal has no keys.
    pub(crate) hashing: Option<Hashing>,
    /// Whether signatures are needed later.
    pub(crate) signatures: bool,
    /// Whether elements are needed later.
    pub(crate) elements: bool,
    /// Whether documents go by file and line even if they have ids.
    pub(crate) ignores_ids: bool,
    /// Whether texts without a shingle may be too short for one.
    pub(crate) skips_short: bool,
    /// What must be equal, where similarity does not count.
    pub(crate) equal: Option<Equal>,
    /// Further fields of documents, by their numbers: what they are compared within, what they are worth.
    pub(crate) within: Option<usize>,
    pub(crate) worth: Option<usize>,
}

/// What must be equal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Equal {
    /// The text.
    Text,
    /// A further field, by its number.
    Field(usize),
}

/// What the first pass leaves.
#[derive(Debug)]
pub(crate) struct Sketched {
    pub(crate) documents: Documents,
    /// How many items there are, with keys or without.
    pub(crate) items: usize,
    /// The keys of the items that have shingles.
    pub(crate) columns: Columns,
    /// A byte a function and item, if they are needed.
    pub(crate) signatures: Vec<u8>,
    pub(crate) held: Held,
    /// The first document of each item.
    pub(crate) firsts: Vec<u32>,
    /// The documents without elements that may have copies, and the hashes of their texts.
    bare: Vec<(u32, u128)>,
    pub(crate) text_bytes: u64,
    /// Documents that have tokens, but too few for a shingle, and so are no item.
    pub(crate) short: u64,
    pub(crate) skipped: PassedOver,
}

/// What one block of documents becomes.
struct Part {
    documents: Documents,
    text_bytes: u64,
    short: u64,
    skipped: Vec<Skipped>,
    /// For each document that may have copies: a hash of its text, and whether it has elements.
    digests: Vec<Option<(u128, bool)>>,
    /// The elements of the first documents, and where those of each end.
    elements: Vec<u64>,
    ends: Vec<usize>,
    rows: Rows,
    signatures: Vec<u8>,
}

impl Part {
    /// No documents yet; `elements` is a list to be filled.
    fn new(bands: usize, elements: Vec<u64>) -> Self {
        Self {
            documents: Documents::default(),
            text_bytes: 0,
            short: 0,
            skipped: Vec::new(),
            digests: Vec::new(),
            elements,
            ends: Vec::new(),
            rows: Rows::new(bands),
            signatures: Vec::new(),
        }
    }
}

/// What one thread uses again from document to document.
#[derive(Default)]
struct State {
    counted: BagScratch<ShinglerScratch>,
    hashing: HashingScratch,
}

impl Sketcher {
    /// Goes through a corpus, until `suffices` says of the bytes that have been read that they do.
    pub(crate) fn run(
        &self,
        corpus: &Corpus,
        mut suffices: impl FnMut(u64) -> bool,
    ) -> Result<Sketched, Error> {
        let bands = self.hashing.as_ref().map_or(0, Hashing::bands);
        let mut sketched = Sketched {
            documents: Documents::default(),
            items: 0,
            columns: Columns::new(bands),
            signatures: Vec::new(),
            held: Held::new(self.elements),
            firsts: Vec::new(),
            bare: Vec::new(),
            text_bytes: 0,
            short: 0,
            skipped: PassedOver::default(),
        };
        let mut texts = Texts::default();
        let shared = Shared {
            holds: AtomicBool::new(self.elements),
            lists: Mutex::default(),
        };
        let scanned = corpus.scan(
            State::default,
            |state, documents| {
                let mut part = Part::new(bands, shared.list());
                while let Some(document) = documents.next()? {
                    self.document(document, corpus, state, &mut part, &shared)?;
                }
                part.skipped = documents.take_skipped();
                Ok::<_, Stop>(part)
            },
            |block, mut part: Part| {
                sketched.skipped.add(std::mem::take(&mut part.skipped));
                sketched.add(&part, &mut texts, &shared)?;
                shared.give_back(part.elements);
                if suffices(block.consumed) {
                    return Err(Stop::Enough);
                }
                Ok(())
            },
        );
        if let Err(Stop::Failed(error)) = scanned {
            return Err(*error);
        }
        let own = corpus.own_files().len();
        let documents = &mut sketched.documents;
        documents.own = (documents.places).partition_point(|place| (place.file as usize) < own);
        documents.with_shingles = documents.items[..documents.own].iter().flatten().count();
        for (doc, digest) in std::mem::take(&mut sketched.bare) {
            sketched.documents.items[doc as usize] = Some(texts.item(digest).0);
        }
        sketched.items = texts.digests.len();
        Ok(sketched)
    }

    fn document(
        &self,
        document: Document<'_>,
        corpus: &Corpus,
        state: &mut State,
        part: &mut Part,
        shared: &Shared,
    ) -> Result<(), Error> {
        let Document {
            text,
            id,
            fields,
            place,
        } = document;
        part.documents.places.push(place);
        part.documents.lengths.push(text.len() as u32);
        part.documents.ids.push(id.filter(|_| !self.ignores_ids));
        part.text_bytes += text.len() as u64;
        let value = |field: usize| fields.get(field).filter(|value| *value != "null");
        let group = self.within.map(|field| {
            part.documents.groups.push(value(field));
            identity::group(value(field))
        });
        if let Some(field) = self.worth {
            part.documents.worths.push(value(field));
        }
        if let Some(equal) = self.equal {
            let same = match equal {
                Equal::Text => Some(text).filter(|text| !text.is_empty()),
                Equal::Field(field) => value(field),
            };
            let digest = |same| (identity::digest(same, group), true);
            part.digests.push(same.map(digest));
        }
        let Some(hashing) = &self.hashing else {
            part.rows.push_none();
            part.ends.push(part.elements.len());
            return Ok(());
        };
        let start = part.elements.len();
        let is_long = text.len() > LONG;
        if !is_long {
            let scratch = &mut state.counted;
            self.counted.collect(text, scratch, &mut part.elements);
        }
        let elements = (!is_long).then(|| &part.elements[start..]);
        let keys = hashing.push(&mut part.rows, group, text, elements, &mut state.hashing);
        keys.map_err(|reason| Error::Keys {
            place: format!(
                "{}:{}",
                corpus.files()[place.file as usize].name(),
                place.line
            ),
            reason,
        })?;
        let is_empty = part.rows.is_last_empty();
        let has_copies = identity::has_copies(text, !is_empty, &self.shingler, self.skips_short);
        let digest = || (identity::digest(text, group), !is_empty);
        part.digests.push(has_copies.then(digest));
        if is_empty && self.skips_short && self.shingler.is_short(text) {
            part.short += 1;
        }
        if self.signatures {
            let answers = hashing.answers(text, elements);
            let at = part.signatures.len();
            part.signatures.resize(at + answers.len(), 0);
            let _ = compact_into(&answers, &mut part.signatures[at..]);
        }
        if !shared.holds.load(Ordering::Relaxed) {
            part.elements.truncate(start);
        }
        part.ends.push(part.elements.len());
        Ok(())
    }
}

/// Why a scan ends before the input does.
enum Stop {
    Enough,
    Failed(Box<Error>),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(error.into()))
    }
}

/// What the threads share.
struct Shared {
    /// Whether there is still room for elements.
    holds: AtomicBool,
    /// Lists of elements to be used again.
    lists: Mutex<Vec<Vec<u64>>>,
}

impl Shared {
    fn list(&self) -> Vec<u64> {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.pop().unwrap_or_default()
    }

    fn give_back(&self, mut list: Vec<u64>) {
        list.clear();
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.push(list);
    }
}

impl Sketched {
    /// Adds the documents of the next block.
    fn add(&mut self, part: &Part, texts: &mut Texts, shared: &Shared) -> Result<(), Error> {
        let all = self.documents.len() + part.documents.len();
        u32::try_from(all).map_err(|_| Error::TooMany)?;
        let functions = part.signatures.len() / part.documents.len().max(1);
        let mut is_new = vec![false; part.documents.len()];
        for (i, digest) in part.digests.iter().enumerate() {
            // Items without elements are numbered after the others, which have keys.
            let Some((digest, true)) = *digest else {
                let doc = self.documents.items.len() as u32;
                self.bare.extend(digest.map(|(digest, _)| (doc, digest)));
                self.documents.items.push(None);
                continue;
            };
            let (item, new) = texts.item(digest);
            self.documents.items.push(Some(item));
            if new {
                is_new[i] = true;
                self.firsts.push((self.documents.items.len() - 1) as u32);
                let start = i.checked_sub(1).map_or(0, |before| part.ends[before]);
                if !self.held.push(&part.elements[start..part.ends[i]]) {
                    shared.holds.store(false, Ordering::Relaxed);
                }
                if !part.signatures.is_empty() {
                    let signature = &part.signatures[i * functions..(i + 1) * functions];
                    self.signatures.extend_from_slice(signature);
                }
            }
        }
        self.columns.append(&part.rows, |i| is_new[i])?;
        self.text_bytes += part.text_bytes;
        self.short += part.short;
        self.documents.append(&part.documents);
        Ok(())
    }
}

/// The different texts that have been seen, by 128 bits of their hash.
#[derive(Default)]
struct Texts {
    digests: Vec<u128>,
    items: HashTable<Id>,
}

impl Texts {
    /// The item of a text, and whether it is new.
    fn item(&mut self, digest: u128) -> (Id, bool) {
        let next = self.digests.len() as Id;
        let same = |item: &Id| self.digests[*item as usize] == digest;
        let hash = |item: &Id| self.digests[*item as usize] as u64;
        if let Some(&item) = self.items.find(digest as u64, same) {
            return (item, false);
        }
        self.items.insert_unique(digest as u64, next, hash);
        self.digests.push(digest);
        (next, true)
    }
}
