use crate::{Error, MinValue};

/// A similarity estimated from two signatures, with its standard error.
///
/// The share of functions that agree, m/k, with standard error √(J(1−J)/k).
///
/// The error is that of the estimate itself, as the true similarity is not known: where all
/// functions agree, or none, it is 0, which is no promise. For a promise see
/// [`functions_for_estimate`](lookalike_core::tune::functions_for_estimate).
///
/// ```
/// use lookalike_minhash::{Estimate, value_of};
///
/// let s = [3, 1, 4, 1].map(value_of);
/// let t = [3, 1, 5, 9].map(value_of);
/// let estimate = Estimate::new(&s, &t)?;
/// assert_eq!(estimate.similarity(), 0.5);
/// assert_eq!(estimate.standard_error(), 0.25);
/// // An empty document is like nothing, not even like another empty one.
/// assert_eq!(Estimate::new(&[None; 4], &[None; 4])?.similarity(), 0.0);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    similarity: f64,
    standard_error: f64,
}

impl Estimate {
    /// From two signatures by the same functions, at least one.
    pub fn new(a: &[MinValue], b: &[MinValue]) -> Result<Self, Error> {
        check_lengths(a.len(), b.len())?;
        let agree = |(x, y): &(&MinValue, &MinValue)| x.is_some() && x == y;
        let agreed = a.iter().zip(b).filter(agree).count();
        Ok(Self::corrected(agreed, a.len(), 0.0))
    }

    /// From `agreed` of `k` slots, of which a share `chance` would agree without being alike.
    fn corrected(agreed: usize, k: usize, chance: f64) -> Self {
        let share = agreed as f64 / k as f64;
        let scale = 1.0 - chance;
        Self {
            similarity: ((share - chance) / scale).max(0.0),
            standard_error: (share * (1.0 - share) / k as f64).sqrt() / scale,
        }
    }

    /// The estimated similarity, 0 to 1.
    #[must_use]
    pub fn similarity(self) -> f64 {
        self.similarity
    }

    /// How far it may be off: its standard error.
    #[must_use]
    pub fn standard_error(self) -> f64 {
        self.standard_error
    }
}

fn check_lengths(a: usize, b: usize) -> Result<(), Error> {
    if a == b && a > 0 {
        return Ok(());
    }
    let lengths = format!("{a} and {b} long");
    let expected = "the answers of the same functions, at least one";
    Err(Error::parameter("signatures", lengths, expected))
}

/// A signature of one byte a function, an eighth of its size: enough to estimate a similarity.
///
/// A slot keeps the low byte of the mixed value. Slots of different values agree by chance once in
/// 256 times, so the estimate is (m/k − 1/256) / (1 − 1/256), not below 0, with standard
/// error √(q(1−q)/k) / (1 − 1/256) where q = m/k (Li and König 2010).
///
/// ```
/// use lookalike_core::{LshFamily, LshFunctions};
/// use lookalike_minhash::{Compact, Integers, Universal};
///
/// let functions = Universal::new(Integers).draw(128, 7);
/// let compact = |item: &[u64]| {
///     let mut signature = [None; 128];
///     functions.hash_into(item, &mut Default::default(), &mut signature);
///     Compact::new(&signature)
/// };
/// let (Some(s), Some(t)) = (compact(&[1, 2, 3]), compact(&[2, 3, 4])) else { unreachable!() };
/// assert_eq!(s.bytes().len(), 128);
/// let estimate = s.estimate(&t)?;
/// assert!((estimate.similarity() - 0.5).abs() < 3.0 * estimate.standard_error());
/// // An empty document has none.
/// assert_eq!(compact(&[]), None);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compact {
    bytes: Box<[u8]>,
}

impl Compact {
    /// The compact form of a signature; `None` for an empty document's.
    #[must_use]
    pub fn new(signature: &[MinValue]) -> Option<Self> {
        let mut bytes = vec![0; signature.len()];
        compact_into(signature, &mut bytes).then(|| Self {
            bytes: bytes.into(),
        })
    }

    /// A byte a function.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The similarity of the two documents, corrected for chance.
    pub fn estimate(&self, other: &Self) -> Result<Estimate, Error> {
        estimate_from_bytes(&self.bytes, &other.bytes)
    }
}

/// Writes a signature as bytes, for those who keep many in one array. False if some function
/// has no answer: the document is empty, and what was written means nothing.
///
/// # Panics
/// If `bytes` has another length than `signature`.
#[must_use]
pub fn compact_into(signature: &[MinValue], bytes: &mut [u8]) -> bool {
    assert_eq!(signature.len(), bytes.len(), "a byte for each value");
    let mut all = true;
    for (byte, value) in bytes.iter_mut().zip(signature) {
        let word = value.map_or(0, |value| value.get());
        all &= word != 0;
        *byte = lookalike_core::mix(word) as u8;
    }
    all
}

