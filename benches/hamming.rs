//! Hamming search: `cargo bench --bench hamming` (`-- --quick` for a tenth of the codes).
use std::{hint::black_box, time::Instant};

use lookalike::engine::{Brute, Index};
use lookalike::hamming::{BitSampling, Blocks, Codes, Probing, generate};
use lookalike::{KeySource, LshFamily};

fn measure<S: KeySource<Item = [u64]>>(
    name: &str,
    source: S,
    codes: &Codes,
    queries: &Codes,
    places: &[u32],
    radius: f64,
) {
    let start = Instant::now();
    let index = Index::build(source, codes).unwrap();
    let build = start.elapsed().as_secs_f64();
    let mut query = index.query();
    let mut best = f64::MAX;
    let mut found = 0;
    let mut answers = 0;
    for _ in 0..5 {
        let start = Instant::now();
        found = 0;
        answers = 0;
        for (code, place) in queries.iter().zip(places) {
            let near = query.near(code, codes, radius).unwrap();
            answers += near.len();
            found += usize::from(near.iter().any(|near| near.id == *place));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!(
        "{name}: build {build:.2} s, {:.0} q/s, recall {:.4}, answers {answers}",
        queries.len() as f64 / best,
        found as f64 / queries.len() as f64
    );
}

fn main() {
    let n = 1_000_000;
    for (bits, radius) in [(256, 25), (64, 6)] {
        let codes = generate::random(bits, n, 1).unwrap();
        let (queries, places) = generate::neighbours(&codes, radius, 20_000, 2).unwrap();
        let r = f64::from(radius);
        let (some, _) = generate::neighbours(&codes, radius, 64, 2).unwrap();
        rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap()
            .install(|| {
                let mut best = f64::MAX;
                for _ in 0..3 {
                    let start = Instant::now();
                    black_box(Brute::new(&codes).unwrap().near(&some, r));
                    best = best.min(start.elapsed().as_secs_f64());
                }
                println!("{bits} brute {:.0} q/s", 64.0 / best);
                let family = BitSampling::new(bits).unwrap();
                let list: &[(u32, u32)] = if bits == 256 {
                    &[(20, 24), (18, 19), (22, 30)]
                } else {
                    &[(20, 31), (18, 23), (22, 41)]
                };
                for &(rows, tables) in list {
                    measure(
                        &format!("{bits} sampling {rows} x {tables}"),
                        family.and(rows).or(tables).draw(1).unwrap(),
                        &codes,
                        &queries,
                        &places,
                        r,
                    );
                }
                let list: &[(u32, u32)] = if bits == 256 {
                    &[(13, 1)]
                } else {
                    &[(3, 2), (4, 1)]
                };
                for &(m, f) in list {
                    measure(
                        &format!("{bits} blocks {m} flips {f}"),
                        Probing::new(&Blocks::new(bits, m).unwrap().at_most(22).unwrap(), m, f, 1)
                            .unwrap(),
                        &codes,
                        &queries,
                        &places,
                        r,
                    );
                }
            });
    }
}
