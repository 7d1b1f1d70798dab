//! Streams from many threads.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use lookalike_search::{Ask, Error, Gate, Id, Offer, Settings, TextIndex, scan};
use lookalike_search::{TextFamily, TextInput};

/// A text of its own for each kind; copies differ in one word of 60.
fn text(kind: usize, copy: usize) -> String {
    let word = |place: usize| match place == 30 {
        true => format!("copy{copy}"),
        false => format!("kind{kind}word{place}"),
    };
    (0..60).map(|place| word(place) + " ").collect()
}

/// 52 of 60 shingles of five words are common: 51 of 61. Bands of one row find that for certain.
fn settings() -> Settings {
    Settings {
        threshold: 0.8,
        bands: Some(64),
        rows: Some(1),
        ..Settings::default()
    }
}

fn offer_from_many_threads(gate: &Gate, kinds: usize, copies: usize) -> Vec<usize> {
    let new: Vec<AtomicUsize> = (0..kinds).map(|_| AtomicUsize::new(0)).collect();
    let start = Barrier::new(copies);
    thread::scope(|scope| {
        for copy in 0..copies {
            let (new, start) = (&new, &start);
            scope.spawn(move || {
                start.wait();
                for (kind, new) in new.iter().enumerate() {
                    let id = format!("{kind}/{copy}");
                    match gate.offer(id, &text(kind, copy / 2)).unwrap() {
                        Offer::New => _ = new.fetch_add(1, Ordering::Relaxed),
                        Offer::Duplicate { id, similarity } => {
                            assert!(id.to_string().starts_with(&format!("{kind}/")));
                            assert!(similarity > 0.8);
                        }
                    }
                }
            });
        }
    });
    new.into_iter().map(AtomicUsize::into_inner).collect()
}

#[test]
fn of_many_copies_exactly_one_is_new() {
    for _ in 0..5 {
        let gate = Gate::new(TextIndex::new(&settings()).unwrap());
        assert_eq!(offer_from_many_threads(&gate, 40, 8), [1; 40]);
        assert_eq!(gate.len(), 40);
        let index = gate.into_index().unwrap();
        assert_eq!(index.len(), 40);
        for kind in 0..40 {
            let hits = index.query(&text(kind, 99), 5).unwrap();
            assert_eq!(hits.len(), 1);
        }
    }
}

#[test]
fn what_was_there_before_counts_stored_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = TextIndex::new(&settings()).unwrap();
    index.insert("0/stored", &text(0, 50)).unwrap();
    index.save(&path).unwrap();
    index.insert("1/fresh", &text(1, 50)).unwrap();
    let gate = Gate::new(index);
    assert_eq!(offer_from_many_threads(&gate, 3, 4), [0, 0, 1]);
    let mut index = gate.into_index().unwrap();
    index.save(&path).unwrap();
    assert_eq!(TextIndex::load(&path).unwrap().len(), 3);
}

#[test]
fn the_most_similar_is_named_with_the_exact_similarity() {
    let gate = Gate::new(TextIndex::new(&settings()).unwrap())
        .threshold(0.1)
        .unwrap();
    let words =
        |from: usize, to: usize| -> String { (from..to).map(|word| format!("w{word} ")).collect() };
    assert_eq!(gate.offer(1, &words(0, 40)).unwrap(), Offer::New);
    assert_eq!(gate.offer(2, &words(100, 140)).unwrap(), Offer::New);
    // 36 shingles of 40 words: 16 of 56 are those of the first, 11 of the second with 31 of its own.
    let both = words(20, 40) + &words(125, 140);
    let Offer::Duplicate { id, similarity } = gate.offer(3, &both).unwrap() else {
        panic!("it is like both");
    };
    // 31 shingles: 16 of the first's 36, 11 of the second's.
    assert_eq!((id, similarity), (Id::from(1), 16.0 / 51.0));
}

#[test]
fn ids_are_offered_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = TextIndex::new(&settings()).unwrap();
    index.insert("stored", "one two three").unwrap();
    index.save(folder.path().join("index")).unwrap();
    let gate = Gate::new(index);
    let taken = |id: &str, text: &str| matches!(gate.offer(id, text), Err(Error::Taken { .. }));
    assert!(taken("stored", "four five six"));
    assert_eq!(gate.offer("a", "four five six").unwrap(), Offer::New);
    assert!(taken("a", "seven eight nine"));
    // What was not let in has left its id free.
    assert_ne!(gate.offer("b", "Four five six!").unwrap(), Offer::New);
    assert_eq!(gate.offer("b", "seven eight nine").unwrap(), Offer::New);
    // Without a shingle it is like nothing, not even like itself.
    assert_eq!(gate.offer("c", "").unwrap(), Offer::New);
    assert_eq!(gate.offer("d", "").unwrap(), Offer::New);
    let mut index = gate.into_index().unwrap();
    assert_eq!(index.len(), 5);
    assert!(index.remove(&Id::from("c")).unwrap());
    index.save(folder.path().join("index")).unwrap();
    assert_eq!((index.len(), index.stats().empty), (4, 1));
}

#[test]
fn numbers_outside_their_range_are_refused() {
    for wrong in [f64::NAN, 2.0, 0.0, -1.0, f64::INFINITY] {
        let gate = Gate::new(TextIndex::new(&settings()).unwrap());
        let message = gate.threshold(wrong).unwrap_err().to_string();
        let expected = format!("threshold is {wrong}, but must be from 0.001 to 1");
        assert_eq!(message, expected);
    }
    let index = TextIndex::new(&settings()).unwrap();
    for wrong in [f64::NAN, 1.5, -0.1] {
        let ask = Ask {
            min: wrong,
            ..Ask::default()
        };
        let message = index.searcher().ask("a", &ask).unwrap_err().to_string();
        assert_eq!(message, format!("min is {wrong}, but must be from 0 to 1"));
        let scanned = scan(
            &TextInput::default(),
            &TextFamily::default(),
            &["a"],
            &ask,
            &(),
        );
        assert_eq!(scanned.unwrap_err().to_string(), message);
    }
}
