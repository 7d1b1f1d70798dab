//! The textbook's fingerprints, as probabilities: how often squares hold minutiae, and how often again.
//!
//! **The book's numbers and what is measured.** The book takes the functions as independent over pairs: with q the
//! probability that a square is common to two prints, one function of three squares agrees with q^3, and one of 1024
//! with 1 − (1 − q^3)^1024. The first is exact for every number of squares N: the squares common to a pair are c,
//! binomial (N, q), and the mean of C(c, 3) / C(N, 3) is q^3. The second is not. All functions look at the *same* c
//! squares of a pair: a pair that has few in common is missed by all of them together. Given c they are independent,
//! so that the true rate is
//!
//! E_c\[1 − (1 − C(c, 3) / C(N, 3))^1024\],
//!
//! for prints of one finger less than the book has, because 1 − (1 − p)^1024 bends down there: what a pair with many
//! common squares gains is less than what one with few loses. With many squares c/N hardly strays from q, and the
//! book's value is the limit. For N = 256 prints of one finger are found in .9556 of the cases instead of .985.

use lookalike_core::{
    LshFamily, Probability, Scheme, Sensitivity,
    random::{self, Stream},
};

use crate::{Error, GridSquares, Squares};

/// How often a square holds minutiae (occupancy), and how often it holds those of another print of the same finger
/// where it holds those of one (agreement). Squares are independent of each other.
///
/// ```
/// use lookalike_core::Scheme;
/// use lookalike_fingerprint::{Fingers, GridSquares, Model};
///
/// let model = Model::new(0.2, 0.8)?;
/// let one_of_1024: Scheme = "or:1024".parse()?;
/// let family = GridSquares::new(256)?;
/// let book = model.book(Fingers::Same, family.width(), &one_of_1024);
/// let expected = model.expected(Fingers::Same, &family, &one_of_1024);
/// assert_eq!(format!("{book:.5} {expected:.4}"), "0.98505 0.9556");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    occupancy: f64,
    agreement: f64,
}

/// Whose the two prints of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fingers {
    /// The same finger's.
    Same,
    /// Two fingers', independent of each other.
    Different,
}

impl Model {
    /// The textbook's: a fifth of the squares hold minutiae, and four fifths of them again.
    pub const BOOK: Self = Self {
        occupancy: 0.2,
        agreement: 0.8,
    };

    /// A model with an occupancy between 0 and 1 and an agreement from the occupancy, which chance brings, to 1.
    pub fn new(occupancy: f64, agreement: f64) -> Result<Self, Error> {
        if !(occupancy > 0.0 && occupancy < 1.0) {
            let expected = "above 0 and below 1";
            return Err(Error::parameter("occupancy", occupancy, expected));
        }
        if !(occupancy..=1.0).contains(&agreement) {
            let expected = format!("from {occupancy}, the occupancy, to 1");
            return Err(Error::parameter("agreement", agreement, expected));
        }
        Ok(Self {
            occupancy,
            agreement,
        })
    }

    /// How often a square holds minutiae.
    #[must_use]
    pub fn occupancy(&self) -> f64 {
        self.occupancy
    }

    /// How often a square that holds minutiae of one print holds some of another print of the same finger.
    #[must_use]
    pub fn agreement(&self) -> f64 {
        self.agreement
    }

    /// The probability that a square is common to two prints.
    #[must_use]
    pub fn common(&self, fingers: Fingers) -> Probability {
        let again = match fingers {
            Fingers::Same => self.agreement,
            Fingers::Different => self.occupancy,
        };
        Probability::saturating(self.occupancy * again)
    }

    /// What functions of so many squares promise in the limit of many squares: (d1, d2, p1, p2) with the mean distance
    /// of prints of the same finger as d1 and that of others as d2.
    #[must_use]
    pub fn sensitivity(&self, each: u32) -> Sensitivity {
        let [same, different] = [Fingers::Same, Fingers::Different].map(|f| self.common(f));
        let [d1, d2] = [same, different].map(|common| common.complement().value());
        Sensitivity::new(d1, d2, same.all(each), different.all(each)).expect("same is nearer")
    }

    /// The book's probability that two prints are candidates: functions of so many squares under a scheme, as if they
    /// were independent over pairs.
    #[must_use]
    pub fn book(&self, fingers: Fingers, each: u32, scheme: &Scheme) -> Probability {
        scheme.probability(self.common(fingers).all(each))
    }

    /// The true probability that two prints are candidates: the mean of the family's promise over c, the squares
    /// that they have in common, which is binomial.
    #[must_use]
    pub fn expected(&self, fingers: Fingers, family: &GridSquares, scheme: &Scheme) -> Probability {
        let total = family.total();
        let promise = |common: u32| {
            let distance = 1.0 - f64::from(common) / f64::from(total);
            family.promise(scheme, distance).lower().value()
        };
        binomial_mean(total, self.common(fingers).value(), promise)
    }

