//! Files that are damaged in any way, and files that are in the way.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use lookalike_core::plugin::Remedied;
use lookalike_search::{Error, Id, Settings, SimilarText, TextIndex};
use tempfile::TempDir;

fn settings() -> Settings {
    let mut settings = Settings {
        bands: Some(4),
        rows: Some(1),
        ..Settings::default()
    };
    settings.family.shingle = "words:2".parse().unwrap();
    settings
}

const TEXTS: [(&str, &str); 5] = [
    ("a", "one two three four five six"),
    ("b", "one two three four five seven"),
    ("copy", "one two three four five six"),
    ("empty", ""),
    (
        "long",
        "again and again and again and again and again and again and again and again and again and again and once more",
    ),
];

fn documents() -> TextIndex {
    let mut index = TextIndex::new(&settings()).unwrap();
    for (id, text) in TEXTS {
        index.insert(id, text).unwrap();
    }
    index
}

/// A saved index with everything in it, and its bytes.
fn saved() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    documents().save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

/// What can be asked, answered.
type Answers = (Vec<Vec<SimilarText>>, Vec<Option<String>>, bool, usize);

fn answers(path: &Path) -> Result<Answers, Error> {
    let index = TextIndex::load(path)?;
    let queries = TEXTS.map(|(_, text)| index.query(text, 10));
    let texts = TEXTS.map(|(id, _)| index.text(&Id::from(id)));
    Ok((
        queries.into_iter().collect::<Result<_, _>>()?,
        texts.into_iter().collect::<Result<_, _>>()?,
        index.contains(&Id::from("nowhere"))?,
        index.len(),
    ))
}

/// What is left when some documents are removed and others come.
fn changed(path: &Path, to: &Path) -> Result<Answers, Error> {
    let mut index = TextIndex::load(path)?;
    index.remove(&Id::from("a"))?;
    index.insert("new", "one two three four five six")?;
    index.save(to)?;
    answers(to)
}

#[test]
fn every_flipped_byte_is_an_error_or_does_no_harm() {
    let (folder, path, bytes) = saved();
    let (expected, elsewhere) = (answers(&path).unwrap(), folder.path().join("elsewhere"));
    let after = changed(&path, &elsewhere).unwrap();
    let (mut errors, mut unread) = (0, BTreeSet::new());
    for place in 0..bytes.len() {
        for bits in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= bits;
            fs::write(&path, damaged).unwrap();
            match answers(&path) {
                Ok(answers) => {
                    assert_eq!(answers, expected, "byte {place} ^ {bits:#x}");
                    unread.insert(place);
                }
                Err(_) => errors += 1,
            }
            // Where queries see nothing, a change of the file may; elsewhere now and then.
            if (unread.contains(&place) || place % 16 == 0)
                && let Ok(answers) = changed(&path, &elsewhere)
            {
                assert_eq!(answers, after, "byte {place} ^ {bits:#x}");
            }
        }
    }
    // Queries read all but the list by text: four entries and a checksum.
    assert_eq!(unread.len(), 40);
    assert_eq!(errors, 3 * (bytes.len() - 40));
}

#[test]
fn a_shorter_or_longer_file_is_an_error() {
    let (_folder, path, bytes) = saved();
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = TextIndex::load(&path).unwrap_err();
        assert!(
            matches!(error, Error::NotAnIndex { .. } | Error::Damaged { .. }),
            "{length}: {error}"
        );
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let message = TextIndex::load(&path).unwrap_err().to_string();
    assert!(message.contains("damaged: "), "{message}");
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_an_error() {
    let (_folder, path, bytes) = saved();
    let index = TextIndex::load(&path).unwrap();
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(bytes.len() as u64 / 2)
        .unwrap();
    let error = index.query(TEXTS[0].1, 1).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
}

#[test]
fn other_files_and_versions_are_refused_with_the_reason() {
    let (folder, path, mut bytes) = saved();
    let message = || TextIndex::load(&path).unwrap_err().to_string();
    bytes[8] += 1;
    fs::write(&path, &bytes).unwrap();
    let says = "an index of format version 2, but this program reads version 1";
    assert!(message().contains(says), "{}", message());
    let remedies = TextIndex::load(&path).unwrap_err().remedies();
    assert_eq!(remedies[0].to_string(), "update Lookalike");
    bytes[8] = 0;
    fs::write(&path, &bytes).unwrap();
    assert!(message().contains("version 0"), "{}", message());
    fs::write(&path, "something else").unwrap();
    assert!(message().contains("not an index"), "{}", message());
    fs::remove_file(&path).unwrap();
    assert!(message().contains("No such file"), "{}", message());
    let error = TextIndex::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("not an index"), "{error}");
}

