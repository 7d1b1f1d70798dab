//! Signatures of vectors, one by one and in batches.
//!
//! `cargo bench -p lookalike-vector --bench signatures` prints, for each family, dimension and number of functions, the
//! nanoseconds of CPU time per vector and function, the best of several rounds: each vector alone, and 64 together.

use std::{fs, hint::black_box, time::Instant};

use lookalike_core::{LshFamily, LshFunctions};
use lookalike_vector::{
    Vectors,
    families::{CauchyLines, CrossPolytope, Hyperplanes, RandomLines},
    generate,
};

const VECTORS: usize = 20_000;
const ROUNDS: usize = 4;
const BATCH: usize = 64;
/// The smallest time that is measured, by hashing again and again.
const LEAST: f64 = 0.2;

fn main() {
    for dimensions in [100, 784] {
        let (vectors, _) = generate::clustered::<f32>(dimensions, VECTORS, 500, 0.5, 1).unwrap();
        for functions in [64, 1024] {
            let shown = format!("{dimensions} dimensions, {functions} functions");
            let lines = RandomLines::new(dimensions, 4.0).unwrap();
            let cauchy = CauchyLines::new(dimensions, 4.0).unwrap();
            measure(
                "hyperplanes",
                &shown,
                &Hyperplanes::new(dimensions),
                functions,
                &vectors,
            );
            measure("random-lines", &shown, &lines, functions, &vectors);
            measure("cauchy-lines", &shown, &cauchy, functions, &vectors);
        }
        for directions in [16, 128] {
            let cross = CrossPolytope::new(dimensions, directions).unwrap();
            let shown = format!("{dimensions} dimensions, {directions} directions, 16 functions");
            measure("cross-polytope", &shown, &cross, 16, &vectors);
        }
    }
}

fn measure<F: LshFamily<Item = [f32]>>(
    name: &str,
    shown: &str,
    family: &F,
    functions: usize,
    vectors: &Vectors,
) {
    let drawn = family.draw(functions, 1);
    let rows: Vec<&[f32]> = vectors.rows().collect();
    // Long signatures of fewer vectors: a pass takes about as long.
    let rows = &rows[..VECTORS.min(VECTORS * 128 / functions)];
    let mut scratch = Default::default();
    let mut keys = vec![Default::default(); BATCH * functions];
    let (mut alone, mut together) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        alone = alone.min(seconds(|| {
            for row in rows {
                drawn.hash_into(row, &mut scratch, &mut keys[..functions]);
                black_box(&keys);
            }
        }));
        together = together.min(seconds(|| {
            for rows in rows.chunks(BATCH) {
                drawn.hash_all_into(rows, &mut scratch, &mut keys[..rows.len() * functions]);
                black_box(&keys);
            }
        }));
    }
    let each = 1e9 / (rows.len() * functions) as f64;
    println!(
        "{name:>15} {shown}: {:.2} ns alone, {:.2} ns in batches, {:.2} times as fast",
        alone * each,
        together * each,
        alone / together
    );
}

/// Seconds of CPU time that work takes.
fn seconds(mut work: impl FnMut()) -> f64 {
    let (start, mut times) = (cpu(), 0);
    loop {
        work();
        times += 1;
        let taken = cpu() - start;
        if taken >= LEAST {
            return taken / f64::from(times);
        }
    }
}

/// Seconds that this thread has run; where the system does not say, seconds that went by.
fn cpu() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.with(|start| start.elapsed().as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}
