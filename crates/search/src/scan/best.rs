use std::{
    cmp::Ordering,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use crate::Id;

/// A document that was found by comparing all.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its id.
    pub id: Id,
    /// The Jaccard similarity, exactly.
    pub similarity: f64,
    /// Its text, which answers to several queries share.
    pub text: Arc<str>,
}

/// Whether a document so similar may still be among the `k` best.
pub(super) fn may_enter(best: &[Found], similarity: f64, k: usize) -> bool {
    best.len() < k
        || best
            .last()
            .is_some_and(|last| last.similarity <= similarity)
}

/// Puts a document among the `k` best, if it is one: the most similar first, of equals the smaller id, then the earlier.
pub(super) fn insert(best: &mut Vec<Found>, found: Found, k: usize) {
    let place = best.partition_point(|other| order(other, &found).is_le());
    if place < k {
        best.truncate(k - 1);
        best.insert(place, found);
    }
}

fn order(a: &Found, b: &Found) -> Ordering {
    let by_similarity = b.similarity.total_cmp(&a.similarity);
    by_similarity.then_with(|| a.id.cmp(&b.id))
}

/// What a document must reach to be among the best of a query: it only rises.
///
/// Threads read it while another one raises it. Whichever value they see, they leave out only what has no chance.
#[derive(Debug)]
pub(super) struct Bar(AtomicU64);

impl Default for Bar {
    fn default() -> Self {
        Self(AtomicU64::new(0.0_f64.to_bits()))
    }
}

impl Bar {
    pub(super) fn lets_in(&self, similarity: f64) -> bool {
        similarity >= f64::from_bits(self.0.load(Relaxed))
    }

    /// Raises it to the last of the best, if they are `k`.
    pub(super) fn raise(&self, best: &[Found], k: usize) {
        if best.len() == k
            && let Some(last) = best.last()
        {
            self.0.store(last.similarity.to_bits(), Relaxed);
        }
    }
}

/// A document as it is handed to those whose best it is among: made once, if at all.
#[derive(Debug, Default)]
pub(super) struct Shared(Option<(Id, Arc<str>)>);

impl Shared {
    pub(super) fn found(&mut self, similarity: f64, id: impl FnOnce() -> Id, text: &str) -> Found {
        let (id, text) = self.0.get_or_insert_with(|| (id(), text.into()));
        Found {
            id: id.clone(),
            similarity,
            text: Arc::clone(text),
        }
    }
}
