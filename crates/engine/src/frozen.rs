use std::ops::Range;

use lookalike_core::{addressed_bits, mix};
use lookalike_memory::{Large, prefetch};

use crate::{
    Id,
    gathered::{Gathered, by_slot},
};

/// One stored key of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Posting<P> {
    /// The key.
    pub key: u64,
    /// The item.
    pub id: Id,
    /// What the item stored under the key.
    pub payload: P,
}

/// The postings of one band, ordered for reading: offsets by slot, then the postings.
#[derive(Clone, Debug)]
pub(crate) struct Frozen<P> {
    pub(crate) address: Address,
    /// Slot s has the postings `offsets[s]..offsets[s + 1]`.
    pub(crate) offsets: Large<u32>,
    pub(crate) ids: Ids,
    pub(crate) payloads: Vec<P>,
}

/// The ids of postings in the order of slots.
///
/// If keys are narrow, their bits are the slot, and no key is stored. Otherwise the postings of one slot are ordered by
/// key, and key and id lie side by side, because a reader needs both.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    Direct(Large<Id>),
    Keyed(Large<Keyed>),
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
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
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
    /// Direct for narrow keys, see [`addressed_bits`]; else about one slot per posting.
    pub(crate) fn choose(key_bits: u32, postings: usize) -> Self {
        if key_bits <= addressed_bits(postings) {
            Self::Direct(key_bits)
        } else {
            Self::Hashed(postings.max(1).next_power_of_two().trailing_zeros())
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
    /// Orders postings by slot, in a slot by key, and under a key as they came.
    pub(crate) fn build(key_bits: u32, postings: Gathered<P>) -> Self {
        let address = Address::choose(key_bits, postings.len());
        let slot = |place: usize| {
            let slot = address.slot(postings.key(place));
            slot.expect("a source emits keys no wider than it says")
        };
        let (Address::Direct(bits) | Address::Hashed(bits)) = address;
        // Without payloads and keys the id is all that must be carried to its place.
        let ids_alone = matches!(address, Address::Direct(_)) && size_of::<P>() == 0;
        let carried = |place: usize| {
            if ids_alone {
                postings.ids[place]
            } else {
                place as u32
            }
        };
        let (offsets, mut sorted) = by_slot(bits, postings.len(), slot, carried);
        if ids_alone {
            return Self {
                address,
                offsets,
                ids: Ids::Direct(sorted),
                payloads: postings.payloads,
            };
        }
        let id = |&place: &u32| postings.ids[place as usize];
        let ids = match address {
            Address::Direct(_) => Ids::Direct(sorted.iter().map(id).collect()),
            Address::Hashed(_) => {
                let key = |place: &u32| postings.key(*place as usize);
                for slot in offsets.windows(2) {
                    sorted[slot[0] as usize..slot[1] as usize].sort_by_key(key);
                }
                let keyed = |place| Keyed::new(key(place), id(place));
                Ids::Keyed(sorted.iter().map(keyed).collect())
            }
        };
        let payload = |&place: &u32| postings.payloads[place as usize];
        Self {
            address,
            offsets,
            ids,
            payloads: sorted.iter().map(payload).collect(),
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let ids = match &self.ids {
            Ids::Direct(ids) => size_of_val(&ids[..]),
            Ids::Keyed(postings) => size_of_val(&postings[..]),
        };
        size_of_val(&self.offsets[..]) + ids + size_of_val(&self.payloads[..])
    }

    /// Asks for the key's slot: the first of four steps, each of which a query takes for all its keys before it takes
    /// the next.
    #[inline(always)]
    pub(crate) fn expect(&self, key: u64) {
        if let Some(slot) = self.address.slot(key) {
            prefetch(&self.offsets, slot);
        }
    }

    /// Where the postings of the key's slot are, and asks for the first of them.
    #[inline(always)]
    pub(crate) fn slot(&self, key: u64) -> Range<u32> {
        let Some(slot) = self.address.slot(key) else {
            return 0..0;
        };
        let places = self.offsets[slot]..self.offsets[slot + 1];
        match &self.ids {
            Ids::Direct(ids) => prefetch(ids, places.start as usize),
            Ids::Keyed(postings) => prefetch(postings, places.start as usize),
        }
        places
    }

    /// Where the postings of the key are among those of its slot.
    #[inline(always)]
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

    /// Writes the ids at these places to `out`, starting at `filled`, and advances `filled`.
    ///
    /// How many there are is hardly ever foreseen, so that a loop over them would be a wrong guess for each key, and
    /// hold up all reads that come after. Most slots are short: a few ids are copied in any case, and counted after.
    #[inline(always)]
    pub(crate) fn copy_ids(&self, places: Range<u32>, out: &mut Vec<Id>, filled: &mut usize) {
        const FEW: usize = 4;
        let (start, len) = (places.start as usize, places.len());
        let end = *filled + len.max(FEW);
        if out.len() < end {
            out.resize(end.max(2 * out.len()), 0);
        }
        let out = &mut out[*filled..end];
        *filled += len;
        match &self.ids {
            Ids::Direct(ids) if len <= FEW && start + FEW <= ids.len() => {
                out[..FEW].copy_from_slice(&ids[start..start + FEW]);
            }
            Ids::Direct(ids) => out[..len].copy_from_slice(&ids[start..start + len]),
            Ids::Keyed(postings) => {
                for (id, posting) in out.iter_mut().zip(&postings[start..start + len]) {
                    *id = posting.id;
                }
            }
        }
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
