//! Generated prints beside the real ones of FVC2002: `LOOKALIKE_DATA` says where these are.
//!
//! The figures in the documentation of `generate` are those that this test prints.

use std::{
    collections::HashMap,
    env,
    f32::consts::{PI, TAU},
    fs,
    path::Path,
};

use lookalike_fingerprint::{
    DPI, Minutia,
    format::parse,
    generate::{Finger, Impression},
};

type Print = Vec<Minutia>;

/// The eight prints of each finger, forty fingers.
fn real() -> Option<Vec<Vec<Print>>> {
    let Some(folder) = env::var_os("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return None;
    };
    let print = |set: usize, finger: usize, impression: usize| {
        let name = format!("fingerprints/fvc2002-db{set}/{finger}_{impression}.xyt");
        let bytes = fs::read(Path::new(&folder).join(name)).unwrap();
        parse(&bytes, DPI).unwrap()[0].template.minutiae().to_vec()
    };
    let finger = |i: usize| {
        (1..=8)
            .map(|k| print(1 + i / 10, 101 + i % 10, k))
            .collect()
    };
    Some((0..40).map(finger).collect())
}

fn generated() -> Vec<Vec<Print>> {
    let finger = |seed: u64| {
        let finger = Finger::new(seed);
        let print = |k| Impression::default().of(&finger, 8 * seed + k);
        (0..8).map(|k| print(k).minutiae().to_vec()).collect()
    };
    (0..40).map(finger).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: Vec<_> = values.iter().map(|value| (value - mean).powi(2)).collect();
    self::mean(&squares).sqrt()
}

fn distance(a: &Minutia, b: &Minutia) -> f64 {
    (a.x - b.x).hypot(a.y - b.y).into()
}

/// From −π to π.
fn signed(radians: f32) -> f32 {
    (radians + PI).rem_euclid(TAU) - PI
}

/// What prints have each for itself.
fn alone(fingers: &[Vec<Print>]) -> Vec<(String, f64)> {
    let prints = || fingers.iter().flatten();
    let counts: Vec<_> = prints().map(|print| print.len() as f64).collect();
    let mut nearest = Vec::new();
    let (mut along, mut towards) = (vec![Vec::new(); 6], vec![Vec::new(); 6]);
    for print in prints() {
        for (i, a) in print.iter().enumerate() {
            let others = print.iter().enumerate().filter(|&(j, _)| j != i);
            let distances = others.map(|(_, b)| distance(a, b));
            nearest.push(distances.fold(f64::INFINITY, f64::min));
            for b in &print[..i] {
                let bin = (distance(a, b) / 25.0) as usize;
                if bin < 6 {
                    let turn = f64::from(a.direction - b.direction);
                    along[bin].push((2.0 * turn).cos());
                    towards[bin].push(turn.cos());
                }
            }
        }
    }
    nearest.sort_by(f64::total_cmp);
    let quantile = |share: f64| nearest[(share * nearest.len() as f64) as usize];
    let side = |place: fn(&Minutia) -> f32| {
        let extent = |print: &Print| {
            let places = || print.iter().map(place);
            f64::from(places().fold(0.0, f32::max) - places().fold(f32::INFINITY, f32::min))
        };
        mean(&prints().map(extent).collect::<Vec<_>>())
    };
    let mut rows = vec![
        ("minutiae, mean".into(), mean(&counts)),
        ("minutiae, sd".into(), sd(&counts)),
        ("nearest, mean px".into(), mean(&nearest)),
        ("nearest, 5%".into(), quantile(0.05)),
        ("nearest, 25%".into(), quantile(0.25)),
        ("nearest, 50%".into(), quantile(0.5)),
        ("nearest, 75%".into(), quantile(0.75)),
        ("nearest, 95%".into(), quantile(0.95)),
        ("width px".into(), side(|m| m.x)),
        ("height px".into(), side(|m| m.y)),
    ];
    for (bin, along) in along.iter().enumerate() {
        rows.push((format!("cos 2Δ, {} px", 25 * bin), mean(along)));
    }
    for (bin, towards) in towards.iter().enumerate().take(3) {
        rows.push((format!("cos Δ, {} px", 25 * bin), mean(towards)));
    }
    rows
}

/// A turn about the origin, then a move.
#[derive(Clone, Copy)]
struct Motion {
    turn: f32,
    right: f32,
    up: f32,
}

impl Motion {
    fn of(self, m: &Minutia) -> Minutia {
        let (sine, cosine) = self.turn.sin_cos();
        Minutia::new(
            cosine * m.x - sine * m.y + self.right,
            sine * m.x + cosine * m.y + self.up,
            m.direction + self.turn,
        )
    }

    /// The best for these pairs, by least squares.
    fn fit(pairs: &[(Minutia, Minutia)]) -> Self {
        let n = pairs.len() as f32;
        let sum = |of: &dyn Fn(&(Minutia, Minutia)) -> f32| pairs.iter().map(of).sum::<f32>() / n;
        let (ax, ay) = (sum(&|p| p.0.x), sum(&|p| p.0.y));
        let (bx, by) = (sum(&|p| p.1.x), sum(&|p| p.1.y));
        let sine = sum(&|p| (p.1.x - bx) * (p.0.y - ay) - (p.1.y - by) * (p.0.x - ax));
        let cosine = sum(&|p| (p.1.x - bx) * (p.0.x - ax) + (p.1.y - by) * (p.0.y - ay));
        let turn = sine.atan2(cosine);
        let (sine, cosine) = turn.sin_cos();
        Self {
            turn,
            right: ax - cosine * bx + sine * by,
            up: ay - sine * bx - cosine * by,
        }
    }
}

