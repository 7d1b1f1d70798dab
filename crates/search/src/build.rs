use std::path::Path;

use lookalike_corpus::{Corpus, Document, Place};
use lookalike_output::{Inventory, Progress, Stage};

use crate::{
    Error, Id, Settings, Stats, TextIndex, TextInput,
    file::{Draft, Packer, Removed, Replaces, Stored, Text, Twice, digest},
    hashing::{Hashing, TextScratch},
    scan::{id_of, name_of},
};

/// Makes the file of an index from all documents of a corpus, whole or not at all.
///
/// Another index of that name is replaced if `overwrite` says so; another file never. Documents without an id go by file and
/// line. Runs on the threads of the current rayon pool; the file is the same for every number of them.
pub fn build(
    settings: &Settings,
    input: &TextInput,
    path: &Path,
    overwrite: bool,
    progress: &dyn Progress,
) -> Result<Stats, Error> {
    let hashing = Hashing::new(settings)?;
    let replaces = match overwrite {
        true => Replaces::AnyIndex,
        false => Replaces::Nothing,
    };
    let mut draft = Draft::new(&hashing, path, replaces, progress)?;
    read(&mut draft, &hashing, input, progress)?;
    draft.finish(progress)?;
    Ok(TextIndex::load(path)?.stats())
}

/// What [`add`] has done.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// Documents that were added.
    pub documents: u64,
    /// What the index holds now.
    pub stats: Stats,
}

/// Adds all documents of a corpus to the file of an index. The older file stays until the new one is complete.
pub fn add(path: &Path, input: &TextInput, progress: &dyn Progress) -> Result<Added, Error> {
    let (stored, hashing) = Stored::open(path)?;
    let removed = Removed::default();
    let replaces = Replaces::Seen(stored.bytes.seen());
    let mut draft = Draft::new(&hashing, path, replaces, progress)?;
    draft.take_over(&stored, &removed)?;
    let documents = read(&mut draft, &hashing, input, progress)?;
    draft.finish(progress)?;
    let stats = TextIndex::load(path)?.stats();
    Ok(Added { documents, stats })
}

/// Removes documents from the file of an index, all of them or, if one is not there, none.
///
/// Ids are given as JSON, or without quotes where that leaves no doubt.
pub fn remove(path: &Path, ids: &[String], progress: &dyn Progress) -> Result<Stats, Error> {
    let mut index = TextIndex::load(path)?;
    let ids = ids.iter().map(|given| index.meant(given));
    for id in ids.collect::<Result<Vec<Id>, Error>>()? {
        index.remove(&id)?;
    }
    index.save_with(path, progress)?;
    Ok(index.stats())
}

/// What one block of documents becomes.
#[derive(Default)]
struct Part {
    documents: Vec<Read>,
    packed: Vec<u8>,
    keys: Vec<(u32, u64)>,
}

/// A document that was read.
struct Read {
    id: Id,
    place: Place,
    text: Text,
    /// How many keys.
    keys: usize,
}

/// What one thread uses again from document to document.
struct State {
    scratch: TextScratch,
    packer: Packer,
}

/// Reads all documents into a draft; how many there are.
fn read(
    draft: &mut Draft<'_>,
    hashing: &Hashing,
    input: &TextInput,
    progress: &dyn Progress,
) -> Result<u64, Error> {
    let corpus = input.open(false)?;
    progress.start(Stage::Read, corpus.bytes());
    let mut places: Vec<Place> = Vec::new();
    corpus.scan(
        || State {
            scratch: TextScratch::default(),
            packer: Packer::new(),
        },
        |state, documents| {
            let mut part = Part::default();
            while let Some(document) = documents.next()? {
                let own = document.id.filter(|_| !input.ignore_ids);
                let id = id_of(&corpus, own, &document.place);
                part.push(id, document, hashing, state)?;
            }
            Ok::<_, Error>(part)
        },
        |block, part| {
            progress.reach(block.consumed);
            let (mut packed, mut keys) = (&part.packed[..], &part.keys[..]);
            for read in part.documents {
                let (of_text, after) = packed.split_at(read.text.stored as usize);
                packed = after;
                let (of_item, after) = keys.split_at(read.keys);
                keys = after;
                let (item, is_new) = draft.text(read.text, of_text)?;
                if is_new {
                    for &(band, key) in of_item {
                        draft.key(band, key, item);
                    }
                }
                let taken = draft.document(read.id.clone(), item)?;
                taken.map_err(|twice| same_id(&corpus, &places, read.id, &read.place, twice))?;
                places.push(read.place);
            }
            Ok(())
        },
    )?;
    let formats = corpus.files().iter().map(|file| file.format().name());
    let documents = places.len() as u64;
    progress.inputs(&Inventory::new(documents, formats, corpus.ignored()));
    Ok(documents)
}

impl Part {
    fn push(
        &mut self,
        id: Id,
        document: Document<'_>,
        hashing: &Hashing,
        state: &mut State,
    ) -> Result<(), Error> {
        let Document { text, place, .. } = document;
        let length = u32::try_from(text.len());
        let length = length.map_err(|_| Error::TooLong { bytes: text.len() })?;
        let before = self.keys.len();
        let keys = hashing.text_keys(text, &mut state.scratch, |band, key| {
            self.keys.push((band, key));
        });
        keys.map_err(lookalike_engine::Error::Query)?;
        let keys = self.keys.len() - before;
        let packed = state.packer.pack(text);
        self.packed.extend_from_slice(packed);
        let text = Text {
            stored: packed.len() as u32,
            length,
            digest: digest(text),
            has_keys: keys > 0,
        };
        self.documents.push(Read {
            id,
            place,
            text,
            keys,
        });
        Ok(())
    }
}

fn same_id(corpus: &Corpus, places: &[Place], id: Id, second: &Place, twice: Twice) -> Error {
    let second = name_of(corpus, second);
    match twice {
        Twice::Stored => Error::Taken {
            id,
            place: Some(second),
        },
        Twice::Added(first) => Error::SameId {
            id,
            first: name_of(corpus, &places[first as usize]),
            second,
        },
    }
}
