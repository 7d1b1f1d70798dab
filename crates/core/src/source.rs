use std::fmt::Debug;

/// How many keys one item may have: 65 536.
///
/// An OR inside an AND multiplies keys. Past this many, an item costs more
/// than comparing it with everything would.
pub const KEY_LIMIT: u64 = 1 << 16;

/// The width up to which an index finds keys by address: the key itself is the number of its slot, and no key is
/// stored. Wider keys are hashed, and stored with the ids.
///
/// An index with this many postings per band then has at most about four slots per posting. The rule is here, next to
/// [`KeySource::key_bits`], because two sides follow it: the index, and families that plan how wide their keys are.
///
/// ```
/// use lookalike_core::addressed_bits;
///
/// assert_eq!(addressed_bits(1_000_000), 22);
/// assert_eq!(addressed_bits(usize::MAX), 32);
/// ```
#[must_use]
pub const fn addressed_bits(postings: usize) -> u32 {
    // The logarithm of the number of postings, rounded up, and two bits more.
    let bits = usize::BITS - postings.saturating_sub(1).leading_zeros() + 2;
    if bits < 32 { bits } else { 32 }
}

/// One item has more keys than [`KEY_LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} keys, more than the limit of {KEY_LIMIT}")]
pub struct TooManyKeys {
    /// How many keys the item has.
    pub count: u64,
}

/// What the engine sees of any way to hash: the keys under which an item is
/// stored, and the keys that a query asks.
///
/// The usual source is [`Drawn`](crate::Drawn): functions and a scheme. A
/// *sparse* source enumerates for each item the few functions that say yes.
/// Multi-probe, block search and containment all ask more keys than they store.
pub trait KeySource: Sync {
    /// What is hashed.
    type Item: ?Sized;
    /// What is stored next to an item's id under a key; `()` for most.
    type Payload: Payload;
    /// Memory to be used again from item to item.
    type Scratch: Default + Send;

    /// How many bands: each has buckets of its own.
    fn bands(&self) -> usize;

    /// How many low bits of a key may be set.
    fn key_bits(&self) -> u32;

    /// The source and its parameters in words. An index that was stored by a
    /// source with another description is refused.
    fn describe(&self) -> String;

    /// Emits the (band, key, payload) triples under which `item` is stored: bands below
    /// [`bands`](KeySource::bands), keys within [`key_bits`](KeySource::key_bits).
    /// An item without any meets nobody.
    fn keys(
        &self,
        item: &Self::Item,
        scratch: &mut Self::Scratch,
        emit: impl FnMut(u32, u64, Self::Payload),
    ) -> Result<(), TooManyKeys>;

    /// The same for many items: emits (place, band, key, payload), all keys of the item at place 0 first, then those of
    /// place 1, and so on. Worth overriding where many items together are faster than one by one; the keys must be those
    /// of [`keys`](KeySource::keys).
    ///
    /// # Errors
    /// The place of the first item that has too many keys.
    fn keys_of_all(
        &self,
        items: &[&Self::Item],
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(usize, u32, u64, Self::Payload),
    ) -> Result<(), (usize, TooManyKeys)> {
        for (place, item) in items.iter().enumerate() {
            let emit = |band, key, payload| emit(place, band, key, payload);
            let keys = self.keys(item, scratch, emit);
            keys.map_err(|error| (place, error))?;
        }
        Ok(())
    }

    /// Whether a query asks other keys than those under which an item is stored. A source that overrides
    /// [`probes`](KeySource::probes) overrides this too: a join of stored keys misses what only probes find.
    fn has_probes(&self) -> bool {
        false
    }

    /// Emits the triples that a query for `item` asks; those it is stored under unless overridden.
    fn probes(
        &self,
        item: &Self::Item,
        scratch: &mut Self::Scratch,
        emit: impl FnMut(u32, u64, Self::Payload),
    ) -> Result<(), TooManyKeys> {
        self.keys(item, scratch, emit)
    }
}

/// A small value stored next to an id: of a fixed width, and the same in every file.
pub trait Payload: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Bytes of a stored value.
    const BYTES: usize;
    /// Writes the value to `bytes`, which has `BYTES` places.
    fn store(self, bytes: &mut [u8]);
    /// Reads what `store` wrote.
    fn fetch(bytes: &[u8]) -> Self;
}

impl Payload for () {
    const BYTES: usize = 0;
    fn store(self, _: &mut [u8]) {}
    fn fetch(_: &[u8]) {}
}

macro_rules! integer_payloads {
    ($($int:ty)*) => {$(
        impl Payload for $int {
            const BYTES: usize = size_of::<$int>();
            fn store(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn fetch(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("BYTES places"))
            }
        }
    )*};
}

integer_payloads! { u8 u16 u32 u64 }
