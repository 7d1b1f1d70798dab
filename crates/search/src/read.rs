//! From files to items: written once for all kinds and formats.

use hashbrown::HashMap;
use lookalike_core::plugin::{self, PlainFile, Remedy, Setting, Value};
use lookalike_corpus::{Corpus, FieldPath, Options, Record};
use lookalike_output::{Inventory, LeftOut};

use crate::{
    Dataset, Error, Names, Registry, Table,
    dataset::{Held, KindEntry},
    names::{At, Spot},
    registry::unknown,
};

/// The field of a record that holds the item.
pub const FIELD: Setting = Setting("field");

/// What to read, and as what.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// Files, folders, globs, or `-` for stdin.
    pub inputs: Vec<String>,
    /// How they are read. Values of any type are always asked for, and the setting that chooses their field is
    /// [`FIELD`].
    pub options: Options,
    /// The kinds that items may be of: the first that reads a value decides.
    pub kinds: Vec<&'static str>,
    /// How values of the kinds are read.
    pub reading: Table,
    /// Whether items are called by file and line even if they have ids.
    pub ignore_ids: bool,
    /// The field that says what an item belongs to, if there is one.
    pub label: Option<FieldPath>,
    /// The width that items should have, if it is known: then it shows that they were read the right way.
    pub width: Option<usize>,
}

impl Source {
    /// Items of one of some kinds, from files that are read with these options.
    #[must_use]
    pub fn new(inputs: &[String], options: Options, kinds: &[&'static str]) -> Self {
        Self {
            inputs: inputs.to_vec(),
            options: Options {
                values: true,
                text_option: FIELD,
                ..options
            },
            kinds: kinds.to_vec(),
            reading: Table::new(),
            ignore_ids: false,
            label: None,
            width: None,
        }
    }
}

/// What one block of records becomes.
#[derive(Default)]
struct Part {
    items: Option<Box<dyn Held>>,
    spots: Vec<Spot>,
    ids: Vec<Option<Box<str>>>,
    labels: Vec<Box<str>>,
    /// Values that hold no item.
    left_out: Vec<String>,
}

impl Registry {
    /// Reads all items of a source on the threads of the current rayon pool. `progress` is called with the bytes that
    /// were read and with all bytes, if their number is known.
    ///
    /// # Errors
    /// If a file cannot be read, a value is not an item of any of the kinds, items of different kinds or widths are
    /// mixed, two items have one id, or there are no items.
    pub fn read(
        &self,
        source: &Source,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Dataset, Error> {
        let mut read = None;
        let inventory = self.read_batches(source, u64::MAX, progress, &mut |batch| {
            read = Some(batch);
            Ok(())
        })?;
        let read = read.expect("there are items");
        Ok(Dataset { inventory, ..read })
    }

    /// The same in batches: `take` is called whenever at least `bytes` of the input were read, and once for the rest. Ids are
    /// unique within a batch.
    ///
    /// # Errors
    /// As [`read`](Registry::read), or if `take` fails.
    pub fn read_batches(
        &self,
        source: &Source,
        bytes: u64,
        progress: &mut dyn FnMut(u64, Option<u64>),
        take: &mut dyn FnMut(Dataset) -> Result<(), Error>,
    ) -> Result<Inventory, Error> {
        let kinds = self.kinds_named(source)?;
        let options = Options {
            plain: plain_file(&kinds),
            fields: source.label.iter().cloned().collect(),
            ..source.options.clone()
        };
        let corpus = Corpus::open(&source.inputs, options)?;
        let files = corpus.files().iter().map(|file| file.name().to_owned());
        let mut batch = Batch::new(files.collect());
        let total = corpus.bytes();
        let given = source.inputs.join(", ");
        let mut left_out = LeftOut::default();
        let (mut items, mut taken_at) = (0, 0);
        let reader = PartReader {
            corpus: &corpus,
            kinds: &kinds,
            source,
        };
        corpus.scan(
            || (),
            |(), records| {
                let mut part = Part::default();
                while let Some(record) = records.next_value()? {
                    reader.push(&record, &mut part)?;
                }
                Ok::<_, Error>(part)
            },
            |block, mut part| {
                progress(block.consumed, total);
                left_out.extend(std::mem::take(&mut part.left_out));
                batch.append(part)?;
                if block.consumed - taken_at >= bytes
                    && let Some(data) = batch.take(&given, source.width)?
                {
                    taken_at = block.consumed;
                    items += data.len() as u64;
                    take(data)?;
                }
                Ok(())
            },
        )?;
        if let Some(data) = batch.take(&given, source.width)? {
            items += data.len() as u64;
            take(data)?;
        }
        if items == 0 {
            let reason = match left_out.count {
                0 => "the input is empty or blank".to_owned(),
                1 => format!("its only value is {}", reason(&kinds)),
                count => format!("{count} values are {}", reason(&kinds)),
            };
            let message = format!("{given}: no items: {reason}");
            return Err(plugin::Error::new(message).into());
        }
        let formats = corpus.files().iter().map(|file| file.format().name());
        left_out.reason = reason(&kinds);
        Ok(Inventory {
            left_out,
            ..Inventory::new(items, formats, corpus.ignored())
        })
    }

    /// Refuses a reading that one of the kinds does not understand, before any file is opened.
    ///
    /// # Errors
    /// If a kind is not known, or a value of the reading is wrong.
    pub fn check_reading(&self, source: &Source) -> Result<(), Error> {
        for kind in self.kinds_named(source)? {
            (kind.holder)(&source.reading)?;
        }
        Ok(())
    }

    /// Values at hand as items of the first of the source's kinds that reads them; they are called by their places.
    ///
    /// # Errors
    /// If a value is not an item of any of the kinds, or none of the values is an item.
    pub fn parse<'a>(
        &self,
        source: &Source,
        values: impl IntoIterator<Item = Value<'a>>,
    ) -> Result<Dataset, Error> {
        let kinds = self.kinds_named(source)?;
        let mut items: Option<Box<dyn Held>> = None;
        for value in values {
            match &mut items {
                Some(items) => items.parse(value)?,
                None => items = Some(first(&kinds, &source.reading, value)?),
            }
        }
        let items = items.filter(|items| items.count() > 0);
        let items = items.ok_or_else(|| plugin::Error::new("no items"))?;
        if source.width != Some(items.width()) {
            items.check()?;
        }
        Ok(Dataset {
            items,
            names: Names::default(),
            labels: Vec::new(),
            label_texts: Vec::new(),
            inventory: Inventory::default(),
        })
    }

