use std::fmt;

/// A setting by its canonical name, such as `id_field`.
///
/// Every front end spells it its own way: the command says `--id-field`, a TOML file `data.id`, Python `id_field=`. A
/// library names the setting and never its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting(pub &'static str);

/// What would fix an error: a setting to change, and perhaps the value to give it.
///
/// ```
/// use lookalike_core::plugin::{Remedy, Setting};
///
/// let remedy = Remedy::new("choose one with", Setting("id_field"));
/// assert_eq!(remedy.to_string(), "choose one with `id_field`");
/// let flag = |setting: Setting, _: Option<&str>| format!("--{}", setting.0.replace('_', "-"));
/// assert_eq!(remedy.spelled(flag), "choose one with --id-field");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    advice: String,
    setting: Option<Setting>,
    value: Option<String>,
}

impl Remedy {
    /// Advice that ends in the name of a setting: "choose one with" `id_field`.
    #[must_use]
    pub fn new(advice: impl Into<String>, setting: Setting) -> Self {
        Self {
            advice: advice.into(),
            setting: Some(setting),
            value: None,
        }
    }

    /// Advice that ends in a setting with a value: "use" `mode = report`.
    #[must_use]
    pub fn with_value(
        advice: impl Into<String>,
        setting: Setting,
        value: impl Into<String>,
    ) -> Self {
        Self {
            value: Some(value.into()),
            ..Self::new(advice, setting)
        }
    }

    /// Advice that needs no setting: "remove it".
    #[must_use]
    pub fn advice(advice: impl Into<String>) -> Self {
        Self {
            advice: advice.into(),
            setting: None,
            value: None,
        }
    }

    /// The remedy as a front end writes it; `spell` gets the setting and the value.
    pub fn spelled(&self, spell: impl Fn(Setting, Option<&str>) -> String) -> String {
        match self.setting {
            Some(setting) => format!("{} {}", self.advice, spell(setting, self.value.as_deref())),
            None => self.advice.clone(),
        }
    }

    /// The setting that it names, if it names one.
    #[must_use]
    pub fn setting(&self) -> Option<Setting> {
        self.setting
    }

    /// Several remedies as alternatives, as a front end writes them: "do this, or do that".
    ///
    /// ```
    /// use lookalike_core::plugin::Remedy;
    ///
    /// let remedies = ["rename it", "move it", "remove it"].map(Remedy::advice);
    /// let written = Remedy::alternatives(&remedies, |setting, _| setting.0.to_owned());
    /// assert_eq!(written, "rename it, move it, or remove it");
    /// ```
    pub fn alternatives(
        remedies: &[Self],
        spell: impl Fn(Setting, Option<&str>) -> String,
    ) -> String {
        let mut written = String::new();
        for (place, remedy) in remedies.iter().enumerate() {
            written += match place {
                0 => "",
                last if last + 1 == remedies.len() => ", or ",
                _ => ", ",
            };
            written += &remedy.spelled(&spell);
        }
        written
    }
}

/// Neutral spelling, for callers of the library: `id_field`, `mode = report`.
impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let neutral = |setting: Setting, value: Option<&str>| match value {
            Some(value) => format!("`{} = {value}`", setting.0),
            None => format!("`{}`", setting.0),
        };
        f.write_str(&self.spelled(neutral))
    }
}

/// An error that knows what would fix it.
///
/// Its `Display` text states the problem alone; a front end adds the remedies in its own spelling.
pub trait Remedied: std::error::Error {
    /// What would fix it, the most likely remedy first.
    fn remedies(&self) -> Vec<Remedy>;
}

/// What a plugin refuses, and what would fix it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    parameter: Option<String>,
    remedies: Vec<Remedy>,
}

impl Error {
    /// An error in words: what was given, and what is wrong with it.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            parameter: None,
            remedies: Vec::new(),
        }
    }

    /// The same error about a parameter, so that a front end can point to it: `each`, or `pairs.each` for one in a table.
    #[must_use]
    pub fn about(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// The parameter that is wrong, if one is.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        self.parameter.as_deref()
    }

    /// The same error with one more remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// The same error with a place in front of the message: "notes.jsonl:3: …".
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        self.remedies.clone()
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}
