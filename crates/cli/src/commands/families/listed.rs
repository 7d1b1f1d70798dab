//! The registry as a list, with what one function of each family promises.

use anyhow::Context;
use lookalike::plugin::Measure;
use lookalike::search::{Entry, Registry, Table};
use lookalike::{Banding, Bounds, Probability, Sensitivity};
use serde::Serialize;

use crate::number::plain;
use crate::options::stated;

/// The similarities at which promises are stated.
const SIMILARITIES: [f64; 2] = [0.8, 0.4];
/// The distances at which promises are stated, for measures that are not similarities.
const DISTANCES: [f64; 2] = [6.0, 24.0];
/// The same for distances that are shares: those of the book's fingerprints.
const SHARES: [f64; 2] = [0.84, 0.96];
/// The width of items for which promises are stated: bits of a code, squares of a grid.
const WIDTH: usize = 64;
/// Rows of a band for which a promise is stated if one function tells nothing apart.
const ROWS: u32 = 16;

/// A kind of items, a distance over it, and all that searches by it.
#[derive(Debug, Serialize)]
pub(super) struct Kind {
    pub(super) kind: &'static str,
    field: &'static str,
    /// How values are read.
    pub(super) reading: Table,
    pub(super) measures: Vec<Named>,
    /// Parameters of the distance.
    pub(super) parameters: Table,
    pub(super) families: Vec<Listed>,
    /// What makes up items for experiments; with the first distance of a kind.
    pub(super) generators: Vec<Generator>,
}

/// A generator of items.
#[derive(Debug, Serialize)]
pub(super) struct Generator {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) parameters: Table,
}

/// A measure.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    pub(super) flag: &'static str,
    pub(super) name: &'static str,
}

/// A family or a method.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    pub(super) name: &'static str,
    pub(super) is_method: bool,
    pub(super) summary: &'static str,
    pub(super) parameters: Table,
    /// What one function promises; `None`: nothing.
    pub(super) promise: Option<Promise>,
    /// What to know where the promise is compared with what was measured.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) caveat: &'static str,
}

/// What one function promises, and for what items and parameters.
#[derive(Debug, Serialize)]
pub(super) struct Promise {
    #[serde(flatten)]
    pub(super) sensitivity: Sensitivity,
    /// In words: " for items of width 64".
    #[serde(skip)]
    pub(super) given: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<usize>,
    #[serde(skip_serializing_if = "Table::is_empty")]
    parameters: Table,
    /// Rows of the band that it is stated for.
    #[serde(skip_serializing_if = "is_one")]
    rows: u32,
}

fn is_one(rows: &u32) -> bool {
    *rows == 1
}

impl Kind {
    pub(super) fn reading(&self) -> String {
        shown(&self.reading)
    }

    pub(super) fn parameters(&self) -> String {
        shown(&self.parameters)
    }
}

impl Generator {
    pub(super) fn parameters(&self) -> String {
        shown(&self.parameters)
    }
}

impl Listed {
    pub(super) fn parameters(&self) -> String {
        shown(&self.parameters)
    }
}

/// Parameters with their defaults: `tokens = words, hash = 64`.
pub(crate) fn shown(table: &Table) -> String {
    let value = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "unset".into(),
        serde_json::Value::String(text) => text.clone(),
        // With blanks, so that lines can be wrapped.
        other => other.to_string().replace(",\"", ", \""),
    };
    let one = |(name, of): (&String, &serde_json::Value)| format!("{name} = {}", value(of));
    table.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// All kinds that users name, once for each distance.
