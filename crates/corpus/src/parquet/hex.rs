//! Bytes as hexadecimal digits, which survive as a string of JSON.

/// The two digits of every byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

/// What each digit stands for; 0 for what is not a digit.
const VALUES: [u8; 256] = {
    let mut values = [0; 256];
    let mut value = 0;
    while value < 16 {
        values[PAIRS[value][1] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Appends the digits of bytes.
pub(super) fn write(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + 2 * bytes.len(), 0);
    let (pairs, _) = out[start..].as_chunks_mut::<2>();
    for (pair, &byte) in pairs.iter_mut().zip(bytes) {
        *pair = PAIRS[usize::from(byte)];
    }
}

/// The bytes that digits stand for, which [`write`] wrote.
pub(super) fn read<'a>(digits: &str, bytes: &'a mut Vec<u8>) -> &'a [u8] {
    let value = |digit: u8| VALUES[usize::from(digit)];
    let (pairs, _) = digits.as_bytes().as_chunks::<2>();
    bytes.clear();
    bytes.extend(
        pairs
            .iter()
            .map(|&[high, low]| value(high) << 4 | value(low)),
    );
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let mut digits = Vec::new();
        write(&all, &mut digits);
        let digits = String::from_utf8(digits).unwrap();
        assert!(digits.starts_with("000102") && digits.ends_with("fdfeff"));
        assert_eq!(read(&digits, &mut vec![7]), all);
    }
}
