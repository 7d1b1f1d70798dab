//! Texts and sets: shingles, the matrix, permutations or one pass, signatures, bands, buckets, candidates.

use lookalike::minhash::trace::{self, FUNCTIONS, Matrix, Pass, Row, Trace, Work};
use lookalike::minhash::{Counts, Keep, Permutation, Permutations};
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::{Banding, LshFamily, Scheme};

use super::amplified::{Answers, Nearness};
use super::functions::{By, Functions, Kept};
use super::input::{Kind, Source};
use super::lesson::Lesson;
use super::{counted, pairs as all_pairs, picture::picture};
use crate::number;
use crate::usage::Usage;

/// The lesson; candidates with the threshold or more are matches in its picture.
pub(super) fn lesson(
    source: &Source,
    options: &Functions,
    threshold: f64,
) -> anyhow::Result<Lesson> {
    let matrix = source.matrix()?;
    let given = options.permutation.len() + options.hash.len();
    let scheme = options.scheme(given, Functions::usual(), FUNCTIONS)?;
    // A cascade that is not bands and rows is folded afterwards.
    let each = Banding::new(scheme.functions(), 1)?;
    let banding = scheme.banding().unwrap_or(each);
    let functions = functions(options, &matrix, banding)?;
    let trace = Trace::new(matrix, functions, banding);
    let trace = trace.map_err(|error| Usage(error.to_string()))?;
    let mut steps = Steps::new();
    steps = of_matrix(source, &trace.matrix, steps)?;
    steps = steps.step(work(&trace)?).step(signatures(&trace)?);
    let is_cascade = options.is_amplified();
    let steps = match is_cascade {
        true => amplified(&trace, &scheme, steps)?,
        false => steps.step(buckets(&trace)?).step(candidates(&trace)?),
    };
    let combined = match is_cascade {
        true => scheme.to_string(),
        false => trace.banding.to_string(),
    };
    let summary = format!(
        "{}, {} in {combined}",
        items(source, &trace.matrix),
        counted(trace.signatures.len(), "function")
    );
    let mut lesson = Lesson::new("Minhash and banding, step by step", summary, steps);
    if !is_cascade {
        lesson.flow = Some(picture(source, &trace, threshold, &lesson.summary));
        lesson.flow_text = format!(
            "Items with the same values in all rows of a band share a bucket and are candidates, and only candidates are \
             compared. Those with a similarity of at least {threshold} are matches."
        );
        lesson.json = Some(serde_json::to_value(&trace)?);
    }
    lesson.banding = scheme.banding();
    Ok(lesson)
}

/// Those that are given, or as many as bands and rows take.
fn functions(
    options: &Functions,
    matrix: &Matrix,
    banding: Banding,
) -> Result<trace::Functions, Usage> {
    let keep = match options.keep {
        Kept::Place => Keep::Place,
        Kept::Row => Keep::Row,
    };
    if !options.permutation.is_empty() {
        let tables = options.permutation.iter().map(|table| table.0.clone());
        let permutations = Permutations::with(tables.collect(), keep);
        let permutations = permutations.map_err(|error| Usage(format!("--{error}")))?;
        return Ok(trace::Functions::Permutations(permutations, keep));
    }
    let by_permutations = options.by(Kind::Minhash) == By::Permutations;
    if keep == Keep::Row && !by_permutations {
        let message =
            "--keep row is for permutations: add --by permutations, or give --permutation";
        return Err(Usage(message.into()));
    }
    if !options.hash.is_empty() {
        return Ok(trace::Functions::Modular(options.hash.clone()));
    }
    let (k, seed) = (banding.functions() as usize, options.seed);
    Ok(match by_permutations {
        true => trace::Functions::draw_permutations(matrix, k, seed, keep),
        false => trace::Functions::draw_modular(matrix, k, seed),
    })
}

/// Shingles, the characteristic matrix and what it says of similarity.
pub(super) fn of_matrix(source: &Source, matrix: &Matrix, steps: Steps) -> Result<Steps, Error> {
    let steps = match source {
        Source::Texts { .. } => steps.step(shingles(source, matrix)?),
        _ => steps,
    };
    let steps = steps.step(self::matrix(matrix)?);
    Ok(match matrix.names().len() {
        0 | 1 => steps,
        _ => steps.step(row_types(matrix)?),
    })
}

