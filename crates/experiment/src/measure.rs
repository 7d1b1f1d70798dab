/// What a family is about: a similarity from 0 to 1, or a distance.
///
/// A similarity s goes with the distance 1 − s; a file says `threshold` for it, and `radius` for a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A similarity, by its name: `Jaccard similarity`.
    Similarity(&'static str),
    /// A distance, by its name: `Hamming distance`.
    Distance(&'static str),
}

impl Measure {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity(name) | Self::Distance(name) => name,
        }
    }

    /// A distance as users speak of it: the similarity, where there is one.
    #[must_use]
    pub fn shown(self, distance: f64) -> f64 {
        match self {
            // What 1 − 0.2 was meant to be.
            Self::Similarity(_) => ((1.0 - distance) * 1e9).round() / 1e9,
            Self::Distance(_) => distance,
        }
    }
}
