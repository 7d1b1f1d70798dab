use crate::Error;

/// The head of a NumPy file (`.npy`) with packed codes: an array of bytes, a row a code, as `np.packbits` makes
/// and faiss takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Npy {
    /// How many codes follow.
    pub codes: u64,
    /// Bytes of a code.
    pub bytes: usize,
    /// Where the codes start in the file.
    pub start: u64,
}

const MAGIC: &[u8] = b"\x93NUMPY";

impl Npy {
    /// The most bytes that the head of such a file can take here.
    pub const MOST: usize = 1 << 16;

    /// Whether a file that starts like this says that it is one.
    #[must_use]
    pub fn is_npy(start: &[u8]) -> bool {
        start.starts_with(MAGIC)
    }

    /// Reads the head from the start of a file: all of it, or its first [`MOST`](Npy::MOST) bytes.
    pub fn parse(file: &[u8]) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Npy(what.into());
        let cut = || wrong("the file ends in its head");
        if !Self::is_npy(file) {
            return Err(wrong("no NumPy file: it does not start with \\x93NUMPY"));
        }
        let byte = |at: usize| file.get(at).copied().ok_or_else(cut);
        let (length, head) = match byte(6)? {
            1 => (usize::from(u16::from_le_bytes([byte(8)?, byte(9)?])), 10),
            2 | 3 => {
                let length = u32::from_le_bytes([byte(8)?, byte(9)?, byte(10)?, byte(11)?]);
                (length as usize, 12)
            }
            version => {
                return Err(Error::Npy(format!(
                    "version {version} of the NumPy format is not known"
                )));
            }
        };
        if length > Self::MOST - head {
            return Err(Error::Npy(format!("its head claims {length} bytes")));
        }
        let text = file.get(head..head + length).ok_or_else(cut)?;
        let text = std::str::from_utf8(text).map_err(|_| wrong("its head is not text"))?;
        let fields = fields(text).ok_or_else(|| wrong("its head is no NumPy dictionary"))?;
        let field = |name: &str| {
            let found = fields.iter().find(|(key, _)| *key == name);
            let missing = || Error::Npy(format!("its head lacks {name:?}"));
            found.map(|(_, value)| *value).ok_or_else(missing)
        };
        let kind = field("descr")?.trim_matches(['\'', '"']);
        if !matches!(kind, "|u1" | "<u1" | ">u1" | "=u1" | "u1" | "|i1" | "|b1")
            || kind.ends_with("b1")
        {
            return Err(Error::Npy(format!(
                "an array of {kind:?}, but packed codes are uint8, \"|u1\"{}",
                remedy(kind)
            )));
        }
        if kind.ends_with("i1") {
            return Err(Error::Npy(
                "an array of int8, but packed codes are uint8: use array.view(np.uint8)".into(),
            ));
        }
        let shape: Option<Vec<u64>> = field("shape")?
            .trim_matches(['(', ')'])
            .split(',')
            .map(str::trim)
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().ok())
            .collect();
        let shape = shape.ok_or_else(|| wrong("its head has no shape of whole numbers"))?;
        let [codes, bytes] = shape[..] else {
            return Err(Error::Npy(format!(
                "an array of shape {shape:?}, but codes are rows of bytes: [codes, bytes]"
            )));
        };
        // A single row, or rows of one byte, are the same in both orders.
        if field("fortran_order")? != "False" && codes > 1 && bytes > 1 {
            return Err(wrong(
                "the array is stored column by column (Fortran order): use np.ascontiguousarray",
            ));
        }
        let most = (crate::Codes::MAX_BITS / 8) as u64;
        if !(1..=most).contains(&bytes) {
            return Err(Error::Npy(format!(
                "codes of {bytes} bytes: from 1 to {most} can be used"
            )));
        }
        Ok(Self {
            codes,
            bytes: bytes as usize,
            start: (head + length) as u64,
        })
    }
}

