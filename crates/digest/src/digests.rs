use std::ops::Range;

use lookalike_core::{Distances, Items, Near, Pair, plugin};

use crate::{Digest, distance};

/// Many digests, one after the other.
///
/// ```
/// use lookalike_core::Distances;
/// use lookalike_digest::{Digests, generate::{neighbour, random_digest}};
///
/// let first = random_digest(1);
/// let mut digests = Digests::default();
/// digests.push(random_digest(2));
/// digests.push(neighbour(&first, 10, 3));
/// let mut found = Vec::new();
/// digests.near_in(&first, 0..2, 30.0, &mut found);
/// assert_eq!(found[0].id, 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digests {
    digests: Vec<Digest>,
}

impl Digests {
    /// Adds a digest.
    pub fn push(&mut self, digest: Digest) {
        self.digests.push(digest);
    }

    /// All of them.
    #[must_use]
    pub fn as_slice(&self) -> &[Digest] {
        &self.digests
    }
}

impl FromIterator<Digest> for Digests {
    fn from_iter<I: IntoIterator<Item = Digest>>(digests: I) -> Self {
        Self {
            digests: digests.into_iter().collect(),
        }
    }
}

impl Items<Digest> for Digests {
    fn count(&self) -> usize {
        self.digests.len()
    }

    fn item(&self, place: usize) -> &Digest {
        &self.digests[place]
    }
}

impl plugin::Container<Digest> for Digests {
    fn append(&mut self, more: Self) -> Result<(), plugin::Error> {
        self.digests.extend(more.digests);
        Ok(())
    }
}

impl Distances<Digest> for Digests {
    fn near(&self, item: &Digest, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        if let Some(limit) = distance::whole(limit) {
            distance::near(&self.digests, item, places, limit, found);
        }
    }

    fn near_in(&self, item: &Digest, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        if let Some(limit) = distance::whole(limit) {
            distance::near_in(&self.digests, item, places, limit, found);
        }
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        let [a, b] = [pair.a(), pair.b()].map(|id| &self.digests[id as usize]);
        distance::pair(a, b, distance::whole(limit)?).map(f64::from)
    }

    fn repeats_are_cheap(&self) -> bool {
        true
    }
}
