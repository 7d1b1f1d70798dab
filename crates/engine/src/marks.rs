use crate::Id;

/// A set of ids, one bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    words: Vec<u64>,
    count: u32,
}

impl Marks {
    pub(crate) fn from_words(words: Vec<u64>) -> Self {
        let count = words.iter().map(|word| word.count_ones()).sum();
        Self { words, count }
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(crate) fn has(&self, id: Id) -> bool {
        let word = self.words.get(id as usize / 64).copied().unwrap_or(0);
        word >> (id % 64) & 1 == 1
    }

    /// Adds an id. Returns whether it was not there before.
    pub(crate) fn mark(&mut self, id: Id) -> bool {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.count += u32::from(new);
        new
    }

    /// The ids, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Id> {
        let ids = |(place, &word): (usize, &u64)| {
            let rest = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| (place * 64) as Id + word.trailing_zeros())
        };
        self.words.iter().enumerate().flat_map(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_ids_come_back_in_order() {
        let mut marks = Marks::default();
        for id in [700, 0, 63, 64, 5] {
            assert!(marks.mark(id));
            assert!(!marks.mark(id));
        }
        assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 5, 63, 64, 700]);
        assert_eq!(marks.count(), 5);
    }
}