    /// Draws a print: each square holds minutiae with the probability of the occupancy.
    pub fn print(&self, total: u32, seed: u64) -> Result<Squares, Error> {
        let mut rng = random::stream(seed, 0);
        let mut print = Squares::none(total)?;
        for square in 0..total {
            if happens(self.occupancy, &mut rng) {
                print.insert(square);
            }
        }
        Ok(print)
    }

    /// Draws another print of the same finger.
    ///
    /// A square that holds minutiae of the first print holds some of this one with the probability of the agreement
    /// a; any other with o·(1 − a) / (1 − o), o being the occupancy. So both prints have the same occupancy, o·a of
    /// all squares are common to both, and neither is the original. A third print is drawn from one of the two, and
    /// agrees with the other less.
    #[must_use]
    pub fn again(&self, print: &Squares, seed: u64) -> Squares {
        let new = self.occupancy * (1.0 - self.agreement) / (1.0 - self.occupancy);
        // Not the stream of `print`: the same seed must not bring the same squares.
        let mut rng = random::stream(seed, 1);
        let mut again = Squares::none(print.total()).expect("as many squares as the print has");
        for square in 0..print.total() {
            let held = if print.contains(square) {
                self.agreement
            } else {
                new
            };
            if happens(held, &mut rng) {
                again.insert(square);
            }
        }
        again
    }
}

/// An event with this probability, from 53 bits of one draw.
fn happens(probability: f64, rng: &mut Stream) -> bool {
    ((rng.next_u64() >> 11) as f64) < probability * (1u64 << 53) as f64
}

