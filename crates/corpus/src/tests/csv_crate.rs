//! Rows of CSV against the `csv` crate.

use super::csv::{options, skip};
use super::skipped::{scan_both, split};
use super::{Folder, Seen, gzip, scan, stdin};
use crate::{Error, Options, Place};
use csv::{QuoteStyle, ReaderBuilder, Terminator, WriterBuilder};
use proptest::prelude::*;

/// The rows that the `csv` crate reads, with the header.
fn rows(content: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(content);
    let rows = reader.byte_records().map(|row| {
        let field = |f: &[u8]| String::from_utf8(f.to_vec()).unwrap();
        row.unwrap().iter().map(field).collect()
    });
    rows.collect()
}

#[derive(Clone, Debug)]
struct Table {
    rows: Vec<Vec<String>>,
    delimiter: u8,
    content: Vec<u8>,
}

fn table() -> impl Strategy<Value = Table> {
    let field = prop_oneof![
        3 => "[a-z ,;|\t\"\r\n]{0,12}",
        1 => "-?[0-9]{1,3}(\\.5)?",
        1 => "\\PC{0,5}",
        1 => Just("long \"text\"\n, ".repeat(20)),
    ];
    let columns = prop_oneof![
        Just(vec!["text"]),
        Just(vec!["id", "text"]),
        Just(vec!["n", "text", "a \"quoted\" name", "id"]),
    ];
    let rows = columns.prop_flat_map(move |header| {
        let len = header.len();
        let row = prop::collection::vec(field.clone(), len..=len);
        (Just(header), prop::collection::vec(row, 0..12))
    });
    let style = prop_oneof![
        Just(QuoteStyle::Necessary),
        Just(QuoteStyle::Always),
        Just(QuoteStyle::NonNumeric)
    ];
    let end = prop_oneof![
        Just(Terminator::Any(b'\n')),
        Just(Terminator::CRLF),
        Just(Terminator::Any(b'\r')),
    ];
    let delimiter = prop::sample::select(b",;\t|".to_vec());
    (rows, delimiter, style, end, any::<bool>(), any::<bool>()).prop_map(
        |((header, rows), delimiter, style, end, mark, open)| {
            let mut writer = WriterBuilder::new()
                .delimiter(delimiter)
                .quote_style(style)
                .terminator(end)
                .from_writer(if mark {
                    b"\xEF\xBB\xBF".to_vec()
                } else {
                    vec![]
                });
            writer.write_record(&header).unwrap();
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let mut content = writer.into_inner().unwrap();
            while open && content.ends_with(b"\n") | content.ends_with(b"\r") {
                content.pop();
            }
            let header = header.into_iter().map(str::to_owned).collect();
            Table {
                rows: std::iter::once(header).chain(rows).collect(),
                // A single column has none, and is read as if it had commas.
                delimiter,
                content,
            }
        },
    )
}

/// What a field is as JSON, by the plain definition.
fn json(field: &str, is_id: bool) -> Option<String> {
    let number = serde_json::from_str::<serde_json::Number>(field);
    let as_it_stands = number.is_ok() && !field.contains(|c: char| c.is_ascii_whitespace());
    let is_number = match is_id {
        true => as_it_stands && field != "-0" && !field.contains(['.', 'e', 'E']),
        false => as_it_stands,
    };
    if field.is_empty() {
        None
    } else if is_number {
        Some(field.to_owned())
    } else {
        Some(serde_json::Value::from(field).to_string())
    }
}

