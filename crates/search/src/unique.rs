use lookalike_core::{
    Items, Match, Pair,
    plugin::{Error, Kind},
};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// Items without their copies: a thousand blank images have one hash, and half a million pairs among them that need no
/// search.
pub(crate) struct Unique<K: Kind> {
    /// Each item once, in the order of its first place.
    pub(crate) items: K::Items,
    pub(crate) copies: Copies,
}

/// Where the copies of each unique item are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies {
    /// The places of unique item u are `places[starts[u]..starts[u + 1]]`, ascending.
    places: Vec<u32>,
    starts: Vec<u32>,
}

impl Copies {
    /// Which of `count` items have equal bytes; `None` if no two have. `encode` replaces a buffer with the bytes of the
    /// item at a place. Not generic, so that it is compiled once and not once per kind.
    fn find(count: u32, encode: &(dyn Fn(u32, &mut Vec<u8>) + Sync)) -> Option<Self> {
        let mut hashed: Vec<(u64, u32)> = (0..count)
            .into_par_iter()
            .map_init(Vec::new, |bytes, place| {
                encode(place, bytes);
                (xxh3_64(bytes), place)
            })
            .collect();
        hashed.par_sort_unstable();
        if !(hashed.par_windows(2)).any(|two| two[0].0 == two[1].0) {
            return None;
        }
        // The first place of equal items, and the place of each.
        let mut placed: Vec<(u32, u32)> = Vec::with_capacity(hashed.len());
        let (mut firsts, mut bytes, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for same in hashed.chunk_by(|a, b| a.0 == b.0) {
            firsts.clear();
            for &(_, place) in same {
                // Equal hashes are not equal items: crafted ones may differ.
                let first = match firsts.is_empty() {
                    true => None,
                    false => {
                        encode(place, &mut bytes);
                        firsts.iter().copied().find(|&first| {
                            encode(first, &mut others);
                            others == bytes
                        })
                    }
                };
                if first.is_none() {
                    firsts.push(place);
                }
                placed.push((first.unwrap_or(place), place));
            }
        }
        placed.par_sort_unstable();
        let mut copies = Self {
            places: Vec::with_capacity(placed.len()),
            starts: vec![0],
        };
        for same in placed.chunk_by(|a, b| a.0 == b.0) {
            copies.places.extend(same.iter().map(|&(_, place)| place));
            copies.starts.push(copies.places.len() as u32);
        }
        // Equal hashes may have been of different items only.
        if copies.len() == count {
            return None;
        }
        Some(copies)
    }

    pub(crate) fn places(&self, unique: u32) -> &[u32] {
        let starts = &self.starts[unique as usize..];
        &self.places[starts[0] as usize..starts[1] as usize]
    }

    pub(crate) fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
}

impl<K: Kind> Unique<K> {
    /// The items without their copies; `None` if there are no copies.
    pub(crate) fn new(all: &K::Items) -> Result<Option<Self>, Error> {
        let width = K::width(all);
        let encode = |place: u32, bytes: &mut Vec<u8>| {
            bytes.clear();
            K::encode(all.item(place as usize), width, bytes);
        };
        let Some(copies) = Copies::find(all.count() as u32, &encode) else {
            return Ok(None);
        };
        let (mut items, mut bytes) = (K::Items::default(), Vec::new());
        for unique in 0..copies.len() {
            encode(copies.places(unique)[0], &mut bytes);
            K::decode(&bytes, &mut items)?;
        }
        Ok(Some(Self { items, copies }))
    }
}

/// All pairs of items within a limit. Equal items were compared once; their pairs are made when they are asked for.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The copies, and the unique items whose copies are near each other; `None` if there are no copies.
    copies: Option<(Copies, Vec<u32>)>,
    /// The pairs of unique items, the nearest first.
    matches: Vec<Match>,
}

impl Pairs {
    pub(crate) fn new(matches: Vec<Match>) -> Self {
        Self {
            copies: None,
            matches,
        }
    }

