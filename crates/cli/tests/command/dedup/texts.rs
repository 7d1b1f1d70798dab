//! Texts of a hundred different words, whose similarity is known by counting.

use serde_json::{Value, json};

/// Words of a passage.
pub(crate) const WORDS: usize = 100;

/// A hundred words that no other tag has, those at the given places replaced.
///
/// It has 96 shingles of five words; a place from 4 to 95, with none of the others within four, is in five of them.
/// Two texts that differ in n such places then have 96 − 5n of 96 + 5n shingles in common.
pub(crate) fn passage(tag: &str, replaced: &[usize]) -> String {
    let word = |i| match replaced.contains(&i) {
        true => format!("{tag}new{i}"),
        false => format!("{tag}{i}"),
    };
    let words: Vec<String> = (0..WORDS).map(word).collect();
    words.join(" ")
}

/// The similarity of two passages of a tag that differ in so many places.
pub(crate) fn similarity(places: usize) -> f64 {
    let exact = (96 - 5 * places) as f64 / (96 + 5 * places) as f64;
    (exact * 1e9).round() / 1e9
}

/// Records with an id and a text, a line each.
pub(crate) fn records<'a>(records: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let record = |(id, text): (&str, String)| json!({"id": id, "text": text});
    lines(records.into_iter().map(record))
}

pub(crate) fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values
        .into_iter()
        .map(|value| format!("{value}\n"))
        .collect()
}

/// Five records: "near" and "copy" are like "first"; "other" and "short" are like nothing.
pub(crate) fn five() -> String {
    records([
        ("first", passage("a", &[])),
        ("near", passage("a", &[50])),
        ("other", passage("b", &[])),
        ("copy", passage("a", &[])),
        ("short", "word".into()),
    ])
}
