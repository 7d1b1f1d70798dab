//! Damaged bytes: each is noticed, and none gives a wrong answer.

use lookalike_core::{plugin::Value, random};
use lookalike_hamming::plugin::{Code, CodeReading};
use lookalike_search::{Dataset, Id, Index, Registry, Request, Wanted};
use rand::RngExt;

use crate::stored::{items, plan, registry};

/// An index of two segments, with marks on what was removed, as bytes.
fn small(registry: &Registry, kind: &str, data: &Dataset) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items.idx");
    let index = Index::new(registry, &plan(registry, kind, data)).unwrap();
    for place in 0..40 {
        index.insert(&Id::from(place as i64), data, place).unwrap();
    }
    index.save(&path, false, &()).unwrap();
    let index = Index::open(registry, &path).unwrap();
    for place in 40..43 {
        let id = Id::from(format!("id {place}"));
        index.insert(&id, data, place).unwrap();
        assert!(index.remove(&Id::from(place as i64 - 30)).unwrap());
    }
    index.commit(Default::default(), &()).unwrap();
    let stats = index.stats();
    assert_eq!((stats.segments, stats.leftover), (2, 3));
    std::fs::read(&path).unwrap()
}

/// What some queries find, and what some documents hold.
fn answers(index: &Index, data: &Dataset) -> Result<Vec<String>, lookalike_search::Error> {
    let mut asker = index.asker()?;
    let mut answers = Vec::new();
    for place in [1, 10, 41] {
        let answer = asker.ask(data, place, &Wanted::default())?;
        answers.push(format!("{answer:?}"));
    }
    let scanned = index.scan(data, 2..3, &Wanted::default())?;
    answers.push(format!("{scanned:?}"));
    for id in [Id::from(3), Id::from(10), Id::from("id 41")] {
        answers.push(format!("{:?}", index.show(&id)?));
    }
    Ok(answers)
}

#[test]
fn every_flipped_byte_of_a_small_index_is_detected() {
    let registry = registry();
    for kind in ["text", "exact"] {
        let data = items(if kind == "exact" { "code" } else { kind });
        let bytes = small(&registry, kind, &data);
        let whole = Index::from_bytes(&registry, bytes.clone()).unwrap();
        whole.check().unwrap();
        let expected = answers(&whole, &data).unwrap();
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << (place % 8);
            let Ok(index) = Index::from_bytes(&registry, flipped) else {
                continue;
            };
            assert!(index.check().is_err(), "{kind}, byte {place}");
            if let Ok(answers) = answers(&index, &data) {
                assert_eq!(answers, expected, "{kind}, byte {place}");
            }
        }
        for length in (0..bytes.len()).step_by(7) {
            assert!(Index::from_bytes(&registry, bytes[..length].to_vec()).is_err());
        }
    }
}

/// A byte of every tenth page; `scripts/index-faults --part bytes` takes one of every page.
#[test]
fn flipped_bytes_of_ten_megabytes_are_detected() {
    let registry = registry();
    let mut rng = random::stream(1, 0);
    let codes: Vec<String> = (0..120_000)
        .map(|_| format!("{:016x}", rng.random::<u64>()))
        .collect();
    let codes = codes.iter().map(|code| Value::Text(code));
    let data = Dataset::parse::<Code>(codes, CodeReading::default()).unwrap();
    let request = Request::new("hamming", 3.0).recall(1.0).family("blocks");
    let plan = registry.plan_index(&request, &data).unwrap().plan;
    let index = Index::new(&registry, &plan).unwrap();
    for place in 0..data.len() {
        index.insert(&Id::from(place as i64), &data, place).unwrap();
    }
    let mut bytes = Vec::new();
    index.write_to(&mut bytes).unwrap();
    assert!(bytes.len() > 10_000_000, "{}", bytes.len());
    let ask = |index: &Index| -> Result<String, lookalike_search::Error> {
        let mut asker = index.asker()?;
        let answers = [5, 50_000].map(|place| asker.ask(&data, place, &Wanted::default()));
        Ok(format!(
            "{:?}",
            answers.into_iter().collect::<Result<Vec<_>, _>>()?
        ))
    };
    let expected = ask(&index).unwrap();
    for page in (0..bytes.len()).step_by(10 * 1024) {
        let place =
            bytes.len().min(page + 1024) - 1 - rng.random_range(0..1024.min(bytes.len() - page));
        let mut flipped = bytes.clone();
        flipped[place] ^= rng.random_range(1..=255u8);
        let Ok(index) = Index::from_bytes(&registry, flipped) else {
            continue;
        };
        if let Ok(answers) = ask(&index) {
            assert_eq!(answers, expected, "byte {place}");
        }
        assert!(index.check().is_err(), "byte {place}");
    }
}
