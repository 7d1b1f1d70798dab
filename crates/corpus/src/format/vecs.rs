//! Vectors as the texmex data sets have them: each row is its dimension, an integer of 32 bits, and then its numbers.
//!
//! Rows could differ in their dimensions. Such files are refused, because no kind can use them, and because rows of one
//! length are found without reading those before.

use super::Facts;
use super::rows::{self, Array, COUNT, Extent, RowFormat, Rows};
use crate::item::{Item, Number};
use crate::json::Fields;
use crate::{Error, File};

/// Rows of one type of number, each after its dimension.
#[derive(Debug)]
pub(super) struct Vecs {
    name: &'static str,
    extensions: &'static [&'static str],
    number: Number,
}

pub(super) static FVECS: Rows<Vecs> = Rows(Vecs {
    name: "fvecs",
    extensions: &["fvecs"],
    number: Number::F32,
});

pub(super) static BVECS: Rows<Vecs> = Rows(Vecs {
    name: "bvecs",
    extensions: &["bvecs"],
    number: Number::U8,
});

pub(super) static IVECS: Rows<Vecs> = Rows(Vecs {
    name: "ivecs",
    extensions: &["ivecs"],
    number: Number::I32,
});

/// The largest dimension. A larger number says that a file has another format, and not that its rows are long.
const MOST: i32 = 1_000_000;

impl RowFormat for Vecs {
    fn facts(&self) -> Facts {
        Facts {
            has_any_bytes: true,
            ..rows::facts(self.name, self.extensions)
        }
    }

    /// The dimension of the first row is that of all rows. A file without bytes has no rows.
    fn array(
        &self,
        file: &File,
        bytes: &[u8],
        is_whole: bool,
        _fields: &Fields,
    ) -> Result<Option<Array>, Error> {
        let refused = |reason| {
            let file = file.name().to_owned();
            Err(Error::Rows { file, reason })
        };
        let Some(&dimension) = bytes.first_chunk::<COUNT>() else {
            return match is_whole && !bytes.is_empty() {
                true => refused("truncated: it ends within the dimension of row 0".to_owned()),
                false => Ok(None),
            };
        };
        let dimension = i32::from_le_bytes(dimension);
        if !(1..=MOST).contains(&dimension) {
            return refused(format!(
                "row 0 has dimension {dimension}, but dimensions are 1 to {MOST}; the file is damaged or not in the format \
                 `{}`",
                self.name
            ));
        }
        Ok(Some(Array {
            start: 0,
            extent: Extent::Counted,
            item: Item::little(self.number),
            columns: dimension.unsigned_abs().into(),
        }))
    }
}
