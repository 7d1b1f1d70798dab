//! Thrift's compact protocol, in which Parquet states sizes.
//!
//! The parquet crate reads it too, but it trusts some of what it reads: it reserves memory
//! for as many children as a schema claims, follows them as deep as they go, and takes
//! lists of booleans for empty. So what is stated is looked at here first.

/// Structures within structures; Parquet has six.
const DEEPEST: u32 = 16;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// They end too early.
    Short,
    /// They cannot be this.
    Malformed,
}

/// The type of a value, as it is written before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    True,
    False,
    Byte,
    Integer,
    Double,
    Binary,
    List,
    Map,
    Struct,
    Uuid,
}

impl Kind {
    fn of(code: u8) -> Result<Self, Fault> {
        Ok(match code {
            1 => Self::True,
            2 => Self::False,
            3 => Self::Byte,
            4..=6 => Self::Integer,
            7 => Self::Double,
            8 => Self::Binary,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Struct,
            13 => Self::Uuid,
            _ => return Err(Fault::Malformed),
        })
    }
}

/// Values one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: u32,
}

impl<'a> Values<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            depth: 0,
        }
    }

    /// Bytes gone through.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes through the fields of a structure. `field` sees the number and the kind of
    /// each, and says whether it has read it; if not, it is skipped.
    pub(super) fn fields(
        &mut self,
        mut field: impl FnMut(&mut Self, i64, Kind) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        self.enter()?;
        let mut number = 0;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                self.depth -= 1;
                return Ok(());
            }
            let kind = Kind::of(byte & 15)?;
            number = match byte >> 4 {
                0 => self.integer()?,
                step => number + i64::from(step),
            };
            if i16::try_from(number).is_err() {
                return Err(Fault::Malformed);
            }
            if !field(self, number, kind)? {
                self.skip(kind)?;
            }
        }
    }

    /// The length and the kind of a list. Lists of booleans are refused: readers differ in
    /// how long they are, and Parquet has none where this is used.
    pub(super) fn list(&mut self) -> Result<(usize, Kind), Fault> {
        let byte = self.byte()?;
        // Some writers give an empty list no kind.
        if byte == 0 {
            return Ok((0, Kind::Byte));
        }
        let len = match byte >> 4 {
            15 => self.length()?,
            few => usize::from(few),
        };
        let kind = Kind::of(byte & 15)?;
        if matches!(kind, Kind::True | Kind::False) {
            return Err(Fault::Malformed);
        }
        // Every element has a byte at least.
        if len > self.bytes.len() - self.at {
            return Err(Fault::Short);
        }
        Ok((len, kind))
    }

    /// An integer of any width.
    pub(super) fn integer(&mut self) -> Result<i64, Fault> {
        let raw = self.unsigned()?;
        Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    /// An integer that a size or a code can be.
    pub(super) fn small(&mut self) -> Result<u32, Fault> {
        let value = self.integer()?;
        match i32::try_from(value) {
            Ok(value) if value >= 0 => Ok(value as u32),
            _ => Err(Fault::Malformed),
        }
    }

    pub(super) fn skip(&mut self, kind: Kind) -> Result<(), Fault> {
        match kind {
            Kind::True | Kind::False => Ok(()),
            Kind::Byte => self.pass(1),
            Kind::Integer => self.unsigned().map(|_| ()),
            Kind::Double => self.pass(8),
            Kind::Uuid => self.pass(16),
            Kind::Binary => {
                let len = self.length()?;
                self.pass(len)
            }
            Kind::Struct => self.fields(|_, _, _| Ok(false)),
            Kind::List => {
                let (len, kind) = self.list()?;
                self.enter()?;
                for _ in 0..len {
                    self.skip(kind)?;
                }
                self.depth -= 1;
                Ok(())
            }
            // Parquet has none.
            Kind::Map => Err(Fault::Malformed),
        }
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(Fault::Malformed),
            false => Ok(()),
        }
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.bytes.get(self.at).ok_or(Fault::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn pass(&mut self, len: usize) -> Result<(), Fault> {
        self.take(len).map(|_| ())
    }

    /// So many bytes as they are.
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..len).ok_or(Fault::Short)?;
        self.at += len;
        Ok(taken)
    }

    fn length(&mut self) -> Result<usize, Fault> {
        let len = self.unsigned()?;
        match i32::try_from(len) {
            Ok(_) => Ok(len as usize),
            Err(_) => Err(Fault::Malformed),
        }
    }

    /// An integer that is never negative.
    pub(super) fn unsigned(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(Fault::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_or_skipped() {
        // 1: i32 −3; 2: list of two binaries; 300: true; 301: struct { 1: double }; 303: i64 64.
        let mut bytes = vec![
            0x15, 5, 0x19, 0x28, 1, b'a', 0, 0x01, 0xD8, 0x04, 0x1C, 0x17,
        ];
        bytes.extend([0; 8]);
        bytes.extend([0, 0x26, 0x80, 0x01, 0, 99]);
        let mut values = Values::new(&bytes);
        let mut seen = Vec::new();
        let read = values.fields(|values, number, kind| {
            seen.push((number, kind));
            Ok(match number {
                1 => values.integer()? == -3,
                303 => values.small()? == 64,
                _ => false,
            })
        });
        assert_eq!(read, Ok(()));
        assert_eq!(values.at(), bytes.len() - 1);
        let kinds = [
            Kind::Integer,
            Kind::List,
            Kind::True,
            Kind::Struct,
            Kind::Integer,
        ];
        assert!(seen.iter().map(|s| s.1).eq(kinds), "{seen:?}");
        assert!(
            seen.iter().map(|s| s.0).eq([1, 2, 300, 301, 303]),
            "{seen:?}"
        );
        for len in 0..bytes.len() - 1 {
            let mut values = Values::new(&bytes[..len]);
            assert_eq!(
                values.fields(|_, _, _| Ok(false)),
                Err(Fault::Short),
                "{len}"
            );
        }
    }

    #[test]
    fn what_lies_is_refused() {
        let refused = |bytes: &[u8]| Values::new(bytes).fields(|_, _, _| Ok(false)).unwrap_err();
        // A list of 2^31 − 1 structures, one of booleans, a map, a kind that is none.
        assert_eq!(
            refused(&[0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0, 0]),
            Fault::Short
        );
        assert_eq!(refused(&[0x19, 0x21, 1, 1, 0]), Fault::Malformed);
        assert_eq!(refused(&[0x1B, 0, 0]), Fault::Malformed);
        assert_eq!(refused(&[0x1E, 0]), Fault::Malformed);
        // Structures within structures, and integers without end.
        assert_eq!(refused(&[0x1C; 1000]), Fault::Malformed);
        assert_eq!(refused(&[0x19; 1000]), Fault::Malformed);
        assert_eq!(
            refused(&[&[0x15][..], &[0xFF; 20]].concat()),
            Fault::Malformed
        );
        // A binary that is longer than all there is.
        assert_eq!(refused(&[0x18, 100, 0]), Fault::Short);
    }
}
