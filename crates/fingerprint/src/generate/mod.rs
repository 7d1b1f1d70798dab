//! Made-up fingers and impressions of them, for tests, examples and measurements, as many as are wanted.
//!
//! A [`Finger`] is what skin has: a [`Pattern`] of ridges, and minutiae that follow it. An [`Impression`] says how a
//! print of it comes about: turned, moved, pressed out of shape, cut off, with minutiae missed and minutiae that are
//! none; what it gives is a [`Template`](crate::Template), as a file would.
//!
//! ```
//! use lookalike_fingerprint::generate::{Finger, Impression};
//!
//! let finger = Finger::new(7);
//! let usual = Impression::default();
//! let (gallery, probe) = (usual.of(&finger, 1), usual.of(&finger, 2));
//! assert_ne!(gallery, probe);
//! let perfect = Impression::perfect().of(&finger, 1);
//! assert_eq!(perfect.minutiae().len(), finger.minutiae().len());
//! ```
//!
//! # Likeness
//!
//! The defaults were chosen beside the 320 prints of FVC2002 that mindtct read, all four sets together: the prints
//! themselves, and the 280 pairs of a finger's first print and another, where 12 minutiae at least could be laid over
//! one another. 40 generated fingers of 8 prints stand beside them; `tests/likeness.rs` measures it again.
//!
//! | | real | generated |
//! |---|---|---|
//! | minutiae a print, mean and standard deviation | 45.0 ± 12.6 | 43.5 ± 12.5 |
//! | distance to the nearest, 5, 25, 50, 75 and 95%, in pixels | 7, 13, 20, 28, 44 | 8, 14, 20, 28, 43 |
//! | width and height that minutiae span | 226 × 309 | 233 × 309 |
//! | mean cos 2Δ, Δ between the directions of two minutiae less than 25, 25 to 50, … 125 to 150 pixels apart | .80 .66 .50 .33 .15 .01 | .81 .69 .48 .25 .04 −.13 |
//! | mean cos Δ, to 75 pixels | .15 .16 .10 | .15 .12 .10 |
//! | pairs of prints that could be laid over one another | 262 | 273 |
//! | turn between them, standard deviation, in radians | .214 | .216 |
//! | move between them, in pixels | 64 | 63 |
//! | what is left: places, in pixels, and directions | 3.9, .140 | 3.9, .140 |
//! | share of minutiae with one of the other print within 35 pixels | .83 | .84 |
//! | share of these that have a partner | .70 | .71 |
//!
//! What is not alike: directions far from each other have less to do with each other than in real prints; quality is
//! not generated; spurious minutiae are strewn, not clustered at scars and borders; and all prints are equally good,
//! where real sets mix good and bad ones.

mod finger;
mod impression;
mod ridges;

pub use finger::{Anatomy, Finger};
pub use impression::Impression;
pub use ridges::Pattern;

use lookalike_core::random::{self, Stream};

use crate::Error;

/// Not the streams that functions are drawn from: data and functions of one seed must have nothing to do with each other.
fn stream(what: &[u8; 8], seed: u64, number: u64) -> Stream {
    random::stream(random::derive(seed, u64::from_le_bytes(*what)), number)
}

/// The value, if it is in the range.
fn within(name: &'static str, value: f64, low: f64, high: f64) -> Result<f64, Error> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        let expected = format!("from {low} to {high}");
        Err(Error::parameter(name, value, expected))
    }
}
