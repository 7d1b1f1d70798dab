use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use hashbrown::HashSet;

use crate::{
    Ask, Error, Id, SimilarText, TextIndex,
    compare::{Compare, reaching},
    fresh::FreshText,
    hashing::Hashing,
};

/// What became of a text that was offered.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// Nothing is like it: it is in the index now.
    New,
    /// It is like a document of the index, and was not added.
    Duplicate {
        /// The most similar document of those that were there before the stream, or else of those that came.
        id: Id,
        /// The Jaccard similarity, exactly.
        similarity: f64,
    },
}

/// Lets each text of a stream into an index once, from many threads.
///
/// If two threads offer texts that are alike at the same time, exactly one of them is [new](Offer::New) — if
/// they share a bucket: equal texts always do, others with the recall of the index. A text without a shingle
/// is like nothing, and always new.
///
/// Texts are taken apart and hashed without a lock, and compared with what was there before while others are, too; only
/// what came in the meantime is compared while others wait.
///
/// ```
/// use lookalike_search::{Gate, Offer, Settings, TextIndex};
///
/// let gate = Gate::new(TextIndex::new(&Settings::default())?);
/// let text = "the quick brown fox jumps over the lazy dog near the old barn";
/// let new = std::thread::scope(|scope| {
///     let threads: Vec<_> = (0..8).map(|id| scope.spawn({
///         let gate = &gate;
///         move || gate.offer(id, text)
///     })).collect();
///     let offers = threads.into_iter().map(|thread| thread.join().unwrap());
///     offers.filter(|offer| matches!(offer, Ok(Offer::New))).count()
/// });
/// assert_eq!(new, 1);
/// assert_eq!(gate.into_index()?.len(), 1);
/// # Ok::<(), lookalike_search::Error>(())
/// ```
#[derive(Debug)]
pub struct Gate {
    /// What was there before; it does not change.
    index: TextIndex,
    threshold: f64,
    came: lookalike_engine::Gate<Hashing, FreshText>,
    /// The ids of what came, and of what is being looked at.
    ids: Mutex<HashSet<Id>>,
}

impl Gate {
    /// A gate to an index. Texts are alike from its threshold on.
    #[must_use]
    pub fn new(index: TextIndex) -> Self {
        Self {
            threshold: index.hashing.settings().threshold,
            came: lookalike_engine::Gate::new(index.hashing.clone()),
            ids: Mutex::default(),
            index,
        }
    }

    /// Texts are alike from another similarity on. Below the threshold of the index fewer are found.
    pub fn threshold(self, threshold: f64) -> Result<Self, Error> {
        match (0.001..=1.0).contains(&threshold) {
            true => Ok(Self { threshold, ..self }),
            false => Err(Error::Parameter {
                name: "threshold",
                value: threshold,
                expected: "from 0.001 to 1",
            }),
        }
    }

    /// Adds a document unless one that is there is like it. Its id must be new, and offered once at a time.
    pub fn offer(&self, id: impl Into<Id>, text: &str) -> Result<Offer, Error> {
        let id = id.into();
        let length = u32::try_from(text.len());
        length.map_err(|_| Error::TooLong { bytes: text.len() })?;
        if self.index.contains(&id)? || !self.ids().insert(id.clone()) {
            return Err(Error::Taken { id, place: None });
        }
        let offer = self.decide(&id, text);
        if !matches!(offer, Ok(Offer::New)) {
            self.ids().remove(&id);
        }
        offer
    }

    fn decide(&self, id: &Id, text: &str) -> Result<Offer, Error> {
        let hashing = &self.index.hashing;
        let ask = Ask {
            k: 1,
            min: self.threshold,
            ..Ask::default()
        };
        if !self.index.is_empty() {
            let answer = self.index.searcher().ask(text, &ask)?;
            if let Some(SimilarText { id, similarity }) = answer.hits.into_iter().next() {
                return Ok(Offer::Duplicate { id, similarity });
            }
        }
        let mut elements = Vec::new();
        hashing.elements(text, &mut Default::default(), &mut elements);
        let mut compare = Compare::default();
        compare.hold(&elements);
        let value = FreshText {
            text: text.into(),
            has_keys: !elements.is_empty(),
            ids: BTreeSet::from([id.clone()]),
        };
        let mut nearest: Option<(f64, Id)> = None;
        let offer = self.came.offer(&elements, value, |came| {
            let counts = compare.text(hashing, &came.text);
            let similarity = reaching(counts, self.threshold)?;
            if nearest.as_ref().is_none_or(|before| similarity > before.0) {
                nearest = Some((similarity, came.ids.first()?.clone()));
            }
            Some(1.0 - similarity)
        })?;
        Ok(match (offer, nearest) {
            (lookalike_engine::Offer::Duplicate { .. }, Some((similarity, id))) => {
                Offer::Duplicate { id, similarity }
            }
            _ => Offer::New,
        })
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.index.len() + self.came.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index with all that came.
    pub fn into_index(self) -> Result<TextIndex, Error> {
        let mut index = self.index;
        let came = self.came.into_parts();
        index.fresh.absorb(came.index, came.values)?;
        Ok(index)
    }

    fn ids(&self) -> MutexGuard<'_, HashSet<Id>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
