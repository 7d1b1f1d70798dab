use std::fmt::Debug;

use lookalike_core::mix;

/// How an item becomes a set: the hashes of its elements.
///
/// Text becomes a set by a [`Shingler`](crate::Shingler); a set of numbers already is one: [`Integers`].
pub trait Elements: Debug + Clone + Send + Sync {
    /// What has elements.
    type Item: ?Sized;
    /// Memory to be used again from item to item.
    type Scratch: Default + Send;

    /// Hands the hashes of all elements to `take`, piece by piece in their order. An
    /// element that occurs several times may come several times; without elements nothing comes.
    fn visit(&self, item: &Self::Item, scratch: &mut Self::Scratch, take: &mut dyn FnMut(&[u64]));

    /// Adds the hashes of all elements to a list.
    fn collect(&self, item: &Self::Item, scratch: &mut Self::Scratch, list: &mut Vec<u64>) {
        self.visit(item, scratch, &mut |piece| list.extend_from_slice(piece));
    }

    /// The hashes of all elements, where they are at hand in one piece.
    fn whole<'a>(&self, item: &'a Self::Item) -> Option<&'a [u64]> {
        let _ = item;
        None
    }

    /// The hashes as a set: ascending, each once.
    fn set(&self, item: &Self::Item, scratch: &mut Self::Scratch) -> Vec<u64> {
        let mut set = Vec::new();
        self.collect(item, scratch, &mut set);
        set.sort_unstable();
        set.dedup();
        set
    }
}

/// Sets of numbers: buyers, tags, k-mers, rows of a matrix.
///
/// Numbers are mixed, which is a bijection: different numbers never meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Integers;

impl Elements for Integers {
    type Item = [u64];
    type Scratch = ();

    fn visit(&self, item: &[u64], _: &mut (), take: &mut dyn FnMut(&[u64])) {
        const PIECE: usize = 256;
        let mut mixed = [0; PIECE];
        for piece in item.chunks(PIECE) {
            for (mixed, &x) in mixed.iter_mut().zip(piece) {
                *mixed = mix(x);
            }
            take(&mixed[..piece.len()]);
        }
    }
}

/// Elements that have been hashed already, by other [`Elements`], and are at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hashes;

impl Elements for Hashes {
    type Item = [u64];
    type Scratch = ();

    fn visit(&self, item: &[u64], _: &mut (), take: &mut dyn FnMut(&[u64])) {
        take(item);
    }

    fn whole<'a>(&self, item: &'a [u64]) -> Option<&'a [u64]> {
        Some(item)
    }
}
