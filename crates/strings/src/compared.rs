use std::ops::Range;

use lookalike_core::{Distances, Items, Metric, Near, Pair};

use crate::{Edits, Letters, sketch::Sketch};

/// Strings laid out to be compared with others: what tells most of them apart stands side by side in memory.
pub(crate) struct Compared<'a, C> {
    edits: Edits,
    strings: &'a C,
    sketches: Vec<Sketch>,
    letters: Vec<Letters<'a>>,
}

impl<'a, C: Items<str>> Compared<'a, C> {
    pub(crate) fn new(edits: Edits, strings: &'a C) -> Self {
        let letters: Vec<Letters<'a>> = (0..strings.count())
            .map(|place| edits.letters(strings.item(place)))
            .collect();
        Self {
            edits,
            strings,
            sketches: letters.iter().map(Sketch::new).collect(),
            letters,
        }
    }

    /// Adds the items at some places that are within the limit of a string.
    fn add_near(
        &self,
        (sketch, letters): (&Sketch, &Letters<'_>),
        places: impl Iterator<Item = u32>,
        limit: f64,
        found: &mut Vec<Near>,
    ) {
        // Casts saturate.
        let limit = limit as usize;
        for id in places {
            let place = id as usize;
            if self.edits.are_far(sketch, &self.sketches[place], limit) {
                continue;
            }
            let distance = self
                .edits
                .within_limit(letters, &self.letters[place], limit);
            found.extend(distance.map(|distance| Near {
                id,
                distance: distance as f64,
            }));
        }
    }

    fn at(&self, place: u32) -> (&Sketch, &Letters<'a>) {
        let place = place as usize;
        (&self.sketches[place], &self.letters[place])
    }
}

impl<C: Items<str>> Items<str> for Compared<'_, C> {
    fn count(&self) -> usize {
        self.strings.count()
    }

    fn item(&self, place: usize) -> &str {
        self.strings.item(place)
    }
}

impl<C: Items<str>> Distances<str> for Compared<'_, C> {
    fn near(&self, string: &str, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        let string = self.edits.prepare(string);
        let places = places.iter().copied();
        self.add_near((&string.sketch, &string.letters), places, limit, found);
    }

    fn near_in(&self, string: &str, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        let string = self.edits.prepare(string);
        self.add_near((&string.sketch, &string.letters), places, limit, found);
    }

    fn near_place(&self, place: u32, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        self.add_near(self.at(place), places.iter().copied(), limit, found);
    }

    fn near_place_in(&self, place: u32, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        self.add_near(self.at(place), places, limit, found);
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        let ((a, letters_a), (b, letters_b)) = (self.at(pair.a()), self.at(pair.b()));
        let limit = limit as usize;
        if self.edits.are_far(a, b, limit) {
            return None;
        }
        let distance = self.edits.within_limit(letters_a, letters_b, limit)?;
        Some(distance as f64)
    }

    fn drop_far(&self, pairs: &mut Vec<Pair>, limit: f64) {
        let limit = limit as usize;
        // Without a branch, so that many pairs wait for memory at a time.
        let mut kept = 0;
        for place in 0..pairs.len() {
            let pair = pairs[place];
            let [a, b] = [pair.a(), pair.b()].map(|id| &self.sketches[id as usize]);
            pairs[kept] = pair;
            kept += usize::from(!self.edits.are_far(a, b, limit));
        }
        pairs.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Strings, Units, Variant, generate::edited};
    use lookalike_core::random;

    /// Strings near each other and far apart, narrow and wide.
    fn strings() -> Strings {
        let mut strings = Strings::default();
        for seed in 0..12 {
            let mut rng = random::stream(seed, 0);
            for base in ["", "né", "the quick brown fox", "名前の一覧 in two scripts"] {
                strings.push(&edited(base, seed as usize, Variant::Levenshtein, &mut rng));
            }
        }
        strings
    }

    #[test]
    fn every_way_to_compare_agrees_with_the_metric() {
        let strings = strings();
        let count = strings.count() as u32;
        let mut dropped = 0;
        for variant in [Variant::Levenshtein, Variant::Indel, Variant::Osa] {
            for units in [Units::Characters, Units::Bytes] {
                let edits = Edits::new(variant, units);
                let compared = Compared::new(edits, &strings);
                for limit in [0.0, 2.0, 7.0, f64::INFINITY] {
                    let expected = |a: u32, b: u32| {
                        let [a, b] = [a, b].map(|id| edits.prepare(strings.item(id as usize)));
                        edits.within(&a, &b, limit)
                    };
                    for a in 0..count {
                        let near = (0..count).filter_map(|id| {
                            let distance = expected(a, id)?;
                            Some(Near { id, distance })
                        });
                        let near: Vec<Near> = near.collect();
                        let all: Vec<u32> = (0..count).collect();
                        let item = compared.item(a as usize);
                        let mut found = [const { Vec::new() }; 4];
                        compared.near(item, &all, limit, &mut found[0]);
                        compared.near_in(item, 0..count, limit, &mut found[1]);
                        compared.near_place(a, &all, limit, &mut found[2]);
                        compared.near_place_in(a, 0..count, limit, &mut found[3]);
                        assert_eq!(found, std::array::from_fn(|_| near.clone()));
                        let pairs: Vec<Pair> =
                            (a + 1..count).map(|b| Pair::ordered(a, b)).collect();
                        let mut kept = pairs.clone();
                        compared.drop_far(&mut kept, limit);
                        for pair in pairs {
                            let distance = expected(pair.a(), pair.b());
                            assert_eq!(compared.pair(pair, limit), distance);
                            let is_kept = kept.contains(&pair);
                            assert!(is_kept || distance.is_none());
                            dropped += usize::from(!is_kept);
                        }
                    }
                }
            }
        }
        assert!(dropped > 1000, "{dropped}");
    }
}
