//! The index beside a plain list of items, through any sequence of changes; and its file, damaged in any way.

use std::{collections::BTreeMap, fs, path::PathBuf};

use crate::given::{Given, Item, NARROW, WIDE, any_item};
use lookalike_core::KeySource;
use lookalike_engine::{BucketIndex, Error, HitCount, Saved};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Change {
    Insert(Item),
    Remove(u32),
    Freeze,
    Merge(Vec<Item>, Option<u32>),
    SaveAndLoad,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        5 => any_item(12).prop_map(Change::Insert),
        3 => (0..30u32).prop_map(Change::Remove),
        1 => Just(Change::Freeze),
        1 => (prop::collection::vec(any_item(12), 0..4), prop::option::of(0..4u32))
            .prop_map(|(items, removed)| Change::Merge(items, removed)),
        1 => Just(Change::SaveAndLoad),
    ]
}

fn check(index: &BucketIndex<Given>, model: &BTreeMap<u32, Item>, queries: &[Item]) {
    let probe = index.source().probe;
    let mut query = index.query();
    for asked in queries {
        let mut expected = Vec::new();
        for (&id, item) in model {
            for &(band, key, stored) in item {
                for &(other_band, other_key, payload) in asked {
                    let met =
                        key == other_key || probe.is_some_and(|probe| key == other_key + probe);
                    if band == other_band && met {
                        expected.push((id, band, stored, payload));
                    }
                }
            }
        }
        let mut hits = Vec::new();
        query
            .hits(asked, |hit| {
                hits.push((hit.id, hit.band, hit.stored, hit.asked))
            })
            .unwrap();
        hits.sort_unstable();
        expected.sort_unstable();
        assert_eq!(hits, expected);
        let votes: BTreeMap<u32, u32> = expected.iter().fold(BTreeMap::new(), |mut votes, hit| {
            *votes.entry(hit.0).or_default() += 1;
            votes
        });
        assert_eq!(
            query.votes(asked).unwrap(),
            votes
                .iter()
                .map(|(&id, &hits)| HitCount { id, hits })
                .collect::<Vec<_>>()
        );
        assert_eq!(
            query.candidates(asked).unwrap(),
            votes.into_keys().collect::<Vec<_>>()
        );
    }
    assert_eq!(index.len(), model.len());
    assert_eq!(index.is_empty(), model.is_empty());
}

fn run(source: Given, first: Vec<Item>, changes: Vec<Change>, queries: &[Item]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut model: BTreeMap<u32, Item> = (0..).zip(first.clone()).collect();
    let mut given = first.len() as u32;
    let mut index = BucketIndex::build(source, &first).unwrap();
    check(&index, &model, queries);
    for change in changes {
        match change {
            Change::Insert(item) => {
                assert_eq!(index.insert(&item).unwrap(), given);
                model.insert(given, item);
                given += 1;
            }
            Change::Remove(id) => {
                assert_eq!(index.contains(id), model.contains_key(&id));
                assert_eq!(index.remove(id), model.remove(&id).is_some());
            }
            Change::Freeze => index.freeze().unwrap(),
            Change::Merge(items, removed) => {
                let mut other = BucketIndex::new(source);
                for item in &items {
                    other.insert(item).unwrap();
                }
                let mut others: BTreeMap<u32, Item> = (0..).zip(items.iter().cloned()).collect();
                if let Some(id) = removed {
                    assert_eq!(other.remove(id), others.remove(&id).is_some());
                }
                assert_eq!(index.merge(other).unwrap(), given);
                model.extend(others.into_iter().map(|(id, item)| (id + given, item)));
                given += items.len() as u32;
            }
            Change::SaveAndLoad => {
                index.save(&path).unwrap();
                check(&index, &model, queries);
                index = BucketIndex::load(source, &path).unwrap();
            }
        }
        check(&index, &model, queries);
    }
}

proptest! {
    #[test]
    fn index_is_a_list_of_items(
        first in prop::collection::vec(any_item(12), 0..8),
        changes in prop::collection::vec(change(), 0..12),
        queries in prop::collection::vec(any_item(12), 1..4),
        narrow in any::<bool>(),
        probe in prop::option::of(1u64..3),
    ) {
        let source = if narrow { NARROW } else { WIDE };
        run(Given { probe, ..source }, first, changes, &queries);
    }
}

proptest! {
    #[test]
    fn pairs_are_those_of_which_one_asks_for_the_other(
        items in prop::collection::vec(any_item(12), 0..20), probe in prop::option::of(1u64..3), removed in 0..20u32,
    ) {
        let mut index = BucketIndex::build(Given { probe, ..WIDE }, &items).unwrap();
        index.remove(removed);
        let asks = |a: &Item, b: &Item| {
            a.iter().any(|&(band, key, _)| b.iter().any(|&(other, stored, _)| {
                band == other && (key == stored || probe.is_some_and(|probe| key + probe == stored))
            }))
        };
        let mut expected = Vec::new();
        for (b, of_b) in (0..).zip(&items) {
            for (a, of_a) in (0..b).zip(&items) {
                if (asks(of_a, of_b) || asks(of_b, of_a)) && a != removed && b != removed {
                    expected.push((a, b));
                }
            }
        }
        expected.sort_unstable();
        let pairs = index.pairs(&items).unwrap();
        prop_assert_eq!(pairs.iter().map(|pair| (pair.a(), pair.b())).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_file_does_not_depend_on_the_number_of_threads() {
    let items: Vec<Item> = (0..3000)
        .map(|i| vec![(0, i % 70, 0), (1, i * i, 1)])
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let files = [1, 2, 7].map(|threads| {
        let path = folder.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            BucketIndex::build(WIDE, &items)
                .unwrap()
                .save(&path)
                .unwrap()
        });
        fs::read(path).unwrap()
    });
    assert!(files[0] == files[1] && files[1] == files[2]);
}

#[test]
fn freezing_forgets_the_keys_of_removed_items() {
    let items: Vec<Item> = (0..100).map(|i| vec![(0, i, 0)]).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = BucketIndex::build(WIDE, &items).unwrap();
    index.save(&path).unwrap();
    let before = fs::metadata(&path).unwrap().len();
    for id in 0..90 {
        index.remove(id);
    }
    index.freeze().unwrap();
    index.save(&path).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < before / 2);
}