/// What is traced, in words.
pub(super) fn items(source: &Source, matrix: &Matrix) -> String {
    let (one, element) = match source {
        Source::Texts { is_bag: false, .. } => ("text", "different shingle"),
        Source::Texts { .. } => ("text", "shingle of the bags"),
        Source::Sets { is_bag: false, .. } => ("set", "element"),
        Source::Sets { .. } => ("bag", "element"),
        _ => ("set", "row"),
    };
    let (sets, rows) = (matrix.names().len(), matrix.rows().len());
    let rows = match element {
        "shingle of the bags" => format!("{} of the bags", counted(rows, "shingle")),
        element => counted(rows, element),
    };
    format!("{}, {rows}", counted(sets, one))
}

/// The element of a row in words: which occurrence it is, too, in bags.
pub(super) fn word(row: &Row, is_quoted: bool) -> String {
    let word = row.word().unwrap_or_default();
    let word = match is_quoted {
        true => format!("‘{word}’"),
        false => word.to_owned(),
    };
    match row.occurrence {
        None => word,
        Some(2) => format!("{word} (2nd)"),
        Some(3) => format!("{word} (3rd)"),
        Some(n) => format!("{word} ({n}th)"),
    }
}

fn shingles(source: &Source, matrix: &Matrix) -> Result<Step, Error> {
    let Source::Texts {
        texts,
        shingles,
        shingle,
        is_bag,
    } = source
    else {
        return Ok(Step::new("Texts"));
    };
    let rows = (0..).zip(matrix.names()).map(|(place, name): (usize, _)| {
        let shown: Vec<Cell> = match is_bag {
            // In their order, repeats included.
            true => shingles[place]
                .iter()
                .map(|it| Cell::new(format!("‘{it}’")))
                .collect(),
            false => {
                let rows = matrix.columns()[place].iter();
                let row = |row: &u64| Cell::new(word(&matrix.rows()[*row as usize], true));
                rows.map(row).collect()
            }
        };
        let shown = match shown.is_empty() {
            true => Cell::new("no shingle"),
            false => Cell::parts(shown),
        };
        vec![Cell::new(name), Cell::new(&texts[place]), shown]
    });
    let columns = ["", "text", "shingles"].map(TableColumn::text);
    let text = match is_bag {
        true => format!(
            "Each text becomes the bag of its shingles of {shingle}: a shingle counts as often as it occurs."
        ),
        false => format!("Each text becomes the set of its shingles of {shingle}."),
    };
    Ok(Step::new("Shingles")
        .text(text)
        .block(Table::new(columns, rows)?))
}

/// A heading for each set after those that are given.
fn heads(matrix: &Matrix, first: Vec<TableColumn>) -> Vec<TableColumn> {
    let sets = matrix.names().iter().map(TableColumn::number);
    first.into_iter().chain(sets).collect()
}

fn bit(holds: bool) -> Cell {
    match holds {
        true => Cell::new(1),
        false => Cell::new(0).emphasis(Emphasis::Quiet),
    }
}

fn matrix(matrix: &Matrix) -> Result<Step, Error> {
    let sets = matrix.names().len();
    let row_with = |f: fn(&Row) -> bool| matrix.rows().iter().any(f);
    let is_shingle = row_with(|row| row.shingle.is_some());
    let has_words = row_with(|row| row.word().is_some());
    let rows = matrix.rows().iter().enumerate().map(|(i, row)| {
        let mut cells = vec![Cell::new(row.number)];
        cells.extend((0..sets).map(|set| bit(matrix.holds(i, set))));
        cells.extend(has_words.then(|| Cell::new(word(row, is_shingle))));
        cells
    });
    let mut columns = heads(matrix, vec![TableColumn::number("row")]);
    let name = if is_shingle { "shingle" } else { "element" };
    columns.extend(has_words.then(|| TableColumn::text(name)));
    Ok(Step::new("The characteristic matrix")
        .text("One row per element, one column per set, 1 where the set has the element.")
        .block(Table::new(columns, rows)?))
}