proptest! {
    #[test]
    fn rows_are_those_of_the_csv_crate(table in table(), block in 1..100usize) {
        let Table { rows: written, delimiter, content } = table;
        // A column that is alone shows no delimiter, unless the name does.
        let name = if delimiter == b'\t' { "a.tsv" } else { "a.csv" };
        let alone = written[0].len() == 1;
        prop_assume!(!alone || matches!(delimiter, b',' | b'\t'));
        prop_assert_eq!(&rows(&content, delimiter), &written);
        let folder = Folder::new(&[(name, &content), ("z.gz", &gzip(&content))]);
        let mut corpus = folder.open(name, Options { format: None, ..options() }).unwrap();
        corpus.sizes.block = block;
        let seen = scan(&corpus).unwrap();
        let column = |name: &str| written[0].iter().position(|c| c == name);
        let expected: Vec<_> = written[1..]
            .iter()
            .map(|row| {
                let as_json = |name, is_id| column(name).and_then(|c| json(&row[c], is_id));
                (
                    row[column("text").unwrap()].clone(),
                    as_json("id", true),
                    vec![as_json("n", false), None],
                )
            })
            .collect();
        let told: Vec<_> = seen
            .iter()
            .map(|s| (s.text.clone(), s.id.clone(), s.fields.clone()))
            .collect();
        prop_assert_eq!(told, expected);
        for corpus in [corpus, folder.open(name, options()).unwrap()] {
            let mut reader = corpus.reader();
            for (seen, row) in seen.iter().zip(&written[1..]) {
                let Place { start, line, .. } = seen.place;
                let before = &content[..start as usize];
                prop_assert_eq!(line, 1 + before.iter().filter(|&&b| b == b'\n').count() as u64);
                prop_assert_eq!(&Seen::from(reader.read(&seen.place).unwrap()), seen);
                let raw = reader.raw(&seen.place).unwrap();
                prop_assert_eq!(&rows(raw, delimiter), std::slice::from_ref(row));
            }
        }
        if delimiter != b'\t' || !alone {
            let mut packed = folder.open("z.gz", options()).unwrap();
            packed.sizes.block = block;
            prop_assert_eq!(scan(&packed).unwrap(), seen);
        }
    }

    #[test]
    fn each_row_goes_to_one_output(table in table(), block in 1..100usize) {
        let Table { rows: written, delimiter, content } = table;
        let mut corpus = stdin(&content, options()).unwrap();
        prop_assume!(written[0].len() > 1 || delimiter == b',');
        corpus.sizes.block = block;
        let [kept, removed, skipped] = split(&corpus);
        let header = std::slice::from_ref(&written[0]);
        let every_second = |odd: usize| -> Vec<Vec<String>> {
            let rows = written[1..].iter().skip(odd).step_by(2);
            header.iter().chain(rows).cloned().collect()
        };
        prop_assert_eq!(rows(&kept, delimiter), every_second(0));
        prop_assert_eq!(rows(&removed, delimiter), every_second(1));
        prop_assert_eq!(&rows(&skipped, delimiter), header);
        prop_assert_eq!(kept.len() + removed.len(), content.len() + skipped.len());
    }

    #[test]
    fn anything_is_read_as_by_the_csv_crate(
        junk in "(a|b,c|,|\"|\"\"|\n|\r|\r\n| |é){0,30}",
        block in 1..40usize,
    ) {
        let content = format!("\r\n\"text\",id\r{junk}");
        let mut corpus = stdin(content.as_bytes(), skip()).unwrap();
        corpus.sizes.block = block;
        let (seen, skipped) = scan_both(&corpus).unwrap();
        let mut expected = rows(content.as_bytes(), b',');
        let open = skipped.iter().position(|s| matches!(s.reason, Error::OpenQuote { .. }));
        if let Some(open) = open {
            prop_assert_eq!(open, skipped.len() - 1);
            expected.pop();
        }
        expected.remove(0);
        prop_assert_eq!(seen.len() + skipped.len() - usize::from(open.is_some()), expected.len());
        expected.retain(|row| row.len() == 2);
        let told: Vec<_> = seen.iter().map(|s| (s.text.clone(), s.id.clone())).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|row| (row[0].clone(), json(&row[1], true)))
            .collect();
        prop_assert_eq!(told, expected);
        let out = split(&corpus);
        let header = "\r\n\"text\",id\r".len() + usize::from(junk.starts_with('\n'));
        let bytes: usize = out.iter().map(Vec::len).sum();
        prop_assert_eq!(bytes, content.len() + 2 * header);
        for s in &skipped {
            let at = format!("stdin:{}: ", s.place.line);
            prop_assert!(s.reason.to_string().starts_with(&at), "{}", s.reason);
        }
    }
}
