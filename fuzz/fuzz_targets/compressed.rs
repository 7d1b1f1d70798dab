//! Any bytes as compressed data: refused, or read as the same bytes plain.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{ErrorKind, Fate, OnError};
use lookalike_fuzz::scan;
use std::io::Write;

fuzz_target!(|data: &[u8]| {
    let Some((&first, data)) = data.split_first() else {
        return;
    };
    // A few bytes may stand for many.
    if data.len() > 512 {
        return;
    }
    let content = match first % 6 {
        0 => [&[0x1F, 0x8B, 0x08], data].concat(),
        1 => [&[0x28, 0xB5, 0x2F, 0xFD], data].concat(),
        2 => data.to_vec(),
        3 => gzip(data),
        4 => zstd::encode_all(data, 1).unwrap(),
        _ => [gzip(b"one\n"), data.to_vec()].concat(),
    };
    match scan(&content, ".txt", OnError::Skip) {
        Ok(scanned) => {
            scanned.read_again();
            let out = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
            if matches!(first % 6, 3 | 4) {
                assert_eq!(out.iter().map(Vec::len).sum::<usize>(), data.len());
                let plain = scan(data, ".txt", OnError::Skip);
                // The plain bytes may look compressed themselves.
                if let Ok(plain) = plain.as_ref()
                    && plain.split(|_| Fate::Keep)[0].len() == data.len()
                {
                    assert_eq!(plain.documents, scanned.documents);
                }
            }
        }
        Err(e) => {
            assert_eq!(e.kind(), ErrorKind::Content, "{e}");
            assert!(!matches!(first % 6, 3 | 4), "{e}");
        }
    }
});

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}
