use lookalike_core::{Error, KEY_LIMIT, KeySource, TooManyKeys, mix};

use crate::{
    Units, Variant,
    hashes::{Hashes, MOST_POWERS},
    refused,
};

/// Strings cut into parts: a string is stored under each of its parts, and a query asks for all of its pieces that may
/// be one.
///
/// Of τ + 1 parts τ edits leave one as it is, and it has moved by no more than the edits on one side of it (Li, Deng,
/// Wang and Feng, *PassJoin: a partition-based method for similarity joins*, 2011). So every string within τ edits is
/// met for certain. A string is cut by its length, and a query knows where the parts of strings of its own length, and
/// of those up to `reach` letters longer and shorter, lie.
///
/// - A string of no more than τ letters has no parts; it is stored under its length.
/// - Of a part the first 64 letters count, of a string the first 4095: who agrees on the whole agrees on them.
/// - A swap of neighbours can change two parts, so that [optimal string alignment](Variant::Osa) takes τ = 2·`reach`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitions {
    units: Units,
    reach: usize,
    /// τ: how many parts can be spoiled.
    spoiled: usize,
}

/// Letters of a string that are cut into parts, at most.
const MOST_LETTERS: usize = MOST_POWERS - 1;
/// Letters of a part that count, at most.
const MOST_OF_PART: usize = 64;

impl Partitions {
    /// Parts that find everything within `reach` edits.
    ///
    /// # Errors
    /// If a query would ask for too many keys.
    pub fn new(variant: Variant, units: Units, reach: u32) -> Result<Self, Error> {
        let spoiled = match variant {
            Variant::Levenshtein | Variant::Indel => reach,
            Variant::Osa => reach.saturating_mul(2),
        };
        let partitions = Self {
            units,
            reach: reach as usize,
            spoiled: spoiled as usize,
        };
        if reach > MOST_REACH || partitions.most_probes() > KEY_LIMIT {
            let expected =
                format!("smaller: a query would ask for more than {KEY_LIMIT} pieces of a string");
            return Err(refused("reach", reach, expected));
        }
        Ok(partitions)
    }

    /// Edits up to which strings are met for certain.
    #[must_use]
    pub fn reach(&self) -> u32 {
        self.reach as u32
    }

    /// Keys of a query, at most: each length has windows of 1, 3, 5, … places from both ends.
    pub(crate) fn most_probes(&self) -> u64 {
        let spoiled = self.spoiled as u64;
        (2 * self.reach as u64 + 1) * (spoiled * spoiled / 2 + spoiled + 1)
    }

    /// The parts of a string of a length: where each starts, and how long it is. The last ones may be one letter longer.
    fn parts(&self, length: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let count = self.spoiled + 1;
        let (each, longer) = (length / count, length % count);
        (0..count).scan(0, move |start, part| {
            let length = each + usize::from(part >= count - longer);
            *start += length;
            Some((part, *start - length, length))
        })
    }
}

/// A piece of a string that is a key of [`Partitions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The length of the strings that are cut so.
    pub length: usize,
    /// Which of their parts it is, from 0; `None`: they are too short to be cut.
    pub part: Option<usize>,
    /// Its letters that count.
    pub text: String,
}

/// A part of strings of a length: which one, where it stands in this string, and how many letters it has.
type Cut = (usize, usize, usize);

/// No more edits than this are searched by parts: beyond, comparing everything takes less time.
const MOST_REACH: u32 = 60;

/// The key of a piece as part `part` of strings of a length.
fn key(length: usize, part: usize, piece: u64) -> u64 {
    mix(piece ^ mix((length * MOST_POWERS + part + 1) as u64))
}

/// The hash of the letters that count of a part.
fn piece(hashes: &Hashes, start: usize, length: usize) -> u64 {
    hashes.piece(start, start + length.min(MOST_OF_PART))
}

/// The key of a piece of a string, as a part of strings of a length.
fn cut_key(hashes: &Hashes, length: usize, cut: Option<Cut>) -> u64 {
    match cut {
        None => key(length, 0, 0),
        Some((part, start, letters)) => key(length, part, piece(hashes, start, letters)),
    }
}

/// The same as text.
fn shown(hashes: &Hashes, length: usize, cut: Option<Cut>) -> Piece {
    let text = |(_, start, letters): Cut| hashes.text(start, start + letters.min(MOST_OF_PART));
    Piece {
        length,
        part: cut.map(|cut| cut.0),
        text: cut.map(text).unwrap_or_default(),
    }
}

impl KeySource for Partitions {
    type Item = str;
    type Payload = ();
    type Scratch = PartitionScratch;

    fn bands(&self) -> usize {
        1
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        format!("{self:?}")
    }

    fn keys(
        &self,
        string: &str,
        scratch: &mut PartitionScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let emit = |hashes: &_, length, cut| emit(0, cut_key(hashes, length, cut), ());
        self.each_stored(string, &mut scratch.0, emit);
        Ok(())
    }

    fn has_probes(&self) -> bool {
        true
    }

    fn probes(
        &self,
        string: &str,
        scratch: &mut PartitionScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let emit = |hashes: &_, length, cut| emit(0, cut_key(hashes, length, cut), ());
        self.each_asked(string, &mut scratch.0, emit);
        Ok(())
    }
}

impl Partitions {
    /// The parts under which a string is stored.
    ///
    /// ```
    /// use lookalike_strings::{Partitions, Units, Variant};
    ///
    /// let one_edit = Partitions::new(Variant::Levenshtein, Units::Characters, 1)?;
    /// let texts: Vec<String> = one_edit.pieces("roses").into_iter().map(|piece| piece.text).collect();
    /// assert_eq!(texts, ["ro", "ses"]);
    /// // A string with one letter more still has one of them where it is asked for.
    /// assert!(one_edit.asked_pieces("proses").contains(&one_edit.pieces("roses")[1]));
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    #[must_use]
    pub fn pieces(&self, string: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let push = |hashes: &_, length, cut| pieces.push(shown(hashes, length, cut));
        self.each_stored(string, &mut Hashes::default(), push);
        pieces
    }

