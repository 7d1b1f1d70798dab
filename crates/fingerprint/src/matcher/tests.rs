use std::f32::consts::PI;

use proptest::prelude::*;

use super::*;
use crate::generate::{Finger, Impression};

fn print(finger: u64, seed: u64) -> Template {
    Impression::default().of(&Finger::new(finger), seed)
}

fn compare(a: &Template, b: &Template) -> Comparison {
    let matcher = Matcher::default();
    matcher.compare(&matcher.prepare(a), &matcher.prepare(b))
}

/// The same print, turned and then shifted.
fn moved(template: &Template, radians: f32, shift: (f32, f32)) -> Template {
    let (sin, cos) = radians.sin_cos();
    let place = |minutia: &Minutia| {
        let (x, y) = (minutia.x, minutia.y);
        Minutia::new(
            cos * x - sin * y + shift.0,
            sin * x + cos * y + shift.1,
            minutia.direction + radians,
        )
    };
    let minutiae = template.minutiae().iter().map(place).collect();
    Template::new(minutiae, template.dpi()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Only what rounding puts on the other side of a limit may change. The rectangle that a print fills does turn with
    /// it: what both prints have in common is counted anew.
    #[test]
    fn a_print_may_lie_anyhow(
        finger in 0u64..1000, radians in -PI..PI, shift in (-500.0f32..500.0, -500.0f32..500.0), first in any::<bool>(),
    ) {
        let (a, b) = (print(finger, 1), print(finger, 2));
        let still = compare(&a, &b);
        let turned = match first {
            true => compare(&moved(&a, radians, shift), &b),
            false => compare(&a, &moved(&b, radians, shift)),
        };
        let shifted = compare(&moved(&a, 0.0, (shift.0.round(), shift.1.round())), &b);
        let near = |a: f32, b: f32, share: f32| (a - b).abs() <= share * a.max(b) + 0.1;
        prop_assert!(near(still.score(), shifted.score(), 0.05), "{} {}", still, shifted);
        if still.score() > 3.0 {
            prop_assert!(near(still.closeness, turned.closeness, 0.15), "{} {}", still, turned);
            prop_assert!(near(still.score(), turned.score(), 0.35), "{} {}", still, turned);
        }
    }

    #[test]
    fn a_print_is_most_like_itself(finger in 0u64..1000, radians in -PI..PI) {
        let own = print(finger, 1);
        prop_assume!(own.minutiae().len() >= 10);
        let itself = compare(&own, &own);
        // Every minutia with itself, nothing turned.
        prop_assert!(itself.pairs.iter().all(|(a, b)| a == b));
        prop_assert!(itself.rotation.abs() < 1e-3);
        let turned = compare(&own, &moved(&own, radians, (30.0, -40.0)));
        prop_assert!((turned.rotation + radians).sin().abs() < 0.02, "{}", turned);
        for other in [print(finger, 2), print(finger + 1, 1)] {
            let other = compare(&own, &other).score();
            prop_assert!(itself.score() > other && turned.score() > other);
        }
    }

    /// Which print is laid over which hardly matters.
    #[test]
    fn both_ways_are_alike(finger in 0u64..1000) {
        let (a, b) = (print(finger, 1), print(finger, 2));
        let (there, back) = (compare(&a, &b), compare(&b, &a));
        if there.score().max(back.score()) > 5.0 {
            let ratio = there.score() / back.score();
            prop_assert!((0.75..1.34).contains(&ratio), "{} {}", there, back);
        }
    }

    /// Whatever is there: places are paired one to one and within both prints.
    #[test]
    fn nothing_panics(
        places in prop::collection::vec((-65536.0f32..65536.0, -65536.0f32..65536.0, 0.0f32..6.0), 0..30),
        scale in prop::sample::select(vec![1e-5f32, 1e-3, 1.0]), finger in 0u64..100,
    ) {
        let minutiae = places.iter().map(|&(x, y, d)| Minutia::new(x * scale, y * scale, d)).collect();
        let any = Template::new(minutiae, 500.0).unwrap();
        let real = print(finger, 1);
        for (a, b) in [(&any, &real), (&real, &any), (&any, &any)] {
            let found = compare(a, b);
            prop_assert!(found.score().is_finite() && found.score() >= 0.0);
            let (mut of_a, mut of_b): (Vec<u8>, Vec<u8>) = found.pairs.iter().copied().unzip();
            for (of, print) in [(&mut of_a, a), (&mut of_b, b)] {
                of.sort_unstable();
                of.dedup();
                prop_assert_eq!(of.len(), found.pairs.len());
                prop_assert!(of.iter().all(|&place| usize::from(place) < print.minutiae().len()));
            }
        }
    }
}

#[test]
fn tiny_prints_are_like_nothing() {
    let real = print(1, 1);
    for few in 0..3 {
        let tiny = Template::new(real.minutiae()[..few].to_vec(), 500.0).unwrap();
        for other in [&real, &tiny] {
            assert_eq!(compare(&tiny, other), Comparison::default());
            assert_eq!(compare(other, &tiny).score(), 0.0);
        }
    }
    // All at one place: no edges.
    let heap = Template::new(vec![Minutia::new(5.0, 5.0, 1.0); 300], 500.0).unwrap();
    assert_eq!(compare(&heap, &heap).score(), 0.0);
}

/// Memory that was used before changes nothing.
#[test]
fn work_is_forgotten() {
    let matcher = Matcher::default();
    let prints: Vec<Prepared> = (0..6).map(|i| matcher.prepare(&print(i / 2, i))).collect();
    let mut work = Work::default();
    for a in &prints {
        for b in &prints {
            let again = matcher.compare_with(a, b, &mut work);
            assert_eq!(again, matcher.compare(a, b));
        }
    }
}
