use std::collections::BTreeMap;

use lookalike_core::{Items, KeySource};

use crate::{
    Error, Id, Pair, Rows,
    runs::{in_batches, in_runs},
};

/// The keys of many items, one column for each band.
///
/// If every item has exactly one key in every band, a column has one `u64` per item; otherwise a column also knows
/// where the keys of each item start.
///
/// Items are added in batches, each hashed in parallel, so that a corpus can stream through without being held.
///
/// Columns hold the keys under which items are stored. A source that [probes](KeySource::has_probes) asks other keys,
/// too, and has no columns.
#[derive(Clone, Debug)]
pub struct Columns {
    items: usize,
    bands: Vec<Column>,
}

/// The keys of one band in the order of items; of one item in ascending order, without repeats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    keys: Vec<u64>,
    /// Item i has `keys[starts[i]..starts[i + 1]]`; `None`: it has `keys[i]`.
    starts: Option<Vec<u32>>,
    /// Whether some item has several keys.
    several: bool,
}

/// Items that one thread hashes at a time.
const RUN: usize = 512;
/// Items between two moments at which runs are appended to the columns.
const WAVE: usize = 1 << 16;

impl Columns {
    /// Columns for a source with this many bands, without items.
    #[must_use]
    pub fn new(bands: usize) -> Self {
        Self {
            items: 0,
            bands: vec![Column::default(); bands],
        }
    }

    /// The columns of all `items`.
    ///
    /// # Errors
    /// See [`extend`](Columns::extend).
    pub fn build<S: KeySource>(
        source: &S,
        items: &(impl Items<S::Item> + ?Sized),
    ) -> Result<Self, Error> {
        let mut columns = Self::new(source.bands());
        for column in &mut columns.bands {
            column.keys.reserve_exact(items.count());
        }
        columns.extend(source, items)?;
        Ok(columns)
    }

    /// Adds items, which take the next ids in order.
    ///
    /// # Errors
    /// If the source [probes](KeySource::has_probes): columns hold the keys under which items are stored, and a join of
    /// them would miss the pairs that only a query finds. Use [`BucketIndex::pairs`](crate::BucketIndex::pairs) or
    /// [`BucketIndex::matches`](crate::BucketIndex::matches). Also if an item has too many keys, or if there are too many
    /// items.
    ///
    /// # Panics
    /// If the source has other bands than the columns.
    pub fn extend<S: KeySource>(
        &mut self,
        source: &S,
        items: &(impl Items<S::Item> + ?Sized),
    ) -> Result<(), Error> {
        assert_eq!(
            source.bands(),
            self.bands.len(),
            "the source has other bands"
        );
        if source.has_probes() {
            let description = source.describe();
            return Err(Error::Probes { description });
        }
        let (count, before) = (items.count(), self.items);
        for start in (0..count).step_by(WAVE) {
            let end = count.min(start + WAVE);
            let runs = in_runs(start..end, RUN, &|| {
                let mut scratch = S::Scratch::default();
                Box::new(move |run| {
                    let mut rows = Rows::new(source.bands());
                    in_batches(run, items, |first, batch| {
                        let keys = rows.push_all(source, batch, &mut scratch);
                        keys.map_err(|(place, source)| Error::Keys {
                            item: Id::try_from(before + first + place).unwrap_or(Id::MAX),
                            source,
                        })
                    })?;
                    Ok(rows)
                })
            })?;
            for rows in &runs {
                self.append_all(rows)?;
            }
        }
        Ok(())
    }

    /// Adds the items of `rows` whose place among them is `wanted`. They take the next ids in order.
    ///
    /// # Errors
    /// If there are too many items.
    ///
    /// # Panics
    /// If the rows have other bands than the columns.
    pub fn append(&mut self, rows: &Rows, wanted: impl Fn(usize) -> bool) -> Result<(), Error> {
        assert_eq!(rows.bands(), self.bands.len(), "the rows have other bands");
        for item in (0..rows.items()).filter(|&item| wanted(item)) {
            Id::try_from(self.items + 1).map_err(|_| Error::TooMany)?;
            let entries = rows.of(item);
            if entries.is_regular && self.bands.iter().all(Column::is_regular) {
                for (column, &(_, key)) in self.bands.iter_mut().zip(entries.keys) {
                    column.keys.push(key);
                }
            } else {
                for column in &mut self.bands {
                    column.make_irregular(self.items)?;
                }
                for &(band, key) in entries.keys {
                    self.bands[band as usize].keys.push(key);
                }
                for column in &mut self.bands {
                    column.end_item()?;
                }
            }
            self.items += 1;
        }
        Ok(())
    }

