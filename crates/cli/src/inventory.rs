//! What the inputs of a run were, in a line for people.

use std::io::{self, Write};

use lookalike::corpus::Format;
use lookalike::output::{FormatFiles, Inventory, LeftOut};

/// Ignored files that are named.
const NAMED: usize = 5;

/// Says on stderr what an item is and which files were ignored. What goes to a closed stderr is lost, and results are not.
pub(crate) fn write(inventory: &Inventory, items: &str) {
    let _ = writeln!(io::stderr(), "{}", line(inventory, items));
    write_ignored(inventory);
}

/// The same, if the items are texts and some files do not make clear what a text is: plain ones.
pub(crate) fn write_if_unclear(inventory: &Inventory, items: &str, is_text: bool) {
    let is_plain = |of: &FormatFiles| matches!(of.format, "lines" | "files");
    if is_text && inventory.formats.iter().any(is_plain) {
        let _ = writeln!(io::stderr(), "{}", line(inventory, items));
    }
    write_ignored(inventory);
}

fn write_ignored(inventory: &Inventory) {
    for line in ignored(inventory)
        .into_iter()
        .chain(left_out(&inventory.left_out))
    {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// "2 left out, too short for a digest: a.txt, b.txt".
fn left_out(left_out: &LeftOut) -> Option<String> {
    let LeftOut {
        count,
        first,
        reason,
    } = left_out;
    let more = match count - first.len() as u64 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (*count > 0).then(|| format!("{count} left out, {reason}: {}{more}", first.join(", ")))
}

/// "319 documents: one per line of 3 files", and how to change it.
fn line(inventory: &Inventory, items: &str) -> String {
    let count = inventory.items;
    let items = match count {
        1 => items.trim_end_matches('s'),
        _ => items,
    };
    format!("{count} {items}: {}", units(inventory))
}

/// "one per line of 3 files", and how to change it.
pub(crate) fn units(inventory: &Inventory) -> String {
    let formats = &inventory.formats;
    let parts: Vec<String> = formats.iter().map(part).collect();
    let change = match formats[..] {
        [
            FormatFiles {
                format: "lines", ..
            },
        ] => " (--format files: one per file)",
        [
            FormatFiles {
                format: "files", ..
            },
        ] => " (--format lines: one per line)",
        _ => "",
    };
    format!("{}{change}", parts.join(", "))
}

/// "one per line of 3 files".
fn part(of: &FormatFiles) -> String {
    let &FormatFiles { format, files } = of;
    let format: Option<Format> = format.parse().ok();
    let unit = match format {
        Some(Format::Lines | Format::Jsonl) => "line",
        Some(Format::Json) => "element",
        Some(Format::Packed) => "record",
        Some(Format::Files | Format::Bytes) => return "one per file".into(),
        _ => "row",
    };
    let name = match format {
        Some(Format::Lines) | None => String::new(),
        Some(format) => format!("{format} "),
    };
    let s = if files == 1 { "" } else { "s" };
    format!("one per {unit} of {files} {name}file{s}")
}

/// "ignored README.md and 3 more files", and how to read them.
pub(crate) fn ignored(inventory: &Inventory) -> Option<String> {
    let names = &inventory.ignored;
    let (named, more) = names.split_at(names.len().min(NAMED));
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let line = || {
        let s = if names.len() == 1 { "" } else { "s" };
        let count = names.len();
        let named = named.join(", ");
        format!("{count} file{s} ignored: {named}{more} (--include GLOB: read others)")
    };
    (!names.is_empty()).then(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_an_item_is_and_how_to_change_it() {
        let line = |items, formats: &[&'static str]| {
            let inventory = Inventory::new(items, formats.iter().copied(), &[]);
            super::line(&inventory, "documents")
        };
        assert_eq!(
            line(319, &["lines", "lines", "lines"]),
            "319 documents: one per line of 3 files (--format files: one per file)"
        );
        assert_eq!(
            line(1, &["files"]),
            "1 document: one per file (--format lines: one per line)"
        );
        assert_eq!(
            line(7, &["jsonl", "csv", "csv"]),
            "7 documents: one per line of 1 jsonl file, one per row of 2 csv files"
        );
    }

    #[test]
    fn what_is_left_out_is_named_up_to_a_limit() {
        let mut short = LeftOut {
            reason: "too short",
            ..LeftOut::default()
        };
        assert_eq!(left_out(&short), None);
        short.extend(vec!["a".into(), "b".into()]);
        assert_eq!(left_out(&short).unwrap(), "2 left out, too short: a, b");
        short.extend((0..5).map(|n| n.to_string()).collect());
        let line = "7 left out, too short: a, b, 0, 1, 2 and 2 more";
        assert_eq!(left_out(&short).unwrap(), line);
    }

    #[test]
    fn ignored_files_are_named_up_to_a_limit() {
        let names: Vec<_> = (0..7).map(|n| format!("{n}.md").into()).collect();
        let of = |names| ignored(&Inventory::new(0, [], names));
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&names[..1]).unwrap(),
            "1 file ignored: 0.md (--include GLOB: read others)"
        );
        assert_eq!(
            of(&names).unwrap(),
            "7 files ignored: 0.md, 1.md, 2.md, 3.md, 4.md and 2 more (--include GLOB: read others)"
        );
    }
}
