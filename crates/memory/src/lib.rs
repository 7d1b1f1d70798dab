//! Long lists in large pages.
//!
//! Who reads here and there in hundreds of megabytes waits for the page table as long as for the memory
//! itself: with pages of 4 kB every read is a miss of both. Where the system offers pages of 2 MB on request, and only
//! then, [`Large`] asks for them. Queries of an index are faster by a third with it, and filling memory for the first
//! time takes a fraction of the page faults.
//!
//! [`prefetch`] says what will be read soon, and a [`Meter`] how much a program holds.

mod counting;
mod large;
mod prefetch;

pub use counting::{Counting, Meter};
pub use large::Large;
pub use prefetch::prefetch;
