//! How answers read.

use std::{io::Write, sync::Arc};

use lookalike::search::Id;
use serde_json::Value;

use crate::number;
use crate::output::columns;
use crate::table::{Align, Column, Table};

/// Text for people, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Text,
    Json,
    JsonWithTexts,
}

/// A document that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) id: Id,
    pub(super) similarity: f64,
    /// Where it is shown.
    pub(super) text: Option<Arc<str>>,
}

/// What was found for one query.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) found: Vec<Found>,
    pub(super) has_shingles: bool,
    /// Candidates, and those that were compared; a corpus has none.
    pub(super) candidates: Option<(usize, usize)>,
}

/// Why documents may be missing.
#[derive(Debug)]
pub(super) enum Why {
    /// What an index finds, if there is anything in it, and the least similarity that was asked for, as it was given.
    Index(Option<String>, Option<String>),
    /// A corpus: nothing is missed.
    Corpus,
}

/// Writes answers one after the other.
#[derive(Debug)]
pub(super) struct Shown {
    style: Style,
    /// Whether there is only one query, which needs no heading.
    is_one: bool,
    why: Why,
    answers: u64,
}

/// Columns of a text below which it says nothing.
const LEAST: usize = 24;

impl Shown {
    pub(super) fn new(style: Style, is_one: bool, why: Why) -> Self {
        Self {
            style,
            is_one,
            why,
            answers: 0,
        }
    }

    /// Writes an answer.
    pub(super) fn answer(
        &mut self,
        query: Option<&Id>,
        answer: &Answer,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        self.answers += 1;
        if self.style != Style::Text {
            return self.json(query, answer, out);
        }
        if let Some(query) = query.filter(|_| !self.is_one) {
            let gap = if self.answers > 1 { "\n" } else { "" };
            writeln!(out, "{gap}query {query}")?;
        }
        if answer.found.is_empty() {
            writeln!(out, "nothing alike found{}", self.reason(answer))?;
            if self.is_one && answer.has_shingles {
                writeln!(
                    out,
                    "texts are compared as wholes: a short one is not like a long one that contains it"
                )?;
            }
            return Ok(());
        }
        write!(out, "{}", table(&answer.found))?;
        if let Some((candidates, compared)) = answer.candidates
            && compared < candidates
        {
            writeln!(
                out,
                "{compared} of {candidates} candidates were compared: more with --limit"
            )?;
        }
        Ok(())
    }

    /// Says what may be missing.
    pub(super) fn end(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let (Style::Text, Why::Index(Some(found), _)) = (self.style, &self.why) {
            writeln!(out, "\n{found}")?;
        }
        Ok(())
    }

    fn reason(&self, answer: &Answer) -> String {
        let shares = "shares a shingle with it";
        match &self.why {
            _ if !answer.has_shingles => ": the query has no shingle".into(),
            Why::Corpus => format!(": of all documents none {shares}"),
            Why::Index(_, min) => match answer.candidates {
                Some((0, _)) | None => ": no document shares a bucket with it".into(),
                Some((_, compared)) => {
                    let min = min.as_ref().map(|min| format!("reaches {min}"));
                    let least = min.as_deref().unwrap_or(shares);
                    format!(": of {compared} candidates none {least}")
                }
            },
        }
    }

    /// One object on one line; ids are JSON already, and may be numbers of any length.
    fn json(
        &self,
        query: Option<&Id>,
        answer: &Answer,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let query = query.map_or("null", Id::as_json);
        write!(out, "{{\"query\": {query}, \"hits\": [")?;
        for (place, found) in answer.found.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let (id, similarity) = (found.id.as_json(), number::plain(found.similarity));
            write!(out, "{comma}{{\"id\": {id}, \"similarity\": {similarity}")?;
            if let (Style::JsonWithTexts, Some(text)) = (self.style, &found.text) {
                write!(out, ", \"text\": {}", Value::from(&**text))?;
            }
            write!(out, "}}")?;
        }
        write!(out, "]")?;
        if let Some((candidates, compared)) = answer.candidates {
            write!(
                out,
                ", \"candidates\": {candidates}, \"compared\": {compared}"
            )?;
        }
        writeln!(out, "}}")?;
        Ok(())
    }
}

fn table(found: &[Found]) -> Table {
    let similarity = |found: &Found| {
        let similarity = found.similarity;
        number::probability(similarity, 1.0 - similarity)
    };
    let similarities: Vec<String> = found.iter().map(similarity).collect();
    let ids: Vec<String> = found
        .iter()
        .map(|found| snippet(&found.id.to_string(), usize::MAX))
        .collect();
    let widest = |cells: &[String], head: &str| {
        let widths = cells.iter().map(|cell| cell.chars().count());
        widths.max().unwrap_or(0).max(head.len())
    };
    let used = widest(&similarities, "similarity") + widest(&ids, "id") + 4;
    let left = columns(None).saturating_sub(used).max(LEAST);
    let text = |found: &Found| snippet(found.text.as_deref().unwrap_or_default(), left);
    let columns = vec![
        Column::new("similarity", Align::Left, similarities),
        Column::new("id", Align::Left, ids),
        Column::new("text", Align::Left, found.iter().map(text)),
    ];
    let width = usize::MAX;
    Table { columns, width }
}

/// The start of a text on one line of at most so many characters.
fn snippet(text: &str, most: usize) -> String {
    // What a terminal would take for a command is left out, too.
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.filter(|word| !word.is_empty());
    let spaced = words.flat_map(|word| std::iter::once(' ').chain(word.chars()));
    let mut rest = spaced.skip(1);
    let mut line: String = rest.by_ref().take(most).collect();
    if rest.next().is_some() {
        line.pop();
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_one_line_that_fits() {
        assert_eq!(snippet("  a\n\tb \u{1b}[2Jc ", 80), "a b [2Jc");
        assert_eq!(snippet("", 5), "");
        let text = "one two three";
        assert_eq!(snippet(text, 13), text);
        for most in 1..13 {
            let line = snippet(text, most);
            assert_eq!(line.chars().count(), most, "{line}");
            let start = line.strip_suffix('…').unwrap();
            assert!(text.starts_with(start), "{line}");
        }
        assert_eq!(snippet("日本語の文章です", 4), "日本語…");
    }
}
