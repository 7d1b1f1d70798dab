//! A stream that goes on for long: memory and time are those of what is left, not of what came.

use std::{hint::black_box, time::Instant};

use lookalike_core::{plugin::Value, random};
use lookalike_hamming::plugin::{Blocks, Code, CodeReading};
use lookalike_memory::{Counting, Meter};
use lookalike_search::{Dataset, Id, Index, Offer, Registry, Request};
use rand::RngExt;

#[global_allocator]
static MEMORY: Counting = Counting;

const OFFERS: usize = 300_000;
const LIVING: usize = 1000;
const CHUNK: usize = 3000;

/// `search::Gate`, which this took the place of, held 543 MB in the end, and an offer took 8 times as long.
#[test]
fn a_thousand_living_items_after_many_offers_take_little_memory_and_time() {
    let registry = Registry::default().with::<Blocks>();
    let mut rng = random::stream(1, 0);
    let codes: Vec<String> = (0..OFFERS)
        .map(|_| format!("{:016x}", rng.random::<u64>()))
        .collect();
    let codes = codes.iter().map(|code| Value::Text(code));
    let data = Dataset::parse::<Code>(codes, CodeReading::default()).unwrap();
    let request = Request::new("hamming", 3.0).recall(1.0).family("blocks");
    let plan = registry.plan_index(&request, &data).unwrap().plan;
    let index = Index::new(&registry, &plan).unwrap();
    let meter = Meter::start().expect("allocations are counted");
    let mut times = Vec::new();
    for chunk in 0..OFFERS / CHUNK {
        let start = Instant::now();
        for place in chunk * CHUNK..(chunk + 1) * CHUNK {
            let offer = index.add_new(&Id::from(place as i64), &data, place, 3.0);
            assert_eq!(black_box(offer.unwrap()), Offer::New);
            if let Some(old) = place.checked_sub(LIVING) {
                assert!(index.remove(&Id::from(old as i64)).unwrap());
            }
        }
        times.push(start.elapsed());
    }
    assert_eq!(index.len(), LIVING as u64);
    // The list of ids alone would be 5 MB.
    let most = meter.most();
    assert!(most < 4_000_000, "{most} bytes");
    let best = |times: &[std::time::Duration]| times.iter().min().copied().unwrap();
    let quarter = times.len() / 4;
    let (first, last) = (
        best(&times[..quarter]),
        best(&times[times.len() - quarter..]),
    );
    assert!(
        last < 2 * first,
        "{first:?} for {CHUNK} offers, later {last:?}"
    );
    println!("{most} bytes; {first:?} for {CHUNK} offers at first, {last:?} in the end");
}
