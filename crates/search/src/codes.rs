//! Codes of items, for use elsewhere.

use lookalike_core::{
    Items,
    plugin::{self, Family, ItemOf, ItemsOf, KindOf},
};
use rayon::prelude::*;

use crate::{Dataset, Entry, Error, Registry, Table, registry::unknown, table::from_table};

/// The codes that a family gives the items of a dataset, in their order.
#[derive(Clone, Debug)]
pub struct ItemCodes {
    /// The bytes of a code.
    pub bytes: usize,
    /// The field of a record that holds a code: `hash`.
    pub field: &'static str,
    /// The code of each item; `None` for one without anything to hash.
    pub codes: Vec<Option<ItemCode>>,
}

/// The code of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemCode {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The same as text, as such codes are published: usually hexadecimal digits.
    pub written: String,
}

/// Makes the codes of a dataset's items, if a family has codes.
pub(crate) type MakeCodes = fn(&Dataset, &Table, u64) -> Result<Option<ItemCodes>, Error>;

/// [`MakeCodes`] of a family.
pub(crate) fn make_codes<F: Family>(
    data: &Dataset,
    parameters: &Table,
    seed: u64,
) -> Result<Option<ItemCodes>, Error> {
    let (distance, family): (F::Distance, F) = (from_table(parameters)?, from_table(parameters)?);
    let Some(coder) = family.coder(&distance, seed)? else {
        return Ok(None);
    };
    let items: &ItemsOf<F::Distance> = data.items::<KindOf<F::Distance>>()?;
    let code = |item: &ItemOf<F::Distance>| {
        let bytes = coder.code(item)?;
        let written = coder.written(&bytes);
        Some(ItemCode { bytes, written })
    };
    Ok(Some(ItemCodes {
        bytes: coder.bytes(),
        field: coder.field(),
        codes: for_each(items.count(), &|place| code(items.item(place))),
    }))
}

/// Not generic, so that it is compiled once and not once per family.
fn for_each(
    count: usize,
    code: &(dyn Fn(usize) -> Option<ItemCode> + Sync),
) -> Vec<Option<ItemCode>> {
    (0..count).into_par_iter().map(code).collect()
}

impl Registry {
    /// The families that give items codes, in the order in which they joined.
    pub fn with_codes(&self) -> impl Iterator<Item = &Entry> {
        self.entries().iter().filter(|entry| entry.has_codes())
    }

    /// The kinds of items that a family gives codes, or the named one of them.
    ///
    /// # Errors
    /// If no family of that name has codes, or not for that kind.
    pub fn kinds_with_codes(
        &self,
        family: &str,
        kind: Option<&str>,
    ) -> Result<Vec<&'static str>, Error> {
        let named = self.named(family, kind)?;
        let kinds = named.iter().filter(|entry| entry.has_codes());
        let kinds: Vec<&str> = kinds.map(|entry| entry.kind).collect();
        if kinds.is_empty() {
            let mut names: Vec<&str> = self.with_codes().map(|entry| entry.name).collect();
            names.sort_unstable();
            names.dedup();
            let message = format!("{family} has no codes: {} have", names.join(", "));
            return Err(plugin::Error::new(message).about(family).into());
        }
        Ok(kinds)
    }

    /// The codes of items by a family, with its parameters and a seed.
    ///
    /// # Errors
    /// If the family has no codes for such items, or a parameter is unknown or wrong.
    pub fn codes(
        &self,
        family: &str,
        data: &Dataset,
        parameters: &Table,
        seed: u64,
    ) -> Result<ItemCodes, Error> {
        let mut entries = self.with_codes();
        let entry = entries.find(|entry| entry.name == family && entry.kind == data.kind());
        let entry = entry.ok_or_else(|| {
            let names = self.with_codes().filter(|entry| entry.kind == data.kind());
            unknown(
                "family",
                family,
                &names.map(|entry| entry.name).collect::<Vec<_>>(),
            )
        })?;
        entry.check(parameters)?;
        let codes = (entry.make_codes)(data, parameters, seed)?;
        Ok(codes.expect("a family with codes"))
    }
}
