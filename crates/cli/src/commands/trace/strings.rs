//! Strings: the table of the edit distance, the edits, and deletion neighbourhoods.

use anyhow::bail;
use lookalike::report::{Cell, Emphasis, Error, Step, Steps, Table, TableColumn};
use lookalike::strings::{Deletions, Edit, EditTable, Units, Variant};

use super::functions::{DELETIONS, Functions};
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
    let reach = options.deletions.unwrap_or(DELETIONS);
    let neighbourhoods = Deletions::new(Units::Characters, reach, LETTERS as u32)?;
    let names: Vec<String> = (1..=strings.len()).map(|i| format!("S{i}")).collect();
    let mut steps = Steps::new().step(given(strings, &names)?);
    let mut tables = Vec::new();
    for [a, b] in pairs(strings.len()) {
        let table = EditTable::new(variant, &strings[a], &strings[b]);
        let name = format!("{} and {}", names[a], names[b]);
        steps = steps
            .step(costs(&table, variant, &name, [&strings[a], &strings[b]])?)
            .step(edits(&table, variant, &name, [&strings[a], &strings[b]])?);
        tables.push(([a, b], table));
    }
    let remaining: Vec<Vec<String>> = strings
        .iter()
        .map(|string| neighbourhoods.remaining(string))
        .collect();
    if let Some(long) = remaining.iter().find(|strings| strings.len() > REMAINING) {
        let (left, string) = (long.len(), &long[0]);
        bail!(
            "{reach} deletions leave {left} strings of ‘{string}’, but a trace shows at most {REMAINING}: give shorter \
             strings, or fewer --deletions"
        );
    }
    let steps = steps
        .step(neighbours(&remaining, &names, reach)?)
        .step(candidates(&tables, &remaining, &names, reach)?);
    let summary = format!(
        "{}, {}, neighbourhoods of {}",
        counted(strings.len(), "string"),
        kinds(variant),
        counted(reach as usize, "deletion")
    );
    Ok(Lesson::new("Edit distance, step by step", summary, steps))
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

fn neighbours(remaining: &[Vec<String>], names: &[String], reach: u32) -> Result<Step, Error> {
    let rows = names.iter().zip(remaining).map(|(name, strings)| {
        let strings = strings
            .iter()
            .map(|string| Cell::new(format!("‘{string}’")));
        vec![Cell::new(name), Cell::parts(strings)]
    });
    let columns = ["", "what remains"].map(TableColumn::text);
    let letters = match reach {
        0 => "as they are".into(),
        1 => "without at most 1 letter".into(),
        n => format!("without at most {n} letters"),
    };
    Ok(Step::new("Deletion neighbourhoods")
        .text(format!(
            "The family that finds similar strings: the keys of a string are what remains of it {letters}."
        ))
        .block(Table::new(columns, rows)?))
}

fn candidates(
    tables: &[([usize; 2], EditTable)],
    remaining: &[Vec<String>],
    names: &[String],
    reach: u32,
) -> Result<Step, Error> {
    let rows = tables.iter().map(|([a, b], table)| {
        let shared: Vec<String> = remaining[*a]
            .iter()
            .filter(|string| remaining[*b].contains(string))
            .map(|string| format!("‘{string}’"))
            .collect();
        let (candidate, shared) = match shared.is_empty() {
            true => (Cell::new("no").emphasis(Emphasis::Quiet), Cell::new("–")),
            false => (
                Cell::new("yes").emphasis(Emphasis::Good),
                Cell::parts(shared.into_iter().map(Cell::new)),
            ),
        };
        vec![
            Cell::new(format!("{} {}", names[*a], names[*b])),
            Cell::new(table.distance()),
            candidate,
            shared,
        ]
    });
    let columns = [
        TableColumn::text("pair"),
        TableColumn::number("distance"),
        TableColumn::text("candidate"),
        TableColumn::text("shared keys"),
    ];
    let text = format!(
        "Strings within {} share a key for certain.",
        counted(reach as usize, "edit")
    );
    Ok(Step::new("Candidates")
        .text(text + " Those farther apart may share one, and are compared.")
        .block(Table::new(columns, rows)?))
}
