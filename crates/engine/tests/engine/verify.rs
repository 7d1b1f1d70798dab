//! Verification: exact, by signature, by anything.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lookalike_core::{LshFunctions, Metric};
use lookalike_engine::{Brute, BucketIndex, BySignature, Exact, Pair, Signatures, Verify};

use crate::given::{Item, WIDE};

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
    let exact = Exact::new(&line, &[1.0, 5.0, 2.0, 9.0]);
    let within = exact.within(1.0);
    for _ in 0..3 {
        assert_eq!(within.verify(Pair::ordered(0, 2)), Some(1.0));
        assert_eq!(within.verify(Pair::ordered(0, 1)), None);
    }
    assert_eq!(line.0.load(Relaxed), 3);
}

/// A query that meets an item in several bands compares it once, and prepares it once however many queries meet it.
#[test]
fn exact_prepares_an_item_once_for_all_queries() {
    let items: Vec<Item> = (0..40)
        .map(|i| vec![(0, i % 4, 0), (1, i % 4, 0)])
        .collect();
    let index = BucketIndex::build(WIDE, &items).unwrap();
    let metric = FirstKey::default();
    let exact = Exact::new(&metric, &items);
    let mut query = index.query();
    for asked in &items {
        assert_eq!(query.near(asked, &exact, 0.0).unwrap().len(), 10);
    }
    // Each item once, and each query once.
    assert_eq!(metric.prepared.load(Relaxed), 80);
    assert_eq!(metric.compared.load(Relaxed), 40 * 10);
    // Pairs among the items need nothing more.
    assert_eq!(index.matches(&exact, 0.0).unwrap().len(), 4 * 45);
    assert_eq!(Brute::new(&exact).unwrap().pairs::<Item>(0.0).len(), 4 * 45);
    assert_eq!(metric.prepared.load(Relaxed), 80);
}

/// No family gives empty items keys, so brute force must not bring them together either.
#[test]
fn empty_items_are_not_near_each_other() {
    let items: Vec<Item> = vec![vec![], vec![(0, 0, 0)], vec![]];
    let metric = FirstKey::default();
    let exact = Exact::new(&metric, &items);
    let brute = Brute::new(&exact).unwrap();
    let pairs: Vec<Pair> = brute.pairs(9.0).iter().map(|found| found.pair).collect();
    assert_eq!(pairs, [Pair::ordered(0, 1), Pair::ordered(1, 2)]);
    let near = brute.near(&[vec![]], 9.0);
    assert_eq!(near[0].iter().map(|near| near.id).collect::<Vec<_>>(), [1]);
    assert_eq!(exact.within(9.0).verify(Pair::ordered(0, 2)), None);
    assert_eq!(exact.within(9.0).verify(Pair::ordered(0, 1)), Some(0.0));
}

/// The difference of first keys; counts what is prepared and compared. An item without keys is empty.
#[derive(Default)]
struct FirstKey {
    prepared: AtomicUsize,
    compared: AtomicUsize,
}

impl Metric for FirstKey {
    type Item = Item;
    type Prepared = Option<u64>;

    fn prepare(&self, item: &Item) -> Option<u64> {
        self.prepared.fetch_add(1, Relaxed);
        item.first().map(|&(_, key, _)| key)
    }

    fn distance(&self, a: &Option<u64>, b: &Option<u64>) -> f64 {
        self.compared.fetch_add(1, Relaxed);
        a.unwrap_or(0).abs_diff(b.unwrap_or(0)) as f64
    }

    fn is_empty(&self, item: &Option<u64>) -> bool {
        item.is_none()
    }
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