    fn append_all(&mut self, rows: &Rows) -> Result<(), Error> {
        self.append(rows, |_| true)
    }

    /// How many items there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.items
    }

    /// How many bands there are.
    #[must_use]
    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// The keys of an item in a band, ascending.
    ///
    /// # Panics
    /// If there is no such item or band.
    #[must_use]
    pub fn keys(&self, band: usize, item: Id) -> &[u64] {
        self.bands[band].of(item)
    }

    /// The columns of some items, which take new ids in their order.
    pub(crate) fn select(&self, items: &[Id]) -> Self {
        let bands = self.bands.iter().map(|column| column.select(items));
        Self {
            items: items.len(),
            bands: bands.collect(),
        }
    }

    pub(crate) fn column(&self, band: usize) -> &Column {
        &self.bands[band]
    }

    /// Whether two items have the same keys in all bands.
    pub(crate) fn same_keys(&self, a: Id, b: Id) -> bool {
        self.bands.iter().all(|column| column.of(a) == column.of(b))
    }
}

impl Column {
    /// The key of every entry.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Whether every item has exactly one key.
    pub(crate) fn is_regular(&self) -> bool {
        self.starts.is_none()
    }

    /// Whether the two items of each pair have a common key that is not `heavy`.
    ///
    /// Fills in the answers for all pairs before anything branches on them: a branch on memory that is not in the cache
    /// would make the next pair wait.
    pub(crate) fn share(
        &self,
        pairs: &[Pair],
        heavy: Option<&BTreeMap<u64, u64>>,
        share: &mut Vec<bool>,
    ) {
        share.clear();
        match (&self.starts, heavy) {
            (None, None) => {
                let key = |id: Id| self.keys[id as usize];
                share.extend(pairs.iter().map(|pair| key(pair.a()) == key(pair.b())));
            }
            _ => {
                let light = |key: u64| heavy.is_none_or(|heavy| !heavy.contains_key(&key));
                let both = |pair: &Pair| self.shared(pair.a(), pair.b()).any(light);
                share.extend(pairs.iter().map(both));
            }
        }
    }

    fn select(&self, items: &[Id]) -> Self {
        let mut keys = Vec::new();
        let mut starts = self.starts.as_ref().map(|_| vec![0]);
        for &item in items {
            keys.extend_from_slice(self.of(item));
            if let Some(starts) = &mut starts {
                starts.push(keys.len() as u32);
            }
        }
        Self {
            keys,
            starts,
            several: self.several,
        }
    }

    /// Whether two items can share several keys.
    pub(crate) fn has_several(&self) -> bool {
        self.several
    }

    /// Where the keys of each item start, and where the last end; `None` if every item has exactly one.
    pub(crate) fn starts(&self) -> Option<&[u32]> {
        self.starts.as_deref()
    }

    #[inline]
    pub(crate) fn of(&self, item: Id) -> &[u64] {
        let item = item as usize;
        match &self.starts {
            None => &self.keys[item..=item],
            Some(starts) => &self.keys[starts[item] as usize..starts[item + 1] as usize],
        }
    }

    /// The keys that two items share, ascending.
    #[inline]
    pub(crate) fn shared(&self, a: Id, b: Id) -> Shared<'_> {
        Shared {
            a: self.of(a),
            b: self.of(b),
        }
    }

    fn make_irregular(&mut self, items: usize) -> Result<(), Error> {
        if self.starts.is_none() {
            let last = u32::try_from(items).map_err(|_| Error::TooMany)?;
            self.starts = Some((0..=last).collect());
        }
        Ok(())
    }

    fn end_item(&mut self) -> Result<(), Error> {
        let end = u32::try_from(self.keys.len()).map_err(|_| Error::TooMany)?;
        let starts = self.starts.as_mut().expect("made irregular");
        self.several |= starts.last().is_some_and(|start| end - start > 1);
        starts.push(end);
        Ok(())
    }
}

/// The common members of two ascending lists of keys.
pub(crate) struct Shared<'a> {
    a: &'a [u64],
    b: &'a [u64],
}

impl Iterator for Shared<'_> {
    type Item = u64;
    #[inline]
    fn next(&mut self) -> Option<u64> {
        while let (Some((x, a)), Some((y, b))) = (self.a.split_first(), self.b.split_first()) {
            if x <= y {
                self.a = a;
            }
            if y <= x {
                self.b = b;
            }
            if x == y {
                return Some(*x);
            }
        }
        None
    }
}