#[test]
fn saving_replaces_an_index_and_nothing_else() {
    let (folder, path, bytes) = saved();
    let mut index = TextIndex::load(&path).unwrap();
    // Itself, and another one.
    index.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let other = folder.path().join("other");
    index.save(&other).unwrap();
    index.save(&path).unwrap();
    assert_eq!(fs::read(&other).unwrap(), bytes);
    let notes = folder.path().join("notes");
    fs::write(&notes, "important").unwrap();
    let error = index.save(&notes).unwrap_err();
    assert!(matches!(error, Error::NotReplaced { .. }), "{error}");
    assert!(index.save(folder.path()).is_err());
    assert!(index.save(folder.path().join("no/such/folder")).is_err());
    assert_eq!(fs::read(&notes).unwrap(), b"important");
    // Nothing is left behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn of_two_who_change_a_file_one_is_told() {
    let (_folder, path, _) = saved();
    let [mut one, mut two] = [(); 2].map(|()| TextIndex::load(&path).unwrap());
    one.insert("one", "eins zwei drei").unwrap();
    two.insert("two", "un deux trois").unwrap();
    one.save(&path).unwrap();
    let error = two.save(&path).unwrap_err();
    assert!(matches!(error, Error::Changed { .. }), "{error}");
    assert!(
        TextIndex::load(&path)
            .unwrap()
            .contains(&"one".into())
            .unwrap()
    );
    // Who was told still has what it had, of the file as it was.
    assert_eq!(two.query("un deux trois", 1).unwrap().len(), 1);
    assert_eq!(two.query(TEXTS[0].1, 9).unwrap().len(), 3);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_rights_are_the_usual() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let (folder, path, _) = saved();
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    let mut index = TextIndex::load(&link).unwrap();
    index.insert("new", "something").unwrap();
    index.save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(TextIndex::load(&path).unwrap().len(), 6);
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain));
}

#[test]
fn readers_go_on_while_the_file_is_replaced() {
    let (_folder, path, _) = saved();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut rounds = 0;
                while !done.load(Ordering::Relaxed) || rounds == 0 {
                    let index = TextIndex::load(&path).unwrap();
                    for _ in 0..20 {
                        let hits = index.query(TEXTS[0].1, 2).unwrap();
                        assert_eq!(hits[0].id, Id::from("a"));
                        assert_eq!(hits[1].id, Id::from("copy"));
                    }
                    rounds += 1;
                }
            });
        }
        let mut index = TextIndex::load(&path).unwrap();
        for round in 0..20 {
            index
                .insert(round, &format!("round {round} has words"))
                .unwrap();
            index.save(&path).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn what_a_killed_writer_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("index"), "half").unwrap();
        path
    };
    let [left, alive, other] =
        [".lookalike-left", ".lookalike-alive", ".lookalike-other"].map(hidden);
    fs::write(left.join("lock"), "").unwrap();
    let lock = fs::File::create(alive.join("lock")).unwrap();
    lock.try_lock().unwrap();
    documents().save(folder.path().join("index")).unwrap();
    assert!(!left.exists());
    assert!(alive.exists() && other.exists());
    drop(lock);
    let entries = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(entries, 3, "it leaves nothing of its own");
}

#[test]
fn a_path_that_cannot_be_is_named_as_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/index");
    let message = documents().save(&path).unwrap_err().to_string();
    assert!(
        message.starts_with(&format!("{}: ", path.display())),
        "{message}"
    );
    assert!(!message.contains(".lookalike-"), "{message}");
}
