//! Codes: the bits that differ, and functions that look at one bit each.

use anyhow::bail;
use lookalike::hamming::{self, BitSampling, Codes, Gather};
use lookalike::minhash::trace::FUNCTIONS;
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::{LshFamily, LshFunctions};

use super::amplified::{Answers, Nearness, combined};
use super::functions::Functions;
use super::lesson::Lesson;
use super::{counted, pairs};
use crate::usage::Usage;

/// The longest codes.
const BITS: usize = 64;

pub(super) fn lesson(given: &[String], options: &Functions) -> anyhow::Result<Lesson> {
    let codes = codes(given)?;
    let bits = codes.bit_length();
    let places: Vec<u32> = options
        .bit
        .iter()
        .flat_map(|list| &list.0)
        .copied()
        .collect();
    if let Some(wrong) = places
        .iter()
        .find(|place| !(1..=bits as u32).contains(place))
    {
        let message = format!("--bit is {wrong}, but must be from 1 to {bits}, a bit of the codes");
        return Err(Usage(message).into());
    }
    let scheme = options.scheme(places.len(), Functions::usual(), FUNCTIONS)?;
    let family = BitSampling::new(bits)?;
    let places: Vec<u32> = match places.is_empty() {
        true => family
            .places(scheme.functions() as usize, options.seed)
            .concat(),
        false => places.iter().map(|place| place - 1).collect(),
    };
    let functions = Gather::of_places(bits, places.iter().map(|place| vec![*place]))?;
    let names: Vec<String> = (1..=codes.len()).map(|i| format!("C{i}")).collect();
    let answers = answers(&codes, &functions, &names);
    let distance = |a: usize, b: usize| f64::from(hamming::distance(codes.get(a), codes.get(b)));
    let steps = Steps::new().step(bits_of(given, &names)?);
    let steps = match names.len() > 1 {
        true => steps.step(distances(given, &names)?),
        false => steps,
    };
    let steps = steps.step(sampled(&places, &answers)?);
    let near = Nearness {
        measure: "Hamming distance",
        distance: &distance,
        one: &|distance| family.collision(distance),
        formula: "1 − d/n, with codes of n bits",
    };
    let steps = answers.steps(steps, &scheme, &near)?;
    let summary = format!(
        "{} of {}, {}",
        counted(codes.len(), "code"),
        counted(bits, "bit"),
        combined(places.len(), "function", &scheme)
    );
    let mut lesson = Lesson::new("Bit sampling, step by step", summary, steps);
    lesson.banding = scheme.banding();
    Ok(lesson)
}

/// The codes; bit i is digit i from the left.
fn codes(given: &[String]) -> anyhow::Result<Codes> {
    let bits = given[0].len();
    if bits > BITS {
        bail!("codes of {bits} bits are given, but a trace shows at most {BITS}");
    }
    let mut codes = Codes::new(bits)?;
    for code in given {
        if code.len() != bits || !code.bytes().all(|bit| matches!(bit, b'0' | b'1')) {
            bail!("--code is {code}, but must be {bits} digits 0 or 1, as many as the first has");
        }
        let set = |word, (place, bit): (usize, u8)| word | u64::from(bit == b'1') << place;
        let word = code.bytes().enumerate().fold(0, set);
        codes.push(&[word])?;
    }
    Ok(codes)
}

fn answers(codes: &Codes, functions: &Gather, names: &[String]) -> Answers {
    let of_code = |code: &[u64]| {
        let mut keys = vec![0; functions.len()];
        functions.hash_into(code, &mut (), &mut keys);
        keys
    };
    let keys: Vec<Vec<u64>> = codes.iter().map(of_code).collect();
    let line = |function: usize| {
        let answers = keys.iter().map(|keys| Some(keys[function].to_string()));
        answers.collect()
    };
    Answers {
        items: names.to_vec(),
        answers: (0..functions.len()).map(line).collect(),
    }
}

fn bits_of(given: &[String], names: &[String]) -> Result<Step, Error> {
    let rows = names.iter().zip(given).map(|(name, code)| {
        let mut cells = vec![Cell::new(name)];
        cells.extend(code.chars().map(|bit| match bit {
            '0' => Cell::new(0).emphasis(Emphasis::Quiet),
            bit => Cell::new(bit),
        }));
        cells
    });
    let mut columns = vec![TableColumn::text("bit")];
    columns.extend((1..=given[0].len()).map(|place| TableColumn::number(place.to_string())));
    Ok(Step::new("Codes")
        .text("The bits of each code, counted from 1 at the left.")
        .block(Table::new(columns, rows)?))
}

fn distances(given: &[String], names: &[String]) -> Result<Step, Error> {
    let bits = given[0].len();
    let rows = pairs(names.len()).map(|[a, b]| {
        let both = given[a].bytes().zip(given[b].bytes());
        let differ: Vec<String> = (1..)
            .zip(both.clone())
            .filter(|(_, (a, b))| a != b)
            .map(|(place, _): (usize, _)| place.to_string())
            .collect();
        let ones = both.clone().filter(|bits| *bits == (b'1', b'1')).count();
        let either = both.filter(|bits| *bits != (b'0', b'0')).count();
        let equal = bits - differ.len();
        let places = match differ.is_empty() {
            true => "none".into(),
            false => differ.join(" "),
        };
        vec![
            Cell::new(format!("{} {}", names[a], names[b])),
            Cell::new(places),
            Cell::new(differ.len()),
            Cell::new(format!("{equal}/{bits}")),
            Cell::new(format!("{ones}/{either}")),
        ]
    });
    let columns = [
        TableColumn::text("pair"),
        TableColumn::text("bits that differ"),
        TableColumn::number("Hamming distance"),
        TableColumn::number("1 − d/n"),
        TableColumn::number("Jaccard of the ones"),
    ];
    Ok(Step::new("Hamming distance")
        .text("The number of bits that differ. As sets of the places that hold a 1, codes also have a Jaccard similarity.")
        .block(Table::new(columns, rows)?))
}

fn sampled(places: &[u32], answers: &Answers) -> Result<Step, Error> {
    let rows = (1..).zip(places).zip(&answers.answers);
    let rows = rows.map(|((number, place), line): ((usize, _), _)| {
        let mut cells = vec![Cell::new(format!("h{number}")), Cell::new(place + 1)];
        cells.extend(line.iter().flatten().map(Cell::new));
        cells
    });
    let mut columns = vec![TableColumn::text("function"), TableColumn::number("bit")];
    columns.extend(answers.items.iter().map(TableColumn::number));
    Ok(Step::new("Functions: one bit each")
        .text(
            "A function looks at one bit of a code. Two codes agree on it if that bit is the same.",
        )
        .block(Table::new(columns, rows)?))
}
