//! Files of which somebody has mended the checksums: an error or a wrong answer, but never a panic.

use std::{fs, ops::Range, path::Path};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    layout::Tail,
    stored::Stored,
    table::{Table, checksum_of},
};
use crate::{Error, Settings, TextIndex};

fn index() -> TextIndex {
    let mut settings = Settings {
        bands: Some(3),
        rows: Some(1),
        ..Settings::default()
    };
    settings.family.shingle = "words:2".parse().unwrap();
    let mut index = TextIndex::new(&settings).unwrap();
    for (id, text) in [
        ("a", "one two three"),
        ("b", "one two four"),
        ("c", "one two three"),
    ] {
        index.insert(id, text).unwrap();
    }
    index
}

/// All that is read of a file; saving takes its time.
fn use_all(path: &Path, saves: bool) -> Result<(), Error> {
    let mut index = TextIndex::load(path)?;
    let _ = index.stats();
    let queried = index.query("one two three", 9).map(|_| ());
    let text = index.text(&"a".into()).map(|_| ());
    let near = match index.meant("no such id") {
        Err(Error::Unknown { .. }) => Ok(()),
        other => other.map(|_| ()),
    };
    let changed = index.remove(&"a".into()).and_then(|_| {
        index.insert("new", "one two three")?;
        match saves {
            true => index.save(path.with_extension("changed")),
            false => Ok(()),
        }
    });
    queried.and(text).and(near).and(changed)
}

/// The pages of a table: where each starts and ends.
fn pages<const W: usize>(table: &Table<W>) -> Vec<(u32, u64, Range<usize>)> {
    let page = |page: u64| {
        let start = table.place(page) as usize;
        (table.number, page, start..start + table.length(page))
    };
    (0..table.pages()).map(page).collect()
}

#[test]
fn a_lying_file_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    index().save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (Stored { layout, .. }, _) = Stored::open(&path).unwrap();
    let head = layout.texts as usize;
    let tail = bytes.len() - Tail::BYTES;
    let directory = tail - layout.tail.directory as usize;
    let mut all = pages(&layout.items);
    all.extend(pages(&layout.documents));
    all.extend(layout.lists.iter().flat_map(|list| pages(&list.table)));
    let mend = |bytes: &mut [u8], place: usize| {
        if place < head {
            let checksum = xxh3_64(&bytes[..head - 8]);
            bytes[head - 8..head].copy_from_slice(&checksum.to_le_bytes());
        }
        for (table, page, range) in &all {
            if range.contains(&place) {
                let end = range.end - 8;
                let checksum = checksum_of(*table, *page, &bytes[range.start..end]);
                bytes[end..range.end].copy_from_slice(&checksum);
            }
        }
        if (directory..tail).contains(&place) {
            let checksum = xxh3_64(&bytes[directory..tail]);
            bytes[tail + 56..tail + 64].copy_from_slice(&checksum.to_le_bytes());
        }
        if place >= directory {
            let checksum = xxh3_64(&bytes[tail..tail + 64]);
            bytes[tail + 64..].copy_from_slice(&checksum.to_le_bytes());
        }
    };
    let mut fine = 0;
    for place in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut lying = bytes.clone();
            lying[place] = value;
            mend(&mut lying, place);
            fs::write(&path, lying).unwrap();
            fine += usize::from(use_all(&path, value == 1).is_ok());
        }
    }
    assert!(fine > 100, "{fine}: hashes may be anything");
}

#[test]
fn lengths_that_no_file_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    index().save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let tail = bytes.len() - Tail::BYTES;
    for field in 0..7 {
        for value in [
            u64::MAX,
            u64::MAX / 8,
            1 << 40,
            u64::from(u32::MAX),
            1 << 20,
        ] {
            let mut lying = bytes.clone();
            lying[tail + 8 * field..][..8].copy_from_slice(&value.to_le_bytes());
            let checksum = xxh3_64(&lying[tail..tail + 64]);
            lying[tail + 64..].copy_from_slice(&checksum.to_le_bytes());
            fs::write(&path, lying).unwrap();
            // Documents without a shingle and bytes of text are only shown.
            let shown = field == 4 || field == 5;
            assert_eq!(TextIndex::load(&path).is_ok(), shown, "{field}: {value}");
        }
    }
}
