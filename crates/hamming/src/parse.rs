//! Codes as people write them.

use crate::Error;

/// The bytes of a code in hexadecimal digits, two a byte; `0x` may stand before them.
///
/// ```
/// assert_eq!(lookalike_hamming::hex("0xA1b2")?, [0xa1, 0xb2]);
/// assert!(lookalike_hamming::hex("a1b").is_err());
/// # Ok::<(), lookalike_hamming::Error>(())
/// ```
pub fn hex(text: &str) -> Result<Vec<u8>, Error> {
    let text = text.trim();
    let prefix = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let digits = prefix.unwrap_or(text);
    if let Some(wrong) = digits.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        let what = format!("{wrong:?}");
        return Err(Error::Hex { what });
    }
    if digits.is_empty() {
        let what = "nothing".into();
        return Err(Error::Hex { what });
    }
    if !digits.len().is_multiple_of(2) {
        return Err(Error::OddHex(digits.len()));
    }
    let digit = |byte: u8| (byte as char).to_digit(16).expect("a digit") as u8;
    let (bytes, _) = digits.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| digit(high) << 4 | digit(low);
    Ok(bytes.iter().map(byte).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_hexadecimal_says_what_it_is() {
        let message = |text| hex(text).unwrap_err().to_string();
        assert!(message("12xz").starts_with("'x' in a code"));
        assert!(message(" ").starts_with("nothing in a code"));
        assert!(message("0x").starts_with("nothing in a code"));
        assert!(message("00é0").starts_with("'é' in a code"));
        assert!(message("123").contains("must be even"));
        assert_eq!(hex(" 00FFff \r\n").unwrap(), [0, 255, 255]);
    }
}
