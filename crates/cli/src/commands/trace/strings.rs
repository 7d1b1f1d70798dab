//! Strings: the table of the edit distance, the edits, and the keys of a family.

use anyhow::bail;
use lookalike::plugin::Family;
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::strings::{
    Cgk, Deletions, Edit, EditTable, OrderMinhash, Partitions, Piece, Units, Variant, plugin,
};

use super::functions::{By, Functions, GRAM, REACH};
use super::input::Kind;
use super::keyed::{Apart, Keyed, of_band};
use super::lesson::Lesson;
use super::{counted, pairs};

/// The most letters of a string.
const LETTERS: usize = 24;
/// The most strings of a neighbourhood.
const REMAINING: usize = 60;

pub(super) fn lesson(strings: &[String], options: &Functions) -> anyhow::Result<Lesson> {
    for string in strings {
        let letters = string.chars().count();
        if letters > LETTERS {
            bail!("a string of {letters} letters is given, but a trace shows at most {LETTERS}");
        }
    }
    if strings.len() < 2 {
        bail!("one string is given, but an edit distance needs two: repeat --string");
    }
    let variant = options.variant.unwrap_or_default();
    let names: Vec<String> = (1..=strings.len()).map(|i| format!("S{i}")).collect();
    let mut steps = Steps::new().step(given(strings, &names)?);
    let mut tables = Vec::new();
    for [a, b] in pairs(strings.len()) {
        let table = EditTable::new(variant, &strings[a], &strings[b]);
        let name = format!("{} and {}", names[a], names[b]);
        steps = steps
            .step(costs(&table, variant, &name, [&strings[a], &strings[b]])?)
            .step(edits(&table, variant, &name, [&strings[a], &strings[b]])?);
        tables.push(table);
    }
    let reach = options.reach.unwrap_or(REACH);
    let by = options.by(Kind::Strings);
    let family = match by {
        By::Partitions => partitions(strings, names, variant, reach)?,
        By::Cgk => walks(strings, names, reach, options)?,
        By::OrderMinhash => grams(strings, names, options)?,
        _ => deletions(strings, names, reach)?,
    };
    let steps = family.steps.into_iter().fold(steps, Steps::step);
    // Pairs in the order of the tables.
    let distance = |a: usize, b: usize| tables[b * (b - 1) / 2 + a].distance() as f64;
    let apart = Apart {
        measure: "distance",
        distance: &distance,
        promise: None,
    };
    let steps = steps.step(family.keyed.candidates(family.candidates, &apart)?);
    let summary = format!(
        "{}, {}, {}",
        counted(strings.len(), "string"),
        kinds(variant),
        family.summary
    );
    Ok(Lesson::new("Edit distance, step by step", summary, steps))
}

/// What a family makes of strings.
struct Shown {
    /// From strings to keys.
    steps: Vec<Step>,
    keyed: Keyed,
    /// What is promised of candidates.
    candidates: String,
    /// The family and its parameters, in words.
    summary: String,
}

fn certain(reach: u32, what: &str) -> String {
    let edits = counted(reach as usize, "edit");
    format!(
        "Strings within {edits} share {what} for certain. Those farther apart may share one, and are compared."
    )
}

fn deletions(strings: &[String], items: Vec<String>, reach: u32) -> anyhow::Result<Shown> {
    let neighbourhoods = Deletions::new(Units::Characters, reach, LETTERS as u32)?;
    let quoted = |string: &String| {
        let remaining = neighbourhoods.remaining(string).into_iter();
        remaining.map(|it| format!("‘{it}’")).collect()
    };
    let stored: Vec<Vec<String>> = strings.iter().map(quoted).collect();
    if let Some(long) = stored.iter().find(|keys| keys.len() > REMAINING) {
        let (left, string) = (long.len(), &long[0]);
        bail!(
            "{reach} deletions leave {left} strings of {string}, but a trace shows at most {REMAINING}: give shorter \
             strings, or a smaller --reach"
        );
    }
    let letters = match reach {
        0 => "as they are".into(),
        1 => "without at most 1 letter".into(),
        n => format!("without at most {n} letters"),
    };
    let text = format!(
        "The family that finds similar strings: the keys of a string are what remains of it {letters}."
    );
    let keyed = Keyed {
        items,
        stored,
        asked: None,
    };
    Ok(Shown {
        steps: vec![keyed.keys("Deletion neighbourhoods", text, "what remains")?],
        keyed,
        candidates: certain(reach, "a key"),
        summary: format!("neighbourhoods of {}", counted(reach as usize, "deletion")),
    })
}

