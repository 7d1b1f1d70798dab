//! How often conformance sees each wrong family of the table in `docs/conformance.md`, and how long it takes.
//!
//! `conformance_power [SEEDS]`: rows of a Markdown table, for as many seeds (100 if not given) and both efforts.

#[expect(dead_code, reason = "the right families are for the tests")]
#[path = "../tests/specimens/mod.rs"]
mod specimens;

mod cpu_time;

use cpu_time::mean_seconds;
use lookalike_core::conformance::{Conformance, Effort};
use specimens::{
    bit_sampling::{self, BitSampling, Hamming},
    faults::TABLE,
    min_hash::{self, Jaccard, MinHash},
};

/// Runs of a right family that are timed.
const RUNS: u64 = 10;

fn main() {
    let seeds = std::env::args()
        .nth(1)
        .map_or(100, |seeds| seeds.parse().expect("a number of seeds"));
    let efforts = [Effort::QUICK, Effort::THOROUGH];
    println!("| wrong family | quick | thorough |\n|---|---|---|");
    for wrong in TABLE {
        let detected = efforts.map(|effort| {
            (0..seeds)
                .filter(|&seed| (wrong.run)(effort, seed).is_err())
                .count()
        });
        println!("| {} | {} | {} |", wrong.name, detected[0], detected[1]);
    }
    println!("\n| right family | quick, CPU seconds | thorough, CPU seconds |\n|---|---|---|");
    let test = Conformance::new(Hamming, bit_sampling::pairs(64))
        .distances([0.0, 2.0, 6.0, 16.0, 32.0, 64.0]);
    let took = efforts.map(|effort| {
        mean_seconds(RUNS, |seed| {
            test.clone()
                .effort(effort)
                .seed(seed)
                .check(&BitSampling::new(64))
                .expect("a right family");
        })
    });
    println!(
        "| bit sampling, 64 bits | {:.2} | {:.2} |",
        took[0], took[1]
    );
    let test = Conformance::new(Jaccard, min_hash::pairs(40));
    let took = efforts.map(|effort| {
        mean_seconds(RUNS, |seed| {
            test.clone()
                .effort(effort)
                .seed(seed)
                .check(&MinHash)
                .expect("a right family");
        })
    });
    println!("| minhash, sets of 40 | {:.2} | {:.2} |", took[0], took[1]);
}
