//! The stored index: whatever has happened to it, it answers like one that was just built.

use std::{collections::BTreeMap, path::Path, time::Duration};

use lookalike_core::plugin::{Remedied, Value};
use lookalike_hamming::plugin::{BitSampling, Blocks, Code, CodeReading};
use lookalike_minhash::plugin::{FastSimilarity, Over, Set, SetJaccard, Text, TextJaccard};
use lookalike_search::{
    Dataset, Error, Id, Index, Neighbour, Offer, Plan, Registry, Request, Wanted,
};
use proptest::prelude::*;

pub(crate) fn registry() -> Registry {
    Registry::default()
        .with::<Over<FastSimilarity, TextJaccard>>()
        .with::<Over<FastSimilarity, SetJaccard>>()
        .with::<BitSampling>()
        .with::<Blocks>()
}

/// Items of which many are near each other, and some are equal or empty.
pub(crate) fn items(kind: &str) -> Dataset {
    const WORDS: [&str; 6] = ["ferry", "island", "harbour", "lamp", "winter", "boat"];
    let numbers = 0..48u64;
    match kind {
        "code" => {
            let code = |i: u64| format!("{:016x}", ((i / 6) * 0x0123_4567_89ab_cdef) ^ (i % 5));
            let codes: Vec<String> = numbers.map(code).collect();
            let codes = codes.iter().map(|code| Value::Text(code));
            Dataset::parse::<Code>(codes, CodeReading::default()).unwrap()
        }
        "set" => {
            let set = |i: u64| (0..i % 7).map(move |j| (i / 8 * 100 + j * (1 + i % 2)).to_string());
            let sets: Vec<String> = numbers
                .map(|i| format!("[{}]", set(i).collect::<Vec<_>>().join(",")))
                .collect();
            Dataset::parse::<Set>(sets.iter().map(|set| Value::Json(set)), ()).unwrap()
        }
        _ => {
            let text = |i: u64| {
                let word = |j: u64| WORDS[((i / 6 + j * j + u64::from(j == i % 6)) % 6) as usize];
                (0..i % 12).map(word).collect::<Vec<_>>().join(" ")
            };
            let texts: Vec<String> = numbers.map(text).collect();
            Dataset::parse::<Text>(texts.iter().map(|text| Value::Text(text)), ()).unwrap()
        }
    }
}

pub(crate) fn plan(registry: &Registry, kind: &str, data: &Dataset) -> Plan {
    let request = match kind {
        "code" => Request::new("hamming", 3.0).recall(0.9),
        "exact" => Request::new("hamming", 3.0).recall(1.0).family("blocks"),
        "brute" => Request::new("hamming", 3.0).family("brute-force"),
        "set" => Request::new("jaccard", 0.4).family("fast-similarity"),
        _ => Request::new("jaccard", 0.3)
            .with("shingle", "words:2")
            .family("fast-similarity"),
    };
    registry.plan_index(&request, data).unwrap().plan
}

#[derive(Clone, Debug)]
enum Step {
    Insert(usize, u8),
    AddNew(usize, u8),
    Remove(u8),
    Commit,
    Reopen,
    Snapshot,
    Compact,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..48usize, any::<u8>()).prop_map(|(item, id)| Step::Insert(item, id)),
        2 => (0..48usize, any::<u8>()).prop_map(|(item, id)| Step::AddNew(item, id)),
        3 => any::<u8>().prop_map(Step::Remove),
        2 => Just(Step::Commit),
        1 => Just(Step::Reopen),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Compact),
    ]
}

/// Ids of both kinds, few enough to meet again.
fn id(number: u8) -> Id {
    match number % 2 {
        0 => Id::from(i64::from(number % 40)),
        _ => Id::from(format!("é{}", number % 40)),
    }
}

const NO_WAIT: Duration = Duration::ZERO;

/// An index that has never changed, with these documents.
fn built(registry: &Registry, plan: &Plan, data: &Dataset, model: &BTreeMap<Id, usize>) -> Index {
    let index = Index::new(registry, plan).unwrap();
    for (id, &item) in model {
        index.insert(id, data, item).unwrap();
    }
    index
}

