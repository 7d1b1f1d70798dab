//! Any bytes as a file of minutiae: what can be read can be written, and is read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fingerprint::{
    DPI,
    format::{Format, detect, fmr, parse, xyt},
};

fuzz_target!(|data: &[u8]| {
    check(data);
    // A record whose length is wrong is refused before the rest is looked at.
    if data.len() >= 14 && data.starts_with(b"FMR") {
        let length = (data.len() as u32).to_be_bytes();
        for (field, length) in [
            (8..12, &length[..]),
            (8..10, &length[2..]),
            (10..14, &length),
        ] {
            let mut record = data.to_vec();
            if field.start == 10 {
                record[8..10].fill(0);
            }
            record[field].copy_from_slice(length);
            check(&record);
        }
    }
});

fn check(bytes: &[u8]) {
    let Ok(views) = parse(bytes, DPI) else {
        return;
    };
    assert!(!views.is_empty());
    match detect(bytes).unwrap() {
        Format::Xyt => {
            let text = xyt::write(&views[0].template);
            let again = xyt::parse(text.as_bytes(), DPI).unwrap();
            assert_eq!(again.minutiae().len(), views[0].template.minutiae().len());
            assert_eq!(xyt::write(&again), text);
        }
        format => {
            let record = fmr::write(&views).unwrap();
            let again = parse(&record, DPI).unwrap();
            assert_eq!(fmr::write(&again).unwrap(), record);
            if format == Format::Iso {
                assert_eq!(again, views);
            }
        }
    }
}
