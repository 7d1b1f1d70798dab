//! Bit vectors under Hamming distance: perceptual hashes, binary codes of embeddings, any bits.
//!
//! An item is a slice of `u64` words; [`Codes`] keeps many of one length in one piece of memory, and takes
//! and gives bits through [`bitvec`].
//!
//! - [`BitSampling`] draws bits at random: (d1, d2, 1−d1/n, 1−d2/n)-sensitive. An AND of r of them is one function that
//!   gathers r *distinct* bits into a narrow key, and agrees with the exact probability C(n−d, r)/C(n, r).
//! - [`Blocks`] cuts all bits into m blocks. Two codes that differ in fewer than m bits agree in one of them for certain.
//! - [`Probing`] asks for more keys than are stored: all within f flips of a table's key. Blocks then find
//!   everything up to a distance of m·(f+1) − 1.
//! - [`CodeTask::plan`] chooses among them, and brute force, from what is wanted.
//!
//! ```
//! use lookalike_core::LshFamily;
//! use lookalike_engine::BucketIndex;
//! use lookalike_hamming::{BitSampling, Codes};
//!
//! let mut codes = Codes::new(64)?;
//! for word in [0x0f0f_0f0f_0f0f_0f0f, 0x0f0f_0f0f_0f0f_0f0e, 0x1234_5678_9abc_def0u64] {
//!     codes.push(&[word])?;
//! }
//! let tables = BitSampling::new(64)?.and(16).or(8).draw(1)?;
//! let index = BucketIndex::build(tables, &codes)?;
//! let mut query = index.query();
//! let near = query.near(&[0x0f0f_0f0f_0f0f_0f0f], &codes, 3.0)?;
//! assert_eq!(near.len(), 2);
//! assert_eq!(near[1].distance, 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod chance;
mod codes;
mod distance;
mod error;
mod gather;
pub mod generate;
mod parse;
mod plan;
pub mod plugin;
mod probing;
mod sampling;

pub use blocks::Blocks;
pub use chance::within_flips;
pub use codes::Codes;
pub use distance::{Hamming, distance};
pub use error::Error;
pub use gather::Gather;
pub use parse::hex;
pub use plan::{CodeMethod, CodePlan, CodeTask};
pub use probing::{Probed, Probing};
pub use sampling::BitSampling;
