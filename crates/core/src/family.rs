use std::fmt::Debug;

use crate::{Amplified, Bounds, Error, Key, Scheme, Sensitivity};

/// A family of locality-sensitive functions.
///
/// A family's author writes three methods, [`collision`](LshFamily::collision),
/// [`draw`](LshFamily::draw) and [`LshFunctions::hash_into`], and a distance
/// ([`Metric`](crate::Metric)); everything else follows. The guide
/// `docs/your-own-family.md` builds one from nothing.
pub trait LshFamily: Sized + Debug {
    /// What the functions hash.
    type Item: ?Sized;
    /// Several functions drawn together.
    type Functions: LshFunctions<Item = Self::Item>;

    /// Bounds on the probability that two items at this distance agree on one
    /// function, non-increasing in the distance.
    ///
    /// Equal bounds say that it is known exactly. The looser they are, the
    /// fewer wrong implementations [`conformance`](crate::conformance) can tell
    /// from right ones, and the more functions [`tune`](crate::tune) asks for.
    fn collision(&self, distance: f64) -> Bounds;

    /// `k` functions, drawn together. The same `k` and `seed` give the same
    /// functions on every machine.
    fn draw(&self, k: usize, seed: u64) -> Self::Functions;

    /// A family each of whose functions is the AND of `rows` functions of this
    /// one, where there is a better way than asking each of them.
    ///
    /// Sampling r *distinct* bits at once is one; its `collision` is then the
    /// exact one of the fused function. An innermost AND of a scheme goes
    /// through here.
    fn fused(&self, rows: u32) -> Option<Self> {
        let _ = rows;
        None
    }

    /// The promise of a whole scheme, to be overridden where functions that
    /// are drawn together depend on each other.
    fn joint(&self, scheme: &Scheme, distance: f64) -> Bounds {
        scheme.bounds(self.collision(distance))
    }

    /// The family and its parameters in words, recorded in stored indexes: a
    /// file made by a family that describes itself otherwise is refused.
    fn describe(&self) -> String {
        format!("{self:?}")
    }

    /// What one function promises: (d1, d2, p1, p2).
    fn sensitivity(&self, d1: f64, d2: f64) -> Result<Sensitivity, Error> {
        let p1 = self.collision(d1).lower();
        let p2 = self.collision(d2).upper();
        Sensitivity::new(d1, d2, p1, p2)
    }

    /// The family under a scheme.
    fn amplify(self, scheme: Scheme) -> Amplified<Self> {
        Amplified::new(self, scheme)
    }

    /// Functions that agree where all of `rows` agree.
    ///
    /// # Panics
    /// Where [`Amplified::and`] does: `rows` is 0.
    fn and(self, rows: u32) -> Amplified<Self> {
        self.amplify(Scheme::default()).and(rows)
    }

    /// Functions that agree where at least one of `bands` agrees.
    ///
    /// # Panics
    /// Where [`Amplified::or`] does: `bands` is 0.
    fn or(self, bands: u32) -> Amplified<Self> {
        self.amplify(Scheme::default()).or(bands)
    }

    /// What a scheme over this family promises at a distance, its innermost
    /// AND fused where the family can.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Bounds {
        match self.fuse(scheme) {
            Some((fused, rest)) => fused.joint(&rest, distance),
            None => self.joint(scheme, distance),
        }
    }

    /// The fused family and what remains of the scheme, where there is one.
    #[doc(hidden)]
    fn fuse(&self, scheme: &Scheme) -> Option<(Self, Scheme)> {
        let (rows, rest) = scheme.split_innermost_and()?;
        Some((self.fused(rows)?, rest))
    }
}

/// Functions drawn from a family, applied together.
///
/// How is theirs to choose: one pass of minhash, a matrix product, a gather of bits.
pub trait LshFunctions: Send + Sync {
    /// What is hashed.
    type Item: ?Sized;
    /// One function's answer.
    type Key: Key + Default + Send;
    /// Memory to be used again from item to item.
    type Scratch: Default + Send;

    /// How many functions there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many low bits of an answer may be set. Narrow answers let the
    /// engine find buckets by address.
    fn key_bits(&self) -> u32 {
        Self::Key::BITS
    }

    /// Writes function i's answer for `item` to `keys[i]`; `keys` has [`len`](LshFunctions::len) places.
    fn hash_into(&self, item: &Self::Item, scratch: &mut Self::Scratch, keys: &mut [Self::Key]);

    /// The same for many items, one after the other: function i's answer for item j goes to `keys[j · len + i]`. Worth
    /// overriding where many items together are faster, as in a matrix product. The answers must be those of
    /// [`hash_into`](LshFunctions::hash_into).
    fn hash_all_into(
        &self,
        items: &[&Self::Item],
        scratch: &mut Self::Scratch,
        keys: &mut [Self::Key],
    ) {
        for (item, keys) in items.iter().zip(keys.chunks_mut(self.len().max(1))) {
            self.hash_into(item, scratch, keys);
        }
    }
}
