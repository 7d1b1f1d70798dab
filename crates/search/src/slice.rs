use std::ops::Range;

use lookalike_core::{
    Items,
    plugin::{self, Kind},
};

use crate::{Dataset, Error};

/// Some of the items of a dataset.
pub(crate) struct Slice<'a, K: Kind> {
    items: &'a K::Items,
    places: Range<usize>,
}

impl<'a, K: Kind> Slice<'a, K> {
    /// The items at `places`, which must be of this kind and width.
    pub(crate) fn new(
        data: &'a Dataset,
        places: Range<usize>,
        width: usize,
    ) -> Result<Self, Error> {
        let items = data.items::<K>()?;
        let found = K::width(items);
        if found != width && !places.is_empty() {
            let kind = K::NAME;
            let message =
                format!("queries of the kind {kind} and width {found}, but the items have {width}");
            return Err(plugin::Error::new(message).into());
        }
        Ok(Self { items, places })
    }
}

impl<K: Kind> Items<K::Item> for Slice<'_, K> {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn item(&self, place: usize) -> &K::Item {
        self.items.item(self.places.start + place)
    }
}
