//! The table `[data]`: where items come from. The same keys for every kind.

mod prints;

use std::{collections::BTreeSet, path::PathBuf};

use lookalike_core::plugin::{Group, Remedied, Setting, Value};
use lookalike_corpus::{FieldPath, Format, Limits, OnError, Options};
use lookalike_search::{Dataset, Registry, Source, Table};
use serde::{Deserialize, Serialize, de::IgnoredAny};

use crate::{
    Error, keys,
    resolved::table,
    tree::{Source as File, Tree},
};

/// Where items come from: files, the file of the experiment itself, or a generator.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    said: Said,
    /// How values of the kind are read.
    reading: Table,
    items: Vec<serde_json::Value>,
    /// The generator and its parameters.
    generate: Option<(String, Table)>,
}

/// The keys that are the same for every kind; those about files are those of `lookalike dedup --config`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Said {
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    format: Option<String>,
    text: Option<FieldPath>,
    field: Option<FieldPath>,
    id: Option<FieldPath>,
    label: Option<FieldPath>,
    on_error: Option<OnError>,
    folder: Option<PathBuf>,
    max_expansion: Option<u64>,
    max_record: Option<u64>,
    max_window: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ignore_ids: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exclude: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    against: Vec<String>,
    within: Option<FieldPath>,
    by: Option<FieldPath>,
    /// What the given items are called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// Read before; named here so that they are known.
    #[serde(skip_serializing)]
    items: IgnoredAny,
    #[serde(skip_serializing)]
    generate: IgnoredAny,
}

/// Items, and what is known about their pairs.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) data: Dataset,
    /// Pairs that were planted.
    pub(crate) groups: Vec<Group>,
    /// The parameters of the generator, with its defaults.
    made_by: Option<Table>,
}

impl Loaded {
    /// Items of whose pairs nothing is known.
    pub(crate) fn new(data: Dataset) -> Self {
        Self {
            data,
            groups: Vec::new(),
            made_by: None,
        }
    }

    /// What an item is called.
    pub(crate) fn name(&self, id: u32) -> String {
        match self.data.names().is_empty() {
            true => format!("#{id}"),
            false => self.data.names().text(id),
        }
    }
}

impl Data {
    /// Reads the table for items of a kind, and refuses what cannot be right before any item is there.
    pub(crate) fn read(
        file: File<'_>,
        tree: &Tree<'_>,
        registry: &Registry,
        kind: &str,
    ) -> Result<Self, Error> {
        let mut data = file.table(tree, "data")?;
        let items = data.remove("items").map(|value| file.read(value));
        let items: Vec<serde_json::Value> = items.transpose()?.unwrap_or_default();
        let generate = data.remove("generate").map(|value| {
            let span = value.span();
            let table: Table = file.read(value)?;
            let mut made = table.into_iter();
            match (made.next(), made.next()) {
                (Some((name, serde_json::Value::Object(parameters))), None) => {
                    Ok((name, parameters))
                }
                _ => {
                    let names: Vec<&str> = registry.generators(kind).map(|it| it.name).collect();
                    let message = format!(
                        "generate is one generator with its parameters, such as generate.{} = {{ }}",
                        names.first().unwrap_or(&"NAME")
                    );
                    Err(file.wrong(span, message))
                }
            }
        });
        let generate: Option<(String, Table)> = generate.transpose()?;
        let mut reading = Table::new();
        for key in registry.reading(kind).keys() {
            if let Some(value) = data.remove(key) {
                reading.insert(key.clone(), file.read(value)?);
            }
        }
        let data = Self {
            said: file.read(data.value())?,
            reading,
            items,
            generate,
        };
        data.check(registry, kind)?;
        Ok(data)
    }

