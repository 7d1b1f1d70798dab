//! Digests of files: all pairs within a TLSH distance. `cargo bench --bench digests` (`-- --quick` for fewer files).
//!
//! One thread, CPU time, the best of several rounds, from digests in memory to pairs in memory. Planning, which looks at a
//! sample of the digests, is measured apart from the search. Equal digests count once: their pairs need no search, and
//! would only raise the recall.
//!
//! With `--digests FILE`, one digest per line, it measures those of a file and prints JSON. That is for
//! `benches/peers/files`. `--distance N` (30), `--recall R` (0.99), `--seeds N` (20) and `--rounds N` (3) are optional.

use std::{collections::BTreeSet, fs, time::Instant};

use lookalike::{
    digest::{Digest, Digests, generate::edited_files, plugin::DigestKind},
    search::{Dataset, Plan, Registry, Request},
};
use serde_json::json;

fn main() {
    // `cargo bench` adds one of its own.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let number = |name: &str, default: f64| {
        value(name).map_or(default, |text| {
            text.parse()
                .unwrap_or_else(|_| panic!("{name} {text}: a number"))
        })
    };
    let wanted = Wanted {
        distance: number("--distance", 30.0),
        recall: number("--recall", 0.99),
        seeds: number("--seeds", 20.0) as u64,
        rounds: number("--rounds", 3.0) as usize,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread")
        .install(|| match value("--digests") {
            Some(path) => println!("{}", measured(read(path), &wanted)),
            None => {
                let is_quick = arguments.iter().any(|argument| argument == "--quick");
                let groups = if is_quick { 500 } else { 5000 };
                let said = measured(edited_files(groups, 3, 400, 0.02, 1), &wanted);
                println!("{said:#}");
            }
        });
}

/// What is asked for, and how often it is measured.
struct Wanted {
    distance: f64,
    recall: f64,
    seeds: u64,
    rounds: usize,
}

/// The digests of a file.
fn read(path: &str) -> Digests {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let digest = |line: &str| {
        line.parse::<Digest>()
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    text.lines().map(digest).collect()
}

/// Pairs of distinct digests by a plan, compared with all of them.
fn measured(all: Digests, wanted: &Wanted) -> serde_json::Value {
    let given = all.as_slice().len();
    let mut seen = BTreeSet::new();
    let is_new = |digest: &&Digest| seen.insert(digest.to_bytes());
    let distinct: Digests = all.as_slice().iter().filter(is_new).copied().collect();
    let count = distinct.as_slice().len();
    let data = Dataset::new::<DigestKind>(distinct);
    let registry = lookalike::builtin();
    let request = Request::new("tlsh", wanted.distance).recall(wanted.recall);
    let request = request.family("tlsh");
    let brute = Request::new("tlsh", wanted.distance).family("brute-force");
    let (mut planning, mut search, mut comparing) = (f64::MAX, f64::MAX, f64::MAX);
    let mut truth = BTreeSet::new();
    for _ in 0..wanted.rounds {
        let start = cpu();
        let plan = planned(&registry, &request, &data);
        planning = planning.min(cpu() - start);
        let start = cpu();
        pairs(&registry, &plan, &data);
        search = search.min(cpu() - start);
        let plan = planned(&registry, &brute, &data);
        let start = cpu();
        let found = pairs(&registry, &plan, &data);
        comparing = comparing.min(cpu() - start);
        truth = found.into_iter().collect();
    }
    let recall = |seed: u64| {
        let plan = planned(&registry, &request.clone().seed(seed), &data);
        let found = pairs(&registry, &plan, &data);
        let found = found.iter().filter(|pair| truth.contains(*pair)).count();
        found as f64 / truth.len().max(1) as f64
    };
    let recalls: Vec<f64> = (0..wanted.seeds).map(recall).collect();
    let plan = planned(&registry, &request, &data);
    json!({
        "digests": given,
        "distinct": count,
        "pairs": truth.len(),
        "scheme": plan.scheme.to_string(),
        "stated": plan.recall.share(),
        "planning_s": planning,
        "search_s": search,
        "brute_force_s": comparing,
        "recalls": recalls,
    })
}

fn planned(registry: &Registry, request: &Request, data: &Dataset) -> Plan {
    registry.plan(request, data).expect("a plan").plan
}

fn pairs(registry: &Registry, plan: &Plan, data: &Dataset) -> Vec<[u32; 2]> {
    let search = registry.search(data, plan).expect("a search");
    let pairs = search.pairs(None).expect("pairs");
    pairs.iter().map(|it| [it.pair.a(), it.pair.b()]).collect()
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
