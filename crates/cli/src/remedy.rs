//! What would fix an error, in the spelling of the command.
//!
//! Libraries name settings; a flag has the same name in kebab case. A run from a TOML file names the key of the file,
//! where there is one.

use std::error::Error;

use lookalike::experiment::toml_key;
use lookalike::plugin::{Remedied, Remedy, Setting};
use lookalike::search::StoreError;
use lookalike::{corpus, dedup, experiment, output, plugin, prints, search};

/// Where the settings of a command are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// On the command line: `--id-field`.
    Flags,
    /// In the file of an experiment: `data.id`.
    File,
}

impl Spelling {
    fn spell(self, setting: Setting, value: Option<&str>) -> String {
        match toml_key(setting).filter(|_| self == Self::File) {
            Some(key) => match value {
                Some(value) => format!("{key} = \"{value}\""),
                None => key.to_owned(),
            },
            None => {
                let flag = format!("--{}", setting.0.replace('_', "-"));
                value.map_or(flag.clone(), |value| format!("{flag} {value}"))
            }
        }
    }
}

/// An error with its causes, as far as they say something new, and with what would fix it.
pub(crate) fn explained(error: &anyhow::Error, spelling: Spelling) -> String {
    let mut said = String::new();
    let mut add = |part: &str| {
        if !said.contains(part) {
            let gap = if said.is_empty() { "" } else { ": " };
            said += &format!("{gap}{part}");
        }
    };
    error.chain().for_each(|cause| add(&cause.to_string()));
    add(&advice(error, spelling));
    said
}

/// What would fix an error, or nothing.
fn advice(error: &anyhow::Error, spelling: Spelling) -> String {
    let Some(cause) = error.chain().find_map(remedied) else {
        return String::new();
    };
    // What other commands do, only the command can say.
    match error.downcast_ref() {
        Some(search::Error::Store(StoreError::NotAStore { .. })) => {
            return "make one with `lookalike index build`".into();
        }
        Some(search::Error::Store(StoreError::Version { path, found, known })) => {
            let update = if found > known {
                "update Lookalike, or "
            } else {
                ""
            };
            let path = plugin::shown(path);
            return format!(
                "{update}build it again from the items, with `lookalike index build ITEMS --out {path} --overwrite`"
            );
        }
        _ => {}
    }
    if let Some(prints::Error::NotAGallery { .. }) = error.downcast_ref() {
        return "make one with `lookalike fingerprint enroll`".into();
    }
    Remedy::alternatives(&cause.remedies(), |setting, value| {
        spelling.spell(setting, value)
    })
}

/// An error of a library that knows what would fix it.
fn remedied<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a dyn Remedied> {
    fn is<'a, E: Remedied + 'static>(cause: &'a (dyn Error + 'static)) -> Option<&'a dyn Remedied> {
        cause.downcast_ref::<E>().map(|error| error as _)
    }
    None.or_else(|| is::<corpus::Error>(cause))
        .or_else(|| is::<dedup::Error>(cause))
        .or_else(|| is::<experiment::Error>(cause))
        .or_else(|| is::<output::Error>(cause))
        .or_else(|| is::<plugin::Error>(cause))
        .or_else(|| is::<prints::Error>(cause))
        .or_else(|| is::<search::Error>(cause))
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    fn no_field() -> corpus::Error {
        corpus::Error::NoField {
            file: "a.jsonl".into(),
            line: 3,
            field: "key".into(),
            present: vec!["text".into()],
            option: corpus::ID_FIELD,
        }
    }

    #[test]
    fn flags_and_keys() {
        let problem = "a.jsonl:3: no field `key`; the record has `text`: choose one with";
        let error = anyhow::Error::from(dedup::Error::from(no_field()));
        assert_eq!(
            explained(&error, Spelling::Flags),
            format!("{problem} --id-field")
        );
        assert_eq!(
            explained(&error, Spelling::File),
            format!("{problem} data.id")
        );
        let skip = (Setting("on_error"), Some("skip"));
        assert_eq!(Spelling::Flags.spell(skip.0, skip.1), "--on-error skip");
        assert_eq!(
            Spelling::File.spell(skip.0, skip.1),
            "data.on_error = \"skip\""
        );
        // What the file cannot say, the command line says.
        assert_eq!(Spelling::File.spell(output::OVERWRITE, None), "--overwrite");
    }

    #[test]
    fn remedies_are_found_behind_a_context() {
        let error = Err::<(), _>(no_field()).context("read as documents");
        let said = explained(&error.unwrap_err(), Spelling::Flags);
        assert!(said.starts_with("read as documents: a.jsonl:3:"), "{said}");
        assert!(said.ends_with(": choose one with --id-field"), "{said}");
    }
}
