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

/// The postings of one band as they come.
///
/// Keys take the room that they need: a million narrow ones in each of many bands are what building an index takes.
#[derive(Clone, Debug)]
pub(crate) struct Gathered<P> {
    keys: Keys,
    ids: Vec<Id>,
    payloads: Vec<P>,
}

#[derive(Clone, Debug)]
enum Keys {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl<P: Copy> Gathered<P> {
    pub(crate) fn with_capacity(key_bits: u32, postings: usize) -> Self {
        Self {
            keys: if key_bits <= 32 {
                Keys::Narrow(Vec::with_capacity(postings))
            } else {
                Keys::Wide(Vec::with_capacity(postings))
            },
            ids: Vec::with_capacity(postings),
            payloads: Vec::with_capacity(postings),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(crate) fn push(&mut self, posting: Posting<P>) {
        match &mut self.keys {
            Keys::Narrow(keys) => keys.push(posting.key as u32),
            Keys::Wide(keys) => keys.push(posting.key),
        }
        self.ids.push(posting.id);
        self.payloads.push(posting.payload);
    }

    /// Adds what another band has gathered.
    pub(crate) fn append(&mut self, other: Self) {
        for place in 0..other.len() {
            self.push(Posting {
                key: other.key(place),
                id: other.ids[place],
                payload: other.payloads[place],
            });
        }
    }

    #[inline]
    fn key(&self, place: usize) -> u64 {
        match &self.keys {
            Keys::Narrow(keys) => keys[place].into(),
            Keys::Wide(keys) => keys[place],
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
        let mut offsets = vec![0u32; address.slots() + 1];
        for place in 0..postings.len() {
            offsets[slot(place) + 1] += 1;
        }
        for slot in 0..address.slots() {
            offsets[slot + 1] += offsets[slot];
        }
        // Each slot's start moves to its end while its postings take their places, and then is the next one's start.
        let mut places = vec![0u32; postings.len()];
        for place in 0..postings.len() {
            let end = &mut offsets[slot(place)];
            places[*end as usize] = place as u32;
            *end += 1;
        }
        offsets.rotate_right(1);
        offsets[0] = 0;
        let ids = match address {
            Address::Direct(_) => {
                let ids = places.iter().map(|&place| postings.ids[place as usize]);
                Ids::Direct(ids.collect())
            }
            Address::Hashed(_) => {
                let key = |&place: &u32| postings.key(place as usize);
                for slot in offsets.windows(2) {
                    places[slot[0] as usize..slot[1] as usize].sort_by_key(key);
                }
                let keyed = |place: &u32| Keyed::new(key(place), postings.ids[*place as usize]);
                Ids::Keyed(places.iter().map(keyed).collect())
            }
        };
        let payload = |&place: &u32| postings.payloads[place as usize];
        Self {
            address,
            offsets,
            ids,
            payloads: places.iter().map(payload).collect(),
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
