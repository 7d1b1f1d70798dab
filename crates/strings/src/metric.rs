use lookalike_core::{Axioms, Metric};
use rapidfuzz::distance::{indel, levenshtein, osa};
use serde::{Deserialize, Serialize};

use crate::{Letters, Units, diagonals, sketch::Sketch};

/// Which edits turn one string into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Insert, delete or replace a letter. A metric.
    #[default]
    Levenshtein,
    /// Insert or delete a letter: |a| + |b| − 2·LCS(a, b), the textbook's definition. A metric.
    Indel,
    /// Optimal string alignment: insert, delete, replace, or swap two neighbours that are not edited otherwise.
    ///
    /// It is 0 for equal strings alone and symmetric, but not a metric: `ca` → `ac` → `abc` takes 1 + 1 edits, and `ca`
    /// → `abc` takes 3.
    Osa,
}

/// The least number of edits that turn one string into another.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_strings::{Edits, Units, Variant};
///
/// let edits = |variant, a, b| {
///     let metric = Edits::new(variant, Units::Characters);
///     metric.distance(&metric.prepare(a), &metric.prepare(b))
/// };
/// assert_eq!(edits(Variant::Levenshtein, "kitten", "sitting"), 3.0);
/// assert_eq!(edits(Variant::Indel, "kitten", "sitting"), 5.0);
/// assert_eq!(edits(Variant::Osa, "rose", "orse"), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    variant: Variant,
    units: Units,
}

/// A string made ready for comparisons: its letters, and how often they occur.
#[derive(Clone, Debug)]
pub struct PreparedString {
    pub(crate) sketch: Sketch,
    pub(crate) letters: Letters<'static>,
}

impl Edits {
    /// The distance by some edits of some units.
    #[must_use]
    pub fn new(variant: Variant, units: Units) -> Self {
        Self { variant, units }
    }

    /// The letters of a string.
    pub(crate) fn letters(self, string: &str) -> Letters<'_> {
        self.units.letters(string)
    }

    /// Whether counts of letters show that two strings are more than `limit` edits apart.
    #[inline]
    pub(crate) fn are_far(self, a: &Sketch, b: &Sketch, limit: usize) -> bool {
        let [deleted, inserted] = Sketch::surpluses(a, b);
        match self.variant {
            Variant::Indel => deleted + inserted > limit,
            Variant::Levenshtein | Variant::Osa => deleted.max(inserted) > limit,
        }
    }

    /// The distance of two strings if it is at most `limit`.
    pub(crate) fn within_limit(
        self,
        a: &Letters<'_>,
        b: &Letters<'_>,
        limit: usize,
    ) -> Option<usize> {
        // A limit beyond all lengths is none.
        let limit = limit.min(a.len() + b.len());
        match (a, b) {
            (Letters::Narrow(a), Letters::Narrow(b)) => narrow(self.variant, a, b, limit),
            (a, b) => wide(self.variant, &a.widened(), &b.widened(), limit),
        }
    }
}

impl Metric for Edits {
    type Item = str;
    type Prepared = PreparedString;

    fn axioms(&self) -> Axioms {
        match self.variant {
            Variant::Osa => Axioms::Semimetric,
            _ => Axioms::Metric,
        }
    }

    fn prepare(&self, string: &str) -> PreparedString {
        let letters = self.letters(string);
        PreparedString {
            sketch: Sketch::new(&letters),
            letters: letters.into_owned(),
        }
    }

    fn distance(&self, a: &PreparedString, b: &PreparedString) -> f64 {
        let distance = self.within_limit(&a.letters, &b.letters, usize::MAX);
        distance.expect("no distance is larger than both lengths") as f64
    }

    #[inline]
    fn within(&self, a: &PreparedString, b: &PreparedString, limit: f64) -> Option<f64> {
        // Casts saturate.
        let limit = limit as usize;
        if self.are_far(&a.sketch, &b.sketch, limit) {
            return None;
        }
        let distance = self.within_limit(&a.letters, &b.letters, limit)?;
        Some(distance as f64)
    }
}

/// Up to how many edits diagonals take less time or memory than bit vectors, which look at as many letters on either side
/// of the diagonal as there are edits; with swaps at all of them.
fn edits_by_diagonals(variant: Variant, shortest: usize) -> usize {
    match variant {
        Variant::Levenshtein | Variant::Indel => shortest.isqrt(),
        Variant::Osa => shortest.isqrt().max(shortest / 16),
    }
}

/// From this length, bit vectors take so much longer than diagonals that these are tried first.
const LONG: usize = 1 << 12;