pub(super) fn kinds(registry: &Registry) -> anyhow::Result<Vec<Kind>> {
    let mut all = Vec::new();
    for kind in registry.kinds() {
        let entries = registry.entries().iter();
        let entries: Vec<&Entry> = entries.filter(|entry| entry.kind == kind).collect();
        // Two distances of one kind have no measure in common.
        let mut flags: Vec<&str> = Vec::new();
        for entry in &entries {
            let flag = entry.measures[0].flag;
            if !flags.contains(&flag) {
                flags.push(flag);
                let of_distance = entries.iter().filter(|it| it.measures[0].flag == flag);
                let mut listed = listed(registry, kind, of_distance.copied().collect())?;
                if flags.len() > 1 {
                    listed.generators.clear();
                }
                all.push(listed);
            }
        }
    }
    Ok(all)
}

fn listed(registry: &Registry, kind: &'static str, entries: Vec<&Entry>) -> anyhow::Result<Kind> {
    let family = |entry: &&Entry| {
        Ok(Listed {
            name: entry.name,
            is_method: entry.is_method,
            summary: entry.summary,
            parameters: entry.own_parameters(),
            promise: promise(entry)?,
            caveat: entry.caveat,
        })
    };
    let named = |measure: &Measure| Named {
        flag: measure.flag,
        name: measure.name,
    };
    let generators = registry.generators(kind).map(|generator| Generator {
        name: generator.name,
        summary: generator.summary,
        parameters: generator.parameters(),
    });
    let first = entries.first().context("a distance has brute force")?;
    Ok(Kind {
        kind,
        field: registry.field(kind).unwrap_or(kind),
        reading: registry.reading(kind),
        measures: first.measures.iter().map(named).collect(),
        parameters: first.distance_parameters(),
        families: entries.iter().map(family).collect::<anyhow::Result<_>>()?,
        generators: generators.collect(),
    })
}

/// What one function of a family promises at two distances.
fn promise(entry: &Entry) -> anyhow::Result<Option<Promise>> {
    let Some(measure) = entry.measures.first().filter(|_| !entry.is_method) else {
        return Ok(None);
    };
    let [d1, d2] = match measure.is_similarity {
        true => {
            let [near, far] = SIMILARITIES.map(|similarity| measure.limit(similarity));
            [near?, far?]
        }
        false if measure.limit(DISTANCES[1]).is_err() => SHARES,
        false => DISTANCES,
    };
    // A distance that may be negative, such as an inner product, has no sensitivity.
    if d1 < 0.0 {
        return Ok(None);
    }
    let parameters = stated(entry, &Table::new(), WIDTH);
    let at = |rows, width, distance| {
        let scheme = Banding::new(1, rows)?.scheme();
        anyhow::Ok(entry.promise(&parameters, width)?(&scheme, distance))
    };
    // One function, or a band of several if one tells nothing apart: a probe that flips the only bit meets everything.
    let both = |rows| anyhow::Ok(at(rows, WIDTH, d1)?.zip(at(rows, WIDTH, d2)?));
    let tells = |(near, far): &(Bounds, Bounds)| near.lower() > far.upper();
    let Some(one) = both(1)? else {
        return Ok(None);
    };
    let (rows, (near, far)) = match tells(&one) {
        true => (1, one),
        false => match both(ROWS)? {
            Some(several) if tells(&several) => (ROWS, several),
            Some(_) => (1, one),
            None => return Ok(None),
        },
    };
    // Items of another width, if the family takes them, show whether the width matters.
    let wider = at(rows, 2 * WIDTH, d1);
    let width = match wider {
        Ok(Some(wider)) if wider == near => None,
        _ => Some(WIDTH),
    };
    let mut given = width.map_or(String::new(), |width| {
        format!(" for items of width {width}")
    });
    if rows > 1 {
        given += &format!(", as a band of {rows} rows");
    }
    if !parameters.is_empty() {
        given += &format!(", {}", shown(&parameters));
    }
    // Nine decimals, as everywhere.
    let rounded = |p: Probability| Probability::saturating(plain(p.value()));
    let (p1, p2) = (rounded(near.lower()), rounded(far.upper()));
    Ok(Some(Promise {
        sensitivity: Sensitivity::new(d1, d2, p1, p2)?,
        given,
        width,
        parameters,
        rows,
    }))
}
