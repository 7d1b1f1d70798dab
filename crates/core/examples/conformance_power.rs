//! How often conformance sees each wrong family of the table in `docs/conformance.md`, and how long it takes.
//!
//! `conformance_power [SEEDS]`: rows of a Markdown table, for as many seeds (100 if not given) and both efforts.

#[expect(dead_code, reason = "the right families are for the tests")]
#[path = "../tests/specimens/mod.rs"]
mod specimens;

use std::time::Instant;

use lookalike_core::conformance::{Conformance, Effort};
use specimens::{
    bit_sampling::{self, BitSampling, Hamming},
    faults::TABLE,
    min_hash::{self, Jaccard, MinHash},
};

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
    println!("\n| plain family | quick, seconds | thorough, seconds |\n|---|---|---|");
    let test = Conformance::new(Hamming, bit_sampling::pairs(64))
        .distances([0.0, 2.0, 6.0, 16.0, 32.0, 64.0]);
    let took = efforts.map(|effort| {
        seconds(|seed| {
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
        seconds(|seed| {
            test.clone()
                .effort(effort)
                .seed(seed)
                .check(&MinHash)
                .expect("a right family");
        })
    });
    println!("| minhash, sets of 40 | {:.2} | {:.2} |", took[0], took[1]);
}

/// The fastest of three runs.
fn seconds(run: impl Fn(u64)) -> f64 {
    let took = (0..3).map(|seed| {
        let start = Instant::now();
        run(seed);
        start.elapsed().as_secs_f64()
    });
    took.fold(f64::INFINITY, f64::min)
}
