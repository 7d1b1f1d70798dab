//! What an input turns out to be: a stream, a table without a name, an index, records with another field.

use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

use lookalike::corpus;
use lookalike::engine::{self, Saved};
use lookalike::search::{Error, FIELD, is_store};

/// The fields of the record that lacks the one that holds the item.
pub(crate) fn present(error: &anyhow::Error) -> Option<&[String]> {
    match error.downcast_ref()? {
        Error::Corpus(corpus::Error::NoField {
            present, option, ..
        }) if *option == FIELD => Some(present),
        Error::Corpus(corpus::Error::NoColumn {
            present,
            option: Some(option),
            ..
        }) if *option == FIELD => Some(present),
        _ => None,
    }
}

/// Whether an input can be read only once: stdin or a pipe.
pub(crate) fn is_stream(input: &String) -> bool {
    let is_pipe = |kind: fs::Metadata| !kind.is_file() && !kind.is_dir();
    input == "-" || fs::metadata(input).is_ok_and(is_pipe)
}

/// Whether stdin starts like a table, with a line of columns. It is looked at, and not taken.
pub(crate) fn stdin_has_columns() -> bool {
    let mut stdin = io::stdin().lock();
    let start = stdin.fill_buf().unwrap_or_default();
    let line = start.split(|byte| *byte == b'\n').next();
    line.is_some_and(|line| std::str::from_utf8(line).is_ok_and(are_columns))
}

/// Whether a line is names with a comma or a tab between them. Prose has a blank after a comma, a set has numbers.
fn are_columns(line: &str) -> bool {
    let is_name = |cell: &str| {
        let name = cell.trim_matches('"');
        name.starts_with(char::is_alphabetic) && !name.ends_with(' ')
    };
    let mut cells = line.trim_end().split([',', '\t']);
    cells.clone().count() > 1 && cells.all(is_name)
}

/// Refuses an index where items are expected.
pub(crate) fn refuse_index(input: &str) -> anyhow::Result<()> {
    let path = Path::new(input);
    if is_store(path) {
        anyhow::bail!(
            "{input}: an index, not a file of items: ask it with `lookalike query {input} FILE`, or name the files that it was built from"
        );
    }
    // A pipe would lose what is read here.
    let is_gallery = || match Saved::open(path) {
        Ok(_) | Err(engine::Error::Version { .. } | engine::Error::Damaged { .. }) => true,
        Err(_) => false,
    };
    if path.is_file() && is_gallery() {
        anyhow::bail!(
            "{input}: an index of fingerprints, not a file of items: search it with `lookalike fingerprint search {input} FILE`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::are_columns;

    #[test]
    fn a_line_of_columns_is_told_from_items() {
        for line in ["id,hash\r", "id\ttext", "\"id\",\"the text\""] {
            assert!(are_columns(line), "{line}");
        }
        for line in [
            "one, two",
            "1,2,3",
            "00ff",
            "",
            "{\"id\",\"a\"}",
            "a,",
            "3:0.5\t7:2",
        ] {
            assert!(!are_columns(line), "{line}");
        }
    }
}
