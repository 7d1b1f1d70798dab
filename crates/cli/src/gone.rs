//! Commands that are gone, and what took their place.

/// The error for a command line that starts with a command that is gone.
pub(crate) fn successor(words: &[String]) -> Option<String> {
    let (command, words) = words.split_first()?;
    if command != "hamming" {
        return None;
    }
    let meant = match words.split_first() {
        Some((verb, words)) if verb == "pairs" || verb == "query" => {
            format!("`{}`", hamming(verb, words))
        }
        _ => "`lookalike pairs INPUT --hamming N` and `lookalike query ITEMS QUERIES --hamming N`"
            .into(),
    };
    Some(format!("`lookalike hamming` is gone: use {meant}"))
}

/// The command that does what `lookalike hamming VERB WORDS` did.
fn hamming(verb: &str, words: &[String]) -> String {
    let mut line = vec!["lookalike".to_owned(), verb.to_owned()];
    let mut has_radius = false;
    let mut files: Vec<&str> = Vec::new();
    let mut is_value = false;
    for (place, word) in words.iter().enumerate() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
            _ => (word.as_str(), None),
        };
        let is_format = place > 0 && words[place - 1] == "--format";
        let new = match (flag, value) {
            ("--radius", _) => {
                has_radius = true;
                word.replacen("--radius", "--hamming", 1)
            }
            ("--format", Some("bin")) => "--format=packed".into(),
            ("bin", None) if is_format => "packed".into(),
            _ => word.clone(),
        };
        if !is_value && (word == "-" || !word.starts_with('-')) {
            files.push(word);
        }
        is_value = value.is_none() && takes_value(flag);
        line.push(quoted(&new));
    }
    if verb == "query" && !has_radius {
        line.push("--measure hamming".into());
    }
    if let (true, [items, queries]) = (verb == "query", &files[..])
        && items == queries
    {
        line.push("--self".into());
    }
    line.join(" ")
}

/// Whether the next word belongs to a flag.
fn takes_value(flag: &str) -> bool {
    let alone = ["--exact", "--ignore-ids", "--json", "--quiet", "-q", "-"];
    flag.starts_with('-') && !alone.contains(&flag)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        successor(&words).unwrap_or_default()
    }

    #[test]
    fn the_new_command_is_spelled_out() {
        for (old, new) in [
            (
                "hamming pairs hashes.txt --radius 6",
                "`lookalike pairs hashes.txt --hamming 6`",
            ),
            (
                "hamming pairs a.dat --format bin --bits 64 --radius=6 --exact",
                "`lookalike pairs a.dat --format packed --bits 64 --hamming=6 --exact`",
            ),
            (
                "hamming query a.txt new.txt -k 3",
                "`lookalike query a.txt new.txt -k 3 --measure hamming`",
            ),
            (
                "hamming query a.txt --exact a.txt --radius 2",
                "`lookalike query a.txt --exact a.txt --hamming 2 --self`",
            ),
            ("hamming pairs a;b", "`lookalike pairs 'a;b'`"),
            ("hamming", "`lookalike pairs INPUT --hamming N` and"),
            ("hamming --help", "`lookalike pairs INPUT --hamming N` and"),
        ] {
            let said = said(old);
            assert!(said.contains(new), "{old}: {said}");
        }
        assert_eq!(said("pairs hamming"), "");
        assert_eq!(successor(&[]), None);
    }
}
