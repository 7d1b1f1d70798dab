//! A TOML file as a tree in which every value knows where it stands.
//!
//! Sweeps and small forms put values in place of others before anything is read as a setting. A `toml::Value` forgets where
//! it came from; these values do not, so that every message has a line, whatever was put where.

use std::ops::Range;

use lookalike_output::{TomlProblem, place, without_types};
use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

use crate::Error;

/// A value and where it stands.
pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

/// A file: what messages speak of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl<'a> Source<'a> {
    /// What stands there.
    pub(crate) fn said(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// File, line and column of what stands there.
    fn place(&self, span: Range<usize>) -> String {
        place(self.name, self.text, span.start)
    }

    /// An error about what stands there.
    pub(crate) fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        Error::config(self.place(span), message)
    }

    /// An error of the parser or of a setting's own type, with its place and what was perhaps meant.
    fn refused(&self, error: &toml::de::Error) -> Error {
        let TomlProblem { place, message } = TomlProblem::new(self.name, self.text, error);
        Error::config(place, without_types(&message))
    }

    /// A table of the file; an empty one if it is missing.
    pub(crate) fn table<'t>(&self, tree: &Tree<'t>, key: &str) -> Result<Tree<'t>, Error> {
        let none = || Spanned::new(0..0, DeValue::Table(DeTable::new()));
        let value = tree.get(key).cloned().unwrap_or_else(none);
        let span = value.span();
        let wrong = || self.wrong(span, format!("{key} is a table: [{key}]"));
        Tree::of(value).ok_or_else(wrong)
    }

    /// Reads a value as what it should be.
    pub(crate) fn read<T: DeserializeOwned>(&self, value: Value<'_>) -> Result<T, Error> {
        T::deserialize(ValueDeserializer::from(value)).map_err(|error| self.refused(&error))
    }
}

/// A table and what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'a> {
    table: DeTable<'a>,
    span: Range<usize>,
}

impl<'a> Tree<'a> {
    pub(crate) fn parse(source: Source<'a>) -> Result<Self, Error> {
        let parsed = DeTable::parse(source.text).map_err(|error| source.refused(&error))?;
        let span = parsed.span();
        let table = parsed.into_inner();
        Ok(Self { table, span })
    }

    /// All of it.
    pub(crate) fn value(&self) -> Value<'a> {
        Spanned::new(self.span.clone(), DeValue::Table(self.table.clone()))
    }

    /// What a path such as `family.name` leads to.
    pub(crate) fn get(&self, path: &str) -> Option<&Value<'a>> {
        let mut keys = path.split('.');
        let first = self.table.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get_ref().as_table()?.get(key))
    }

    /// Where the nearest thing to a path stands: itself, or the table that lacks it.
    pub(crate) fn span_of(&self, path: &str) -> Range<usize> {
        let mut path = Some(path);
        while let Some(here) = path {
            if let Some(value) = self.get(here) {
                return value.span();
            }
            path = here.rsplit_once('.').map(|(above, _)| above);
        }
        self.span.start..self.span.start
    }

    /// Takes something out of the outermost table.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Value<'a>> {
        self.table.remove(key)
    }

    /// Puts a value where a path leads, through tables that are made where there are none.
    pub(crate) fn set(&mut self, path: &str, value: Value<'a>) -> Result<(), Error> {
        let span = value.span();
        let mut table = &mut self.table;
        let mut keys: Vec<&str> = path.split('.').collect();
        let last = keys.pop().unwrap_or_default();
        for (depth, &key) in keys.iter().enumerate() {
            let inner = table
                .entry(Spanned::new(span.clone(), key.to_owned().into()))
                .or_insert_with(|| Spanned::new(span.clone(), DeValue::Table(DeTable::new())));
            table = match inner.get_mut() {
                DeValue::Table(inner) => inner,
                _ => {
                    let above = keys[..=depth].join(".");
                    let message = format!("{path} goes through {above}, which is no table");
                    return Err(Error::setting(above, message));
                }
            };
        }
        table.remove(last);
        table.insert(Spanned::new(span, last.to_owned().into()), value);
        Ok(())
    }

    /// Everything in it that is no table, with its path, in the order of the file.
    pub(crate) fn leaves(&self) -> Vec<(String, Value<'a>)> {
        fn walk<'a>(table: &DeTable<'a>, above: &str, found: &mut Vec<(String, Value<'a>)>) {
            for (key, value) in table {
                let key: &str = key.get_ref();
                let path = match above {
                    "" => key.to_owned(),
                    _ => format!("{above}.{key}"),
                };
                match value.get_ref() {
                    DeValue::Table(inner) => walk(inner, &path, found),
                    _ => found.push((path, value.clone())),
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.table, "", &mut found);
        found.sort_by_key(|(_, value)| value.span().start);
        found
    }

    /// The path of the value with this name, somewhere below a table.
    pub(crate) fn below(&self, table: &str, name: &str) -> Option<String> {
        let inner = Self::of(self.get(table)?.clone())?;
        let paths = inner.leaves().into_iter().map(|(path, _)| path);
        let path = paths
            .into_iter()
            .find(|path| path.rsplit('.').next() == Some(name));
        path.map(|path| format!("{table}.{path}"))
    }

    /// The path itself, if it leads somewhere; or else that of the value with its last name below its table.
    fn found(&self, path: String) -> String {
        let below = match (self.get(&path), path.rsplit_once('.')) {
            (None, Some((table, name))) => self.below(table, name),
            _ => None,
        };
        below.unwrap_or(path)
    }

    /// A value that is a table, as a tree of its own.
    pub(crate) fn of(value: Value<'a>) -> Option<Self> {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => Some(Self { table, span }),
            _ => None,
        }
    }

    /// Says where a wrong setting stands.
    pub(crate) fn located(&self, source: Source<'_>, error: Error) -> Error {
        match error {
            Error::Setting {
                key,
                message,
                remedies,
            } => Error::Config {
                place: source.place(self.span_of(&self.found(key))),
                message,
                remedies,
            },
            other => other,
        }
    }
}
