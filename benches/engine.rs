//! The engine compared with plain hash tables: `cargo bench --bench engine` (`-- --quick` for a tenth
//! of the items, `-- join`, `growth`, `adversarial`, `heavy`, `index` or `near` for a part).
//!
//! Times are the best of several in one process. What the two sides answer is compared, and a
//! difference is a panic.

use std::{
    collections::HashMap,
    hint::black_box,
    time::{Duration, Instant},
};

use lookalike::{
    KeySource, Metric, TooManyKeys,
    engine::{BucketIndex, Columns, Exact, Join},
    random,
};
use lookalike_memory::{Counting, Meter};
use rand::RngExt;

const BANDS: usize = 16;

/// Items that are their keys.
#[derive(Clone, Debug)]
struct Keys;

impl KeySource for Keys {
    type Item = [u64; BANDS];
    type Payload = ();
    type Scratch = ();

    fn bands(&self) -> usize {
        BANDS
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        "Keys".into()
    }

    fn keys(
        &self,
        item: &Self::Item,
        _: &mut (),
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        (0..).zip(item).for_each(|(band, &key)| emit(band, key, ()));
        Ok(())
    }
}

/// Random items, a tenth of them copies of others that keep each band with probability 0.7.
fn items(n: usize) -> Vec<[u64; BANDS]> {
    let mut rng = random::stream(1, n as u64);
    let mut items: Vec<[u64; BANDS]> = (0..n)
        .map(|_| std::array::from_fn(|_| rng.next_u64()))
        .collect();
    for _ in 0..n / 10 {
        let (from, to) = (rng.random_range(0..n), rng.random_range(0..n));
        let copied = items[from];
        for (key, copied) in items[to].iter_mut().zip(copied) {
            if rng.random_bool(0.7) {
                *key = copied;
            }
        }
    }
    items
}

