//! Codes: the bits that differ, and functions that look at one bit each.

use anyhow::bail;
use lookalike::hamming::{self, BitSampling, Blocks, Codes, Gather, Probed, Probing};
use lookalike::minhash::trace::FUNCTIONS;
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::{Bounds, KeySource, LshFamily, LshFunctions};

use super::amplified::{Answers, Nearness, combined};
use super::functions::{BLOCKS, By, FLIPS, Functions};
use super::input::Kind;
use super::keyed::{Apart, Keyed, of_band};
use super::lesson::Lesson;
use super::{counted, pairs};
use crate::usage::Usage;

/// The longest codes.
const BITS: usize = 64;

pub(super) fn lesson(given: &[String], options: &Functions) -> anyhow::Result<Lesson> {
    let codes = codes(given)?;
    match options.by(Kind::Codes) {
        By::Blocks => blocks(given, &codes, options),
        By::MultiProbe => multi_probe(given, &codes, options),
        _ => bit_sampling(given, &codes, options),
    }
}

/// Names, bits and distances of the codes.
fn start(given: &[String]) -> Result<(Vec<String>, Steps), Error> {
    let names: Vec<String> = (1..=given.len()).map(|i| format!("C{i}")).collect();
    let steps = Steps::new().step(bits_of(given, &names)?);
    let steps = match names.len() > 1 {
        true => steps.step(distances(given, &names)?),
        false => steps,
    };
    Ok((names, steps))
}

/// All bits in blocks.
fn blocks(given: &[String], codes: &Codes, options: &Functions) -> anyhow::Result<Lesson> {
    let (count, flips) = (
        options.blocks.unwrap_or(BLOCKS),
        options.flips.unwrap_or_default(),
    );
    let family = Blocks::new(codes.bit_length(), count);
    let family = family.map_err(|error| Usage(format!("--{error}")))?;
    let certain = counted(((flips + 1) * count) as usize - 1, "bit");
    let of_query = match flips {
        0 => String::new(),
        n => format!(
            " A query also asks for the keys with at most {} flipped.",
            counted(n as usize, "bit")
        ),
    };
    let tables = Tables {
        title: "Blocks, step by step",
        looks: "block",
        text: format!(
            "All bits, in random order, are cut into {}. What a code has in a block is its key there.{of_query}",
            counted(count as usize, "block")
        ),
        candidates: format!(
            "Codes that differ in at most {certain} meet for certain, because some block has {}. The probability is that \
             codes at the distance meet.",
            match flips {
                0 => "none of them".into(),
                n => format!("at most {n} of them"),
            }
        ),
        functions: counted(count as usize, "block"),
        places: family.places(count as usize, options.seed),
        flips,
    };
    tables.lesson(&family, given, codes, options.seed)
}

/// Sampled bits, with queries that flip some.
fn multi_probe(given: &[String], codes: &Codes, options: &Functions) -> anyhow::Result<Lesson> {
    let banding = options.banding(By::MultiProbe)?;
    let flips = options.flips.unwrap_or(FLIPS);
    let family = BitSampling::new(codes.bit_length())?.rows(banding.rows());
    let family = family.map_err(|error| Usage(format!("--{error}")))?;
    let rows = counted(banding.rows() as usize, "bit");
    let flipped = counted(flips as usize, "bit");
    let tables = Tables {
        title: "Multi-probe, step by step",
        looks: "table",
        text: format!(
            "Each table looks at {rows}, drawn at random: they are the key of a code there. A query asks for its own key \
             and for those with at most {flipped} flipped, so that fewer tables are enough."
        ),
        candidates: format!(
            "Codes meet in a table if they differ in at most {flipped} there. The probability is that codes at the distance \
             meet in one of them."
        ),
        functions: format!("{banding}, {}", counted(flips as usize, "flip")),
        places: family.places(banding.bands() as usize, options.seed),
        flips,
    };
    tables.lesson(&family, given, codes, options.seed)
}

