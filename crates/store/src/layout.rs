//! Where everything is in a file.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(crate) const MAGIC: [u8; 8] = *b"LKINDEX\n";
/// How files of version 1 started.
pub(crate) const OLDER: [u8; 8] = *b"LKTEXTS\n";
/// The version of the format that this program reads and writes.
pub const VERSION: u32 = 2;

/// Head, roots and note have a sector each, which disks write as a whole.
pub(crate) const SECTOR: usize = 512;
pub(crate) const HEAD: usize = 0;
pub(crate) const ROOTS: [usize; 2] = [1, 2];
pub(crate) const NOTE: usize = 3;
/// Where the blocks start.
pub(crate) const BLOCKS: u64 = 4 * SECTOR as u64;

/// Bytes of the checksum of a sector, a page or the head of a block.
pub(crate) const CHECKSUM: usize = 8;
/// Bytes of a page without its checksum.
pub(crate) const PAGE: u64 = 1016;
/// Bytes of a page.
pub(crate) const STORED_PAGE: u64 = PAGE + CHECKSUM as u64;
/// Bytes of the head of a block: kind, number, length, checksum.
pub(crate) const BLOCK_HEAD: u64 = 24;

/// A sector with its checksum. `content` fits.
pub(crate) fn sector(number: usize, content: &[u8]) -> [u8; SECTOR] {
    let mut sector = [0; SECTOR];
    sector[..content.len()].copy_from_slice(content);
    let (content, checksum) = sector.split_at_mut(SECTOR - CHECKSUM);
    checksum.copy_from_slice(&xxh3_64_with_seed(content, number as u64).to_le_bytes());
    sector
}

/// The content of a sector, if it is as it was written.
pub(crate) fn content(number: usize, sector: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = sector.split_at(SECTOR - CHECKSUM);
    let is_sound = xxh3_64_with_seed(content, number as u64).to_le_bytes() == checksum;
    (is_sound || cfg!(fuzzing)).then_some(content)
}

/// What a root points to: the last commit, and the end of all that belongs to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Root {
    /// How many commits there were up to this one.
    pub(crate) sequence: u64,
    pub(crate) commit: Place,
    pub(crate) end: u64,
}

impl Root {
    /// The root of a file whose first commit has this number.
    pub(crate) fn before(sequence: u64) -> Self {
        Self {
            sequence: sequence.saturating_sub(1),
            commit: Place::default(),
            end: BLOCKS,
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; 40] {
        let Place { at, length, number } = self.commit;
        let numbers = [self.sequence, at, length, number, self.end];
        let mut bytes = [0; 40];
        for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    /// Reads what `to_bytes` wrote; bytes may follow.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let mut numbers = bytes.as_chunks().0.iter().copied().map(u64::from_le_bytes);
        let mut next = || numbers.next().unwrap_or_default();
        Self {
            sequence: next(),
            commit: Place {
                at: next(),
                length: next(),
                number: next(),
            },
            end: next(),
        }
    }
}

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Part,
    Commit,
}

impl BlockKind {
    fn code(self) -> u32 {
        match self {
            Self::Part => 1,
            Self::Commit => 2,
        }
    }
}

/// Where the bytes of a part are: what a commit has to remember of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 3]", into = "[u64; 3]")]
pub struct Place {
    pub(crate) at: u64,
    pub(crate) length: u64,
    pub(crate) number: u64,
}

impl From<[u64; 3]> for Place {
    fn from([at, length, number]: [u64; 3]) -> Self {
        Self { at, length, number }
    }
}

impl From<Place> for [u64; 3] {
    fn from(place: Place) -> Self {
        [place.at, place.length, place.number]
    }
}

impl Place {
    /// Where the block starts in the file.
    #[must_use]
    pub fn at(self) -> u64 {
        self.at
    }

    /// The bytes of the part.
    #[must_use]
    pub fn length(self) -> u64 {
        self.length
    }

    /// The number of the block: no two blocks of a file have the same.
    #[must_use]
    pub fn number(self) -> u64 {
        self.number
    }

    /// The bytes that the block takes in the file.
    #[must_use]
    pub fn stored(self) -> u64 {
        let pages = self.length.div_ceil(PAGE);
        let checksums = pages.saturating_mul(CHECKSUM as u64);
        BLOCK_HEAD
            .saturating_add(self.length)
            .saturating_add(checksums)
    }

    /// Where the block ends in the file.
    pub(crate) fn end(self) -> u64 {
        self.at.saturating_add(self.stored())
    }

    /// Where a page starts in the file.
    pub(crate) fn page_at(self, page: u64) -> u64 {
        self.at + BLOCK_HEAD + page * STORED_PAGE
    }

    /// The head of the block.
    pub(crate) fn head(self, kind: BlockKind) -> [u8; BLOCK_HEAD as usize] {
        let mut head = [0; BLOCK_HEAD as usize];
        head[..4].copy_from_slice(&kind.code().to_le_bytes());
        head[4..8].copy_from_slice(&(self.number as u32).to_le_bytes());
        head[8..16].copy_from_slice(&self.length.to_le_bytes());
        let checksum = xxh3_64_with_seed(&head[..16], self.at);
        head[16..].copy_from_slice(&checksum.to_le_bytes());
        head
    }

    /// The block at a place whose head this is, if it is the head of a block.
    pub(crate) fn of_head(at: u64, head: &[u8; BLOCK_HEAD as usize]) -> Option<(BlockKind, Self)> {
        let (words, _) = head.as_chunks::<4>();
        let word = |place: usize| u32::from_le_bytes(words[place]);
        let block = Self {
            at,
            length: u64::from(word(2)) | u64::from(word(3)) << 32,
            number: word(1).into(),
        };
        let kinds = [BlockKind::Part, BlockKind::Commit];
        let kind = kinds.into_iter().find(|kind| kind.code() == word(0))?;
        (block.head(kind) == *head || cfg!(fuzzing)).then_some((kind, block))
    }

    /// The checksum of a page.
    pub(crate) fn checksum(self, page: u64, bytes: &[u8]) -> [u8; CHECKSUM] {
        xxh3_64_with_seed(bytes, self.number << 40 ^ page).to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_roots_and_heads_come_back() {
        let root = Root {
            sequence: 3,
            commit: Place::from([1 << 40, 5, 6]),
            end: 7,
        };
        let stored = sector(ROOTS[0], &root.to_bytes());
        assert_eq!(content(ROOTS[0], &stored).map(Root::from_bytes), Some(root));
        assert_eq!(content(ROOTS[1], &stored), None);
        let place = Place::from([1 << 40, 1 << 33, 7]);
        let head = place.head(BlockKind::Commit);
        assert_eq!(
            Place::of_head(1 << 40, &head),
            Some((BlockKind::Commit, place))
        );
        assert_eq!(Place::of_head(1, &head), None);
        for bit in 0..head.len() * 8 {
            let mut flipped = head;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Place::of_head(1 << 40, &flipped), None, "bit {bit}");
        }
        assert_eq!(Place::from([0, 1017, 0]).stored(), 24 + 1017 + 16);
    }
}
