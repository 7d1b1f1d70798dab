//! Items that are made up.

use lookalike_core::plugin::{self, Generator, Group, Kind};

use crate::{
    Dataset, Error, Registry, Table,
    registry::unknown,
    table::{from_whole_table, table_of},
};

/// A generator of items.
#[derive(Clone, Copy)]
pub struct GeneratorEntry {
    /// The name in files.
    pub name: &'static str,
    /// What it makes, in one line.
    pub summary: &'static str,
    /// The kind of the items.
    pub kind: &'static str,
    parameters: fn() -> Table,
    check: fn(&Table) -> Result<(), plugin::Error>,
    generate: fn(&Table) -> Result<MadeUp, plugin::Error>,
}

/// Items that were made up, and what is known about them.
#[derive(Debug)]
pub struct MadeUp {
    /// The items, with names and labels if they have some.
    pub data: Dataset,
    /// Pairs that were planted.
    pub groups: Vec<Group>,
    /// All parameters, with defaults for what was not given.
    pub parameters: Table,
}

impl GeneratorEntry {
    fn new<G: Generator>() -> Self {
        Self {
            name: G::NAME,
            summary: G::SUMMARY,
            kind: <G::Kind as Kind>::NAME,
            parameters: || table_of(&G::default()),
            check: |table| from_whole_table::<G>(table).map(drop),
            generate: |table| {
                let generator: G = from_whole_table(table)?;
                let made = generator.generate()?;
                let data = Dataset::new::<G::Kind>(made.items);
                Ok(MadeUp {
                    data: data.named(made.names).labelled(made.labels),
                    groups: made.groups,
                    parameters: table_of(&generator),
                })
            },
        }
    }

    /// The parameters with their defaults.
    #[must_use]
    pub fn parameters(&self) -> Table {
        (self.parameters)()
    }
}

impl std::fmt::Debug for GeneratorEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeneratorEntry")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// One more generator.
    ///
    /// # Panics
    /// If the kind has a generator of that name already.
    #[must_use]
    pub fn with_generator<G: Generator>(mut self) -> Self {
        let entry = GeneratorEntry::new::<G>();
        let (kind, name) = (entry.kind, entry.name);
        let is_taken = self.generators(kind).any(|known| known.name == name);
        assert!(
            !is_taken,
            "the kind {kind} has two generators called {name}"
        );
        self.generators.push(entry);
        self
    }

    /// The generators of a kind, in the order in which they joined.
    pub fn generators<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a GeneratorEntry> {
        self.generators.iter().filter(move |it| it.kind == kind)
    }

    /// Makes up items of a kind.
    ///
    /// # Errors
    /// If the kind has no such generator, or a parameter is not known or wrong.
    pub fn generate(&self, kind: &str, name: &str, parameters: &Table) -> Result<MadeUp, Error> {
        Ok((self.generator(kind, name)?.generate)(parameters)?)
    }

    /// Refuses what [`generate`](Registry::generate) would not understand, without making anything.
    ///
    /// # Errors
    /// If the kind has no such generator, or a parameter is not known or of the wrong type.
    pub fn check_generator(&self, kind: &str, name: &str, parameters: &Table) -> Result<(), Error> {
        Ok((self.generator(kind, name)?.check)(parameters)?)
    }

    fn generator(&self, kind: &str, name: &str) -> Result<GeneratorEntry, Error> {
        let known: Vec<&GeneratorEntry> = self.generators(kind).collect();
        let Some(entry) = known.iter().find(|entry| entry.name == name) else {
            if known.is_empty() {
                let message = format!("items of the kind {kind} cannot be generated: give inputs");
                return Err(plugin::Error::new(message).into());
            }
            let names: Vec<&str> = known.iter().map(|entry| entry.name).collect();
            return Err(unknown("generator", name, &names));
        };
        Ok(**entry)
    }
}
