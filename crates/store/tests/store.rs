//! Stores as several processes see them: damaged, half-written, waited for, replaced.

use std::{fs, io::Write, path::Path, time::Duration};

use lookalike_store::{Error, Place, Store, Writer, is_store};
use proptest::prelude::*;

/// A commit here is the places of its parts.
fn manifest(places: &[Place]) -> Vec<u8> {
    let numbers = places.iter().flat_map(|&place| <[u64; 3]>::from(place));
    numbers.flat_map(u64::to_le_bytes).collect()
}

fn places(store: &Store) -> Vec<Place> {
    let numbers = store.manifest().as_chunks().0.iter();
    let numbers: Vec<u64> = numbers.map(|&number| u64::from_le_bytes(number)).collect();
    numbers
        .as_chunks()
        .0
        .iter()
        .copied()
        .map(Place::from)
        .collect()
}

/// Everything in a store.
fn content(store: &Store) -> Result<Vec<Vec<u8>>, Error> {
    let read = |place: &Place| {
        let part = store.part("part", *place)?;
        Ok(part.read(0..part.len(), &mut Vec::new())?.to_vec())
    };
    places(store).iter().map(read).collect()
}

fn append(writer: &mut Writer, bytes: &[u8]) -> Place {
    let mut part = writer.part();
    part.write_all(bytes).unwrap();
    part.finish().unwrap()
}

/// One commit for each list of bytes, each with all parts so far.
fn make(path: &Path, parts: &[&[u8]]) {
    let mut writer = Writer::create(path, false).unwrap();
    let mut all = Vec::new();
    for part in parts {
        all.push(append(&mut writer, part));
        writer.commit(&manifest(&all)).unwrap();
    }
    writer.publish().unwrap();
}

const SOON: Duration = Duration::from_millis(30);

#[test]
fn a_flipped_bit_anywhere_is_found_and_never_changes_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let long: Vec<u8> = (0..2500u32).map(|i| (i * i / 7) as u8).collect();
    let parts: [&[u8]; 3] = [b"one", &long, b"three"];
    make(&path, &parts);
    let bytes = fs::read(&path).unwrap();
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        let Ok(store) = Store::from_bytes(flipped) else {
            continue;
        };
        assert!(store.check(&|_| None).is_err(), "byte {place}");
        match content(&store) {
            Ok(content) => assert_eq!(content, parts, "byte {place}"),
            Err(error) => assert!(error.to_string().contains("damaged: part"), "{error}"),
        }
    }
    assert!(Store::open(&path).unwrap().check(&|_| None).is_ok());
}

#[test]
fn a_file_that_is_too_short_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    make(&path, &[b"one", &[7; 3000]]);
    let bytes = fs::read(&path).unwrap();
    for length in 0..bytes.len() {
        let error = Store::from_bytes(bytes[..length].to_vec()).unwrap_err();
        assert!(
            matches!(error, Error::Damaged { .. } | Error::NotAStore { .. }),
            "{error}"
        );
    }
    let mut other = bytes;
    other[8] = 9;
    let error = Store::from_bytes(other).unwrap_err().to_string();
    assert!(error.contains("format version 9"), "{error}");
    fs::write(&path, "some text").unwrap();
    assert!(matches!(Store::open(&path), Err(Error::NotAStore { .. })));
    assert!(matches!(
        Store::open(folder.path()),
        Err(Error::NotAStore { .. })
    ));
    assert!(matches!(
        Writer::open(&path, SOON),
        Err(Error::NotAStore { .. })
    ));
    assert_eq!(fs::read(&path).unwrap(), b"some text");
    assert!(matches!(
        Writer::create(&path, true),
        Err(Error::NotReplaced { .. })
    ));
}

