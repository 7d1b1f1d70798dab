//! Lengths of strings as differences, counted before the parquet crate decodes them.
//!
//! The crate reserves room for as many lengths as are stated where they start, whatever the
//! page states. Where those of prefixes end, those of suffixes start, so blocks are walked.

use super::thrift::{Fault, Values};
use parquet::basic::Encoding;

/// Whether pages of this encoding start with lengths.
pub(super) fn has_lengths(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
    )
}

/// The most lengths that the values of a page claim to have.
pub(super) fn lengths(encoding: Encoding, values: &[u8]) -> Result<u64, Fault> {
    let mut values = Values::new(values);
    let first = walk(&mut values)?;
    match encoding {
        Encoding::DELTA_BYTE_ARRAY => Ok(first.max(walk(&mut values)?)),
        _ => Ok(first),
    }
}

/// Goes through integers that are packed as differences: how many there are.
fn walk(values: &mut Values<'_>) -> Result<u64, Fault> {
    let (block, parts) = (values.unsigned()?, values.unsigned()?);
    let count = values.unsigned()?;
    values.unsigned()?;
    if parts == 0 || block == 0 || !block.is_multiple_of(parts) {
        return Err(Fault::Malformed);
    }
    let part = block / parts;
    // The first one stands before the blocks.
    let mut left = count.saturating_sub(1);
    while left > 0 {
        values.unsigned()?;
        let parts = usize::try_from(parts).map_err(|_| Fault::Short)?;
        let widths = values.take(parts)?;
        for &width in widths {
            // What comes after the last one has widths, and no bits.
            if left == 0 {
                break;
            }
            let bits = part.checked_mul(width.into()).ok_or(Fault::Short)?;
            let bytes = usize::try_from(bits / 8).map_err(|_| Fault::Short)?;
            values.take(bytes)?;
            left = left.saturating_sub(part);
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 in 4 parts: so many numbers, with parts of 2 bits.
    fn packed(count: u8) -> Vec<u8> {
        let mut out = vec![0x80, 0x01, 4, count, 0];
        let mut left = usize::from(count).saturating_sub(1);
        while left > 0 {
            out.extend([0, 2, 2, 2, 2]);
            for _ in 0..4 {
                out.extend(vec![0; if left > 0 { 8 } else { 0 }]);
                left = left.saturating_sub(32);
            }
        }
        out
    }

    #[test]
    fn both_lists_of_lengths_are_counted() {
        for (prefixes, suffixes) in [(0, 1), (1, 0), (2, 33), (33, 32), (127, 34)] {
            let bytes = [packed(prefixes), packed(suffixes), b"text".to_vec()].concat();
            let of = |encoding| lengths(encoding, &bytes);
            let most = prefixes.max(suffixes);
            assert_eq!(of(Encoding::DELTA_BYTE_ARRAY), Ok(most.into()));
            assert_eq!(of(Encoding::DELTA_LENGTH_BYTE_ARRAY), Ok(prefixes.into()));
        }
    }

    #[test]
    fn lengths_that_are_not_there_are_missed() {
        let bytes = packed(99);
        for len in 0..bytes.len() {
            let found = lengths(Encoding::DELTA_LENGTH_BYTE_ARRAY, &bytes[..len]);
            assert_eq!(found, Err(Fault::Short), "{len}");
        }
        for header in [[0, 4, 9, 0], [127, 4, 9, 0], [64, 0, 9, 0]] {
            let found = lengths(Encoding::DELTA_LENGTH_BYTE_ARRAY, &header);
            assert_eq!(found, Err(Fault::Malformed), "{header:?}");
        }
    }
}
