//! How it is done, and what came of it: on stderr, so that stdout has nothing but results.

use std::io::{self, Write};

use lookalike::hamming::{Codes, Method, Plan};

use crate::number::{bytes, seconds};

/// What was chosen, and what to expect of it.
pub(super) fn plan(codes: &Codes, plan: &Plan, radius: u32) -> io::Result<()> {
    let mut to = io::stderr().lock();
    let (count, bits) = (codes.len(), codes.bit_length());
    writeln!(to, "{count} codes of {bits} bits, radius {radius}")?;
    match plan.method {
        Method::BruteForce => writeln!(
            to,
            "every code is compared: that is quickest here, and misses nothing"
        ),
        Method::BitSampling {
            rows,
            tables,
            flips,
        } => {
            writeln!(
                to,
                "bit sampling: {tables} tables of {rows} bits{}; finds {:.1}% at the radius, more nearer",
                flipped(flips, "table"),
                100.0 * plan.recall,
            )?;
            expected(plan, to)
        }
        Method::Blocks {
            blocks,
            at_most,
            flips,
        } => {
            let reach = blocks * (flips + 1) - 1;
            writeln!(
                to,
                "blocks: {blocks} of up to {at_most} bits{}; finds everything within {reach} bits",
                flipped(flips, "block"),
            )?;
            expected(plan, to)
        }
    }
}

fn flipped(flips: u32, of: &str) -> String {
    match flips {
        0 => String::new(),
        1 => format!(", up to 1 flipped in each {of}"),
        _ => format!(", up to {flips} flipped in each {of}"),
    }
}

fn expected(plan: &Plan, mut to: impl Write) -> io::Result<()> {
    writeln!(
        to,
        "a query asks for {} keys and compares about {:.0} codes; the index takes {}",
        plan.keys,
        plan.compared,
        bytes(plan.bytes),
    )
}

/// How many pairs there are.
pub(super) fn pairs(found: u64, written: u64, took: f64) -> io::Result<()> {
    let mut to = io::stderr().lock();
    let left_out = match found - written {
        0 => String::new(),
        more => format!(", of which {} farther ones are not shown", more),
    };
    let pairs = if found == 1 { "pair" } else { "pairs" };
    writeln!(to, "{} {pairs}{left_out}, in {}", found, seconds(took))
}

/// How many codes were found.
pub(super) fn answers(found: u64, queries: u64, build: f64, took: f64) -> io::Result<()> {
    let mut to = io::stderr().lock();
    writeln!(
        to,
        "{} found for {} queries, in {} and {} for the index",
        found,
        queries,
        seconds(took),
        seconds(build),
    )
}
