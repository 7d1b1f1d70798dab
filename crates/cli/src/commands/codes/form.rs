//! How codes are written: lines, records or an array.

use std::io::Write;
use std::path::Path;

use lookalike::search::{ItemCodes, Names};

use crate::usage::Usage;

/// The form of a file of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One code per line, in the order of the items.
    Lines,
    /// One JSON object per line, with the name of the item; none for an item without a code.
    Records,
    /// A NumPy array of bytes with one row per item.
    Array,
}

impl Form {
    /// The form that the name of a file means.
    pub(super) fn of(path: &Path) -> Result<Self, Usage> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("txt") => Ok(Self::Lines),
            Some("jsonl") => Ok(Self::Records),
            Some("npy") => Ok(Self::Array),
            _ => Err(Usage(format!(
                "--out {}: the name must end in .txt for lines, .jsonl for records with ids, or .npy for an array",
                path.display()
            ))),
        }
    }

    pub(super) fn write(
        self,
        codes: &ItemCodes,
        names: &Names,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        match self {
            Self::Lines => {
                for code in &codes.codes {
                    let written = code.as_ref().map_or("", |code| &code.written);
                    writeln!(out, "{written}")?;
                }
            }
            Self::Records => {
                for (id, code) in (0..).zip(&codes.codes) {
                    let Some(code) = code else { continue };
                    let (name, field) = (names.json(id), codes.field);
                    writeln!(out, r#"{{"id": {name}, "{field}": "{}"}}"#, code.written)?;
                }
            }
            Self::Array => write_array(codes, names, out)?,
        }
        Ok(())
    }
}

/// An array of NumPy's format 1.0. Its head is padded so that the rows start at a multiple of 64 bytes.
fn write_array(codes: &ItemCodes, names: &Names, out: &mut impl Write) -> anyhow::Result<()> {
    const ALIGNMENT: usize = 64;
    let mut ids = (0..).zip(&codes.codes);
    if let Some((id, _)) = ids.find(|(_, code)| code.is_none()) {
        let name = names.text(id);
        anyhow::bail!(
            "{name} has nothing to hash, so it cannot be a row of an array: write lines or records, to .txt or .jsonl"
        );
    }
    let (rows, bytes) = (codes.codes.len(), codes.bytes);
    let mut head =
        format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {bytes}), }}");
    let magic = b"\x93NUMPY\x01\x00";
    let length = (magic.len() + 2 + head.len() + 1).next_multiple_of(ALIGNMENT);
    let length = length - magic.len() - 2;
    head += &" ".repeat(length - head.len() - 1);
    out.write_all(magic)?;
    out.write_all(&(length as u16).to_le_bytes())?;
    writeln!(out, "{head}")?;
    for code in codes.codes.iter().flatten() {
        out.write_all(&code.bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::search::ItemCode;

    fn codes(words: &[Option<u8>]) -> ItemCodes {
        let code = |byte: u8| ItemCode {
            bytes: vec![byte; 2],
            written: format!("{byte:02x}{byte:02x}"),
        };
        ItemCodes {
            bytes: 2,
            field: "hash",
            codes: words.iter().map(|word| word.map(code)).collect(),
        }
    }

    fn written(form: Form, words: &[Option<u8>]) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        form.write(&codes(words), &Names::default(), &mut out)?;
        Ok(out)
    }

    #[test]
    fn every_item_has_its_line_or_its_record() {
        let words = [Some(1), None, Some(255)];
        assert_eq!(written(Form::Lines, &words).unwrap(), b"0101\n\nffff\n");
        let records = String::from_utf8(written(Form::Records, &words).unwrap()).unwrap();
        let expected = "{\"id\": 0, \"hash\": \"0101\"}\n{\"id\": 2, \"hash\": \"ffff\"}\n";
        assert_eq!(records, expected);
    }

    #[test]
    fn an_array_has_a_row_for_every_item() {
        let array = written(Form::Array, &[Some(1), Some(255)]).unwrap();
        assert_eq!(array.len() % 64, 4);
        assert!(array.ends_with(b"\n\x01\x01\xff\xff"));
        let head = String::from_utf8_lossy(&array[10..array.len() - 4]).into_owned();
        assert!(head.contains("'shape': (2, 2)"), "{head}");
        assert_eq!(
            usize::from(u16::from_le_bytes([array[8], array[9]])),
            head.len()
        );
        let refused = written(Form::Array, &[Some(1), None]).unwrap_err();
        assert!(refused.to_string().starts_with("1 has nothing to hash"));
    }

    #[test]
    fn the_name_says_the_form() {
        let form = |name: &str| Form::of(Path::new(name));
        assert_eq!(form("a.npy").unwrap(), Form::Array);
        assert_eq!(form("a.jsonl").unwrap(), Form::Records);
        assert_eq!(form("a.txt").unwrap(), Form::Lines);
        assert!(form("a").is_err() && form("a.parquet").is_err());
    }
}
