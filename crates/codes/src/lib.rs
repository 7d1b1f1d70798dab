//! Binary codes from files: which are near each other, and which are near a query.
//!
//! ```text
//! file ──Input──▶ Collection (codes, names) ──CodeTask──▶ CodePlan ──Finder──▶ near codes, or near pairs
//! ```
//!
//! - [`Input`] reads hexadecimal lines, records with a hexadecimal field, packed bytes, and NumPy arrays.
//! - [`plan`] chooses how to search: bits, tables, blocks and flips follow from the length of the codes, the
//!   radius and the recall, and from how alike the codes are.
//! - [`Finder`] answers queries, [`pairs`] finds all pairs; equal codes are compared once.
//!
//! ```
//! use lookalike_codes::{Aim, Finder, Input, plan};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("hashes.txt");
//! # std::fs::write(&path, "ffee00112233445566\nffee00112233445567\n00000000000000ffff\n").unwrap();
//! let collection = Input::new(path.to_str().unwrap()).read()?;
//! let aim = Aim { radius: 3, recall: None };
//! let plan = plan(&collection.codes, 1, aim, 1 << 30)?;
//! let finder = Finder::new(&collection.codes, plan, 0)?;
//! let near = finder.near(&[collection.codes.get(0)], 3, usize::MAX)?;
//! assert_eq!(near[0].len(), 2);
//! assert_eq!(collection.names.text(near[0][1].id), format!("{}:2", path.display()));
//! # Ok::<(), lookalike_codes::Error>(())
//! ```

mod binary;
mod error;
mod finder;
mod input;
mod names;
mod pairs;
mod unique;

pub use error::{BITS, Error, FIELD};
pub use finder::{Aim, Finder, plan};
pub use input::{Collection, Format, Input};
pub use names::Names;
pub use pairs::{Pairs, pairs};
