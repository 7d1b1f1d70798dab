//! Vectors: all pairs above a cosine, and brute force. `cargo bench --bench vectors` (`-- --quick` for a tenth of the
//! vectors).
//!
//! One thread, CPU time, the best of several rounds, from vectors in memory to pairs in memory: planning and building
//! count. Joins are compared with brute force on the same vectors.
//!
//! With `--vectors FILE --dimensions N` it measures vectors of a file, 32-bit floats in the order of the machine, and
//! prints JSON. That is for `benches/peers/vectors`:
//!
//! - `--join METHOD --cosine S [--seed N] [--threads N] [--rounds N] [--out FILE]`: all pairs; FILE gets them as pairs of
//!   `u32`;
//! - `--queries FILE --measure NAME -k N [--rounds N] [--out FILE]`: brute force for all queries at a time and for single
//!   ones; FILE gets the ids of each query as `u32`.

use std::{fs, time::Instant};

use lookalike::search::{Dataset, Plan, Registry, Request};
use lookalike::vector::{Vectors, generate, plugin::Vector};
use serde_json::json;

/// The least CPU time of single queries that is measured.
const LEAST: f64 = 0.3;

fn main() {
    // `cargo bench` adds one of its own.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = Options(arguments);
    let threads = options.number("--threads").unwrap_or(1.0) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let rounds = options.number("--rounds").unwrap_or(3.0) as usize;
        let Some(path) = options.value("--vectors") else {
            return made_up(options.has("--quick"), rounds);
        };
        let vectors = options.floats(path);
        match options.value("--join") {
            Some(method) => {
                let cosine = options.number("--cosine").expect("--cosine is missing");
                let seed = options.number("--seed").unwrap_or(0.0) as u64;
                let request = Request::new("cosine", cosine).family(method).seed(seed);
                let join = Join::measured(vectors, &request, rounds);
                options.write(join.pairs.iter().flatten());
                println!("{}", join.json());
            }
            None => {
                let queries = options.value("--queries").expect("--queries is missing");
                let measure = options.value("--measure").expect("--measure is missing");
                let k = options.number("-k").expect("-k is missing") as usize;
                let brute = Brute::measured(vectors, options.floats(queries), measure, k, rounds);
                options.write(brute.ids.iter());
                println!("{}", brute.json());
            }
        }
    });
}

/// The words of the command line.
struct Options(Vec<String>);

impl Options {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|argument| argument == name)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|argument| argument == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str) -> Option<f64> {
        let text = self.value(name)?;
        let number = text.parse();
        Some(number.unwrap_or_else(|_| panic!("{name} {text}: a number")))
    }

    fn floats(&self, path: &str) -> Vectors {
        let dimensions = self.number("--dimensions");
        let dimensions = dimensions.expect("--dimensions is missing") as usize;
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let numbers: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|&number| f32::from_ne_bytes(number))
            .collect();
        let mut vectors = Vectors::new(dimensions).expect("dimensions");
        for row in numbers.chunks_exact(dimensions) {
            vectors.push(row).expect("finite numbers");
        }
        vectors
    }

    fn write<'a>(&self, ids: impl Iterator<Item = &'a u32>) {
        let Some(path) = self.value("--out") else {
            return;
        };
        let bytes: Vec<u8> = ids.flat_map(|id| id.to_ne_bytes()).collect();
        fs::write(path, bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

/// Vectors in clusters: joins beside brute force, and brute force for queries.
fn made_up(is_quick: bool, rounds: usize) {
    let count = if is_quick { 5_000 } else { 50_000 };
    let clustered = |count, seed| {
        let made = generate::clustered(100, count, count / 20, 0.4, seed);
        made.expect("clusters").0
    };
    println!("{count} vectors of 100 dimensions in clusters\n");
    println!(
        "  {:<22} {:>7} {:>9} {:>9} {:>7}",
        "pairs", "cosine", "seconds", "pairs", "recall"
    );
    for cosine in [0.9, 0.95] {
        let mut all = 0;
        for method in ["brute-force", "cross-polytope-join", "hyperplane-join"] {
            let request = Request::new("cosine", cosine).family(method);
            let join = Join::measured(clustered(count, 1), &request, rounds);
            if method == "brute-force" {
                all = join.pairs.len();
            }
            println!(
                "  {method:<22} {cosine:>7} {:>9.3} {:>9} {:>7.4}",
                join.seconds,
                join.pairs.len(),
                join.pairs.len() as f64 / all as f64,
            );
        }
    }
    println!(
        "\n  {:<22} {:>14} {:>14}",
        "10 nearest of 1000", "batch q/s", "single q/s"
    );
    for measure in ["cosine", "euclidean", "l1"] {
        let brute = Brute::measured(clustered(count, 1), clustered(1000, 2), measure, 10, rounds);
        let [batch, single] = brute.speeds();
        println!("  {measure:<22} {batch:>14.0} {single:>14.0}");
    }
}

/// What was measured of all pairs.
struct Join {
    plan: Plan,
    seconds: f64,
    wall: f64,
    pairs: Vec<[u32; 2]>,
}

impl Join {
    fn measured(vectors: Vectors, request: &Request, rounds: usize) -> Self {
        let registry = lookalike::builtin();
        let data = Dataset::new::<Vector>(vectors);
        let mut best: Option<Self> = None;
        for _ in 0..rounds {
            let (start, wall) = (cpu(), Instant::now());
            let (plan, pairs) = pairs(&registry, request, &data);
            let (seconds, wall) = (cpu() - start, wall.elapsed().as_secs_f64());
            let before = best.as_ref();
            let before = before.map_or((f64::MAX, f64::MAX), |best| (best.seconds, best.wall));
            best = Some(Self {
                plan,
                seconds: seconds.min(before.0),
                wall: wall.min(before.1),
                pairs,
            });
        }
        best.expect("a round")
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "seconds": self.seconds, "wall": self.wall, "pairs": self.pairs.len(),
            "recall": self.plan.recall.share(), "parameters": self.plan.parameters,
        })
    }
}

