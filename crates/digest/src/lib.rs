//! TLSH digests of files of any type, and search for files with similar digests.
//!
//! A [`Digest`] has 35 bytes, whatever the file: a header of its length and of the spread of its contents, and the
//! quartile of each of 128 buckets that count triples of nearby bytes. Digests are written `T1` and 70 hexadecimal
//! digits, and are those of the reference implementation (Oliver, Cheng, Chen: *TLSH, A Locality Sensitive Hash*, 2013).
//!
//! | to … | read |
//! |---|---|
//! | make or read a digest | [`Digest`] |
//! | compare two | [`distance`], [`Tlsh`] |
//! | compare one with many | [`Digests`] |
//! | have keys | [`MedianBits`] |
//! | choose bands and rows | [`Calibration`] |
//! | have something to work on | [`generate`] |
//!
//! ```
//! use lookalike_digest::{Digest, distance};
//!
//! let file: Vec<u8> = (0..2000u32).flat_map(|n| format!("line {}\n", n * n % 977).into_bytes()).collect();
//! let other = [&file[..9000], b"something else", &file[9000..]].concat();
//! let [a, b] = [&file, &other].map(|bytes| Digest::of(bytes).expect("long and varied enough"));
//! assert!(distance(&a, &b) < 30);
//! assert_eq!(a.to_string().parse(), Ok(a));
//! assert_eq!(Digest::of(b"too short"), None);
//! ```

mod calibration;
mod digest;
mod digests;
mod distance;
mod error;
pub mod generate;
mod median_bits;
pub mod plugin;

pub use calibration::{Calibration, Planned};
pub use digest::Digest;
pub use digests::Digests;
pub use distance::{DistanceParts, Tlsh, distance};
pub use error::Error;
pub use median_bits::{MedianBitTables, MedianBits};
