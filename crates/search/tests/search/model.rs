//! Any sequence of changes.

use std::collections::btree_map::Entry;

use lookalike_search::{Error, Id, TextIndex};
use proptest::prelude::*;

use crate::given::{Model, certain, check};

#[derive(Clone, Debug)]
enum Change {
    Insert(Id, String),
    Remove(Id),
    Save,
    SaveElsewhere,
}

fn any_id() -> impl Strategy<Value = Id> {
    prop_oneof![
        (-3i32..8).prop_map(Id::from),
        "[a-c\"é]{0,2}".prop_map(Id::from)
    ]
}

/// Few different words, so that texts are alike; some without any, some equal.
fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(0u8..3, 0..5).prop_map(|words| {
        let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        words.join(" ")
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (any_id(), any_text()).prop_map(|(id, text)| Change::Insert(id, text)),
        3 => any_id().prop_map(Change::Remove),
        1 => Just(Change::Save),
        1 => Just(Change::SaveElsewhere),
    ]
}

proptest! {
    // Every file is synced to disk, which takes its time.
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn an_index_is_a_list_of_documents(
        changes in prop::collection::vec(change(), 0..30),
        queries in prop::collection::vec(any_text(), 1..4),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut files = 0;
        let mut path = folder.path().join("0");
        let mut model = Model::new();
        let mut index = TextIndex::new(&certain()).unwrap();
        for change in changes {
            match change {
                Change::Insert(id, text) => {
                    let inserted = index.insert(id.clone(), &text);
                    match model.entry(id) {
                        Entry::Occupied(_) => {
                            let taken = matches!(inserted, Err(Error::Taken { .. }));
                            prop_assert!(taken);
                        }
                        Entry::Vacant(place) => {
                            inserted.unwrap();
                            place.insert(text);
                        }
                    }
                }
                Change::Remove(id) => {
                    let was_there = model.remove(&id).is_some();
                    prop_assert_eq!(index.contains(&id).unwrap(), was_there);
                    prop_assert_eq!(index.remove(&id).unwrap(), was_there);
                    prop_assert_eq!(index.text(&id).unwrap(), None);
                }
                Change::Save => index.save(&path).unwrap(),
                Change::SaveElsewhere => {
                    files += 1;
                    path = folder.path().join(files.to_string());
                    index.save(&path).unwrap();
                    index = TextIndex::load(&path).unwrap();
                }
            }
            check(&index, &model, &queries);
        }
        // A file is what its documents are, however they came: what was removed has left no trace.
        index.save(&path).unwrap();
        check(&index, &model, &queries);
        check(&TextIndex::load(&path).unwrap(), &model, &queries);
        let mut other = TextIndex::new(&certain()).unwrap();
        for (id, text) in &model {
            other.insert(id.clone(), text).unwrap();
        }
        let anew = folder.path().join("anew");
        other.save(&anew).unwrap();
        let length = |path| std::fs::metadata(path).unwrap().len();
        prop_assert_eq!(length(&path), length(&anew));
        prop_assert_eq!(index.stats().text_bytes, other.stats().text_bytes);
        prop_assert_eq!(index.stats().texts, other.stats().texts);
    }
}
