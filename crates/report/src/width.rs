//! How wide a text will be, roughly: no font is at hand where a chart is made.

/// The width of a text in units of its font size, for a common sans-serif face; rather too much than too little.
pub(crate) fn ems(text: &str) -> f64 {
    text.chars().map(em).sum()
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | '\u{202f}' => 0.3,
        'f' | 't' | 'r' | 'I' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 0.92,
        '<' | '>' | '=' | '+' | '~' | '&' | '×' | '±' | '−' | '≈' => 0.84,
        'A'..='Z' => 0.7,
        c if (c as u32) < 0x2e80 => 0.58,
        // Ideographs and everything beyond.
        _ => 1.0,
    }
}

/// The words of a text in lines of at most so many ems; a word that is wider is cut.
pub(crate) fn wrap(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if ems(line) + em(' ') + ems(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(String::new()),
        }
        let line = lines.last_mut().expect("there is one now");
        if !line.is_empty() {
            continue;
        }
        for c in word.chars() {
            let line = lines.last_mut().expect("there is one now");
            if line.is_empty() || ems(line) + em(c) <= most {
                line.push(c);
            } else {
                lines.push(c.into());
            }
        }
    }
    lines
}

/// As much of a text as has room in a number of ems, with dots where it was cut.
pub(crate) fn fitted(words: &str, room: f64) -> String {
    if ems(words) <= room {
        return words.into();
    }
    let mut kept = String::from(words);
    while ems(&kept) + ems("…") > room && kept.pop().is_some() {}
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_what_fits() {
        assert_eq!(wrap("a bb ccc", 2.2), ["a bb", "ccc"]);
        assert_eq!(wrap("anon x", 1.3), ["an", "on", "x"]);
        assert_eq!(wrap("anon", 0.1), ["a", "n", "o", "n"]);
        assert!(wrap(" \n", 1.0).is_empty());
    }

    #[test]
    fn what_does_not_fit_ends_in_dots() {
        assert_eq!(fitted("anon", 2.4), "anon");
        assert_eq!(fitted("anonanon", 3.0), "ano…");
    }
}
