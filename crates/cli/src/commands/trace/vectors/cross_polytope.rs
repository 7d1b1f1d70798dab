//! Cross-polytopes: the nearest of some directions and their opposites.

use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::vector::Vectors;
use lookalike::vector::families::{CrossPolytope, Vertices};
use lookalike::{LshFamily, LshFunctions, Scheme};

use super::super::amplified::{Answers, Nearness, combined, rounded};
use super::super::counted;
use super::super::functions::{DIRECTIONS, Functions};
use super::super::lesson::Lesson;
use super::{angle, angles, names, written};
use crate::usage::Usage;

/// The most directions of all functions together.
const SHOWN: u32 = 64;

pub(super) fn lesson(vectors: &Vectors<f64>, options: &Functions) -> anyhow::Result<Lesson> {
    let each = options.directions.unwrap_or(DIRECTIONS);
    let family = CrossPolytope::<f64>::new(vectors.dimensions(), each)
        .map_err(|error| Usage(format!("--{error}")))?;
    let usual: Scheme = "or:2".parse()?;
    let scheme = options.scheme(0, usual, (SHOWN / each) as usize)?;
    let vertices = family.draw(scheme.functions() as usize, options.seed);
    let answers = answers(vectors, &vertices);
    let near = Nearness {
        measure: "angle",
        distance: &|a, b| angle(vectors.get(a), vectors.get(b)),
        promise: &|scheme, degrees| scheme.bounds(family.collision(degrees)),
        is_independent: true,
        formula: "p(d), an integral over two normal variables",
    };
    let steps = Steps::new()
        .step(angles(vectors)?)
        .step(products(vectors, &vertices)?)
        .step(
            Step::new("Nearest directions")
                .text(
                    "The answer is the direction with the largest product: +3 is direction 3, −3 its opposite. A vector of \
                     zeros has none.",
                )
                .block(answers.table(None)?),
        );
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{} of {}, {} of {each} directions",
        counted(vectors.len(), "vector"),
        counted(vectors.dimensions(), "dimension"),
        combined(vertices.len(), "function", &scheme),
    );
    let mut lesson = Lesson::new("Cross-polytopes, step by step", summary, steps);
    lesson.banding = scheme.banding();
    Ok(lesson)
}

fn answers(vectors: &Vectors<f64>, vertices: &Vertices<f64>) -> Answers {
    let of_vector = |vector: &[f64]| {
        let mut keys = vec![None; vertices.len()];
        vertices.hash_into(vector, &mut Vec::new(), &mut keys);
        keys
    };
    let keys: Vec<Vec<Option<u32>>> = vectors.rows().map(of_vector).collect();
    // The lowest bit says whether it is the opposite.
    let name = |key: u32| format!("{}{}", ["+", "−"][key as usize % 2], key / 2 + 1);
    let line = |function: usize| keys.iter().map(|keys| keys[function].map(name)).collect();
    Answers {
        items: names(vectors),
        answers: (0..vertices.len()).map(line).collect(),
    }
}

/// The directions of each function with the products of the vectors; the largest is marked.
fn products(vectors: &Vectors<f64>, vertices: &Vertices<f64>) -> Result<Step, Error> {
    let products: Vec<Vec<Vec<f64>>> = vectors
        .rows()
        .map(|vector| vertices.products_with(vector))
        .collect();
    let directions = vertices.directions().unwrap_or_default();
    let each = directions.len() / vertices.len();
    let rows = directions.iter().enumerate().map(|(place, direction)| {
        let (function, place) = (place / each, place % each);
        let mut cells = vec![
            Cell::new(format!("h{}", function + 1)),
            Cell::new(place + 1),
            Cell::new(written(direction)),
        ];
        cells.extend(products.iter().map(|products| {
            let Some(products) = products.get(function) else {
                return Cell::new("–").emphasis(Emphasis::Quiet);
            };
            let largest = products.iter().map(|it| it.abs()).fold(0.0, f64::max);
            let cell = Cell::new(rounded(products[place]));
            match products[place].abs() == largest {
                true => cell.emphasis(Emphasis::Strong),
                false => cell,
            }
        }));
        cells
    });
    let mut columns = vec![
        TableColumn::text("function"),
        TableColumn::number(""),
        TableColumn::text("direction v"),
    ];
    let heads = names(vectors).into_iter();
    columns.extend(heads.map(|name| TableColumn::number(format!("v·{name}"))));
    Ok(Step::new("Directions")
        .text(
            "A function is some random directions. It multiplies each with the vector. The largest product, whatever its \
             sign, is marked.",
        )
        .block(Table::new(columns, rows)?))
}
