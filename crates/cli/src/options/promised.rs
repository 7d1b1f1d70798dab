//! A family and what it promises, without items.
//!
//! `tune` and `sensitivity` ask for probabilities alone, so that what items would say, such as the bits of a code, is an
//! option here. It must be given only if the promise depends on it.

use clap::Args;
use lookalike::plugin::Measure;
use lookalike::search::{Entry, Promise, Registry, Table};
use lookalike::{Bounds, Probability, Scheme};
use serde_json::Value;

use super::parameter;
use crate::usage::Usage;
use crate::verb::wrong_use;

/// The items that a promise is about, and parameters of the family.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct Promising {
    /// Kind of items [default: the first kind with a promise]
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Width of the items: bits of a code, dimensions of a vector, squares of a grid
    #[arg(long, value_name = "N", visible_aliases = ["bits", "dimensions", "squares"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 24), allow_negative_numbers = true)]
    item_width: Option<u32>,
    /// Parameter of the distance or the family, as `lookalike families` lists them; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    set: Vec<(String, Value)>,
}

/// A family under its parameters, for items of a width.
pub(crate) struct Promised<'a> {
    pub(crate) entry: &'a Entry,
    /// The parameters that were given, and those that the promise is stated for.
    pub(crate) parameters: Table,
    /// The width of the items; `None`: the promise does not depend on it.
    pub(crate) item_width: Option<usize>,
    promise: Promise,
}

/// Widths that tell whether a promise depends on the width.
const WIDTHS: [usize; 2] = [64, 128];

/// Parameters that a plan chooses for its limit, and the values for which promises are stated without one: eight blocks,
/// buckets of width 1, one edit.
const STATED: [(&str, u64); 3] = [("blocks", 8), ("width", 1), ("reach", 1)];

/// The parameters that are given, and those of [`STATED`] that the family has and that are not, if items of this width
/// allow them.
pub(crate) fn stated(entry: &Entry, given: &Table, width: usize) -> Table {
    let own = entry.own_parameters();
    let is_unset = |name: &str| own.get(name).is_some_and(Value::is_null);
    let mut parameters = given.clone();
    for (name, value) in STATED.into_iter().filter(|(name, _)| is_unset(name)) {
        parameters.entry(name).or_insert_with(|| value.into());
    }
    match entry.promise(&parameters, width) {
        Ok(_) => parameters,
        Err(_) => given.clone(),
    }
}

impl Promising {
    fn parameters(&self) -> Table {
        self.set.iter().cloned().collect()
    }

    /// The family of a name, over the kind and by the measure that are given, or else the first that promises something.
    pub(crate) fn named<'a>(
        &self,
        registry: &'a Registry,
        name: &str,
        measure: Option<&Measure>,
    ) -> anyhow::Result<Candidates<'a>> {
        let named = registry.named(name, self.kind.as_deref());
        let mut entries = named.map_err(wrong_use)?;
        if let Some(measure) = measure {
            let has = |entry: &&Entry| entry.measures.iter().any(|it| it.flag == measure.flag);
            let mut known: Vec<String> = entries.iter().map(|it| flags(it)).collect();
            known.dedup();
            entries.retain(has);
            if entries.is_empty() {
                return Err(Usage(format!(
                    "{name} is not for --{}: its measures are {}",
                    measure.flag,
                    known.join(", ")
                ))
                .into());
            }
        }
        self.candidates(entries)
    }

    /// All families of a measure over the kind that is given, or else over all kinds.
    pub(crate) fn measured<'a>(
        &self,
        registry: &'a Registry,
        measure: &Measure,
    ) -> anyhow::Result<Candidates<'a>> {
        let kinds = registry.kinds_for(measure.flag, self.kind.as_deref());
        let kinds = kinds.map_err(wrong_use)?;
        let has = |entry: &&Entry| entry.measures.iter().any(|it| it.flag == measure.flag);
        let entries = registry.entries().iter().filter(has);
        let entries = entries.filter(|entry| !entry.is_method && kinds.contains(&entry.kind));
        self.candidates(entries.collect())
    }

    fn candidates<'a>(&self, entries: Vec<&'a Entry>) -> anyhow::Result<Candidates<'a>> {
        let parameters = self.parameters();
        let knows = |entry: &&Entry| entry.check(&parameters).is_ok();
        let known: Vec<&Entry> = entries.iter().copied().filter(knows).collect();
        if let (true, Some(first)) = (known.is_empty(), entries.first()) {
            first.check(&parameters).map_err(wrong_use)?;
        }
        Ok(Candidates {
            entries: known,
            parameters,
            item_width: self.item_width.map(|width| width as usize),
        })
    }
}

