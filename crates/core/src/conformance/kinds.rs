//! Whether a kind keeps what it says: text and bytes are read back, and equal items have equal bytes.

use super::{Violation, axioms::axioms};
use crate::{
    Items, Metric,
    plugin::{Container, Distance, ItemsOf, Kind, KindOf, Specimens, Value},
    random,
};

/// The most items that the axioms are checked on: all triples of them are compared.
const COMPARED: usize = 32;
/// The pairs that are made for checks of single items, and if a comparison takes long, in nanoseconds.
const PAIRS: u64 = 64;
const FEW_PAIRS: u64 = 12;
const LONG: f64 = 10_000.0;

/// Pairs at all distances from 0 to the farthest, one after the other.
pub(super) fn items<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    seed: u64,
) -> Result<ItemsOf<D>, Violation> {
    items_within::<D>(specimens, specimens.farthest(), PAIRS, seed)
}

/// A number of pairs, fewer if a comparison takes long, at all distances from 0 to one.
pub(super) fn items_within<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    farthest: f64,
    pairs: u64,
    seed: u64,
) -> Result<ItemsOf<D>, Violation> {
    let mut items = ItemsOf::<D>::default();
    let width = KindOf::<D>::width(&specimens.pair(0.0, seed));
    let pairs = match D::cost(width) < LONG {
        true => pairs,
        false => FEW_PAIRS,
    };
    for number in 0..pairs {
        // Not in the order of distances, so that the first few are a sample.
        let share = number * 37 % pairs;
        let distance = farthest * share as f64 / (pairs - 1) as f64;
        items.append(specimens.pair(distance, random::derive(seed, number)))?;
    }
    Ok(items)
}

/// The bytes of an item.
fn bytes<K: Kind>(item: &K::Item, width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    K::encode(item, width, &mut bytes);
    bytes
}

/// Refuses a kind whose items are not read back, or whose bytes differ for equal items.
pub(super) fn check<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    seed: u64,
) -> Result<(), Violation> {
    type Of<D> = KindOf<D>;
    let (items, again) = (items::<D>(specimens, seed)?, items::<D>(specimens, seed)?);
    let width = Of::<D>::width(&items);
    for place in 0..items.count() {
        let item = items.item(place);
        let name = || Of::<D>::summary(item, width);
        let expected = bytes::<Of<D>>(item, width);
        if bytes::<Of<D>>(again.item(place), width) != expected {
            return Err(Violation::Bytes(name()));
        }
        let is_it = |made: &ItemsOf<D>| {
            made.count() == 1 && bytes::<Of<D>>(made.item(0), width) == expected
        };
        let shown = Of::<D>::show(item, width);
        let mut parsed = ItemsOf::<D>::default();
        let read = Of::<D>::parse(Value::Text(&shown), &Default::default(), &mut parsed);
        if read.is_err() || !is_it(&parsed) {
            let problem = read
                .err()
                .map_or("it is another".into(), |it| it.to_string());
            return Err(Violation::Shown(name(), problem));
        }
        let mut decoded = ItemsOf::<D>::default();
        let read = Of::<D>::decode(&expected, &mut decoded);
        if read.is_err() || !is_it(&decoded) {
            let problem = read
                .err()
                .map_or("it is another".into(), |it| it.to_string());
            return Err(Violation::Encoded(name(), problem));
        }
    }
    Ok(())
}

/// Refuses a distance that breaks the axioms it claims, on the first items and a copy of one of them.
pub(super) fn axioms_of<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    seed: u64,
) -> Result<(), Violation> {
    let mut all = items::<D>(specimens, seed)?;
    let count = all.count().min(COMPARED);
    // Two equal items that are not one and the same.
    let first = all.count();
    all.append(specimens.pair(0.0, random::derive(seed, 0)))?;
    let places: Vec<usize> = (0..count).chain(first..all.count()).collect();
    let width = KindOf::<D>::width(&all);
    let metric = D::default().metric()?;
    let prepared: Vec<_> = places
        .iter()
        .map(|&place| metric.prepare(all.item(place)))
        .collect();
    let bytes: Vec<Vec<u8>> = places
        .iter()
        .map(|&place| bytes::<KindOf<D>>(all.item(place), width))
        .collect();
    let distance = |i: usize, j: usize| metric.distance(&prepared[i], &prepared[j]);
    let is_equal = |i: usize, j: usize| bytes[i] == bytes[j];
    axioms(places.len(), metric.axioms(), &distance, &is_equal)?;
    Ok(())
}
