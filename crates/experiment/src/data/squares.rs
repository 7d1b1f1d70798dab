use lookalike_core::random;
use lookalike_fingerprint::{Model, Squares as Held};
use serde::{Deserialize, Serialize};

use super::{
    Data, GridTable, Group, Loaded, Print, few_enough, one_place,
    prints::{Fingers, Format, read},
};
use crate::Error;

/// Prints as sets of grid squares, those that hold minutiae.
///
/// First come the first prints of all fingers, then the second ones, and so on: the last ones are the queries.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Squares {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dpi: Option<f32>,
    /// What is laid over prints from files, and over those of fingers.
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<GridTable>,
    /// All squares of the grid that `items` are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

/// Prints that are made up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Generate {
    /// Drawn from the textbook's model.
    Model(Drawn),
    /// Impressions of fingers, under a grid.
    Fingers(Fingers),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Drawn {
    squares: u32,
    fingers: u32,
    prints: u32,
    occupancy: f64,
    agreement: f64,
    seed: u64,
}

impl Default for Drawn {
    fn default() -> Self {
        Self {
            squares: 1024,
            fingers: 250,
            prints: 2,
            occupancy: Model::BOOK.occupancy(),
            agreement: Model::BOOK.agreement(),
            seed: 0,
        }
    }
}

impl Data for Squares {
    const KIND: &'static str = "squares";
    type Item = Held;
    type Items = Vec<Held>;

    fn load(&self) -> Result<Loaded<Vec<Held>>, Error> {
        let generate = self.generate.is_some();
        one_place(!self.inputs.is_empty(), !self.items.is_empty(), generate)?;
        match &self.generate {
            Some(Generate::Model(drawn)) => drawn.make(),
            Some(Generate::Fingers(fingers)) => self.under_a_grid(fingers.make()?),
            None if self.inputs.is_empty() => self.given(),
            None => self.under_a_grid(read(&self.inputs, self.format, self.dpi)?),
        }
    }

    /// The first 40 squares.
    fn show(item: &Held) -> String {
        let shown: Vec<String> = item.elements().take(40).map(|it| it.to_string()).collect();
        let more = if item.count() > 40 { ", …" } else { "" };
        format!("{{{}{more}}}", shown.join(", "))
    }
}

impl Squares {
    fn given(&self) -> Result<Loaded<Vec<Held>>, Error> {
        let Some(total) = self.squares else {
            let message = "squares is missing: how many has the grid that these are of?";
            return Err(Error::setting("data", message));
        };
        let wrong = |error: lookalike_fingerprint::Error| Error::from(error).about("data.squares");
        let mut loaded = Loaded::new(Vec::new());
        for item in &self.items {
            let mut held = Held::none(total).map_err(wrong)?;
            for &square in item {
                if square >= total {
                    let message =
                        format!("square {square} is beyond the {total} there are: from 0 on");
                    return Err(Error::setting("data.items", message));
                }
                held.insert(square);
            }
            loaded.items.push(held);
        }
        Ok(loaded)
    }
}

impl Squares {
    fn under_a_grid(&self, prints: Loaded<Vec<Print>>) -> Result<Loaded<Vec<Held>>, Error> {
        let grid = self.grid.unwrap_or_default().grid("data.grid")?;
        let held = prints
            .items
            .iter()
            .map(|print| grid.squares(&print.template));
        let held = held.collect();
        let fingers: Vec<u32> = prints.items.iter().map(|print| print.finger).collect();
        Ok(Loaded {
            items: held,
            names: prints.names,
            groups: groups(&fingers),
        })
    }
}

/// Pairs of prints of one finger, and as many of two: of each finger its first print, and that of the next one.
fn groups(fingers: &[u32]) -> Vec<Group> {
    let count = fingers.iter().max().map_or(0, |last| last + 1);
    let mut firsts = vec![None; count as usize];
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for (id, &finger) in (0..).zip(fingers) {
        let first = *firsts[finger as usize].get_or_insert(id);
        if first != id {
            let other = firsts[((finger + 1) % count) as usize].filter(|other| *other != first);
            same.push((first, id));
            different.extend(other.map(|other| (other, id)));
        }
    }
    let named = [("one finger", same), ("two fingers", different)].map(|(name, pairs)| Group {
        name: name.into(),
        pairs,
    });
    named
        .into_iter()
        .filter(|group| !group.pairs.is_empty())
        .collect()
}

impl Drawn {
    fn make(&self) -> Result<Loaded<Vec<Held>>, Error> {
        let count = u64::from(self.fingers) * u64::from(self.prints);
        few_enough(
            "data.generate.model",
            count,
            u64::from(self.squares).div_ceil(64),
        )?;
        let model = Model::new(self.occupancy, self.agreement)?;
        let seed = |finger: u32| random::derive(self.seed, finger.into());
        let firsts = (0..self.fingers).map(|finger| model.print(self.squares, seed(finger)));
        let firsts: Vec<Held> = firsts.collect::<Result<_, _>>()?;
        let mut loaded = Loaded::new(firsts);
        for print in 1..self.prints {
            for finger in 0..self.fingers {
                let seed = random::derive(seed(finger), print.into());
                let again = model.again(&loaded.items[finger as usize], seed);
                loaded.items.push(again);
            }
        }
        let fingers: Vec<u32> = (0..count).map(|id| id as u32 % self.fingers).collect();
        loaded.groups = groups(&fingers);
        for print in 1..=self.prints {
            let names = (0..self.fingers).map(|finger| format!("{finger}_{print}"));
            loaded.names.extend(names);
        }
        Ok(loaded)
    }
}