fn remedy(kind: &str) -> &'static str {
    if kind.ends_with("b1") {
        ": use np.packbits(array, axis=1)"
    } else if kind.starts_with('>') {
        ": it is big-endian; use array.astype(array.dtype.newbyteorder('<')).view(np.uint8)"
    } else if kind == "|i1" || kind.starts_with("<u") || kind.starts_with("<i") {
        ": use array.view(np.uint8)"
    } else {
        ""
    }
}

/// The keys and values of a Python dictionary with strings as keys and no nested ones.
fn fields(text: &str) -> Option<Vec<(&str, &str)>> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut fields = Vec::new();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once(':')?;
        let key = key.trim().trim_matches(['\'', '"']);
        // A comma in a tuple or a list ends nothing.
        let mut depth = 0i32;
        let end = after.find(|character| {
            match character {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            character == ',' && depth == 0
        });
        let (value, next) = match end {
            Some(end) => (&after[..end], &after[end + 1..]),
            None => (after, ""),
        };
        fields.push((key, value.trim()));
        rest = next.trim();
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(head: &str) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((head.len() as u16).to_le_bytes());
        file.extend(head.as_bytes());
        file
    }

    #[test]
    fn the_head_says_how_many_codes_of_how_many_bytes() {
        let head = "{'descr': '|u1', 'fortran_order': False, 'shape': (1000, 32), }          \n";
        let npy = Npy::parse(&file(head)).unwrap();
        let start = 10 + head.len() as u64;
        assert_eq!(
            npy,
            Npy {
                codes: 1000,
                bytes: 32,
                start
            }
        );
        let mut second = b"\x93NUMPY\x02\x00".to_vec();
        second.extend((head.len() as u32).to_le_bytes());
        second.extend(head.as_bytes());
        assert_eq!(Npy::parse(&second).unwrap().start, start + 2);
    }

    #[test]
    fn what_is_no_array_of_codes_says_why_and_what_to_do() {
        let message = |descr: &str, order: &str, shape: &str| {
            let head =
                format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
            Npy::parse(&file(&head)).unwrap_err().to_string()
        };
        assert!(message("'<u8'", "False", "(5, 4)").contains("use array.view(np.uint8)"));
        assert!(message("'>u8'", "False", "(5, 4)").contains("big-endian"));
        assert!(message("'|b1'", "False", "(5, 64)").contains("np.packbits"));
        assert!(message("'<f4'", "False", "(5, 64)").contains("\"<f4\""));
        assert!(message("'|i1'", "False", "(5, 64)").contains("use array.view"));
        assert!(message("[('a', '<u8')]", "False", "(5,)").contains("uint8"));
        assert!(message("'|u1'", "True", "(5, 8)").contains("ascontiguousarray"));
        assert!(message("'|u1'", "False", "(5,)").contains("[5]"));
        assert!(message("'|u1'", "False", "()").contains("[]"));
        assert!(message("'|u1'", "False", "(5, 0)").contains("0 bytes"));
        assert!(message("'|u1'", "False", "(5, 8, 2)").contains("[5, 8, 2]"));
        assert!(message("'|u1'", "False", "(-5, 8)").contains("whole numbers"));
        let message = |bytes: &[u8]| Npy::parse(bytes).unwrap_err().to_string();
        assert!(message(b"PK\x03\x04").contains("no NumPy file"));
        assert!(message(b"\x93NUMPY").contains("ends in its head"));
        assert!(message(b"\x93NUMPY\x09\x00\x00\x00").contains("version 9"));
        assert!(message(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").contains("claims 4294967295"));
        assert!(message(&file("{'descr': '|u1'}")).contains("lacks \"shape\""));
        assert!(message(&file("nothing")).contains("no NumPy dictionary"));
    }

    proptest! {
        #[test]
        fn no_head_is_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in ".{0,60}") {
            let _ = Npy::parse(&bytes);
            let _ = Npy::parse(&[MAGIC, &bytes].concat());
            let _ = Npy::parse(&file(&text));
            let _ = Npy::parse(&file(&format!("{{{text}}}")));
        }
    }
}
