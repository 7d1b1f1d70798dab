//! Buckets over the limit with keys that were chosen to deceive the hashes by which the engine sorts items.

use crate::{
    given::{Item, WIDE},
    join::check,
};
use lookalike_core::mix;
use lookalike_engine::{Columns, Join, Pair};

/// The word that the engine hashes for a key in a band.
fn tagged(band: u32, key: u64) -> u64 {
    mix(key ^ mix(u64::from(band) + 1))
}

/// The key in a band that is hashed as this word.
fn key_of(band: u32, word: u64) -> u64 {
    unmix(word) ^ mix(u64::from(band) + 1)
}

/// The inverse of [`mix`].
fn unmix(word: u64) -> u64 {
    let word = word ^ (word >> 31) ^ (word >> 62);
    let word = word.wrapping_mul(0x3196_42b2_d24d_8ec3);
    let word = word ^ (word >> 27) ^ (word >> 54);
    let word = word.wrapping_mul(0x96de_1b17_3f11_9089);
    word ^ (word >> 30) ^ (word >> 60)
}

#[test]
fn unmix_is_the_inverse_of_mix() {
    for word in [0, 1, 7, u64::MAX, 0x1234_5678_9abc_def0] {
        assert_eq!(unmix(mix(word)), word);
        assert_eq!(mix(unmix(word)), word);
    }
}

/// A key equal to `mix(band + 1)` is hashed as 0 and leaves no trace: three kinds of items look the same.
#[test]
fn copies_are_found_though_their_keys_hash_to_nothing() {
    let (in_first, in_second) = ((0, mix(1), 0), (1, mix(2), 0));
    let mut items: Vec<Item> = vec![vec![in_first], vec![in_second]];
    items.extend(vec![vec![in_first, in_second]; 4]);
    let columns = Columns::build(&WIDE, &items).unwrap();
    let found = Join::new(&columns).bucket_limit(3).candidates().found;
    for copy in 3..6 {
        assert!(found.contains(&Pair::ordered(2, copy)), "{copy}");
    }
    check(&items, 3);
}

/// The same with keys like any others: each decoy shares a heavy bucket with the copies, and has a last key that gives it
/// their hash.
#[test]
fn copies_are_found_among_items_with_the_same_hash() {
    let (x, y) = (17, 99);
    let copies = mix(tagged(0, x)) ^ tagged(1, y);
    let decoy = |first: u64, second: u64| -> Item {
        let before = mix(mix(tagged(0, first)) ^ tagged(1, second));
        let last = key_of(2, before ^ copies);
        vec![(0, first, 0), (1, second, 0), (2, last, 0)]
    };
    let mut items: Vec<Item> = vec![decoy(x, 5), decoy(6, y)];
    items.extend(vec![vec![(0, x, 0), (1, y, 0)]; 4]);
    check(&items, 3);
    items.reverse();
    check(&items, 3);
}

/// Items in different heavy buckets, in numbers that would be counted wrongly if they were taken for one kind.
#[test]
fn kinds_with_equal_hashes_are_counted_apart() {
    let (k0, k1) = (17, 99);
    let mark = mix(tagged(0, k0)) | 1;
    let alone = key_of(1, mark ^ tagged(1, k1));
    let mut items: Vec<Item> = vec![vec![(0, k0, 0), (1, k1, 0)]; 4];
    items.extend(vec![vec![(1, alone, 0)]; 4]);
    for (place, item) in (0..).zip(&mut items) {
        item.push((2, place, 0)); // So that they are not copies.
    }
    check(&items, 2);
}

/// Some items of a heavy bucket also share light ones, and most items are in no heavy bucket.
#[test]
fn pairs_of_heavy_buckets_that_are_found_elsewhere_are_counted_once() {
    for several in [false, true] {
        let item = |i: u64| {
            let in_last = if i < 20 { 7 } else { 1000 + i };
            let mut item: Item = vec![(0, i / 2, 0), (1, i % 50, 0), (2, in_last, 0)];
            if several {
                item.push((2, 2000 + i / 3, 0));
            }
            item
        };
        let items: Vec<Item> = (0..200).map(item).collect();
        check(&items, 10);
    }
}
