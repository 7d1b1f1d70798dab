use crate::did_you_mean;

/// What is wrong with a TOML file, and where.
///
/// ```
/// use lookalike_output::TomlProblem;
///
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Settings { threshold: f64 }
///
/// let text = "\ntreshold = 0.8";
/// let error = toml::from_str::<Settings>(text).unwrap_err();
/// let problem = TomlProblem::new("mine.toml", text, &error);
/// assert_eq!(problem.place, "mine.toml:2:1");
/// assert!(problem.message.ends_with("; did you mean `threshold`?"), "{}", problem.message);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlProblem {
    /// The file, line and column.
    pub place: String,
    /// What is wrong, and what may have been meant.
    pub message: String,
}

impl TomlProblem {
    /// What a parser says about the text of the file `name`.
    #[must_use]
    pub fn new(name: &str, text: &str, error: &toml::de::Error) -> Self {
        let place = match error.span() {
            None => name.to_owned(),
            Some(span) => place(name, text, span.start),
        };
        let message = error.message();
        Self {
            place,
            message: format!("{message}{}", suggestion(message)),
        }
    }
}

/// File, line and column of a byte of a text.
///
/// ```
/// assert_eq!(lookalike_output::place("mine.toml", "a = 1\nb = 2", 10), "mine.toml:2:5");
/// ```
#[must_use]
pub fn place(name: &str, text: &str, byte: usize) -> String {
    let before = &text[..byte.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("{name}:{line}:{column}")
}

/// A suggestion for messages of serde such as "unknown field `x`, expected one of `a`, `b`": "; did you mean `a`?", or
/// nothing.
#[must_use]
pub fn suggestion(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((unknown, known)) if message.starts_with("unknown ") => did_you_mean(unknown, known),
        _ => String::new(),
    }
}
