//! Verification: exact, by signature, by anything.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lookalike_core::{LshFunctions, Metric};
use lookalike_engine::{BySignature, Exact, Pair, Signatures, Verify};

/// The distance on a line; counts how often an item is prepared.
#[derive(Default)]
struct Line(AtomicUsize);

impl Metric for Line {
    type Item = f64;
    type Prepared = f64;

    fn prepare(&self, item: &f64) -> f64 {
        self.0.fetch_add(1, Relaxed);
        *item
    }

    fn distance(&self, a: &f64, b: &f64) -> f64 {
        (a - b).abs()
    }
}

#[test]
fn exact_prepares_candidates_only_and_once() {
    let line = Line::default();
    let exact = Exact::new(&line, &[1.0, 5.0, 2.0, 9.0], 1.0);
    for _ in 0..3 {
        assert_eq!(exact.verify(Pair::ordered(0, 2)), Some(1.0));
        assert_eq!(exact.verify(Pair::ordered(0, 1)), None);
    }
    assert_eq!(line.0.load(Relaxed), 3);
}

/// Functions that copy the item: a digit is a bucket, anything else is none.
struct Digits;

impl LshFunctions for Digits {
    type Item = str;
    type Key = Option<u8>;
    type Scratch = ();

    fn len(&self) -> usize {
        4
    }

    fn hash_into(&self, item: &str, _: &mut (), keys: &mut [Option<u8>]) {
        for (key, byte) in keys.iter_mut().zip(item.bytes()) {
            *key = byte.is_ascii_digit().then_some(byte);
        }
    }
}

#[test]
fn signatures_agree_where_both_have_the_same_bucket() {
    let signatures = Signatures::build(&Digits, &["1234", "1239", "12--", "----"]);
    assert_eq!(signatures.row(1), [b'1', b'2', b'3', b'9'].map(Some));
    assert_eq!(signatures.agreement(0, 1), 0.75);
    assert_eq!(signatures.agreement(0, 2), 0.5);
    // No bucket agrees with nothing, not even with another no bucket.
    assert_eq!(signatures.agreement(2, 3), 0.0);
    let verify = BySignature::new(&signatures, 0.25);
    assert_eq!(verify.verify(Pair::ordered(0, 1)), Some(0.25));
    assert_eq!(verify.verify(Pair::ordered(0, 2)), None);
}