    fn kinds_named(&self, source: &Source) -> Result<Vec<KindEntry>, Error> {
        let find = |name: &&str| {
            let kind = self.kinds.iter().find(|kind| kind.name == *name).copied();
            kind.ok_or_else(|| unknown("kind", name, &self.kinds().collect::<Vec<_>>()))
        };
        source.kinds.iter().map(find).collect()
    }
}

/// Items that were read and not taken yet.
struct Batch {
    items: Option<Box<dyn Held>>,
    names: Names,
    labels: Vec<u32>,
    label_texts: Vec<Box<str>>,
    /// The numbers of labels.
    numbers: HashMap<Box<str>, u32>,
}

impl Batch {
    fn new(files: Vec<String>) -> Self {
        let names = Names {
            files,
            ..Names::default()
        };
        Self {
            items: None,
            names,
            labels: Vec::new(),
            label_texts: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Appends the items of a block.
    fn append(&mut self, part: Part) -> Result<(), Error> {
        let Some(more) = part.items else {
            return Ok(());
        };
        let names = &mut self.names;
        match &mut self.items {
            None => self.items = Some(more),
            Some(items) => {
                let first = names.spot(part.spots[0]);
                items.append(more).map_err(|error| error.at(first))?;
            }
        }
        if part.ids.iter().any(Option::is_some) || !names.ids.is_empty() {
            names.ids.resize(names.places.len(), None);
            names.ids.extend(part.ids);
        }
        names.places.extend(part.spots);
        for label in part.labels {
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(label.clone()).or_insert(next);
            if number == next {
                self.label_texts.push(label);
            }
            self.labels.push(number);
        }
        Ok(())
    }

    /// All items so far, if there are any; then a new batch begins.
    fn take(&mut self, given: &str, width: Option<usize>) -> Result<Option<Dataset>, Error> {
        let next = Self::new(self.names.files.clone());
        let Self {
            items,
            names,
            labels,
            label_texts,
            ..
        } = std::mem::replace(self, next);
        let Some(items) = items else {
            return Ok(None);
        };
        if u32::try_from(items.count()).is_err() {
            let message = format!("{given}: more than 2^32 − 1 items: split the input");
            return Err(plugin::Error::new(message).into());
        }
        if width != Some(items.width()) {
            items.check().map_err(|error| error.at(given))?;
        }
        refuse_same_ids(&names)?;
        Ok(Some(Dataset {
            items,
            names,
            labels,
            label_texts,
            inventory: Inventory::default(),
        }))
    }
}

/// Parses the values of a block.
struct PartReader<'a> {
    corpus: &'a Corpus,
    kinds: &'a [KindEntry],
    source: &'a Source,
}

impl PartReader<'_> {
    fn push(&self, record: &Record<'_>, part: &mut Part) -> Result<(), Error> {
        let Record {
            value, id, place, ..
        } = record;
        let file = &self.corpus.files()[place.file as usize];
        let label = self.label(record)?;
        let before = part.spots.len();
        let parsed = match &mut part.items {
            Some(items) => items.parse(*value).map(|()| items.count()),
            None => first(self.kinds, &self.source.reading, *value).map(|items| {
                let count = items.count();
                part.items = Some(items).filter(|_| count > 0);
                count
            }),
        };
        let count = parsed.map_err(|error| error.at(file.name_of(place)))?;
        let at = match file.format() {
            format if format.is_array() => At::Row(place.row()),
            format if format.is_whole_file() => At::Whole,
            _ => At::Line(place.line),
        };
        let added = count - before;
        if added == 0 && !is_blank(*value) {
            part.left_out.push(file.name_of(place));
        }
        let id = id.filter(|_| !self.source.ignore_ids);
        for number in 1..=added as u32 {
            let part_number = if added > 1 { number } else { 0 };
            part.spots.push(Spot {
                file: place.file,
                at,
                part: part_number,
            });
            part.ids.push(id.filter(|_| added == 1).map(Box::from));
            part.labels.extend(label.map(Box::from));
        }
        Ok(())
    }

