use serde::{Serialize, Serializer, ser::SerializeStruct};

/// What a family is about: a similarity from 0 to 1, a distance, or what is known of items.
///
/// A similarity s goes with the distance 1 − s; a file says `threshold` for it, and `radius` for a distance. Items are the same
/// at a distance of 0, and are not at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A similarity, by its name: `Jaccard similarity`.
    Similarity(&'static str),
    /// A distance, by its name: `Hamming distance`.
    Distance(&'static str),
    /// Whether two items are of the same whatever: `same finger`.
    Same(&'static str),
}

impl Measure {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity(name) | Self::Distance(name) | Self::Same(name) => name,
        }
    }

    /// A distance as users speak of it: the similarity, where there is one.
    #[must_use]
    pub fn shown(self, distance: f64) -> f64 {
        match self {
            // What 1 − 0.2 was meant to be.
            Self::Similarity(_) | Self::Same(_) => ((1.0 - distance) * 1e9).round() / 1e9,
            Self::Distance(_) => distance,
        }
    }
}

impl Serialize for Measure {
    /// Its name, and whether more is nearer.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Measure", 2)?;
        fields.serialize_field("measure", self.name())?;
        let is_similarity = !matches!(self, Self::Distance(_));
        fields.serialize_field("is_similarity", &is_similarity)?;
        fields.end()
    }
}