/// What is found; how many items were looked at depends on the segments.
fn answers(index: &Index, data: &Dataset) -> Vec<(bool, Vec<Neighbour>)> {
    let mut asker = index.asker().unwrap();
    let mut answers = Vec::new();
    for place in (0..data.len()).step_by(5) {
        for (k, limit, compared) in [
            (3, f64::INFINITY, 1 << 16),
            (usize::MAX, 2.0, 1 << 16),
            (2, 60.0, 4),
        ] {
            let wanted = Wanted { k, limit, compared };
            let answer = asker.ask(data, place, &wanted).unwrap();
            answers.push((answer.has_keys, answer.found));
        }
        let wanted = Wanted {
            k: 3,
            ..Wanted::default()
        };
        let scanned = index.scan(data, place..place + 1, &wanted).unwrap();
        answers.extend(scanned.into_iter().map(|answer| (true, answer.found)));
    }
    answers
}

fn run(kind: &str, steps: &[Step], path: &Path) -> Result<(), TestCaseError> {
    let registry = registry();
    let data = items(if matches!(kind, "exact" | "brute") {
        "code"
    } else {
        kind
    });
    let plan = plan(&registry, kind, &data);
    let mut model: BTreeMap<Id, usize> = BTreeMap::new();
    let empty = Index::new(&registry, &plan).unwrap();
    empty.save(path, true, &()).unwrap();
    let mut index = Index::open(&registry, path).unwrap();
    let mut committed = model.clone();
    for step in steps {
        match *step {
            Step::Insert(item, number) => {
                let (id, is_new) = (id(number), !model.contains_key(&id(number)));
                match index.insert(&id, &data, item) {
                    Ok(()) => prop_assert!(is_new),
                    Err(Error::Taken { .. }) => prop_assert!(!is_new),
                    Err(error) => panic!("{error}"),
                }
                model.entry(id).or_insert(item);
            }
            Step::AddNew(item, number) => {
                let id = id(number);
                if model.contains_key(&id) {
                    continue;
                }
                let expected = built(&registry, &plan, &data, &model);
                let expected = expected.add_new(&id, &data, item, 1.0).unwrap();
                let offer = index.add_new(&id, &data, item, 1.0).unwrap();
                prop_assert_eq!(&offer, &expected);
                if offer == Offer::New {
                    model.insert(id, item);
                }
            }
            Step::Remove(number) => {
                let removed = index.remove(&id(number)).unwrap();
                prop_assert_eq!(removed, model.remove(&id(number)).is_some());
            }
            Step::Commit => {
                index.commit(NO_WAIT, &()).unwrap();
                committed.clone_from(&model);
            }
            Step::Reopen => {
                index = Index::open(&registry, path).unwrap();
                model.clone_from(&committed);
            }
            Step::Snapshot => {
                let snapshot = index.snapshot().unwrap();
                prop_assert_eq!(snapshot.len(), model.len() as u64);
            }
            Step::Compact => {
                index.commit(NO_WAIT, &()).unwrap();
                committed.clone_from(&model);
                Index::compact(&registry, path, NO_WAIT, &()).unwrap();
                index = Index::open(&registry, path).unwrap();
                prop_assert_eq!(index.stats().leftover, 0);
            }
        }
        prop_assert_eq!(index.len(), model.len() as u64);
    }
    let expected = built(&registry, &plan, &data, &model);
    let expected = answers(&expected, &data);
    prop_assert_eq!(answers(&index, &data), expected.clone());
    index.commit(NO_WAIT, &()).unwrap();
    let reopened = Index::open(&registry, path).unwrap();
    prop_assert!(reopened.check().is_ok());
    prop_assert_eq!(answers(&reopened, &data), expected.clone());
    let mut bytes = Vec::new();
    reopened.write_to(&mut bytes).unwrap();
    let copy = Index::from_bytes(&registry, bytes).unwrap();
    prop_assert_eq!(answers(&copy, &data), expected);
    for (id, &item) in &model {
        prop_assert_eq!(reopened.show(id).unwrap(), Some(data.show(item as u32)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_history_answers_like_a_new_index(
        kind in prop::sample::select(vec!["text", "set", "code", "exact", "brute"]),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        run(kind, &steps, &folder.path().join("items.idx"))?;
    }
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let registry = registry();
    let data = items("code");
    let plan = plan(&registry, "code", &data);
    let index = Index::new(&registry, &plan).unwrap();
    for place in 0..10 {
        index.insert(&Id::from(place as i64), &data, place).unwrap();
    }
    let snapshot = index.snapshot().unwrap();
    let wanted = Wanted::default();
    let before = snapshot.ask(&data, 0, &wanted).unwrap();
    index.remove(&Id::from(0)).unwrap();
    index.insert(&Id::from("new"), &data, 0).unwrap();
    assert_eq!(snapshot.ask(&data, 0, &wanted).unwrap(), before);
    let now = index.asker().unwrap().ask(&data, 0, &wanted).unwrap();
    let ids: Vec<Id> = now.found.into_iter().map(|near| near.id).collect();
    assert!(ids.contains(&Id::from("new")) && !ids.contains(&Id::from(0)));
    assert_eq!((snapshot.len(), index.len()), (10, 10));
}

#[test]
fn two_writers_lose_nothing() {
    let registry = registry();
    let data = items("code");
    let plan = plan(&registry, "code", &data);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codes.idx");
    Index::new(&registry, &plan)
        .unwrap()
        .save(&path, false, &())
        .unwrap();
    let [one, two] = [(); 2].map(|()| Index::open(&registry, &path).unwrap());
    one.insert(&Id::from("a"), &data, 0).unwrap();
    two.insert(&Id::from("b"), &data, 1).unwrap();
    one.commit(NO_WAIT, &()).unwrap();
    assert!(!two.is_current().unwrap());
    two.commit(NO_WAIT, &()).unwrap();
    assert_eq!(two.len(), 2);
    // The same id in both: the second is refused, and the first stays.
    one.insert(&Id::from("c"), &data, 2).unwrap();
    two.insert(&Id::from("c"), &data, 3).unwrap();
    two.commit(NO_WAIT, &()).unwrap();
    assert!(matches!(one.commit(NO_WAIT, &()), Err(Error::Taken { .. })));
    let index = Index::open(&registry, &path).unwrap();
    assert_eq!(index.len(), 3);
    assert_eq!(index.show(&Id::from("c")).unwrap(), Some(data.show(3)));
}

#[test]
fn offers_from_many_threads_have_one_winner() {
    let registry = registry();
    let data = items("code");
    let plan = plan(&registry, "exact", &data);
    for _ in 0..20 {
        let index = Index::new(&registry, &plan).unwrap();
        let new = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4i64 {
                let (index, data, new) = (&index, &data, &new);
                scope.spawn(move || {
                    for place in 0..6 {
                        let id = Id::from(thread * 100 + place as i64);
                        if index.add_new(&id, data, place, 3.0).unwrap() == Offer::New {
                            new.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        // The first six codes are within 3 bits of each other.
        assert_eq!((new.into_inner(), index.len()), (1, 1));
    }
}

#[test]
fn removed_items_give_their_memory_back() {
    let registry = registry();
    let data = items("code");
    let plan = plan(&registry, "code", &data);
    let index = Index::new(&registry, &plan).unwrap();
    for number in 0..20_000i64 {
        index
            .insert(&Id::from(number), &data, number as usize % 48)
            .unwrap();
        if number >= 100 {
            assert!(index.remove(&Id::from(number - 100)).unwrap());
        }
    }
    assert_eq!(index.len(), 100);
    assert!(index.memory() < 3_000_000, "{}", index.memory());
}

#[test]
fn what_is_no_index_is_refused() {
    let registry = registry();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, b"LKTEXTS\n and more").unwrap();
    let error = Index::open(&registry, &path).unwrap_err();
    assert!(error.to_string().contains("format version 1"), "{error}");
    assert_eq!(error.remedies()[0].to_string(), "build it again");
    std::fs::write(&path, b"nothing").unwrap();
    assert!(
        Index::open(&registry, &path)
            .unwrap_err()
            .to_string()
            .contains("not an index")
    );
    let missing = Index::open(&registry, folder.path().join("missing"));
    assert!(missing.unwrap_err().to_string().contains("missing"));
    // A registry without the family.
    let data = items("code");
    let plan = plan(&registry, "code", &data);
    let index = Index::new(&registry, &plan).unwrap();
    index.insert(&Id::from(1), &data, 0).unwrap();
    let mut bytes = Vec::new();
    index.write_to(&mut bytes).unwrap();
    let other = Registry::default().with::<Over<FastSimilarity, TextJaccard>>();
    assert!(Index::from_bytes(&other, bytes).is_err());
    let texts = items("text");
    let error = index
        .asker()
        .unwrap()
        .ask(&texts, 1, &Wanted::default())
        .unwrap_err();
    assert!(error.to_string().contains("text"), "{error}");
}
