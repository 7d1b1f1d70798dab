use lookalike_output::did_you_mean;

use crate::{Data, Error, Measure, Plugin, Request, Run, plugins, progress::Steps, run};

/// The families that files can name: a table of functions, each made for one plugin when it joins.
///
/// What an item is differs from family to family. Here every plugin gets a `run` of its own, and what is stored is where it
/// is: no item behind a `dyn`, no list of families to edit.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

/// A family that files can name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in a file.
    pub name: &'static str,
    /// What its items are.
    pub kind: &'static str,
    /// What it is about.
    pub measure: Measure,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What one function promises.
    pub sensitivity: &'static str,
    /// What to know of the promise of several.
    pub caveat: &'static str,
    pub(crate) check: fn(&Request<'_>) -> Result<(), Error>,
    pub(crate) run: fn(&Request<'_>, &Steps<'_>) -> Result<Run, Error>,
}

impl Registry {
    /// The families of the project.
    #[must_use]
    pub fn builtin() -> Self {
        plugins::all(Self::default())
    }

    /// One family more. It takes the place of one with the same name and the same kind of items.
    #[must_use]
    pub fn with<P: Plugin>(mut self) -> Self {
        let kind = <P::Data as Data>::KIND;
        self.entries
            .retain(|entry| (entry.name, entry.kind) != (P::NAME, kind));
        self.entries.push(Entry {
            name: P::NAME,
            kind,
            measure: P::MEASURE,
            summary: P::SUMMARY,
            sensitivity: P::SENSITIVITY,
            caveat: P::CAVEAT,
            check: run::check::<P>,
            run: run::run::<P>,
        });
        self
    }

    /// All families, in the order in which they joined.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The family with a name, over a kind of items; without one, the first that joined.
    pub(crate) fn find(&self, name: &str, kind: Option<&str>) -> Result<&Entry, Error> {
        let named: Vec<&Entry> = self.entries.iter().filter(|it| it.name == name).collect();
        if named.is_empty() {
            let mut names: Vec<&str> = self.entries.iter().map(|entry| entry.name).collect();
            names.dedup();
            let meant = did_you_mean(name, &names);
            names.sort_unstable();
            names.dedup();
            let known = names.join(", ");
            let message = format!("unknown family `{name}`, known are {known}{meant}");
            return Err(Error::setting("family.name", message));
        }
        let Some(kind) = kind else {
            return Ok(named[0]);
        };
        named
            .iter()
            .copied()
            .find(|it| it.kind == kind)
            .ok_or_else(|| {
                let kinds: Vec<&str> = named.iter().map(|entry| entry.kind).collect();
                let meant = did_you_mean(kind, &kinds);
                let message = format!("{name} takes {}, not `{kind}`{meant}", kinds.join(" or "));
                Error::setting("data.kind", message)
            })
    }
}
