//! Finger minutiae records: ISO/IEC 19794-2:2005 and ANSI INCITS 378-2004, two standards with one way to begin.
//!
//! All numbers are big-endian. The header, in bytes:
//!
//! | | ISO | ANSI |
//! |---|---|---|
//! | `FMR\0`, then the version ` 20\0` | 8 | 8 |
//! | length of the whole record | 4 | 2, or 2 that are zero and 4 |
//! | who made the software, and which | – | 4 |
//! | scanner | 2 | 2 |
//! | width and height of the image, in pixels | 4 | 4 |
//! | resolution across and upwards, in pixels a centimetre | 4 | 4 |
//! | number of views, a reserved byte | 2 | 2 |
//!
//! Each view has 4 bytes: the finger (0: unknown), 4 bits for its number and 4 for the kind of impression, its quality,
//! the number of minutiae; then 6 bytes a minutia: 2 bits what it is and 14 bits x, 2 reserved bits and 14 bits y, the
//! direction (ISO: 360°/256, ANSI: 2°) and the quality (0: not judged); then 2 bytes with the length of extended data,
//! and these.
//!
//! Pixels are counted from the top left: y here is height − 1 − y there. Scanner, software, reserved bits and extended
//! data are read over, and written as zero or not at all. Qualities of 254 and 255, which later editions have for
//! "not judged" and "failed", are read as none. 98, 197 and 394 pixels a centimetre are how these records say 250, 500
//! and 1000 dots an inch, and are read so.
//!
//! # ISO or ANSI
//!
//! Both start with the same 8 bytes. Which it is shows in the record's length: the number in ISO's field, or in one of
//! ANSI's two, must be the number of bytes that there are. At most one of the three can be, whatever the bytes, because
//! the fields lie one over the other: ISO's upper half is ANSI's short field, its lower half the upper half of ANSI's
//! long one, so that two equal numbers, none zero, would need 65 536 times the bytes. A record whose length is wrong is
//! refused in any case. Rejected: to try both and see which can be read, as a short record can be readable as both.

mod cursor;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::parse;
pub use write::write;

use self::cursor::{Cursor, Part};
use super::Format;
use crate::Error;

const MAGIC: &[u8] = b"FMR\0";
const VERSION: &[u8] = b" 20\0";
/// Centimetres.
const INCH: f32 = 2.54;
/// Places have 14 bits.
const MOST_PIXELS: u16 = 1 << 14;

/// ISO or ANSI, by the length; nothing where no such record starts.
pub(super) fn detect(bytes: &[u8]) -> Result<Option<Format>, Error> {
    if bytes.starts_with(b"FIR\0") {
        let what = "an image of a finger (FIR), not its minutiae: extract these first";
        return Err(Error::Format(what.into()));
    }
    if !bytes.starts_with(MAGIC) {
        return Ok(None);
    }
    let mut cursor = Cursor {
        bytes,
        at: MAGIC.len(),
        part: Part::Header,
    };
    let version = cursor.take::<4>()?;
    if version != VERSION {
        let version = String::from_utf8_lossy(&version[..3]);
        return Err(cursor.wrong(
            MAGIC.len(),
            format!(
                "version {version:?} of finger minutiae records is not known: ISO/IEC 19794-2:2005 and \
                 ANSI INCITS 378-2004 have \" 20\"; convert it to one of these"
            ),
        ));
    }
    let start = cursor.at;
    let length = Some(bytes.len());
    let short = usize::from(cursor.u16()?);
    cursor.at = start;
    let iso = cursor.u32()?;
    cursor.at = start + 2;
    let long = cursor.u32().ok().filter(|_| short == 0);
    Ok(Some(if Some(iso) == length {
        Format::Iso
    } else if Some(short) == length || long == length {
        Format::Ansi
    } else {
        // The length is wrong: what it would be in a record of common size decides which reading is complained of.
        return Err(if short == 0 {
            lying(start, iso, bytes.len())
        } else {
            lying(start, short, bytes.len())
        });
    }))
}

fn lying(at: usize, claimed: usize, length: usize) -> Error {
    let remedy = if claimed > length {
        "it was cut, or is no such record"
    } else {
        "something follows it, or its length is wrong"
    };
    let what =
        format!("the record says that it has {claimed} bytes, but there are {length}: {remedy}");
    Error::Record { at, what }
}
