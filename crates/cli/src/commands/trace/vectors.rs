//! Vectors: sides of hyperplanes, or buckets on lines.

mod cross_polytope;
mod drawn;
mod hyperplanes;
mod lines;

use anyhow::bail;
use lookalike::Metric;
use lookalike::report::{Cell, Error, Step, Table, TableColumn};
use lookalike::vector::families::{Cauchy, Gaussian};
use lookalike::vector::{Angle, Euclidean, Manhattan, Vectors};

use super::amplified::rounded;
use super::functions::{By, Functions, List};
use super::input::Kind;
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
    let by = options.by(Kind::Vectors);
    if options.bucket_width.is_some() && !matches!(by, By::Lines | By::CauchyLines) {
        let message = "--bucket-width is for lines: add --by lines, or give --line";
        return Err(Usage(message.into()).into());
    }
    match by {
        By::Lines => {
            lines::lesson::<Gaussian, Euclidean<f64>>(&vectors, options, &lines::EUCLIDEAN)
        }
        By::CauchyLines => {
            lines::lesson::<Cauchy, Manhattan<f64>>(&vectors, options, &lines::MANHATTAN)
        }
        By::CrossPolytope => cross_polytope::lesson(&vectors, options),
        _ => hyperplanes::lesson(&vectors, options),
    }
}

/// The angle of two vectors, in degrees.
fn angle(a: &[f64], b: &[f64]) -> f64 {
    let metric = Angle::<f64>::default();
    metric.distance(&metric.prepare(a), &metric.prepare(b))
}

/// The vectors and their angles.
fn angles(vectors: &Vectors<f64>) -> Result<Step, Error> {
    vectors_and_pairs(
        vectors,
        "The angle between two vectors comes from their product: cos θ = x·y / (|x|·|y|).",
        &["x·y", "cos θ", "angle"],
        |a, b| {
            let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let degrees = angle(a, b);
            let cosine = degrees.to_radians().cos();
            vec![
                rounded(product),
                rounded(cosine),
                format!("{}°", rounded(degrees)),
            ]
        },
    )
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
