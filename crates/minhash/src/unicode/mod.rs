//! What each character is to the tokenisers, and what it folds to.
//!
//! The ranges in `tables.rs` are written down rather than taken from a crate at run time,
//! because they decide what a document hashes to: they change only on purpose. A test
//! compares them with the crates that follow Unicode, and writes them anew when asked.

mod tables;

use std::sync::LazyLock;

use self::tables::{FOLDS, SOLO, WORD};

/// What a character is to `words`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// It separates words.
    Between,
    /// It is part of a word: a letter, a mark or a digit.
    Word,
    /// It is a word by itself: a letter, a mark or a digit of a script that is written without spaces.
    Solo,
}

/// A character's class, and the character that it is equal to regardless of case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry(u32);

const CLASS: u32 = 3 << 30;
const WORD_BITS: u32 = 1 << 30;
const SOLO_BITS: u32 = 2 << 30;

impl Entry {
    #[inline]
    pub(crate) fn class(self) -> Class {
        match self.0 & CLASS {
            WORD_BITS => Class::Word,
            SOLO_BITS => Class::Solo,
            _ => Class::Between,
        }
    }

    #[inline]
    pub(crate) fn folded(self) -> char {
        char::from_u32(self.0 & !CLASS).expect("the table holds characters")
    }
}

/// The entry of a character, by page: two loads.
#[inline]
pub(crate) fn entry(c: char) -> Entry {
    let table = &*TABLE;
    let c = c as u32;
    let page = table.pages[(c / PAGE) as usize];
    let entry = table.entries[(u32::from(page) * PAGE + c % PAGE) as usize];
    Entry(entry.wrapping_add(c))
}

const PAGE: u32 = 256;
const CODE_POINTS: u32 = 0x11_0000;

const KINDS: usize = 3;

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// For each page of characters its place among the entries. The first [`KINDS`] are shared: nothing but
/// separators, nothing but letters, nothing but letters that stand alone. An entry is the class and the difference to the
/// folded character, so that pages of plain letters are equal.
struct Table {
    pages: Vec<u16>,
    entries: Vec<u32>,
}

impl Table {
    fn new() -> Self {
        let mut table = Self {
            pages: vec![0; (CODE_POINTS / PAGE) as usize],
            entries: Vec::new(),
        };
        for bits in [0, WORD_BITS, SOLO_BITS] {
            let end = table.entries.len() + PAGE as usize;
            table.entries.resize(end, bits);
        }
        for (ranges, bits, full) in [(&WORD[..], WORD_BITS, 1), (&SOLO[..], SOLO_BITS, 2)] {
            for range in ranges.chunks_exact(2) {
                table.fill(range[0], range[1], bits, full);
            }
        }
        for fold in FOLDS.chunks_exact(4) {
            let &[first, last, step, folded] = fold else {
                unreachable!("chunks of four")
            };
            for c in (first..=last).step_by(step as usize) {
                *table.place(c) = folded.wrapping_sub(first).wrapping_add(WORD_BITS);
            }
        }
        table
    }

    /// Sets a range; pages that lie in it entirely are the page `full`.
    fn fill(&mut self, first: u32, last: u32, bits: u32, full: u16) {
        let mut c = first;
        while c <= last {
            if c.is_multiple_of(PAGE) && last - c >= PAGE - 1 {
                self.pages[(c / PAGE) as usize] = full;
                c += PAGE;
            } else {
                *self.place(c) = bits;
                c += 1;
            }
        }
    }