/// Families that may be meant; all take the parameters.
pub(crate) struct Candidates<'a> {
    entries: Vec<&'a Entry>,
    parameters: Table,
    item_width: Option<usize>,
}

impl<'a> Candidates<'a> {
    /// The first family that promises something, whatever the distance.
    pub(crate) fn first(self) -> Result<Promised<'a>, Refused<'a>> {
        self.find(|_| true)
    }

    /// The first family of which one function, and bands and rows of it, are known exactly at a distance; or else the
    /// first that promises something of bands and rows.
    pub(crate) fn plainest(self, distance: f64) -> Result<Promised<'a>, Refused<'a>> {
        let bands: Scheme = "and:2,or:2".parse().expect("two steps");
        let bounds = |promised: &Promised<'_>| promised.bounds(&bands, distance);
        let is_exact = |promised: &Promised<'_>| {
            bounds(promised).is_some_and(|bounds| bounds.lower() == bounds.upper())
        };
        let is_some = |promised: &Promised<'_>| {
            bounds(promised).is_some_and(|bounds| bounds.lower() > Probability::NEVER)
        };
        let again = Candidates {
            entries: self.entries.clone(),
            parameters: self.parameters.clone(),
            ..self
        };
        again.find(is_exact).or_else(|_| self.find(is_some))
    }

    fn find(self, serves: impl Fn(&Promised<'a>) -> bool) -> Result<Promised<'a>, Refused<'a>> {
        let width = self.item_width.unwrap_or(WIDTHS[0]);
        let mut problem = None;
        for entry in &self.entries {
            let parameters = stated(entry, &self.parameters, width);
            let promise = match entry.promise(&parameters, width) {
                Ok(promise) => promise,
                Err(error) => {
                    problem.get_or_insert(error);
                    continue;
                }
            };
            let promised = Promised {
                entry,
                parameters,
                item_width: self.item_width,
                promise,
            };
            if promised.bounds(&Scheme::default(), 0.0).is_some() && serves(&promised) {
                return Ok(promised);
            }
        }
        Err(match problem {
            Some(problem) => Refused::Wrong(wrong_use(problem)),
            None => Refused::Nothing(self.entries.first().copied()),
        })
    }
}

/// Why there is no promise.
pub(crate) enum Refused<'a> {
    /// A parameter, or the width, is wrong.
    Wrong(anyhow::Error),
    /// Nothing is promised by any of the families, of which this is the first.
    Nothing(Option<&'a Entry>),
}

impl Promised<'_> {
    /// Bounds on the probability that items at a distance become candidates.
    pub(crate) fn bounds(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        (self.promise)(scheme, distance)
    }

    /// Refuses to guess the width of the items if the largest distance depends on it, or what is promised under one of the
    /// schemes at one of the distances.
    pub(crate) fn settled(self, schemes: &[&Scheme], distances: &[f64]) -> Result<Self, Usage> {
        if self.item_width.is_some() {
            return Ok(self);
        }
        let at = |width| {
            let promise = self.entry.promise(&self.parameters, width).ok()?;
            let each = schemes.iter();
            let each = each.flat_map(|scheme| distances.iter().map(|d| promise(scheme, *d)));
            Some((self.entry.largest(width), each.collect::<Vec<_>>()))
        };
        let [narrow, wide] = WIDTHS.map(at);
        if narrow.is_some() && narrow == wide {
            return Ok(self);
        }
        let (option, example) = match self.entry.kind {
            "code" => ("--bits", 64),
            "squares" => ("--squares", 1024),
            "vector" => ("--dimensions", 100),
            _ => ("--item-width", 64),
        };
        Err(Usage(format!(
            "what {} promises depends on the width of the items: add {option} {example}, or the number that yours have",
            self.entry.name
        )))
    }

    /// The items in words: `texts`, `codes of 64 bits`.
    pub(crate) fn items(&self) -> String {
        let kind = self.entry.kind;
        let kinds = match kind.ends_with('s') {
            true => kind.to_owned(),
            false => format!("{kind}s"),
        };
        let unit = match kind {
            "code" => "bits",
            "vector" => "dimensions",
            "squares" => return self.of_squares(),
            _ => "units",
        };
        match self.item_width {
            Some(width) => format!("{kinds} of {width} {unit}"),
            None => kinds,
        }
    }

    fn of_squares(&self) -> String {
        match self.item_width {
            Some(width) => format!("grids of {width} squares"),
            None => "grids of squares".into(),
        }
    }
}

fn flags(entry: &Entry) -> String {
    let flags = entry.measures.iter().map(|it| format!("--{}", it.flag));
    flags.collect::<Vec<_>>().join(", ")
}
