use std::{fmt, str::FromStr};

use tlsh::hash::body::FuzzyHashBody;
use tlsh::prelude::*;

use crate::Error;

/// A TLSH digest: 128 buckets, a checksum of one byte, version T1.
///
/// The quartile of a bucket is 2 bits. They lie in two planes, so that two digests are compared by counting bits: bit i
/// of `high` says whether bucket i is above the median, bit i of `low` whether it is in the upper half of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest {
    pub(crate) high: [u64; 2],
    pub(crate) low: [u64; 2],
    pub(crate) header: Header,
}

/// What a digest has besides the buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Header {
    pub(crate) checksum: u8,
    /// The logarithm of the length, in steps.
    pub(crate) length: u8,
    /// The ratios of quartiles, 4 bits each: q1 / q3 low, q2 / q3 high.
    pub(crate) ratios: u8,
}

impl Digest {
    /// The bytes of a digest.
    pub const BYTES: usize = 35;
    /// The buckets of a digest.
    pub const BUCKETS: u32 = 128;

    /// The digest of a file's bytes; `None` if they are fewer than 50, too uniform, or more than 4 GiB.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let mut generator = TlshGenerator::new();
        generator.update(bytes);
        let made = generator.finalize().ok()?;
        Some(Self::from_made(&made))
    }

    fn from_made(made: &Tlsh) -> Self {
        let (mut high, mut low) = ([0; 2], [0; 2]);
        for bucket in 0..Self::BUCKETS as usize {
            let quartile = u64::from(made.body().quartile(bucket));
            high[bucket / 64] |= (quartile >> 1) << (bucket % 64);
            low[bucket / 64] |= (quartile & 1) << (bucket % 64);
        }
        Self {
            high,
            low,
            header: Header {
                checksum: made.checksum().data()[0],
                length: made.length().value(),
                ratios: made.qratios().value(),
            },
        }
    }

    /// The logarithm of the file's length, in steps.
    #[must_use]
    pub fn length_step(&self) -> u8 {
        self.header.length
    }

    /// The quartile of a bucket, 0 to 3.
    ///
    /// # Panics
    /// If the bucket is not below 128.
    #[must_use]
    pub fn quartile(&self, bucket: u32) -> u8 {
        let (word, place) = (bucket as usize / 64, bucket % 64);
        let bit = |plane: &[u64; 2]| (plane[word] >> place & 1) as u8;
        bit(&self.high) << 1 | bit(&self.low)
    }

    /// The bytes in the order of the digits: `T1` and two digits per byte are the digest as text.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let Header {
            checksum,
            length,
            ratios,
        } = self.header;
        let mut bytes = [0; Self::BYTES];
        // Digits of the header come low half first.
        let header = [checksum, length, ratios].map(|byte| byte.rotate_left(4));
        bytes[..3].copy_from_slice(&header);
        for (byte, buckets) in bytes[3..]
            .iter_mut()
            .rev()
            .zip((0..Self::BUCKETS).step_by(4))
        {
            *byte = (0..4).fold(0, |byte, place| {
                byte | self.quartile(buckets + place) << (2 * place)
            });
        }
        bytes
    }

    /// Reads what [`to_bytes`](Digest::to_bytes) wrote.
    ///
    /// # Errors
    /// If there are not 35 bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes: &[u8; Self::BYTES] = bytes
            .try_into()
            .map_err(|_| Error::Length { found: bytes.len() })?;
        let (mut high, mut low) = ([0; 2], [0; 2]);
        for (&byte, first) in bytes[3..].iter().rev().zip((0..).step_by(4)) {
            for place in 0..4 {
                let (quartile, bucket) = (u64::from(byte >> (2 * place) & 3), first + place);
                high[bucket / 64] |= (quartile >> 1) << (bucket % 64);
                low[bucket / 64] |= (quartile & 1) << (bucket % 64);
            }
        }
        let [checksum, length, ratios] = [0, 1, 2].map(|place| bytes[place].rotate_left(4));
        Ok(Self {
            high,
            low,
            header: Header {
                checksum,
                length,
                ratios,
            },
        })
    }

    /// The planes and the header as they are, which is faster than the order of the digits.
    pub(crate) fn to_stored(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let [a, b] = self.high;
        let [c, d] = self.low;
        for (to, word) in bytes.chunks_exact_mut(8).zip([a, b, c, d]) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        let header = self.header;
        bytes[32..].copy_from_slice(&[header.checksum, header.length, header.ratios]);
        bytes
    }

    /// Reads what [`to_stored`](Digest::to_stored) wrote.
    pub(crate) fn from_stored(bytes: &[u8]) -> Result<Self, Error> {
        let (words, header) = bytes.as_chunks::<8>();
        match (words, header) {
            (&[a, b, c, d], &[checksum, length, ratios]) => Ok(Self {
                high: [a, b].map(u64::from_le_bytes),
                low: [c, d].map(u64::from_le_bytes),
                header: Header {
                    checksum,
                    length,
                    ratios,
                },
            }),
            _ => Err(Error::Length { found: bytes.len() }),
        }
    }

    /// The bytes of [`to_bytes`](Digest::to_bytes) as text.
    pub(crate) fn written(bytes: &[u8]) -> String {
        let digits = bytes.iter().map(|byte| format!("{byte:02X}"));
        "T1".to_owned() + &digits.collect::<String>()
    }
}

/// `T1` and 70 digits in upper case, as they are published.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Self::written(&self.to_bytes()))
    }
}

/// With or without `T1`, in any case.
impl FromStr for Digest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let made: Tlsh = text.parse().map_err(|_| Error::digest(text))?;
        Ok(Self::from_made(&made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::random_digest;
    use proptest::prelude::*;

    /// As the reference implementation computes it.
    #[test]
    fn value_stability() {
        let counted: Vec<u8> = (0..3000u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let written = Digest::of(&counted).map(|digest| digest.to_string());
        assert_eq!(
            written.as_deref(),
            Some("T1FB421819F21AAFFFD2277A13C1B51E6ACF582241ABC8F8DD10189144BAD7F2169A531C")
        );
    }

    #[test]
    fn what_has_no_digest() {
        assert_eq!(Digest::of(b""), None);
        let varied: Vec<u8> = (0..200u32)
            .map(|n| (n * n * 7) as u8 ^ (n >> 3) as u8)
            .collect();
        assert_eq!(Digest::of(&varied[..49]), None);
        assert!(Digest::of(&varied).is_some());
        assert_eq!(Digest::of(&[b'a'; 100_000]), None);
    }

    #[test]
    fn what_is_not_a_digest_is_named() {
        let wrong = |text: &str| text.parse::<Digest>().unwrap_err().to_string();
        assert_eq!(
            wrong("T1abc"),
            "`T1abc` is not a TLSH digest: expected T1 and 70 hexadecimal digits"
        );
        assert!(wrong("").contains("``"));
        assert!(wrong(&"x".repeat(500)).len() < 200);
        assert!(wrong("TNULL").contains("TNULL"));
        assert!(Digest::from_bytes(&[0; 34]).is_err());
    }

    proptest! {
        #[test]
        fn text_and_bytes_are_read_back(seed: u64) {
            let digest = random_digest(seed);
            prop_assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
            let lower = digest.to_string()[2..].to_lowercase();
            prop_assert_eq!(lower.parse::<Digest>().unwrap(), digest);
            prop_assert_eq!(Digest::from_bytes(&digest.to_bytes()).unwrap(), digest);
            prop_assert_eq!(Digest::from_stored(&digest.to_stored()).unwrap(), digest);
        }
    }
}
