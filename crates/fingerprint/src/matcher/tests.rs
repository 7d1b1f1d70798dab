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

#[test]
fn a_print_is_most_like_itself() {
    for finger in 0..100 {
        let own = print(finger, 1);
        if own.minutiae().len() < 10 {
            continue;
        }
        // All the way round.
        let radians = 0.0628 * finger as f32 - PI;
        let itself = compare(&own, &own);
        // Every minutia with itself, nothing turned.
        assert!(itself.pairs.iter().all(|(a, b)| a == b));
        assert!(itself.rotation.abs() < 1e-3);
        let turned = compare(&own, &moved(&own, radians, (30.0, -40.0)));
        assert!((turned.rotation + radians).sin().abs() < 0.02, "{turned}");
        for other in [print(finger, 2), print(finger + 1, 1)] {
            let other = compare(&own, &other).score();
            assert!(itself.score() > other && turned.score() > other);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

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

/// Only what rounding puts on the other side of a limit may change, which now and then takes another seed. The rectangle that a
/// print fills does turn with it: what both prints have in common is counted anew.
#[test]
fn a_print_may_lie_anyhow_and_be_either_of_the_two() {
    let (mut clear, mut shifted, mut turned, mut swapped) = (0, 0, 0, 0);
    for finger in 0..100 {
        let (a, b) = (print(finger, 1), print(finger, 2));
        let still = compare(&a, &b);
        if still.score() < 5.0 {
            continue;
        }
        clear += 1;
        let like = |other: Comparison, share: f32| {
            u32::from((other.score() / still.score() - 1.0).abs() < share)
        };
        let radians = 0.06 * finger as f32;
        shifted += like(compare(&moved(&a, 0.0, (300.0, -70.0)), &b), 0.05);
        turned += like(compare(&a, &moved(&b, radians, (9.5, 80.2))), 0.35);
        swapped += like(compare(&b, &a), 0.3);
    }
    eprintln!("{clear} clear: {shifted} shifted, {turned} turned, {swapped} swapped are alike");
    assert!(clear > 80);
    for alike in [shifted, turned, swapped] {
        assert!(alike * 10 >= clear * 9);
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
