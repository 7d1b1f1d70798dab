//! Did you mean …?

/// Similarity above which a known word may have been meant.
const WORD: f64 = 0.8;
/// Similarity above which one of many names may have been meant: of many, some are similar by chance.
const NAME: f64 = 0.85;
/// Names that are suggested.
const SUGGESTED: usize = 3;

/// The known word most similar to an unknown one, if it is similar enough to have been meant.
///
/// ```
/// use lookalike_output::nearest;
///
/// assert_eq!(nearest("treshold", &["recall", "threshold"]), Some("threshold"));
/// assert_eq!(nearest("rows", &["recall", "threshold"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(unknown: &str, known: &[&'a str]) -> Option<&'a str> {
    let similarity = |word: &&&str| strsim::jaro_winkler(unknown, word);
    let best = known
        .iter()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(&best) > WORD).then_some(*best)
}

/// The end of a message about an unknown word: a question, or nothing.
///
/// ```
/// use lookalike_output::did_you_mean;
///
/// assert_eq!(did_you_mean("kep", &["keep", "drop"]), "; did you mean `keep`?");
/// assert_eq!(did_you_mean("x", &["keep", "drop"]), "");
/// ```
#[must_use]
pub fn did_you_mean(unknown: &str, known: &[&str]) -> String {
    let meant = nearest(unknown, known).filter(|word| *word != unknown);
    meant.map_or(String::new(), |word| format!("; did you mean `{word}`?"))
}

/// The most similar of many names that are looked at one after the other.
///
/// ```
/// use lookalike_output::Suggestions;
///
/// let mut near = Suggestions::default();
/// for name in ["page-17", "page-71", "index"] {
///     near.add("page-7", name, || name.to_owned());
/// }
/// assert_eq!(near.into_values(), ["page-17", "page-71"]);
/// ```
#[derive(Clone, Debug)]
pub struct Suggestions<T> {
    best: Vec<(f64, T)>,
}

impl<T> Default for Suggestions<T> {
    fn default() -> Self {
        Self { best: Vec::new() }
    }
}

impl<T: Ord> Suggestions<T> {
    /// Looks at one name; `value` makes what is suggested, if it is similar enough. Of equals the smaller comes first.
    pub fn add(&mut self, given: &str, name: &str, value: impl FnOnce() -> T) {
        let similarity = strsim::jaro_winkler(given, name);
        if similarity > NAME {
            self.best.push((similarity, value()));
            self.shorten();
        }
    }

    /// Takes over what another list has.
    pub fn append(&mut self, other: Self) {
        self.best.extend(other.best);
        self.shorten();
    }

    /// The suggestions, the most similar first.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        self.best.into_iter().map(|(_, value)| value).collect()
    }

    fn shorten(&mut self) {
        (self.best).sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self.best.truncate(SUGGESTED);
    }
}
