//! SimHash: bits of a code that says on which sides of random hyperplanes a set lies.

use lookalike::LshFamily;
use lookalike::minhash::trace::{FUNCTIONS, Matrix};
use lookalike::minhash::{CodeBits, Counts, Integers, SetCoordinates, SimHash, SimHashFunctions};
use lookalike::report::{Cell, Error, Step, Steps, Table, TableColumn};

use super::amplified::{Answers, Nearness, combined, rounded};
use super::functions::Functions;
use super::input::Source;
use super::lesson::Lesson;
use super::minhash::{items, of_matrix, word};
use super::pairs;

type Sampled = SimHashFunctions<SetCoordinates<Integers>>;

pub(super) fn lesson(source: &Source, options: &Functions) -> anyhow::Result<Lesson> {
    let matrix = source.matrix()?;
    let scheme = options.scheme(0, Functions::usual(), FUNCTIONS)?;
    let family = SimHash::new(SetCoordinates::new(Integers), CodeBits::B64);
    let functions = family.draw(scheme.functions() as usize, options.seed);
    let sets: Vec<Vec<u64>> = matrix
        .columns()
        .iter()
        .map(|rows| numbers(&matrix, rows))
        .collect();
    let answers = answers(&matrix, &sets, &functions);
    let distance = |a: usize, b: usize| counts(&matrix, [a, b]).distance();
    let near = Nearness {
        measure: "Jaccard distance",
        distance: &distance,
        promise: &|scheme, distance| family.joint(scheme, distance),
        is_independent: false,
        formula: "1 − θ/180, and the angle θ follows from J = 1 − d within bounds: its cosine is from 2J/(1+J) to √J. All \
                  functions sample one code, which AND and OR take into account",
    };
    let steps = of_matrix(source, &matrix, Steps::new())?
        .step(components(&matrix, &functions)?)
        .step(bits(&matrix, &sets, &functions, &answers)?);
    let steps = match sets.len() {
        1 => steps,
        _ => steps.step(codes(&matrix, &sets, &functions)?),
    };
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{}, {} of a code of 64 bits",
        items(source, &matrix),
        combined(functions.places().len(), "sampled bit", &scheme)
    );
    Ok(Lesson::new("SimHash, step by step", summary, steps))
}

/// What elements are for the hyperplanes: the numbers of their rows.
fn numbers(matrix: &Matrix, rows: &[u64]) -> Vec<u64> {
    let number = |row: &u64| matrix.rows()[*row as usize].number;
    rows.iter().map(number).collect()
}

fn counts(matrix: &Matrix, [a, b]: [usize; 2]) -> Counts {
    Counts::of(&matrix.columns()[a], &matrix.columns()[b])
}

/// The product of a set with the hyperplane of each function; none for an empty set.
fn products(functions: &Sampled, set: &[u64]) -> Option<Vec<f64>> {
    let all = functions.coder().products(set)?;
    let places = functions.places().iter().flatten();
    Some(places.map(|place| all[*place as usize]).collect())
}

fn answers(matrix: &Matrix, sets: &[Vec<u64>], functions: &Sampled) -> Answers {
    use lookalike::LshFunctions;
    let of_set = |set: &Vec<u64>| {
        let mut keys = vec![None; functions.len()];
        functions.hash_into(set, &mut Default::default(), &mut keys);
        keys
    };
    let keys: Vec<Vec<Option<u64>>> = sets.iter().map(of_set).collect();
    let line = |function: usize| {
        let answers = keys.iter().map(|keys| keys[function]);
        answers.map(|it| it.map(|bit| bit.to_string())).collect()
    };
    Answers {
        items: matrix.names().to_vec(),
        answers: (0..functions.len()).map(line).collect(),
    }
}

