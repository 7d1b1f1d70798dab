//! Random lines: the bucket into which a projection falls.

use lookalike::minhash::trace::FUNCTIONS;
use lookalike::report::{Cell, Error, Step, Steps, Table, TableColumn};
use lookalike::vector::families::{Cuts, Gaussian, RandomLines};
use lookalike::vector::{Euclidean, Vectors};
use lookalike::{LshFamily, LshFunctions, Metric};

use super::super::amplified::{Answers, Nearness, combined, rounded};
use super::super::counted;
use super::super::functions::{BUCKET_WIDTH, Functions};
use super::super::lesson::Lesson;
use super::{directions, drawn, names, vectors_and_pairs, written};
use crate::usage::Usage;

type Buckets = Cuts<f64, Gaussian>;

pub(super) fn lesson(vectors: &Vectors<f64>, options: &Functions) -> anyhow::Result<Lesson> {
    let given = directions("--line", &options.line, vectors)?;
    let width = options.bucket_width.unwrap_or(BUCKET_WIDTH);
    let family = RandomLines::<f64>::new(vectors.dimensions(), width)
        .map_err(|error| Usage(format!("--bucket-width: {error}")))?;
    let scheme = options.scheme(given.len(), Functions::usual(), FUNCTIONS)?;
    let cuts = match given.is_empty() {
        true => family.draw(scheme.functions() as usize, options.seed),
        false => {
            let cuts = Buckets::of_lines(&given, vec![0.0; given.len()], width);
            cuts.map_err(|error| Usage(format!("--line: {error}")))?
        }
    };
    let metric = Euclidean::<f64>::default();
    let distance = |a: &[f64], b: &[f64]| metric.distance(&metric.prepare(a), &metric.prepare(b));
    let answers = answers(vectors, &cuts);
    let steps = Steps::new()
        .step(vectors_and_pairs(
            vectors,
            "The Euclidean distance is the length of the difference of two vectors.",
            &["distance"],
            |a, b| vec![rounded(distance(a, b))],
        )?)
        .step(places(vectors, &cuts, width)?)
        .step(numbers(&answers)?);
    let near = Nearness {
        measure: "distance",
        distance: &|a, b| distance(vectors.get(a), vectors.get(b)),
        one: &|distance| family.collision(distance),
        formula: "p(t) with t = a/d, buckets of width a: at least 1/2 up to d = a/2, at most 1/3 from d = 2a",
    };
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{} of {}, buckets of width {}, {}",
        counted(vectors.len(), "vector"),
        counted(vectors.dimensions(), "dimension"),
        rounded(width),
        combined(cuts.len(), "line", &scheme)
    );
    let mut lesson = Lesson::new("Random lines, step by step", summary, steps);
    lesson.banding = scheme.banding();
    Ok(lesson)
}

fn answers(vectors: &Vectors<f64>, cuts: &Buckets) -> Answers {
    let of_vector = |vector: &[f64]| {
        let mut keys = vec![None; cuts.len()];
        cuts.hash_into(vector, &mut Default::default(), &mut keys);
        keys
    };
    let keys: Vec<Vec<Option<u64>>> = vectors.rows().map(of_vector).collect();
    let bucket = |key: u64| rounded(key.cast_signed() as f64);
    let line = |function: usize| keys.iter().map(|keys| keys[function].map(bucket)).collect();
    Answers {
        items: names(vectors),
        answers: (0..cuts.len()).map(line).collect(),
    }
}

fn places(vectors: &Vectors<f64>, cuts: &Buckets, width: f64) -> Result<Step, Error> {
    let lines = cuts.lines();
    let places: Vec<Vec<f64>> = vectors
        .rows()
        .map(|vector| cuts.places_of(vector))
        .collect();
    let rows = lines.iter().enumerate().map(|(line, direction)| {
        let mut cells = vec![
            Cell::new(format!("h{}", line + 1)),
            Cell::new(written(direction)),
            Cell::new(rounded(cuts.shifts()[line])),
        ];
        cells.extend(places.iter().map(|places| Cell::new(rounded(places[line]))));
        cells
    });
    let mut columns = vec![
        TableColumn::text("function"),
        TableColumn::text("line g"),
        TableColumn::number("shift b"),
    ];
    columns.extend(names(vectors).into_iter().map(TableColumn::number));
    let width = rounded(width);
    let step = Step::new("Places on the lines")
        .text(format!(
            "A function projects each vector x on a line, g·x, in units of the bucket width a = {width}, and shifts it: \
             g·x/a + b."
        ))
        .block(Table::new(columns, rows)?);
    Ok(match drawn::lines(&names(vectors), &places, cuts.len())? {
        Some(drawing) => step.block(drawing),
        None => step,
    })
}

fn numbers(answers: &Answers) -> Result<Step, Error> {
    let rows = (1..)
        .zip(&answers.answers)
        .map(|(place, line): (usize, _)| {
            let mut cells = vec![Cell::new(format!("h{place}"))];
            cells.extend(line.iter().flatten().map(Cell::new));
            cells
        });
    let mut columns = vec![TableColumn::text("function")];
    columns.extend(answers.items.iter().map(TableColumn::number));
    Ok(Step::new("Bucket numbers")
        .text("The answer is the number of the bucket: the whole number at or below the place.")
        .block(Table::new(columns, rows)?))
}
