use std::num::{NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64};

/// One function's answer: a bucket, or none.
///
/// Two items agree on a function if and only if both answers have `bits` and
/// the bits are equal. An answer without bits meets nothing, not even another
/// answer without bits.
///
/// ```
/// use lookalike_core::Key;
///
/// assert_eq!(7u8.bits(), Some(7));
/// assert_eq!(().bits(), Some(0)); // one bucket, everybody in it
/// assert_eq!(None::<u32>.bits(), None); // no bucket
/// ```
pub trait Key: Copy {
    /// How many low bits of [`Key::bits`] may be set.
    const BITS: u32;
    /// Whether every answer has a bucket.
    const ALWAYS: bool = true;
    /// The bucket's number, below 2^BITS.
    fn bits(self) -> Option<u64>;
}

impl Key for () {
    const BITS: u32 = 0;
    fn bits(self) -> Option<u64> {
        Some(0)
    }
}

impl Key for bool {
    const BITS: u32 = 1;
    fn bits(self) -> Option<u64> {
        Some(u64::from(self))
    }
}

macro_rules! integer_keys {
    ($($int:ty, $non_zero:ty;)*) => {$(
        impl Key for $int {
            const BITS: u32 = <$int>::BITS;
            fn bits(self) -> Option<u64> {
                Some(u64::from(self))
            }
        }
        impl Key for $non_zero {
            const BITS: u32 = <$int>::BITS;
            fn bits(self) -> Option<u64> {
                Some(u64::from(self.get()))
            }
        }
    )*};
}

integer_keys! { u8, NonZeroU8; u16, NonZeroU16; u32, NonZeroU32; u64, NonZeroU64; }

impl<K: Key> Key for Option<K> {
    const BITS: u32 = K::BITS;
    const ALWAYS: bool = false;
    fn bits(self) -> Option<u64> {
        self.and_then(Key::bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_fit_their_width() {
        fn check<K: Key>(largest: K) {
            let bits = largest.bits().unwrap();
            assert_eq!(64 - bits.leading_zeros(), K::BITS);
        }
        check(());
        check(true);
        check(u8::MAX);
        check(u16::MAX);
        check(u32::MAX);
        check(u64::MAX);
        check(NonZeroU32::MAX);
        check(Some(NonZeroU64::MAX));
    }

    #[test]
    fn only_an_option_may_stay_away() {
        const { assert!(<bool as Key>::ALWAYS && !<Option<()> as Key>::ALWAYS) };
        assert_eq!(None::<Option<u8>>.bits(), None);
        assert_eq!(Some(None::<u8>).bits(), None);
        // No sentinel: the niche makes "none" free of charge.
        assert_eq!(size_of::<Option<NonZeroU32>>(), 4);
    }
}
