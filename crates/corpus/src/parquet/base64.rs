//! Bytes as letters, RFC 4648, as arrow's note has them.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut bits = [0; 4];
        bits[1..][..three.len()].copy_from_slice(three);
        let bits = u32::from_be_bytes(bits);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place > three.len() {
                '='
            } else {
                letter.into()
            });
        }
    }
    out
}

/// The bytes, if these are letters of such, with what fills them up or without.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|&b| b != b'=').map_or(0, |n| n + 1);
    let mut out = Vec::with_capacity(end / 4 * 3 + 2);
    for four in text[..end].chunks(4) {
        let mut bits = 0;
        for place in 0..4 {
            let value = match four.get(place) {
                Some(letter) => LETTERS.iter().position(|l| l == letter)?,
                None => 0,
            };
            bits = bits << 6 | value as u32;
        }
        out.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    (end % 4 != 1).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_the_standard_gives() {
        let pairs = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let coded = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (plain, coded) in pairs.iter().zip(coded) {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded.as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        for wrong in ["Z", "Zm9vY", "Zm 9", "Zm9\n", "Z=m9"] {
            assert_eq!(decode(wrong.as_bytes()), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..99)) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }
    }
}