    /// `near` are the unique items that are at distance 0 from their copies: all but empty ones.
    pub(crate) fn with_copies(copies: Copies, near: Vec<u32>, matches: Vec<Match>) -> Self {
        Self {
            copies: Some((copies, near)),
            matches,
        }
    }

    /// How many pairs there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        let Some((copies, near)) = &self.copies else {
            return self.matches.len() as u64;
        };
        let count = |unique: u32| copies.places(unique).len() as u64;
        let equal = near.iter().map(|&unique| {
            let copies = count(unique);
            copies * (copies - 1) / 2
        });
        let matches = self.matches.iter();
        let matches = matches.map(|near| count(near.pair.a()) * count(near.pair.b()));
        equal.sum::<u64>() + matches.sum::<u64>()
    }

    /// All pairs: those of equal items, then the nearest first, and at one distance in the order in which the items
    /// first stand.
    pub fn iter(&self) -> impl Iterator<Item = Match> + '_ {
        let equal = self.copies.iter().flat_map(|(copies, near)| {
            near.iter().flat_map(|&unique| {
                let places = copies.places(unique);
                let after = move |i: usize| places[i + 1..].iter().map(move |&b| (places[i], b));
                (0..places.len()).flat_map(after)
            })
        });
        let equal = equal.map(|(a, b)| Match {
            pair: Pair::ordered(a, b),
            distance: 0.0,
        });
        let matches = self.matches.iter().flat_map(|&Match { pair, distance }| {
            let [(a, many_a), (b, many_b)] =
                [pair.a(), pair.b()].map(|unique| self.copies_of(unique));
            let pair = move |i: usize, j: usize| Pair::new(a(i), b(j));
            let with_all = move |i| (0..many_b).filter_map(move |j| pair(i, j));
            let pairs = (0..many_a).flat_map(with_all);
            pairs.map(move |pair| Match { pair, distance })
        });
        equal.chain(matches)
    }

    /// The places of a unique item as a function of their number, and how many there are.
    fn copies_of(&self, unique: u32) -> (impl Fn(usize) -> u32 + Copy + '_, usize) {
        let places = self
            .copies
            .as_ref()
            .map(|(copies, _)| copies.places(unique));
        let place = move |number: usize| places.map_or(unique, |places| places[number]);
        (place, places.map_or(1, <[u32]>::len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::plugin::Value;

    /// Texts as they are.
    struct Words;

    impl Kind for Words {
        const NAME: &'static str = "words";
        type Item = str;
        type Items = Vec<String>;
        type Reading = ();
        fn parse(value: Value<'_>, (): &(), items: &mut Vec<String>) -> Result<(), Error> {
            items.push(value.text()?.into());
            Ok(())
        }
        fn show(item: &str, _: usize) -> String {
            item.into()
        }
    }

    #[test]
    fn copies_are_found_and_their_pairs_come_first() {
        let words = ["b", "a", "b", "c", "a", "b"].map(String::from).to_vec();
        let unique = Unique::<Words>::new(&words).unwrap().unwrap();
        assert_eq!(unique.items, ["b", "a", "c"]);
        assert_eq!(unique.copies.len(), 3);
        let near = Match {
            pair: Pair::ordered(0, 1),
            distance: 0.5,
        };
        let pairs = Pairs::with_copies(unique.copies, vec![0, 1, 2], vec![near]);
        let found: Vec<(u32, u32, f64)> = pairs
            .iter()
            .map(|near| (near.pair.a(), near.pair.b(), near.distance))
            .collect();
        let expected = [
            (0, 2, 0.0),
            (0, 5, 0.0),
            (2, 5, 0.0),
            (1, 4, 0.0),
            (0, 1, 0.5),
            (0, 4, 0.5),
            (1, 2, 0.5),
            (2, 4, 0.5),
            (1, 5, 0.5),
            (4, 5, 0.5),
        ];
        assert_eq!(found, expected);
        assert_eq!(pairs.count(), 10);
        let all_different = ["a", "b"].map(String::from).to_vec();
        assert!(Unique::<Words>::new(&all_different).unwrap().is_none());
        let one = Pairs::new(vec![near]);
        assert_eq!((one.count(), one.iter().count()), (1, 1));
    }
}
