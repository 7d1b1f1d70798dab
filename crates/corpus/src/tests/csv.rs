//! Rows of CSV, one matter at a time.

use super::skipped::{scan_both, split};
use super::{Folder, said, scan, stdin, texts, twice, zstd};
use crate::{Corpus, Error, Format, OnError, Options, Records};

pub(crate) fn options() -> Options {
    Options {
        format: Some(Format::Csv),
        fields: vec!["n".parse().unwrap(), "none".parse().unwrap()],
        ..twice()
    }
}

pub(crate) fn skip() -> Options {
    Options {
        on_error: OnError::Skip,
        ..options()
    }
}

#[test]
fn the_header_shows_the_delimiter() {
    for (content, text) in [
        ("id,text\n1,a;b\n", "a;b"),
        ("id;text\n1;\"a,b\"\n", "a,b"),
        ("id\ttext\n1\ta,b\n", "a,b"),
        ("id|text\n1|a;b\n", "a;b"),
        ("text\na;b\n", "a;b"),
        ("\"a,b\";\"c \"\"|\"\",\";text\n;;a,b\n", "a,b"),
        ("a;b,text;,\n;1,a,\n", "a"),
        ("5\" disk;text\n1;a\n", "a"),
    ] {
        for block in [1, 5, 1000] {
            let mut options = options();
            options.text = if content.starts_with("a;b,") {
                "text;"
            } else {
                "text"
            }
            .parse()
            .unwrap();
            let mut corpus = stdin(content.as_bytes(), options).unwrap();
            corpus.sizes.block = block;
            assert_eq!(texts(&corpus), [text], "{content:?}");
        }
    }
    let folder = Folder::new(&[
        ("a.tsv", b"text\na,b\n"),
        ("b.TSV.zst", &zstd(b"a,b\ttext\n1\t2")),
    ]);
    assert_eq!(
        texts(&folder.open("", Options::default()).unwrap()),
        ["a,b", "2"]
    );
}

#[test]
fn a_name_is_needed_to_be_csv() {
    let folder = Folder::new(&[("a", b"id,text\n1,b\n"), ("b.CSV", b"id,text\n1,b\n")]);
    let corpus = folder.open("*", Options::default()).unwrap();
    assert_eq!(corpus.files()[0].format(), Format::Lines);
    assert_eq!(corpus.files()[1].format(), Format::Csv);
    assert_eq!(texts(&corpus), ["id,text", "1,b", "b"]);
}

#[test]
fn files_without_rows() {
    for content in [
        "",
        "\u{FEFF}",
        "\n\r\n",
        "text",
        "text\r\n",
        "\u{FEFF}\n\"text\"\n\n",
    ] {
        for block in [1, 1000] {
            let mut corpus = stdin(content.as_bytes(), options()).unwrap();
            corpus.sizes.block = block;
            assert!(texts(&corpus).is_empty(), "{content:?}");
            assert!(texts(&corpus).is_empty(), "{content:?} again");
            let [kept, ..] = split(&corpus);
            assert_eq!(kept, content.as_bytes());
        }
    }
}

fn message(content: &str, options: Options) -> String {
    let corpus = stdin(content.as_bytes(), options).unwrap();
    said(&scan(&corpus).unwrap_err())
}

#[test]
fn what_is_wrong_with_a_row() {
    let content = "id,text\n1,\"a\nb\"\n\n2,c,d\n3,e\n\"4\n";
    assert_eq!(
        message(content, options()),
        "stdin:5: 3 columns where the header has 2: fields are separated by `,`, and must be \
         quoted if they hold it"
    );
    let content = content.replace(",d", "");
    assert_eq!(
        message(&content, options()),
        "stdin:7: a quote in the row that starts here is not closed: close it"
    );
    let with_id = Options {
        id: Some("id".parse().unwrap()),
        ..options()
    };
    assert_eq!(
        message("id\ttext\n\ta", with_id),
        "stdin:2: the id in `id` is empty, not a string or an integer: choose another field with \
         `id_field`"
    );
    assert_eq!(
        message("id\ttext\n1", options()),
        "stdin:2: 1 columns where the header has 2: fields are separated by `\\t`, and must be \
         quoted if they hold it"
    );
    let corpus = stdin(b"text\na\n\"b\n\xFF\"", skip()).unwrap();
    let (_, skipped) = scan_both(&corpus).unwrap();
    assert_eq!(
        (skipped[0].place.line, said(&skipped[0].reason).as_str()),
        (
            3,
            "stdin:4: not UTF-8 at byte 1 of the line: convert the file to UTF-8"
        )
    );
}

#[test]
fn a_header_that_will_not_do_is_not_passed_over() {
    assert_eq!(
        message("\nid,body\n1,a\n", skip()),
        "stdin:2: no field `text`; the record has `id`, `body`: choose one with `text_field`"
    );
    let with_id = Options {
        id: Some("key".parse().unwrap()),
        ..skip()
    };
    assert_eq!(
        message("text\na\n", with_id),
        "stdin:1: no field `key`; the record has `text`: choose one with `id_field`"
    );
    assert_eq!(
        message("id,\"text\na\n", skip()),
        "stdin:1: a quote in the row that starts here is not closed: close it"
    );
    let corpus = stdin(b"text,\xFF\na\n", skip()).unwrap();
    assert_eq!(
        said(&scan(&corpus).unwrap_err()),
        "stdin:1: not UTF-8 at byte 6 of the line: convert the file to UTF-8"
    );
}

