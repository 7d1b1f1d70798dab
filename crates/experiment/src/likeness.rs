use std::borrow::Cow;

use lookalike_core::plugin::Measure;

/// What makes two items alike.
#[derive(Clone, Copy, Debug)]
pub enum Likeness {
    /// Their distance, by the measure in which the file states it.
    Measured(&'static Measure),
    /// What the data says: both have the same label, such as the finger of a print. Holds what a label names.
    Labelled(&'static str),
}

impl Likeness {
    /// What it is called: `Jaccard similarity`, `same finger`.
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Measured(measure) => measure.name.into(),
            Self::Labelled(label) => format!("same {label}").into(),
        }
    }

    /// Whether more of it is nearer.
    #[must_use]
    pub fn is_similarity(self) -> bool {
        match self {
            Self::Measured(measure) => measure.is_similarity,
            Self::Labelled(_) => true,
        }
    }

    /// Whether it lies between 0 and 1 and is 1 − the distance.
    #[must_use]
    pub fn is_share(self) -> bool {
        match self {
            Self::Measured(measure) => measure.is_share(),
            Self::Labelled(_) => true,
        }
    }

    /// Whether labels decide.
    #[must_use]
    pub fn is_labelled(self) -> bool {
        matches!(self, Self::Labelled(_))
    }

    /// A distance as users state it: 1 for the same label, 0 for another.
    #[must_use]
    pub fn shown(self, distance: f64) -> f64 {
        match self {
            Self::Measured(measure) => measure.shown(distance),
            Self::Labelled(_) => 1.0 - distance,
        }
    }
}
