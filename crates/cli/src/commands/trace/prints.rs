//! Prints: normalised, laid on a grid, as sets of squares, and in the buckets of functions of three squares.

mod drawn;

use anyhow::bail;
use lookalike::fingerprint::{
    CommonSquares, Grid, GridSquares, Minutia, SquareFunctions, Squares, Template,
};
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::{LshFamily, LshFunctions, Metric, Scheme};

use super::amplified::{Answers, Nearness, combined, rounded};
use super::functions::{Functions, OF_PRINTS};
use super::lesson::Lesson;
use super::{counted, pairs};
use crate::usage::Usage;

/// The most functions: more take a while, and say the same.
const FUNCTIONS: usize = 1 << 16;
/// The most functions that are written out.
const SHOWN: usize = 24;

/// A grid with the squares of each print, and its minutiae where they are known.
struct Gridded<'a> {
    names: &'a [String],
    columns: u32,
    rows: u32,
    squares: Vec<Squares>,
    /// In units of squares.
    minutiae: Vec<Vec<(f64, f64)>>,
}

/// Of prints from files.
pub(super) fn lesson(
    names: &[String],
    prints: &[Template],
    options: &Functions,
) -> anyhow::Result<Lesson> {
    let grid = options.grid()?;
    let placed: Vec<Vec<Minutia>> = prints.iter().map(|print| grid.minutiae(print)).collect();
    let cell = f64::from(grid.cell());
    let in_squares = |minutia: &Minutia| (f64::from(minutia.x) / cell, f64::from(minutia.y) / cell);
    let gridded = Gridded {
        names,
        columns: grid.columns(),
        rows: grid.rows(),
        squares: prints.iter().map(|print| grid.squares(print)).collect(),
        minutiae: placed
            .iter()
            .map(|minutiae| minutiae.iter().map(in_squares).collect())
            .collect(),
    };
    let steps = Steps::new().step(normalised(names, prints, &placed, &grid)?);
    gridded.lesson(steps, options)
}

/// Of squares that are given.
pub(super) fn of_squares(given: &[Vec<u32>], options: &Functions) -> anyhow::Result<Lesson> {
    let cells = options.cells();
    let total = cells.columns() * cells.rows();
    let names: Vec<String> = (1..=given.len()).map(|i| format!("P{i}")).collect();
    let mut squares = Vec::new();
    for list in given {
        let mut held = Squares::none(total)?;
        for &square in list {
            if square >= total {
                bail!("--squares has {square}, but the grid has {total} squares, from 0");
            }
            held.insert(square);
        }
        squares.push(held);
    }
    let gridded = Gridded {
        names: &names,
        columns: cells.columns(),
        rows: cells.rows(),
        minutiae: vec![Vec::new(); squares.len()],
        squares,
    };
    gridded.lesson(Steps::new(), options)
}

fn normalised(
    names: &[String],
    prints: &[Template],
    placed: &[Vec<Minutia>],
    grid: &Grid,
) -> Result<Step, Error> {
    let middle = |minutiae: &mut dyn Iterator<Item = (f32, f32)>| {
        let (mut x, mut y, mut n) = (0.0, 0.0, 0.0);
        for place in minutiae {
            (x, y, n) = (x + f64::from(place.0), y + f64::from(place.1), n + 1.0);
        }
        match n > 0.0 {
            true => format!("({:.1}, {:.1})", x / n, y / n),
            false => "none".into(),
        }
    };
    let rows = (0..prints.len()).map(|print| {
        let before: Vec<Minutia> = prints[print].at_500_dpi().collect();
        let turned = before.first().zip(placed[print].first()).map(|(a, b)| {
            let turn = f64::from(b.direction - a.direction).to_degrees();
            // Within half a turn.
            (turn + 180.0).rem_euclid(360.0) - 180.0
        });
        vec![
            Cell::new(&names[print]),
            Cell::new(before.len()),
            Cell::new(middle(&mut before.iter().map(|it| (it.x, it.y)))),
            Cell::new(middle(&mut placed[print].iter().map(|it| (it.x, it.y)))),
            Cell::new(turned.map_or("none".into(), |turn| format!("{}°", rounded(turn)))),
        ]
    });
    let columns = [
        TableColumn::text("print"),
        TableColumn::number("minutiae"),
        TableColumn::text("centroid before"),
        TableColumn::text("centroid after"),
        TableColumn::number("turned by"),
    ];
    let (x, y) = grid.middle();
    Ok(Step::new("Normalise")
        .text(format!(
            "Prints are brought to 500 dots per inch and into place, in pixels. The middle of the grid is ({x}, {y})."
        ))
        .block(Table::new(columns, rows)?))
}