/// One-to-one, nearest first, within 15 pixels and half a radian.
fn pairs(a: &[Minutia], b: &[Minutia], motion: Motion) -> Vec<(Minutia, Minutia)> {
    let mut near = Vec::new();
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            let moved = motion.of(q);
            let far = distance(p, &moved);
            if far < 15.0 && signed(p.direction - moved.direction).abs() < 0.5 {
                near.push((far, i, j));
            }
        }
    }
    near.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (mut used, mut taken) = (vec![false; a.len()], vec![false; b.len()]);
    let mut pairs = Vec::new();
    for (_, i, j) in near {
        if !used[i] && !taken[j] {
            (used[i], taken[j]) = (true, true);
            pairs.push((a[i], b[j]));
        }
    }
    pairs
}

/// How `b` is best laid over `a`: each two minutiae vote for the motion that brings them together, and the places with
/// most votes are refined.
fn align(a: &[Minutia], b: &[Minutia]) -> (Motion, Vec<(Minutia, Minutia)>) {
    const TURN: f32 = 0.12;
    const STEP: f32 = 12.0;
    let mut votes: HashMap<[i32; 3], u32> = HashMap::new();
    for p in a {
        for q in b {
            let turn = signed(p.direction - q.direction);
            if turn.abs() > 0.8 {
                continue;
            }
            let still = Motion {
                turn,
                right: 0.0,
                up: 0.0,
            };
            let turned = still.of(q);
            let bin = [
                turn / TURN,
                (p.x - turned.x) / STEP,
                (p.y - turned.y) / STEP,
            ];
            let [t, x, y] = bin.map(|value| value.round() as i32);
            for near in 0..27 {
                let near = [t + near % 3 - 1, x + near / 3 % 3 - 1, y + near / 9 - 1];
                *votes.entry(near).or_default() += 1;
            }
        }
    }
    let mut votes: Vec<_> = votes.into_iter().map(|(bin, votes)| (votes, bin)).collect();
    votes.sort_by(|a, b| b.cmp(a));
    let refine = |&(_, [t, x, y]): &(u32, [i32; 3])| {
        let mut motion = Motion {
            turn: t as f32 * TURN,
            right: x as f32 * STEP,
            up: y as f32 * STEP,
        };
        for _ in 0..6 {
            let found = pairs(a, b, motion);
            if found.len() < 4 {
                break;
            }
            motion = Motion::fit(&found);
        }
        (motion, pairs(a, b, motion))
    };
    let refined = votes.iter().take(3).map(refine);
    refined.max_by_key(|(_, pairs)| pairs.len()).unwrap()
}

/// What the first print of each finger has with its others, where 12 minutiae at least can be paired.
fn together(fingers: &[Vec<Print>]) -> Vec<(String, f64)> {
    let (mut turns, mut moves, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let (mut directions, mut shares, mut overlaps) = (Vec::new(), Vec::new(), Vec::new());
    for prints in fingers {
        let middle = |print: &Print| {
            let n = print.len() as f32;
            let x = print.iter().map(|m| m.x).sum::<f32>() / n;
            let y = print.iter().map(|m| m.y).sum::<f32>() / n;
            Minutia::new(x, y, 0.0)
        };
        // About the middle of the first, so that a turn moves little.
        let about = middle(&prints[0]);
        let centred = |print: &Print| -> Print {
            let centre = |m: &Minutia| Minutia::new(m.x - about.x, m.y - about.y, m.direction);
            print.iter().map(centre).collect()
        };
        let first = centred(&prints[0]);
        for print in &prints[1..] {
            let print = centred(print);
            let (motion, pairs) = align(&first, &print);
            if pairs.len() < 12 {
                continue;
            }
            turns.push(f64::from(motion.turn));
            moves.extend([motion.right, motion.up].map(f64::from));
            for (a, b) in &pairs {
                let b = motion.of(b);
                places.extend([a.x - b.x, a.y - b.y].map(f64::from));
                directions.push(f64::from(signed(a.direction - b.direction)));
            }
            let moved: Print = print.iter().map(|m| motion.of(m)).collect();
            let among = |a: &Print, b: &Print| {
                let near = |p: &&Minutia| b.iter().any(|q| distance(p, q) < 35.0);
                a.iter().filter(near).count() as f64
            };
            let (of_first, of_other) = (among(&first, &moved), among(&moved, &first));
            shares.push(2.0 * pairs.len() as f64 / (of_first + of_other));
            overlaps.push((of_first / first.len() as f64 + of_other / moved.len() as f64) / 2.0);
        }
    }
    vec![
        ("pairs of prints aligned".into(), turns.len() as f64),
        ("turn, sd rad".into(), sd(&turns)),
        ("move, sd px".into(), sd(&moves)),
        ("places, sd px".into(), sd(&places)),
        ("directions, sd rad".into(), sd(&directions)),
        ("overlap".into(), mean(&overlaps)),
        ("paired in the overlap".into(), mean(&shares)),
    ]
}

#[test]
fn generated_prints_are_like_real_ones() {
    let Some(real) = real() else {
        return;
    };
    let generated = generated();
    let rows = |fingers: &[Vec<Print>]| [alone(fingers), together(fingers)].concat();
    let (real, generated) = (rows(&real), rows(&generated));
    for ((name, real), (_, generated)) in real.iter().zip(&generated) {
        eprintln!("{name:24} {real:8.3} {generated:8.3}");
    }
    for ((name, real), (_, generated)) in real.iter().zip(&generated) {
        // Correlations have a scale of their own.
        let tolerance = if name.starts_with("cos") {
            0.15
        } else {
            0.2 * real
        };
        assert!(
            (real - generated).abs() <= tolerance,
            "{name}: {real} {generated}"
        );
    }
}
