//! The nearest vectors by sketches: `cargo bench -p lookalike-vector --bench nearest`.
//!
//! One thread, CPU time. For each stated recall: what is found, queries per second, and how long planning and building
//! took. A recall counts answers that are at most as far as the true kth neighbour.
//!
//! With `--stored FILE --queries FILE --dimensions N --measure cosine|euclidean` it measures vectors of files, 32-bit
//! floats in the order of the machine, and prints JSON. That is for `benches/peers/vectors`. Options: `-k N` (10),
//! `--recalls A,B,…`, `--set JSON` (parameters of the method), `--seed N`, `--rounds N`, `--threads N`, `--out PREFIX`: the
//! ids of each query as `u32`, one file per recall.

use std::{fs, time::Duration};

use lookalike_core::{
    Near,
    plugin::{Method, Task},
};
use lookalike_vector::{
    Vectors, generate,
    plugin::{AngleDistance, EuclideanDistance, InSpace, SketchesBy},
};
use serde_json::{Value, json};

fn main() {
    let options = Options(std::env::args().skip(1).collect());
    let threads = options.number("--threads", 1.0) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let is_angle = options.value("--measure") != Some("euclidean");
        let [stored, queries] = match options.value("--stored") {
            Some(_) => ["--stored", "--queries"].map(|name| options.vectors(name)),
            None => made_up(),
        };
        let measured = match is_angle {
            true => measure::<AngleDistance>(stored, &queries, &options),
            false => measure::<EuclideanDistance>(stored, &queries, &options),
        };
        match options.value("--stored") {
            Some(_) => println!("{measured}"),
            None => println!("{measured:#}"),
        }
    });
}

/// Vectors in clusters, every fiftieth of them a query.
fn made_up() -> [Vectors; 2] {
    let (all, _) = generate::clustered(100, 50_000, 2500, 0.4, 1).expect("clusters");
    let mut sets = [(); 2].map(|()| Vectors::new(100).expect("dimensions"));
    for (place, vector) in all.rows().enumerate() {
        let set = usize::from(place % 50 == 0);
        sets[set].push(vector).expect("finite numbers");
    }
    sets
}

/// The words of the command line.
struct Options(Vec<String>);

impl Options {
    fn value(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|argument| argument == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str, usual: f64) -> f64 {
        let number = |text: &str| {
            text.parse()
                .unwrap_or_else(|_| panic!("{name} {text}: a number"))
        };
        self.value(name).map_or(usual, number)
    }

    fn recalls(&self) -> Vec<f64> {
        let list = self
            .value("--recalls")
            .unwrap_or("0.8,0.85,0.9,0.93,0.95,0.97,0.99");
        let recall = |text: &str| {
            text.parse()
                .unwrap_or_else(|_| panic!("--recalls {text}: a number"))
        };
        list.split(',').map(recall).collect()
    }

    fn vectors(&self, name: &str) -> Vectors {
        let path = self
            .value(name)
            .unwrap_or_else(|| panic!("{name} is missing"));
        let dimensions = self.number("--dimensions", 0.0) as usize;
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let numbers = bytes
            .as_chunks()
            .0
            .iter()
            .map(|&number| f32::from_ne_bytes(number));
        let numbers: Vec<f32> = numbers.collect();
        let mut vectors = Vectors::new(dimensions).expect("dimensions");
        vectors.reserve(numbers.len() / dimensions);
        for row in numbers.chunks_exact(dimensions) {
            vectors.push(row).expect("finite numbers");
        }
        vectors
    }
}

/// CPU seconds of this thread, and those by the clock.
fn now() -> [f64; 2] {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let clock = START.get_or_init(std::time::Instant::now).elapsed();
    let cpu = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = cpu.and_then(|text| text.split(' ').next()?.parse().ok());
    // Systems without this file have only the clock.
    let cpu = nanoseconds.map_or(clock, Duration::from_nanos);
    [cpu, clock].map(|time| time.as_secs_f64())
}

/// The seconds that some work takes, of the processor and by the clock.
fn timed<T>(work: impl FnOnce() -> T) -> ([f64; 2], T) {
    let before = now();
    let answer = work();
    let after = now();
    ([after[0] - before[0], after[1] - before[1]], answer)
}

