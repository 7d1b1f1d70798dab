//! The codecs of pages, each held to the size that the page states.
//!
//! The parquet crate has them too, but reads gzip and brotli to their ends, wherever those
//! are.

use parquet::basic::Compression;
use std::io::Read;

/// Decompresses what must be so many bytes, and appends it.
pub(super) fn unpack(
    codec: Compression,
    packed: &[u8],
    len: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    // Where there is nothing, writers have different ways to say so, or none.
    if len == 0 {
        return Ok(());
    }
    let start = out.len();
    match codec {
        Compression::UNCOMPRESSED => out.extend_from_slice(packed),
        Compression::SNAPPY => {
            let stated = snap::raw::decompress_len(packed).map_err(said)?;
            same(stated, len)?;
            out.resize(start + len, 0);
            let mut decoder = snap::raw::Decoder::new();
            decoder
                .decompress(packed, &mut out[start..])
                .map_err(said)?;
        }
        Compression::GZIP(_) => {
            read(flate2::read::MultiGzDecoder::new(packed), len, out)?;
        }
        Compression::ZSTD(_) => {
            let decoder = zstd::stream::read::Decoder::with_buffer(packed).map_err(said)?;
            read(decoder, len, out)?;
        }
        Compression::BROTLI(_) => {
            read(brotli::Decompressor::new(packed, 1 << 12), len, out)?;
        }
        Compression::LZ4_RAW => lz4(packed, len, out)?,
        Compression::LZ4 => old_lz4(packed, len, out)?,
        Compression::LZO => return Err("LZO is not supported; write it with another codec".into()),
    }
    same(out.len() - start, len)
}

fn same(found: usize, stated: usize) -> Result<(), String> {
    match found == stated {
        true => Ok(()),
        false => Err(format!("{found} bytes where {stated} were stated")),
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Reads one byte more than there should be, and no further.
fn read(decoder: impl Read, len: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let mut most = decoder.take(len as u64 + 1);
    most.read_to_end(out).map(|_| ()).map_err(said)
}

fn lz4(packed: &[u8], len: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let start = out.len();
    out.resize(start + len, 0);
    let found = lz4_flex::block::decompress_into(packed, &mut out[start..]).map_err(said)?;
    same(found, len)
}

/// The codec that was only called LZ4: blocks with their sizes before them, as Hadoop has
/// it; or what other writers took it for, a frame or a bare block.
fn old_lz4(packed: &[u8], len: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let start = out.len();
    if hadoop(packed, len, out).is_some() {
        return Ok(());
    }
    out.truncate(start);
    let frame = read(lz4_flex::frame::FrameDecoder::new(packed), len, out);
    if frame.is_ok() && out.len() - start == len {
        return Ok(());
    }
    out.truncate(start);
    lz4(packed, len, out)
}

fn hadoop(mut packed: &[u8], len: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut left = len;
    while left > 0 {
        let (unpacked, rest) = packed.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let unpacked = u32::from_be_bytes(*unpacked) as usize;
        let (block, rest) = rest.split_at_checked(u32::from_be_bytes(*size) as usize)?;
        left = left.checked_sub(unpacked).filter(|_| unpacked > 0)?;
        lz4(block, unpacked, out).ok()?;
        packed = rest;
    }
    packed.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(content: &[u8]) -> Vec<(Compression, Vec<u8>)> {
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20)
            .write_all(content)
            .unwrap();
        let block = lz4_flex::block::compress(content);
        let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
        frame.write_all(content).unwrap();
        let sizes = [content.len() as u32, block.len() as u32];
        let sizes: Vec<u8> = sizes.iter().flat_map(|n| n.to_be_bytes()).collect();
        let two = [&sizes[..], &block, &sizes, &block].concat();
        let snappy = snap::raw::Encoder::new().compress_vec(content).unwrap();
        vec![
            (Compression::UNCOMPRESSED, content.to_vec()),
            (Compression::SNAPPY, snappy),
            (
                Compression::GZIP(Default::default()),
                crate::tests::gzip(content),
            ),
            (
                Compression::ZSTD(Default::default()),
                crate::tests::zstd(content),
            ),
            (Compression::BROTLI(Default::default()), brotli),
            (Compression::LZ4_RAW, block.clone()),
            (Compression::LZ4, block),
            (Compression::LZ4, frame.finish().unwrap()),
            (Compression::LZ4, two),
        ]
    }

    #[test]
    fn every_codec_gives_what_was_packed() {
        let content = b"one two three ".repeat(1000);
        for (place, (codec, packed)) in all(&content).into_iter().enumerate() {
            let mut out = b"before".to_vec();
            let len = if place == 8 {
                2 * content.len()
            } else {
                content.len()
            };
            assert_eq!(
                unpack(codec, &packed, len, &mut out),
                Ok(()),
                "{codec} {place}"
            );
            assert_eq!(out[..6], *b"before");
            assert!(out[6..].chunks(content.len()).all(|part| part == content));
        }
    }

    #[test]
    fn a_size_that_is_not_true_is_an_error() {
        let content = b"one two three ".repeat(100_000);
        for (codec, packed) in all(&content) {
            for len in [1, content.len() - 1, content.len() + 1, 3 * content.len()] {
                let mut out = Vec::new();
                assert!(
                    unpack(codec, &packed, len, &mut out).is_err(),
                    "{codec} {len}"
                );
                let plain = codec == Compression::UNCOMPRESSED;
                assert!(out.len() <= len + 1 || plain, "{codec}: {}", out.len());
            }
            let mut out = Vec::new();
            let third = &packed[..packed.len() / 3];
            assert!(
                unpack(codec, third, content.len(), &mut out).is_err(),
                "{codec}"
            );
        }
        assert!(unpack(Compression::LZO, b"", 1, &mut Vec::new()).is_err());
    }
}
