use lookalike_core::{Error, KEY_LIMIT, KeySource, TooManyKeys, mix};

use crate::{
    Units,
    hashes::{Hashes, MOST_POWERS},
    refused,
};

/// Deletion neighbourhoods: the keys of a string are what remains of it without 0 to `reach` letters.
///
/// Strings within `reach` edits of each other share a key for certain: without the letters that are edited they are
/// equal (Bocek, Hunt and Stiller, *Fast similarity search in large dictionaries*, 2007). That holds for insertions,
/// deletions, replacements and swaps of neighbours, because each leaves at most one letter on either side without a
/// partner.
///
/// Only the first `prefix` letters are looked at, which loses nothing. Of the letters in the prefix of one string at
/// most `reach` have no partner at all; if further ones have their partners beyond the prefix of the other string, then
/// as many letters of that prefix as of this one have none within it.
///
/// ```
/// use lookalike_engine::{Columns, Join};
/// use lookalike_strings::{Deletions, Units};
///
/// let words = ["rose", "nose", "noise", "horse", "violet"];
/// let columns = Columns::build(&Deletions::new(Units::Characters, 1, 8)?, &words)?;
/// let candidates = Join::new(&columns).candidates().found;
/// let pairs: Vec<_> = candidates.iter().map(|pair| (pair.a(), pair.b())).collect();
/// assert_eq!(pairs, [(0, 1), (1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletions {
    units: Units,
    reach: u32,
    prefix: u32,
}

impl Deletions {
    /// Neighbourhoods of up to `reach` deletions among the first `prefix` letters.
    ///
    /// # Errors
    /// If the prefix is not from 1 to 4095, or has more than 65 536 neighbours.
    pub fn new(units: Units, reach: u32, prefix: u32) -> Result<Self, Error> {
        if !(1..MOST_POWERS as u32).contains(&prefix) {
            let expected = format!("from 1 to {}", MOST_POWERS - 1);
            return Err(refused("prefix", prefix, expected));
        }
        let keys = neighbours(prefix as usize, reach);
        if keys > KEY_LIMIT as f64 {
            let expected = format!(
                "shorter: {reach} deletions leave {keys} strings, and a string has at most {KEY_LIMIT} keys"
            );
            return Err(refused("prefix", prefix, expected));
        }
        Ok(Self {
            units,
            reach,
            prefix,
        })
    }

    /// Edits up to which strings share a key for certain.
    #[must_use]
    pub fn reach(&self) -> u32 {
        self.reach
    }

    /// What remains of a string, as text: one string for each key, shortest last. Letters are characters, whatever the
    /// units.
    ///
    /// ```
    /// use lookalike_strings::{Deletions, Units};
    ///
    /// let one = Deletions::new(Units::Characters, 1, 8)?;
    /// assert_eq!(one.remaining("rose"), ["rose", "ose", "rse", "roe", "ros"]);
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    #[must_use]
    pub fn remaining(&self, string: &str) -> Vec<String> {
        let letters: Vec<char> = string.chars().take(self.prefix as usize).collect();
        let mut all = vec![letters];
        let mut last = 0;
        for _ in 0..self.reach {
            let end = all.len();
            for of in last..end {
                for place in 0..all[of].len() {
                    let mut shorter = all[of].clone();
                    shorter.remove(place);
                    if !all.contains(&shorter) {
                        all.push(shorter);
                    }
                }
            }
            last = end;
        }
        all.iter().map(|letters| letters.iter().collect()).collect()
    }

    /// Emits what remains of the letters from `start`, which follow on `before`, without up to `left` of them.
    fn remains(
        hashes: &Hashes,
        (before, start): (u64, usize),
        left: u32,
        emit: &mut impl FnMut(u32, u64, ()),
    ) {
        let letters = hashes.letters();
        emit(0, mix(hashes.joined(before, start, letters.len())), ());
        if left == 0 {
            return;
        }
        for place in start..letters.len() {
            // The first of equal letters was deleted already, with the same result.
            if place > start && letters[place] == letters[place - 1] {
                continue;
            }
            let before = hashes.joined(before, start, place);
            Self::remains(hashes, (before, place + 1), left - 1, emit);
        }
    }
}

/// How many strings remain of one of `length` letters without up to `reach` of them, at most.
pub(crate) fn neighbours(length: usize, reach: u32) -> f64 {
    let (mut sum, mut binomial) = (1.0, 1.0);
    for deleted in 1..=(reach as usize).min(length) {
        binomial *= (length + 1 - deleted) as f64 / deleted as f64;
        sum += binomial;
        if sum > 1e18 {
            break;
        }
    }
    sum
}

impl KeySource for Deletions {
    type Item = str;
    type Payload = ();
    type Scratch = DeletionScratch;

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
        scratch: &mut DeletionScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let DeletionScratch(hashes) = scratch;
        hashes.read(self.units, string, self.prefix as usize);
        Self::remains(hashes, (0, 0), self.reach, &mut emit);
        Ok(())
    }
}

/// Memory that [`Deletions`] uses again from string to string.
#[derive(Clone, Debug, Default)]
pub struct DeletionScratch(Hashes);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn keys(deletions: &Deletions, string: &str) -> Vec<u64> {
        let (mut keys, mut scratch) = (Vec::new(), DeletionScratch::default());
        let emit = |_, key, ()| keys.push(key);
        deletions.keys(string, &mut scratch, emit).unwrap();
        keys
    }

    #[test]
    fn keys_are_what_remains() {
        let deletions = Deletions::new(Units::Characters, 2, 8).unwrap();
        let whole =
            |string: &str| keys(&Deletions::new(Units::Characters, 0, 8).unwrap(), string)[0];
        let remains = ["abc", "bc", "ac", "ab", "a", "b", "c"].map(whole);
        let written: Vec<u64> = deletions
            .remaining("abc")
            .iter()
            .map(|it| whole(it))
            .collect();
        assert_eq!(BTreeSet::from_iter(written), BTreeSet::from(remains));
        assert_eq!(deletions.remaining("aaaa"), ["aaaa", "aaa", "aa"]);
        assert_eq!(deletions.remaining(""), [""]);
        let found = keys(&deletions, "abc");
        assert_eq!(found.len(), 7);
        assert_eq!(BTreeSet::from_iter(found), BTreeSet::from(remains));
        // Equal letters are deleted in one order only.
        assert_eq!(keys(&deletions, "aaaa").len(), 3);
        assert_eq!(keys(&deletions, "").len(), 1);
        assert_eq!(
            keys(&deletions, "abcdefghij"),
            keys(&deletions, "abcdefghxy")
        );
        assert_eq!(keys(&deletions, "abcdefgh").len() as f64, neighbours(8, 2));
    }

    #[test]
    fn too_many_keys_are_refused() {
        assert_eq!(neighbours(5, 9), 32.0);
        assert!(Deletions::new(Units::Bytes, 0, 0).is_err());
        assert!(Deletions::new(Units::Bytes, 2, 300).is_ok());
        let wrong = Deletions::new(Units::Bytes, 16, 100).unwrap_err();
        assert!(
            wrong
                .to_string()
                .starts_with("prefix is 100, but must be shorter")
        );
    }

    #[test]
    fn value_stability() {
        let deletions = Deletions::new(Units::Characters, 1, 8).unwrap();
        assert_eq!(
            keys(&deletions, "né"),
            [
                4578786727994125960,
                12726361116953317561,
                11397078502689837091
            ]
        );
    }
}