fn components(matrix: &Matrix, functions: &Sampled) -> Result<Step, Error> {
    let is_shingle = matrix.rows().iter().any(|row| row.shingle.is_some());
    let rows = matrix.rows().iter().map(|row| {
        let name = match row.word() {
            Some(_) => word(row, is_shingle),
            None => row.number.to_string(),
        };
        let of_element = products(functions, &[row.number]).unwrap_or_default();
        let components = of_element.into_iter().map(|it| Cell::new(rounded(it)));
        [Cell::new(name)].into_iter().chain(components).collect()
    });
    let mut columns = vec![TableColumn::text(if is_shingle {
        "shingle"
    } else {
        "element"
    })];
    let count = functions.places().len();
    columns.extend((1..=count).map(|place| TableColumn::number(format!("h{place}"))));
    let rows: Vec<Vec<Cell>> = rows.collect();
    Ok(Step::new("Hyperplanes")
        .text(
            "A set is a vector: 1 for each of its elements, 0 for the others. A function is a random hyperplane, given by one \
             random number for each element, which follows from the hash of the element's row.",
        )
        .block(Table::new(columns, rows)?))
}

fn bits(
    matrix: &Matrix,
    sets: &[Vec<u64>],
    functions: &Sampled,
    answers: &Answers,
) -> Result<Step, Error> {
    let of_sets: Vec<Option<Vec<f64>>> = sets.iter().map(|set| products(functions, set)).collect();
    let rows = (0..functions.places().len()).map(|function| {
        let products = of_sets.iter().map(|products| match products {
            Some(products) => Cell::new(rounded(products[function])),
            None => Cell::new("none"),
        });
        let name = Cell::new(format!("h{}", function + 1));
        [name].into_iter().chain(products).collect::<Vec<Cell>>()
    });
    let mut columns = vec![TableColumn::text("function")];
    columns.extend(matrix.names().iter().map(TableColumn::number));
    let products = Table::new(columns, rows)?.caption("Products");
    let places = functions.places().iter().flatten();
    let places = places.map(|place| Cell::new(place + 1)).collect();
    let looks = (TableColumn::number("bit of the code"), places);
    Ok(Step::new("Products and bits")
        .text(
            "The product of a set with a hyperplane is the sum of the numbers of its elements. Its bit is 1 if that is above \
             0. The code of a set has 64 such bits, of which the functions sample some.",
        )
        .block(products)
        .block(answers.table(Some(looks))?.caption("Bits")))
}

/// The whole codes, and the angles that they follow.
fn codes(matrix: &Matrix, sets: &[Vec<u64>], functions: &Sampled) -> Result<Step, Error> {
    let code = |set: &Vec<u64>| functions.coder().code(set, &mut Default::default());
    let all: Vec<Option<u128>> = sets.iter().map(code).collect();
    let names = matrix.names();
    let rows = pairs(sets.len()).map(|[a, b]| {
        let common = counts(matrix, [a, b]).a as f64;
        let cosine = common / ((sets[a].len() * sets[b].len()) as f64).sqrt();
        let angle = cosine.clamp(0.0, 1.0).acos().to_degrees();
        let differ = all[a].zip(all[b]).map(|(a, b)| (a ^ b).count_ones());
        let numbers = match differ {
            None => ["–".into(), "–".into(), "–".into(), "–".into()],
            Some(differ) => [
                rounded(cosine),
                format!("{}°", rounded(angle)),
                rounded(64.0 * angle / 180.0),
                differ.to_string(),
            ],
        };
        let name = Cell::new(format!("{} {}", names[a], names[b]));
        let numbers = numbers.into_iter().map(Cell::new);
        [name].into_iter().chain(numbers).collect::<Vec<Cell>>()
    });
    let columns = [
        TableColumn::text("pair"),
        TableColumn::number("cos θ"),
        TableColumn::number("angle θ"),
        TableColumn::number("64·θ/180"),
        TableColumn::number("bits that differ"),
    ];
    Ok(Step::new("Codes and angles")
        .text(
            "The cosine of two sets is |S ∩ T| / √(|S|·|T|). A bit differs with probability θ/180, so that codes of 64 bits \
             differ in 64·θ/180 bits on average.",
        )
        .block(Table::new(columns, rows)?))
}
