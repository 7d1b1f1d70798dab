use lookalike_engine::Id;
use memmap2::MmapMut;

/// The elements of the first items, as many as there is room for: what need not be read again.
///
/// They lie in one piece of memory for which the system is asked for large pages. Page by page, its
/// thousands of page faults would cost as much as sketching does.
#[derive(Debug)]
pub(crate) struct Held {
    memory: Option<MmapMut>,
    filled: usize,
    is_full: bool,
    /// Where the elements of each item start and end; empty where they are not held.
    spans: Vec<[u32; 2]>,
}

/// Bytes of room. A corpus of 50 MB of text fits.
pub(crate) const ROOM: usize = 64 << 20;
const ELEMENTS: usize = ROOM / size_of::<u64>();

impl Held {
    /// Nothing yet. Memory is taken as it is filled; without `wanted`, or where there is none, nothing is held.
    pub(crate) fn new(wanted: bool) -> Self {
        let memory = wanted.then(|| MmapMut::map_anon(ROOM).ok()).flatten();
        #[cfg(target_os = "linux")]
        if let Some(memory) = &memory {
            // Advice: if it is not taken, pages are small.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Self {
            memory,
            filled: 0,
            is_full: false,
            spans: Vec::new(),
        }
    }

    /// Adds the elements of the next item, if there is room; `false` once there is none.
    pub(crate) fn push(&mut self, elements: &[u64]) -> bool {
        let end = self.filled + elements.len();
        // Once full, always full: items are found by their number.
        self.is_full |= end > ELEMENTS;
        let Some(memory) = self.memory.as_mut().filter(|_| !self.is_full) else {
            return false;
        };
        let memory: &mut [u64] = bytemuck::cast_slice_mut(memory);
        memory[self.filled..end].copy_from_slice(elements);
        self.spans.push([self.filled as u32, end as u32]);
        self.filled = end;
        true
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.filled * size_of::<u64>()
    }

    /// The elements of an item, if they are held.
    pub(crate) fn get(&self, item: Id) -> Option<&[u64]> {
        let &[start, end] = self.spans.get(item as usize)?;
        let memory: &[u64] = bytemuck::cast_slice(self.memory.as_ref()?);
        Some(&memory[start as usize..end as usize]).filter(|elements| !elements.is_empty())
    }
}
