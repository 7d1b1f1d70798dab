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

/// The postings of one band, ordered for reading: offsets by slot, then keys and ids.
///
/// Where keys are narrow their bits are the slot, and no key need be stored; otherwise the slot is
/// the high bits of a mixed key, and postings of one slot are ordered by key.
#[derive(Clone, Debug)]
pub(crate) struct Frozen<P> {
    pub(crate) address: Address,
    /// Slot s has the postings `offsets[s]..offsets[s + 1]`.
    pub(crate) offsets: Vec<u32>,
    /// Empty if the address is direct.
    pub(crate) keys: Vec<u64>,
    pub(crate) ids: Vec<Id>,
    pub(crate) payloads: Vec<P>,
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
        let keys = match address {
            Address::Direct(_) => Vec::new(),
            Address::Hashed(_) => postings.iter().map(|posting| posting.key).collect(),
        };
        Self {
            address,
            offsets,
            keys,
            ids: postings.iter().map(|posting| posting.id).collect(),
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
        if matches!(self.address, Address::Direct(_)) {
            return slot;
        }
        /// Slots up to this long are counted through, without a branch on keys that are not in the cache.
        const SHORT: usize = 8;
        let keys = &self.keys[slot.start as usize..slot.end as usize];
        let (start, end) = if keys.len() <= SHORT {
            let mut counts = (0, 0);
            for &other in keys {
                counts.0 += u32::from(other < key);
                counts.1 += u32::from(other <= key);
            }
            counts
        } else {
            let start = keys.partition_point(|&other| other < key);
            let end = keys.partition_point(|&other| other <= key);
            (start as u32, end as u32)
        };
        slot.start + start..slot.start + end
    }

    /// The postings at these places.
    #[inline]
    pub(crate) fn read(&self, places: Range<u32>) -> impl Iterator<Item = (Id, P)> {
        let places = places.start as usize..places.end as usize;
        let ids = self.ids[places.clone()].iter().copied();
        ids.zip(self.payloads[places].iter().copied())
    }

    /// All postings.
    pub(crate) fn postings(&self) -> impl Iterator<Item = Posting<P>> {
        let slots = self.offsets.windows(2).enumerate();
        slots.flat_map(move |(slot, offsets)| {
            (offsets[0] as usize..offsets[1] as usize).map(move |place| Posting {
                key: self.keys.get(place).copied().unwrap_or(slot as u64),
                id: self.ids[place],
                payload: self.payloads[place],
            })
        })
    }
}
