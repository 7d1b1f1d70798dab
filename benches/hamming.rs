//! Search in binary codes: `cargo bench --bench hamming` (`-- --quick` for a tenth of the codes, `-- growth` for
//! how time and memory grow from 100 000 codes to 10 million).
//!
//! One thread, CPU time, the best of several rounds. Brute force, blocks and bit sampling answer the same
//! queries; whether blocks find all that brute force finds is checked, and a difference is a panic.
//!
//! With `--codes FILE --queries FILE --bits N --radius R --json` it measures codes from files, packed, and prints a JSON object
//! for each method; `--truth FILE` has the row that each query should find, as little-endian `u32`. That is for
//! `benches/peers/hamming`.

use std::{fs, hint::black_box, time::Instant};

use lookalike::engine::{Brute, BucketIndex};
use lookalike::hamming::{
    BitSampling, Blocks, CodeMethod, CodePlan, CodeTask, Codes, Probed, Probing, generate,
};
use serde_json::json;

/// The smallest time that is measured, by asking again and again.
const LEAST: f64 = 0.3;

fn main() {
    // `cargo bench` adds one of its own.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(|| {
        if let Some(codes) = value("--codes") {
            return files(&codes, value);
        }
        let scale = if has("--quick") { 10 } else { 1 };
        if has("growth") {
            return growth(scale);
        }
        for (bits, radius) in [(256, 25), (64, 6)] {
            println!("\n{bits} bits, radius {radius}");
            let codes = generate::random(bits, 1_000_000 / scale, 1).expect("bits");
            let queries = generate::neighbours(&codes, radius, 20_000, 2).expect("a distance");
            let scene = Scene::new(codes, queries.0, Some(queries.1), radius);
            print(&scene.all());
        }
    });
}

/// What `benches/peers/hamming` asks for.
fn files(codes: &str, value: impl Fn(&str) -> Option<String>) {
    let number = |name: &str| -> u32 {
        let text = value(name).unwrap_or_else(|| panic!("{name} is missing"));
        text.parse()
            .unwrap_or_else(|_| panic!("{name} {text}: a number"))
    };
    let read = |path: &str| fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let bits = number("--bits") as usize;
    let packed = |path: &str| {
        let mut codes = Codes::new(bits).expect("bits");
        codes.push_packed(&read(path)).expect("packed codes");
        codes
    };
    let truth = value("--truth").map(|path| {
        let bytes = read(&path);
        let (rows, _) = bytes.as_chunks::<4>();
        rows.iter().map(|&row| u32::from_le_bytes(row)).collect()
    });
    let queries = packed(&value("--queries").expect("--queries is missing"));
    let scene = Scene::new(packed(codes), queries, truth, number("--radius"));
    for row in scene.all() {
        println!("{}", row.json());
    }
}

/// From 100 000 codes to 10 million: what a query and a code take.
fn growth(scale: usize) {
    for (bits, radius) in [(256, 25), (64, 6)] {
        println!("\n{bits} bits, radius {radius}");
        for codes in [100_000, 1_000_000, 10_000_000] {
            let codes = generate::random(bits, codes / scale, 1).expect("bits");
            let queries = generate::neighbours(&codes, radius, 20_000, 2).expect("a distance");
            println!("{} codes", codes.len());
            let scene = Scene::new(codes, queries.0, Some(queries.1), radius);
            print(&[scene.plan(None), scene.plan(Some(0.95))].map(|plan| scene.row(&plan)));
        }
    }
}

/// Codes, queries, and what they should find.
struct Scene {
    codes: Codes,
    queries: Codes,
    truth: Option<Vec<u32>>,
    radius: u32,
}

/// What was measured of a method.
struct Row {
    plan: CodePlan,
    build: f64,
    queries: usize,
    seconds: f64,
    recall: Option<f64>,
    answers: usize,
    bytes: usize,
}

impl Scene {
    fn new(codes: Codes, queries: Codes, truth: Option<Vec<u32>>, radius: u32) -> Self {
        Self {
            codes,
            queries,
            truth,
            radius,
        }
    }

    fn plan(&self, recall: Option<f64>) -> CodePlan {
        let distances: Vec<u32> = (0..2000.min(self.codes.len() / 2))
            .map(|pair| {
                let [a, b] = [2 * pair, 2 * pair + 1].map(|place| self.codes.get(place));
                lookalike::hamming::distance(a, b)
            })
            .collect();
        let wish = CodeTask {
            bits: self.codes.bit_length(),
            codes: self.codes.len(),
            // As many as it takes for the time of building not to matter.
            queries: 100 * self.codes.len(),
            radius: self.radius,
            recall,
            memory: 8 << 30,
            distances: &distances,
        };
        wish.plan().expect("a wish that can be fulfilled")
    }

    fn all(&self) -> Vec<Row> {
        let mut rows = vec![self.brute()];
        // A little more than is asked for, so that the draw does not decide.
        for recall in [None, Some(0.955)] {
            let plan = self.plan(recall);
            rows.push(self.row(&plan));
        }
        let (all, exact) = (&rows[0], &rows[1]);
        if all.queries == exact.queries {
            assert_eq!(all.answers, exact.answers, "blocks miss nothing");
        }
        rows
    }

