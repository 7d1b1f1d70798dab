use bitvec::{order::Lsb0, vec::BitVec};
use lookalike_core::plugin::{Container, Error, Kind, Remedy, Setting, Value};
use serde::{Deserialize, Serialize};

use crate::{Codes, hex};

/// Bit vectors of one length: image hashes, binary codes of embeddings.
///
/// Text is hexadecimal digits, two per byte, with an optional `0x`; or bits such as `10111`, if the reading says so or
/// `0b` stands before them. Bytes are packed codes, integers are words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Code;

/// How codes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodeReading {
    /// What the digits of a code in text are; `None`: hexadecimal, unless that is in doubt.
    pub digits: Option<Digits>,
    /// Bits that every code must have; `None`: those of the first.
    pub bits: Option<usize>,
}

/// The digits of a code in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digits {
    /// Hexadecimal digits, four bits each; the first two digits are the first eight bits.
    Hex,
    /// 0 and 1, the first bit first.
    Bits,
}

/// The setting that says what digits are.
const FORMAT: Setting = Setting("format");

impl Kind for Code {
    const NAME: &'static str = "code";
    const FIELD: &'static str = "hash";
    type Item = [u64];
    type Items = Codes;
    type Reading = CodeReading;

    fn parse(value: Value<'_>, reading: &CodeReading, codes: &mut Codes) -> Result<(), Error> {
        let mut words = Vec::new();
        let value = value.naturals(&mut words).map_err(|error| {
            error.remedy(Remedy::advice(
                "view the array as unsigned integers, such as array.view(np.uint8)",
            ))
        })?;
        match value {
            Value::Bytes(bytes) => {
                let bits = reading.bits.filter(|bits| bits.div_ceil(8) == bytes.len());
                let bits = bits.unwrap_or(bytes.len() * 8);
                fit(codes, bits, reading)?.push_bytes(bytes)?;
            }
            Value::Integers(words) => fit(codes, words.len() * 64, reading)?.push(words)?,
            Value::Text(text) => return parse_text(text, reading, codes),
            other => return Err(other.unexpected("a code in hexadecimal digits")),
        }
        Ok(())
    }

    /// Hexadecimal digits, or `0b` and bits if the bits do not fill bytes.
    fn show(code: &[u64], bits: usize) -> String {
        if bits.is_multiple_of(8) {
            return bytes_of(code, bits)
                .map(|byte| format!("{byte:02x}"))
                .collect();
        }
        let bit = |place: usize| char::from(b'0' + (code[place / 64] >> (place % 64) & 1) as u8);
        format!("0b{}", (0..bits).map(bit).collect::<String>())
    }

    /// The words as bits, the first bit first; at most the first 256 bits. A last word that is not full is shown with
    /// the zeros that fill it.
    fn summary(code: &[u64], _: usize) -> String {
        let words = code.iter().take(4);
        let words = words.map(|word| format!("{:064b}", word.reverse_bits()));
        words.collect::<Vec<String>>().join(" ")
    }

    /// The bytes of the code, then how many bits of the last one do not count.
    fn encode(code: &[u64], bits: usize, bytes: &mut Vec<u8>) {
        bytes.extend(bytes_of(code, bits));
        bytes.push((bits.next_multiple_of(8) - bits) as u8);
    }

    fn decode(bytes: &[u8], codes: &mut Codes) -> Result<(), Error> {
        let (bytes, bits) = match bytes {
            [bytes @ .., spare] if *spare < 8 && !bytes.is_empty() => {
                (bytes, bytes.len() * 8 - usize::from(*spare))
            }
            _ => return Err(Error::new("the bytes of a stored code are damaged")),
        };
        fit(codes, bits, &CodeReading::default())?.push_bytes(bytes)?;
        Ok(())
    }

    fn width(codes: &Codes) -> usize {
        codes.bit_length()
    }

    /// Refuses codes of which all digits are 0 and 1, unless the reading says what they are.
    fn check(codes: &Codes, reading: &CodeReading) -> Result<(), Error> {
        if reading.digits.is_some() || !codes.are_all_binary_digits() {
            return Ok(());
        }
        let message = "all digits of all codes are 0 and 1: are they bits or hexadecimal digits?";
        Err(Error::new(message)
            .remedy(Remedy::with_value("for bits, add", FORMAT, "bits"))
            .remedy(Remedy::with_value("for hexadecimal digits", FORMAT, "hex")))
    }
}

