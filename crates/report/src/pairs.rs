use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

use crate::diff::{self, Piece};
use crate::{Error, error, escape::Escaped, number};

/// Items side by side, with what they have in common marked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    pairs: Vec<Pair>,
}

/// Two items and their similarity.
///
/// ```
/// use lookalike_report::Pair;
///
/// let pair = Pair::texts(("left", "the dog that barked"), ("right", "the dog which barked"), 0.6)?
///     .verdict("match");
/// assert!(Pair::texts(("a", ""), ("b", ""), f64::NAN).is_err());
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    names: [String; 2],
    sides: Sides,
    similarity: f64,
    verdict: Option<String>,
    facts: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Sides {
    Texts([String; 2]),
    Lists([Vec<String>; 2]),
}

impl Pairs {
    /// No pair yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One pair more.
    #[must_use]
    pub fn pair(mut self, pair: Pair) -> Self {
        self.pairs.push(pair);
        self
    }

    pub(crate) fn write(&self, out: &mut String) -> fmt::Result {
        self.pairs.iter().try_for_each(|pair| pair.write(out))
    }
}

impl Pair {
    /// Two texts, each with its name; the words that only one of them has at its place are marked.
    pub fn texts(
        left: (impl Into<String>, impl Into<String>),
        right: (impl Into<String>, impl Into<String>),
        similarity: f64,
    ) -> Result<Self, Error> {
        let sides = Sides::Texts([left.1.into(), right.1.into()]);
        Self::of([left.0.into(), right.0.into()], sides, similarity)
    }

    /// Two lists, each with its name; the members that both have are marked.
    pub fn lists<L: Display, R: Display>(
        left: (impl Into<String>, impl IntoIterator<Item = L>),
        right: (impl Into<String>, impl IntoIterator<Item = R>),
        similarity: f64,
    ) -> Result<Self, Error> {
        let sides = Sides::Lists([
            left.1.into_iter().map(|one| one.to_string()).collect(),
            right.1.into_iter().map(|one| one.to_string()).collect(),
        ]);
        Self::of([left.0.into(), right.0.into()], sides, similarity)
    }

    /// The pair with a word about it, such as "match" or "missed".
    #[must_use]
    pub fn verdict(mut self, text: impl Into<String>) -> Self {
        self.verdict = Some(text.into());
        self
    }

    /// The pair with a further fact, such as an estimate.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Display) -> Self {
        self.facts.push((name.into(), value.to_string()));
        self
    }

    fn of(names: [String; 2], sides: Sides, similarity: f64) -> Result<Self, Error> {
        Ok(Self {
            names,
            sides,
            similarity: error::unit("similarity", similarity)?,
            verdict: None,
            facts: Vec::new(),
        })
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<article class=\"pair\"><header>")?;
        let similarity = ("similarity".into(), number::short(self.similarity));
        for (name, value) in std::iter::once(&similarity).chain(&self.facts) {
            let (name, value) = (Escaped(name), Escaped(value));
            writeln!(out, "<span>{name} <b>{value}</b></span>")?;
        }
        if let Some(verdict) = &self.verdict {
            writeln!(out, "<span class=\"verdict\">{}</span>", Escaped(verdict))?;
        }
        writeln!(out, "</header>")?;
        writeln!(out, "<div class=\"sides\">")?;
        let marked = match &self.sides {
            Sides::Texts([left, right]) => {
                diff::pieces(left, right).map(|pieces| text_html(&pieces))
            }
            Sides::Lists([left, right]) => [list_html(left, right), list_html(right, left)],
        };
        for (name, html) in self.names.iter().zip(marked) {
            let name = Escaped(name);
            writeln!(
                out,
                "<figure><figcaption>{name}</figcaption>{html}</figure>"
            )?;
        }
        writeln!(out, "</div></article>")
    }
}

fn text_html(pieces: &[Piece]) -> String {
    let marked = pieces.iter().map(|piece| {
        let text = Escaped(piece.text);
        match piece.alone {
            true => format!("<mark>{text}</mark>"),
            false => text.to_string(),
        }
    });
    format!("<p class=\"said\">{}</p>", marked.collect::<String>())
}

fn list_html(list: &[String], other: &[String]) -> String {
    let shared: BTreeSet<&String> = other.iter().collect();
    let members = list.iter().map(|member| {
        let text = Escaped(member);
        match shared.contains(member) {
            true => format!("<li class=\"shared\">{text}</li>"),
            false => format!("<li>{text}</li>"),
        }
    });
    format!("<ul class=\"members\">{}</ul>", members.collect::<String>())
}
