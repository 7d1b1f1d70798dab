//! What `pairs` and `query` have in common: from flags to items and a plan.

use std::io::{self, Write};

use lookalike::corpus::{FieldPath, Format};
use lookalike::plugin::{Measure, Value};
use lookalike::search::{Dataset, Error, Names, Planned, Registry, Request};

use crate::bar::Spinner;
use crate::inventory;
use crate::number::plain;
use crate::options::measure::Near;
use crate::options::{Bag, Items, Search, Text};
use crate::reader::Reader;
use crate::remedy::{Spelling, explained};
use crate::usage::Usage;

/// The request and how items are read.
#[derive(Debug)]
pub(crate) struct Verb<'a> {
    pub(crate) near: Near,
    request: Request,
    reader: Reader<'a>,
}

impl<'a> Verb<'a> {
    /// Refuses flags that are wrong whatever the files hold.
    pub(crate) fn new(
        registry: &'a Registry,
        near: Near,
        items: &'a Items,
        search: &Search,
        text: &Text,
        bag: Bag,
    ) -> anyhow::Result<Self> {
        let kinds = registry.kinds_for(near.measure.flag, items.kind.as_deref());
        let kinds = kinds.map_err(wrong_use)?;
        let mut request = search.request(near)?;
        request.parameters = text.parameters()?;
        bag.over(&mut request.parameters);
        let (reader, parameters) = Reader::new(registry, items, kinds, &search.set)?;
        request.parameters.extend(parameters);
        Ok(Self {
            near,
            request,
            reader,
        })
    }

    /// What is asked for, without the number of queries.
    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn reader(&self) -> &Reader<'a> {
        &self.reader
    }

    /// Reads items.
    pub(crate) fn read(&self, inputs: &[String], spinner: &Spinner) -> anyhow::Result<Dataset> {
        self.reader.read(inputs, spinner)
    }

    /// The same for items whose records have a label in a field.
    pub(crate) fn labelled(mut self, field: Option<&FieldPath>) -> Self {
        self.reader.label = field.cloned();
        self
    }

    pub(crate) fn registry(&self) -> &Registry {
        self.reader.registry
    }

    /// Reads queries for items: they must be of the same kind and width.
    pub(crate) fn read_queries(
        &self,
        data: &Dataset,
        inputs: &[String],
        format: Option<Format>,
        spinner: &Spinner,
    ) -> anyhow::Result<Dataset> {
        let source = self.reader.source(inputs, format, &[data.kind()])?;
        let queries = self.reader.read_source(&source, spinner)?;
        same_width(data, &queries, &inputs.join(", "))?;
        Ok(queries)
    }

    /// One query, from text.
    pub(crate) fn parse_query(&self, data: &Dataset, text: &str) -> anyhow::Result<Dataset> {
        let source = self.reader.source(&[], None, &[data.kind()])?;
        let query = self.reader.registry.parse(&source, [Value::Text(text)]);
        let query = query.map_err(|error| anyhow::Error::from(error).context("--text"))?;
        same_width(data, &query, "--text")?;
        Ok(query)
    }

    /// How it is done. What was read and the plan are said on stderr, once both are known to be right: an error comes
    /// alone.
    pub(crate) fn plan(
        &self,
        data: &Dataset,
        queries: Option<&Dataset>,
        k: Option<usize>,
        is_quiet: bool,
    ) -> anyhow::Result<Planned> {
        let mut request = self.request.clone();
        request.k = k;
        request.queries = queries.map(Dataset::len);
        request.longest_query = queries.and_then(Dataset::longest);
        let planned = self.registry().plan(&request, data).map_err(wrong_use)?;
        if !is_quiet {
            let is_text = data.kind() == "text";
            inventory::write_if_unclear(data.inventory(), "texts", is_text);
            if let Some(queries) = queries {
                inventory::write_if_unclear(queries.inventory(), "queries", is_text);
            }
            // What goes to a closed stderr is lost, and results are not.
            let _ = write!(io::stderr(), "{planned}");
        }
        Ok(planned)
    }

    /// A distance as the measure states it.
    pub(crate) fn shown(&self, distance: f64) -> f64 {
        plain(self.near.measure.shown(distance))
    }

    /// What the measure is called in JSON.
    pub(crate) fn key(&self) -> &'static str {
        key(self.near.measure)
    }
}

/// What a measure is called in JSON.
pub(crate) fn key(measure: &Measure) -> &'static str {
    match measure.is_similarity {
        true => "similarity",
        false => "distance",
    }
}

/// What the planner refuses is wrong use: flags that do not fit together, or do not fit the items.
pub(crate) fn wrong_use(error: Error) -> anyhow::Error {
    match error {
        Error::Plugin(error) => Usage(explained(&error.into(), Spelling::Flags)).into(),
        error => error.into(),
    }
}

/// Refuses queries that cannot be compared with the items.
fn same_width(data: &Dataset, queries: &Dataset, name: &str) -> anyhow::Result<()> {
    let [found, expected] = [queries, data].map(Dataset::width);
    if found != expected {
        anyhow::bail!(
            "{name}: a {} of width {found}, but the items have width {expected}: both must have the same",
            data.kind()
        );
    }
    Ok(())
}

/// Names of items, in the form of the output.
pub(crate) fn name(names: &Names, id: u32, is_json: bool) -> String {
    match is_json {
        true => names.json(id),
        false => escaped(names.text(id)),
    }
}

/// A name as one field of a line: tabs, line breaks and backslashes are written `\t`, `\n`, `\r` and `\\`.
pub(crate) fn escaped(name: String) -> String {
    match name.contains(['\t', '\n', '\r', '\\']) {
        false => name,
        true => name
            .replace('\\', r"\\")
            .replace('\t', r"\t")
            .replace('\n', r"\n")
            .replace('\r', r"\r"),
    }
}

/// "1 pair", "2 pairs".
pub(crate) fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
