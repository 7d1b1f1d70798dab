use std::{
    any::{Any, TypeId, type_name},
    fmt,
};

use lookalike_core::{
    Items,
    plugin::{Container, Error, Kind, PlainFile, Value},
};
use lookalike_output::Inventory;

use crate::{
    Names, Table,
    table::{from_table, table_of},
};

/// Items of one kind behind one type, and what they are called.
pub struct Dataset {
    pub(crate) items: Box<dyn Held>,
    pub(crate) names: Names,
    pub(crate) labels: Vec<u32>,
    /// The labels as JSON, by their numbers; empty if they have none.
    pub(crate) label_texts: Vec<Box<str>>,
    pub(crate) inventory: Inventory,
}

impl Dataset {
    /// Items at hand, called by their places.
    #[must_use]
    pub fn new<K: Kind>(items: K::Items) -> Self {
        let items = Holder::<K> {
            items,
            reading: K::Reading::default(),
        };
        Self {
            items: Box::new(items),
            names: Names::default(),
            labels: Vec::new(),
            label_texts: Vec::new(),
            inventory: Inventory::default(),
        }
    }

    /// The same items, called by these names.
    #[must_use]
    pub fn named(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let json = |name: String| Some(serde_json::Value::from(name).to_string().into());
        self.names.ids = names.into_iter().map(json).collect();
        self
    }

    /// The same items with labels: what each belongs to.
    #[must_use]
    pub fn labelled(mut self, labels: Vec<u32>) -> Self {
        self.labels = labels;
        self
    }

    /// Values at hand, parsed as items of one kind and called by their places.
    ///
    /// # Errors
    /// If a value is not an item of the kind; the message has its place.
    pub fn parse<'a, K: Kind>(
        values: impl IntoIterator<Item = Value<'a>>,
        reading: K::Reading,
    ) -> Result<Self, Error> {
        let mut items = K::Items::default();
        for (place, value) in values.into_iter().enumerate() {
            K::parse(value, &reading, &mut items).map_err(|error| error.at(place))?;
        }
        K::check(&items, &reading)?;
        Ok(Self::new::<K>(items))
    }

    /// The kind of the items.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.items.kind()
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.count()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What all items have in common: bits, dimensions; 0 if nothing.
    #[must_use]
    pub fn width(&self) -> usize {
        self.items.width()
    }

    /// What users should know about the items as they are kept.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.items.notes()
    }

    /// The length of the longest item, where the kind has one and a promise depends on it.
    #[must_use]
    pub fn longest(&self) -> Option<f64> {
        self.items.longest()
    }

    /// What the items are called.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What each item belongs to, such as the finger of a print: equal numbers mean the same. Empty if nothing is known.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// What a label says, as JSON: `"spam"` or `2.5`. `None` for labels that were not read from records.
    #[must_use]
    pub fn label_text(&self, label: u32) -> Option<&str> {
        self.label_texts.get(label as usize).map(|text| &**text)
    }

    /// The files that the items were read from; empty for items at hand.
    #[must_use]
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// An item as text that its kind reads back.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn show(&self, id: u32) -> String {
        self.items.show(id as usize)
    }

    /// An item as terminals print it.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn summary(&self, id: u32) -> String {
        self.items.summary(id as usize)
    }

    /// The items, if they are of this kind.
    ///
    /// # Errors
    /// If they are of another kind.
    pub fn items<K: Kind>(&self) -> Result<&K::Items, Error> {
        let items = self.items.as_any().downcast_ref();
        items.ok_or_else(|| {
            let (found, expected) = (self.kind(), K::NAME);
            Error::new(format!(
                "items of the kind {found}, where {expected} is expected"
            ))
        })
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("kind", &self.kind())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Items of some kind that values are parsed into: one virtual call per value.
pub(crate) trait Held: Send + Sync {
    fn kind(&self) -> &'static str;
    fn count(&self) -> usize;
    fn width(&self) -> usize;
    fn parse(&mut self, value: Value<'_>) -> Result<(), Error>;
    fn append(&mut self, more: Box<dyn Held>) -> Result<(), Error>;
    fn notes(&self) -> Vec<String>;
    fn longest(&self) -> Option<f64>;
    fn check(&self) -> Result<(), Error>;
    fn show(&self, place: usize) -> String;
    fn summary(&self, place: usize) -> String;
    /// The container itself.
    fn as_any(&self) -> &dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// The container of a kind, and how its values are read.
pub(crate) struct Holder<K: Kind> {
    items: K::Items,
    reading: K::Reading,
}

/// What makes holders of one kind.
#[derive(Clone, Copy)]
pub(crate) struct KindEntry {
    pub(crate) type_id: TypeId,
    pub(crate) type_name: &'static str,
    pub(crate) name: &'static str,
    pub(crate) field: &'static str,
    pub(crate) is_internal: bool,
    pub(crate) plain_file: PlainFile,
    pub(crate) left_out: &'static str,
    /// How values are read, with the defaults.
    pub(crate) reading: fn() -> Table,
    pub(crate) holder: fn(&Table) -> Result<Box<dyn Held>, Error>,
}

impl KindEntry {
    pub(crate) fn new<K: Kind>() -> Self {
        Self {
            type_id: TypeId::of::<K>(),
            type_name: type_name::<K>(),
            name: K::NAME,
            field: K::FIELD,
            is_internal: K::IS_INTERNAL,
            plain_file: K::PLAIN_FILE,
            left_out: K::LEFT_OUT,
            reading: || table_of(&K::Reading::default()),
            holder: |reading| {
                Ok(Box::new(Holder::<K> {
                    items: K::Items::default(),
                    reading: from_table(reading)?,
                }))
            },
        }
    }
}

impl<K: Kind> Held for Holder<K> {
    fn kind(&self) -> &'static str {
        K::NAME
    }

    fn count(&self) -> usize {
        self.items.count()
    }

    fn width(&self) -> usize {
        K::width(&self.items)
    }

    fn parse(&mut self, value: Value<'_>) -> Result<(), Error> {
        K::parse(value, &self.reading, &mut self.items)
    }

    fn append(&mut self, more: Box<dyn Held>) -> Result<(), Error> {
        let kind = more.kind();
        match more.into_any().downcast::<Self>() {
            Ok(more) => self.items.append(more.items),
            Err(_) => Err(Error::new(format!(
                "an item of the kind {kind} among items of the kind {}",
                K::NAME
            ))),
        }
    }

    fn notes(&self) -> Vec<String> {
        K::notes(&self.items)
    }

    fn longest(&self) -> Option<f64> {
        K::longest(&self.items)
    }

    fn check(&self) -> Result<(), Error> {
        K::check(&self.items, &self.reading)
    }

    fn show(&self, place: usize) -> String {
        K::show(self.items.item(place), self.width())
    }

    fn summary(&self, place: usize) -> String {
        K::summary(self.items.item(place), self.width())
    }

    fn as_any(&self) -> &dyn Any {
        &self.items
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