/// The similarity by two compact signatures, as [`Compact::estimate`].
pub fn estimate_from_bytes(a: &[u8], b: &[u8]) -> Result<Estimate, Error> {
    check_lengths(a.len(), b.len())?;
    let chance = 1.0 / 256.0;
    Ok(Estimate::corrected(equal_bytes(a, b), a.len(), chance))
}

/// How many places hold the same byte, over the length of the shorter.
///
/// Counted in bytes within pieces of 128, so that sixteen places fit into a register.
#[inline]
#[must_use]
pub fn equal_bytes(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = 128;
    let count = |a: &[u8], b: &[u8]| -> usize {
        let equal = a.iter().zip(b).map(|(x, y)| u8::from(x == y));
        equal.sum::<u8>().into()
    };
    let shorter = a.len().min(b.len());
    let (whole_a, rest_a) = a[..shorter].as_chunks::<PIECE>();
    let (whole_b, rest_b) = b[..shorter].as_chunks::<PIECE>();
    let whole = whole_a.iter().zip(whole_b);
    whole.map(|(a, b)| count(a, b)).sum::<usize>() + count(rest_a, rest_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::sets_with, *};
    use lookalike_core::{LshFamily, LshFunctions, random};
    use proptest::prelude::*;

    #[test]
    fn signatures_must_match() {
        let error = Estimate::new(&[value_of(1)], &[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "signatures is 1 and 0 long, but must be the answers of the same functions, at least one"
        );
        assert!(Estimate::new(&[], &[]).is_err() && estimate_from_bytes(&[], &[]).is_err());
        assert!(estimate_from_bytes(&[1], &[1, 2]).is_err());
    }

    #[test]
    fn an_empty_document_has_no_compact_signature() {
        assert_eq!(Compact::new(&[None; 4]), None);
        assert_eq!(Compact::new(&[value_of(1), None]), None);
        // A byte of 0 is a byte like others.
        let with_0 = (0..10_000).map(value_of).find(|&v| {
            let compact = Compact::new(&[v]).unwrap();
            compact.bytes() == [0]
        });
        assert!(with_0.is_some());
    }

    #[test]
    fn value_stability() {
        let signature = [0, 1, u64::from(u32::MAX), 1 << 40].map(value_of);
        assert_eq!(
            Compact::new(&signature).unwrap().bytes(),
            [229, 138, 63, 35]
        );
    }

    /// Without the correction, the estimate of unlike documents would be 1/256.
    #[test]
    fn the_estimates_are_right_on_average() {
        const K: usize = 128;
        const DRAWS: u64 = 2000;
        for wanted in [0.0, 0.2, 0.5, 0.9] {
            let mut sums = [[0.0; 3]; 2];
            let mut truth = 0.0;
            for draw in 0..DRAWS {
                let seed = random::derive(11, draw);
                let pair = sets_with(100, wanted, seed).unwrap();
                truth += pair.similarity();
                let functions = Universal::new(Integers).draw(K, seed);
                let [mut a, mut b] = [[None; K]; 2];
                functions.hash_into(pair.a(), &mut Default::default(), &mut a);
                functions.hash_into(pair.b(), &mut Default::default(), &mut b);
                let plain = Estimate::new(&a, &b).unwrap();
                let [a, b] = [a, b].map(|signature| Compact::new(&signature).unwrap());
                let share = equal_bytes(a.bytes(), b.bytes()) as f64 / K as f64;
                // Not cut off at 0, as an average must not be.
                let unbiased = (share - 1.0 / 256.0) / (1.0 - 1.0 / 256.0);
                let compact = a.estimate(&b).unwrap();
                assert!((compact.similarity() - unbiased.max(0.0)).abs() < 1e-12);
                for (sums, (value, error)) in sums.iter_mut().zip([
                    (plain.similarity(), plain.standard_error()),
                    (unbiased, compact.standard_error()),
                ]) {
                    sums[0] += value;
                    sums[1] += value * value;
                    sums[2] += error;
                }
            }
            let n = DRAWS as f64;
            for [sum, squares, errors] in sums {
                let mean = sum / n;
                let spread = (squares / n - mean * mean).max(0.0).sqrt();
                assert!(
                    (mean - truth / n).abs() <= 4.0 * spread / n.sqrt(),
                    "{wanted}: {mean}"
                );
                // The standard error is the spread of the estimates.
                if wanted > 0.0 {
                    assert!(
                        (errors / n / spread - 1.0).abs() < 0.08,
                        "{wanted}: {spread}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn equal_bytes_are_counted(
            a in prop::collection::vec(0u8..3, 0..600), b in prop::collection::vec(0u8..3, 0..600),
        ) {
            let definition = a.iter().zip(&b).filter(|(x, y)| x == y).count();
            prop_assert_eq!(equal_bytes(&a, &b), definition);
        }
    }
}
