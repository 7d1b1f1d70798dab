use std::borrow::Borrow;

use super::{Column, Error, Params, Value};
use crate::Items;

/// What an item is: how it is parsed, kept, shown and stored.
///
/// ```
/// use lookalike_core::plugin::{Error, Kind, Value};
///
/// /// Whole numbers.
/// struct Number;
///
/// impl Kind for Number {
///     const NAME: &'static str = "number";
///     type Item = i64;
///     type Items = Vec<i64>;
///     type Reading = ();
///
///     fn parse(value: Value<'_>, _: &(), items: &mut Vec<i64>) -> Result<(), Error> {
///         let text = value.text()?.trim();
///         let number = text.parse().map_err(|_| Error::new(format!("`{text}` is not a number")))?;
///         items.push(number);
///         Ok(())
///     }
///
///     fn show(item: &i64, _: usize) -> String {
///         item.to_string()
///     }
/// }
///
/// let mut items = Vec::new();
/// Number::parse(Value::Text(" 17 "), &(), &mut items)?;
/// assert_eq!(items, [17]);
/// # Ok::<(), Error>(())
/// ```
pub trait Kind: 'static {
    /// The name in files, flags and stored plans: `code`.
    const NAME: &'static str;
    /// The field of a record that holds the value, unless the user names another.
    const FIELD: &'static str = Self::NAME;
    /// What a label of an item names, in reports: prints have the same `finger`.
    const LABEL: &'static str = "label";
    /// Whether users never name the kind: it exists for programs that have its items at hand.
    const IS_INTERNAL: bool = false;
    /// What a file holds whose name and format do not say.
    const PLAIN_FILE: PlainFile = PlainFile::Lines;
    /// Why a value that is not blank may hold no item, for messages; empty if every such value holds one.
    const LEFT_OUT: &'static str = "";
    /// One item, as families and distances see it.
    type Item: ?Sized;
    /// Many items, found by their place.
    type Items: Container<Self::Item>;
    /// How values are read, where there is a choice; `()` for most.
    type Reading: Params;

    /// Appends the items of a value: usually one, none if the value is blank, several if it holds several.
    ///
    /// # Errors
    /// If the value is not an item of this kind. Nothing is appended then.
    fn parse(
        value: Value<'_>,
        reading: &Self::Reading,
        items: &mut Self::Items,
    ) -> Result<(), Error>;

    /// The item as text that [`parse`](Kind::parse) reads back; `width` is that of its container.
    fn show(item: &Self::Item, width: usize) -> String;

    /// The item as terminals and pages print it: a shortened [`show`](Kind::show).
    fn summary(item: &Self::Item, width: usize) -> String {
        const MOST: usize = 60;
        let shown = Self::show(item, width);
        match shown.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &shown[..end]),
            None => shown,
        }
    }

    /// Appends the item's bytes. Equal items of one width have equal bytes, and only they do.
    fn encode(item: &Self::Item, width: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(Self::show(item, width).as_bytes());
    }

    /// Appends the item that [`encode`](Kind::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are not those of an item.
    fn decode(bytes: &[u8], items: &mut Self::Items) -> Result<(), Error> {
        Self::parse(
            Value::Text(Value::Bytes(bytes).text()?),
            &Self::Reading::default(),
            items,
        )
    }

    /// Takes over a column of byte strings without copying it, if the container can; otherwise its values are parsed
    /// one by one.
    ///
    /// # Errors
    /// The column itself, if it cannot be taken over.
    fn adopt(column: Column) -> Result<Self::Items, Column> {
        Err(column)
    }

    /// Refuses items that cannot be what was meant, once all of them are parsed.
    ///
    /// # Errors
    /// If a look at all items shows that they were read the wrong way.
    fn check(items: &Self::Items, reading: &Self::Reading) -> Result<(), Error> {
        let _ = (items, reading);
        Ok(())
    }

    /// What users should know about the items as they are kept: that their numbers were rounded, say. One sentence each,
    /// printed with the plan.
    fn notes(items: &Self::Items) -> Vec<String> {
        let _ = items;
        Vec::new()
    }

    /// The length of the longest item, where a promise depends on it: the Euclidean length of vectors. `None` if items
    /// have no such length, or there are none.
    fn longest(items: &Self::Items) -> Option<f64> {
        let _ = items;
        None
    }

    /// What all items have in common and functions must know: bits of a code, dimensions of a vector. 0 if there is
    /// nothing of the sort.
    fn width(items: &Self::Items) -> usize {
        let _ = items;
        0
    }
}

/// What a file holds that is not a table or a list of records by its name or its format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlainFile {
    /// A record per line.
    Lines,
    /// In a folder one text, and a text per line if the file is named.
    #[default]
    Text,
    /// Bytes of any kind: the file itself is the record. In a folder that is every file, whatever its name.
    Bytes,
}

/// Items that are collected on several threads and put together.
pub trait Container<T: ?Sized>: Items<T> + Default + Send + 'static {
    /// Appends all of `more`.
    ///
    /// # Errors
    /// If the two do not fit together, such as codes of different lengths.
    fn append(&mut self, more: Self) -> Result<(), Error>;
}

impl<T: ?Sized, I: Borrow<T> + Send + Sync + 'static> Container<T> for Vec<I> {
    fn append(&mut self, mut more: Self) -> Result<(), Error> {
        Vec::append(self, &mut more);
        Ok(())
    }
}
