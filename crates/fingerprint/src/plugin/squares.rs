use lookalike_core::{
    Items,
    plugin::{Container, Distance, Error, Kind, Measure, Specimens, Value},
};
use serde::{Deserialize, Serialize};

use super::{GridTable, Print, PrintReading, specimens};
use crate::{CommonSquares, DPI, Squares};

/// Prints as sets of grid squares, those that hold minutiae.
///
/// Text is `TOTAL: SQUARE SQUARE …`, such as `1024: 3 17 99`; a JSON array or a row of integers holds the squares, and
/// the reading says how many the grid has. Bytes are a print, as [`Print`] reads it, under the grid of the reading.
#[derive(Clone, Copy, Debug)]
pub struct SquareSet;

/// How sets of squares are read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SquaresReading {
    /// All squares of the grid, for values that do not state it.
    pub squares: u32,
    /// The resolution of XYT files, which do not state theirs, in dots per inch.
    pub dpi: f32,
    /// The grid that is laid over prints.
    pub grid: GridTable,
}

impl Default for SquaresReading {
    fn default() -> Self {
        Self {
            squares: 1024,
            dpi: DPI,
            grid: GridTable::default(),
        }
    }
}

/// Many sets of squares of one grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SquareSets(Vec<Squares>);

impl SquareSets {
    /// Adds a set of squares.
    ///
    /// # Errors
    /// If it is of another grid than those before.
    pub fn push(&mut self, squares: Squares) -> Result<(), Error> {
        if let Some(first) = self.0.first()
            && first.total() != squares.total()
        {
            let (found, expected) = (squares.total(), first.total());
            let message = format!("a grid of {found} squares among grids of {expected} squares");
            return Err(Error::new(message));
        }
        self.0.push(squares);
        Ok(())
    }
}

impl Items<Squares> for SquareSets {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn item(&self, place: usize) -> &Squares {
        &self.0[place]
    }
}

impl Container<Squares> for SquareSets {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        more.0
            .into_iter()
            .try_for_each(|squares| self.push(squares))
    }
}

impl Kind for SquareSet {
    const NAME: &'static str = "squares";
    type Item = Squares;
    type Items = SquareSets;
    type Reading = SquaresReading;

    fn parse(
        value: Value<'_>,
        reading: &SquaresReading,
        items: &mut SquareSets,
    ) -> Result<(), Error> {
        let (total, squares) = match value.naturals(&mut Vec::new())? {
            Value::Integers(squares) => (reading.squares, squares.to_vec()),
            Value::Json(json) => {
                let squares = serde_json::from_str(json).map_err(|error: serde_json::Error| {
                    Error::new(format!("not an array of squares: {error}"))
                })?;
                (reading.squares, squares)
            }
            Value::Text(text) => from_text(text, reading)?,
            Value::Bytes(_) => return from_print(value, reading, items),
            other => return Err(other.unexpected("squares")),
        };
        let mut set = Squares::none(total)?;
        for square in squares {
            if square >= u64::from(total) {
                let message = format!(
                    "square {square}, but the grid has the squares 0 to {}",
                    total - 1
                );
                return Err(Error::new(message));
            }
            set.insert(square as u32);
        }
        items.push(set)
    }

    fn show(set: &Squares, _: usize) -> String {
        let squares: Vec<String> = set.elements().map(|square| square.to_string()).collect();
        format!("{}: {}", set.total(), squares.join(" "))
    }

    /// The first 40 squares: `{3, 17, 99}`.
    fn summary(set: &Squares, _: usize) -> String {
        const MOST: usize = 40;
        let shown: Vec<String> = set.elements().take(MOST).map(|it| it.to_string()).collect();
        let more = if set.count() as usize > MOST {
            ", …"
        } else {
            ""
        };
        format!("{{{}{more}}}", shown.join(", "))
    }

    fn width(items: &SquareSets) -> usize {
        items.0.first().map_or(0, |first| first.total() as usize)
    }
}

/// Appends the squares of each view of a print.
fn from_print(
    value: Value<'_>,
    reading: &SquaresReading,
    items: &mut SquareSets,
) -> Result<(), Error> {
    let grid = reading.grid.grid()?;
    let mut prints = Vec::new();
    Print::parse(value, &PrintReading { dpi: reading.dpi }, &mut prints)?;
    let mut views = prints.iter().map(|print| grid.squares(print));
    views.try_for_each(|squares| items.push(squares))
}

fn from_text(text: &str, reading: &SquaresReading) -> Result<(u32, Vec<u64>), Error> {
    let (total, squares) = match text.split_once(':') {
        Some((total, squares)) => (Some(total.trim()), squares),
        None => (None, text),
    };
    let wrong = |word: &str| Error::new(format!("`{word}` is not a whole number, 0 or more"));
    let total = match total {
        Some(total) => total.parse().map_err(|_| wrong(total))?,
        None => reading.squares,
    };
    let squares = squares.split_whitespace();
    let squares = squares.map(|word| word.parse().map_err(|_| wrong(word)));
    Ok((total, squares.collect::<Result<_, _>>()?))
}

