//! What is compressed, and how far it may expand.

use super::{Folder, gzip, scan, stdin, twice, zstd};
use crate::{Codec, Corpus, Error, ErrorKind, Format, Options, Packed};
use proptest::prelude::*;
use std::io::Write;

/// An error of a scan in which any number of bytes but these few must not expand too far.
fn refused(mut corpus: Corpus, free: u64) -> Error {
    corpus.expansion.free = free;
    scan(&corpus).unwrap_err()
}

#[test]
fn what_expands_too_far_is_refused_on_the_way() {
    let lines = b"a line that is like all others\n".repeat(1 << 17);
    let endless = vec![b'a'; 1 << 22];
    for content in [&lines, &endless] {
        for (name, packed) in [("a.txt.gz", gzip(content)), ("a.txt.zst", zstd(content))] {
            let folder = Folder::new(&[(name, &packed)]);
            let open = |most: u64, format| {
                let options = Options {
                    limits: super::limits(most),
                    format: Some(format),
                    ..twice()
                };
                folder.open(name, options).unwrap()
            };
            for format in [Format::Lines, Format::Files] {
                let e = refused(open(20, format), 1 << 20);
                let Error::Expansion {
                    unpacked,
                    packed,
                    most: 20,
                    ..
                } = e
                else {
                    panic!("{e}")
                };
                // A little after the limit, and long before the end.
                assert!(unpacked > 1 << 20 && unpacked < 3 << 20, "{e}");
                assert_eq!(
                    folder.message(&e),
                    format!(
                        "{name}: {packed} bytes unpack to {unpacked} bytes or more, over 20 times \
                         as many: unpack it first, or allow more with `max_expansion`"
                    )
                );
                assert_eq!(e.kind(), ErrorKind::Content);
                assert!(scan(&open(1 << 20, format)).is_ok());
                assert!(scan(&open(20, format)).is_ok(), "so few bytes are free");
            }
        }
    }
}

#[test]
fn a_pipe_is_held_to_it_as_well() {
    let corpus = stdin(&zstd(&vec![b'\n'; 1 << 22]), twice()).unwrap();
    let e = refused(corpus, 1 << 20);
    assert!(matches!(e, Error::Expansion { .. }), "{e}");
}

#[test]
fn what_is_not_compressed_expands_as_far_as_it_is() {
    let options = Options {
        limits: super::limits(1),
        ..twice()
    };
    let mut corpus = stdin(&vec![b'\n'; 1 << 20], options).unwrap();
    corpus.expansion.free = 0;
    assert_eq!(scan(&corpus).unwrap(), []);
    // From what is kept for a second pass too.
    assert_eq!(scan(&corpus).unwrap(), []);
}

#[test]
fn nothing_expands_to_less_than_itself() {
    let options = Options {
        limits: super::limits(0),
        ..Options::default()
    };
    let e = stdin(b"", options).unwrap_err();
    assert_eq!(e.to_string(), "max_expansion is `0`, but must be 1 or more");
    assert_eq!(e.kind(), ErrorKind::Request);
}

proptest! {
    #[test]
    fn what_is_packed_is_the_same_again(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..99), 0..9),
    ) {
        let content = parts.concat();
        for codec in [None, Some(Codec::Gzip), Some(Codec::Zstd)] {
            let pack = |parts: &[Vec<u8>]| {
                let mut packed = Packed::new(Vec::new(), codec).unwrap();
                parts.iter().for_each(|part| packed.write_all(part).unwrap());
                packed.finish().unwrap()
            };
            let packed = pack(&parts);
            prop_assert_eq!(&packed, &pack(&parts));
            let unpacked = match codec {
                None => packed,
                Some(Codec::Gzip) => {
                    let mut out = Vec::new();
                    let mut decoder = flate2::read::GzDecoder::new(&packed[..]);
                    std::io::Read::read_to_end(&mut decoder, &mut out).unwrap();
                    out
                }
                Some(Codec::Zstd) => zstd::decode_all(&packed[..]).unwrap(),
            };
            prop_assert_eq!(&unpacked, &content);
        }
    }
}

#[test]
fn a_file_is_copied_as_it_is() {
    let content = gzip(b"one\ntwo\n");
    let folder = Folder::new(&[("a.txt.gz", &content)]);
    let mut corpus = folder.open("a.txt.gz", twice()).unwrap();
    corpus.sizes.block = 7;
    assert_eq!(corpus.files()[0].codec(), Some(Codec::Gzip));
    let mut out = Vec::new();
    corpus.copy(0, &mut out).unwrap();
    assert_eq!(out, content);
    folder.write("a.txt.gz", b"");
    let e = corpus.copy(0, &mut out).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Changed);
    let e = stdin(&content, twice())
        .unwrap()
        .copy(0, &mut out)
        .unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Request);
}
