//! What a scheme promises over functions of one fast similarity sketch, which depend on each other.
//!
//! Let X_i say whether two sets agree in slot i, J their similarity, n the elements of their union. Take as given how many
//! elements come to which slot in which round, and which of them is the least of its slot. Then who these elements are is
//! still a random order, and X_i = 1 if the one that settled slot i is common to both sets:
//!
//! - Slots that are settled in one round belong to different elements, so their X are drawn *without* replacement from n
//!   elements of which J·n are common; slots of different rounds are independent. Draws without replacement are
//!   negatively associated (Joag-Dev and Proschan 1983), and Pr\[X_i = 1\] = J whatever was taken as given. So are
//!   functions of disjoint slots, such as bands: Pr\[no band agrees\] is at most the product over the bands.
//! - The number of slots that agree is at most as spread as a binomial one in every convex sense (Hoeffding 1963,
//!   theorem 4). By symmetry of the slots the probability f of a candidate depends on that number alone. So where f is
//!   concave in J, above its steepest point, the truth is at least the formula f(J) of independent functions; where it is
//!   convex, at most.
//! - Cov(X_i, X_j) = −J(1−J)·q/(n−1), if q is the probability that both slots are settled in one round. With
//!   q = (1 − 2(1−1/k)^n + (1−2/k)^n) / (1 − (1−2/k)^n), the largest q/(n−1) is 1/(2(k−1)), for n = 2. So f changes by at
//!   most −J(1−J)/(4(k−1)) · f''(J), up to terms of higher order: [`HIGHER_ORDERS`] and [`NEAR_THE_TURN`] make room for
//!   these, and a test measures that they do.
//!
//! The estimate is the better one where it matters, near a recall of 1, and Dahlgaard, Knudsen and Thorup (*Fast
//! Similarity Sketching*, FOCS 2017) prove the same of the mean of all X: it is as concentrated as for independent ones.

use lookalike_core::{Bounds, Probability, Scheme, Step};

/// How much larger than the first-order term the difference may be.
const HIGHER_ORDERS: f64 = 1.3;
/// The difference near the turn of the curve, where the first-order term vanishes, over f(1−f)/k.
const NEAR_THE_TURN: f64 = 1.0;

/// The promise of a scheme at a similarity.
pub(crate) fn bounds(scheme: &Scheme, similarity: Probability) -> Bounds {
    let independent = scheme.probability(similarity);
    let functions = f64::from(scheme.functions());
    if functions < 2.0 {
        return Bounds::exact(independent);
    }
    let j = similarity.value();
    let bend = second_derivative(scheme, j);
    let change = HIGHER_ORDERS * j * (1.0 - j) / (4.0 * (functions - 1.0)) * bend;
    let f = independent.value();
    let turn = NEAR_THE_TURN * f * (1.0 - f) / functions;
    // Where the curve bends down the formula is a lower bound, where it bends up an upper one.
    let (lower, upper) = match bend < 0.0 {
        true => (f, f - change + turn),
        false => (f - change - turn, f),
    };
    let [lower, upper] = [lower, upper].map(Probability::saturating);
    Bounds::new(lower, upper).expect("the change has the sign of the bend")
}

/// f'' of the probability f of a candidate, over the probability that one function agrees.
fn second_derivative(scheme: &Scheme, p: f64) -> f64 {
    /// x^n, and its first two derivatives, of x with its own.
    fn power([x, dx, ddx]: [f64; 3], n: u32) -> [f64; 3] {
        let r = f64::from(n);
        let to = |exponent: f64| x.powf(exponent);
        let slope = r * to(r - 1.0);
        let bend = if n < 2 {
            0.0
        } else {
            r * (r - 1.0) * to(r - 2.0)
        };
        [to(r), slope * dx, bend * dx * dx + slope * ddx]
    }
    /// 1 − x.
    fn complement([x, dx, ddx]: [f64; 3]) -> [f64; 3] {
        [1.0 - x, -dx, -ddx]
    }
    let through = |p, step: &Step| match *step {
        Step::And(n) => power(p, n),
        Step::Or(n) => complement(power(complement(p), n)),
    };
    scheme.steps().iter().fold([p, 1.0, 0.0], through)[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Banding;

    fn p(value: f64) -> Probability {
        Probability::new(value).unwrap()
    }

    #[test]
    fn the_second_derivative_is_that_of_differences() {
        for text in ["and:7,or:13", "or:5", "and:4", "or:3,and:4,or:2", "and:1"] {
            let scheme: Scheme = text.parse().unwrap();
            for j in [0.2, 0.5, 0.8] {
                let f = |j| scheme.probability(p(j)).value();
                let h = 1e-4;
                let expected = (f(j + h) - 2.0 * f(j) + f(j - h)) / (h * h);
                let found = second_derivative(&scheme, j);
                assert!(
                    (found - expected).abs() < 1e-4 * (1.0 + expected.abs()),
                    "{text} {j}: {found} {expected}"
                );
            }
        }
    }

    /// Both bounds fall with the distance, lie around the formula, and meet at the ends.
    #[test]
    fn bounds_are_monotone() {
        for (bands, rows) in [
            (1, 1),
            (1, 7),
            (2, 2),
            (5, 1),
            (13, 7),
            (16, 8),
            (20, 5),
            (3, 40),
            (100, 1),
            (64, 2),
        ] {
            let scheme = Banding::new(bands, rows).unwrap().scheme();
            let at = |step: u32| bounds(&scheme, p(f64::from(step) / 1000.0));
            for step in 0..1000 {
                let (far, near) = (at(step), at(step + 1));
                assert!(
                    far.lower().value() <= near.lower().value() + 1e-12,
                    "{bands} × {rows} at {step}"
                );
                assert!(
                    far.upper().value() <= near.upper().value() + 1e-12,
                    "{bands} × {rows} at {step}"
                );
            }
            assert_eq!(
                (at(0), at(1000)),
                (Bounds::exact(p(0.0)), Bounds::exact(p(1.0)))
            );
        }
    }
}
