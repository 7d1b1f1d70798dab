/// How often each of 32 groups of letters occurs in a string: a quick lower bound on edit distances.
///
/// An inserted or deleted letter changes one count by one, a replaced letter two; a swap of neighbours changes none.
/// So |Δ counts| + |Δ length| ≤ 2d for the Levenshtein distance d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts([u8; 32]);

impl Counts {
    /// Counts letters. Counts stop at 255, which can only lower the bound.
    pub(crate) fn new(letters: impl Iterator<Item = u32>) -> Self {
        let mut counts = [0u8; 32];
        for letter in letters {
            // Groups the letters of ASCII by themselves, upper and lower case together.
            let count = &mut counts[(letter & 31) as usize];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// The sum of all differences of counts.
    #[inline]
    pub(crate) fn difference(&self, other: &Self) -> usize {
        let apart = self.0.iter().zip(&other.0);
        apart.map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stop_and_differ() {
        let counts = |text: &str| Counts::new(text.chars().map(u32::from));
        assert_eq!(counts("rose").difference(&counts("nose")), 2);
        assert_eq!(counts("rose").difference(&counts("ores")), 0);
        assert_eq!(counts("").difference(&counts("ab")), 2);
        let long = "a".repeat(1000);
        assert_eq!(counts(&long).difference(&counts("a")), 254);
    }
}
