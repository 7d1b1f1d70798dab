use std::fmt::{self, Display};

use crate::escape::Escaped;

/// Names with their values, such as the counts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    facts: Vec<Fact>,
}

#[derive(Clone, Debug, PartialEq)]
struct Fact {
    name: String,
    value: String,
    note: Option<String>,
}

impl Facts {
    /// No fact yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Display) -> Self {
        self.facts.push(Fact {
            name: name.into(),
            value: value.to_string(),
            note: None,
        });
        self
    }

    /// One more, with a few words about it.
    #[must_use]
    pub fn noted(
        mut self,
        name: impl Into<String>,
        value: impl Display,
        note: impl Into<String>,
    ) -> Self {
        self.facts.push(Fact {
            name: name.into(),
            value: value.to_string(),
            note: Some(note.into()),
        });
        self
    }

    pub(crate) fn write(&self, out: &mut String) -> fmt::Result {
        use fmt::Write;
        writeln!(out, "<dl class=\"facts\">")?;
        for fact in &self.facts {
            let (name, value) = (Escaped(&fact.name), Escaped(&fact.value));
            write!(out, "<div><dt>{name}</dt><dd>{value}")?;
            if let Some(note) = &fact.note {
                write!(out, "<small>{}</small>", Escaped(note))?;
            }
            writeln!(out, "</dd></div>")?;
        }
        writeln!(out, "</dl>")
    }
}
