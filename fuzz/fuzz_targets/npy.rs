//! Any bytes as a NumPy array: every row goes to one output, each of which is an array again with the same values.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::rows;

/// Types that can be read, and some that cannot.
const TYPES: [&str; 16] = [
    "|u1", "<u2", "<u4", "<u8", "<i2", "<i4", "<i8", "<f4", "<f8", "<f2", ">u2", "|b1", "|i1",
    ">i4", ">f2", ">f8",
];

fuzz_target!(|data: &[u8]| {
    match data {
        // A head that is right, so that rows are read.
        [0..=127, kind, rows, columns, data @ ..] => {
            let kind = TYPES[usize::from(*kind) % TYPES.len()];
            let head = format!(
                "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}\n"
            );
            let length = (head.len() as u16).to_le_bytes();
            array(&[b"\x93NUMPY\x01\x00", &length[..], head.as_bytes(), data].concat());
        }
        [_, data @ ..] => array(&[b"\x93NUMPY", data].concat()),
        [] => array(data),
    }
});

fn array(content: &[u8]) {
    rows(content, ".npy");
}