    /// The entry of a character, on a page of its own: one of a kind is copied.
    fn place(&mut self, c: u32) -> &mut u32 {
        let number = (c / PAGE) as usize;
        let page = usize::from(self.pages[number]);
        if page < KINDS {
            let kind = page * PAGE as usize;
            self.pages[number] = (self.entries.len() / PAGE as usize) as u16;
            self.entries.extend_from_within(kind..kind + PAGE as usize);
        }
        let page = u32::from(self.pages[number]);
        &mut self.entries[(page * PAGE + c % PAGE) as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use unicode_properties::{GeneralCategory as G, UnicodeGeneralCategory};
    use unicode_script::{Script, ScriptExtension, UnicodeScript};

    use super::*;

    const WITHOUT_SPACES: [Script; 7] = [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
    ];

    fn class(c: char) -> Class {
        let letter_mark_or_digit = matches!(
            c.general_category(),
            G::UppercaseLetter
                | G::LowercaseLetter
                | G::TitlecaseLetter
                | G::ModifierLetter
                | G::OtherLetter
                | G::NonspacingMark
                | G::SpacingMark
                | G::EnclosingMark
                | G::DecimalNumber
        );
        // A mark that long vowels of both Kana share, say, is in the extension of Kana alone.
        let extension = c.script_extension();
        let of_all = |scripts: ScriptExtension| {
            !scripts.is_common()
                && !scripts.is_inherited()
                && scripts.iter().all(|s| WITHOUT_SPACES.contains(&s))
        };
        let solo = WITHOUT_SPACES.contains(&c.script()) || of_all(extension);
        match (letter_mark_or_digit, solo) {
            (false, _) => Class::Between,
            (true, false) => Class::Word,
            (true, true) => Class::Solo,
        }
    }

    fn folded(c: char) -> char {
        let folded = unicode_case_mapping::case_folded(c);
        folded.map_or(c, |f| char::from_u32(f.get()).unwrap())
    }

    /// Where this fails after an update of the crates, decide whether hashes may change;
    /// if so, run it with `WRITE_TABLES=1` and record the change.
    #[test]
    fn the_tables_are_those_of_unicode() {
        if std::env::var_os("WRITE_TABLES").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/tables.rs");
            std::fs::write(path, written()).unwrap();
            return;
        }
        for c in '\0'..=char::MAX {
            assert_eq!(entry(c).class(), class(c), "{c:?}");
            let expected = match class(c) {
                Class::Word => folded(c),
                _ => c,
            };
            assert_eq!(entry(c).folded(), expected, "{c:?}");
        }
    }

    fn written() -> String {
        let ranges = |wanted: Class| {
            let mut ranges: Vec<u32> = Vec::new();
            for c in ('\0'..=char::MAX).filter(|&c| class(c) == wanted) {
                match ranges.last_mut() {
                    Some(last) if *last + 1 == c as u32 => *last = c as u32,
                    _ => ranges.extend([c as u32; 2]),
                }
            }
            ranges
        };
        let mut folds: Vec<[u32; 4]> = Vec::new();
        for c in ('\0'..=char::MAX).filter(|&c| class(c) == Class::Word && folded(c) != c) {
            let (from, to) = (c as u32, folded(c) as u32);
            match folds.last_mut() {
                Some([first, last, step, folded])
                    if to.wrapping_sub(from) == folded.wrapping_sub(*first)
                        && from - *last <= 2
                        && (*first == *last || from - *last == *step) =>
                {
                    *step = from - *last;
                    *last = from;
                }
                _ => folds.push([from, from, 1, to]),
            }
        }
        let mut text = String::from(
            "//! Written by the test `the_tables_are_those_of_unicode`.\n\n\
             /// Letters, marks and digits of scripts with spaces: first, last.\n",
        );
        let mut table = |docs: &str, name: &str, numbers: &[u32]| {
            write!(
                text,
                "{docs}pub(super) static {name}: [u32; {}] = [",
                numbers.len()
            )
            .unwrap();
            for (place, number) in numbers.iter().enumerate() {
                let space = if place % 12 == 0 { "\n    " } else { " " };
                write!(text, "{space}{number},").unwrap();
            }
            text.push_str("\n];\n");
        };
        table("#[rustfmt::skip]\n", "WORD", &ranges(Class::Word));
        table(
            "\n/// Letters, marks and digits of scripts without spaces: first, last.\n#[rustfmt::skip]\n",
            "SOLO",
            &ranges(Class::Solo),
        );
        table(
            "\n/// Simple case folding: first, last, step, what the first folds to.\n#[rustfmt::skip]\n",
            "FOLDS",
            &folds.concat(),
        );
        text
    }
}