macro_rules! distances {
    ($($name:ident: $letter:ty),*) => {$(
        /// The distance of strings of these letters, if it is at most `limit`.
        fn $name(variant: Variant, a: &[$letter], b: &[$letter], limit: usize) -> Option<usize> {
            let shortest = a.len().min(b.len());
            let few = edits_by_diagonals(variant, shortest);
            if limit <= few {
                return diagonals::within(variant, a, b, limit);
            }
            // Long strings that are near each other take little time within any limit.
            if shortest >= LONG
                && let Some(distance) = diagonals::within(variant, a, b, few)
            {
                return Some(distance);
            }
            let (a, b) = (a.iter().copied(), b.iter().copied());
            match variant {
                Variant::Levenshtein => {
                    let cutoff = levenshtein::Args::default().score_cutoff(limit);
                    levenshtein::distance_with_args(a, b, &cutoff)
                }
                Variant::Indel => {
                    indel::distance_with_args(a, b, &indel::Args::default().score_cutoff(limit))
                }
                Variant::Osa => {
                    osa::distance_with_args(a, b, &osa::Args::default().score_cutoff(limit))
                }
            }
        }
    )*};
}

// Two functions, because rapidfuzz takes letters of any type that it knows, and has no name for them.
distances! { narrow: u8, wide: u32 }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use lookalike_core::{Items, conformance};
    use proptest::prelude::*;

    /// The plain definition: a table of the distances of all prefixes.
    pub(crate) fn plain(variant: Variant, a: &[u32], b: &[u32]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                if i == 0 || j == 0 {
                    table[i][j] = i + j;
                    continue;
                }
                let is_same = a[i - 1] == b[j - 1];
                let mut least = table[i - 1][j].min(table[i][j - 1]) + 1;
                if is_same || variant != Variant::Indel {
                    least = least.min(table[i - 1][j - 1] + usize::from(!is_same));
                }
                let is_swap = variant == Variant::Osa
                    && i > 1
                    && j > 1
                    && a[i - 1] == b[j - 2]
                    && a[i - 2] == b[j - 1];
                if is_swap {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        table[a.len()][b.len()]
    }

    const VARIANTS: [Variant; 3] = [Variant::Levenshtein, Variant::Indel, Variant::Osa];

    /// Strings of few letters, narrow and wide, often alike.
    fn string() -> impl Strategy<Value = String> {
        prop_oneof![
            prop::collection::vec(prop::sample::select(vec!['a', 'b', 'c']), 0..12),
            prop::collection::vec(
                prop::sample::select(vec!['a', 'b', 'é', '名', '\u{301}']),
                0..12
            ),
            prop::collection::vec(prop::sample::select(vec!['A', 'C', 'G', 'T']), 60..150),
        ]
        .prop_map(|letters| letters.into_iter().collect())
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition(
            a in string(), b in string(), limit in 0usize..160, is_bytes: bool,
        ) {
            let units = if is_bytes { Units::Bytes } else { Units::Characters };
            let [letters_a, letters_b] = [&a, &b].map(|it| units.letters(it).widened().into_owned());
            for variant in VARIANTS {
                let expected = plain(variant, &letters_a, &letters_b);
                let metric = Edits::new(variant, units);
                let [a, b] = [&a, &b].map(|it| metric.prepare(it));
                prop_assert_eq!(metric.distance(&a, &b), expected as f64);
                let near = (expected <= limit).then_some(expected);
                prop_assert_eq!(metric.within(&a, &b, limit as f64), near.map(|it| it as f64));
                prop_assert_eq!(metric.within(&a, &b, f64::INFINITY), Some(expected as f64));
                prop_assert_eq!(diagonals::within(variant, &letters_a, &letters_b, limit), near);
            }
        }
    }

    #[test]
    fn two_of_three_variants_are_metrics() {
        let strings = [
            "", "a", "ca", "ac", "abc", "rose", "nose", "orse", "é", "e\u{301}",
        ];
        for variant in VARIANTS {
            let metric = Edits::new(variant, Units::Characters);
            assert_eq!(metric.axioms() == Axioms::Metric, variant != Variant::Osa);
            conformance::metric_axioms(&metric, &strings).unwrap();
        }
        let osa = Edits::new(Variant::Osa, Units::Characters);
        let edits = |a, b| osa.distance(&osa.prepare(a), &osa.prepare(b));
        assert!(edits("ca", "abc") > edits("ca", "ac") + edits("ac", "abc"));
    }

    #[test]
    fn long_strings_take_little_time_and_memory() {
        let long = "ACGT".repeat(2_500_000);
        let mut other = long.clone();
        other.replace_range(5_000_000..5_000_001, "");
        other.push('A');
        for variant in VARIANTS {
            let metric = Edits::new(variant, Units::Characters);
            let [a, b] = [&long, &other].map(|it| metric.prepare(it));
            assert_eq!(metric.within(&a, &b, 4.0), Some(2.0));
            assert_eq!(metric.within(&a, &b, 1.0), None);
            assert_eq!(metric.within(&a, &b, f64::INFINITY), Some(2.0));
        }
        // Unrelated ones within more edits, of which all letters with all letters would take minutes.
        let unrelated = generate::random(1_000_000, 4, 2, 0).unwrap();
        for variant in VARIANTS {
            let metric = Edits::new(variant, Units::Characters);
            let [a, b] = [0, 1].map(|place| metric.prepare(unrelated.item(place)));
            assert_eq!(metric.within(&a, &b, 2000.0), None);
        }
    }
}
