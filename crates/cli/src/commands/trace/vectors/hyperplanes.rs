//! Random hyperplanes: the sign of a product.

use lookalike::minhash::trace::FUNCTIONS;
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::vector::Vectors;
use lookalike::vector::families::{Hyperplanes, Sides};
use lookalike::{LshFamily, LshFunctions};

use super::super::amplified::{Answers, Nearness, combined, rounded};
use super::super::counted;
use super::super::functions::Functions;
use super::super::lesson::Lesson;
use super::{angle, angles, directions, drawn, names, written};
use crate::usage::Usage;

pub(super) fn lesson(vectors: &Vectors<f64>, options: &Functions) -> anyhow::Result<Lesson> {
    let given = directions("--normal", &options.normal, vectors)?;
    let scheme = options.scheme(given.len(), Functions::usual(), FUNCTIONS)?;
    let family = Hyperplanes::<f64>::new(vectors.dimensions());
    let sides = match given.is_empty() {
        true => family.draw(scheme.functions() as usize, options.seed),
        false => {
            let sides = Sides::of_normals(&given);
            sides.map_err(|error| Usage(format!("--normal: {error}")))?
        }
    };
    let answers = answers(vectors, &sides);
    let steps = Steps::new()
        .step(angles(vectors)?)
        .step(products(vectors, &sides)?)
        .step(signs(&answers)?);
    let near = Nearness {
        measure: "angle",
        distance: &|a, b| angle(vectors.get(a), vectors.get(b)),
        promise: &|scheme, degrees| scheme.bounds(family.collision(degrees)),
        is_independent: true,
        formula: "1 − d/180, d in degrees",
    };
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{} of {}, {}",
        counted(vectors.len(), "vector"),
        counted(vectors.dimensions(), "dimension"),
        combined(sides.len(), "hyperplane", &scheme)
    );
    let mut lesson = Lesson::new("Random hyperplanes, step by step", summary, steps);
    lesson.banding = scheme.banding();
    Ok(lesson)
}

fn answers(vectors: &Vectors<f64>, sides: &Sides<f64>) -> Answers {
    let of_vector = |vector: &[f64]| {
        let mut keys = vec![None; sides.len()];
        sides.hash_into(vector, &mut Vec::new(), &mut keys);
        keys
    };
    let keys: Vec<Vec<Option<bool>>> = vectors.rows().map(of_vector).collect();
    let sign = |side: bool| if side { "+1" } else { "−1" }.to_owned();
    let line = |function: usize| keys.iter().map(|keys| keys[function].map(sign)).collect();
    Answers {
        items: names(vectors),
        answers: (0..sides.len()).map(line).collect(),
    }
}

fn products(vectors: &Vectors<f64>, sides: &Sides<f64>) -> Result<Step, Error> {
    let normals = sides.normals();
    let products: Vec<Option<Vec<f64>>> = vectors
        .rows()
        .map(|vector| sides.products_with(vector))
        .collect();
    let rows = normals.iter().enumerate().map(|(place, normal)| {
        let mut cells = vec![
            Cell::new(format!("h{}", place + 1)),
            Cell::new(written(normal)),
        ];
        cells.extend(products.iter().map(|products| match products {
            Some(products) => Cell::new(rounded(products[place])),
            None => Cell::new("–").emphasis(Emphasis::Quiet),
        }));
        cells
    });
    let mut columns = vec![TableColumn::text("function"), TableColumn::text("normal v")];
    let heads = names(vectors).into_iter();
    columns.extend(heads.map(|name| TableColumn::number(format!("v·{name}"))));
    let step = Step::new("Hyperplanes")
        .text("A function is a hyperplane through the origin, given by its normal v. It multiplies v with each vector.")
        .block(Table::new(columns, rows)?);
    Ok(match vectors.dimensions() {
        2 => step.block(drawn::hyperplanes(vectors, &normals)?),
        _ => step,
    })
}

fn signs(answers: &Answers) -> Result<Step, Error> {
    let text = "The answer is the sign of the product: on which side of the hyperplane the vector lies. A vector of zeros \
                has no side.";
    Ok(Step::new("Signs").text(text).block(answers.table(None)?))
}
