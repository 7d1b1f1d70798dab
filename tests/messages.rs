//! Libraries never speak of the command line: a message states the problem, a `Remedy` names the setting, and the
//! command spells it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The string literals of a source file, each with its line. Comments are left out.
fn literals(source: &str) -> Vec<(usize, String)> {
    let bytes = source.as_bytes();
    let starts = |at: usize, what: &str| source[at..].starts_with(what);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        if starts(at, "//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if starts(at, "/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(hashes) = raw(bytes, at) {
            let open = at + hashes + 2;
            let close = format!("\"{}", "#".repeat(hashes));
            let length = source[open..].find(&close).unwrap_or(bytes.len() - open);
            found.push((open, source[open..open + length].to_owned()));
            at = open + length + close.len();
        } else if bytes[at] == b'"' {
            let open = at + 1;
            at = open;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            found.push((open, source[open..at.min(bytes.len())].to_owned()));
            at += 1;
        } else if bytes[at] == b'\'' {
            // A character, or a lifetime, which has no end.
            let escaped = starts(at + 1, "\\");
            let next = rest[1..].chars().next().map_or(0, char::len_utf8);
            at += match rest[1..].find('\'') {
                Some(end) if escaped => 1 + end.max(2) + 1,
                Some(end) if end == next => end + 2,
                _ => 1,
            };
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    let line = |at: usize| source[..at].matches('\n').count() + 1;
    let lined = found.into_iter().map(|(at, text)| (line(at), text));
    lined.collect()
}

/// The number of hashes of a raw string that starts here, if one does.
fn raw(bytes: &[u8], at: usize) -> Option<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_inner = at > 0 && is_word(bytes[at - 1]) && bytes[at - 1] != b'b';
    if bytes[at] != b'r' || is_inner {
        return None;
    }
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#');
    let hashes = hashes.count();
    (bytes.get(at + 1 + hashes) == Some(&b'"')).then_some(hashes)
}

/// Whether a text names a flag or a command. A variable of CSS is written `var(--ink)`.
fn names_the_command_line(text: &str) -> bool {
    let is_flag = |(at, _): (usize, &str)| {
        let before = &text[..at];
        let after = text[at + 2..].chars().next();
        after.is_some_and(|c| c.is_ascii_lowercase())
            && !before.ends_with("var(")
            && !before.ends_with('-')
    };
    let is_command = |(at, word): (usize, &str)| {
        let after = &text[at + word.len()..];
        after.starts_with(|c: char| c.is_ascii_lowercase())
    };
    text.match_indices("--").any(is_flag) || text.match_indices("`lookalike ").any(is_command)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_library_names_a_flag_or_a_command() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        let entry = entry.unwrap();
        let folder = entry.path().join("src");
        if entry.file_name() != "cli" && folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    assert!(files.len() > 100, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        for (line, text) in literals(&source) {
            if names_the_command_line(&text) {
                wrong.push(format!("{}:{line}: {text}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_check_finds_what_it_should() {
    let source = r##"
        /// Choose it with "--out".
        #[error("{path}: exists: choose another --out")]
        const A: &str = "a\" --b"; // "--c"
        fn f<'a>(quote: char) -> bool { quote == '"' || quote == '\'' || quote == '\\' }
        const B: &str = r#"say "--quiet""#;
        /* "--d" */ const C: &str = "make one with `lookalike index build`";
        const D: &str = ".a { fill: var(--ink); } a -- b, 1--2 ---x";
        const E: &str = "the command `lookalike`";
    "##;
    let wrong: Vec<(usize, String)> = literals(source)
        .into_iter()
        .filter(|(_, text)| names_the_command_line(text))
        .collect();
    let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4, 6, 7], "{wrong:?}");
    assert_eq!(literals(source).len(), 6);
}