fn join_by_hash_map(columns: &[Vec<u64>]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for column in columns {
        let mut buckets: HashMap<u64, Vec<u32>> = HashMap::with_capacity(column.len());
        for (id, &key) in (0..).zip(column) {
            buckets.entry(key).or_default().push(id);
        }
        for bucket in buckets.values() {
            for (i, &a) in bucket.iter().enumerate() {
                pairs.extend(bucket[i + 1..].iter().map(|&b| (a, b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let given = |name: &str| arguments.iter().any(|argument| argument == name);
    let million = if given("--quick") { 100_000 } else { 1_000_000 };
    type Part = (&'static str, fn(usize));
    let parts: [Part; 6] = [
        ("join", join),
        ("growth", growth),
        ("adversarial", adversarial),
        ("heavy", heavy),
        ("index", index),
        ("near", near),
    ];
    let all = !parts.iter().any(|(name, _)| given(name));
    println!("{BANDS} bands, a tenth of the items are planted copies; best times\n");
    for (name, part) in parts {
        if all || given(name) {
            part(million);
        }
    }
}

fn join(n: usize) {
    let items = items(n);
    let columns = Columns::build(&Keys, &items).expect("few keys");
    let column = |band: usize| items.iter().map(|item| item[band]).collect();
    let plain: Vec<Vec<u64>> = (0..BANDS).map(column).collect();
    // In turn and equally often, so that a busy moment of the machine affects all.
    let [mut by_map, mut one, mut two] = [Duration::MAX; 3];
    let mut pairs = 0;
    for _ in 0..5 {
        let (time, expected) = best(1, || join_by_hash_map(&plain));
        by_map = by_map.min(time);
        for (threads, shortest) in [(1, &mut one), (2, &mut two)] {
            let (time, joined) = on(threads, || best(1, || Join::new(&columns).candidates()));
            *shortest = time.min(*shortest);
            let found: Vec<_> = joined
                .found
                .iter()
                .map(|pair| (pair.a(), pair.b()))
                .collect();
            assert_eq!(found, expected, "the join and the hash maps differ");
            pairs = found.len();
        }
    }
    let mut found = 0u64;
    let scratch = peak(|| {
        on(1, || {
            Join::new(&columns).run(|_| Some(()), |_, ()| found += 1)
        });
    });
    println!("join, {n} items, {pairs} pairs");
    println!("  HashMap<u64, Vec<u32>>, sort, dedup  {:>9}", ms(by_map));
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!(
        "  Join, one thread                     {:>9}   {:.1} × faster",
        ms(one),
        ratio(by_map, one)
    );
    println!(
        "  Join, two threads                    {:>9}   {:.2} × one thread",
        ms(two),
        ratio(one, two)
    );
    println!(
        "  scratch beyond the key columns       {:>9.1} bytes an item\n",
        scratch as f64 / n as f64
    );
}

fn growth(million: usize) {
    println!("growth, one thread");
    let sizes = [million / 10, million, million * 10];
    let mut times = Vec::new();
    for n in sizes {
        let columns = Columns::build(&Keys, &items(n)).expect("few keys");
        let (time, summary) = on(1, || {
            best(10, || Join::new(&columns).run(|_| Some(()), |_, ()| ()))
        });
        assert!(
            summary.accepted as usize > n / 20,
            "planted copies are found"
        );
        println!(
            "  {n:>9} items  {:>9}   {:.1} ns an item and band",
            ms(time),
            time.as_nanos() as f64 / (n * BANDS) as f64
        );
        times.push(time.as_secs_f64());
    }
    println!(
        "  exponent {:.3}\n",
        (times[2] / times[0]).ln() / 100f64.ln()
    );
}

fn adversarial(n: usize) {
    println!("adversarial, one thread");
    let mut rng = random::stream(2, 0);
    let same = vec![[7; BANDS]; n];
    let distinct: Vec<[u64; BANDS]> = (0..n)
        .map(|_| std::array::from_fn(|_| rng.next_u64()))
        .collect();
    for (name, items) in [
        ("identical", &same[..]),
        ("all distinct", &distinct),
        ("one", &same[..1]),
        ("none", &[]),
    ] {
        let columns = Columns::build(&Keys, items).expect("few keys");
        let (time, summary) = on(1, || {
            best(3, || Join::new(&columns).run(|_| Some(()), |_, ()| ()))
        });
        // Each copy is compared with the first; every other pair of copies is counted.
        let copies = if name == "identical" { n as u64 } else { 0 };
        let (compared, all) = (
            copies.saturating_sub(1),
            copies * copies.saturating_sub(1) / 2,
        );
        assert_eq!(
            (summary.candidates, summary.not_compared),
            (compared, all - compared)
        );
        println!(
            "  {name:>12}: {:>9} items  {:>9}   {} candidates, {} not compared",
            items.len(),
            ms(time),
            summary.candidates,
            summary.not_compared
        );
    }
    println!();
}

/// Groups of items that share buckets within the limit, without and with one bucket over it.
fn heavy(million: usize) {
    let n = million / 5;
    println!("one bucket over the limit, {n} items in groups of 10, one thread");
    let mut items = items(n);
    for group in items.chunks_mut(10) {
        let first = group[0];
        for item in group {
            item[..BANDS / 2].copy_from_slice(&first[..BANDS / 2]);
        }
    }
    for over in [0, 1500, n / 10, n] {
        for item in &mut items[..over] {
            item[BANDS - 1] = 7;
        }
        let columns = Columns::build(&Keys, &items).expect("few keys");
        let (time, summary) = on(1, || {
            best(5, || Join::new(&columns).run(|_| Some(()), |_, ()| ()))
        });
        println!(
            "  {over:>7} items in it  {:>9}   {} candidates, {} not compared",
            ms(time),
            summary.candidates,
            summary.not_compared
        );
    }
    println!();
}

/// The share of bands in which keys differ, of keys that are sorted first, as elements of texts are.
struct Differ;

impl Metric for Differ {
    type Item = [u64; BANDS];
    type Prepared = Vec<u64>;

    fn prepare(&self, item: &[u64; BANDS]) -> Vec<u64> {
        // As costly as hashing a short text.
        let mut elements: Vec<u64> = (0..20)
            .flat_map(|round| item.iter().map(move |key| key.rotate_left(round)))
            .collect();
        elements.sort_unstable();
        elements
    }

    fn distance(&self, a: &Vec<u64>, b: &Vec<u64>) -> f64 {
        let equal = a.iter().zip(b).filter(|(a, b)| a == b).count();
        1.0 - equal as f64 / a.len() as f64
    }
}

/// Queries that verify what they meet, compared with a loop over prepared items by hand.
fn near(million: usize) {
    let n = million / 10;
    let mut items = items(n);
    for group in items.chunks_mut(50) {
        let first = group[0];
        for item in group {
            item[..BANDS / 2].copy_from_slice(&first[..BANDS / 2]);
        }
    }
    let index = BucketIndex::build(Keys, &items).expect("few keys");
    let queries: Vec<&[u64; BANDS]> = items.iter().step_by(20).collect();
    let (by_hand, expected) = best(3, || {
        let prepared: Vec<Vec<u64>> = items.iter().map(|item| Differ.prepare(item)).collect();
        let mut query = index.query();
        let mut found = 0;
        for asked in &queries {
            let item = Differ.prepare(asked);
            let met = query.candidates(asked).expect("few keys").iter();
            found += met
                .filter(|&&id| Differ.distance(&item, &prepared[id as usize]) <= 0.5)
                .count();
        }
        found
    });
    let (by_engine, found) = best(3, || {
        let exact = Exact::new(&Differ, &items);
        let mut query = index.query();
        let near = |asked| query.near(asked, &exact, 0.5).expect("few keys").len();
        queries.iter().copied().map(near).sum::<usize>()
    });
    assert_eq!(found, expected, "the engine and the loop differ");
    let each = |time: Duration, count: usize| time.as_nanos() as f64 / count as f64;
    println!(
        "near, {n} items in groups of 50, {} queries, one thread",
        queries.len()
    );
    println!(
        "  loop by hand {:>8.0} ns per query",
        each(by_hand, queries.len())
    );
    println!(
        "  Query::near  {:>8.0} ns per query\n",
        each(by_engine, queries.len())
    );
}

fn index(n: usize) {
    let items = items(n);
    let queries: Vec<&[u64; BANDS]> = items.iter().step_by(10).collect();
    let (build_map, maps) = best(2, || {
        let mut bands = vec![hashbrown::HashMap::<u64, Vec<u32>>::with_capacity(n); BANDS];
        for (id, item) in (0..).zip(&items) {
            for (band, key) in bands.iter_mut().zip(item) {
                band.entry(*key).or_default().push(id);
            }
        }
        bands
    });
    let (ask_map, by_map) = best(3, || {
        let mut found = 0usize;
        let mut met: Vec<u32> = Vec::new();
        for query in &queries {
            met.clear();
            for (band, key) in maps.iter().zip(*query) {
                met.extend(band.get(key).into_iter().flatten());
            }
            met.sort_unstable();
            met.dedup();
            found += black_box(&met).len();
        }
        found
    });
    drop(maps);
    let (build, index) = on(1, || {
        best(2, || BucketIndex::build(Keys, &items).expect("few keys"))
    });
    let (ask, by_index) = best(3, || {
        let mut query = index.query();
        let mut found = 0usize;
        for item in &queries {
            found += black_box(query.candidates(item).expect("few keys")).len();
        }
        found
    });
    assert_eq!(by_index, by_map, "the index and hashbrown differ");
    let (insert, _) = best(2, || {
        let mut index = BucketIndex::new(Keys);
        for item in &items[..n / 10] {
            index.insert(item).expect("few keys");
        }
        index
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("index");
    let mut index = index;
    let (save, ()) = best(2, || index.save(&path).expect("a writable folder"));
    let (load, _) = best(2, || {
        BucketIndex::load(Keys, &path).expect("what was saved")
    });
    let bytes = std::fs::metadata(&path).expect("what was saved").len();
    let each = |time: Duration, count: usize| time.as_nanos() as f64 / count as f64;
    println!("index, {n} items, {} queries, one thread", queries.len());
    println!(
        "  build:  hashbrown {:>6.0} ns an item,   BucketIndex {:>6.0}",
        each(build_map, n),
        each(build, n)
    );
    println!(
        "  query:  hashbrown {:>6.0} ns a query,   BucketIndex {:>6.0}",
        each(ask_map, queries.len()),
        each(ask, queries.len())
    );
    println!(
        "  insert: BucketIndex {:.0} ns an item",
        each(insert, n / 10)
    );
    println!(
        "  file:   {:.1} bytes an item, save {}, load {}",
        bytes as f64 / n as f64,
        ms(save),
        ms(load)
    );
}

/// The shortest of several times, and the last answer.
fn best<T>(times: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut measure = || {
        let start = Instant::now();
        let answer = black_box(work());
        (start.elapsed(), answer)
    };
    let (mut shortest, mut last) = measure();
    for _ in 1..times {
        drop(last);
        let (time, answer) = measure();
        shortest = shortest.min(time);
        last = answer;
    }
    (shortest, last)
}

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(work)
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// The most bytes that `work` holds at once beyond what was held before.
fn peak(work: impl FnOnce()) -> u64 {
    let meter = Meter::start().expect("the allocator counts");
    work();
    meter.most()
}

#[global_allocator]
static MEMORY: Counting = Counting;