fn parse_text(text: &str, reading: &CodeReading, codes: &mut Codes) -> Result<(), Error> {
    let text = text.trim();
    // A blank line is not a code.
    if text.is_empty() {
        return Ok(());
    }
    let marked = text.strip_prefix("0b").or(text.strip_prefix("0B"));
    let is_bits = match reading.digits {
        Some(digits) => digits == Digits::Bits,
        None => marked.is_some_and(|digits| is_marked(digits, text, codes)),
    };
    if is_bits {
        let bits = bits(marked.unwrap_or(text))?;
        fit(codes, bits.len(), reading)?.push_bits(&bits)?;
        return Ok(());
    }
    let bytes = match hex(text) {
        Ok(bytes) => bytes,
        Err(error) => {
            let is_binary = text.bytes().all(|digit| matches!(digit, b'0' | b'1'));
            let error = Error::from(error);
            return Err(error.remedy(match is_binary {
                true => Remedy::with_value("for bits, add", FORMAT, "bits"),
                false => Remedy::advice("a code is written like 00ffee11"),
            }));
        }
    };
    let is_prefixed = text.starts_with("0x") || text.starts_with("0X");
    let is_binary = !is_prefixed && text.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    fit(codes, bytes.len() * 8, reading)?.push_bytes(&bytes)?;
    codes.note_digits(is_binary);
    Ok(())
}

/// Whether the digits after `0b` are bits. The mark may also be the first two hexadecimal digits of a code: then other
/// digits follow, or the codes before have the length that hexadecimal digits give.
fn is_marked(digits: &str, text: &str, codes: &Codes) -> bool {
    let are_bits = !digits.is_empty() && digits.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    let expected = codes.bit_length();
    are_bits && (digits.len() == expected || text.len() * 4 != expected)
}

/// The container, with the length of its codes settled by the first.
fn fit<'a>(
    codes: &'a mut Codes,
    bits: usize,
    reading: &CodeReading,
) -> Result<&'a mut Codes, Error> {
    if let Some(expected) = reading.bits.filter(|&expected| expected != bits) {
        let message = format!("a code of {bits} bits, but {expected} bits were asked for");
        return Err(Error::new(message));
    }
    if codes.bit_length() == 0 {
        *codes = Codes::new(bits)?;
    }
    if codes.bit_length() != bits {
        let expected = codes.bit_length();
        let message = format!(
            "a code of {bits} bits among codes of {expected} bits: all must have the same length"
        );
        return Err(Error::new(message));
    }
    Ok(codes)
}

fn bits(digits: &str) -> Result<BitVec<u64, Lsb0>, Error> {
    let bit = |digit: char| match digit {
        '0' => Ok(false),
        '1' => Ok(true),
        other => Err(Error::new(format!(
            "{other:?} in a code that should be bits, 0 and 1"
        ))),
    };
    digits.chars().map(bit).collect()
}

fn bytes_of(code: &[u64], bits: usize) -> impl Iterator<Item = u8> {
    let bytes = code.iter().flat_map(|word| word.to_le_bytes());
    bytes.take(bits.div_ceil(8))
}

