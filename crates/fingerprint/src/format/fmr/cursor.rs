use std::fmt::{self, Display};

use crate::Error;

/// Bytes that are read one after the other, and never past the end.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// What is being read, for messages.
    pub(super) part: Part,
}

/// A part of a record, counted from 1; only put into words for an error.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Header,
    View { number: u8, of: u8 },
    Minutia { view: [u8; 2], number: u8, of: u8 },
    Extended { view: [u8; 2] },
    End,
}

impl Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "the header"),
            Self::View { number, of } => write!(f, "view {number} of {of}"),
            Self::Minutia {
                view: [view, views],
                number,
                of,
            } => write!(f, "view {view} of {views}, minutia {number} of {of}"),
            Self::Extended {
                view: [view, views],
            } => write!(f, "the extended data of view {view} of {views}"),
            Self::End => write!(f, "the end"),
        }
    }
}

impl Cursor<'_> {
    pub(super) fn wrong(&self, at: usize, what: String) -> Error {
        let what = format!("{}: {what}", self.part);
        Error::Record { at, what }
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<&[u8], Error> {
        let left = &self.bytes[self.at..];
        let Some(taken) = left.get(..count) else {
            let left = left.len();
            let what = format!("{count} bytes are needed, but only {left} are left");
            return Err(self.wrong(self.at, what));
        };
        self.at += count;
        Ok(taken)
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let bytes = self.skip(N)?;
        Ok(bytes.try_into().expect("as many as were asked for"))
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        self.take().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Error> {
        self.take().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<usize, Error> {
        self.take().map(|bytes| u32::from_be_bytes(bytes) as usize)
    }
}
