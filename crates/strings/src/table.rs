use crate::Variant;

/// The table of the textbook algorithm for edit distance, and the edits that it finds.
///
/// Entry (i, j) is the distance of the first i letters of one string and the first j of the other: one more than the
/// entry above (delete a letter) or to the left (insert one), or the entry diagonally above if the letters are equal,
/// and one more than that where the variant replaces letters. It is for looking at; [`Edits`](crate::Edits) computes
/// the same distance in a fraction of the time and memory.
///
/// ```
/// use lookalike_strings::{EditTable, Variant};
///
/// let table = EditTable::new(Variant::Indel, "abcde", "acfdeg");
/// assert_eq!(table.distance(), 3); // delete b, insert f and g
/// assert_eq!(table.kept(), "acde"); // 5 + 6 − 2·4 = 3
/// assert_eq!(EditTable::new(Variant::Levenshtein, "abcde", "acfdeg").distance(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditTable {
    a: Vec<char>,
    b: Vec<char>,
    variant: Variant,
    costs: Vec<Vec<usize>>,
}

/// One step from a string to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The letter stays.
    Keep(char),
    /// A letter of the first string goes.
    Delete(char),
    /// A letter of the second string comes.
    Insert(char),
    /// A letter becomes another.
    Replace(char, char),
    /// Two neighbours change places.
    Swap(char, char),
}

impl EditTable {
    /// The table of two strings, letter by letter.
    #[must_use]
    pub fn new(variant: Variant, a: &str, b: &str) -> Self {
        let [a, b]: [Vec<char>; 2] = [a, b].map(|string| string.chars().collect());
        let mut table = Self {
            costs: vec![vec![0; b.len() + 1]; a.len() + 1],
            a,
            b,
            variant,
        };
        for i in 0..=table.a.len() {
            for j in 0..=table.b.len() {
                let ways = table.ways(i, j);
                let least = ways.iter().map(|way| way.1).min();
                table.costs[i][j] = least.unwrap_or(0);
            }
        }
        table
    }

    /// The last edit of every way to an entry, with the cost of the way and the entry before it. The best of equal ones
    /// comes first: what keeps letters, then what changes them, then what drops them.
    fn ways(&self, i: usize, j: usize) -> Vec<(Edit, usize, (usize, usize))> {
        let mut ways = Vec::new();
        let mut way = |edit, from: (usize, usize), cost| {
            ways.push((edit, self.costs[from.0][from.1] + cost, from));
        };
        if i > 0 && j > 0 {
            let (a, b) = (self.a[i - 1], self.b[j - 1]);
            let from = (i - 1, j - 1);
            match self.variant {
                _ if a == b => way(Edit::Keep(a), from, 0),
                Variant::Indel => {}
                Variant::Levenshtein | Variant::Osa => way(Edit::Replace(a, b), from, 1),
            }
            let is_swap = i > 1 && j > 1 && self.a[i - 2] == b && self.b[j - 2] == a;
            if self.variant == Variant::Osa && is_swap {
                way(Edit::Swap(b, a), (i - 2, j - 2), 1);
            }
        }
        if i > 0 {
            way(Edit::Delete(self.a[i - 1]), (i - 1, j), 1);
        }
        if j > 0 {
            way(Edit::Insert(self.b[j - 1]), (i, j - 1), 1);
        }
        ways
    }

    /// The entries: line i for the first i letters of the first string.
    #[must_use]
    pub fn costs(&self) -> &[Vec<usize>] {
        &self.costs
    }

    /// The last entry: the distance of the two strings.
    #[must_use]
    pub fn distance(&self) -> usize {
        self.costs[self.a.len()][self.b.len()]
    }

    /// The edits of one of the shortest ways, with the entries that they lead to, from the first letters to the last.
    #[must_use]
    pub fn edits(&self) -> Vec<(Edit, (usize, usize))> {
        let (mut i, mut j) = (self.a.len(), self.b.len());
        let mut edits = Vec::new();
        while (i, j) != (0, 0) {
            let ways = self.ways(i, j);
            let best = ways.iter().find(|way| way.1 == self.costs[i][j]);
            let &(edit, _, from) = best.expect("a way leads to every entry");
            edits.push((edit, (i, j)));
            (i, j) = from;
        }
        edits.reverse();
        edits
    }

    /// The letters that stay, in their order. With inserts and deletes alone it is a longest common subsequence.
    #[must_use]
    pub fn kept(&self) -> String {
        let kept = |(edit, _)| match edit {
            Edit::Keep(letter) => Some(letter),
            _ => None,
        };
        self.edits().into_iter().filter_map(kept).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edits, Units};
    use lookalike_core::Metric;
    use proptest::prelude::*;

    const VARIANTS: [Variant; 3] = [Variant::Indel, Variant::Levenshtein, Variant::Osa];

    /// The second string, made from the first by the edits.
    fn edited(table: &EditTable) -> String {
        let mut made = String::new();
        for (edit, _) in table.edits() {
            match edit {
                Edit::Keep(letter) | Edit::Insert(letter) | Edit::Replace(_, letter) => {
                    made.push(letter);
                }
                Edit::Swap(first, second) => made.extend([second, first]),
                Edit::Delete(_) => {}
            }
        }
        made
    }

    #[test]
    fn kitten_becomes_sitting() {
        let table = EditTable::new(Variant::Levenshtein, "kitten", "sitting");
        let edits: Vec<Edit> = table.edits().into_iter().map(|edit| edit.0).collect();
        let changed: Vec<&Edit> = edits
            .iter()
            .filter(|edit| !matches!(edit, Edit::Keep(_)))
            .collect();
        let expected = [
            &Edit::Replace('k', 's'),
            &Edit::Replace('e', 'i'),
            &Edit::Insert('g'),
        ];
        assert_eq!(changed, expected);
        let table = EditTable::new(Variant::Indel, "kitten", "sitting");
        assert_eq!((table.distance(), table.kept().as_str()), (5, "ittn"));
        assert_eq!(table.costs()[0], [0, 1, 2, 3, 4, 5, 6, 7]);
        let swap = EditTable::new(Variant::Osa, "rose", "orse");
        assert_eq!((swap.distance(), edited(&swap).as_str()), (1, "orse"));
        assert_eq!(EditTable::new(Variant::Indel, "", "").distance(), 0);
    }

    proptest! {
        #[test]
        fn it_is_the_distance_and_the_edits_are_a_way(
            a in "[abcé]{0,9}", b in "[abcé]{0,9}", variant in prop::sample::select(&VARIANTS[..]),
        ) {
            let table = EditTable::new(variant, &a, &b);
            let metric = Edits::new(variant, Units::Characters);
            let distance = metric.distance(&metric.prepare(&a), &metric.prepare(&b));
            prop_assert_eq!(table.distance() as f64, distance);
            let edits = table.edits();
            let costs = edits.iter().filter(|(edit, _)| !matches!(edit, Edit::Keep(_)));
            prop_assert_eq!(costs.count(), table.distance());
            prop_assert_eq!(edited(&table), b.clone());
            if variant == Variant::Indel {
                let lengths = a.chars().count() + b.chars().count();
                prop_assert_eq!(lengths - 2 * table.kept().chars().count(), table.distance());
            }
        }
    }
}