    fn check(&self, registry: &Registry, kind: &str) -> Result<(), Error> {
        let ways = [
            (!self.said.inputs.is_empty(), "inputs"),
            (!self.items.is_empty(), "items"),
            (self.generate.is_some(), "generate"),
        ];
        let given: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
        match given[..] {
            [_] => {}
            [] => {
                let generator = registry.generators(kind).next();
                let generate = generator.map_or(String::new(), |it| {
                    format!(", or generate.{} = {{ }}", it.name)
                });
                let message =
                    format!("no items: give inputs = [\"FILE\"] or items = […]{generate}");
                return Err(Error::setting("data", message));
            }
            [.., last] => {
                let message = format!("{} contradict each other: choose one", given.join(" and "));
                return Err(Error::setting(format!("data.{last}"), message));
            }
        }
        let for_dedup = [
            ("against", !self.said.against.is_empty()),
            ("within", self.said.within.is_some()),
            ("by", self.said.by.is_some()),
        ];
        if let Some((key, _)) = for_dedup.iter().find(|(_, is_given)| *is_given) {
            let message = format!("{key} is for dedup: a run compares all pairs of its items");
            return Err(Error::setting(format!("data.{key}"), message));
        }
        if let Some((name, parameters)) = &self.generate {
            if let Some(key) = self.reading.keys().next() {
                let message = format!(
                    "{key} says how files are read, and generated items are not: leave it out"
                );
                return Err(Error::setting(format!("data.{key}"), message));
            }
            let checked = registry.check_generator(kind, name, parameters);
            checked.map_err(|error| Error::about_table(&format!("data.generate.{name}"), error))?;
        }
        self.check_names()?;
        if let (Some(_), Some(_)) = (&self.said.text, &self.said.field) {
            let message = "text and field are two names for one key: choose one";
            return Err(Error::setting("data.field", message));
        }
        Ok(())
    }

    /// Names are for `items`: one for each of them, all different.
    fn check_names(&self) -> Result<(), Error> {
        let (names, items) = (&self.said.names, self.items.len());
        let distinct: BTreeSet<&String> = names.iter().collect();
        let wrong = |message: String| Err(Error::setting("data.names", message));
        if names.is_empty() || names.len() == items && distinct.len() == items {
            return Ok(());
        }
        if items == 0 {
            return wrong("names are for items = […]; records of files have an id".into());
        }
        if names.len() != items {
            let given = names.len();
            let message =
                format!("names has {given} entries and items {items}: give one name per item");
            return wrong(message);
        }
        wrong("two items have the same name: give each its own".into())
    }

    /// Reads, takes or makes the items.
    pub(crate) fn load(&self, registry: &Registry, kind: &'static str) -> Result<Loaded, Error> {
        if let Some((name, parameters)) = &self.generate {
            let made = registry.generate(kind, name, parameters);
            let made =
                made.map_err(|error| Error::about_table(&format!("data.generate.{name}"), error))?;
            return Ok(Loaded {
                data: made.data,
                groups: made.groups,
                made_by: Some(made.parameters),
            });
        }
        if !self.items.is_empty() {
            return self.given(registry, kind);
        }
        let read = match prints::Prints::of(kind) {
            Some(prints) => prints.read(
                &self.said.inputs,
                self.said.format.as_deref(),
                &self.reading,
            ),
            None => self.in_files(registry, kind),
        };
        read.map(Loaded::new).map_err(|error| match error {
            Error::Corpus(_) | Error::Search(_) | Error::Prints(_) => Error::unread(error),
            other => other,
        })
    }

    fn given(&self, registry: &Registry, kind: &'static str) -> Result<Loaded, Error> {
        let mut source = Source::new(&[], Options::default(), &[kind]);
        source.reading = self.reading.clone();
        self.digits(kind, &mut source);
        let texts = self.items.iter().map(|item| match item {
            serde_json::Value::String(text) => (true, text.clone()),
            other => (false, other.to_string()),
        });
        let texts: Vec<(bool, String)> = texts.collect();
        let values = texts.iter().map(|(is_text, text)| match is_text {
            true => Value::Text(text),
            false => Value::Json(text),
        });
        let data = registry.parse(&source, values);
        let data = data.map_err(|error| Error::from_plugin("data.items", error))?;
        if data.len() != self.items.len() {
            let message = "an item of the list is blank";
            return Err(Error::setting("data.items", message));
        }
        Ok(Loaded::new(match self.said.names.is_empty() {
            true => data,
            false => data.named(self.said.names.iter().cloned()),
        }))
    }

