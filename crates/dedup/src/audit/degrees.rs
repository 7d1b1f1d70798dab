/// The pairs of a document that are truly alike, and those of them that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Degree {
    pub(super) of: u32,
    pub(super) found: u32,
}

/// Sums over documents of t, their true pairs, and f, those that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Degrees {
    /// Σt.
    pub(super) of: f64,
    /// Σf.
    pub(super) found: f64,
    /// Σt².
    pub(super) of_of: f64,
    of_found: f64,
    found_found: f64,
    /// Documents with a pair that was not found.
    pub(super) with_a_miss: f64,
    /// Documents with a pair that was found.
    pub(super) with_a_find: f64,
    /// The largest t.
    pub(super) most: f64,
}

impl FromIterator<Degree> for Degrees {
    fn from_iter<I: IntoIterator<Item = Degree>>(degrees: I) -> Self {
        let mut sums = Self::default();
        for degree in degrees {
            let (of, found) = (f64::from(degree.of), f64::from(degree.found));
            sums.of += of;
            sums.found += found;
            sums.of_of += of * of;
            sums.of_found += of * found;
            sums.found_found += found * found;
            sums.with_a_miss += f64::from(u8::from(found < of));
            sums.with_a_find += f64::from(u8::from(found > 0.0));
            sums.most = sums.most.max(of);
        }
        sums
    }
}

impl Degrees {
    /// Σf/Σt, where there are pairs.
    pub(super) fn share(&self) -> Option<f64> {
        (self.of > 0.0).then(|| self.found / self.of)
    }

    /// Σ (f − share·t)².
    pub(super) fn spread(&self, share: f64) -> f64 {
        self.found_found - 2.0 * share * self.of_found + share * share * self.of_of
    }

    /// Σ (is found − share)² over single pairs.
    pub(super) fn squares(&self, share: f64) -> f64 {
        self.found * (1.0 - share).powi(2) + (self.of - self.found) * share * share
    }
}
