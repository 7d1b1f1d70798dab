//! Any bytes as rows after their dimensions: every row goes to one output, each of which is a file of rows again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::rows;

const SUFFIXES: [&str; 3] = [".fvecs", ".bvecs", ".ivecs"];

fuzz_target!(|data: &[u8]| {
    let [first, data @ ..] = data else { return };
    let (kind, form) = (usize::from(first % 3), first / 3);
    let suffix = SUFFIXES[kind];
    if form % 4 == 0 {
        return rows(data, suffix);
    }
    // Rows of one dimension, so that they are read; what is left over is a row that the file cuts off, or one of another
    // dimension.
    let dimension = usize::from(form % 8) + 1;
    let each = dimension * [4, 1, 4][kind];
    let mut content = Vec::new();
    for row in data.chunks_exact(each) {
        content.extend((dimension as i32).to_le_bytes());
        content.extend(row);
    }
    if form >= 64 {
        content.extend(data.chunks_exact(each).remainder());
    }
    rows(&content, suffix);
});
