//! What a frozen part is built of.

use lookalike_memory::Large;

use crate::{Id, frozen::Posting};

/// The postings of one band as they come.
///
/// Keys take the room that they need: a million narrow ones in each of many bands are what building an index takes.
#[derive(Clone, Debug)]
pub(crate) struct Gathered<P> {
    keys: Keys,
    pub(crate) ids: Vec<Id>,
    pub(crate) payloads: Vec<P>,
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
    pub(crate) fn key(&self, place: usize) -> u64 {
        match &self.keys {
            Keys::Narrow(keys) => keys[place].into(),
            Keys::Wide(keys) => keys[place],
        }
    }
}

/// Where the slots of 2^bits start, and what is carried for each posting, in the order of slots; in a slot as they came.
///
/// Postings go to parts first, whose slots fit the nearest cache: straight to their places most would miss every cache.
pub(crate) fn by_slot(
    bits: u32,
    count: usize,
    slot: impl Fn(usize) -> usize,
    carried: impl Fn(usize) -> u32,
) -> (Large<u32>, Large<u32>) {
    let low = bits.saturating_sub(8);
    let mut starts = vec![0; (1 << (bits - low)) + 1];
    for place in 0..count {
        starts[(slot(place) >> low) + 1] += 1;
    }
    for part in 1..starts.len() {
        starts[part] += starts[part - 1];
    }
    let mut ends = starts.clone();
    let mut parted = Large::<u64>::zeroed(count);
    for place in 0..count {
        let slot = slot(place);
        let end: &mut usize = &mut ends[slot >> low];
        parted[*end] = (slot as u64) << 32 | u64::from(carried(place));
        *end += 1;
    }
    let mut offsets = Large::<u32>::zeroed((1 << bits) + 1);
    let mut sorted = Large::<u32>::zeroed(count);
    for (part, bounds) in starts.windows(2).enumerate() {
        let parted = &parted[bounds[0]..bounds[1]];
        let first = part << low;
        let offsets = &mut offsets[first..first + (1 << low)];
        let place = |entry: &u64| (entry >> 32) as usize - first;
        for entry in parted {
            offsets[place(entry)] += 1;
        }
        let mut end = bounds[0] as u32;
        for offset in &mut *offsets {
            end += *offset;
            *offset = end;
        }
        // From the last to the first, so that each slot's end becomes its start.
        for entry in parted.iter().rev() {
            let at = &mut offsets[place(entry)];
            *at -= 1;
            sorted[*at as usize] = *entry as u32;
        }
    }
    offsets[1 << bits] = count as u32;
    (offsets, sorted)
}