fn partitions(
    strings: &[String],
    items: Vec<String>,
    variant: Variant,
    reach: u32,
) -> anyhow::Result<Shown> {
    let partitions = Partitions::new(variant, Units::Characters, reach)?;
    let word = |piece: Piece| match piece.part {
        Some(part) => format!("{}/{}: ‘{}’", piece.length, part + 1, piece.text),
        None => format!("{}: too short", piece.length),
    };
    let words = |pieces: Vec<Piece>| pieces.into_iter().map(word).collect();
    let of = |pieces: &dyn Fn(&str) -> Vec<Piece>| {
        let all = strings.iter().map(|string| words(pieces(string)));
        all.collect::<Vec<Vec<String>>>()
    };
    let keyed = Keyed {
        items,
        stored: of(&|string| partitions.pieces(string)),
        asked: Some(of(&|string| partitions.asked_pieces(string))),
    };
    let parts = match variant {
        Variant::Osa => 2 * reach + 1,
        Variant::Indel | Variant::Levenshtein => reach + 1,
    };
    let text = format!(
        "Strings are cut into {}, of which {} cannot change all. 5/1 is part 1 of strings of 5 letters. A query asks for the \
         parts of strings of about its own length, where they may stand in it.",
        counted(parts as usize, "part"),
        counted(reach as usize, "edit")
    );
    Ok(Shown {
        steps: vec![keyed.keys("Partitions", text, "keys")?],
        keyed,
        candidates: certain(reach, "a part"),
        summary: counted(parts as usize, "part"),
    })
}

fn walks(
    strings: &[String],
    items: Vec<String>,
    reach: u32,
    options: &Functions,
) -> anyhow::Result<Shown> {
    let banding = options.banding(By::Cgk)?;
    let cgk = Cgk::new(Units::Characters, reach, banding, options.seed);
    let (mut rows, mut stored) = (Vec::new(), Vec::new());
    for (name, string) in items.iter().zip(strings) {
        let mut keys = Vec::new();
        for walk in cgk.walks(string) {
            let letter = |step: usize| walk.letters[step].map_or("·".into(), String::from);
            let seen: String = walk.looks.iter().map(|step| letter(*step)).collect();
            let [least, most] = [walk.lengths.start(), walk.lengths.end()];
            let lengths = format!("{least}–{most}");
            let steps = (0..walk.letters.len()).map(|step| match walk.looks.contains(&step) {
                true => Cell::new(format!("[{}]", letter(step))).emphasis(Emphasis::Strong),
                false => Cell::new(letter(step)),
            });
            rows.push(vec![
                Cell::new(walk.band + 1),
                Cell::new(name),
                Cell::new(&lengths),
                Cell::parts(steps),
            ]);
            keys.push(of_band(walk.band, &format!("‘{seen}’ {lengths}")));
        }
        stored.push(keys);
    }
    rows.sort_by_key(|row| row[0].pieces()[0].0.parse::<u32>().unwrap_or_default());
    let columns = ["band", "", "lengths", "walk"].map(TableColumn::text);
    let step = Step::new("Random walks")
        .text(
            "A walk starts at the first letter or at the last. At each step it notes the letter at which it stands, and a random \
             function of the step and the letter says whether it goes on or stays. Walks through two strings that came apart \
             at an edit come together again. A band looks at the steps in brackets; every third band looks at two walks, one \
             from each end, which are shown one after the other. · is the end of the string.",
        )
        .block(Table::new(columns, rows)?);
    let keyed = Keyed {
        items,
        stored,
        asked: None,
    };
    let text = "A key is the letters at which a band looks. Walks for longer strings have more steps, so that a string has a \
                key for each class of lengths near its own: ‘os’ 4–5 is one for strings of 4 to 5 letters.";
    Ok(Shown {
        steps: vec![step, keyed.keys("Keys", text.into(), "keys")?],
        keyed,
        candidates: plugin::Cgk::CAVEAT.into(),
        summary: format!("walks in {banding}"),
    })
}