/// Tables whose keys are bits of the codes.
struct Tables {
    title: &'static str,
    /// What a table is called.
    looks: &'static str,
    text: String,
    candidates: String,
    /// What there is of them, in words.
    functions: String,
    places: Vec<Vec<u32>>,
    flips: u32,
}

impl Tables {
    fn lesson<F: Probed + Clone + Sync>(
        &self,
        family: &F,
        given: &[String],
        codes: &Codes,
        seed: u64,
    ) -> anyhow::Result<Lesson> {
        let source = Probing::new(family, self.places.len() as u32, self.flips, seed)?;
        let (items, steps) = start(given)?;
        let keyed = self.keyed(&source, items, codes)?;
        let distance =
            |a: usize, b: usize| f64::from(hamming::distance(codes.get(a), codes.get(b)));
        let promise = |distance: f64| -> Bounds { source.promise(distance) };
        let apart = Apart {
            measure: "Hamming distance",
            distance: &distance,
            promise: Some(&promise),
        };
        let rows = (1..).zip(&self.places).map(|(number, places): (usize, _)| {
            let mut places: Vec<u32> = places.iter().map(|place| place + 1).collect();
            places.sort_unstable();
            vec![Cell::new(number), Cell::parts(places.iter().map(Cell::new))]
        });
        let columns = [TableColumn::number(self.looks), TableColumn::text("bits")];
        let looks = Step::new("What is looked at").text(&self.text);
        let steps = steps
            .step(looks.block(Table::new(columns, rows)?))
            .step(keyed.keys(
                "Keys",
                format!("In each {}, the bits in their order.", self.looks),
                "keys",
            )?)
            .step(keyed.candidates(self.candidates.clone(), &apart)?);
        let summary = format!(
            "{} of {}, {}",
            counted(codes.len(), "code"),
            counted(codes.bit_length(), "bit"),
            self.functions
        );
        Ok(Lesson::new(self.title, summary, steps))
    }

    fn keyed<F: Probed + Sync>(
        &self,
        source: &Probing<F>,
        items: Vec<String>,
        codes: &Codes,
    ) -> anyhow::Result<Keyed> {
        let word = |band: u32, key: u64| {
            let width = self.places[band as usize].len();
            let bit = |place| char::from(b'0' + (key >> place & 1) as u8);
            of_band(band, &(0..width).map(bit).collect::<String>())
        };
        let mut keyed = Keyed {
            items,
            stored: Vec::new(),
            asked: (self.flips > 0).then(Vec::new),
        };
        let mut scratch = Vec::new();
        for code in codes.iter() {
            let mut keys = Vec::new();
            source.keys(code, &mut scratch, |band, key, ()| {
                keys.push(word(band, key));
            })?;
            keyed.stored.push(keys);
            if let Some(asked) = &mut keyed.asked {
                let mut keys = Vec::new();
                source.probes(code, &mut scratch, |band, key, ()| {
                    keys.push(word(band, key));
                })?;
                asked.push(keys);
            }
        }
        Ok(keyed)
    }
}

fn bit_sampling(given: &[String], codes: &Codes, options: &Functions) -> anyhow::Result<Lesson> {
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
    let (names, steps) = start(given)?;
    let answers = answers(codes, &functions, &names);
    let distance = |a: usize, b: usize| f64::from(hamming::distance(codes.get(a), codes.get(b)));
    let steps = steps.step(sampled(&places, &answers)?);
    let near = Nearness {
        measure: "Hamming distance",
        distance: &distance,
        promise: &|scheme, distance| scheme.bounds(family.collision(distance)),
        is_independent: true,
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
    let places = places.iter().map(|place| Cell::new(place + 1)).collect();
    let looks = (TableColumn::number("bit"), places);
    Ok(Step::new("Functions: one bit each")
        .text(
            "A function looks at one bit of a code. Two codes agree on it if that bit is the same.",
        )
        .block(answers.table(Some(looks))?))
}
