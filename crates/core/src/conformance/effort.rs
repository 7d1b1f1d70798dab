/// How much a run measures: [`QUICK`](Effort::QUICK) for tests, [`THOROUGH`](Effort::THOROUGH) before a release.
///
/// ```
/// use lookalike_core::conformance::Effort;
///
/// assert!(Effort::THOROUGH.draws() > Effort::QUICK.draws());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Draws of functions per distance, and per fixed pair.
    draws: u32,
    /// Draws of a scheme at each distance where its promise is steep.
    steep: u32,
    /// Draws of a scheme at every other distance.
    flat: u32,
    /// The errors that must be detectable where the promise is steep: of one function, and of a scheme.
    needed: [f64; 2],
}

impl Effort {
    /// Less than a second for a plain family. It sees an error of 0.06 in the probability of one function, and of 0.2 in
    /// that of a scheme.
    pub const QUICK: Self = Self {
        draws: 80,
        steep: 400,
        flat: 40,
        needed: [0.06, 0.2],
    };

    /// A few seconds for a plain family. It sees an error of 5 % where the promise of one function is a half, and of 5 %
    /// where that of a scheme is 0.9.
    pub const THOROUGH: Self = Self {
        draws: 360,
        steep: 2800,
        flat: 100,
        needed: [0.03, 0.08],
    };

    /// Draws per distance that somebody chose.
    pub(super) fn with_draws(draws: u32) -> Self {
        Self {
            draws,
            steep: draws.saturating_mul(5),
            flat: draws.div_ceil(2),
            needed: [0.1, 0.25],
        }
    }

    /// Draws of functions per distance.
    #[must_use]
    pub fn draws(self) -> u32 {
        self.draws
    }

    pub(super) fn steep(self) -> u32 {
        self.steep
    }

    pub(super) fn flat(self) -> u32 {
        self.flat
    }

    /// The largest error of one function that may go undetected where its promise is steep.
    pub(super) fn needed_of_functions(self) -> f64 {
        self.needed[0]
    }

    /// The same for a scheme.
    pub(super) fn needed_of_schemes(self) -> f64 {
        self.needed[1]
    }
}
