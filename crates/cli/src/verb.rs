//! What `pairs` and `query` have in common: from flags to items and a plan.

use std::io::{self, Write};

use lookalike::corpus::{Format, Options};
use lookalike::plugin::Value;
use lookalike::search::{Dataset, Error, Names, Planned, Registry, Request, Source, Table};

use crate::bar::Spinner;
use crate::inputs::{is_stream, present, refuse_index, stdin_has_columns};
use crate::inventory;
use crate::number::plain;
use crate::options::measure::Near;
use crate::options::{Items, Search, Text};
use crate::remedy::{Spelling, explained};
use crate::usage::Usage;

/// The request and how items are read.
#[derive(Debug)]
pub(crate) struct Verb<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) near: Near,
    request: Request,
    items: &'a Items,
    kinds: Vec<&'static str>,
    reading: Table,
}

impl<'a> Verb<'a> {
    /// Refuses flags that are wrong whatever the files hold.
    pub(crate) fn new(
        registry: &'a Registry,
        near: Near,
        items: &'a Items,
        search: &Search,
        text: &Text,
    ) -> anyhow::Result<Self> {
        let kinds = registry.kinds_for(near.measure.flag, items.kind.as_deref());
        let kinds = kinds.map_err(wrong_use)?;
        let mut request = search.request(near)?;
        request.parameters = text.parameters()?;
        let mut reading = Table::new();
        let is_reading = |name: &str| {
            let mut readings = kinds.iter().map(|kind| registry.reading(kind));
            readings.any(|reading| reading.contains_key(name))
        };
        for (name, value) in &search.set {
            let table = match is_reading(name) {
                true => &mut reading,
                false => &mut request.parameters,
            };
            table.insert(name.clone(), value.clone());
        }
        let bits = items.bits.map(serde_json::Value::from);
        let digits = items.formats()?.1.map(serde_json::Value::from);
        for (name, flag, value) in [("bits", "--bits", bits), ("digits", "--format", digits)] {
            let Some(value) = value else { continue };
            if !is_reading(name) {
                let kinds = kinds.join(", ");
                let message = format!("{flag} {} is for codes, not for {kinds}", written(&value));
                return Err(Usage(message).into());
            }
            reading.insert(name.into(), value);
        }
        let verb = Self {
            registry,
            near,
            request,
            items,
            kinds,
            reading,
        };
        let source = verb.source(&[], None, &verb.kinds)?;
        registry.check_reading(&source).map_err(wrong_use)?;
        Ok(verb)
    }

