//! Fingerprints from files, whose names say whose they are.

use std::{collections::HashMap, path::Path};

use lookalike_core::plugin::Kind;
use lookalike_fingerprint::{
    Template, format,
    plugin::{Print, PrintReading, SquareSet, SquareSets, SquaresReading},
};
use lookalike_prints::Input;
use lookalike_search::{Dataset, Table};
use serde::de::DeserializeOwned;

use crate::Error;

/// Kinds that are read from files of prints.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prints {
    /// The prints themselves, with their fingers as labels.
    Minutiae,
    /// The squares of a grid that hold minutiae.
    Squares,
}

impl Prints {
    /// What a kind makes of prints, if it is read from such files.
    pub(super) fn of(kind: &str) -> Option<Self> {
        match kind {
            Print::NAME => Some(Self::Minutiae),
            SquareSet::NAME => Some(Self::Squares),
            _ => None,
        }
    }

    /// The prints of files, first the first impressions of all fingers, then the second ones, and so on: the last ones are
    /// the queries.
    pub(super) fn read(
        self,
        inputs: &[String],
        format: Option<&str>,
        reading: &Table,
    ) -> Result<Dataset, Error> {
        let format = format.map(parse_format).transpose()?;
        match self {
            Self::Minutiae => {
                let PrintReading { dpi } = parameters(reading)?;
                let read = labelled(inputs, format, dpi)?;
                let data = Dataset::new::<Print>(read.templates);
                Ok(data.named(read.names).labelled(read.fingers))
            }
            Self::Squares => {
                let reading: SquaresReading = parameters(reading)?;
                let grid = reading.grid.grid();
                let grid = grid.map_err(|error| Error::about_table("data.grid", error.into()))?;
                let read = labelled(inputs, format, reading.dpi)?;
                let mut squares = SquareSets::default();
                for template in &read.templates {
                    let held = grid.squares(template);
                    squares.push(held).map_err(lookalike_search::Error::from)?;
                }
                Ok(Dataset::new::<SquareSet>(squares).named(read.names))
            }
        }
    }
}

/// Prints, what they are called, and the numbers of their fingers.
struct Labelled {
    names: Vec<String>,
    templates: Vec<Template>,
    fingers: Vec<u32>,
}

fn labelled(
    inputs: &[String],
    format: Option<format::Format>,
    dpi: f32,
) -> Result<Labelled, Error> {
    let input = Input {
        format,
        dpi,
        ..Input::default()
    };
    let mut prints = Vec::new();
    for path in inputs {
        for print in input.read(Path::new(path))?.prints {
            let Some(label) = print.label.clone() else {
                let name = print.name;
                return Err(lookalike_prints::Error::Unlabelled { name }.into());
            };
            let order = (label.impression, print.set.clone(), label.finger);
            prints.push((order, print));
        }
    }
    prints.sort_by(|a, b| a.0.cmp(&b.0));
    let mut fingers: HashMap<(String, String), u32> = HashMap::new();
    let mut labelled = Labelled {
        names: Vec::new(),
        templates: Vec::new(),
        fingers: Vec::new(),
    };
    for ((_, set, finger), print) in prints {
        let next = fingers.len() as u32;
        let finger = *fingers.entry((set, finger)).or_insert(next);
        labelled.names.push(print.name);
        labelled.templates.push(print.template);
        labelled.fingers.push(finger);
    }
    Ok(labelled)
}

fn parse_format(name: &str) -> Result<format::Format, Error> {
    match name {
        "xyt" => Ok(format::Format::Xyt),
        "iso" => Ok(format::Format::Iso),
        "ansi" => Ok(format::Format::Ansi),
        other => {
            let message = format!("format is `{other}`, but prints are xyt, iso or ansi");
            Err(Error::setting("data.format", message))
        }
    }
}

/// How values are read, from what a file says.
fn parameters<T: DeserializeOwned>(reading: &Table) -> Result<T, Error> {
    serde_json::from_value(reading.clone().into())
        .map_err(|error| Error::setting("data", error.to_string()))
}
