//! How it is done, and what came of it: on stderr, so that stdout has nothing but results.

use std::io::{self, Write};

use lookalike::hamming::{CodeMethod, CodePlan, Codes};

use crate::number::{bytes, seconds};

/// What was chosen, and what to expect of it.
pub(super) fn plan(codes: &Codes, plan: &CodePlan, radius: Option<u32>) -> io::Result<()> {
    let mut to = io::stderr().lock();
    let codes = format!(
        "{} of {}",
        many(codes.len() as u64, "code"),
        many(codes.bit_length() as u64, "bit")
    );
    let Some(radius) = radius else {
        return writeln!(to, "{codes}, any distance\nevery code is compared");
    };
    writeln!(to, "{codes}, radius {radius}")?;
    match plan.method {
        CodeMethod::BruteForce => writeln!(
            to,
            "every code is compared: that is quickest here, and misses nothing"
        ),
        CodeMethod::BitSampling {
            rows,
            tables,
            flips,
        } => {
            writeln!(
                to,
                "bit sampling: {} of {}{}; finds {:.1}% at the radius, more nearer",
                many(tables.into(), "table"),
                many(rows.into(), "bit"),
                flipped(flips, "table"),
                // Rounded down: what may be missed is not called all.
                (1000.0 * plan.recall).floor() / 10.0,
            )?;
            expected(plan, to)
        }
        CodeMethod::Blocks {
            blocks,
            at_most,
            flips,
        } => {
            let reach = blocks * (flips + 1) - 1;
            writeln!(
                to,
                "blocks: {blocks} of up to {}{}; finds everything within {}",
                many(at_most.into(), "bit"),
                flipped(flips, "block"),
                many(reach.into(), "bit"),
            )?;
            expected(plan, to)
        }
    }
}

/// So many of something.
fn many(count: u64, of: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {of}{plural}")
}

fn flipped(flips: u32, of: &str) -> String {
    match flips {
        0 => String::new(),
        1 => format!(", up to 1 flipped in each {of}"),
        _ => format!(", up to {flips} flipped in each {of}"),
    }
}

fn expected(plan: &CodePlan, mut to: impl Write) -> io::Result<()> {
    writeln!(
        to,
        "a query asks for {} and compares about {}; the index takes {}",
        many(plan.keys, "key"),
        many(plan.compared.round() as u64, "code"),
        bytes(plan.bytes),
    )
}

/// How many pairs there are.
pub(super) fn pairs(found: u64, written: u64, took: f64) -> io::Result<()> {
    let mut to = io::stderr().lock();
    let left_out = match found - written {
        0 => String::new(),
        1 => ", of which the farthest is not shown".into(),
        more => format!(", of which {more} farther ones are not shown"),
    };
    writeln!(
        to,
        "{}{left_out}, in {}",
        many(found, "pair"),
        seconds(took)
    )
}

/// How many codes were found.
pub(super) fn answers(found: u64, queries: u64, build: f64, took: f64) -> io::Result<()> {
    let mut to = io::stderr().lock();
    writeln!(
        to,
        "{found} found for {queries} {}, in {} and {} for the index",
        if queries == 1 { "query" } else { "queries" },
        seconds(took),
        seconds(build),
    )
}
