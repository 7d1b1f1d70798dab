/// A text: where it is, and which documents have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// From the first of all texts on.
    pub(crate) at: u64,
    /// Bytes in the file.
    pub(crate) stored: u32,
    /// Bytes of the text.
    pub(crate) length: u32,
    /// A hash of the text.
    pub(crate) digest: u128,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    /// Whether it has a shingle, and hence keys.
    pub(crate) has_keys: bool,
}

impl Item {
    pub(crate) const BYTES: usize = 44;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.at.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.stored.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.length.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.digest.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.first_document.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.documents.to_le_bytes());
        bytes[40..].copy_from_slice(&u32::from(self.has_keys).to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self {
            at: u64::from_le_bytes(part(bytes, 0)),
            stored: u32::from_le_bytes(part(bytes, 8)),
            length: u32::from_le_bytes(part(bytes, 12)),
            digest: u128::from_le_bytes(part(bytes, 16)),
            first_document: u32::from_le_bytes(part(bytes, 32)),
            documents: u32::from_le_bytes(part(bytes, 36)),
            has_keys: u32::from_le_bytes(part(bytes, 40)) != 0,
        }
    }
}

/// A document: its id and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    /// From the first of all ids on.
    pub(crate) id_at: u64,
    pub(crate) id_length: u32,
    pub(crate) item: u32,
    /// A hash of the id as JSON.
    pub(crate) id_hash: u64,
}

impl Document {
    pub(crate) const BYTES: usize = 24;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.id_at.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.id_length.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.item.to_le_bytes());
        bytes[16..].copy_from_slice(&self.id_hash.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self {
            id_at: u64::from_le_bytes(part(bytes, 0)),
            id_length: u32::from_le_bytes(part(bytes, 8)),
            item: u32::from_le_bytes(part(bytes, 12)),
            id_hash: u64::from_le_bytes(part(bytes, 16)),
        }
    }
}

fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("N bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let item = Item {
            at: 1 << 40,
            stored: 2,
            length: 3,
            digest: 4 << 100,
            first_document: 5,
            documents: 6,
            has_keys: true,
        };
        assert_eq!(Item::from_bytes(&item.to_bytes()), item);
        let document = Document {
            id_at: 1 << 40,
            id_length: 2,
            item: 3,
            id_hash: 4 << 40,
        };
        assert_eq!(Document::from_bytes(&document.to_bytes()), document);
    }
}
