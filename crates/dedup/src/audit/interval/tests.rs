use lookalike_core::random::derive;

use super::super::degrees::Degree;
use super::*;

fn close(measured: Measured, low: f64, high: f64) {
    let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
    assert!(
        near(measured.low, low) && near(measured.high, high),
        "{measured:?}"
    );
}

fn some_of(sampled: u64) -> Drawn {
    Drawn {
        sampled,
        all: 1 << 60,
    }
}

/// Values that tables of the exact interval have.
#[test]
fn the_interval_of_independent_draws() {
    close(Measured::of_draws(10, some_of(10)).unwrap(), 0.691_503, 1.0);
    close(Measured::of_draws(0, some_of(10)).unwrap(), 0.0, 0.308_497);
    close(
        Measured::of_draws(5, some_of(10)).unwrap(),
        0.187_086,
        0.812_914,
    );
    close(
        Measured::of_draws(99, some_of(100)).unwrap(),
        0.945_541,
        0.999_747,
    );
}

#[test]
fn what_is_measured_completely_is_exact() {
    let all = Drawn { sampled: 7, all: 7 };
    assert_eq!(
        Measured::of_draws(3, all),
        Some(Measured::exactly(3.0 / 7.0))
    );
    let rows: Degrees = [Degree { of: 4, found: 1 }].into_iter().collect();
    assert_eq!(
        Measured::of_pairs(&rows, &rows, all),
        Some(Measured::exactly(0.25))
    );
    let nothing = Drawn { sampled: 0, all: 0 };
    assert_eq!(Measured::of_draws(0, nothing), None);
    assert_eq!(
        Measured::of_pairs(&Degrees::default(), &Degrees::default(), nothing),
        None
    );
}

/// If 400 of 1000 are drawn and all are good, 8 bad ones would show with probability 1 − .6^8 = .983, 7 with less than .975.
#[test]
fn without_a_miss_the_interval_is_that_of_draws_that_are_not_put_back() {
    let drawn = Drawn {
        sampled: 400,
        all: 1000,
    };
    let low = Measured::of_draws(400, drawn).unwrap().low;
    let bad = 1000.0 * (1.0 - low);
    assert!((7.0..8.0).contains(&bad), "{bad}");
    assert!((drawn.unseen() - (0.025f64).ln() / 0.6f64.ln()).abs() < 1e-12);
}

/// Ten documents with ten pairs each are worth ten documents with one, as long as nothing else is known.
#[test]
fn the_pairs_of_a_document_may_be_missed_together() {
    let rows = |of: u32| -> Degrees { (0..10).map(|_| Degree { of, found: of }).collect() };
    let measured = |of| Measured::of_pairs(&rows(of), &rows(1), some_of(100)).unwrap();
    assert_eq!(measured(10), measured(1));
    close(measured(1), 0.691_503, 1.0);
}

/// Thirty documents of a cluster of a hundred were drawn, and each misses one of the others. If it is the same one, it has
/// a hundred misses itself, and the drawn ones do not show it.
#[test]
fn a_document_that_many_miss_widens_the_interval() {
    let rows: Degrees = (0..30).map(|_| Degree { of: 99, found: 98 }).collect();
    let width = |missed: &[u32]| {
        let degree = |&missed: &u32| Degree {
            of: 30,
            found: 30 - missed,
        };
        let columns: Degrees = missed.iter().map(degree).collect();
        let drawn = Drawn {
            sampled: 30,
            all: 300,
        };
        let measured = Measured::of_pairs(&rows, &columns, drawn).unwrap();
        measured.high - measured.low
    };
    let mut by_many = vec![0; 99];
    by_many[0] = 30;
    let mut by_one_each = vec![0; 99];
    by_one_each[..30].fill(1);
    assert!(width(&by_many) > 2.0 * width(&by_one_each));
}

#[test]
fn certain_pairs_narrow_the_interval() {
    let different = Measured {
        share: 0.8,
        low: 0.6,
        high: 0.9,
        is_exact: false,
    };
    let others = Number {
        estimate: 100.0,
        low: 50.0,
        high: 300.0,
    };
    let joined = different.joined_by(others, 100.0);
    let expected = [1.0 - 0.2 / 2.0, 1.0 - 0.4 * 0.75, 1.0 - 0.1 / 3.0];
    for (found, expected) in [joined.share, joined.low, joined.high].iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{joined:?}");
    }
    assert_eq!(different.joined_by(others, 0.0), different);
}

/// How pairs of a cluster are missed.
#[derive(Clone, Copy, Debug)]
enum Misses {
    /// Each by itself.
    Pairs,
    /// All of a document.
    Documents,
    /// All of a cluster.
    Clusters,
}

/// Numbers below a limit, one after the other.
struct Draws {
    seed: u64,
    next: u64,
}

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.next += 1;
        (derive(self.seed, self.next) % limit as u64) as usize
    }

    fn is(&mut self, probability: f64) -> bool {
        self.below(1 << 30) as f64 / f64::from(1 << 30) < probability
    }
}