    /// The label of a record, if labels are asked for.
    fn label<'a>(&self, record: &Record<'a>) -> Result<Option<&'a str>, Error> {
        let Some(field) = &self.source.label else {
            return Ok(None);
        };
        let label = record.fields.get(0).filter(|label| *label != "null");
        let Some(label) = label else {
            let file = &self.corpus.files()[record.place.file as usize];
            let message = format!("no field {field} with a label");
            let error = plugin::Error::new(message).at(file.name_of(&record.place));
            return Err(error.into());
        };
        Ok(Some(label))
    }
}

/// What a plain file holds: a text if one of the kinds takes it whole, bytes if all of them do.
fn plain_file(kinds: &[KindEntry]) -> PlainFile {
    let is = |wanted: PlainFile| move |kind: &KindEntry| kind.plain_file == wanted;
    match () {
        () if kinds.iter().any(is(PlainFile::Text)) => PlainFile::Text,
        () if kinds.iter().all(is(PlainFile::Bytes)) => PlainFile::Bytes,
        () => PlainFile::Lines,
    }
}

/// Why values hold no item, as the first kind that has a reason says it.
fn reason(kinds: &[KindEntry]) -> &'static str {
    let mut reasons = kinds.iter().map(|kind| kind.left_out);
    reasons.find(|reason| !reason.is_empty()).unwrap_or("blank")
}

/// Whether a value is text without anything but white space.
fn is_blank(value: Value<'_>) -> bool {
    matches!(value, Value::Text(text) if text.trim().is_empty())
}

/// The items of the first kind that reads a value.
fn first(
    kinds: &[KindEntry],
    reading: &Table,
    value: Value<'_>,
) -> Result<Box<dyn Held>, plugin::Error> {
    let mut refused = Vec::new();
    for kind in kinds {
        let mut items = (kind.holder)(reading)?;
        match items.parse(value) {
            Ok(()) => return Ok(items),
            Err(error) => refused.push((kind.name, error)),
        }
    }
    if let [(_, _)] = refused[..] {
        return Err(refused.remove(0).1);
    }
    let reasons = refused
        .iter()
        .map(|(kind, error)| format!("{kind}: {error}"));
    let reasons: Vec<String> = reasons.collect();
    let message = format!("the value is of no kind: {}", reasons.join("; "));
    Err(plugin::Error::new(message))
}

/// Refuses two items with one id.
fn refuse_same_ids(names: &Names) -> Result<(), Error> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (place, id) in names.ids.iter().enumerate() {
        let Some(id) = id else { continue };
        if let Some(first) = seen.insert(id, place) {
            let [first, second] = [first, place].map(|place| names.spot(names.places[place]));
            let message =
                format!("{second}: the id {id} is also the id of {first}: ids must be unique");
            return Err(plugin::Error::new(message)
                .remedy(Remedy::new(
                    "choose another field with",
                    Setting("id_field"),
                ))
                .remedy(Remedy::new(
                    "call items by file and line with",
                    Setting("ignore_ids"),
                ))
                .into());
        }
    }
    Ok(())
}
