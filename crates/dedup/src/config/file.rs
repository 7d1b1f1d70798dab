//! One schema for `dedup` and for experiments: a file for either is understood by the other.

use lookalike_output::{TomlProblem, place};
use serde::Deserialize;
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

use super::Config;
use crate::Error;

/// What says how a run is measured, and nothing of what it finds.
const PASSED_OVER: [&str; 3] = ["seeds", "truth", "small"];

/// What makes something else of a run, and what to do about it.
const REFUSED: [(&str, &str); 5] = [
    (
        "sweep",
        "makes several runs, which is for experiments: leave it out",
    ),
    (
        "queries",
        "is for experiments: an older corpus stands under data.against",
    ),
    (
        "radius",
        "is a distance, and documents are alike by their similarity: say threshold = 0.8",
    ),
    (
        "data.items",
        "is for experiments: documents are read from data.inputs",
    ),
    (
        "data.generate",
        "is for experiments: documents are read from data.inputs",
    ),
];

/// Reads what a TOML file says; `name` is for messages.
pub(super) fn read(text: &str, name: &str) -> Result<Config, Error> {
    let wrong = |error| Error::from(TomlProblem::new(name, text, &error));
    let mut file = DeTable::parse(text).map_err(wrong)?;
    let table = file.get_mut();
    for key in PASSED_OVER {
        table.remove(key);
    }
    for (path, why) in REFUSED {
        if let Some(value) = found(table, path) {
            return Err(Error::Config {
                place: place(name, text, value.span().start),
                message: format!("{path} {why}"),
            });
        }
    }
    if let Some(kind) = found(table, "data.kind").cloned() {
        if kind.get_ref().as_str() != Some("text") {
            return Err(Error::Config {
                place: place(name, text, kind.span().start),
                message: "documents are of the kind \"text\"; others are for experiments".into(),
            });
        }
        let data = table.get_mut("data").map(Spanned::get_mut);
        if let Some(DeValue::Table(data)) = data {
            data.remove("kind");
        }
    }
    let span = file.span();
    let file = Spanned::new(span, DeValue::Table(file.into_inner()));
    Config::deserialize(ValueDeserializer::from(file)).map_err(wrong)
}

/// What a path leads to, through one table at most.
fn found<'a, 'b>(table: &'b DeTable<'a>, path: &str) -> Option<&'b Spanned<DeValue<'a>>> {
    match path.split_once('.') {
        None => table.get(path),
        Some((above, key)) => table.get(above)?.get_ref().as_table()?.get(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_an_experiment_is_understood() {
        let text = "seeds = 20\nthreshold = 0.7\ntruth.comparisons = 9\n[small]\nx = 1\n[data]\nkind = \"text\"\ninputs = [\"a\"]";
        let config = read(text, "x.toml").unwrap();
        assert_eq!(
            (config.threshold, config.data.inputs),
            (0.7, vec!["a".to_owned()])
        );
    }

    #[test]
    fn what_is_only_for_experiments_is_refused() {
        let refused = |text| read(text, "x.toml").unwrap_err().to_string();
        let wrong = refused("bands = 2\n[sweep]\nrows = [1, 2]");
        assert!(
            wrong.starts_with("x.toml:2:1: sweep makes several runs"),
            "{wrong}"
        );
        let wrong = refused("[data]\ngenerate.news = { articles = 3 }");
        assert!(
            wrong.contains(":2:") && wrong.contains("data.generate is for"),
            "{wrong}"
        );
        let wrong = refused("[data]\nkind = \"sets\"");
        assert!(
            wrong.starts_with("x.toml:2:8: documents are of the kind"),
            "{wrong}"
        );
        let wrong = refused("[data]\nkinds = \"text\"");
        assert!(wrong.contains("unknown field `kinds`"), "{wrong}");
    }
}
