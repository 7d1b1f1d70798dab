use std::ops::Range;

use lookalike_core::mix;

use crate::Id;

/// One stored key of one item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting<P> {
    pub(crate) key: u64,
    pub(crate) id: Id,
    pub(crate) payload: P,
}

/// The postings of one band, ordered for reading: offsets by slot, then the postings.
#[derive(Clone, Debug)]
pub(crate) struct Frozen<P> {
    pub(crate) address: Address,
    /// Slot s has the postings `offsets[s]..offsets[s + 1]`.
    pub(crate) offsets: Vec<u32>,
    pub(crate) ids: Ids,
    pub(crate) payloads: Vec<P>,
}

/// The ids of postings in the order of slots.
///
/// Where keys are narrow their bits are the slot, and no key need be stored. Otherwise postings of
/// one slot are ordered by key, and key and id lie side by side: who reads one needs the other.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    Direct(Vec<Id>),
    Keyed(Vec<Keyed>),
}

impl Ids {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Direct(ids) => ids.len(),
            Self::Keyed(postings) => postings.len(),
        }
    }

    #[inline]
    fn at(&self, place: usize) -> Id {
        match self {
            Self::Direct(ids) => ids[place],
            Self::Keyed(postings) => postings[place].id,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Id> {
        (0..self.len()).map(|place| self.at(place))
    }
}

/// An id and its key in 12 bytes: a `u64` would pad them to 16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed {
    key: [u32; 2],
    id: Id,
}

impl Keyed {
    pub(crate) fn new(key: u64, id: Id) -> Self {
        let key = [key as u32, (key >> 32) as u32];
        Self { key, id }
    }

    pub(crate) fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.key().to_le_bytes());
        bytes[8..].copy_from_slice(&self.id.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: [u8; 12]) -> Self {
        let word =
            |at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self {
            key: [word(0), word(4)],
            id: word(8),
        }
    }

    #[inline]
    pub(crate) fn key(self) -> u64 {
        u64::from(self.key[0]) | u64::from(self.key[1]) << 32
    }
}

/// How a key leads to a slot among 2^bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// The key is the slot.
    Direct(u32),
    /// The high bits of the mixed key are the slot.
    Hashed(u32),
}

impl Address {
    /// Direct while there are at most about four slots a posting.
    pub(crate) fn choose(key_bits: u32, postings: usize) -> Self {
        let bits = postings.max(1).next_power_of_two().trailing_zeros();
        if key_bits <= bits + 2 {
            Self::Direct(key_bits)
        } else {
            Self::Hashed(bits)
        }
    }

    pub(crate) fn slots(self) -> usize {
        let (Self::Direct(bits) | Self::Hashed(bits)) = self;
        1 << bits
    }

    /// `None`: a key too wide to have been stored.
    #[inline]
    fn slot(self, key: u64) -> Option<usize> {
        match self {
            Self::Direct(bits) => (key >> bits == 0).then_some(key as usize),
            Self::Hashed(bits) => Some(mix(key).checked_shr(64 - bits).unwrap_or(0) as usize),
        }
    }
}

impl<P: Copy> Frozen<P> {
    /// Orders postings, which may come in any order.
    pub(crate) fn build(key_bits: u32, mut postings: Vec<Posting<P>>) -> Self {
        let address = Address::choose(key_bits, postings.len());
        let slot = |posting: &Posting<P>| {
            let slot = address.slot(posting.key);
            slot.expect("a source emits keys no wider than it says")
        };
        postings.sort_unstable_by_key(|posting| (slot(posting), posting.key, posting.id));
        let mut offsets = vec![0; address.slots() + 1];
        for posting in &postings {
            offsets[slot(posting) + 1] += 1;
        }
        for slot in 0..address.slots() {
            offsets[slot + 1] += offsets[slot];
        }
        let ids = match address {
            Address::Direct(_) => Ids::Direct(postings.iter().map(|posting| posting.id).collect()),
            Address::Hashed(_) => {
                let keyed = |posting: &Posting<P>| Keyed::new(posting.key, posting.id);
                Ids::Keyed(postings.iter().map(keyed).collect())
            }
        };
        Self {
            address,
            offsets,
            ids,
            payloads: postings.iter().map(|posting| posting.payload).collect(),
        }
    }

    /// Where the postings of the key's slot are: the first of three steps,
    /// each of which a query takes for all its keys before it takes the next.
    #[inline]
    pub(crate) fn slot(&self, key: u64) -> Range<u32> {
        match self.address.slot(key) {
            Some(slot) => self.offsets[slot]..self.offsets[slot + 1],
            None => 0..0,
        }
    }

    /// Where the postings of the key are among those of its slot.
    #[inline]
    pub(crate) fn narrow(&self, key: u64, slot: Range<u32>) -> Range<u32> {
        /// Slots up to this long are counted through, without a branch on keys that are not in the cache.
        const SHORT: usize = 8;
        let Ids::Keyed(postings) = &self.ids else {
            return slot;
        };
        let postings = &postings[slot.start as usize..slot.end as usize];
        let (start, end) = if postings.len() <= SHORT {
            let mut counts = (0, 0);
            for posting in postings {
                counts.0 += u32::from(posting.key() < key);
                counts.1 += u32::from(posting.key() <= key);
            }
            counts
        } else {
            let start = postings.partition_point(|posting| posting.key() < key);
            let end = postings.partition_point(|posting| posting.key() <= key);
            (start as u32, end as u32)
        };
        slot.start + start..slot.start + end
    }

    /// The postings at these places.
    #[inline]
    pub(crate) fn read(&self, places: Range<u32>) -> impl Iterator<Item = (Id, P)> {
        let places = places.start as usize..places.end as usize;
        places.map(|place| (self.ids.at(place), self.payloads[place]))
    }

    /// All postings.
    pub(crate) fn postings(&self) -> impl Iterator<Item = Posting<P>> {
        let slots = self.offsets.windows(2).enumerate();
        slots.flat_map(move |(slot, offsets)| {
            (offsets[0] as usize..offsets[1] as usize).map(move |place| Posting {
                key: match &self.ids {
                    Ids::Direct(_) => slot as u64,
                    Ids::Keyed(postings) => postings[place].key(),
                },
                id: self.ids.at(place),
                payload: self.payloads[place],
            })
        })
    }
}
