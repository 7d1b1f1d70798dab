//! What an index is for: its plan, how items are read, and how to notice that a program hashes otherwise.

use lookalike_store::Store;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{
    encoded::Encoded,
    hashes::{Hashes, Posting},
    segment::Info,
};
use crate::{Dataset, Error, Plan, Registry, Table};

/// All that a commit says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) head: Head,
    pub(crate) segments: Vec<Info>,
    /// The number of the next row of an array, if rows have no names of their own.
    pub(crate) next_row: u64,
}

impl Manifest {
    pub(crate) fn of(store: &Store) -> Result<Self, Error> {
        let read = serde_json::from_slice(store.manifest());
        read.map_err(|_| Error::Hashing {
            path: store.path().to_owned(),
        })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a manifest has a JSON form")
    }
}

/// What stays the same from commit to commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub(crate) plan: Plan,
    /// How values are read.
    pub(crate) reading: Table,
    /// Everything that decides which keys an item has, in words.
    describe: String,
    /// A few items and a hash of their keys: a program that gives them other keys would not find what is stored.
    witnesses: Vec<Witness>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Witness {
    item: Vec<u8>,
    keys: u64,
}

/// How many items are kept as witnesses, and their bytes at most.
const WITNESSES: usize = 3;
const WITNESS: usize = 512;

/// An index that is bound to the families of this program.
#[derive(Clone)]
pub(crate) struct Bound {
    pub(crate) head: Head,
    pub(crate) hashes: std::sync::Arc<dyn Hashes>,
}

impl Bound {
    /// For a new index.
    pub(crate) fn new(registry: &Registry, plan: &Plan, reading: &Table) -> Result<Self, Error> {
        let head = Head {
            plan: plan.clone(),
            reading: reading.clone(),
            describe: String::new(),
            witnesses: Vec::new(),
        };
        let mut bound = Self::bind(registry, head)?;
        bound.head.describe = bound.hashes.describe().to_owned();
        Ok(bound)
    }

    /// Makes some of the items that are stored first witnesses, unless there are some.
    pub(crate) fn choose_witnesses(&mut self, items: &Encoded) -> Result<(), Error> {
        if !self.head.witnesses.is_empty() {
            return Ok(());
        }
        let short = items.iter().filter(|item| item.len() <= WITNESS);
        let mut chosen = Encoded::default();
        short.take(WITNESSES).for_each(|item| chosen.push(item));
        let data = self.hashes.decode(&chosen)?;
        for (place, item) in chosen.iter().enumerate() {
            let keys = self.hash_of_keys(&data, place)?;
            let item = item.to_vec();
            self.head.witnesses.push(Witness { item, keys });
        }
        Ok(())
    }

    /// For a stored index.
    pub(crate) fn of(registry: &Registry, head: &Head, store: &Store) -> Result<Self, Error> {
        let bound = Self::bind(registry, head.clone())?;
        let path = store.path();
        let differs = || Error::Hashing {
            path: path.to_owned(),
        };
        if bound.hashes.describe() != head.describe {
            return Err(differs());
        }
        let mut items = Encoded::default();
        head.witnesses
            .iter()
            .for_each(|witness| items.push(&witness.item));
        let items = bound.hashes.decode(&items).map_err(|_| differs())?;
        for (place, witness) in head.witnesses.iter().enumerate() {
            if bound.hash_of_keys(&items, place)? != witness.keys {
                return Err(differs());
            }
        }
        Ok(bound)
    }

    fn bind(registry: &Registry, head: Head) -> Result<Self, Error> {
        let entry = registry.entry_of(&head.plan)?;
        let hashes = (entry.hashes)(&head.plan)?;
        Ok(Self {
            hashes: hashes.into(),
            head,
        })
    }

    fn hash_of_keys(&self, items: &Dataset, place: usize) -> Result<u64, Error> {
        let mut keys: Vec<Posting> = Vec::new();
        self.hashes.worker()?.keys(items, place, &mut keys)?;
        let mut hash = Xxh3::new();
        for key in keys {
            hash.update(&key.band.to_le_bytes());
            hash.update(&key.hash.to_le_bytes());
            hash.update(&key.payload.to_le_bytes());
        }
        Ok(hash.digest())
    }
}
