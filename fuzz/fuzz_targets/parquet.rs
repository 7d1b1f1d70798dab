//! Any bytes as Parquet: refused, or every row goes to one output, which can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Error, ErrorKind, Fate, OnError};
use lookalike_fuzz::{Read, Scanned, scan};

/// A few bytes may stand for many rows; to write them all again would take most of the time.
const ROWS: usize = 1 << 12;

fuzz_target!(|data: &[u8]| {
    let Some(content) = file(data) else {
        return;
    };
    let scanned = match scan(&content, ".parquet", OnError::Skip) {
        Ok(scanned) => scanned,
        Err(e) => return refused(&e),
    };
    if scanned.documents.len() + scanned.skipped.len() > ROWS {
        return;
    }
    scanned.read_again();
    let kept = scanned.split_or_refuse(|_| Fate::Keep);
    if let Some([kept, ..]) = &kept
        && scanned.skipped.is_empty()
    {
        assert_eq!(kept, &content);
    }
    let Some([kept, removed, skipped]) =
        scanned.split_or_refuse(|i| [Fate::Keep, Fate::Remove][i % 2])
    else {
        return;
    };
    let every_other = |from| scanned.documents.iter().skip(from).step_by(2);
    same(&again(&kept), every_other(0));
    same(&again(&removed), every_other(1));
    let skipped = again(&skipped);
    assert_eq!(skipped.documents, []);
    assert_eq!(skipped.skipped.len(), scanned.skipped.len());
    match scanned.annotate() {
        Ok([annotated, _]) => same(&again(&annotated), scanned.documents.iter()),
        Err(e) => refused(&e),
    }
});

/// The bytes as they are, or with what is around them set right: the ends of the file, and
/// the length of the footer, which few changes would leave right.
fn file(data: &[u8]) -> Option<Vec<u8>> {
    let (first, data) = data.split_first()?;
    if *first == 0 {
        return Some(data.to_vec());
    }
    let (len, data) = data.split_first_chunk()?;
    let (pages, footer) = data.split_at_checked(u16::from_le_bytes(*len).into())?;
    let len = u32::try_from(footer.len()).ok()?.to_le_bytes();
    Some([b"PAR1", pages, footer, &len, b"PAR1"].concat())
}

/// What can be wrong with a file that nobody changes.
fn refused(e: &Error) {
    assert_eq!(e.kind(), ErrorKind::Content, "{e}");
}

trait Split {
    fn split_or_refuse(&self, fate: impl Fn(usize) -> Fate) -> Option<[Vec<u8>; 3]>;
}

impl Split for Scanned {
    fn split_or_refuse(&self, fate: impl Fn(usize) -> Fate) -> Option<[Vec<u8>; 3]> {
        self.try_split(fate).map_err(|e| refused(&e)).ok()
    }
}

fn again(content: &[u8]) -> Scanned {
    scan(content, ".parquet", OnError::Skip).unwrap()
}

fn same<'a>(found: &Scanned, expected: impl Iterator<Item = &'a Read>) {
    let said = |read: &Read| (read.text.clone(), read.id.clone());
    let found: Vec<_> = found.documents.iter().map(said).collect();
    assert_eq!(found, expected.map(said).collect::<Vec<_>>());
}
