use crate::{Bounds, Drawn, Error, LshFamily, Scheme, Sensitivity, Step};

/// A family under a scheme: the functions and what they promise, in one value.
///
/// `family.and(5).or(20)` is twenty bands of five rows. Nothing is hashed
/// until [`draw`](Amplified::draw) fixes a seed.
#[derive(Clone, Debug)]
pub struct Amplified<F> {
    family: F,
    scheme: Scheme,
}

impl<F: LshFamily> Amplified<F> {
    pub(crate) fn new(family: F, scheme: Scheme) -> Self {
        Self { family, scheme }
    }

    /// The family.
    pub fn family(&self) -> &F {
        &self.family
    }

    /// The scheme.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Agree where all of `n` copies of what is here agree.
    ///
    /// # Panics
    /// If `n` is 0 or the scheme would read 2^32 functions or more. For
    /// numbers that come from outside, [`Scheme::new`] gives an error.
    #[must_use]
    pub fn and(self, n: u32) -> Self {
        self.then(Step::And(n))
    }

    /// Agree where at least one of `n` copies of what is here agrees.
    ///
    /// # Panics
    /// As [`Amplified::and`].
    #[must_use]
    pub fn or(self, n: u32) -> Self {
        self.then(Step::Or(n))
    }

    fn then(self, step: Step) -> Self {
        let scheme = self
            .scheme
            .then(step)
            .unwrap_or_else(|error| panic!("{error}"));
        Self { scheme, ..self }
    }

    /// Bounds on the probability that two items at this distance are candidates.
    pub fn promise(&self, distance: f64) -> Bounds {
        self.family.promise(&self.scheme, distance)
    }

    /// The amplified promise: (d1, d2, p1, p2).
    pub fn sensitivity(&self, d1: f64, d2: f64) -> Result<Sensitivity, Error> {
        let p1 = self.promise(d1).lower();
        let p2 = self.promise(d2).upper();
        Sensitivity::new(d1, d2, p1, p2)
    }

    /// Draws the functions.
    ///
    /// An error if every item would have more keys than
    /// [`KEY_LIMIT`](crate::KEY_LIMIT), which an OR inside an AND brings about.
    pub fn draw(&self, seed: u64) -> Result<Drawn<F>, Error> {
        Drawn::new(&self.family, &self.scheme, seed)
    }
}