    fn row(&self, plan: &CodePlan) -> Row {
        match plan.method {
            CodeMethod::BruteForce => self.brute(),
            CodeMethod::BitSampling {
                rows,
                tables,
                flips,
            } => {
                let family = BitSampling::new(self.codes.bit_length()).and_then(|f| f.rows(rows));
                self.keyed(plan, &family.expect("a family"), tables, flips)
            }
            CodeMethod::Blocks {
                blocks,
                at_most,
                flips,
            } => {
                let family = Blocks::new(self.codes.bit_length(), blocks);
                let family = family.and_then(|family| family.at_most(at_most));
                self.keyed(plan, &family.expect("a family"), blocks, flips)
            }
        }
    }

    fn keyed<F: Probed + Clone + Sync>(
        &self,
        plan: &CodePlan,
        family: &F,
        tables: u32,
        flips: u32,
    ) -> Row {
        let source = Probing::new(family, tables, flips, 1).expect("a source");
        let start = cpu();
        let index = BucketIndex::build(source, &self.codes).expect("an index");
        let build = cpu() - start;
        let mut query = index.query();
        let mut ask = |code: &[u64], found: &mut dyn FnMut(u32)| {
            let near = query.near(code, &self.codes, self.radius.into());
            let near = near.expect("an answer");
            near.iter().for_each(|near| found(near.id));
            near.len()
        };
        let mut row = Row {
            plan: *plan,
            build,
            queries: self.queries.len(),
            seconds: f64::MAX,
            recall: None,
            answers: 0,
            bytes: index.bytes(),
        };
        for _ in 0..5 {
            let (start, mut rounds) = (cpu(), 0.0);
            while rounds == 0.0 || cpu() - start < LEAST {
                row.answers = self.queries.iter().map(|code| ask(code, &mut |_| ())).sum();
                rounds += 1.0;
            }
            row.seconds = row.seconds.min((cpu() - start) / rounds);
        }
        row.recall = self.truth.as_ref().map(|truth| {
            let asked = self.queries.iter().zip(truth);
            let found = asked.filter(|(code, wanted)| {
                let mut is_there = false;
                ask(code, &mut |id| is_there |= id == **wanted);
                is_there
            });
            found.count() as f64 / truth.len() as f64
        });
        row
    }

    fn brute(&self) -> Row {
        let few = 64.min(self.queries.len());
        let queries: Vec<&[u64]> = self.queries.iter().take(few).collect();
        let brute = Brute::new(&self.codes).expect("codes");
        let (mut seconds, mut near) = (f64::MAX, Vec::new());
        for _ in 0..5 {
            let (start, mut rounds) = (cpu(), 0.0);
            while rounds == 0.0 || cpu() - start < LEAST {
                near = black_box(brute.near(&queries, self.radius.into()));
                rounds += 1.0;
            }
            seconds = seconds.min((cpu() - start) / rounds);
        }
        let recall = self.truth.as_ref().map(|truth| {
            let asked = near.iter().zip(truth);
            let found = asked.filter(|(near, wanted)| near.iter().any(|near| near.id == **wanted));
            found.count() as f64 / few as f64
        });
        Row {
            plan: CodePlan {
                method: CodeMethod::BruteForce,
                recall: 1.0,
                keys: 0,
                compared: self.codes.len() as f64,
                bytes: 0,
                seconds: 0.0,
            },
            build: 0.0,
            queries: few,
            seconds,
            recall,
            answers: near.iter().map(Vec::len).sum(),
            bytes: 0,
        }
    }
}

impl Row {
    fn name(&self) -> (String, &'static str) {
        match self.plan.method {
            CodeMethod::BruteForce => ("brute force".into(), "brute-force"),
            CodeMethod::BitSampling {
                rows,
                tables,
                flips,
            } => {
                let name = format!("bit sampling, {tables} tables of {rows} bits, {flips} flips");
                (name, "bit-sampling")
            }
            CodeMethod::Blocks {
                blocks,
                at_most,
                flips,
            } => {
                let name = format!("blocks, {blocks} of {at_most} bits, {flips} flips");
                (name, "blocks")
            }
        }
    }

    fn json(&self) -> serde_json::Value {
        let (method, kind) = self.name();
        json!({
            "method": method, "kind": kind, "build_seconds": self.build, "queries": self.queries,
            "seconds": self.seconds, "recall": self.recall, "answers": self.answers, "index_bytes": self.bytes,
        })
    }
}

fn print(rows: &[Row]) {
    println!(
        "  {:<48} {:>11} {:>7} {:>9} {:>9}",
        "method", "queries/s", "recall", "build s", "index MB"
    );
    for row in rows {
        println!(
            "  {:<48} {:>11.0} {:>7.4} {:>9.2} {:>9.1}",
            row.name().0,
            row.queries as f64 / row.seconds,
            row.recall.unwrap_or(f64::NAN),
            row.build,
            row.bytes as f64 / 1e6,
        );
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
