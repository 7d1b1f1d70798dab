//! Random lines: the bucket into which a projection falls.

use lookalike::minhash::trace::FUNCTIONS;
use lookalike::report::{Cell, Error, Step, Steps, Table, TableColumn};
use lookalike::vector::Vectors;
use lookalike::vector::families::{Cuts, Law, Lines};
use lookalike::{LshFamily, LshFunctions, Metric};

use super::super::amplified::{Answers, Nearness, combined, rounded};
use super::super::counted;
use super::super::functions::{BUCKET_WIDTH, Functions};
use super::super::lesson::Lesson;
use super::{directions, drawn, names, vectors_and_pairs, written};
use crate::usage::Usage;

/// What depends on the law of the lines, in words.
pub(super) struct Words {
    title: &'static str,
    distance: &'static str,
    lines: &'static str,
    formula: &'static str,
}

pub(super) const EUCLIDEAN: Words = Words {
    title: "Random lines, step by step",
    distance: "The Euclidean distance is the length of the difference of two vectors.",
    lines: "",
    formula: "p(t) with t = a/d, buckets of width a: at least 1/2 up to d = a/2, at most 1/3 from d = 2a",
};
pub(super) const MANHATTAN: Words = Words {
    title: "Cauchy lines, step by step",
    distance: "The Manhattan distance is the sum of the differences of the numbers of two vectors.",
    lines: " The numbers of a line have the Cauchy law, by which projections are as far apart as the Manhattan distance.",
    formula: "2·atan(t)/π − ln(1 + t²)/(π·t) with t = a/d, buckets of width a",
};

pub(super) fn lesson<L: Law, M: Metric<Item = [f64]> + Default>(
    vectors: &Vectors<f64>,
    options: &Functions,
    words: &Words,
) -> anyhow::Result<Lesson> {
    let given = directions("--line", &options.line, vectors)?;
    let width = options.bucket_width.unwrap_or(BUCKET_WIDTH);
    let family = Lines::<f64, L>::new(vectors.dimensions(), width)
        .map_err(|error| Usage(format!("--bucket-width: {error}")))?;
    let scheme = options.scheme(given.len(), Functions::usual(), FUNCTIONS)?;
    let cuts = match given.is_empty() {
        true => family.draw(scheme.functions() as usize, options.seed),
        false => {
            let cuts = Cuts::<f64, L>::of_lines(&given, vec![0.0; given.len()], width);
            cuts.map_err(|error| Usage(format!("--line: {error}")))?
        }
    };
    let metric = M::default();
    let distance = |a: &[f64], b: &[f64]| metric.distance(&metric.prepare(a), &metric.prepare(b));
    let answers = answers(vectors, &cuts);
    let steps = Steps::new()
        .step(vectors_and_pairs(
            vectors,
            words.distance,
            &["distance"],
            |a, b| vec![rounded(distance(a, b))],
        )?)
        .step(places(vectors, &cuts, width, words)?)
        .step(
            Step::new("Bucket numbers")
                .text("The answer is the number of the bucket: the whole number at or below the place.")
                .block(answers.table(None)?),
        );
    let near = Nearness {
        measure: "distance",
        distance: &|a, b| distance(vectors.get(a), vectors.get(b)),
        promise: &|scheme, distance| scheme.bounds(family.collision(distance)),
        is_independent: true,
        formula: words.formula,
    };
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{} of {}, buckets of width {}, {}",
        counted(vectors.len(), "vector"),
        counted(vectors.dimensions(), "dimension"),
        rounded(width),
        combined(cuts.len(), "line", &scheme)
    );
    let mut lesson = Lesson::new(words.title, summary, steps);
    lesson.banding = scheme.banding();
    Ok(lesson)
}

fn answers<L: Law>(vectors: &Vectors<f64>, cuts: &Cuts<f64, L>) -> Answers {
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

fn places<L: Law>(
    vectors: &Vectors<f64>,
    cuts: &Cuts<f64, L>,
    width: f64,
    words: &Words,
) -> Result<Step, Error> {
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
             g·x/a + b.{}",
            words.lines
        ))
        .block(Table::new(columns, rows)?);
    Ok(match drawn::lines(&names(vectors), &places, cuts.len())? {
        Some(drawing) => step.block(drawing),
        None => step,
    })
}
