//! What is true of every format of the table.

use super::values::{Owned, scan_values};
use super::{Folder, gzip, stdin, twice, zstd};
use crate::{Corpus, Fate, Format, Options, Outputs, Place, Records};
use proptest::prelude::*;

/// A file of a format, and the values of its records.
#[derive(Clone, Debug)]
struct Written {
    content: Vec<u8>,
    values: Vec<Owned>,
}

/// Bytes of a record of packed bytes.
const PACKED: usize = 3;

fn options(format: Format) -> Options {
    Options {
        format: Some(format),
        values: true,
        record_bytes: Some(PACKED as u32),
        ..twice()
    }
}

/// Some rows as a file of this format.
fn written(format: Format, rows: &[(String, Vec<u16>)], style: u8) -> Written {
    let text = |row: &(String, Vec<u16>)| Owned::Text(row.0.clone());
    // Every second value of JSON is a list.
    let json = |(i, (text, list)): (usize, &(String, Vec<u16>))| match i % 2 {
        0 => (serde_json::json!({"text": text}), Owned::Text(text.clone())),
        _ => {
            let value = serde_json::json!({"n": {"m": [text, "]"]}, "text": list});
            (value, Owned::Json(serde_json::json!(list).to_string()))
        }
    };
    let table = |delimiter: &str| {
        let row = |cell: &str| format!("7{delimiter}\"{}\"\r\n", cell.replace('"', "\"\""));
        let rows: String = rows.iter().map(|(text, _)| row(text)).collect();
        format!("id{delimiter}text\r\n{rows}").into_bytes()
    };
    let values = rows.iter().map(text).collect();
    match format {
        Format::Jsonl => {
            let (lines, values): (Vec<_>, Vec<_>) = rows.iter().enumerate().map(json).unzip();
            let content = lines.iter().map(|line| format!("{line}\n"));
            Written {
                content: content.collect::<String>().into_bytes(),
                values,
            }
        }
        Format::Json => {
            let (elements, values): (Vec<_>, Vec<_>) = rows.iter().enumerate().map(json).unzip();
            let pretty = |value: &serde_json::Value| match style % 2 {
                0 => value.to_string(),
                _ => format!("{value:#}"),
            };
            let [before, comma, after] =
                [["[", ",", "]"], [" [\n", "\n ,\r\n", "\n] \n"]][usize::from(style / 2 % 2)];
            let elements: Vec<String> = elements.iter().map(pretty).collect();
            Written {
                content: format!("{before}{}{after}", elements.join(comma)).into_bytes(),
                values,
            }
        }
        Format::Csv => Written {
            content: table(","),
            values,
        },
        Format::Tsv => Written {
            content: table("\t"),
            values,
        },
        Format::Npy | Format::Packed => {
            let row = |list: &[u16]| [list[0].to_le_bytes(), list[1].to_le_bytes()].concat();
            let all: Vec<Vec<u8>> = rows.iter().map(|(_, list)| row(list)).collect();
            let bytes = |row: &Vec<u8>| row[..PACKED].to_vec();
            if format == Format::Packed {
                return Written {
                    content: all.iter().flat_map(bytes).collect(),
                    values: all.iter().map(bytes).map(Owned::Bytes).collect(),
                };
            }
            let head = super::npy::head("<u2", &format!("({}, 2)", rows.len()));
            let integers = |(_, list): &(String, Vec<u16>)| {
                Owned::Integers(list[..2].iter().map(|&n| n.into()).collect())
            };
            Written {
                content: [head, all.concat()].concat(),
                values: rows.iter().map(integers).collect(),
            }
        }
        Format::Fvecs | Format::Bvecs | Format::Ivecs => {
            // Half of the integers are negative.
            let number = |n: u16| i32::from(n) - 32768;
            let numbers = |list: &[u16]| [list[0], list[1]].map(number);
            let bytes = |list: &[u16]| [list[0], list[1]].map(|n| n as u8);
            let floats = |list: &[u16]| numbers(list).map(|n| n as f32 / 7.0);
            let dimension = 2i32.to_le_bytes().to_vec();
            let row = |list: &[u16]| match format {
                Format::Fvecs => floats(list).map(f32::to_le_bytes).concat(),
                Format::Bvecs => bytes(list).to_vec(),
                _ => numbers(list).map(i32::to_le_bytes).concat(),
            };
            let value = |list: &[u16]| match format {
                Format::Fvecs => Owned::Floats(floats(list).map(f32::to_bits).to_vec()),
                Format::Bvecs => Owned::Bytes(bytes(list).to_vec()),
                _ => Owned::Signed(numbers(list).map(i64::from).to_vec()),
            };
            Written {
                content: rows
                    .iter()
                    .flat_map(|(_, list)| [dimension.clone(), row(list)].concat())
                    .collect(),
                values: rows.iter().map(|(_, list)| value(list)).collect(),
            }
        }
        Format::Lines => {
            let line =
                |(text, _): &(String, Vec<u16>)| format!("x{}", text.replace(['\n', '\r'], " "));
            let content: String = rows.iter().map(|row| line(row) + "\n").collect();
            Written {
                content: content.into_bytes(),
                values: rows.iter().map(|row| Owned::Text(line(row))).collect(),
            }
        }
        Format::Files | Format::Bytes => {
            let content: String = rows.iter().map(|(text, _)| text.as_str()).collect();
            let value = match format {
                Format::Files => Owned::Text(content.clone()),
                _ => Owned::Bytes(content.clone().into_bytes()),
            };
            Written {
                content: content.into_bytes(),
                values: vec![value],
            }
        }
        // Its files are made by the tests of Parquet.
        Format::Parquet => Written {
            content: Vec::new(),
            values: Vec::new(),
        },
    }
}