/// Types of rows, in the order of the sets.
fn row_types(matrix: &Matrix) -> Result<Step, Error> {
    let names = matrix.names();
    let rows = all_pairs(names.len()).map(|[a, b]| {
        let counts = Counts::of(&matrix.columns()[a], &matrix.columns()[b]);
        let neither = counts.d(matrix.rows().len()).unwrap_or(0);
        let mut cells = vec![Cell::new(format!("{} {}", names[a], names[b]))];
        cells.extend([counts.a, counts.b, counts.c, neither].map(Cell::new));
        cells.push(Cell::new(format!("{}/{}", counts.a, counts.union())));
        cells
    });
    let mut columns = vec![TableColumn::text("pair")];
    columns.extend(["a", "b", "c", "d"].map(TableColumn::number));
    columns.push(TableColumn::number("a/(a+b+c)"));
    Ok(Step::new("Jaccard similarity")
        .text(
            "Rows of two columns are of type a (1, 1), b (1, 0), c (0, 1) or d (0, 0). The Jaccard similarity is \
             a/(a+b+c): rows of type d do not count.",
        )
        .block(Table::new(columns, rows)?))
}

/// The short names of functions: π1, π2, … or h1, h2, …
fn names(trace: &Trace) -> Vec<String> {
    let letter = match trace.work {
        Work::Permutations { .. } => 'π',
        _ => 'h',
    };
    (1..=trace.signatures.len())
        .map(|i| format!("{letter}{i}"))
        .collect()
}

/// ∞ is the minimum of an empty set.
fn value(value: Option<u64>) -> String {
    value.map_or("∞".into(), |value| value.to_string())
}

fn work(trace: &Trace) -> Result<Step, Error> {
    match &trace.work {
        Work::OnePass { functions, rows } => one_pass(trace, functions, rows),
        Work::Permutations { tables, .. } => permutations(trace, tables),
        _ => Ok(Step::new("Functions")),
    }
}

fn permutations(trace: &Trace, tables: &[Vec<u64>]) -> Result<Step, Error> {
    let sets = trace.matrix.names().len();
    let rows = trace.matrix.rows().iter().enumerate().map(|(i, row)| {
        let mut cells = vec![Cell::new(row.number)];
        cells.extend(tables.iter().map(|table| Cell::new(table[i])));
        cells.extend((0..sets).map(|set| bit(trace.matrix.holds(i, set))));
        cells
    });
    let mut first = vec![TableColumn::number("row")];
    first.extend(names(trace).into_iter().map(TableColumn::number));
    Ok(Step::new("Permutations")
        .text(
            "Each permutation puts the rows into another order: its column has the place of each row.",
        )
        .block(Table::new(heads(&trace.matrix, first), rows)?))
}

fn one_pass(trace: &Trace, functions: &[String], passes: &[Pass]) -> Result<Step, Error> {
    let named = names(trace).into_iter().zip(functions);
    let named = named.map(|(name, function)| vec![format!("{name}(x)").into(), function.into()]);
    let rows = passes.iter().map(|pass| {
        let mut cells = vec![Cell::new(pass.row)];
        cells.extend(pass.hashes.iter().map(Cell::new));
        cells.extend((0..trace.matrix.names().len()).map(|set| {
            let minima = pass.table.iter().zip(&pass.lowered);
            Cell::parts(minima.map(|(line, lowered)| {
                let cell = Cell::new(value(line[set]));
                match (line[set], lowered[set]) {
                    (None, _) => cell.emphasis(Emphasis::Quiet),
                    (_, true) => cell.emphasis(Emphasis::Strong),
                    _ => cell,
                }
            }))
        }));
        cells
    });
    let mut first = vec![TableColumn::number("row")];
    first.extend(names(trace).into_iter().map(TableColumn::number));
    let text = "Functions of the row's number stand for permutations. Each row lowers the minima of the sets that have it; \
                minima that a row has lowered are marked. ∞: no row has come yet.";
    Ok(Step::new("One pass over the rows")
        .text(text)
        .block(Table::new(
            [TableColumn::text("function"), TableColumn::text("of row x")],
            named,
        )?)
        .block(Table::new(heads(&trace.matrix, first), rows)?))
}

