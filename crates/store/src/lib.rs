//! One file of checked parts, which several processes change and none damages.
//!
//! ```text
//! head │ root │ root │ note │ block │ block │ … │ commit │ block │ … │ commit │ …
//! ```
//!
//! - A *block* is a list of bytes in pages of a kilobyte, each with a checksum: a [`Part`]. Blocks are never changed.
//! - A *commit* is a block that says what the file holds from then on: what it is made of is the caller's business.
//! - The two *roots* point to the last commit and to the one before.
//! - The *note* says who holds the lock.
//!
//! A [`Writer`] holds the lock of the file. It appends blocks and then a commit, waits until they are on disk, and only then
//! overwrites the older root. So a process that is killed, or a machine that loses power, leaves the older state or the new one.
//! Whoever has opened the file goes on reading the state that it found: a [`Store`] is a snapshot. What is not used any more
//! stays in the file until [`Writer::rewrite`] puts a smaller file in its place.
//!
//! Nothing is taken on trust: each page is checked whenever it is read, places and lengths are checked against the length
//! of the file, and [`Store::check`] reads every byte.
//!
//! ```
//! use lookalike_store::{Store, Writer};
//! use std::{io::Write, time::Duration};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("words");
//! let mut writer = Writer::create(&path, false)?;
//! let mut part = writer.part();
//! part.write_all(b"one two three")?;
//! let place = part.finish()?;
//! // The commit says where the words are. Another program may store something else in it.
//! writer.commit(&[place.at(), place.length(), place.number()].map(u64::to_le_bytes).concat())?;
//! writer.publish()?;
//!
//! let store = Store::open(&path)?;
//! let words = store.part("words", place)?;
//! assert_eq!(words.read(4..7, &mut Vec::new())?, b"two");
//! assert!(store.check(&|_| None).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One file rather than a folder: a copy of it is a backup, it has one lock and one name, and old segments need no list of
//! what may be removed. The price is room that is not used until the file is rewritten, at most as much as is used.

mod error;
mod layout;
mod lock;
mod part;
mod source;
mod store;
mod writer;

pub use error::Error;
pub use layout::{Place, VERSION};
pub use part::{Part, PartWriter};
pub use store::{Store, is_store};
pub use writer::Writer;
