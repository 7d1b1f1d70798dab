use std::collections::BTreeSet;

use super::*;
use crate::generate::{Finger, Impression};

fn keys(triples: Triples, template: &Template) -> BTreeSet<(u64, Frame)> {
    let source = LocalTriples::new(triples).unwrap();
    let mut keys = BTreeSet::new();
    let emit = |band, key, frame| assert!(band == 0 && keys.insert((key, frame)));
    source
        .keys(template, &mut Default::default(), emit)
        .unwrap();
    keys
}

fn probes(triples: Triples, template: &Template) -> BTreeSet<(u64, Frame)> {
    let source = LocalTriples::new(triples).unwrap();
    let mut keys = BTreeSet::new();
    let emit = |_, key, frame| _ = keys.insert((key, frame));
    source
        .probes(template, &mut Default::default(), emit)
        .unwrap();
    keys
}

fn alone(keys: &BTreeSet<(u64, Frame)>) -> BTreeSet<u64> {
    keys.iter().map(|key| key.0).collect()
}

/// The same print, turned and shifted.
fn moved(template: &Template, radians: f32, shift: (f32, f32)) -> Template {
    let (sin, cos) = radians.sin_cos();
    let place = |minutia: &Minutia| {
        let (x, y) = (minutia.x, minutia.y);
        Minutia {
            x: cos * x - sin * y + shift.0,
            y: sin * x + cos * y + shift.1,
            direction: turn(minutia.direction + radians),
            ..*minutia
        }
    };
    Template::new(
        template.minutiae().iter().map(place).collect(),
        template.dpi(),
    )
    .unwrap()
}

#[test]
fn keys_do_not_depend_on_how_the_finger_was_laid_down() {
    for triples in [Triples::accurate(), Triples::fast()] {
        for seed in 0..10 {
            // Not rounded to pixels, which would put many minutiae on borders.
            let print = Template::new(Finger::new(seed).minutiae().to_vec(), 500.0).unwrap();
            let stored = alone(&keys(triples, &print));
            let turned = moved(&print, 0.7 * seed as f32, (300.0, -40.0));
            let again = alone(&keys(triples, &turned));
            // Rounding may put a minutia that lies on a border on its other side.
            let common = stored.intersection(&again).count();
            assert!(
                common * 100 > stored.len() * 98,
                "{common} of {}",
                stored.len()
            );
            // Which is what asking across borders is for.
            let asked = alone(&probes(triples, &turned));
            let found = stored.intersection(&asked).count();
            assert!(
                found * 1000 > stored.len() * 995,
                "{found} of {}",
                stored.len()
            );
        }
    }
}

#[test]
fn a_query_asks_for_what_is_stored_and_more() {
    let print = Impression::default().of(&Finger::new(3), 1);
    for triples in [Triples::accurate(), Triples::fast()] {
        let none = Triples {
            crossings: 0,
            ..triples
        };
        assert_eq!(probes(none, &print), keys(triples, &print));
        let mut last = keys(triples, &print);
        for crossings in 0..=triples.crossings {
            let asked = probes(
                Triples {
                    crossings,
                    ..triples
                },
                &print,
            );
            assert!(asked.is_superset(&last));
            last = asked;
        }
    }
}

#[test]
fn a_share_of_the_functions_is_drawn() {
    let print = Impression::default().of(&Finger::new(3), 1);
    let all = keys(Triples::fast(), &print);
    let half = |seed| {
        keys(
            Triples {
                share: 0.5,
                seed,
                ..Triples::fast()
            },
            &print,
        )
    };
    let (one, other) = (half(1), half(2));
    assert!(one.is_subset(&all) && other.is_subset(&all) && one != other);
    // Keys are few hundred; a standard error is below a twentieth of them.
    let share = one.len() as f64 / all.len() as f64;
    assert!((share - 0.5).abs() < 0.2, "{share}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let fast = Triples::fast;
    let wrong = [
        Triples {
            squares: 1,
            ..fast()
        },
        Triples {
            neighbours: 2,
            ..fast()
        },
        Triples {
            radius: f32::NAN,
            ..fast()
        },
        Triples {
            cell: 0.5,
            ..fast()
        },
        Triples {
            cell: f32::NAN,
            ..fast()
        },
        Triples {
            sectors: 0,
            ..fast()
        },
        Triples {
            tolerance: 6.0,
            ..fast()
        },
        Triples {
            turn: -0.1,
            ..fast()
        },
        Triples {
            share: 0.0,
            ..fast()
        },
    ];
    for wrong in wrong {
        assert!(LocalTriples::new(wrong).is_err(), "{wrong:?}");
    }
    let many = Triples {
        crossings: 3,
        ..fast()
    };
    let error = LocalTriples::new(many).unwrap_err().to_string();
    assert!(error.contains("more than the limit of 65536"), "{error}");
}

#[test]
fn prints_without_neighbours_have_no_keys() {
    for minutiae in [vec![], vec![Minutia::new(5.0, 5.0, 1.0); 2]] {
        let print = Template::new(minutiae, 500.0).unwrap();
        assert!(probes(Triples::fast(), &print).is_empty());
    }
}

#[test]
fn value_stability() {
    let place = |i: u8| {
        Minutia::new(
            37.3 * f32::from(i % 3),
            29.1 * f32::from(i / 3),
            0.9 * f32::from(i),
        )
    };
    let print = Template::new((0..6).map(place).collect(), 500.0).unwrap();
    let first = |triples| keys(triples, &print).first().map(|key| key.0);
    assert_eq!(first(Triples::accurate()), Some(409422654157157976));
    assert_eq!(first(Triples::fast()), Some(687554914454820208));
}
