//! Vectors: sides of hyperplanes, or buckets on lines.

mod drawn;
mod hyperplanes;
mod lines;

use anyhow::bail;
use lookalike::report::{Cell, Error, Step, Table, TableColumn};
use lookalike::vector::Vectors;

use super::amplified::rounded;
use super::functions::{By, Functions, List};
use super::lesson::Lesson;
use super::{counted, pairs};
use crate::usage::Usage;

/// The most dimensions.
const DIMENSIONS: usize = 16;

pub(super) fn lesson(given: &[Vec<f64>], options: &Functions) -> anyhow::Result<Lesson> {
    let dimensions = given[0].len();
    if dimensions > DIMENSIONS {
        bail!(
            "vectors of {dimensions} dimensions are given, but a trace shows at most {DIMENSIONS}"
        );
    }
    let mut vectors = Vectors::<f64>::new(dimensions)?;
    for vector in given {
        vectors.push(vector)?;
    }
    let by_lines = options.by == Some(By::Lines) || !options.line.is_empty();
    if options.bucket_width.is_some() && !by_lines {
        let message = "--bucket-width is for lines: add --by lines, or give --line";
        return Err(Usage(message.into()).into());
    }
    match by_lines {
        true => lines::lesson(&vectors, options),
        false => hyperplanes::lesson(&vectors, options),
    }
}

fn names(vectors: &Vectors<f64>) -> Vec<String> {
    (1..=vectors.len()).map(|i| format!("V{i}")).collect()
}

/// Directions that were given, all with the dimensions of the vectors.
fn directions(
    option: &str,
    given: &[List<f64>],
    vectors: &Vectors<f64>,
) -> Result<Vec<Vec<f64>>, Usage> {
    let dimensions = vectors.dimensions();
    if let Some(wrong) = given.iter().find(|list| list.0.len() != dimensions) {
        let count = counted(wrong.0.len(), "number");
        let message = format!("{option} has {count}, but the vectors have {dimensions} dimensions");
        return Err(Usage(message));
    }
    Ok(given.iter().map(|list| list.0.clone()).collect())
}

/// A vector as it is written.
fn written(vector: &[f64]) -> String {
    let numbers: Vec<String> = vector.iter().map(|number| rounded(*number)).collect();
    format!("({})", numbers.join(", "))
}

/// The vectors, and what is computed of every pair, by its names.
fn vectors_and_pairs(
    vectors: &Vectors<f64>,
    text: &str,
    heads: &[&str],
    of_pair: impl Fn(&[f64], &[f64]) -> Vec<String>,
) -> Result<Step, Error> {
    let names = names(vectors);
    let length = |vector: &[f64]| vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    let rows = names.iter().zip(vectors.rows()).map(|(name, vector)| {
        vec![
            Cell::new(name),
            Cell::new(written(vector)),
            Cell::new(rounded(length(vector))),
        ]
    });
    let columns = [
        TableColumn::text(""),
        TableColumn::text("vector"),
        TableColumn::number("length"),
    ];
    let step = Step::new("Vectors and their distances")
        .text(text)
        .block(Table::new(columns, rows)?);
    if names.len() < 2 {
        return Ok(step);
    }
    let rows = pairs(names.len()).map(|[a, b]| {
        let mut cells = vec![Cell::new(format!("{} {}", names[a], names[b]))];
        let numbers = of_pair(vectors.get(a), vectors.get(b));
        cells.extend(numbers.into_iter().map(Cell::new));
        cells
    });
    let mut columns = vec![TableColumn::text("pair")];
    columns.extend(heads.iter().map(|head| TableColumn::number(*head)));
    Ok(step.block(Table::new(columns, rows)?))
}