impl Container<[u64]> for Codes {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        Ok(Self::append(self, more)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::plugin::Remedied;
    use proptest::prelude::*;

    fn parsed(texts: &[&str], reading: CodeReading) -> Result<Codes, Error> {
        let mut codes = Codes::default();
        for text in texts {
            Code::parse(Value::Text(text), &reading, &mut codes)?;
        }
        Code::check(&codes, &reading)?;
        Ok(codes)
    }

    #[test]
    fn rows_of_integers_are_words() {
        let default = CodeReading::default();
        let mut codes = Codes::default();
        Code::parse(Value::Integers(&[3, u64::MAX]), &default, &mut codes).unwrap();
        Code::parse(Value::Signed(&[3, i64::MAX]), &default, &mut codes).unwrap();
        assert_eq!(codes.bit_length(), 128);
        assert_eq!(codes.get(0), [3, u64::MAX]);
        assert_eq!(codes.get(1), [3, i64::MAX as u64]);
        let wrong = Code::parse(Value::Signed(&[3, -1]), &default, &mut codes).unwrap_err();
        assert!(
            wrong.to_string().contains("the negative number -1"),
            "{wrong}"
        );
        assert!(wrong.remedies()[0].to_string().contains("array.view"));
        assert_eq!(codes.len(), 2);
    }

    #[test]
    fn digits_that_are_all_binary_are_in_doubt() {
        let bits = CodeReading {
            digits: Some(Digits::Bits),
            bits: None,
        };
        let hex = CodeReading {
            digits: Some(Digits::Hex),
            bits: None,
        };
        let doubtful = parsed(&["10110011", "00000001"], CodeReading::default()).unwrap_err();
        assert_eq!(doubtful.remedies().len(), 2);
        assert_eq!(
            doubtful.remedies()[0].to_string(),
            "for bits, add `format = bits`"
        );
        assert_eq!(parsed(&["10110011"], hex).unwrap().bit_length(), 32);
        let codes = parsed(&["10111", "00001"], bits).unwrap();
        assert_eq!(
            (codes.bit_length(), codes.get(0), codes.get(1)),
            (5, &[0b11101][..], &[0b10000][..])
        );
        // One digit settles it, and so does a prefix.
        let default = CodeReading::default();
        assert!(parsed(&["10110011", "0000000a"], default).is_ok());
        assert!(parsed(&["0x10110011"], default).is_ok());
        assert_eq!(parsed(&["0b10111"], default).unwrap().bit_length(), 5);
        // An odd number of binary digits can only be bits.
        let odd = parsed(&["10111"], default).unwrap_err();
        assert_eq!(
            odd.remedies()[0].to_string(),
            "for bits, add `format = bits`"
        );
        assert!(parsed(&["102"], bits).is_err());
        // A hexadecimal code may start with 0b.
        let codes = parsed(&["0ba1", "ffee", "0b11"], default).unwrap();
        assert_eq!((codes.bit_length(), codes.get(2)), (16, &[0x110b][..]));
        assert_eq!(parsed(&["0b11", "0B01"], hex).unwrap().bit_length(), 16);
    }

    #[test]
    fn a_summary_has_the_first_bits() {
        let zeros = "0".repeat(61);
        assert_eq!(Code::summary(&[0b101], 64), format!("101{zeros}"));
        let words = Code::summary(&[0b101; 6], 384);
        assert_eq!(words, vec![format!("101{zeros}"); 4].join(" "));
    }

    #[test]
    fn lengths_must_agree() {
        let wrong = parsed(&["a1b2", "", "a1b2c3"], CodeReading::default()).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "a code of 24 bits among codes of 16 bits: all must have the same length"
        );
        let reading = CodeReading {
            digits: None,
            bits: Some(64),
        };
        let wrong = parsed(&["a1b2"], reading).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "a code of 16 bits, but 64 bits were asked for"
        );
        let mut codes = Codes::default();
        let wrong = Code::parse(Value::Json("[1]"), &reading, &mut codes).unwrap_err();
        assert!(wrong.to_string().contains("found the array `[1]`"));
    }

    proptest! {
        #[test]
        fn text_and_bytes_are_read_back(bits in 1usize..200, words in prop::collection::vec(any::<u64>(), 4)) {
            let mut codes = Codes::new(bits).unwrap();
            let mut code: Vec<u64> = words[..bits.div_ceil(64)].to_vec();
            if bits % 64 > 0 {
                *code.last_mut().unwrap() &= (1 << (bits % 64)) - 1;
            }
            codes.push(&code).unwrap();
            let mut again = Codes::default();
            let shown = Code::show(codes.get(0), bits);
            Code::parse(Value::Text(&shown), &CodeReading::default(), &mut again).unwrap();
            let mut bytes = Vec::new();
            Code::encode(codes.get(0), bits, &mut bytes);
            Code::decode(&bytes, &mut again).unwrap();
            prop_assert_eq!(again.bit_length(), bits);
            prop_assert_eq!(again.get(0), &code[..]);
            prop_assert_eq!(again.get(1), &code[..]);
        }
    }
}
