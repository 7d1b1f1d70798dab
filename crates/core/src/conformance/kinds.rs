//! Whether a kind keeps what it says: text and bytes are read back, and equal items have equal bytes.

use super::{Violation, axioms::axioms};
use crate::{
    Items, Metric,
    plugin::{Container, Distance, Error, ItemOf, ItemsOf, Kind, KindOf, Specimens, Value},
    random,
};

/// The most items that the axioms are checked on: all triples of them are compared.
const COMPARED: usize = 32;
/// The pairs that are made for checks of single items, and if a comparison takes long, in nanoseconds.
const PAIRS: u64 = 64;
const FEW_PAIRS: u64 = 12;
const LONG: f64 = 10_000.0;

/// Pairs at all distances from the nearest to the farthest, one after the other.
pub(super) fn items<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    seed: u64,
) -> Result<ItemsOf<D>, Violation> {
    items_at::<D>(specimens, PAIRS, seed, &|share| specimens.at(share))
}

/// A number of pairs, fewer if a comparison takes long, at the distances of equally spaced shares from 0 to 1.
pub(super) fn items_at<D: Distance>(
    specimens: Specimens<ItemsOf<D>>,
    pairs: u64,
    seed: u64,
    distance: &dyn Fn(f64) -> f64,
) -> Result<ItemsOf<D>, Violation> {
    let mut items = ItemsOf::<D>::default();
    let width = KindOf::<D>::width(&specimens.pair(specimens.nearest(), seed));
    let pairs = match D::cost(width) < LONG {
        true => pairs,
        false => pairs.min(FEW_PAIRS).min(pairs / 4),
    };
    for number in 0..pairs {
        // Not in the order of distances, so that the first few are a sample.
        let share = (number * 37 % pairs) as f64 / (pairs - 1).max(1) as f64;
        items.append(specimens.pair(distance(share), random::derive(seed, number)))?;
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
    let metric = D::default().metric()?;
    for place in 0..items.count() {
        let item = items.item(place);
        let name = || Of::<D>::summary(item, width);
        let expected = bytes::<Of<D>>(item, width);
        if bytes::<Of<D>>(again.item(place), width) != expected {
            return Err(Violation::Bytes(name()));
        }
        // Bytes may lack what makes items different; so the distance to the other item of the pair counts, too.
        let other = metric.prepare(items.item(place ^ 1));
        let distance = |item: &ItemOf<D>| metric.distance(&metric.prepare(item), &other);
        let problem = |read: Result<(), Error>, made: &ItemsOf<D>| match read {
            Err(error) => Some(error.to_string()),
            Ok(()) if made.count() != 1 => Some(format!("{} items are read", made.count())),
            Ok(()) if bytes::<Of<D>>(made.item(0), width) != expected => Some(format!(
                "`{}` is read",
                Of::<D>::summary(made.item(0), width)
            )),
            Ok(()) => {
                let (was, is) = (distance(item), distance(made.item(0)));
                (is != was).then(|| format!("its distance to another item is {is} and was {was}"))
            }
        };
        let shown = Of::<D>::show(item, width);
        let mut parsed = ItemsOf::<D>::default();
        let read = Of::<D>::parse(Value::Text(&shown), &Default::default(), &mut parsed);
        if let Some(problem) = problem(read, &parsed) {
            return Err(Violation::Shown(name(), problem));
        }
        let mut decoded = ItemsOf::<D>::default();
        let read = Of::<D>::decode(&expected, &mut decoded);
        if let Some(problem) = problem(read, &decoded) {
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
    all.append(specimens.pair(specimens.nearest(), random::derive(seed, 0)))?;
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
