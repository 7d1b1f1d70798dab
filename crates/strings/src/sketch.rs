use crate::Letters;

/// How often each of 32 groups of letters occurs in a string: a quick lower bound on edit distances.
///
/// An inserted letter raises one count by one, a deleted letter lowers one, a replaced letter does both; a swap of
/// neighbours changes none. So what one string has more of, summed over all groups, is at most the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Sketch([u8; 32]);

impl Sketch {
    /// Counts letters. A count stops at 255, which can only lower the bound.
    pub(crate) fn new(letters: &Letters<'_>) -> Self {
        let mut counts = [0u8; 32];
        let mut count = |letter: u32| {
            // Groups the letters of ASCII by themselves, upper and lower case together.
            let count = &mut counts[(letter & 31) as usize];
            *count = count.saturating_add(1);
        };
        match letters {
            Letters::Narrow(letters) => letters.iter().for_each(|&it| count(u32::from(it))),
            Letters::Wide(letters) => letters.iter().for_each(|&it| count(it)),
        }
        Self(counts)
    }

    /// How many letters the first string has more than the second, of those of which it has more; and the same of the
    /// second.
    // Not inlined: where it is, the compiler makes one instruction per count instead of one per sixteen.
    #[inline(never)]
    pub(crate) fn surpluses(a: &Self, b: &Self) -> [usize; 2] {
        [(a, b), (b, a)].map(|(a, b)| {
            let both = a.0.iter().zip(&b.0);
            both.map(|(a, b)| u32::from(a.saturating_sub(*b)))
                .sum::<u32>() as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Units;

    #[test]
    fn counts_stop_and_differ() {
        let surplus = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| Sketch::new(&Units::Characters.letters(text)));
            Sketch::surpluses(&a, &b)
        };
        assert_eq!(surplus("rose", "nose"), [1, 1]);
        assert_eq!(surplus("rose", "ores"), [0, 0]);
        assert_eq!(surplus("", "ab"), [0, 2]);
        assert_eq!(surplus("名前", "名"), [1, 0]);
        assert_eq!(surplus(&"a".repeat(1000), "a"), [254, 0]);
    }
}
