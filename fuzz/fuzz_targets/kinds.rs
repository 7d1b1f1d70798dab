//! Any value as an item of every kind: what is parsed or decoded is encoded, and decoded to the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_core::Items;
use lookalike_core::plugin::{Kind, Value};
use lookalike_fingerprint::plugin::{Print, SquareSet};
use lookalike_hamming::plugin::Code;
use lookalike_minhash::plugin::{Hashed, Set, Text, WeightedSet};

fuzz_target!(|data: &[u8]| {
    let [first, data @ ..] = data else { return };
    let form = first / 7;
    match first % 7 {
        0 => kind::<Text>(data, form),
        1 => kind::<Set>(data, form),
        2 => kind::<WeightedSet>(data, form),
        3 => kind::<Hashed>(data, form),
        4 => kind::<Code>(data, form),
        5 => kind::<Print>(data, form),
        _ => kind::<SquareSet>(data, form),
    }
});

fn kind<K: Kind>(data: &[u8], form: u8) {
    let integers: Vec<u64> = of(data, u64::from_le_bytes);
    let signed: Vec<i64> = of(data, i64::from_le_bytes);
    let floats: Vec<f32> = of(data, f32::from_le_bytes);
    let doubles: Vec<f64> = of(data, f64::from_le_bytes);
    let text = std::str::from_utf8(data);
    let value = match (form % 7, text) {
        (0, Ok(text)) => Value::Text(text),
        (1, Ok(text)) => Value::Json(text),
        (2, _) => Value::Integers(&integers),
        (3, _) => Value::Floats(&floats),
        (4, _) => Value::Doubles(&doubles),
        (5, _) => Value::Signed(&signed),
        _ => Value::Bytes(data),
    };
    let reading = K::Reading::default();
    let mut parsed = K::Items::default();
    if K::parse(value, &reading, &mut parsed).is_ok() {
        let _ = K::check(&parsed, &reading);
        same_again::<K>(&parsed);
    }
    let mut decoded = K::Items::default();
    if K::decode(data, &mut decoded).is_ok() {
        same_again::<K>(&decoded);
    }
}

/// Every item is what its bytes say.
fn same_again<K: Kind>(items: &K::Items) {
    let width = K::width(items);
    for place in 0..items.count() {
        let item = items.item(place);
        let _ = (K::show(item, width), K::summary(item, width));
        let mut bytes = Vec::new();
        K::encode(item, width, &mut bytes);
        let mut again = K::Items::default();
        K::decode(&bytes, &mut again).unwrap();
        assert_eq!(again.count(), 1);
        let mut same = Vec::new();
        K::encode(again.item(0), K::width(&again), &mut same);
        assert_eq!(bytes, same);
    }
}

fn of<const N: usize, T>(data: &[u8], number: fn([u8; N]) -> T) -> Vec<T> {
    let (chunks, _) = data.as_chunks::<N>();
    chunks.iter().map(|chunk| number(*chunk)).collect()
}
