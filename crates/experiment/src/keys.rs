//! Settings of the libraries as keys of a file.

use lookalike_core::plugin::{Remedy, Setting};

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

/// The remedies that a file can apply.
pub(crate) fn possible(mut remedies: Vec<Remedy>) -> Vec<Remedy> {
    let is_possible = |setting: Setting| toml_key(setting).is_some();
    remedies.retain(|remedy| remedy.setting().is_none_or(is_possible));
    remedies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_cannot_say_is_not_advised() {
        let skip = Remedy::with_value("use", Setting("on_error"), "skip");
        let remove = Remedy::advice("remove it");
        let overwrite = Remedy::new("replace it with", Setting("overwrite"));
        let kept = vec![remove.clone(), skip.clone()];
        assert_eq!(possible(vec![remove, overwrite, skip]), kept);
    }
}