#[test]
#[should_panic(expected = "the source has keys of 4 bits, but emits 0x10")]
fn a_key_wider_than_it_says_is_refused_at_once() {
    let _ = BucketIndex::new(NARROW).insert(&vec![(0, 16, 0)]);
}

#[test]
fn many_readers_share_an_index() {
    let items: Vec<Item> = (0..1000).map(|i| vec![(0, i % 10, 0), (1, i, 0)]).collect();
    let index = BucketIndex::build(WIDE, &items).unwrap();
    std::thread::scope(|scope| {
        for reader in 0..4 {
            let (index, items) = (&index, &items);
            scope.spawn(move || {
                let mut query = index.query();
                for item in items.iter().skip(reader) {
                    assert_eq!(query.candidates(item).unwrap().len(), 100);
                }
            });
        }
    });
}

/// A saved index with everything in it, and its bytes.
fn saved() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let items: Vec<Item> = (0..9)
        .map(|i| vec![(0, i % 4, 1), (1, i << 40, 2), (2, 7, 3)])
        .collect();
    let mut index = BucketIndex::build(WIDE, &items).unwrap();
    index.remove(3);
    index.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

#[test]
fn every_flipped_byte_is_an_error() {
    let (_folder, path, bytes) = saved();
    for place in 0..bytes.len() {
        for bits in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= bits;
            fs::write(&path, damaged).unwrap();
            assert!(
                BucketIndex::load(WIDE, &path).is_err(),
                "byte {place} ^ {bits:#x}"
            );
        }
    }
}

#[test]
fn a_shorter_or_longer_file_is_an_error() {
    let (_folder, path, bytes) = saved();
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = BucketIndex::load(WIDE, &path).unwrap_err();
        assert!(
            matches!(error, Error::NotAnIndex { .. } | Error::Damaged { .. }),
            "{length}: {error}"
        );
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let message = BucketIndex::load(WIDE, &path).unwrap_err().to_string();
    assert!(
        message.ends_with("damaged: bytes follow its end; build it again"),
        "{message}"
    );
}

/// Somebody may damage a file and mend its checksum: an error or a wrong answer, but never a panic.
#[test]
fn a_lying_file_is_no_panic() {
    let (_folder, path, bytes) = saved();
    let body = bytes.len() - 8;
    let query: Item = vec![(0, 1, 0), (1, 1 << 40, 0), (2, 7, 0)];
    let mut loaded = 0;
    for place in 0..body {
        for value in [0, 1, 0x7f, 0xff] {
            let mut lying = bytes[..body].to_vec();
            lying[place] = value;
            let checksum = xxhash_rust::xxh3::xxh3_64(&lying);
            lying.extend(checksum.to_le_bytes());
            fs::write(&path, lying).unwrap();
            if let Ok(mut index) = BucketIndex::load(WIDE, &path) {
                loaded += 1;
                index.query().candidates(&query).unwrap();
                index.insert(&query).unwrap();
                index.freeze().unwrap();
                index.query().candidates(&query).unwrap();
            }
        }
    }
    assert!(loaded > 100, "keys and payloads may be anything");
}

#[test]
fn an_attachment_stays_with_the_index() {
    let (_folder, path, bytes) = saved();
    let mut index = BucketIndex::load(WIDE, &path).unwrap();
    index.save_with(&path, b"names").unwrap();
    assert_eq!(fs::read(&path).unwrap().len(), bytes.len() + 5);
    let opened = Saved::open(&path).unwrap();
    assert_eq!(opened.attachment(), b"names");
    assert_eq!(opened.description(), WIDE.describe());
    let again = opened.index(WIDE).unwrap();
    assert_eq!(again.index.len(), index.len());
    assert_eq!(again.attachment, b"names");
    // Without it the file is as it was.
    index.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn another_source_or_file_is_refused_with_the_reason() {
    let (folder, path, mut bytes) = saved();
    let message = |source| BucketIndex::load(source, &path).unwrap_err().to_string();
    let other = Given {
        probe: Some(1),
        ..WIDE
    };
    assert!(message(other).contains("made by `Given { key_bits: 64, probe: None }`"));
    assert!(message(other).contains("asked with `Given { key_bits: 64, probe: Some(1) }`"));
    bytes[8] += 1;
    fs::write(&path, &bytes).unwrap();
    assert!(message(WIDE).contains("format version 3, but this program reads version 2"));
    fs::write(&path, "no index at all").unwrap();
    assert!(message(WIDE).contains("not a Lookalike index"));
    fs::remove_file(&path).unwrap();
    assert!(message(WIDE).contains("No such file"));
    let mut index = BucketIndex::build(WIDE, &[vec![]]).unwrap();
    let error = index.merge(BucketIndex::new(other)).unwrap_err();
    assert!(matches!(error, Error::Merge { .. }));
    // A path under a regular file cannot be written, and nothing is left behind.
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    let error = index.save(file.join("index")).unwrap_err().to_string();
    assert!(error.contains("Not a directory"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn value_stability_of_the_file() {
    let (_folder, _, bytes) = saved();
    assert_eq!(
        xxhash_rust::xxh3::xxh3_64(&bytes),
        8843404025043668391,
        "the format of stored indexes has changed"
    );
}
