use lookalike_core::plugin::{Error, Kind, PlainFile, Value};

use crate::{Digest, Digests};

/// Digests of files. Bytes are a file, whose digest is computed; text is a digest, `T1…`.
///
/// A file without a digest is left out: one of fewer than 50 bytes, or of bytes that are nearly all the same. So is the
/// text `TNULL`, which other programs write for such a file.
#[derive(Clone, Copy, Debug)]
pub struct DigestKind;

impl Kind for DigestKind {
    const NAME: &'static str = "digest";
    const FIELD: &'static str = "tlsh";
    const PLAIN_FILE: PlainFile = PlainFile::Bytes;
    const LEFT_OUT: &'static str = "too short or too uniform for a digest";
    type Item = Digest;
    type Items = Digests;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), digests: &mut Digests) -> Result<(), Error> {
        match value {
            Value::Bytes(bytes) => {
                if let Some(digest) = Digest::of(bytes) {
                    digests.push(digest);
                }
            }
            Value::Text(text) => {
                let text = text.trim();
                if !text.is_empty() && text != "TNULL" {
                    digests.push(text.parse()?);
                }
            }
            other => return Err(other.unexpected("a file, or a digest such as T1…")),
        }
        Ok(())
    }

    fn show(digest: &Digest, _: usize) -> String {
        digest.to_string()
    }

    fn encode(digest: &Digest, _: usize, bytes: &mut Vec<u8>) {
        bytes.extend(digest.to_stored());
    }

    fn decode(bytes: &[u8], digests: &mut Digests) -> Result<(), Error> {
        digests.push(Digest::from_stored(bytes)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{file, random_digest};
    use lookalike_core::Items;

    fn parsed(values: &[Value<'_>]) -> Result<Digests, String> {
        let mut digests = Digests::default();
        for value in values {
            DigestKind::parse(*value, &(), &mut digests).map_err(|error| error.to_string())?;
        }
        Ok(digests)
    }

    #[test]
    fn files_and_digests_are_read() {
        let bytes = file(300, 1);
        let digest = Digest::of(&bytes).unwrap();
        let text = DigestKind::show(&digest, 0);
        let both = parsed(&[Value::Bytes(&bytes), Value::Text(&format!(" {text}\t"))]).unwrap();
        assert_eq!(both.as_slice(), [digest, digest]);
    }

    #[test]
    fn what_has_no_digest_is_left_out() {
        let values = [
            Value::Bytes(b""),
            Value::Bytes(&[0; 5000]),
            Value::Text(" "),
            Value::Text("TNULL"),
        ];
        assert_eq!(parsed(&values).unwrap().count(), 0);
    }

    #[test]
    fn what_is_not_a_digest_is_refused() {
        let wrong = parsed(&[Value::Text("rose")]).unwrap_err();
        assert!(wrong.contains("`rose` is not a TLSH digest"), "{wrong}");
        assert!(
            parsed(&[Value::Json("[1]")])
                .unwrap_err()
                .contains("the array")
        );
    }

    #[test]
    fn stored_bytes_are_read_back() {
        let (mut bytes, mut digests) = (Vec::new(), Digests::default());
        DigestKind::encode(&random_digest(3), 0, &mut bytes);
        DigestKind::decode(&bytes, &mut digests).unwrap();
        assert_eq!(digests.as_slice(), [random_digest(3)]);
        assert!(DigestKind::decode(&bytes[1..], &mut digests).is_err());
    }
}