impl Gridded<'_> {
    fn lesson(&self, steps: Steps, options: &Functions) -> anyhow::Result<Lesson> {
        let total = self.columns * self.rows;
        let family = GridSquares::new(total)
            .map_err(|error| Usage(format!("--grid: {error}; functions have three squares")))?;
        let given: Vec<Vec<u32>> = options.triple.iter().map(|list| list.0.clone()).collect();
        if let Some(wrong) = given.iter().find(|squares| squares.len() != 3) {
            let count = counted(wrong.len(), "square");
            return Err(Usage(format!("--triple has {count}, but a function has three")).into());
        }
        let usual: Scheme = format!("or:{OF_PRINTS}").parse()?;
        let scheme = options.scheme(given.len(), usual, FUNCTIONS)?;
        let functions = match given.is_empty() {
            true => family.draw(scheme.functions() as usize, options.seed),
            false => {
                let functions = SquareFunctions::of_squares(total, &given);
                functions.map_err(|error| Usage(format!("--triple: {error}")))?
            }
        };
        let answers = self.answers(&functions);
        let mut steps = steps.step(self.held(&functions, &answers)?);
        if self.names.len() > 1 {
            steps = steps.step(self.common()?);
        }
        let steps = steps.step(self.functions(&functions, &answers)?);
        let distance =
            |a: usize, b: usize| CommonSquares.distance(&self.squares[a], &self.squares[b]);
        let near = Nearness {
            measure: "1 − c/N",
            distance: &distance,
            promise: &|scheme, distance| scheme.bounds(family.collision(distance)),
            is_independent: true,
            formula: "C(c, 3)/C(N, 3) ≈ (c/N)³, with c of N squares in common, d = 1 − c/N",
        };
        let steps = answers.steps(steps, &scheme, &near)?;
        let summary = format!(
            "{} on a grid of {} × {} squares, {}",
            counted(self.names.len(), "print"),
            self.columns,
            self.rows,
            combined(functions.len(), "function", &scheme)
        );
        Ok(Lesson::new("Grid squares, step by step", summary, steps))
    }

    fn answers(&self, functions: &SquareFunctions) -> Answers {
        let of_print = |squares: &Squares| {
            let mut keys = vec![None; functions.len()];
            functions.hash_into(squares, &mut (), &mut keys);
            keys
        };
        let keys: Vec<Vec<Option<()>>> = self.squares.iter().map(of_print).collect();
        let inside = |(): ()| "in".to_owned();
        let line = |function: usize| keys.iter().map(|keys| keys[function].map(inside)).collect();
        Answers {
            items: self.names.to_vec(),
            answers: (0..functions.len()).map(line).collect(),
        }
    }

    /// The squares of each print, with those of the first function that has one in its bucket.
    fn held(&self, functions: &SquareFunctions, answers: &Answers) -> Result<Step, Error> {
        let total = self.columns * self.rows;
        let rows = self.names.iter().zip(&self.squares).map(|(name, squares)| {
            let held = squares.count();
            let numbers = squares.elements().map(Cell::new);
            vec![
                Cell::new(name),
                Cell::new(format!(
                    "{held} of {total}, {}",
                    rounded(f64::from(held) / f64::from(total))
                )),
                match held {
                    0 => Cell::new("none"),
                    _ => Cell::parts(numbers),
                },
            ]
        });
        let columns = [
            TableColumn::text("print"),
            TableColumn::text("squares held"),
            TableColumn::text("their numbers"),
        ];
        let in_most = |line: &&Vec<Option<String>>| line.iter().flatten().count();
        let shown = answers.answers.iter().enumerate();
        // The first of those that the most prints are in.
        let shown = shown.rev().max_by_key(|(_, line)| in_most(line));
        let shown = shown.filter(|(_, line)| in_most(line) > 0);
        let chosen = shown.and_then(|(place, _)| {
            let squares = functions.squares().nth(place)?;
            Some((place, squares.to_vec()))
        });
        let mut text = String::from(
            "A print becomes the set of the squares that hold minutiae; a minutia near a border also counts next door. \
             Squares are numbered from 0 at the bottom left, row by row.",
        );
        if let Some((place, _)) = &chosen {
            text += &format!(" The three squares of h{} have a border.", place + 1);
        }
        let chosen = chosen.map(|chosen| chosen.1).unwrap_or_default();
        Ok(Step::new("Squares")
            .text(text)
            .block(self.drawing(&chosen)?)
            .block(Table::new(columns, rows)?))
    }

    fn common(&self) -> Result<Step, Error> {
        let total = self.columns * self.rows;
        let rows = pairs(self.names.len()).map(|[a, b]| {
            let (first, second) = (&self.squares[a], &self.squares[b]);
            let common = first.common(second);
            let union = first.count() + second.count() - common;
            vec![
                Cell::new(format!("{} {}", self.names[a], self.names[b])),
                Cell::new(common),
                Cell::new(format!("{common}/{total}")),
                Cell::new(rounded(1.0 - f64::from(common) / f64::from(total))),
                Cell::new(format!("{common}/{union}")),
            ]
        });
        let columns = [
            TableColumn::text("pair"),
            TableColumn::number("in common c"),
            TableColumn::number("c/N"),
            TableColumn::number("1 − c/N"),
            TableColumn::number("Jaccard"),
        ];
        Ok(Step::new("Squares in common")
            .text(
                "What functions of three squares go by is the share of all N squares that two prints have in common. \
                 Minhash goes by the share of their own squares, the Jaccard similarity.",
            )
            .block(Table::new(columns, rows)?))
    }

    fn functions(&self, functions: &SquareFunctions, answers: &Answers) -> Result<Step, Error> {
        let all = functions.len();
        let is_shown =
            |line: &&Vec<Option<String>>| all <= SHOWN || line.iter().any(Option::is_some);
        let lines = functions.squares().zip(&answers.answers).enumerate();
        let of_interest = lines.filter(|(_, (_, line))| is_shown(line));
        let rows = of_interest.take(SHOWN).map(|(place, (squares, line))| {
            let mut squares = squares.to_vec();
            squares.sort_unstable();
            let numbers: Vec<String> = squares.iter().map(u32::to_string).collect();
            let mut cells = vec![
                Cell::new(format!("h{}", place + 1)),
                Cell::new(numbers.join(" ")),
            ];
            cells.extend(line.iter().map(|answer| match answer {
                Some(_) => Cell::new("in").emphasis(Emphasis::Good),
                None => Cell::new("–").emphasis(Emphasis::Quiet),
            }));
            cells
        });
        let mut columns = vec![TableColumn::text("function"), TableColumn::text("squares")];
        columns.extend(self.names.iter().map(TableColumn::text));
        let mut text = String::from(
            "A function is three squares. It has one bucket: the prints with minutiae in all three of them. The others \
             are in no bucket.",
        );
        if all > SHOWN {
            let count = |print: usize| {
                let inside = answers.answers.iter().filter(|line| line[print].is_some());
                format!("{} is in {} buckets", self.names[print], inside.count())
            };
            let counts: Vec<String> = (0..self.names.len()).map(count).collect();
            text += &format!(
                " Of {all} functions, {}. Shown are the first functions with a print in their bucket, at most {SHOWN}.",
                counts.join(", ")
            );
        }
        Ok(Step::new("Functions: three squares each")
            .text(text)
            .block(Table::new(columns, rows)?))
    }
}
