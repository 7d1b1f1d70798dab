//! The end of a file, looked at before the parquet crate reads it.

use super::schema;
use super::table::Source;
use super::thrift::{Fault, Kind, Values};
use crate::Error;

/// The bytes at both ends of a file, and those of one whose footer is encrypted.
const MAGIC: &[u8] = b"PAR1";
const ENCRYPTED: &[u8] = b"PARE";

const ENCRYPTION: &str = "it is encrypted; decrypt it first";

/// The bytes between the data and the end, which say where everything is.
pub(super) fn read(source: &Source) -> Result<Vec<u8>, Error> {
    const TAIL: u64 = 8;
    let shortest = MAGIC.len() as u64 + TAIL;
    if source.len < shortest {
        let len = source.len;
        return Err(source.refuse(format!("{len} bytes are too few for a Parquet file")));
    }
    let head = source.bytes(0, MAGIC.len())?;
    let tail = source.bytes(source.len - TAIL, TAIL as usize)?;
    let (len, magic) = tail.split_at(4);
    if magic == ENCRYPTED {
        return Err(source.refuse(ENCRYPTION));
    }
    if head != MAGIC {
        return Err(source.refuse("it does not start with `PAR1`"));
    }
    if magic != MAGIC {
        return Err(
            source.refuse("it does not end with `PAR1`, and so is truncated or not Parquet")
        );
    }
    let len = u32::from_le_bytes([len[0], len[1], len[2], len[3]]);
    match (source.len - shortest).checked_sub(u64::from(len)) {
        Some(before) => {
            let footer = source.bytes(MAGIC.len() as u64 + before, len as usize)?;
            inspect(&footer).map_err(|why| source.refuse(why))?;
            Ok(footer)
        }
        None => Err(source.refuse(format!("a footer of {len} bytes is longer than the file"))),
    }
}

/// Refuses a footer that would make the crate reserve or recurse without measure.
fn inspect(footer: &[u8]) -> Result<(), &'static str> {
    let mut is_tree = None;
    let mut encrypted = false;
    let walked = Values::new(footer).fields(|values, number, kind| match (number, kind) {
        (1, Kind::Integer) => Ok(false),
        (2, Kind::List) if is_tree.is_none() => {
            is_tree = Some(schema::is_tree(&schema::children(values)?));
            Ok(true)
        }
        // Only the version comes before the schema. The crate does not look at kinds: what
        // it read differently before the schema could make it another one.
        _ if number < 2 || is_tree.is_none() => Err(Fault::Malformed),
        (8, _) => {
            encrypted = true;
            Ok(false)
        }
        _ => Ok(false),
    });
    match walked {
        Err(Fault::Short) => Err("its footer is cut off"),
        Err(Fault::Malformed) => Err("its footer is damaged"),
        Ok(()) if encrypted => Err(ENCRYPTION),
        Ok(()) if is_tree != Some(true) => Err("its schema is damaged"),
        Ok(()) => Ok(()),
    }
}
