//! An index that was built once loads forever.

use lookalike_search::{Id, Settings, SimilarText, TextIndex};

const SHORT: [(&str, &str); 3] = [
    ("rose", "A rose is a rose is a rose."),
    ("Rose", "a rose IS a rose, is a rose"),
    ("тест", "съешь ещё этих мягких французских булок"),
];

/// Long enough to be compressed.
fn long() -> String {
    let line = |n: u32| format!("{n} bottles of beer on the wall, {n} bottles of beer. ");
    (1..=30).rev().map(line).collect()
}

/// Texts too short to be compressed, so that a new version of the compressor changes nothing.
#[test]
fn value_stability_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = TextIndex::new(&Settings::default()).unwrap();
    for (id, text) in SHORT {
        index.insert(id, text).unwrap();
    }
    index.insert(17, SHORT[0].1).unwrap();
    index.insert(-4, "").unwrap();
    index.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(
        xxhash_rust::xxh3::xxh3_64(&bytes),
        10275335179961532399,
        "the format of stored indexes has changed"
    );
}

/// `frozen/v1.idx` was saved by the first version: the documents above and `long` under that id. It must stay as it is.
#[test]
fn the_first_version_is_still_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frozen/v1.idx");
    let index = TextIndex::load(path).unwrap();
    let stats = index.stats();
    assert_eq!((stats.documents, stats.texts, stats.empty), (6, 5, 1));
    assert_eq!(stats.settings.threshold, 0.5);
    let hits = |text: &str| index.query(text, 10).unwrap();
    let hit = |id: Id, similarity: f64| SimilarText { id, similarity };
    let roses = [Id::from(17), Id::from("Rose"), Id::from("rose")];
    assert_eq!(
        hits("A rose is a rose is a rose"),
        roses.map(|id| hit(id, 1.0))
    );
    assert_eq!(hits(SHORT[2].1), [hit("тест".into(), 1.0)]);
    let cropped = long().split_once("10 bottles").unwrap().0.to_owned();
    let found = &hits(&cropped)[0];
    assert_eq!(found.id, Id::from("long"));
    assert_eq!(index.text(&found.id).unwrap(), Some(long()));
    assert_eq!(index.text(&Id::from(-4)).unwrap(), Some(String::new()));
}