fn pairs(registry: &Registry, request: &Request, data: &Dataset) -> (Plan, Vec<[u32; 2]>) {
    let planned = registry.plan(request, data).expect("a plan");
    let search = registry.search(data, &planned.plan).expect("a search");
    let pairs = search.pairs(None).expect("pairs");
    let pairs = pairs.iter().map(|it| [it.pair.a(), it.pair.b()]).collect();
    (planned.plan, pairs)
}

/// What was measured of brute force.
struct Brute {
    queries: usize,
    /// CPU seconds of all queries at a time; the number of single queries, and their CPU seconds.
    batch: f64,
    single: (usize, f64),
    ids: Vec<u32>,
}

impl Brute {
    fn measured(
        vectors: Vectors,
        queries: Vectors,
        measure: &str,
        k: usize,
        rounds: usize,
    ) -> Self {
        let registry = lookalike::builtin();
        let data = Dataset::new::<Vector>(vectors);
        let queries = Dataset::new::<Vector>(queries);
        let count = queries.len();
        let request = Request::nearest(measure)
            .family("brute-force")
            .queries(count);
        let planned = registry.plan(&request, &data).expect("a plan");
        let search = registry.search(&data, &planned.plan).expect("a search");
        let asker = search.asker().expect("an asker");
        let mut brute = Self {
            queries: count,
            batch: f64::MAX,
            single: (1, f64::MAX),
            ids: Vec::new(),
        };
        for _ in 0..rounds {
            let start = cpu();
            let found = asker.ask(&queries, 0..count, k).expect("answers");
            brute.batch = brute.batch.min(cpu() - start);
            brute.ids = found.iter().flatten().map(|near| near.id).collect();
            let (start, mut asked) = (cpu(), 0);
            while asked == 0 || cpu() - start < LEAST {
                let query = asked % count;
                let found = asker.ask(&queries, query..query + 1, k).expect("answers");
                std::hint::black_box(found);
                asked += 1;
            }
            let seconds = cpu() - start;
            if seconds / (asked as f64) < brute.single.1 / brute.single.0 as f64 {
                brute.single = (asked, seconds);
            }
        }
        brute
    }

    /// Queries per second, all at a time and one at a time.
    fn speeds(&self) -> [f64; 2] {
        [
            self.queries as f64 / self.batch,
            self.single.0 as f64 / self.single.1,
        ]
    }

    fn json(&self) -> serde_json::Value {
        let [batch, single] = self.speeds();
        json!({"batch": batch, "single": single})
    }
}

/// Seconds that this thread has run; where the system does not say, seconds that went by.
fn cpu() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.with(|start| start.elapsed().as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}
