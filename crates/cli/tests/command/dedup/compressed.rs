//! The plainest gzip and zstd: containers around bytes that are stored as they are.

/// gzip, RFC 1952, of blocks that are not compressed.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut blocks = bytes.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        let len = block.len() as u16;
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(len.to_le_bytes());
        out.extend((!len).to_le_bytes());
        out.extend(block);
    }
    if bytes.is_empty() {
        out.extend([1, 0, 0, 0xFF, 0xFF]);
    }
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    let byte = |crc: u32, &byte: &u8| (0..8).fold(crc ^ u32::from(byte), step);
    !bytes.iter().fold(!0, byte)
}

/// zstd, RFC 8878: one frame of raw blocks, without a checksum.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    // Descriptor: no content size, no single segment; then a window of 1 MiB.
    let mut out = vec![0x28, 0xB5, 0x2F, 0xFD, 0, 10 << 3];
    let mut blocks = bytes.chunks(1 << 17).peekable();
    if bytes.is_empty() {
        out.extend([1, 0, 0]);
    }
    while let Some(block) = blocks.next() {
        let header = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        out.extend(&header.to_le_bytes()[..3]);
        out.extend(block);
    }
    out
}
