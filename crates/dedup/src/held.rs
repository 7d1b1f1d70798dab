use lookalike_engine::Id;
use lookalike_memory::Large;

/// The elements of the first items, as many as there is room for: what need not be read again.
#[derive(Debug)]
pub(crate) struct Held {
    elements: Large<u64>,
    /// Elements that there is room for.
    room: usize,
    /// Where the elements of each item start and end; empty where they are not held.
    spans: Vec<[u32; 2]>,
}

/// Bytes of room. A corpus of 50 MB of text fits.
pub(crate) const ROOM: usize = 64 << 20;

impl Held {
    /// Nothing yet. Without `wanted` nothing is ever held.
    pub(crate) fn new(wanted: bool) -> Self {
        let room = if wanted { ROOM / size_of::<u64>() } else { 0 };
        Self {
            // Large pages, and memory that the system gives as it is filled.
            elements: Large::with_capacity(room),
            room,
            spans: Vec::new(),
        }
    }

    /// Adds the elements of the next item, if there is room; `false` once there is none.
    pub(crate) fn push(&mut self, elements: &[u64]) -> bool {
        let start = self.elements.len();
        let end = start + elements.len();
        if end > self.room {
            // Once full, always full: items are found by their number.
            self.room = 0;
        }
        if self.room == 0 {
            return false;
        }
        self.elements.extend_from_slice(elements);
        self.spans.push([start as u32, end as u32]);
        true
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.elements[..])
    }

    /// The elements of an item, if they are held.
    pub(crate) fn get(&self, item: Id) -> Option<&[u64]> {
        let &[start, end] = self.spans.get(item as usize)?;
        Some(&self.elements[start as usize..end as usize]).filter(|elements| !elements.is_empty())
    }
}