    /// The pieces that a query for a string asks for: it meets the strings that are stored under one of them.
    #[must_use]
    pub fn asked_pieces(&self, string: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let push = |hashes: &_, length, cut| pieces.push(shown(hashes, length, cut));
        self.each_asked(string, &mut Hashes::default(), push);
        pieces
    }

    /// Visits the parts of a string, each with its letters and its length.
    fn each_stored(
        &self,
        string: &str,
        hashes: &mut Hashes,
        mut visit: impl FnMut(&Hashes, usize, Option<Cut>),
    ) {
        hashes.read(self.units, string, MOST_LETTERS + 1);
        let own = hashes.letters().len();
        if own <= self.spoiled {
            return visit(hashes, own, None);
        }
        self.parts(own.min(MOST_LETTERS))
            .for_each(|cut| visit(hashes, own, Some(cut)));
    }

    /// Visits the pieces of a string that may be parts of strings within reach, each with its letters and their length.
    fn each_asked(
        &self,
        string: &str,
        hashes: &mut Hashes,
        mut visit: impl FnMut(&Hashes, usize, Option<Cut>),
    ) {
        hashes.read(self.units, string, MOST_LETTERS + 1 + self.reach);
        let own = hashes.letters().len();
        let longest = (own + self.reach).min(MOST_LETTERS + 1);
        for length in own.saturating_sub(self.reach).min(longest)..=longest {
            if length <= self.spoiled {
                visit(hashes, length, None);
                continue;
            }
            for (part, start, letters) in self.parts(length.min(MOST_LETTERS)) {
                for start in self.window(own, length, part, start) {
                    if start + letters <= own {
                        visit(hashes, length, Some((part, start, letters)));
                    }
                }
            }
        }
    }

    /// Where a part that starts at `start` may start in a string of `own` letters: it has moved by at most one place per
    /// part before it, and by the difference of the lengths up to one place per part after it.
    fn window(
        &self,
        own: usize,
        length: usize,
        part: usize,
        start: usize,
    ) -> std::ops::Range<usize> {
        let (mut first, mut last) = (start.saturating_sub(part), start + part);
        // Of longer strings the end is not known.
        if length <= MOST_LETTERS {
            let after = self.spoiled - part;
            first = first.max((start + own).saturating_sub(length + after));
            last = (last + length)
                .min(start + own + after)
                .saturating_sub(length);
            if start + own + after < length {
                return 0..0;
            }
        }
        first..last + 1
    }
}

/// Memory that [`Partitions`] uses again from string to string.
#[derive(Clone, Debug, Default)]
pub struct PartitionScratch(Hashes);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_letters_once() {
        let partitions = Partitions::new(Variant::Levenshtein, Units::Characters, 2).unwrap();
        let parts = |length| partitions.parts(length).collect::<Vec<_>>();
        assert_eq!(parts(3), [(0, 0, 1), (1, 1, 1), (2, 2, 1)]);
        assert_eq!(parts(11), [(0, 0, 3), (1, 3, 4), (2, 7, 4)]);
    }

    /// A query meets what shares a piece, and nothing else.
    #[test]
    fn pieces_show_what_keys_are_made_of() {
        let strings = ["", "a", "rose", "prose", "roses", "nose", "violets"];
        for reach in 0..3 {
            let partitions =
                Partitions::new(Variant::Levenshtein, Units::Characters, reach).unwrap();
            let mut scratch = PartitionScratch::default();
            for (a, b) in strings.iter().flat_map(|a| strings.map(|b| (*a, b))) {
                let (mut stored, mut asked) = (Vec::new(), Vec::new());
                let keep = |_, key, ()| stored.push(key);
                partitions.keys(a, &mut scratch, keep).unwrap();
                let ask = |_, key, ()| asked.push(key);
                partitions.probes(b, &mut scratch, ask).unwrap();
                let (pieces, wanted) = (partitions.pieces(a), partitions.asked_pieces(b));
                assert_eq!((pieces.len(), wanted.len()), (stored.len(), asked.len()));
                let is_met = pieces.iter().any(|piece| wanted.contains(piece));
                assert_eq!(
                    stored.iter().any(|key| asked.contains(key)),
                    is_met,
                    "{a} {b}"
                );
            }
        }
    }

    #[test]
    fn a_query_asks_for_few_pieces() {
        let string = "the quick brown fox jumps over the lazy dog";
        for reach in 0..9 {
            let partitions = Partitions::new(Variant::Levenshtein, Units::Bytes, reach).unwrap();
            let mut count = 0;
            let emit = |_, _, ()| count += 1;
            partitions
                .probes(string, &mut PartitionScratch::default(), emit)
                .unwrap();
            assert!(count <= partitions.most_probes(), "{count} for {reach}");
            assert!(count > u64::from(reach));
        }
        assert!(Partitions::new(Variant::Levenshtein, Units::Bytes, 61).is_err());
        assert!(Partitions::new(Variant::Osa, Units::Bytes, 60).is_err());
    }

    #[test]
    fn value_stability() {
        let partitions = Partitions::new(Variant::Levenshtein, Units::Characters, 1).unwrap();
        let mut keys = Vec::new();
        let emit = |_, key, ()| keys.push(key);
        partitions
            .keys("né", &mut PartitionScratch::default(), emit)
            .unwrap();
        assert_eq!(keys, [8370124733832974843, 2760413935100828219]);
    }
}