/// The pairs of clusters of these sizes, each with whether it is found.
fn pairs(sizes: &[usize], q: f64, misses: Misses, draws: &mut Draws) -> Vec<(usize, usize, bool)> {
    let mut pairs = Vec::new();
    let mut first = 0;
    for &size in sizes {
        let cluster = draws.is(q);
        let documents: Vec<bool> = (0..size).map(|_| draws.is(q)).collect();
        for i in 0..size {
            for j in 0..i {
                let is_missed = match misses {
                    Misses::Pairs => draws.is(q),
                    Misses::Documents => documents[i] || documents[j],
                    Misses::Clusters => cluster,
                };
                pairs.push((first + i, first + j, !is_missed));
            }
        }
        first += size;
    }
    pairs
}

/// Draws documents: the degrees of those that were drawn and of all, and how many were drawn.
fn sample(
    pairs: &[(usize, usize, bool)],
    documents: usize,
    sample: usize,
    draws: &mut Draws,
) -> (Degrees, Degrees, Drawn) {
    let mut order: Vec<usize> = (0..documents).collect();
    let mut is_drawn = vec![false; documents];
    for i in 0..sample {
        let other = i + draws.below(documents - i);
        order.swap(i, other);
        is_drawn[order[i]] = true;
    }
    let mut rows = vec![Degree::default(); documents];
    let mut columns = rows.clone();
    for &(a, b, found) in pairs {
        for (drawn, other) in [(a, b), (b, a)] {
            if is_drawn[drawn] {
                for degree in [&mut rows[drawn], &mut columns[other]] {
                    degree.of += 1;
                    degree.found += u32::from(found);
                }
            }
        }
    }
    let drawn = Drawn {
        sampled: sample as u64,
        all: documents as u64,
    };
    let sums = |degrees: Vec<Degree>| degrees.into_iter().collect::<Degrees>();
    (sums(rows), sums(columns), drawn)
}

/// Clusters of different sizes among documents: pairs, equal ones, many sizes, and a few that have most of the pairs.
fn corpora() -> [(usize, Vec<usize>); 4] {
    let mut skewed: Vec<usize> = (0..200).map(|i| 2 + 60 / (i + 1)).collect();
    skewed.sort_unstable();
    [
        (2000, vec![2; 300]),
        (2000, vec![8; 60]),
        (2000, (0..60).map(|i| 2 + i % 19).collect()),
        (4000, skewed),
    ]
}

/// In every one of these, the interval holds the true share at least 93 times of 100.
#[test]
fn the_interval_holds_the_truth() {
    const DRAWS: u64 = 100;
    for (documents, sizes) in corpora() {
        for misses in [Misses::Pairs, Misses::Documents, Misses::Clusters] {
            for (q, size) in [
                (0.002, 400),
                (0.02, 400),
                (0.1, 100),
                (0.1, 1000),
                (0.4, 400),
            ] {
                let (mut held, mut width) = (0, 0.0);
                for seed in 0..DRAWS {
                    let mut draws = Draws { seed, next: 0 };
                    let pairs = pairs(&sizes, q, misses, &mut draws);
                    let found = pairs.iter().filter(|pair| pair.2).count();
                    let truth = found as f64 / pairs.len() as f64;
                    let (rows, columns, drawn) = sample(&pairs, documents, size, &mut draws);
                    let measured = Measured::of_pairs(&rows, &columns, drawn).unwrap();
                    held += u32::from((measured.low..=measured.high).contains(&truth));
                    width += (measured.high - measured.low) / DRAWS as f64;
                }
                let what = format!("{misses:?}, {q}, {size} of {documents}: {held}, {width}");
                assert!(held >= 93, "{what}");
                // Not by being as wide as can be.
                assert!(size < 400 || width < 0.4, "{what}");
            }
        }
    }
}

/// At every sample size, the interval of the number of similar pairs holds it in 94 of 100 draws or more, over 300 seeds.
#[test]
fn the_interval_of_the_number_of_pairs_holds_it_at_every_sample_size() {
    const DRAWS: u64 = 300;
    let mut short = Vec::new();
    for (documents, sizes) in corpora() {
        for misses in [Misses::Pairs, Misses::Documents, Misses::Clusters] {
            for q in [0.02, 0.1] {
                for size in [1, 2, 5, 10, 20, 50, 100, 200, 400, 1000] {
                    let (mut held, mut factor) = (0, 0.0);
                    for seed in 0..DRAWS {
                        let mut draws = Draws { seed, next: 0 };
                        let pairs = pairs(&sizes, q, misses, &mut draws);
                        let truth = pairs.len() as f64;
                        let found = pairs.iter().filter(|pair| pair.2).count() as f64;
                        let (rows, columns, drawn) = sample(&pairs, documents, size, &mut draws);
                        let share = Measured::of_pairs(&rows, &columns, drawn);
                        let number = Number::of_pairs(&rows, drawn, share, Number::exactly(found));
                        assert!(number.low <= number.estimate && number.estimate <= number.high);
                        held += u64::from((number.low..=number.high).contains(&truth));
                        factor += number.high / number.low / DRAWS as f64;
                    }
                    let what = format!(
                        "{misses:?}, {q}, {size} of {documents}: {held} of {DRAWS}, a factor of {factor:.2}"
                    );
                    if held * 100 < 94 * DRAWS || size >= 400 && factor > 1.6 {
                        short.push(what);
                    }
                }
            }
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}