    /// How inputs are read: as the flags say, in another format, as items of one of some kinds.
    fn source(
        &self,
        inputs: &[String],
        format: Option<Format>,
        kinds: &[&'static str],
    ) -> anyhow::Result<Source> {
        let field = match &self.items.field {
            Some(field) => field.clone(),
            None => self.registry.field(kinds[0]).unwrap_or("text").parse()?,
        };
        let options = Options {
            format: format.or(self.items.formats()?.0),
            include: self.items.folders.include.clone(),
            exclude: self.items.folders.exclude.clone(),
            text: field,
            id: self.items.id_field.clone(),
            record_bytes: self.items.bits.map(|bits| bits.div_ceil(8)),
            ..Options::default()
        };
        let options = Options {
            limits: self.items.limits.over(options.limits),
            ..options
        };
        let mut source = Source::new(inputs, options, kinds);
        source.reading = self.reading.clone();
        source.ignore_ids = self.items.ignore_ids;
        Ok(source)
    }

    /// Reads items.
    ///
    /// Records that lack the default field of the first kind may have that of another, which they are read by then.
    pub(crate) fn read(&self, inputs: &[String], spinner: &Spinner) -> anyhow::Result<Dataset> {
        let read = |kinds: &[&'static str]| {
            let source = self.source(inputs, None, kinds)?;
            self.read_source(&source, spinner)
        };
        let may_be_table = !self.items.has_format() && inputs.iter().any(|input| input == "-");
        if may_be_table && stdin_has_columns() {
            spinner.note("stdin is read as lines; if it is a table, say so with --format csv");
        }
        let error = match read(&self.kinds) {
            Ok(data) => return Ok(data),
            Err(error) => error,
        };
        let others = present(&error).map(|present| self.kinds_with_one_of(present));
        match others {
            Some(kinds) if !kinds.is_empty() && !inputs.iter().any(is_stream) => {
                read(&kinds).map_err(|other| match present(&other) {
                    // Records have different fields: the first complaint is the one about the default.
                    Some(_) => error,
                    None => other,
                })
            }
            _ => Err(error),
        }
    }

    /// The kinds whose default field is among those of a record, if exactly one such field is.
    fn kinds_with_one_of(&self, present: &[String]) -> Vec<&'static str> {
        let field = |kind: &&str| self.registry.field(kind);
        let is_present = |kind: &&'static str| {
            field(kind).is_some_and(|field| present.iter().any(|it| it == field))
        };
        let mut kinds = self.kinds.clone();
        kinds.retain(|kind| self.items.field.is_none() && is_present(kind));
        let first = kinds.first().and_then(field);
        match kinds.iter().all(|kind| field(kind) == first) {
            true => kinds,
            false => Vec::new(),
        }
    }

    /// Reads queries for items: they must be of the same kind and width.
    pub(crate) fn read_queries(
        &self,
        data: &Dataset,
        inputs: &[String],
        format: Option<Format>,
        spinner: &Spinner,
    ) -> anyhow::Result<Dataset> {
        let source = self.source(inputs, format, &[data.kind()])?;
        let queries = self.read_source(&source, spinner)?;
        same_width(data, &queries, &inputs.join(", "))?;
        Ok(queries)
    }

    /// One query, from text.
    pub(crate) fn parse_query(&self, data: &Dataset, text: &str) -> anyhow::Result<Dataset> {
        let source = self.source(&[], None, &[data.kind()])?;
        let query = self.registry.parse(&source, [Value::Text(text)]);
        let query = query.map_err(|error| anyhow::Error::from(error).context("--text"))?;
        same_width(data, &query, "--text")?;
        Ok(query)
    }

    fn read_source(&self, source: &Source, spinner: &Spinner) -> anyhow::Result<Dataset> {
        source.inputs.iter().try_for_each(|it| refuse_index(it))?;
        let mut is_shown = false;
        let mut progress = |done, total| {
            if !is_shown {
                spinner.bytes("reading", total);
                is_shown = true;
            }
            spinner.reach(done);
        };
        let read = self.registry.read(source, &mut progress);
        spinner.hide();
        Ok(read?)
    }

    /// How it is done. What was read and the plan are said on stderr, once both are known to be right: an error comes
    /// alone.
    pub(crate) fn plan(
        &self,
        data: &Dataset,
        queries: Option<&Dataset>,
        is_quiet: bool,
    ) -> anyhow::Result<Planned> {
        let mut request = self.request.clone();
        request.queries = queries.map(Dataset::len);
        let planned = self.registry.plan(&request, data).map_err(wrong_use)?;
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
        match self.near.measure.is_similarity {
            true => "similarity",
            false => "distance",
        }
    }
}

/// What the planner refuses is wrong use: flags that do not fit together, or do not fit the items.
fn wrong_use(error: Error) -> anyhow::Error {
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

/// A value as it is typed.
fn written(value: &serde_json::Value) -> String {
    value.as_str().map_or(value.to_string(), str::to_owned)
}

/// Names of items, in the form of the output.
pub(crate) fn name(names: &Names, id: u32, is_json: bool) -> String {
    match is_json {
        true => names.json(id),
        false => escaped(names.text(id)),
    }
}

/// A name as one field of a line: tabs, line breaks and backslashes are written `\t`, `\n`, `\r` and `\\`.
fn escaped(name: String) -> String {
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
