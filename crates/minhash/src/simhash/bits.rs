use serde::{Deserialize, Serialize};

use crate::Error;

/// The bits of a SimHash code: 64 or 128. In files and flags the number.
///
/// ```
/// use lookalike_minhash::CodeBits;
///
/// assert_eq!(CodeBits::try_from(128)?.count(), 128);
/// assert!(CodeBits::try_from(100).is_err());
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum CodeBits {
    /// 64 bits.
    #[default]
    B64,
    /// 128 bits.
    B128,
}

impl CodeBits {
    /// The number of bits.
    #[must_use]
    pub const fn count(self) -> u32 {
        match self {
            Self::B64 => 64,
            Self::B128 => 128,
        }
    }
}

impl TryFrom<u32> for CodeBits {
    type Error = Error;

    fn try_from(bits: u32) -> Result<Self, Error> {
        match bits {
            64 => Ok(Self::B64),
            128 => Ok(Self::B128),
            other => Err(Error::parameter("bits", other, "64 or 128")),
        }
    }
}

impl From<CodeBits> for u32 {
    fn from(bits: CodeBits) -> Self {
        bits.count()
    }
}
