use std::num::NonZeroU32;

use hashbrown::HashMap;

use crate::{Error, Id, frozen::Posting};

/// The postings of one band that came after the last freeze: quick to add to, a chain for each key.
#[derive(Clone, Debug)]
pub(crate) struct Recent<P> {
    /// The last link of each key's chain. The hasher is seeded anew in each
    /// process, which nobody can see: the map is never walked.
    last: HashMap<u64, NonZeroU32>,
    /// Link n is at place n − 1.
    links: Vec<Link<P>>,
}

#[derive(Clone, Copy, Debug)]
struct Link<P> {
    posting: Posting<P>,
    before: Option<NonZeroU32>,
}

impl<P: Copy> Recent<P> {
    pub(crate) fn new() -> Self {
        Self {
            last: HashMap::new(),
            links: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    pub(crate) fn add(&mut self, posting: Posting<P>) -> Result<(), Error> {
        let number = u32::try_from(self.links.len() + 1)
            .ok()
            .and_then(NonZeroU32::new);
        let number = number.ok_or(Error::TooMany)?;
        let before = self.last.insert(posting.key, number);
        self.links.push(Link { posting, before });
        Ok(())
    }

    /// The postings of a key, the last one first.
    pub(crate) fn of(&self, key: u64) -> impl Iterator<Item = (Id, P)> {
        let link = |number: NonZeroU32| &self.links[number.get() as usize - 1];
        let last = if self.links.is_empty() {
            None
        } else {
            self.last.get(&key).copied()
        };
        let chain = std::iter::successors(last.map(link), move |at| at.before.map(link));
        chain.map(|link| (link.posting.id, link.posting.payload))
    }

    /// All postings.
    pub(crate) fn postings(&self) -> impl Iterator<Item = Posting<P>> {
        self.links.iter().map(|link| link.posting)
    }
}
