//! How the flags of a verb say that items are read.

use lookalike::corpus::{FieldPath, Format, Options};
use lookalike::search::{Dataset, Registry, Source, Table};
use serde_json::Value;

use crate::bar::Spinner;
use crate::inputs::{is_stream, present, refuse_index, stdin_has_columns};
use crate::options::Items;
use crate::usage::Usage;
use crate::verb::wrong_use;

/// Reads items of some kinds.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) registry: &'a Registry,
    items: &'a Items,
    kinds: Vec<&'static str>,
    reading: Table,
    /// The field of the items, not of queries, that holds a label.
    pub(crate) label: Option<FieldPath>,
}

impl<'a> Reader<'a> {
    /// A reader, and what of the parameters that were set does not say how items are read.
    pub(crate) fn new(
        registry: &'a Registry,
        items: &'a Items,
        kinds: Vec<&'static str>,
        set: &[(String, Value)],
    ) -> anyhow::Result<(Self, Table)> {
        let (mut reading, mut parameters) = (Table::new(), Table::new());
        let is_reading = |name: &str| {
            let mut readings = kinds.iter().map(|kind| registry.reading(kind));
            readings.any(|reading| reading.contains_key(name))
        };
        for (name, value) in set {
            let table = match is_reading(name) {
                true => &mut reading,
                false => &mut parameters,
            };
            table.insert(name.clone(), value.clone());
        }
        let bits = items.bits.map(Value::from);
        let digits = items.formats()?.1.map(Value::from);
        for (name, flag, value) in [("bits", "--bits", bits), ("digits", "--format", digits)] {
            let Some(value) = value else { continue };
            if !is_reading(name) {
                let kinds = kinds.join(", ");
                let message = format!("{flag} {} is for codes, not for {kinds}", written(&value));
                return Err(Usage(message).into());
            }
            reading.insert(name.into(), value);
        }
        let reader = Self {
            registry,
            items,
            kinds,
            reading,
            label: None,
        };
        let source = reader.source(&[], None, &reader.kinds)?;
        registry.check_reading(&source).map_err(wrong_use)?;
        Ok((reader, parameters))
    }

    /// How inputs are read: as the flags say, in another format, as items of one of some kinds.
    pub(crate) fn source(
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
        let may_be_table = !self.items.has_format() && inputs.iter().any(|input| input == "-");
        if may_be_table && stdin_has_columns() {
            spinner.note("stdin is read as lines; if it is a table, say so with --format csv");
        }
        self.attempt(inputs, |source| self.read_source(source, spinner))
    }

    /// Does something with the source of some inputs, and once more with the kinds that a record has the field of if it lacks the
    /// default field of the first kind.
    pub(crate) fn attempt<T>(
        &self,
        inputs: &[String],
        work: impl Fn(&Source) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let read = |kinds: &[&'static str]| {
            let mut source = self.source(inputs, None, kinds)?;
            source.label.clone_from(&self.label);
            work(&source)
        };
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

    pub(crate) fn read_source(
        &self,
        source: &Source,
        spinner: &Spinner,
    ) -> anyhow::Result<Dataset> {
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
}

/// A value as it is typed.
fn written(value: &Value) -> String {
    value.as_str().map_or(value.to_string(), str::to_owned)
}
