//! Nested rows as columns.

use super::{Column, Values, all, some_strings};
use proptest::prelude::*;

/// A row of [`NESTED`] as a value, which is cut into columns here and put together again by
/// the crate.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) text: Option<String>,
    score: Option<(Option<String>, f64)>,
    tags: Option<Vec<Option<String>>>,
    pairs: Vec<(i32, Vec<bool>)>,
    day: Option<i32>,
}

pub(super) fn plain_row() -> impl Strategy<Value = Plain> {
    let word = || prop_oneof![Just(String::new()), "[a-c]{1,3}", "[a-z ]{40,60}"];
    (
        prop::option::of(word()),
        prop::option::of((prop::option::of(word()), -1e9..1e9f64)),
        prop::option::of(prop::collection::vec(prop::option::of(word()), 0..4)),
        prop::collection::vec(
            (any::<i32>(), prop::collection::vec(any::<bool>(), 0..3)),
            0..3,
        ),
        prop::option::of(any::<i32>()),
    )
        .prop_map(|(text, score, tags, pairs, day)| Plain {
            text,
            score,
            tags,
            pairs,
            day,
        })
}

pub(super) const NESTED: &str = "message nested {
    optional binary text (UTF8);
    required int64 id (INTEGER(64, false));
    optional group meta { optional binary lang (ENUM); required double score; }
    optional group tags (LIST) { repeated group list { optional binary element (UTF8); } }
    repeated group pairs { required int32 a; repeated boolean b; }
    optional int32 day (DATE);
}";

pub(super) fn shred(rows: &[Plain], first: i64) -> Vec<Column> {
    let text: Vec<Option<&str>> = rows.iter().map(|r| r.text.as_deref()).collect();
    let mut lang = Column::default();
    let mut langs = Vec::new();
    let mut tags = Column::default();
    let mut elements = Vec::new();
    let (mut a, mut b) = (Column::default(), Column::default());
    let (mut ints, mut bools) = (Vec::new(), Vec::new());
    for row in rows {
        lang.definition.push(match &row.score {
            None => 0,
            Some((None, _)) => 1,
            Some((Some(lang), _)) => {
                langs.push(lang.as_str().into());
                2
            }
        });
        match &row.tags {
            None => tags.level(0, 0),
            Some(list) if list.is_empty() => tags.level(1, 0),
            Some(list) => {
                for (place, tag) in list.iter().enumerate() {
                    tags.level(2 + i16::from(tag.is_some()), i16::from(place > 0));
                    elements.extend(tag.as_deref().map(Into::into));
                }
            }
        }
        if row.pairs.is_empty() {
            a.level(0, 0);
            b.level(0, 0);
        }
        for (place, (int, inner)) in row.pairs.iter().enumerate() {
            a.level(1, i16::from(place > 0));
            ints.push(*int);
            if inner.is_empty() {
                b.level(1, i16::from(place > 0));
            }
            for (deep, &bool) in inner.iter().enumerate() {
                let repeats = if deep > 0 { 2 } else { i16::from(place > 0) };
                b.level(2, repeats);
                bools.push(bool);
            }
        }
    }
    let scores = rows.iter().flat_map(|r| &r.score).map(|(_, score)| *score);
    let days: Vec<i32> = rows.iter().flat_map(|r| r.day).collect();
    vec![
        some_strings(&text),
        all(Values::Int64((first..first + rows.len() as i64).collect())),
        Column {
            values: Values::Bytes(langs),
            ..lang
        },
        Column {
            values: Values::Double(scores.collect()),
            definition: rows.iter().map(|r| i16::from(r.score.is_some())).collect(),
            ..Column::default()
        },
        Column {
            values: Values::Bytes(elements),
            ..tags
        },
        Column {
            values: Values::Int32(ints),
            ..a
        },
        Column {
            values: Values::Bool(bools),
            ..b
        },
        Column {
            values: Values::Int32(days),
            definition: rows.iter().map(|r| i16::from(r.day.is_some())).collect(),
            ..Column::default()
        },
    ]
}

impl Column {
    fn level(&mut self, definition: i16, repetition: i16) {
        self.definition.push(definition);
        self.repetition.push(repetition);
    }
}
