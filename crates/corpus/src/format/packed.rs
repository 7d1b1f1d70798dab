use super::Facts;
use super::rows::{self, Array, Extent, RowFormat};
use crate::item::Item;
use crate::json::Fields;
use crate::{Error, File};

/// Records of a fixed number of bytes, one after the other until the file ends.
#[derive(Debug)]
pub(super) struct Packed;

impl RowFormat for Packed {
    fn facts(&self) -> Facts {
        Facts {
            stdin_extension: "bin",
            has_any_bytes: true,
            ..rows::facts("packed", &["bin"])
        }
    }

    fn array(
        &self,
        file: &File,
        _bytes: &[u8],
        _is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<Array>, Error> {
        let Some(bytes) = fields.record_bytes else {
            let file = file.name().to_owned();
            return Err(Error::NoRecordBytes { file });
        };
        Ok(Some(Array {
            start: 0,
            extent: Extent::Open,
            item: Item::BYTE,
            columns: bytes.into(),
        }))
    }
}
