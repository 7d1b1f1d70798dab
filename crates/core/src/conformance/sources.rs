//! Key sources: their bounds, their probes in both directions, and how often items meet.

use super::{
    Measurement, Report, Violation,
    run::{Ask, Run, enough},
    seeds::{Answers, repeatable, sensitive},
    strata::{Promise, middle_distance, monotone},
};
use crate::{KeySource, random};

/// Bands and keys of an item, in ascending order.
type Keys = Vec<(u32, u64)>;

/// The keys of two items, within the bounds of their source.
pub(super) struct Keyed {
    /// Of each item those under which it is stored, and those that a query for it asks.
    items: [[Keys; 2]; 2],
    bands: usize,
    has_probes: bool,
}

/// Makes a source from a seed, which gives two items their keys. The last argument: also of a source without probes the
/// keys of a query are asked for, and not taken to be those that are stored.
pub(super) type Sources<'a, I> = dyn Fn(u64, bool) -> Result<Ask<'a, I, Keyed>, Violation> + 'a;

/// What a source says of two items.
pub(super) fn asked<'a, S: KeySource + 'a>(source: S, ask_all: bool) -> Ask<'a, S::Item, Keyed> {
    Box::new(move |a, b| keyed(&source, [a, b], ask_all))
}

/// A draw whose answers are turned into others.
pub(super) fn then<'a, I: ?Sized + 'a, T>(
    mut ask: Ask<'a, I, Keyed>,
    turn: impl Fn(&Keyed) -> T + 'a,
) -> Ask<'a, I, T> {
    Box::new(move |a, b| Ok(turn(&ask(a, b)?)))
}

/// What is generic over the source, and nothing else.
pub(super) fn keyed<S: KeySource>(
    source: &S,
    items: [&S::Item; 2],
    ask_all: bool,
) -> Result<Keyed, Violation> {
    let has_probes = source.has_probes();
    let mut scratch = S::Scratch::default();
    let mut of_items = [(); 2].map(|()| [Keys::new(), Keys::new()]);
    for ([stored, asked], item) in of_items.iter_mut().zip(items) {
        source.keys(item, &mut scratch, |band, key, _| stored.push((band, key)))?;
        match has_probes || ask_all {
            true => {
                source.probes(item, &mut scratch, |band, key, _| asked.push((band, key)))?;
            }
            false => asked.clone_from(stored),
        }
    }
    Keyed::new(of_items, source.bands(), source.key_bits(), has_probes)
}

impl Keyed {
    fn new(
        mut items: [[Keys; 2]; 2],
        bands: usize,
        bits: u32,
        has_probes: bool,
    ) -> Result<Self, Violation> {
        for keys in items.as_flattened_mut() {
            for &(band, key) in &*keys {
                if band as usize >= bands {
                    return Err(Violation::Band { band, bands });
                }
                if is_wide(key, bits) {
                    return Err(Violation::WideKey { key, bits });
                }
            }
            keys.sort_unstable();
        }
        let asks_others = |[stored, asked]: &[Keys; 2]| stored != asked;
        if !has_probes && items.iter().any(asks_others) {
            return Err(Violation::HiddenProbes);
        }
        Ok(Self {
            items,
            bands,
            has_probes,
        })
    }

    /// Whether a query for the second item meets the first, and the other way round.
    pub(super) fn meets(&self) -> [bool; 2] {
        let [[a_stored, a_asked], [b_stored, b_asked]] = &self.items;
        let is_met =
            |stored: &Keys, asked: &Keys| asked.iter().any(|key| stored.binary_search(key).is_ok());
        let forth = is_met(a_stored, b_asked);
        let back = if self.has_probes {
            is_met(b_stored, a_asked)
        } else {
            forth
        };
        [forth, back]
    }

    /// For each band whether the items share a key in it.
    pub(super) fn shared(&self) -> Vec<bool> {
        let [[stored, _], [_, asked]] = &self.items;
        let mut agreements = vec![false; self.bands];
        for key in asked.iter().filter(|key| stored.binary_search(key).is_ok()) {
            agreements[key.0 as usize] = true;
        }
        agreements
    }

    /// One number for all keys.
    fn print(&self) -> Answers {
        let lists = self.items.as_flattened().iter();
        let keys = lists.flat_map(|keys| keys.iter().chain(&[(u32::MAX, 0)]));
        let hash = keys.fold(0, |hash, &(band, key)| {
            random::derive(hash ^ key, band.into())
        });
        Answers {
            hash,
            say_nothing: false,
        }
    }
}

/// Whether a key has bits above the lowest `bits`.
pub(super) fn is_wide(key: u64, bits: u32) -> bool {
    bits < u64::BITS && key >> bits != 0
}

/// All checks of a source with a promise.
pub(super) fn check<I: ?Sized>(
    run: &Run<'_, I>,
    sources: &Sources<'_, I>,
    promise: &Promise<'_>,
) -> Result<Report, Violation> {
    monotone(run.distances, promise)?;
    seeds(run, sources, Some(promise))?;
    let scheme = measured(run, sources, promise)?;
    enough(&scheme, run.effort.needed_of_schemes())?;
    Ok(Report {
        scheme,
        ..Report::default()
    })
}

/// How often items meet, compared with the promise.
fn measured<I: ?Sized>(
    run: &Run<'_, I>,
    sources: &Sources<'_, I>,
    promise: &Promise<'_>,
) -> Result<Vec<Measurement>, Violation> {
    run.scheme(promise, &|seed| {
        Ok(then(sources(seed, false)?, Keyed::meets))
    })
}

/// The seed repeats, and matters if anything is promised to be random. Without a promise, keys may be the same for all
/// seeds; if they are not, every bit of the seed matters.
pub(super) fn seeds<I: ?Sized>(
    run: &Run<'_, I>,
    sources: &Sources<'_, I>,
    promise: Option<&Promise<'_>>,
) -> Result<(), Violation> {
    let anything = |_| crate::Bounds::ANYTHING;
    let is_promised = promise.is_some();
    let promise = promise.unwrap_or(&anything);
    let distance = middle_distance(run.distances, promise);
    let print = |seed: u64| Ok(then(sources(seed, true)?, Keyed::print));
    repeatable(run.visit, distance, run.seed, &print)?;
    if !is_promised {
        return match sensitive(run.visit, distance, run.seed, &print) {
            Err(Violation::SeedIgnored(..)) => Ok(()),
            other => other,
        };
    }
    let is_random = |&distance: &f64| {
        let promised = promise(distance);
        let is_chance = |p: crate::Probability| p.value() > 0.0 && p.value() < 1.0;
        is_chance(promised.lower()) || is_chance(promised.upper())
    };
    match run.distances.iter().any(is_random) {
        true => sensitive(run.visit, distance, run.seed, &print),
        false => Ok(()),
    }
}
