//! Items that are their own keys, and the plain definition of a candidate.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_core::{KeySource, TooManyKeys};
use proptest::prelude::*;

/// The (band, key, payload) triples of an item.
pub(crate) type Item = Vec<(u32, u64, u8)>;

pub(crate) const BANDS: u32 = 3;

/// A source whose items are lists of keys; queries also ask for `probe` added to each key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) key_bits: u32,
    pub(crate) probe: Option<u64>,
}

pub(crate) const WIDE: Given = Given {
    key_bits: 64,
    probe: None,
};
pub(crate) const NARROW: Given = Given {
    key_bits: 4,
    probe: None,
};

impl KeySource for Given {
    type Item = Item;
    type Payload = u8;
    type Scratch = ();

    fn bands(&self) -> usize {
        BANDS as usize
    }

    fn key_bits(&self) -> u32 {
        self.key_bits
    }

    fn describe(&self) -> String {
        format!("{self:?}")
    }

    fn keys(
        &self,
        item: &Item,
        _: &mut (),
        mut emit: impl FnMut(u32, u64, u8),
    ) -> Result<(), TooManyKeys> {
        item.iter()
            .for_each(|&(band, key, payload)| emit(band, key, payload));
        Ok(())
    }

    fn has_probes(&self) -> bool {
        self.probe.is_some()
    }

    fn probes(
        &self,
        item: &Item,
        _: &mut (),
        mut emit: impl FnMut(u32, u64, u8),
    ) -> Result<(), TooManyKeys> {
        for &(band, key, payload) in item {
            emit(band, key, payload);
            if let Some(probe) = self.probe {
                emit(band, key + probe, payload);
            }
        }
        Ok(())
    }
}

/// One key in every band.
pub(crate) fn regular_item(keys: u64) -> impl Strategy<Value = Item> {
    prop::array::uniform3(0..keys).prop_map(|keys| {
        let keys: Vec<_> = (0..).zip(keys).map(|(band, key)| (band, key, 0)).collect();
        keys
    })
}

/// Any number of keys in each band, repeats included, in any order.
pub(crate) fn any_item(keys: u64) -> impl Strategy<Value = Item> {
    prop::collection::vec((0..BANDS, 0..keys, any::<u8>()), 0..6)
}

/// The items of every bucket.
pub(crate) fn buckets(items: &[Item]) -> BTreeMap<(u32, u64), BTreeSet<u32>> {
    let mut buckets = BTreeMap::<_, BTreeSet<_>>::new();
    for (id, item) in (0..).zip(items) {
        for &(band, key, _) in item {
            buckets.entry((band, key)).or_default().insert(id);
        }
    }
    buckets
}

/// The pairs of items that share one of some buckets.
pub(crate) fn pairs<'a>(buckets: impl Iterator<Item = &'a BTreeSet<u32>>) -> BTreeSet<(u32, u32)> {
    let of_one = |bucket: &'a BTreeSet<u32>| {
        bucket
            .iter()
            .flat_map(move |&a| bucket.range(a + 1..).map(move |&b| (a, b)))
    };
    buckets.flat_map(of_one).collect()
}