#[test]
fn a_row_has_the_id_of_its_record() {
    for id in [
        "17",
        "-3",
        "0",
        "a",
        "007",
        "-0",
        "1.5",
        "é \\",
        "123456789012345678901234567890",
    ] {
        let row = format!("id,text\n{id},a\n");
        let seen = scan(&stdin(row.as_bytes(), options()).unwrap()).unwrap();
        let number = id.parse::<i128>().is_ok_and(|n| n.to_string() == id);
        let value = if number {
            id.to_owned()
        } else {
            serde_json::Value::from(id).to_string()
        };
        let record = format!("{{\"id\": {value}, \"text\": \"a\"}}");
        let of_record = scan(&stdin(record.as_bytes(), Options::default()).unwrap()).unwrap();
        assert_eq!(seen[0].id, of_record[0].id, "{id}");
    }
}

#[test]
fn fields_are_numbers_or_strings() {
    let content = "text,n\n,1.50\n,1e5\n,true\n,1 \n,\n,01\n,\"-1\"\n,\"say \"\"x\"\"\"\n";
    let seen = scan(&stdin(content.as_bytes(), options()).unwrap()).unwrap();
    let values: Vec<_> = seen.iter().map(|s| s.fields[0].as_deref()).collect();
    assert_eq!(
        values,
        [
            Some("1.50"),
            Some("1e5"),
            Some("\"true\""),
            Some("\"1 \""),
            None,
            Some("\"01\""),
            Some("-1"),
            Some("\"say \\\"x\\\"\"")
        ]
    );
}

fn annotate(content: &str, name: &str) -> Result<(String, String), Error> {
    let corpus = stdin(content.as_bytes(), skip()).unwrap();
    let (seen, skipped) = scan_both(&corpus).unwrap();
    let records = Records {
        file: 0,
        documents: &seen.iter().map(|s| s.place).collect::<Vec<_>>(),
        skipped: &skipped.iter().map(|s| s.place).collect::<Vec<_>>(),
    };
    let (mut out, mut left_out) = (Vec::new(), Vec::new());
    let value = |i: usize| (i != 1).then(|| format!("{{\"n\": {i}}}"));
    corpus.annotate(records, name, value, &mut out, &mut left_out)?;
    Ok((
        String::from_utf8(out).unwrap(),
        String::from_utf8(left_out).unwrap(),
    ))
}

#[test]
fn a_column_is_added_at_the_end() {
    let content = "\u{FEFF}text;id\r\n\"a\n\";1\r\n;;\r\n\r\nb;\r\nc;3";
    let (out, left_out) = annotate(content, "a;b").unwrap();
    assert_eq!(
        out,
        "\u{FEFF}text;id;\"a;b\"\r\n\"a\n\";1;\"{\"\"n\"\": 0}\"\r\n\r\nb;;\r\nc;3;\"{\"\"n\"\": 2}\""
    );
    assert_eq!(left_out, "\u{FEFF}text;id\r\n;;\r\n");
    let (out, _) = annotate("text\na\n", "note").unwrap();
    assert_eq!(out, "text,note\na,\"{\"\"n\"\": 0}\"\n");
    let e = annotate("\ntext,n\n,1\n", "n").unwrap_err();
    assert!(
        e.to_string()
            .starts_with("stdin:2: the record has a field `n` already"),
        "{e}"
    );
}

#[test]
fn a_long_row_is_longer_than_any_block() {
    let long = "a\"\"\n,\n".repeat(1 << 16);
    let content = format!("text,id\nb,1\n\"{long}\",2\nc,3\n");
    let corpus: Corpus = stdin(content.as_bytes(), options()).unwrap();
    let seen = scan(&corpus).unwrap();
    assert_eq!(seen[1].text, "a\"\n,\n".repeat(1 << 16));
    assert_eq!(seen[2].place.line, 4 + (2 << 16));
    assert_eq!(
        corpus.reader().read(&seen[1].place).unwrap().text,
        seen[1].text
    );
    let mut short = stdin(content.as_bytes(), skip()).unwrap();
    short.sizes.record = 100;
    assert!(matches!(scan(&short), Err(Error::TooLong { line: 3, .. })));
}

#[test]
fn two_columns_of_a_wanted_name_are_refused() {
    for header in ["text,id,text", "id,text,id", "n,text,n"] {
        let content = format!("{header}\n1,2,3\n");
        let corpus = stdin(content.as_bytes(), options()).unwrap();
        let message = said(&scan(&corpus).unwrap_err());
        let name = header.rsplit(',').next().unwrap();
        let expected = format!("stdin:1: two columns are called `{name}`: rename one of them");
        assert_eq!(message, expected);
    }
    // Others may be called alike.
    let corpus = stdin(b"a,text,a\n1,2,3\n", options()).unwrap();
    assert_eq!(texts(&corpus), ["2"]);
}
