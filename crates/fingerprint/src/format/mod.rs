//! Files of minutiae: NIST's XYT, ISO/IEC 19794-2:2005 and ANSI INCITS 378-2004, read from bytes and written.
//!
//! All are brought into the frame of [`Minutia`](crate::Minutia) and [`Template`](crate::Template):
//!
//! | | origin | y | unit of direction | sense | resolution |
//! |---|---|---|---|---|---|
//! | here | bottom left | up | radian | ISO's | dots an inch |
//! | [XYT](xyt) | bottom left | up | degree | opposite | not in the file |
//! | [ISO](fmr) | top left | down | 360°/256 | ISO's | pixels a centimetre |
//! | [ANSI](fmr) | top left | down | 2° | ISO's | pixels a centimetre |
//!
//! All four count directions counter-clockwise as one sees them in the image.
//!
//! A record can hold several [`View`]s: fingers, or several prints of one. A print in which no minutiae were found is
//! a valid file in every format, and gives a template whose [`minutiae`](crate::Template::minutiae) are empty.
//!
//! ```
//! use lookalike_fingerprint::{DPI, format};
//!
//! let views = format::parse(b"83 214 90 61\n140 95 180 77\n", DPI)?;
//! let [view] = &views[..] else { panic!() };
//! assert_eq!(view.template.minutiae()[1].x, 140.0);
//! assert_eq!(view.template.minutiae()[1].direction, 0.0);
//!
//! let record = format::fmr::write(&views)?;
//! assert_eq!(format::detect(&record)?, format::Format::Iso);
//! assert_eq!(format::parse(&record, DPI)?[0].template.minutiae()[0].y, 214.0);
//! # Ok::<(), lookalike_fingerprint::Error>(())
//! ```

pub mod fmr;
#[cfg(test)]
mod tests;
mod view;
pub mod xyt;

pub use view::View;

use crate::Error;

/// A format in which minutiae are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Lines of `x y θ [quality]`, as NIST's mindtct writes and bozorth3 reads them.
    Xyt,
    /// ISO/IEC 19794-2:2005, the record format.
    Iso,
    /// ANSI INCITS 378-2004.
    Ansi,
}

/// The format that these bytes are in, by what they start with; ISO and ANSI by [the record's length](fmr#iso-or-ansi).
///
/// Bytes that are neither text nor a finger minutiae record are an error, and so are records of later editions, which
/// have other fields. Nothing at all is an XYT file without minutiae: what mindtct writes when it has found none.
pub fn detect(bytes: &[u8]) -> Result<Format, Error> {
    match fmr::detect(bytes)? {
        Some(format) => Ok(format),
        None => xyt::text(bytes).map(|_| Format::Xyt),
    }
}

/// The views in these bytes, whatever [format](detect) they are in.
///
/// The resolution, in dots an inch, is that of XYT files, which do not say theirs; [`DPI`](crate::DPI) is usual.
/// Records have it in their header.
pub fn parse(bytes: &[u8], xyt_dpi: f32) -> Result<Vec<View>, Error> {
    match detect(bytes)? {
        Format::Xyt => Ok(vec![View::new(xyt::parse(bytes, xyt_dpi)?)]),
        Format::Iso | Format::Ansi => fmr::parse(bytes),
    }
}
