use crate::Error;

/// Bytes that are read one after the other, and never past the end.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// What is being read, for messages.
    pub(super) part: String,
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
