//! The statistics of conformance: when a measured rate contradicts a promise, and which error would have been seen.
//!
//! One run makes many tests. Together they may raise a false alarm with probability [`BUDGET`] at most; so a part of the
//! run has a third of it, and a test an equal share of its part. All tests compare with the same bound: of n independent
//! rates between 0 and 1 with mean p, the mean is q or beyond with probability at most exp(−n·D(q‖p)), where
//! D(q‖p) = q·ln(q/p) + (1−q)·ln((1−q)/(1−p)) (Hoeffding 1963, theorem 1). It holds for every n and p, unlike tolerances
//! in standard errors, which are far too narrow for rare events.

/// The probability that one run of all checks refuses a right family, at most. The recall of a plan, which a check of a
/// whole plugin tests as well, adds a tenth of it.
///
/// A table of 36 families, sources and methods with 250 runs each has 9000 runs, and so at most 0.1 false alarms.
pub const BUDGET: f64 = 1e-5;
/// The share of the budget of each part of a run: functions, dependence, scheme.
pub(super) const PART: f64 = 1.0 / 3.0;
/// What the recall of a plan takes in addition.
pub(super) const RECALL: f64 = 0.1;
/// The probability with which the smallest error that is reported would have been seen: 0.95, as a normal quantile.
const SEEN: f64 = 1.645;
/// The least probability that "never" stands for. Keys are hashes of at most 64 bits, and some of 32: they meet.
const NEVER: f64 = 1e-6;

/// How much evidence a test needs: the logarithm of one over its share of the budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level(f64);

impl Level {
    /// For one of `tests` two-sided tests of a part.
    pub(super) fn of(tests: usize) -> Self {
        Self::with_share(PART, tests)
    }

    /// For one of `tests` two-sided tests that have a share of the budget together.
    pub(super) fn with_share(share: f64, tests: usize) -> Self {
        Self((2.0 * tests.max(1) as f64 / (share * BUDGET)).ln())
    }

    /// The logarithm itself: what is as unlikely as exp(−this) is evidence enough.
    pub(super) fn evidence(self) -> f64 {
        self.0
    }

    /// The level of a test whose variance is estimated from `n` values: Student's tail instead of the normal one.
    fn estimated(self, n: f64) -> Self {
        let degrees = n - 1.0;
        Self(degrees / 2.0 * (2.0 * self.0 / n).exp_m1())
    }
}

/// Rates of independent draws, each an average of `trials` answers, and what was promised for them.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    trials: f64,
    count: f64,
    distance: f64,
    lower: f64,
    upper: f64,
    sum: f64,
    excess: f64,
    squares: f64,
}

/// What the rates say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    pub(super) distance: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) measured: f64,
    pub(super) standard_error: f64,
    /// The smallest error of the promise that would have been seen with probability 0.95.
    pub(super) detectable: f64,
    pub(super) is_kept: bool,
}

impl Rates {
    pub(super) fn new(trials: usize) -> Self {
        Self {
            trials: trials.max(1) as f64,
            count: 0.0,
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            sum: 0.0,
            excess: 0.0,
            squares: 0.0,
        }
    }

    pub(super) fn add(&mut self, distance: f64, promised: crate::Bounds, rate: f64) {
        let (lower, upper) = (promised.lower().value(), promised.upper().value());
        // Draws of one test may be promised different rates: the spread is that around the promise.
        let excess = rate - (lower + upper) / 2.0;
        self.count += 1.0;
        self.distance += distance;
        self.lower += lower;
        self.upper += upper;
        self.sum += rate;
        self.excess += excess;
        self.squares += excess * excess;
    }

    pub(super) fn evidence(&self, level: Level) -> Evidence {
        let n = self.count.max(1.0);
        let mean = |sum: f64| sum / n;
        let measured = mean(self.sum);
        let [lower, upper] = [self.lower, self.upper].map(|sum| mean(sum).clamp(0.0, 1.0));
        let promised = measured.clamp(lower, upper);
        let binomial = promised * (1.0 - promised) / self.trials;
        let spread = (self.squares - n * mean(self.excess).powi(2)).max(0.0) / (n - 1.0).max(1.0);
        // Functions that are drawn together may depend on each other. Then a draw is worth fewer trials.
        let is_single = self.trials == 1.0;
        let design = match is_single {
            true => 1.0,
            false => (spread / binomial.max(f64::MIN_POSITIVE)).clamp(1.0, self.trials),
        };
        let level_used = match is_single || design == 1.0 {
            true => level,
            false => level.estimated(n),
        };
        let trials = n * self.trials / design;
        let is_too_low = measured < lower && exceeds(measured, lower, trials, level_used);
        let is_too_high =
            measured > upper && exceeds(measured, upper.max(NEVER), trials, level_used);
        // One event among all trials is the least that can be known.
        let variance = binomial * self.trials * design + (n * self.trials).recip();
        let standard_error = (variance / (n * self.trials)).sqrt();
        Evidence {
            distance: mean(self.distance),
            lower,
            upper,
            measured,
            standard_error,
            detectable: detectable(lower, -1.0, trials, level_used)
                .min(detectable(upper, 1.0, trials, level_used)),
            is_kept: !is_too_low && !is_too_high,
        }
    }
}

/// Whether n rates with mean `measured` are evidence against a probability of `promised`.
fn exceeds(measured: f64, promised: f64, n: f64, level: Level) -> bool {
    n * divergence(measured, promised) > level.0
}

