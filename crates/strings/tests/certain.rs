//! Families that miss nothing, against the plain comparison of everything.

use lookalike_core::{Items, KeySource, plugin::KeyFamily};
use lookalike_core::{
    Scheme,
    plugin::{Distance, Family},
};
use lookalike_engine::{Brute, BucketIndex, Columns, Exact, Join, Match};
use lookalike_strings::{
    Strings, Units, Variant,
    plugin::{Deletions, EditDistance, Partitions},
};
use proptest::prelude::*;

const VARIANTS: [Variant; 3] = [Variant::Levenshtein, Variant::Indel, Variant::Osa];

/// Strings with others after a few edits: replaced, inserted, deleted and swapped letters.
fn strings(lengths: std::ops::Range<usize>) -> impl Strategy<Value = Strings> {
    let letters = vec!['a', 'b', 'c', 'd', 'é', '名'];
    let string = prop::collection::vec(prop::sample::select(letters.clone()), lengths);
    let edit = (
        0..4,
        any::<prop::sample::Index>(),
        prop::sample::select(letters),
    );
    let edited = (string, prop::collection::vec(edit, 0..5)).prop_map(|(string, edits)| {
        let mut other = string.clone();
        for (kind, place, letter) in edits {
            let place = place.index(other.len() + 1);
            match kind {
                0 => other.insert(place, letter),
                1 if place < other.len() => drop(other.remove(place)),
                2 if place < other.len() => other[place] = letter,
                3 if place + 1 < other.len() => other.swap(place, place + 1),
                _ => {}
            }
        }
        [string, other].map(|letters| letters.into_iter().collect::<String>())
    });
    prop::collection::vec(edited, 1..12)
        .prop_map(|pairs| pairs.iter().flatten().map(String::as_str).collect())
}

/// The pairs within a limit that a source of keys finds.
fn found<S: KeySource<Item = str>>(
    source: S,
    distance: &EditDistance,
    items: &Strings,
    limit: f64,
) -> Vec<Match> {
    let metric = distance.metric().unwrap();
    let exact = Exact::new(&metric, items);
    let mut matches = match source.has_probes() {
        true => BucketIndex::build(source, items)
            .unwrap()
            .matches(&exact, limit)
            .unwrap(),
        false => {
            let columns = Columns::build(&source, items).unwrap();
            let join = Join::new(&columns).bucket_limit(usize::MAX);
            join.matches(&exact.within(limit)).found
        }
    };
    matches.sort_unstable_by(Match::nearest_first);
    matches
}

fn check(items: &Strings, reach: u32, prefix: u32, units: Units) {
    for variant in VARIANTS {
        let distance = EditDistance { variant, units };
        let metric = distance.metric().unwrap();
        let limit = f64::from(reach);
        let exact = Exact::new(&metric, items);
        let expected = Brute::new(&exact).unwrap().pairs(limit);
        let scheme = Scheme::default();
        let deletions = Deletions {
            reach: Some(reach),
            prefix: Some(prefix),
        };
        if let Ok(keys) = deletions.keys(&distance, 0) {
            let source = keys.source(&scheme, 0).unwrap();
            assert_eq!(
                found(source, &distance, items, limit),
                expected,
                "{variant:?}, deletions"
            );
        }
        let partitions = Partitions { reach: Some(reach) };
        let keys = partitions.keys(&distance, 0).unwrap();
        let source = keys.source(&scheme, 0).unwrap();
        assert_eq!(
            found(source, &distance, items, limit),
            expected,
            "{variant:?}, partitions"
        );
    }
}

proptest! {
    #[test]
    fn nothing_is_missed_among_short_strings(
        items in strings(0..12), reach in 0u32..5, prefix in 1u32..14, is_bytes: bool,
    ) {
        check(&items, reach, prefix, if is_bytes { Units::Bytes } else { Units::Characters });
    }

    #[test]
    fn nothing_is_missed_among_longer_strings(items in strings(20..120), reach in 0u32..7) {
        check(&items, reach, 8, Units::Characters);
    }
}

/// Lengths around those beyond which only the first letters are cut into parts.
#[test]
fn nothing_is_missed_among_long_strings() {
    let long = |length: usize| -> String {
        let letter = |place: usize| char::from(b'a' + (place * place % 23 + place % 3) as u8);
        (0..length).map(letter).collect()
    };
    let mut items = Strings::default();
    for length in 4088..4104 {
        items.push(&long(length));
    }
    for length in [4095, 9000] {
        let mut string = long(length);
        string.replace_range(10..11, "");
        string.insert(3000, '-');
        string.push('!');
        items.push(&string);
        items.push(&long(length));
    }
    check(&items, 3, 10, Units::Characters);
    check(&items, 1, 10, Units::Bytes);
}

/// A promise is kept up to the reach, and nothing is promised beyond.
#[test]
fn promises_end_at_the_reach() {
    let distance = EditDistance::default();
    let keys = Deletions {
        reach: Some(2),
        ..Deletions::default()
    };
    let keys = keys.keys(&distance, 0).unwrap();
    let lower = |edits| {
        keys.promise(&Scheme::default(), edits)
            .unwrap()
            .lower()
            .value()
    };
    assert_eq!([0.0, 2.0, 3.0].map(lower), [1.0, 1.0, 0.0]);
    let keys = Partitions { reach: Some(2) }.keys(&distance, 0).unwrap();
    let lower = |edits| {
        keys.promise(&Scheme::default(), edits)
            .unwrap()
            .lower()
            .value()
    };
    assert_eq!([0.0, 2.0, 3.0].map(lower), [1.0, 1.0, 0.0]);
    let scheme = "and:2,or:3".parse().unwrap();
    let wrong = keys.source(&scheme, 0).unwrap_err().to_string();
    assert!(wrong.contains("no functions to combine"), "{wrong}");
}

/// The empty string is an item: as far from another as that is long.
#[test]
fn empty_strings_are_items() {
    let items: Strings = ["", "a", "ab", "abc", ""].into_iter().collect();
    assert_eq!(items.count(), 5);
    for reach in 0..6 {
        check(&items, reach, 4, Units::Characters);
    }
}
