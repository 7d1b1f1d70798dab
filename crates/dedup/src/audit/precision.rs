use lookalike_corpus::Corpus;
use lookalike_minhash::{BagScratch, Counts, Elements};
use rayon::prelude::*;
use serde::Serialize;

use super::{
    interval::{Drawn, Measured},
    known::{CountedPairs, Known},
    listed::Listed,
    number::Number,
};
use crate::{Error, Verification, finished::Finished, output::rounded, verify::reaches};

/// Similarities are listed with so many decimals, and the last of them may be rounded otherwise.
const DECIMALS: f64 = 1.5e-9;

/// Listed pairs that were compared exactly again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Precision {
    /// How many were drawn.
    #[serde(flatten)]
    pub drawn: Drawn,
    /// The share of those that reach the threshold; none where nothing is listed.
    pub precision: Option<Measured>,
    /// Whether the run compared every pair that it lists, so that all of them are alike.
    #[serde(skip)]
    is_exact: bool,
    /// Pairs that are not listed because they follow from others, and were not drawn from.
    pub not_listed: u64,
}

impl Precision {
    /// The pairs with different texts that the run has and that are alike, of all documents. Copies are always alike.
    pub(super) fn different_texts(&self, copies: u64) -> Number {
        let all = (self.drawn.all + self.not_listed) as f64;
        let copies = copies as f64;
        let alike = |share: f64| (share * all - copies).clamp(0.0, (all - copies).max(0.0));
        let of = self.precision.unwrap_or(Measured::exactly(1.0));
        match self.is_exact {
            true => Number::exactly(alike(1.0)),
            false => Number {
                estimate: alike(of.share),
                low: alike(of.low),
                high: alike(of.high),
            },
        }
    }

    pub(super) fn new(
        finished: &Finished,
        corpus: &Corpus,
        known: &Known,
        listed: &Listed,
        counted: &CountedPairs,
    ) -> Result<Self, Error> {
        let config = &finished.config;
        let elements = config.family.elements();
        let compared: Vec<Counts> = listed
            .drawn
            .par_iter()
            .map_init(
                || (corpus.reader(), BagScratch::default()),
                |(reader, scratch), &(a, b, _)| {
                    let mut set = |doc: u32| {
                        let document = reader.read(&known.places[doc as usize])?;
                        Ok::<_, Error>(elements.set(document.text, scratch))
                    };
                    Ok(Counts::of(&set(a)?, &set(b)?))
                },
            )
            .collect::<Result<_, Error>>()?;
        let is_good = |counts: &&Counts| reaches(**counts, config.threshold);
        let good = compared.iter().filter(is_good).count() as u64;
        let is_exact = config.verify.method == Verification::Exact;
        let listed = listed.drawn.iter().map(|drawn| drawn.2);
        let is_other = |(counts, listed): &(&Counts, Option<f64>)| {
            let exact = rounded(counts.similarity());
            is_exact && listed.is_none_or(|listed| (listed - exact).abs() > DECIMALS)
        };
        let other = compared.iter().zip(listed).filter(is_other).count();
        let drawn = Drawn {
            sampled: compared.len() as u64,
            all: counted.listed,
        };
        // With the same inputs and the same program there is none.
        if other > 0 {
            let of = compared.len();
            let message = format!("{other} of {of} listed pairs have another similarity now");
            return Err(finished.changed(message));
        }
        Ok(Self {
            drawn,
            is_exact,
            precision: Measured::of_draws(good, drawn),
            not_listed: counted.not_listed,
        })
    }
}
