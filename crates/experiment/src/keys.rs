//! Settings of the libraries as keys of a file.

use lookalike_core::plugin::{Remedy, Setting};
use serde::de::DeserializeOwned;

/// Canonical names of settings, and the keys that say them in the file of an experiment.
const KEYS: [(&str, &str); 10] = [
    ("bits", "data.bits"),
    ("field", "data.field"),
    ("format", "data.format"),
    ("id_field", "data.id"),
    ("ignore_ids", "data.ignore_ids"),
    ("max_expansion", "data.max_expansion"),
    ("max_record", "data.max_record"),
    ("max_window", "data.max_window"),
    ("on_error", "data.on_error"),
    ("text_field", "data.text"),
];

/// The key that says a setting in the file of an experiment, if one does.
///
/// ```
/// use lookalike_core::plugin::Setting;
/// use lookalike_experiment::toml_key;
///
/// assert_eq!(toml_key(Setting("id_field")), Some("data.id"));
/// assert_eq!(toml_key(Setting("overwrite")), None);
/// ```
#[must_use]
pub fn toml_key(setting: Setting) -> Option<&'static str> {
    let found = KEYS.iter().find(|(name, _)| *name == setting.0);
    found.map(|(_, key)| *key)
}

/// The remedies that a file can apply: not every kind of data has every key.
pub(crate) fn possible<T: DeserializeOwned>(mut remedies: Vec<Remedy>) -> Vec<Remedy> {
    remedies.retain(|remedy| match remedy.setting().map(toml_key) {
        None => true,
        Some(key) => key.is_some_and(has_key::<T>),
    });
    remedies
}

/// Whether the table `[data]` of this type knows a key such as `data.id`.
fn has_key<T: DeserializeOwned>(key: &str) -> bool {
    let key = key.strip_prefix("data.").unwrap_or(key);
    // The value fits no key, so what counts is whether the key or the value is refused.
    let table = toml::Table::from_iter([(key.to_owned(), toml::Table::new().into())]);
    let read = T::deserialize(table);
    !read.is_err_and(|error| error.message().starts_with("unknown field"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Codes, Prints, Texts};

    #[test]
    fn a_kind_of_data_has_its_own_keys() {
        let known = |has: fn(&str) -> bool| -> Vec<&str> {
            let keys = KEYS.iter().map(|(_, key)| *key);
            keys.filter(|key| has(key)).collect()
        };
        assert_eq!(
            known(has_key::<Codes>),
            ["data.bits", "data.field", "data.format", "data.id"]
        );
        assert_eq!(known(has_key::<Prints>), ["data.format"]);
        let texts = known(has_key::<Texts>);
        assert_eq!(texts.len(), KEYS.len() - 2, "{texts:?}");
    }

    #[test]
    fn what_a_file_cannot_say_is_not_advised() {
        let skip = Remedy::with_value("use", Setting("on_error"), "skip");
        let remove = Remedy::advice("remove it");
        let all = vec![remove.clone(), skip];
        assert_eq!(possible::<Prints>(all.clone()), [remove]);
        assert_eq!(possible::<Texts>(all.clone()), all);
    }
}