/// The mean of `value` over a binomial number of successes among n trials.
///
/// Weights are relative to that of the likeliest number, each from its neighbour by one ratio, outwards until they
/// vanish; their sum makes them probabilities. Nothing large is ever subtracted, as with logarithms of factorials,
/// which lose digits as n grows.
fn binomial_mean(n: u32, p: f64, value: impl Fn(u32) -> f64) -> Probability {
    let mode = (((f64::from(n) + 1.0) * p) as u32).min(n);
    let odds = p / (1.0 - p);
    let up = |c: u32| f64::from(n - c) / f64::from(c + 1) * odds;
    let (mut weights, mut sum) = (1.0, value(mode));
    let mut add = |c: u32, weight: f64| {
        weights += weight;
        sum += weight * value(c);
        weight >= f64::MIN_POSITIVE
    };
    let mut weight = 1.0;
    for c in mode..n {
        weight *= up(c);
        if !add(c + 1, weight) {
            break;
        }
    }
    weight = 1.0;
    for c in (0..mode).rev() {
        weight /= up(c);
        if !add(c, weight) {
            break;
        }
    }
    Probability::saturating(sum / weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Fingers::{Different, Same};
    use proptest::prelude::*;

    fn scheme(text: &str) -> Scheme {
        text.parse().unwrap()
    }

    #[test]
    fn the_books_numbers() {
        let one = |fingers| Model::BOOK.book(fingers, 3, &Scheme::default()).value();
        assert_eq!(
            format!("{:.6} {:.6}", one(Same), one(Different)),
            "0.004096 0.000064"
        );
        for (steps, same, different) in [
            ("or:1024", "0.98505", "0.06344"),
            ("or:2048", "0.99978", "0.12285"),
            ("or:2048,and:2", "0.99955", "0.01509"),
        ] {
            let book = |fingers| format!("{:.5}", Model::BOOK.book(fingers, 3, &scheme(steps)));
            assert_eq!([book(Same), book(Different)], [same, different], "{steps}");
        }
        let book = |fingers| Model::BOOK.book(fingers, 3, &scheme("or:1024,and:2"));
        assert_eq!(
            format!("{:.4} {:.5}", book(Same), book(Different)),
            "0.9703 0.00402"
        );
    }

    #[test]
    fn as_a_sensitivity() {
        let limit = Model::BOOK.sensitivity(3);
        let texts = [limit.d1(), limit.d2()].map(|d| format!("{d:.2}"));
        assert_eq!(texts, ["0.84", "0.96"]);
        assert_eq!(
            format!("{:.6} {:.6}", limit.p1(), limit.p2()),
            "0.004096 0.000064"
        );
        // The family comes to it as squares become many, from below.
        let mut before = (0.0, 0.0);
        for total in [100, 10_000, 1_000_000] {
            let family = GridSquares::new(total).unwrap();
            let promised = family.sensitivity(0.84, 0.96).unwrap();
            let (p1, p2) = (promised.p1().value(), promised.p2().value());
            assert!(before.0 < p1 && p1 < 0.004096 && before.1 < p2 && p2 < 0.000064);
            before = (p1, p2);
        }
        assert_eq!(
            format!("{:.6} {:.6}", before.0, before.1),
            "0.004096 0.000064"
        );
    }

    #[test]
    fn the_exact_expectation() {
        for (total, steps, same, different) in [
            (256, "or:1024", "0.9556", "0.0615"),
            (256, "or:1024,and:2", "0.9171", "0.0071"),
            (1024, "or:1024", "0.9786", "0.0630"),
            (1024, "or:1024,and:2", "0.9579", "0.0048"),
        ] {
            let family = GridSquares::new(total).unwrap();
            let expected = |fingers| {
                let expected = Model::BOOK.expected(fingers, &family, &scheme(steps));
                format!("{expected:.4}")
            };
            assert_eq!(
                [expected(Same), expected(Different)],
                [same, different],
                "{total} {steps}"
            );
        }
    }

    #[test]
    fn one_function_is_as_the_book_says_and_many_are_in_the_limit() {
        for fingers in [Same, Different] {
            for (total, each) in [(3, 3), (64, 1), (256, 3), (1024, 5), (1 << 20, 3)] {
                let family = GridSquares::new(total).unwrap().each(each).unwrap();
                let one = Scheme::default();
                let expected = Model::BOOK.expected(fingers, &family, &one).value();
                let book = Model::BOOK.book(fingers, each, &one).value();
                assert!(
                    (expected / book - 1.0).abs() < 1e-9,
                    "{total}: {expected} {book}"
                );
            }
            let many = scheme("or:1024,and:2");
            let book = Model::BOOK.book(fingers, 3, &many).value();
            let gap = |total| {
                let family = GridSquares::new(total).unwrap();
                (Model::BOOK.expected(fingers, &family, &many).value() - book).abs()
            };
            assert!(gap(256) > gap(1024) && gap(1024) > gap(65536));
            assert!(gap(1 << 24) < 1e-6, "{}", gap(1 << 24));
        }
    }

    proptest! {
        #[test]
        fn the_mean_over_a_binomial_is_the_plain_sum(
            n in 1u32..60, p in 0.001f64..0.999, values in prop::collection::vec(0.0f64..1.0, 60),
        ) {
            let term = |c: u32| {
                let ways: f64 = (0..c).map(|i| f64::from(n - i) / f64::from(i + 1)).product();
                ways * p.powi(c as i32) * (1.0 - p).powi((n - c) as i32)
            };
            let value = |c: u32| values[c as usize % 60];
            let wanted: f64 = (0..=n).map(|c| term(c) * value(c)).sum();
            let found = binomial_mean(n, p, value).value();
            prop_assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
    }

    #[test]
    fn rare_and_many_keep_their_digits() {
        // c must be 3 of 100 at 1e-10 each, 10^-30 · C(100, 3), and then agrees once in C(100, 3).
        let model = Model::new(1e-10, 1.0).unwrap();
        let family = GridSquares::new(100).unwrap();
        let expected = model.expected(Same, &family, &Scheme::default()).value();
        assert!((expected / 1e-30 - 1.0).abs() < 1e-9, "{expected}");
        let n = 1 << 24;
        let mean = binomial_mean(n, 0.16, |c| f64::from(c) / f64::from(n)).value();
        assert!((mean - 0.16).abs() < 1e-13, "{mean}");
    }

    #[test]
    fn prints_are_drawn_as_the_model_says() {
        let total = 1 << 20;
        for model in [
            Model::BOOK,
            Model::new(0.4, 0.5).unwrap(),
            Model::new(0.3, 0.3).unwrap(),
        ] {
            let one = model.print(total, 1).unwrap();
            let again = model.again(&one, 1);
            let other = model.print(total, 2).unwrap();
            let close = |count: u32, p: f64| {
                let error = (p * (1.0 - p) / f64::from(total)).sqrt();
                let rate = f64::from(count) / f64::from(total);
                assert!((rate - p).abs() < 4.0 * error, "{rate} {p} ± {error}");
            };
            for print in [&one, &again, &other] {
                close(print.count(), model.occupancy());
            }
            close(one.common(&again), model.common(Same).value());
            close(one.common(&other), model.common(Different).value());
            close(again.common(&other), model.common(Different).value());
        }
    }

    #[test]
    fn what_is_no_model_is_refused() {
        for (occupancy, agreement) in [
            (0.0, 0.8),
            (1.0, 1.0),
            (f64::NAN, 0.8),
            (0.2, f64::NAN),
            (0.2, 1.1),
        ] {
            assert!(
                Model::new(occupancy, agreement).is_err(),
                "{occupancy} {agreement}"
            );
        }
        let message = Model::new(0.2, 0.1).unwrap_err().to_string();
        assert_eq!(
            message,
            "agreement is 0.1, but must be from 0.2, the occupancy, to 1"
        );
        assert_eq!(Model::new(0.2, 0.8).unwrap(), Model::BOOK);
        assert!(Model::BOOK.print(0, 1).is_err());
    }

    #[test]
    fn value_stability() {
        let one = Model::BOOK.print(128, 7).unwrap();
        assert_eq!(one.words(), [300053845662765248, 583783927798343936]);
        assert_eq!(
            Model::BOOK.again(&one, 7).words(),
            [300053845595197504, 7323037384870144]
        );
    }
}
