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

/// The first byte that is not 0: tapes and block devices pad a file with zeros, which gzip(1) ignores, too.
fn after_zeros(raw: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let bytes = raw.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        match bytes.get(zeros) {
            Some(byte) => {
                let byte = *byte;
                raw.consume(zeros);
                return Ok(Some(byte));
            }
            None if bytes.is_empty() => return Ok(None),
            None => raw.consume(zeros),
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
            let next = after_zeros(member.get_mut())?;
            self.member = match (next, self.member.take()) {
                (Some(START), Some(member)) => Some(GzDecoder::new(member.into_inner())),
                (Some(_), _) => {
                    let message = "bytes follow its end that are not gzip data; remove them";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                (None, _) => None,
            };
        }
        Ok(0)
    }
}
