use std::{fmt, ops::Range, sync::Arc};

use super::Error;

/// Memory that somebody else owns.
type Shared = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Values one after the other in memory that somebody else owns, such as an Arrow buffer, a NumPy array or a file mapped
/// to memory.
///
/// Values are strings of bytes of any length ([`new`](Column::new)), or rows that all have the same number of bytes
/// ([`fixed`](Column::fixed)).
///
/// ```
/// use lookalike_core::plugin::Column;
/// use std::sync::Arc;
///
/// let words = Column::new(Arc::new(b"onetwo".to_vec()), vec![3, 6].into())?;
/// let rows = Column::fixed(Arc::new(b"onetwo".to_vec()), 3)?;
/// assert_eq!((words.get(1), rows.get(1)), (&b"two"[..], &b"two"[..]));
/// assert_eq!((words.row_bytes(), rows.row_bytes()), (None, Some(3)));
/// # Ok::<(), lookalike_core::plugin::Error>(())
/// ```
#[derive(Clone)]
pub struct Column {
    bytes: Shared,
    places: Places,
}

/// Where values are.
#[derive(Clone)]
enum Places {
    /// Value i ends where the list says, and value 0 starts at 0.
    Ends(Arc<[usize]>),
    /// Each value has the same number of bytes.
    Rows { count: usize, bytes: usize },
}

impl Column {
    /// A column of `bytes`; value i ends where `ends[i]` says, and value 0 starts at 0.
    ///
    /// # Errors
    /// If the ends are not ascending or go beyond the bytes.
    pub fn new(bytes: Shared, ends: Arc<[usize]>) -> Result<Self, Error> {
        let length = (*bytes).as_ref().len();
        if !ends.is_sorted() || ends.last().is_some_and(|&end| end > length) {
            let message = format!("the ends of a column must ascend up to {length}, its bytes");
            return Err(Error::new(message));
        }
        Ok(Self {
            bytes,
            places: Places::Ends(ends),
        })
    }

    /// A column of rows of `row_bytes` bytes each, which needs no list of ends.
    ///
    /// # Errors
    /// If rows have no bytes, or the bytes are not a whole number of rows.
    pub fn fixed(bytes: Shared, row_bytes: usize) -> Result<Self, Error> {
        let length = (*bytes).as_ref().len();
        if row_bytes == 0 || !length.is_multiple_of(row_bytes) {
            let message = format!(
                "the {length} bytes of a column are not a whole number of rows of {row_bytes} bytes"
            );
            return Err(Error::new(message));
        }
        let count = length / row_bytes;
        Ok(Self {
            bytes,
            places: Places::Rows {
                count,
                bytes: row_bytes,
            },
        })
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.places {
            Places::Ends(ends) => ends.len(),
            Places::Rows { count, .. } => *count,
        }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of each row, if the column was made of rows of one length.
    #[must_use]
    pub fn row_bytes(&self) -> Option<usize> {
        match self.places {
            Places::Ends(_) => None,
            Places::Rows { bytes, .. } => Some(bytes),
        }
    }

    /// The memory itself, for containers that keep it instead of copying.
    #[must_use]
    pub fn memory(&self) -> Arc<dyn AsRef<[u8]> + Send + Sync> {
        Arc::clone(&self.bytes)
    }

    /// The bytes of all values, one after the other.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let end = match &self.places {
            Places::Ends(ends) => ends.last().copied().unwrap_or(0),
            Places::Rows { count, bytes } => count * bytes,
        };
        &(*self.bytes).as_ref()[..end]
    }

    /// The value at a place below [`len`](Column::len).
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub fn get(&self, place: usize) -> &[u8] {
        &(*self.bytes).as_ref()[self.range(place)]
    }

    fn range(&self, place: usize) -> Range<usize> {
        match &self.places {
            Places::Ends(ends) => {
                let start = place.checked_sub(1).map_or(0, |before| ends[before]);
                start..ends[place]
            }
            Places::Rows { count, bytes } => {
                assert!(place < *count, "there are {count} rows, none at {place}");
                place * bytes..(place + 1) * bytes
            }
        }
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("len", &self.len())
            .field("row_bytes", &self.row_bytes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_the_chunks_of_the_bytes(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            row_bytes in 0..8usize,
        ) {
            let column = Column::fixed(Arc::new(bytes.clone()), row_bytes);
            if row_bytes == 0 || bytes.len() % row_bytes != 0 {
                prop_assert!(column.is_err());
                return Ok(());
            }
            let column = column.unwrap();
            let rows: Vec<&[u8]> = bytes.chunks(row_bytes).collect();
            prop_assert_eq!(column.len(), rows.len());
            prop_assert_eq!(column.is_empty(), rows.is_empty());
            prop_assert_eq!(column.bytes(), &bytes);
            let ends = (1..=rows.len()).map(|row| row * row_bytes).collect();
            let listed = Column::new(Arc::new(bytes.clone()), ends).unwrap();
            prop_assert_eq!(listed.bytes(), &bytes);
            for (place, row) in rows.iter().enumerate() {
                prop_assert_eq!(column.get(place), *row);
                prop_assert_eq!(listed.get(place), *row);
            }
        }
    }

    #[test]
    #[should_panic(expected = "there are 2 rows, none at 2")]
    fn a_row_beyond_the_last_is_a_panic() {
        let _ = Column::fixed(Arc::new(vec![0; 6]), 3).unwrap().get(2);
    }
}