    /// `format = "hex"` and `"bits"` are the digits of codes. Returns whether there is one of them.
    fn digits(&self, kind: &str, source: &mut Source) -> bool {
        let digits = self.said.format.as_deref().filter(|_| kind == "code");
        let digits = digits.filter(|format| ["hex", "bits"].contains(format));
        if let Some(digits) = digits {
            source.reading.insert("digits".into(), digits.into());
        }
        digits.is_some()
    }

    fn in_files(&self, registry: &Registry, kind: &'static str) -> Result<Dataset, Error> {
        let said = &self.said;
        let limits = Limits::default();
        let field = said.field.clone().or(said.text.clone());
        let default = || registry.field(kind).unwrap_or(kind).parse();
        let field = field.map_or_else(default, Ok);
        let field = field.map_err(|error: lookalike_corpus::Error| Error::Corpus(error))?;
        let bits = self.reading.get("bits").and_then(serde_json::Value::as_u64);
        let options = Options {
            text: field,
            id: said.id.clone(),
            on_error: said.on_error.unwrap_or_default(),
            include: said.include.clone(),
            exclude: said.exclude.clone(),
            limits: Limits {
                max_expansion: said.max_expansion.unwrap_or(limits.max_expansion),
                max_record: said.max_record.unwrap_or(limits.max_record),
                max_window: said.max_window.unwrap_or(limits.max_window),
            },
            folder: said.folder.clone(),
            record_bytes: bits.map(|bits| bits.div_ceil(8) as u32),
            ..Options::default()
        };
        let mut source = Source::new(&said.inputs, options, &[kind]);
        source.reading = self.reading.clone();
        source.ignore_ids = said.ignore_ids;
        source.label = said.label.clone();
        source.options.format = match said.format.as_deref() {
            None => None,
            Some(_) if self.digits(kind, &mut source) => None,
            // What packed codes are called in older files.
            Some("bin") if kind == "code" => Some(Format::Packed),
            Some(name) => Some(name.parse().map_err(|error| {
                let error: lookalike_corpus::Error = error;
                Error::setting("data.format", error.to_string())
            })?),
        };
        Ok(registry.read(&source, &mut |_, _| ())?)
    }

    /// The table as a file would state it, with all that was chosen.
    pub(crate) fn resolved(&self, kind: &str, loaded: &Loaded) -> Table {
        // The file of a run of texts is one for dedup, which states what it would do.
        let mut all = match loaded.data.kind() {
            "text" => table(&TextDefaults::default()),
            _ => Table::new(),
        };
        all.extend(table(&self.said));
        all.extend(self.reading.clone());
        if !self.items.is_empty() {
            all.insert("items".into(), self.items.clone().into());
        }
        if let (Some((name, _)), Some(parameters)) = (&self.generate, &loaded.made_by) {
            let made = Table::from_iter([(name.clone(), table(parameters).into())]);
            all.insert("generate".into(), made.into());
        }
        all.insert("kind".into(), kind.into());
        all
    }
}

/// How texts are read if a file does not say it.
#[derive(Serialize)]
struct TextDefaults {
    text: FieldPath,
    on_error: OnError,
    max_expansion: u64,
    max_record: u64,
    max_window: u64,
}

impl Default for TextDefaults {
    fn default() -> Self {
        let options = Options::default();
        Self {
            text: options.text,
            on_error: options.on_error,
            max_expansion: options.limits.max_expansion,
            max_record: options.limits.max_record,
            max_window: options.limits.max_window,
        }
    }
}

impl Error {
    /// Files that could not be read are about the inputs, with the remedies that a file can apply.
    fn unread(error: Self) -> Self {
        let mut remedies = keys::possible(error.remedies());
        // Files of prints have fewer keys.
        if matches!(error, Self::Prints(_)) {
            let is_format = |setting: Setting| setting == lookalike_prints::FORMAT;
            remedies.retain(|remedy| remedy.setting().is_none_or(is_format));
        }
        Self::Setting {
            key: "data.inputs".into(),
            message: error.to_string(),
            remedies,
        }
    }
}