fn rows() -> impl Strategy<Value = Vec<(String, Vec<u16>)>> {
    let text = "[a-zé\"\\\\,\t\n{}\\[\\] ]{0,20}";
    let list = prop::collection::vec(any::<u16>(), 2..5);
    prop::collection::vec((text, list), 0..12)
}

/// What is kept and removed.
pub(super) fn split(corpus: &Corpus, places: &[Place], keeps: &[bool]) -> [Vec<u8>; 2] {
    let (mut kept, mut removed, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let records = Records {
        file: 0,
        documents: places,
        skipped: &[],
    };
    let to = Outputs {
        kept: &mut kept,
        removed: &mut removed,
        skipped: &mut skipped,
    };
    let fate = |i: usize, _: &Place| match keeps[i % keeps.len()] {
        true => Fate::Keep,
        false => Fate::Remove,
    };
    corpus.split(records, fate, to).unwrap();
    [kept, removed]
}

proptest! {
    // Each case is all formats, four times.
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn records_come_back_in_every_pass(
        rows in rows(),
        style in any::<u8>(),
        block in 1..90usize,
        keeps in prop::collection::vec(any::<bool>(), 1..5),
    ) {
        for format in Format::all().filter(|format| *format != Format::Parquet) {
            let Written { content, values } = written(format, &rows, style);
            let folder = Folder::new(&[
                ("plain", &content),
                ("a.gz", &gzip(&content)),
                ("a.zst", &zstd(&content)),
            ]);
            let mut corpora: Vec<Corpus> = ["plain", "a.gz", "a.zst"]
                .map(|name| folder.open(name, options(format)).unwrap())
                .into();
            corpora.push(stdin(&content, options(format)).unwrap());
            for corpus in &mut corpora {
                corpus.sizes.block = block;
                let seen = scan_values(corpus).unwrap();
                let (found, places): (Vec<Owned>, Vec<Place>) = seen.into_iter().unzip();
                let found: Vec<Owned> = found.into_iter().map(Owned::compact).collect();
                prop_assert_eq!(&found, &values, "{}", format);
                let mut reader = corpus.reader();
                for (number, (place, value)) in places.iter().zip(&values).enumerate() {
                    let again = Owned::from(reader.read_value(place).unwrap().value);
                    prop_assert_eq!(&again.compact(), value);
                    let bytes = place.start as usize..place.start as usize + place.bytes as usize;
                    prop_assert_eq!(reader.raw(place).unwrap(), &content[bytes]);
                    let lines = content[..place.start as usize].iter().filter(|&&b| b == b'\n');
                    let line = match format.is_array() {
                        true => number,
                        false => lines.count(),
                    };
                    prop_assert_eq!(place.line, line as u64 + 1);
                }
                let [whole, nothing] = split(corpus, &places, &[true]);
                prop_assert_eq!(&whole, &content);
                let parts = split(corpus, &places, &keeps);
                let keeps = |i: usize| keeps[i % keeps.len()];
                for (part, is_kept) in [(&parts[0], true), (&parts[1], false)] {
                    let part = stdin(part, options(format)).unwrap();
                    let part = scan_values(&part).unwrap().into_iter().map(|(value, _)| value.compact());
                    let of_part = (0..values.len()).filter(|&i| keeps(i) == is_kept);
                    let expected: Vec<Owned> = of_part.map(|i| values[i].clone()).collect();
                    // A file is a record, even if nothing is in it.
                    match format.is_whole_file() {
                        true => prop_assert_eq!(parts.concat(), content.clone()),
                        false => prop_assert_eq!(part.collect::<Vec<_>>(), expected),
                    }
                }
                if !format.is_whole_file() {
                    let nothing = stdin(&nothing, options(format)).unwrap();
                    prop_assert!(scan_values(&nothing).unwrap().is_empty());
                }
            }
        }
    }
}

#[test]
fn names_and_extensions_are_those_of_the_table() {
    for format in Format::all() {
        assert_eq!(format.name().parse::<Format>().unwrap(), format);
        assert_eq!(format.to_string(), format.name());
        let json = serde_json::to_string(&format).unwrap();
        assert_eq!(json, format!("\"{format}\""));
        assert_eq!(serde_json::from_str::<Format>(&json).unwrap(), format);
        // Only whole files are never guessed from a name.
        assert_eq!(format.extensions().is_empty(), format.is_whole_file());
    }
    assert!(serde_json::from_str::<Format>("\"xml\"").is_err());
}

#[test]
fn names_and_contents_say_the_format() {
    let of = |name: &str, content: &[u8]| {
        let folder = Folder::new(&[(name, content)]);
        let options = Options {
            values: true,
            ..Options::default()
        };
        folder.open(name, options).unwrap().files()[0].format()
    };
    let npy = super::npy::head("|u1", "(0, 1)");
    for (name, content, format) in [
        ("a.json", b" \n[{\"text\": \"\"}]".as_slice(), Format::Json),
        ("a.JSON.gz", &gzip("\u{FEFF}[".as_bytes()), Format::Json),
        ("a.json", b"{\"text\": \"\"}", Format::Jsonl),
        ("a.json", b"", Format::Jsonl),
        ("a.jsonl", b"[1]", Format::Jsonl),
        ("a", b"[1]", Format::Lines),
        ("a", b" {", Format::Jsonl),
        ("a.txt", b"{}", Format::Lines),
        ("a.tsv.zst", &zstd(b"text"), Format::Tsv),
        ("a.csv", b"text", Format::Csv),
        ("a.npy", b"", Format::Npy),
        ("a", &npy, Format::Npy),
        ("a.gz", &gzip(&npy), Format::Npy),
        ("a.bin", b"abc", Format::Packed),
        ("a.fvecs", b"", Format::Fvecs),
        ("a.BVECS.gz", &gzip(b""), Format::Bvecs),
        ("a.ivecs.zst", &zstd(b""), Format::Ivecs),
    ] {
        assert_eq!(of(name, content), format, "{name}");
    }
}

#[test]
fn a_record_without_an_id_is_called_by_its_place() {
    let name = |content: &[u8], format| {
        let corpus = stdin(content, options(format)).unwrap();
        let (_, place) = scan_values(&corpus).unwrap().pop().unwrap();
        corpus.files()[0].name_of(&place)
    };
    assert_eq!(name(b"a\n\nb", Format::Lines), "stdin:3");
    assert_eq!(name(b"a\nb", Format::Files), "stdin");
    assert_eq!(name(b"abcdef", Format::Packed), "stdin[1]");
}