fn measure<D: InSpace>(stored: Vectors, queries: &Vectors, options: &Options) -> Value {
    let distance = D::default();
    let k = options.number("-k", 10.0) as usize;
    let set = serde_json::from_str(options.value("--set").unwrap_or("{}")).expect("--set is JSON");
    let method: SketchesBy<D> = serde_json::from_value(set).expect("parameters");
    let seed = options.number("--seed", 0.0) as u64;
    let farthest = farthest(&distance, &stored, queries, k);
    let mut measured = Vec::new();
    let mut build = None;
    for (number, recall) in options.recalls().into_iter().enumerate() {
        let mut task = Task::new(f64::INFINITY, f64::INFINITY);
        (task.recall, task.k, task.seed) = (recall, Some(k), seed);
        (task.queries, task.is_named) = (Some(1 << 20), true);
        let (planning, proposal) = timed(|| method.propose(&distance, &stored, &task));
        let Some(proposal) = proposal.expect("parameters") else {
            continue;
        };
        let built = proposal
            .parameters
            .build(&distance, &stored, seed)
            .expect("parameters");
        // Only the first plan builds an index; later ones measure another recall on it.
        let build = build.get_or_insert(planning[0]);
        let mut best = [f64::INFINITY; 4];
        let mut found = Vec::new();
        for _ in 0..options.number("--rounds", 3.0) as usize {
            let limit = f64::INFINITY;
            let (all, answers) =
                timed(|| SketchesBy::<D>::query_all(&built, &stored, queries, k, limit));
            let single = || {
                for query in queries.rows() {
                    std::hint::black_box(SketchesBy::<D>::query(&built, &stored, query, k, limit));
                }
            };
            let (one, ()) = timed(single);
            for (best, seconds) in best.iter_mut().zip([all, one].as_flattened()) {
                *best = best.min(*seconds);
            }
            found = answers;
        }
        if let Some(out) = options.value("--out") {
            let ids = found.iter().flat_map(|near| ids(near, k));
            let bytes: Vec<u8> = ids.flat_map(u32::to_ne_bytes).collect();
            fs::write(format!("{out}-{number}"), bytes).expect("a file can be written");
        }
        let is_near = |(near, farthest): (&Vec<Near>, &f64)| {
            near.iter()
                .filter(|near| near.distance <= *farthest)
                .count()
        };
        let hits: Vec<usize> = found.iter().zip(&farthest).map(is_near).collect();
        let count = queries.len() as f64;
        let shares = hits.iter().map(|&hits| hits as f64 / k as f64);
        let share = shares.clone().sum::<f64>() / count;
        let apart = shares.map(|one| (one - share).powi(2));
        let [batch, batch_clock, single, _] = best.map(|seconds| count / seconds);
        measured.push(json!({
            "stated": recall,
            "recall": share,
            "standard_error": apart.sum::<f64>().sqrt() / count,
            "speed": batch,
            "speed_by_clock": batch_clock,
            "single": single,
            "calibration": planning[0],
            "build": *build,
            "bytes": built.size(),
            "parameters": serde_json::to_value(&proposal.parameters).expect("plain data"),
            "setting": format!("recall {recall}"),
        }));
    }
    json!({
        "build": build,
        "bytes": measured.first().map(|it| it["bytes"].clone()),
        "speeds": measured,
    })
}

/// Ids of some neighbours; the largest number where there are fewer.
fn ids(near: &[Near], k: usize) -> impl Iterator<Item = u32> {
    let missing = k.saturating_sub(near.len());
    let ids: Vec<u32> = near.iter().map(|near| near.id).collect();
    ids.into_iter()
        .chain(std::iter::repeat_n(u32::MAX, missing))
}

/// How far the true kth neighbour of each query is.
fn farthest<D: InSpace>(distance: &D, stored: &Vectors, queries: &Vectors, k: usize) -> Vec<f64> {
    let kernel = distance.kernel(stored).expect("vectors have a kernel");
    let brute = lookalike_engine::Brute::new(&*kernel).expect("not too many");
    let near = brute.nearest(queries, k, f64::INFINITY);
    near.iter()
        .map(|near| near.last().map_or(0.0, |near| near.distance))
        .collect()
}
