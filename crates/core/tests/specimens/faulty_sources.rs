//! Key sources with one fault each, for the table of power.

use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_core::{
    DrawnScratch, KeySource, TooManyKeys,
    conformance::{Conformance, Effort, Violation},
    random,
};

use super::{
    bit_sampling::{Hamming, Places, distinct},
    multi_probe::MultiProbe,
};

/// What is wrong with a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// A query flips ones to zeros, and no zeros to ones.
    OneWay,
    /// One item in a hundred has a key in a band too many.
    Band,
    /// One item in a hundred has a key with a bit too many.
    WideKey,
    /// Keys depend on what was drawn before.
    Unrepeatable,
}

/// Multi-probe with a fault.
struct Faulty(Fault, MultiProbe);

/// Items of which one has bits that the other has not, and never the other way round.
fn pairs(distance: f64, seed: u64) -> (Vec<bool>, Vec<bool>) {
    let mut rng = random::stream(seed, 0);
    let more = distinct(64, 32, &mut rng);
    let mut less = vec![false; 64];
    more[distance.round() as usize..]
        .iter()
        .for_each(|&place| less[place] = true);
    let mut all = vec![false; 64];
    more.iter().for_each(|&place| all[place] = true);
    (less, all)
}

/// A run of the kit on a source with a fault.
pub(crate) fn run(fault: Fault, effort: Effort, seed: u64) -> Result<(), Violation> {
    let drawn = AtomicU64::new(0);
    let draw = |seed: u64| {
        let seed = match fault {
            Fault::Unrepeatable => seed ^ drawn.fetch_add(1, Ordering::Relaxed),
            _ => seed,
        };
        Ok(Faulty(fault, MultiProbe::draw(seed)?))
    };
    let test = Conformance::new(Hamming, pairs).distances([0.0, 1.0, 4.0, 8.0, 12.0, 24.0, 31.0]);
    test.effort(effort)
        .seed(seed)
        .source(draw, MultiProbe::promise)
        .map(drop)
}

/// One item in a hundred.
fn is_rare(item: &[bool]) -> bool {
    let bits = item.iter().fold(0, |bits, &bit| bits << 1 | u64::from(bit));
    random::derive(bits, 9).is_multiple_of(100)
}

impl KeySource for Faulty {
    type Item = [bool];
    type Payload = ();
    type Scratch = DrawnScratch<Places>;

    fn bands(&self) -> usize {
        self.1.bands()
    }

    fn key_bits(&self) -> u32 {
        self.1.key_bits()
    }

    fn describe(&self) -> String {
        self.1.describe()
    }

    fn keys(
        &self,
        item: &[bool],
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        self.1.keys(item, scratch, &mut emit)?;
        match self.0 {
            Fault::Band if is_rare(item) => emit(self.bands() as u32, 0, ()),
            Fault::WideKey if is_rare(item) => emit(0, 1 << self.key_bits(), ()),
            _ => {}
        }
        Ok(())
    }

    fn has_probes(&self) -> bool {
        true
    }

    fn probes(
        &self,
        item: &[bool],
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        if self.0 != Fault::OneWay {
            return self.1.probes(item, scratch, emit);
        }
        let bits = self.key_bits();
        self.1.keys(item, scratch, |band, key, ()| {
            emit(band, key, ());
            let ones = (0..bits).filter(|bit| key >> bit & 1 == 1);
            ones.for_each(|bit| emit(band, key ^ 1 << bit, ()));
        })
    }
}
