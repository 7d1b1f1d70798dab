use std::{borrow::Borrow, fmt, sync::Arc};

use super::{Error, Params, Value};
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

    /// What all items have in common and functions must know: bits of a code, dimensions of a vector. 0 if there is
    /// nothing of the sort.
    fn width(items: &Self::Items) -> usize {
        let _ = items;
        0
    }
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

/// Byte strings one after the other in memory that somebody else owns, such as an Arrow buffer.
#[derive(Clone)]
pub struct Column {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    ends: Arc<[usize]>,
}

impl Column {
    /// A column of `bytes`; value i ends where `ends[i]` says, and value 0 starts at 0.
    ///
    /// # Errors
    /// If the ends are not ascending or go beyond the bytes.
    pub fn new(
        bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
        ends: Arc<[usize]>,
    ) -> Result<Self, Error> {
        let length = (*bytes).as_ref().len();
        if !ends.is_sorted() || ends.last().is_some_and(|&end| end > length) {
            let message = format!("the ends of a column must ascend up to {length}, its bytes");
            return Err(Error::new(message));
        }
        Ok(Self { bytes, ends })
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The value at a place below [`len`](Column::len).
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub fn get(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &(*self.bytes).as_ref()[start..self.ends[place]]
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