#[test]
fn a_second_writer_waits_and_then_names_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    make(&path, &[b"one"]);
    let first = Writer::open(&path, SOON).unwrap();
    let error = Writer::open(&path, SOON).unwrap_err().to_string();
    assert!(
        error.contains(&format!("process {}", std::process::id())),
        "{error}"
    );
    std::thread::scope(|scope| {
        let second = scope.spawn(|| Writer::open(&path, Duration::from_secs(30)).map(drop));
        std::thread::sleep(SOON);
        drop(first);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn what_was_not_committed_is_gone_and_readers_keep_their_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    make(&path, &[b"one"]);
    let length = fs::metadata(&path).unwrap().len();
    let reader = Store::open(&path).unwrap();
    let mut writer = Writer::open(&path, SOON).unwrap();
    let written = append(&mut writer, b"two");
    let part = writer.written("part", written).unwrap();
    assert_eq!(part.read(0..3, &mut Vec::new()).unwrap(), b"two");
    drop(writer);
    assert_eq!(fs::metadata(&path).unwrap().len(), length);
    // A process that was killed leaves bytes after the end.
    let mut killed = fs::OpenOptions::new().append(true).open(&path).unwrap();
    killed.write_all(&[1; 5000]).unwrap();
    let mut writer = Writer::open(&path, SOON).unwrap();
    let mut all = places(&writer.store().unwrap());
    all.push(append(&mut writer, b"three"));
    assert!(reader.is_current().unwrap());
    let changed = writer.commit(&manifest(&all)).unwrap();
    assert!(!reader.is_current().unwrap() && changed.is_current().unwrap());
    assert_eq!(content(&reader).unwrap(), [b"one"]);
    assert_eq!(content(&changed).unwrap(), [&b"one"[..], b"three"]);
    assert!(changed.check(&|_| None).is_ok() && reader.check(&|_| None).is_ok());
    // A copy of an older state.
    let mut copy = Vec::new();
    reader.write_to(&mut copy).unwrap();
    let copy = Store::from_bytes(copy).unwrap();
    assert_eq!(content(&copy).unwrap(), [b"one"]);
    assert!(copy.check(&|_| None).is_ok());
}

#[test]
fn a_rewritten_file_is_what_the_next_writer_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    make(&path, &[b"one", &[7; 3000]]);
    let reader = Store::open(&path).unwrap();
    std::thread::scope(|scope| {
        let writer = Writer::open(&path, SOON).unwrap();
        let waiting = scope.spawn(|| {
            let mut writer = Writer::open(&path, Duration::from_secs(30)).unwrap();
            let mut all = places(&writer.store().unwrap());
            all.push(append(&mut writer, b"next"));
            writer.commit(&manifest(&all)).unwrap();
        });
        std::thread::sleep(SOON);
        let mut smaller = writer.rewrite(&()).unwrap();
        let one = append(&mut smaller, b"one");
        let store = smaller.commit(&manifest(&[one])).unwrap();
        assert!(store.sequence() > reader.sequence());
        smaller.publish().unwrap();
        waiting.join().unwrap();
    });
    assert_eq!(content(&reader).unwrap()[1], [7; 3000]);
    assert!(!reader.is_current().unwrap());
    let now = Store::open(&path).unwrap();
    assert_eq!(content(&now).unwrap(), [&b"one"[..], b"next"]);
    assert!(now.check(&|_| None).is_ok() && is_store(&path));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_new_file_replaces_nothing_by_accident() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    make(&path, &[b"one"]);
    assert!(matches!(
        Writer::create(&path, false),
        Err(Error::Exists { .. })
    ));
    let mut other = Writer::create(&path, true).unwrap();
    let two = append(&mut other, b"two");
    other.commit(&manifest(&[two])).unwrap();
    other.publish().unwrap();
    assert_eq!(content(&Store::open(&path).unwrap()).unwrap(), [b"two"]);
    let never = Writer::create(&folder.path().join("other"), false).unwrap();
    assert!(
        never
            .store()
            .unwrap_err()
            .to_string()
            .contains("nothing was ever committed")
    );
    drop(never);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

proptest! {
    #[test]
    fn any_range_of_a_part_comes_back(
        length in 0usize..4000, start in 0usize..4000, end in 0usize..4000, chunk in 1usize..1500,
    ) {
        let bytes: Vec<u8> = (0..length).map(|i| (i * 31 / 3) as u8).collect();
        let mut writer = Writer::in_memory().unwrap();
        append(&mut writer, b"before");
        let mut part = writer.part();
        for chunk in bytes.chunks(chunk) {
            part.write_all(chunk).unwrap();
        }
        let place = part.finish().unwrap();
        append(&mut writer, b"after");
        let store = writer.commit(&manifest(&[place])).unwrap();
        let part = store.part("part", place).unwrap();
        let (start, end) = (start as u64, end as u64);
        let mut buffer = vec![1; 10];
        let read = part.read(start..end, &mut buffer);
        if start <= end && end <= length as u64 {
            prop_assert_eq!(read.unwrap(), &bytes[start as usize..end as usize]);
        } else {
            prop_assert!(read.is_err());
        }
    }

    #[test]
    fn hostile_places_are_errors(numbers in any::<[u64; 3]>(), small in any::<[u8; 3]>()) {
        let mut writer = Writer::in_memory().unwrap();
        append(&mut writer, &[7; 3000]);
        let store = writer.commit(&[]).unwrap();
        for place in [numbers, small.map(|number| u64::from(number) * 16)] {
            if let Ok(part) = store.part("part", Place::from(place)) {
                let _ = part.read(0..part.len(), &mut Vec::new());
            }
        }
    }
}

/// A file that is rewritten before it has a name: nothing of it was committed, and all of it is copied.
#[test]
fn parts_that_were_never_committed_are_read_while_a_file_is_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let long: Vec<u8> = (0..5000u32).map(|i| (i * i / 7) as u8).collect();
    for writer in [
        Writer::create(&path, false).unwrap(),
        Writer::in_memory().unwrap(),
    ] {
        let mut writer = writer;
        let place = append(&mut writer, &long);
        let part = writer.written("part", place).unwrap();
        let mut rewritten = writer.rewrite(&()).unwrap();
        let copied = part.read(0..part.len(), &mut Vec::new()).unwrap().to_vec();
        let place = append(&mut rewritten, &copied);
        let store = rewritten.commit(&manifest(&[place])).unwrap();
        assert_eq!(content(&store).unwrap(), std::slice::from_ref(&long));
        rewritten.publish().unwrap();
    }
    assert_eq!(content(&Store::open(&path).unwrap()).unwrap(), [long]);
}
