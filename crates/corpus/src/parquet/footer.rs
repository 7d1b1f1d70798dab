//! The end of a file, looked at before the parquet crate reads it.

use super::table::Source;
use super::thrift::{Fault, Kind, Values};
use crate::Error;

/// The bytes at both ends of a file, and those of one whose footer is encrypted.
const MAGIC: &[u8] = b"PAR1";
const ENCRYPTED: &[u8] = b"PARE";

/// Groups within groups of a schema.
const DEEPEST: usize = 64;

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
    let mut schema = Vec::new();
    let mut encrypted = false;
    let walked = Values::new(footer).fields(|values, number, kind| match (number, kind) {
        (2, Kind::List) => {
            let (len, _) = values.list()?;
            for _ in 0..len {
                let mut children = 0;
                values.fields(|values, number, kind| match (number, kind) {
                    (5, Kind::Integer) => {
                        children = values.small()? as usize;
                        Ok(true)
                    }
                    _ => Ok(false),
                })?;
                schema.push(children);
            }
            Ok(true)
        }
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
        Ok(()) if !is_tree(&schema) => Err("its schema is damaged"),
        Ok(()) => Ok(()),
    }
}

/// Whether these numbers of children, each node before its children, are those of one tree
/// that is not too deep.
fn is_tree(children: &[usize]) -> bool {
    // Children that are still to come, at each level.
    let mut open = vec![1];
    for (place, &below) in children.iter().enumerate() {
        while open.last() == Some(&0) {
            open.pop();
        }
        match open.last_mut() {
            Some(left) => *left -= 1,
            None => return false,
        }
        if below > children.len() - place - 1 || open.len() > DEEPEST {
            return false;
        }
        open.push(below);
    }
    open.iter().all(|&left| left == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_one_tree() {
        assert!(is_tree(&[0]));
        assert!(is_tree(&[2, 0, 0]));
        assert!(is_tree(&[2, 1, 0, 3, 0, 0, 0]));
        assert!(!is_tree(&[]));
        assert!(!is_tree(&[2, 0]));
        assert!(!is_tree(&[1, 0, 0]));
        assert!(!is_tree(&[i32::MAX as usize, 0, 0]));
        let chain = |len: usize| [vec![1; len], vec![0]].concat();
        assert!(is_tree(&chain(DEEPEST - 1)));
        assert!(!is_tree(&chain(DEEPEST + 1)));
    }
}
