//! Files that are recognised and not read.

use crate::Error;

const UNPACK: &str = "unpack it, or pack it again with gzip or zstd";
const EXTRACT: &str = "extract the files in it, and name them";
const MADE_FROM: &str = "name the files that it was made from, or query it";

/// What files start with, what they are, and what to do.
const KNOWN: [(&[u8], &str, &str); 9] = [
    (b"BZh", "bzip2 data", UNPACK),
    (b"\xFD7zXZ\0", "xz data", UNPACK),
    (b"\x04\x22\x4D\x18", "lz4 data", UNPACK),
    (b"\x02\x21\x4C\x18", "lz4 data", UNPACK),
    (b"PK\x03\x04", "a zip archive", EXTRACT),
    (b"PK\x05\x06", "a zip archive", EXTRACT),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive", EXTRACT),
    (b"LKTEXTS\n", "an index of Lookalike", MADE_FROM),
    (b"LKALIKE\n", "an index of Lookalike", MADE_FROM),
];

/// The bytes that are looked at.
pub(crate) const HEAD: u64 = 8;

/// Refuses a file that starts with the mark of something that is not documents.
pub(crate) fn refuse(file: &str, head: &[u8]) -> Result<(), Error> {
    let known = KNOWN.iter().find(|(mark, ..)| head.starts_with(mark));
    match known {
        // The digit says how large its blocks are; words may start with these letters.
        Some((b"BZh", ..)) if !matches!(head, [_, _, _, b'1'..=b'9', b'1' | 0x17, ..]) => Ok(()),
        Some((_, what, advice)) => Err(Error::Foreign {
            file: file.to_owned(),
            what,
            advice,
        }),
        None => Ok(()),
    }
}

/// Refuses the decompressed start of an archive of files.
pub(crate) fn refuse_archive(file: &str, head: &[u8]) -> Result<(), Error> {
    match head.get(257..262) == Some(b"ustar") {
        true => Err(Error::Foreign {
            file: file.to_owned(),
            what: "a tar archive",
            advice: EXTRACT,
        }),
        false => Ok(()),
    }
}