/// D(q‖p), infinite if p rules q out.
fn divergence(q: f64, p: f64) -> f64 {
    let term = |q: f64, p: f64| if q == 0.0 { 0.0 } else { q * (q / p).ln() };
    term(q, p) + term(1.0 - q, 1.0 - p)
}

/// The smallest error of a promise p, below it or above it, that is seen with probability 0.95; 1 if none can be.
fn detectable(p: f64, side: f64, n: f64, level: Level) -> f64 {
    let floor = if side > 0.0 { p.max(NEVER) } else { p };
    let room = if side > 0.0 { 1.0 - p } else { p };
    let is_seen = |error: f64| {
        let q = (p + side * error).clamp(0.0, 1.0);
        // What is measured if luck makes the error smaller.
        let lucky = q - side * SEEN * (q * (1.0 - q) / n).sqrt();
        let is_beyond = side * (lucky - p) > 0.0;
        is_beyond && exceeds(lucky.clamp(0.0, 1.0), floor, n, level)
    };
    if !is_seen(room) {
        return 1.0;
    }
    let (mut unseen, mut seen) = (0.0, room);
    for _ in 0..40 {
        let middle = (unseen + seen) / 2.0;
        match is_seen(middle) {
            true => seen = middle,
            false => unseen = middle,
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Probability, random};

    fn exact(p: f64) -> Bounds {
        Bounds::exact(Probability::new(p).unwrap())
    }

    /// Draws of `trials` answers that are right with probability `truth`.
    fn rates(truth: f64, promised: f64, draws: usize, trials: usize, seed: u64) -> Rates {
        let mut rng = random::stream(seed, 0);
        let mut rates = Rates::new(trials);
        for _ in 0..draws {
            let hits = (0..trials).filter(|_| rng.unit() < truth).count();
            rates.add(0.5, exact(promised), hits as f64 / trials as f64);
        }
        rates
    }

    #[test]
    fn the_divergence_is_its_definition() {
        assert_eq!(divergence(0.3, 0.3), 0.0);
        assert!((divergence(0.0, 0.5) - 2f64.ln()).abs() < 1e-15);
        assert!((divergence(1.0, 0.25) - 4f64.ln()).abs() < 1e-15);
        assert_eq!(divergence(0.5, 1.0), f64::INFINITY);
    }

    /// The bound is no smaller than the exact tail, and of its order.
    #[test]
    fn the_bound_holds_for_binomial_tails() {
        for (n, p) in [(20u32, 0.5f64), (50, 0.1), (200, 0.02)] {
            let mut weight = (1.0 - p).powf(n.into());
            let mut tail = 1.0;
            for hits in 0..n {
                let q = f64::from(hits) / f64::from(n);
                if q > p {
                    let bound = (-f64::from(n) * divergence(q, p)).exp();
                    assert!(
                        tail <= bound * (1.0 + 1e-9),
                        "{n} {p} {hits}: {tail} {bound}"
                    );
                    assert!(bound <= 40.0 * tail, "{n} {p} {hits}: {tail} {bound}");
                }
                tail -= weight;
                weight *= f64::from(n - hits) / f64::from(hits + 1) * p / (1.0 - p);
                if tail < 1e-12 {
                    break;
                }
            }
        }
    }

    #[test]
    fn what_is_reported_as_detectable_is_detected() {
        let level = Level::of(100);
        for (promised, draws, trials) in [
            (0.5, 80, 64),
            (0.9, 500, 1),
            (0.05, 200, 64),
            (0.99, 80, 64),
        ] {
            let evidence = rates(promised, promised, draws, trials, 1).evidence(level);
            assert!(
                evidence.is_kept && evidence.detectable < 0.2,
                "{evidence:?}"
            );
            for side in [-1.0, 1.0] {
                let truth = promised + side * evidence.detectable * 1.1;
                if !(0.0..1.0).contains(&truth) {
                    continue;
                }
                let seen = |seed| {
                    !rates(truth, promised, draws, trials, seed)
                        .evidence(level)
                        .is_kept
                };
                let seen = (0..100).filter(|&seed| seen(seed)).count();
                // The smaller of the two sides is reported, and the larger may be a little less certain.
                assert!(
                    seen >= 80 || side > 0.0 && promised < 0.5 || side < 0.0 && promised > 0.5,
                    "{promised} {truth}: {seen}"
                );
            }
        }
    }

    #[test]
    fn draws_that_repeat_one_answer_are_worth_one_trial() {
        let mut rng = random::stream(3, 0);
        let mut rates = Rates::new(64);
        for _ in 0..80 {
            rates.add(0.5, exact(0.5), f64::from(u8::from(rng.unit() < 0.5)));
        }
        let evidence = rates.evidence(Level::of(100));
        assert!(evidence.is_kept, "{evidence:?}");
        assert!(
            (evidence.standard_error - 0.056).abs() < 0.01,
            "{evidence:?}"
        );
    }

    #[test]
    fn certainty_allows_no_exception_and_never_hardly_any() {
        let level = Level::of(100);
        let one_of = |all: usize, promised: f64, exceptional: f64| {
            let mut rates = Rates::new(1);
            for draw in 0..all {
                let rate = if draw == 7 {
                    exceptional
                } else {
                    1.0 - exceptional
                };
                rates.add(0.5, exact(promised), rate);
            }
            rates.evidence(level).is_kept
        };
        assert!(!one_of(10_000, 1.0, 0.0));
        assert!(one_of(10_000, 0.9999, 0.0));
        assert!(one_of(10_000, 0.0, 1.0));
    }
}