fn grams(strings: &[String], items: Vec<String>, options: &Functions) -> anyhow::Result<Shown> {
    let banding = options.banding(By::OrderMinhash)?;
    let gram = options.gram.unwrap_or(GRAM);
    let family = OrderMinhash::new(Units::Characters, gram, banding, options.seed)?;
    let of_string = |string: &String| {
        let bands = (0..).zip(family.grams(string));
        let words = bands.map(|(band, grams)| of_band(band, &format!("‘{}’", grams.join("’ ‘"))));
        words.collect()
    };
    let keyed = Keyed {
        items,
        stored: strings.iter().map(of_string).collect(),
        asked: None,
    };
    let text = format!(
        "Each band puts all q-grams of {} into another random order. A key is the first {} of a string in that order, as \
         they follow each other in the string; one that comes again counts again.",
        counted(gram as usize, "letter"),
        counted(banding.rows() as usize, "q-gram")
    );
    Ok(Shown {
        steps: vec![keyed.keys("Order minhash", text, "keys")?],
        keyed,
        candidates: plugin::OrderMinhash::CAVEAT.into(),
        summary: format!(
            "q-grams of {} in {banding}",
            counted(gram as usize, "letter")
        ),
    })
}

/// The edits that count, in words.
fn kinds(variant: Variant) -> &'static str {
    match variant {
        Variant::Indel => "inserts and deletes",
        Variant::Levenshtein => "inserts, deletes and replacements",
        Variant::Osa => "inserts, deletes, replacements and swaps of neighbours",
    }
}

fn given(strings: &[String], names: &[String]) -> Result<Step, Error> {
    let rows = names.iter().zip(strings).map(|(name, string)| {
        vec![
            Cell::new(name),
            Cell::new(format!("‘{string}’")),
            Cell::new(string.chars().count()),
        ]
    });
    let columns = [
        TableColumn::text(""),
        TableColumn::text("string"),
        TableColumn::number("letters"),
    ];
    Ok(Step::new("Strings").block(Table::new(columns, rows)?))
}

/// The table, with the entries of one shortest way marked.
fn costs(table: &EditTable, variant: Variant, name: &str, both: [&str; 2]) -> Result<Step, Error> {
    let way: Vec<(usize, usize)> = table.edits().iter().map(|edit| edit.1).collect();
    let firsts = std::iter::once(String::new()).chain(both[0].chars().map(String::from));
    let rows = firsts
        .zip(table.costs())
        .enumerate()
        .map(|(i, (letter, line))| {
            let mut cells = vec![Cell::new(letter)];
            cells.extend(line.iter().enumerate().map(|(j, cost)| {
                let is_on_way = (i, j) == (0, 0) || way.contains(&(i, j));
                match is_on_way {
                    true => Cell::new(cost).emphasis(Emphasis::Strong),
                    false => Cell::new(cost),
                }
            }));
            cells
        });
    let mut columns = vec![TableColumn::text(""), TableColumn::number("")];
    let letters = both[1].chars().map(String::from);
    columns.extend(letters.map(TableColumn::number));
    let diagonal = match variant {
        Variant::Indel => "the entry diagonally above where the letters are equal",
        Variant::Levenshtein => {
            "the entry diagonally above where the letters are equal, and one more than it where they are not"
        }
        Variant::Osa => {
            "the entry diagonally above where the letters are equal, one more than it where they are not, and one more \
             than the entry two lines above and two columns to the left where two neighbours are swapped"
        }
    };
    Ok(Step::new(format!("The table of {name}"))
        .text(format!(
            "Each entry is the distance of two beginnings: the least of one more than the entry above (delete), one more \
             than the entry to the left (insert), and {diagonal}. The last entry is the distance, {}; a shortest way to it \
             is marked.",
            table.distance()
        ))
        .block(Table::new(columns, rows)?))
}

fn edits(table: &EditTable, variant: Variant, name: &str, both: [&str; 2]) -> Result<Step, Error> {
    let mut number = 0;
    let rows = table.edits().into_iter().filter_map(|(edit, _)| {
        let words = match edit {
            Edit::Keep(_) => return None,
            Edit::Delete(letter) => format!("delete ‘{letter}’"),
            Edit::Insert(letter) => format!("insert ‘{letter}’"),
            Edit::Replace(old, new) => format!("replace ‘{old}’ by ‘{new}’"),
            Edit::Swap(first, second) => format!("swap ‘{first}’ and ‘{second}’"),
        };
        number += 1;
        Some(vec![Cell::new(number), Cell::new(words)])
    });
    let columns = [TableColumn::number(""), TableColumn::text("edit")];
    let kept = table.kept();
    let [m, n] = both.map(|string| string.chars().count());
    let long = kept.chars().count();
    let text = match variant {
        Variant::Indel => format!(
            "The letters that stay, ‘{kept}’, are a longest common subsequence (LCS): {m} + {n} − 2·{long} = {}.",
            table.distance()
        ),
        _ => format!("The letters that stay are ‘{kept}’."),
    };
    Ok(
        Step::new(format!("The edits from {}", name.replace(" and ", " to ")))
            .text(text)
            .block(Table::new(columns, rows)?),
    )
}
