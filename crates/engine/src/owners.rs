use crate::Id;

/// Entries between two whose items are noted.
const STEP: usize = 16;

/// Which item an entry of a column belongs to, where items have none, one or several.
///
/// A search among all starts takes as many steps as their number has bits. The item of every sixteenth entry leaves one or
/// two of them.
#[derive(Clone, Debug)]
pub(crate) struct Owners<'a> {
    /// Item i has the entries from `starts[i]` to before `starts[i + 1]`.
    starts: &'a [u32],
    /// The items of the entries 0, 16, 32, …, and the last item.
    noted: Vec<Id>,
}

impl<'a> Owners<'a> {
    pub(crate) fn new(starts: &'a [u32]) -> Self {
        let entries = starts.last().map_or(0, |&end| end as usize);
        let mut noted = Vec::with_capacity(entries / STEP + 2);
        let mut item = 0;
        for entry in (0..entries).step_by(STEP) {
            while starts[item + 1] as usize <= entry {
                item += 1;
            }
            noted.push(item as Id);
        }
        noted.push(starts.len().saturating_sub(2) as Id);
        Self { starts, noted }
    }

    /// The item of an entry.
    #[inline]
    pub(crate) fn of(&self, entry: u32) -> Id {
        let block = entry as usize / STEP;
        let (first, last) = (self.noted[block], self.noted[block + 1]);
        let later = &self.starts[first as usize + 1..=last as usize];
        first + later.partition_point(|&start| start <= entry) as Id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_entry_has_its_item(counts in prop::collection::vec(prop_oneof![0u32..3, 0u32..60], 0..80)) {
            let mut starts = vec![0];
            let mut items = Vec::new();
            for (item, &count) in (0..).zip(&counts) {
                items.extend((0..count).map(|_| item));
                starts.push(items.len() as u32);
            }
            let owners = Owners::new(&starts);
            let found: Vec<Id> = (0..items.len() as u32).map(|entry| owners.of(entry)).collect();
            prop_assert_eq!(found, items);
        }
    }
}
