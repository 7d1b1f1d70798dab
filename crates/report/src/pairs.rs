use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

use crate::{Error, Facts, error, escape::Escaped, number};

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
    sides: [Side; 2],
    similarity: f64,
    verdict: Option<String>,
    facts: Facts,
}

#[derive(Clone, Debug, PartialEq)]
enum Side {
    Text(String),
    List(Vec<String>),
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
        let sides = [Side::Text(left.1.into()), Side::Text(right.1.into())];
        Self::of([left.0.into(), right.0.into()], sides, similarity)
    }

    /// Two lists, each with its name; the members that both have are marked.
    pub fn lists<L: Display, R: Display>(
        left: (impl Into<String>, impl IntoIterator<Item = L>),
        right: (impl Into<String>, impl IntoIterator<Item = R>),
        similarity: f64,
    ) -> Result<Self, Error> {
        let sides = [
            Side::List(left.1.into_iter().map(|one| one.to_string()).collect()),
            Side::List(right.1.into_iter().map(|one| one.to_string()).collect()),
        ];
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
        self.facts = self.facts.fact(name, value);
        self
    }

    fn of(names: [String; 2], sides: [Side; 2], similarity: f64) -> Result<Self, Error> {
        Ok(Self {
            names,
            sides,
            similarity: error::unit("similarity", similarity)?,
            verdict: None,
            facts: Facts::new(),
        })
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let similarity = number::short(self.similarity);
        write!(
            out,
            "<article class=\"pair\"><header><span>similarity <b>{similarity}</b></span>"
        )?;
        if let Some(verdict) = &self.verdict {
            write!(out, "<span class=\"verdict\">{}</span>", Escaped(verdict))?;
        }
        writeln!(out, "</header>")?;
        if self.facts != Facts::new() {
            self.facts.write(out)?;
        }
        writeln!(out, "<div class=\"sides\">")?;
        for (side, other, name) in [
            (&self.sides[0], &self.sides[1], &self.names[0]),
            (&self.sides[1], &self.sides[0], &self.names[1]),
        ] {
            write!(out, "<figure><figcaption>{}</figcaption>", Escaped(name))?;
            match (side, other) {
                (Side::List(list), Side::List(other)) => write_list(out, list, other)?,
                (Side::Text(text), _) => write!(out, "<p class=\"said\">{}</p>", Escaped(text))?,
                (Side::List(list), _) => write_list(out, list, &[])?,
            }
            writeln!(out, "</figure>")?;
        }
        writeln!(out, "</div></article>")
    }
}

fn write_list(out: &mut String, list: &[String], other: &[String]) -> fmt::Result {
    let shared: BTreeSet<&String> = other.iter().collect();
    write!(out, "<ul class=\"members\">")?;
    for member in list {
        let text = Escaped(member);
        match shared.contains(member) {
            true => write!(out, "<li><strong>{text}</strong></li>")?,
            false => write!(out, "<li>{text}</li>")?,
        }
    }
    write!(out, "</ul>")
}
