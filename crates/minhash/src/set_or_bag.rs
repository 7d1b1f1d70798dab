use std::fmt;

use crate::{Bag, BagScratch, Elements};

/// Elements as a set or as a bag, where a parameter decides whether repeats count.
///
/// A set passes the elements on as they are, without a copy. Its `Debug` text is that of the elements, so that stored
/// indexes of sets stay readable.
///
/// ```
/// use lookalike_minhash::{Elements, SetOrBag, Shingle, Shingler};
///
/// let shingles = Shingler::new(Shingle::chars(2)?);
/// let size = |bag| {
///     let elements = SetOrBag::new(shingles.clone(), bag);
///     elements.set("abcab", &mut Default::default()).len()
/// };
/// assert_eq!((size(false), size(true)), (3, 4)); // {ab, bc, ca} and {ab, bc, ca, ab}
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SetOrBag<E> {
    /// An element that occurs several times counts once.
    Set(E),
    /// It counts as often as it occurs.
    Bag(Bag<E>),
}

impl<E: Elements> SetOrBag<E> {
    /// A bag if `is_bag`, a set otherwise.
    pub fn new(elements: E, is_bag: bool) -> Self {
        match is_bag {
            true => Self::Bag(Bag::new(elements)),
            false => Self::Set(elements),
        }
    }
}

impl<E: fmt::Debug> fmt::Debug for SetOrBag<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(elements) => elements.fmt(f),
            Self::Bag(bag) => bag.fmt(f),
        }
    }
}

impl<E: Elements> Elements for SetOrBag<E> {
    type Item = E::Item;
    type Scratch = BagScratch<E::Scratch>;

    fn visit(&self, item: &E::Item, scratch: &mut Self::Scratch, take: &mut dyn FnMut(&[u64])) {
        match self {
            Self::Set(elements) => elements.visit(item, &mut scratch.elements, take),
            Self::Bag(bag) => bag.visit(item, scratch, take),
        }
    }

    fn collect(&self, item: &E::Item, scratch: &mut Self::Scratch, list: &mut Vec<u64>) {
        match self {
            Self::Set(elements) => elements.collect(item, &mut scratch.elements, list),
            Self::Bag(bag) => bag.collect(item, scratch, list),
        }
    }

    fn whole<'a>(&self, item: &'a E::Item) -> Option<&'a [u64]> {
        match self {
            Self::Set(elements) => elements.whole(item),
            Self::Bag(bag) => bag.whole(item),
        }
    }

    fn set(&self, item: &E::Item, scratch: &mut Self::Scratch) -> Vec<u64> {
        match self {
            Self::Set(elements) => elements.set(item, &mut scratch.elements),
            Self::Bag(bag) => bag.set(item, scratch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hashes, Integers};
    use proptest::prelude::*;

    #[test]
    fn a_set_describes_itself_as_its_elements_do() {
        let [set, bag] = [false, true].map(|is_bag| SetOrBag::new(Integers, is_bag));
        assert_eq!(format!("{set:?}"), "Integers");
        assert_eq!(format!("{bag:?}"), "Bag { elements: Integers }");
        assert_eq!(format!("{set:#?}"), format!("{Integers:#?}"));
    }

    proptest! {
        #[test]
        fn either_gives_what_its_part_does(item in prop::collection::vec(0u64..9, 0..20)) {
            let all = |elements: &dyn Fn(&mut Vec<u64>)| {
                let mut list = vec![7];
                elements(&mut list);
                list
            };
            let set = SetOrBag::new(Hashes, false);
            let bag = SetOrBag::new(Hashes, true);
            let mut scratch = BagScratch::default();
            prop_assert_eq!(set.whole(&item), Some(&item[..]));
            prop_assert_eq!(bag.whole(&item), None);
            prop_assert_eq!(set.set(&item, &mut scratch), Hashes.set(&item, &mut ()));
            let expected = Bag::new(Hashes).set(&item, &mut BagScratch::default());
            prop_assert_eq!(bag.set(&item, &mut scratch), expected);
            for (elements, count) in [(set, item.len()), (bag, item.len())] {
                let collected = all(&|list| elements.collect(&item, &mut BagScratch::default(), list));
                let visited = all(&|list| {
                    let take = &mut |piece: &[u64]| list.extend_from_slice(piece);
                    elements.visit(&item, &mut BagScratch::default(), take);
                });
                prop_assert_eq!(&collected, &visited);
                prop_assert_eq!(collected.len(), count + 1);
            }
        }
    }
}
