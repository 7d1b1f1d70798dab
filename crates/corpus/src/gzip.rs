//! Gzip data, which may be several members one after the other.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// The bytes of all members. What follows the last one and is none is an error of its own: a decoder that takes it for
/// the start of a member would call it truncated.
#[derive(Debug)]
pub(crate) struct Members<R> {
    /// The member that is being read; none after the last.
    member: Option<GzDecoder<R>>,
}

/// The byte that every member starts with.
const START: u8 = 0x1f;

impl<R: BufRead> Members<R> {
    pub(crate) fn new(raw: R) -> Self {
        Self {
            member: Some(GzDecoder::new(raw)),
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let filled = member.read(buffer)?;
            if filled > 0 || buffer.is_empty() {
                return Ok(filled);
            }
            let next = member.get_mut().fill_buf()?.first().copied();
            self.member = match (next, self.member.take()) {
                (Some(START), Some(member)) => Some(GzDecoder::new(member.into_inner())),
                (Some(_), _) => {
                    let message = "bytes follow its end that are no gzip data; remove them";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                (None, _) => None,
            };
        }
        Ok(0)
    }
}