fn signatures(trace: &Trace) -> Result<Step, Error> {
    let band = |line: usize| line / trace.banding.rows() as usize + 1;
    let rows = names(trace).into_iter().zip(&trace.signatures).enumerate();
    let rows = rows.map(|(i, (name, line))| {
        let mut cells = vec![Cell::new(name), Cell::new(band(i))];
        cells.extend(line.iter().map(|least| Cell::new(value(*least))));
        cells
    });
    let first = vec![TableColumn::text(""), TableColumn::number("band")];
    let text = match &trace.work {
        Work::Permutations {
            keeps_place: true, ..
        } => {
            "For each permutation the place of the set's first row in the new order. The column of a set is its signature."
        }
        Work::Permutations { .. } => {
            "For each permutation the number of the set's first row in the new order. The column of a set is its signature."
        }
        _ => "The minima after the last row. The column of a set is its signature.",
    };
    Ok(Step::new("Signatures")
        .text(text)
        .block(Table::new(heads(&trace.matrix, first), rows)?))
}

fn buckets(trace: &Trace) -> Result<Step, Error> {
    let rows = trace.bands.iter().flat_map(|band| {
        band.buckets.iter().map(move |bucket| {
            let values: Vec<String> = bucket.values.iter().map(u64::to_string).collect();
            let sets = Cell::new(bucket.sets.join(" "));
            let sets = match bucket.sets.len() > 1 {
                true => sets.emphasis(Emphasis::Strong),
                false => sets,
            };
            vec![Cell::new(band.band), Cell::new(values.join(" ")), sets]
        })
    });
    let columns = [
        TableColumn::number("band"),
        TableColumn::text("values"),
        TableColumn::text("sets"),
    ];
    Ok(Step::new("Bands and buckets")
        .text(format!(
            "{}: sets with the same values in all rows of a band share its bucket.",
            trace.banding
        ))
        .block(Table::new(columns, rows)?))
}

fn candidates(trace: &Trace) -> Result<Step, Error> {
    let step = Step::new("Candidates");
    if trace.pairs.is_empty() {
        return Ok(step.text("There is only one set, so there are no pairs."));
    }
    let rows = trace.pairs.iter().map(|pair| {
        let bands: Vec<String> = pair.bands.iter().map(usize::to_string).collect();
        let (candidate, bands) = match pair.is_candidate() {
            true => (Cell::new("yes").emphasis(Emphasis::Good), bands.join(" ")),
            false => (Cell::new("no").emphasis(Emphasis::Quiet), "–".into()),
        };
        vec![
            pair.sets.join(" ").into(),
            candidate,
            bands.into(),
            number::place(pair.estimated).into(),
            number::place(pair.exact).into(),
            format!("= {}/{}", pair.common, pair.union).into(),
        ]
    });
    let columns = [
        TableColumn::text("pair"),
        TableColumn::text("candidate"),
        TableColumn::text("in bands"),
        TableColumn::number("estimated"),
        TableColumn::number("exact"),
        TableColumn::text(""),
    ];
    Ok(step
        .text(
            "A pair is a candidate if it shares a bucket in at least one band. The share of functions that agree is an \
             estimate of the similarity.",
        )
        .block(Table::new(columns, rows)?))
}

/// Any cascade over the signatures.
fn amplified(trace: &Trace, scheme: &Scheme, steps: Steps) -> Result<Steps, Error> {
    let answer = |line: &Vec<Option<u64>>| {
        let words = line
            .iter()
            .map(|least| least.map(|least| least.to_string()));
        words.collect()
    };
    let answers = Answers {
        items: trace.matrix.names().to_vec(),
        answers: trace.signatures.iter().map(answer).collect(),
    };
    let columns = trace.matrix.columns();
    let distance = |a: usize, b: usize| {
        let names = trace.matrix.names();
        let both = [&names[a], &names[b]];
        let pair = trace.pairs.iter().find(|pair| pair.sets.each_ref() == both);
        pair.map_or(1.0, |pair| 1.0 - pair.exact)
    };
    let rows = columns
        .iter()
        .flatten()
        .max()
        .map_or(1, |row| *row as u32 + 1);
    let family = Permutation::new(rows).expect("a matrix has rows");
    let near = Nearness {
        measure: "Jaccard distance",
        distance: &distance,
        promise: &|scheme, distance| scheme.bounds(family.collision(distance)),
        is_independent: true,
        formula: "1 − d",
    };
    answers.steps(steps, scheme, &near)
}