/// The share of all squares that do not hold minutiae of both prints. Not a metric: see [`CommonSquares`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquaresInCommon {}

impl Distance for SquaresInCommon {
    const MEASURES: &'static [Measure] = &[
        Measure::distance("uncommon", "share of squares not in common").up_to(1.0),
        Measure::similarity("common", "share of squares in common"),
    ];
    type Kind = SquareSet;
    type Metric = CommonSquares;

    fn metric(&self) -> Result<CommonSquares, Error> {
        Ok(CommonSquares)
    }

    fn specimens() -> Option<Specimens<SquareSets>> {
        Some(Specimens::new(1.0, specimens::squares))
    }

    fn cost(squares: usize) -> f64 {
        10.0 + squares as f64 / 64.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_and_bytes_are_read_back(
            total in 1u32..300, squares in prop::collection::btree_set(0u32..300, 0..40),
        ) {
            let mut set = Squares::none(total).unwrap();
            squares.range(..total).for_each(|&square| set.insert(square));
            let mut again = SquareSets::default();
            let reading = SquaresReading::default();
            SquareSet::parse(Value::Text(&SquareSet::show(&set, 0)), &reading, &mut again).unwrap();
            let mut bytes = Vec::new();
            SquareSet::encode(&set, 0, &mut bytes);
            SquareSet::decode(&bytes, &mut again).unwrap();
            prop_assert_eq!(again.item(0), &set);
            prop_assert_eq!(again.item(1), &set);
            prop_assert_eq!(SquareSet::width(&again), total as usize);
        }
    }

    #[test]
    fn prints_are_read_under_the_grid() {
        let print = b"83 214 90 61\n20 20 0 50\n";
        let mut reading = SquaresReading::default();
        let mut prints = Vec::new();
        Print::parse(Value::Bytes(print), &PrintReading::default(), &mut prints).unwrap();
        let mut sets = SquareSets::default();
        SquareSet::parse(Value::Bytes(print), &reading, &mut sets).unwrap();
        let grid = reading.grid.grid().unwrap();
        assert_eq!(sets.item(0), &grid.squares(&prints[0]));
        assert!(sets.item(0).count() >= 2);
        // At half the resolution everything is twice as far apart.
        reading.dpi = 250.0;
        SquareSet::parse(Value::Bytes(print), &reading, &mut sets).unwrap();
        assert_ne!(sets.item(1), sets.item(0));
        reading.grid.rows = 8;
        let wrong = SquareSet::parse(Value::Bytes(print), &reading, &mut sets).unwrap_err();
        assert!(
            wrong.to_string().contains("a grid of 128 squares"),
            "{wrong}"
        );
        reading.grid.cell = 0.5;
        let wrong = SquareSet::parse(Value::Bytes(print), &reading, &mut sets).unwrap_err();
        assert_eq!(wrong.parameter(), Some("grid"));
        assert_eq!(sets.count(), 2);
        assert!(
            SquareSet::parse(Value::Bytes(b"\xff"), &SquaresReading::default(), &mut sets).is_err()
        );
    }

    #[test]
    fn a_summary_has_the_first_squares() {
        let mut set = Squares::none(100).unwrap();
        assert_eq!(SquareSet::summary(&set, 100), "{}");
        [99, 3, 17].iter().for_each(|&square| set.insert(square));
        assert_eq!(SquareSet::summary(&set, 100), "{3, 17, 99}");
        (0..41).for_each(|square| set.insert(square));
        let summary = SquareSet::summary(&set, 100);
        assert!(
            summary.starts_with("{0, 1, 2") && summary.ends_with("38, 39, …}"),
            "{summary}"
        );
    }

    #[test]
    fn one_grid_for_all() {
        let mut sets = SquareSets::default();
        let reading = SquaresReading {
            squares: 10,
            ..SquaresReading::default()
        };
        let mut parse = |value| SquareSet::parse(value, &reading, &mut sets);
        parse(Value::Json("[1, 2]")).unwrap();
        parse(Value::Integers(&[9])).unwrap();
        parse(Value::Signed(&[9])).unwrap();
        let wrong = |result: Result<(), Error>| result.unwrap_err().to_string();
        assert_eq!(
            wrong(parse(Value::Text("12: 1"))),
            "a grid of 12 squares among grids of 10 squares"
        );
        assert_eq!(
            wrong(parse(Value::Text("10"))),
            "square 10, but the grid has the squares 0 to 9"
        );
        assert!(wrong(parse(Value::Text("x"))).contains("`x`"));
        assert!(wrong(parse(Value::Json("{}"))).contains("not an array"));
        assert!(wrong(parse(Value::Text("0: "))).contains("from 1 to"));
    }
}
