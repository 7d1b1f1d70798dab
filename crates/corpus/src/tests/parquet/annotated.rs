//! Rows with a column added to them.

use super::super::{Folder, twice};
use super::written::{assert_alike, open, places, rows};
use super::{Column, TWO, Values, all, file, groups, plain, some_strings, strings, text, ways};
use crate::{Error, OnError, Options, Records};
use parquet::file::metadata::KeyValue;
use parquet::file::reader::FileReader;
use parquet::record::{Field, Row};

fn field(row: &Row, name: &str) -> Field {
    let mut columns = row.get_column_iter();
    let column = columns.find(|(column, _)| *column == name);
    column.unwrap().1.clone()
}

fn annotate(
    content: &[u8],
    options: Options,
    value: impl FnMut(usize) -> Option<String>,
) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let folder = Folder::new(&[("a.parquet", content)]);
    let corpus = folder.open("a.parquet", options).unwrap();
    let (documents, skipped) = places(&corpus);
    let records = Records {
        file: 0,
        documents: &documents,
        skipped: &skipped,
    };
    let (mut out, mut aside) = (Vec::new(), Vec::new());
    corpus.annotate(records, "note", value, &mut out, &mut aside)?;
    Ok((out, aside))
}

#[test]
fn a_column_is_added_at_the_end() {
    for (way, properties) in ways() {
        let content = file(TWO, properties, &groups(&[1500, 0, 9]));
        let note = |i: usize| (i % 4 == 1).then(|| format!("{{\"n\": {i}}}"));
        let (out, skipped) = annotate(&content, twice(), note).unwrap();
        assert_eq!(rows(&skipped), [], "{way}");
        assert_alike(&content, &skipped);
        let written = open(&out);
        let columns = written.metadata().file_metadata().schema_descr().columns();
        let names: Vec<&str> = columns.iter().map(|c| c.name()).collect();
        assert_eq!(names, ["text", "id", "note"]);
        let written = rows(&out);
        assert_eq!(written.len(), 1509);
        for (place, row) in written.into_iter().enumerate() {
            assert_eq!(field(&row, "text"), Field::Str(text(place as i64)));
            assert_eq!(field(&row, "id"), Field::Long(place as i64));
            let note = note(place).map_or(Field::Null, Field::Str);
            assert_eq!(field(&row, "note"), note);
        }
    }
}

#[test]
fn rows_that_were_passed_over_get_no_note() {
    let schema = "message m { optional binary text (UTF8); required int32 n; }";
    let texts = [Some("a"), None, Some("b"), None, None];
    let groups = [
        vec![
            some_strings(&texts),
            all(Values::Int32(vec![1, 2, 3, 4, 5])),
        ],
        vec![some_strings(&[None]), all(Values::Int32(vec![6]))],
    ];
    let content = file(schema, plain(), &groups);
    let options = Options {
        on_error: OnError::Skip,
        ..twice()
    };
    let (out, skipped) = annotate(&content, options, |i| Some(i.to_string())).unwrap();
    let all = |of: &[u8], name: &str| -> Vec<Field> {
        rows(of).iter().map(|row| field(row, name)).collect()
    };
    assert_eq!(all(&out, "n"), [1, 3].map(Field::Int));
    assert_eq!(all(&skipped, "n"), [2, 4, 5, 6].map(Field::Int));
    assert_alike(&content, &skipped);
    let notes = ["0", "1"].map(|note| Field::Str(note.to_owned()));
    assert_eq!(all(&out, "note"), notes);
}

#[test]
fn a_column_is_not_added_twice() {
    let schema =
        "message m { required binary text (UTF8); optional group note { required int32 n; } }";
    let note = Column {
        definition: vec![1],
        ..all(Values::Int32(vec![1]))
    };
    let content = file(schema, plain(), &[vec![strings(["a"]), note]]);
    let e = annotate(&content, twice(), |_| None).unwrap_err();
    assert!(
        e.to_string()
            .contains("the record has a field `note` already"),
        "{e}"
    );
}

/// What arrow says of the columns goes where it cannot be understood: it would be of one too few.
#[test]
fn notes_stay_but_for_one_of_other_columns() {
    let note = |key: &str| KeyValue::new(key.to_owned(), "{}".to_owned());
    let notes = ["pandas", "ARROW:schema", "huggingface"].map(note);
    let properties = plain().set_key_value_metadata(Some(notes.to_vec()));
    let content = file(TWO, properties, &groups(&[20, 20]));
    let annotated = open(&annotate(&content, twice(), |_| None).unwrap().0);
    let left = annotated.metadata().file_metadata().key_value_metadata();
    assert_eq!(left.unwrap()[..], [note("pandas"), note("huggingface")]);
}
