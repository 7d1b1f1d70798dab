use lookalike_core::{KeySource, TooManyKeys, mix};

/// The keys of some items, hashed by one thread and not yet in [`Columns`](crate::Columns).
///
/// For a corpus that is read, hashed and dropped piece by piece: fill rows on many threads, then
/// [append](crate::Columns::append) them in order.
#[derive(Clone, Debug)]
pub struct Rows {
    bands: usize,
    /// (band, key), item after item; of an item in ascending order, without repeats.
    entries: Vec<(u32, u64)>,
    ends: Vec<End>,
}

#[derive(Clone, Copy, Debug)]
struct End {
    entry: usize,
    is_regular: bool,
}

/// The keys of one item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries<'a> {
    pub(crate) keys: &'a [(u32, u64)],
    /// There is exactly one key in every band.
    pub(crate) is_regular: bool,
}

impl Rows {
    /// No items, for a source with this many bands.
    #[must_use]
    pub fn new(bands: usize) -> Self {
        Self {
            bands,
            entries: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds the keys under which `source` stores an item. The keys that only a query asks
    /// ([`has_probes`](KeySource::has_probes)) are not among them.
    ///
    /// # Errors
    /// If the item has too many keys.
    pub fn push<S: KeySource>(
        &mut self,
        source: &S,
        item: &S::Item,
        scratch: &mut S::Scratch,
    ) -> Result<(), TooManyKeys> {
        let start = self.entries.len();
        let emit = |band, key, _| self.entries.push((band, key));
        source.keys(item, scratch, emit)?;
        self.end_item(start);
        Ok(())
    }

    /// Adds the keys under which `source` stores each of some items, in their order.
    ///
    /// # Errors
    /// The place of the first item that has too many keys.
    pub fn push_all<S: KeySource>(
        &mut self,
        source: &S,
        items: &[&S::Item],
        scratch: &mut S::Scratch,
    ) -> Result<(), (usize, TooManyKeys)> {
        let (mut start, mut under_way) = (self.entries.len(), 0);
        source.keys_of_all(items, scratch, |place, band, key, _| {
            while under_way < place {
                self.end_item(start);
                (start, under_way) = (self.entries.len(), under_way + 1);
            }
            self.entries.push((band, key));
        })?;
        for _ in under_way..items.len() {
            self.end_item(start);
            start = self.entries.len();
        }
        Ok(())
    }

    /// Adds the keys of an item so that it shares none with an item of another group.
    ///
    /// The keys have 64 bits, whatever the width of the source's keys.
    ///
    /// # Errors
    /// If the item has too many keys.
    pub fn push_among<S: KeySource>(
        &mut self,
        group: u64,
        source: &S,
        item: &S::Item,
        scratch: &mut S::Scratch,
    ) -> Result<(), TooManyKeys> {
        let start = self.entries.len();
        // Without the step between, groups that differ by as much as keys do would meet.
        let group = mix(group.wrapping_add(1));
        let emit = |band, key, _| self.entries.push((band, mix(key ^ group)));
        source.keys(item, scratch, emit)?;
        self.end_item(start);
        Ok(())
    }

    /// Adds an item without keys, which meets nothing.
    pub fn push_none(&mut self) {
        self.end_item(self.entries.len());
    }

    fn end_item(&mut self, start: usize) {
        let keys = &mut self.entries[start..];
        let in_order = |keys: &[(u32, u64)]| (0..).zip(keys).all(|(band, key)| key.0 == band);
        let is_regular = keys.len() == self.bands && in_order(keys);
        if !is_regular {
            keys.sort_unstable();
            let mut kept = start;
            for entry in start..self.entries.len() {
                if entry == start || self.entries[entry] != self.entries[kept - 1] {
                    self.entries[kept] = self.entries[entry];
                    kept += 1;
                }
            }
            self.entries.truncate(kept);
        }
        self.ends.push(End {
            entry: self.entries.len(),
            is_regular,
        });
    }

    /// Whether the item that was added last has no key.
    #[must_use]
    pub fn is_last_empty(&self) -> bool {
        let ends = self.ends.iter().rev().map(|end| end.entry);
        let mut ends = ends.chain([0]);
        ends.next() == ends.next()
    }

    /// How many bands there are.
    #[must_use]
    pub fn bands(&self) -> usize {
        self.bands
    }

    /// How many items there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn of(&self, item: usize) -> Entries<'_> {
        let start = item
            .checked_sub(1)
            .map_or(0, |before| self.ends[before].entry);
        let End { entry, is_regular } = self.ends[item];
        Entries {
            keys: &self.entries[start..entry],
            is_regular,
        }
    }
}
