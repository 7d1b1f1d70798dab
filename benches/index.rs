//! The stored index: `cargo bench --bench index` makes one of a million texts and one of ten million codes (`-- --quick`: of a
//! hundredth). It times building, opening, asking with a warm and a cold cache, adding and removing.
//!
//! Half of the queries are near-copies of stored items, half are strangers. One thread asks; building uses all. A distance that
//! differs from the exact one is a panic. `--texts N`, `--codes N` choose the sizes (0: leave it out); `--folder DIR` keeps the data
//! and takes what is there, so that others measure the same; `--json` prints one object per index.

use std::{
    fs::{self, File},
    hint::black_box,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use lookalike::{
    Metric, builtin,
    corpus::Options,
    minhash::{
        Jaccard, Shingler,
        generate::{Corpus, Vocabulary, ZipfText},
    },
    random,
    search::{Add, Answer, Dataset, Id, Index, Registry, Request, Source, Wanted},
};
use rand::RngExt;
use rayon::prelude::*;
use serde_json::json;

const WORDS: usize = 200;
const BYTES: usize = 8;
const QUERIES: usize = 2000;
const COLD: usize = 100;
/// Batches that are added, and their items.
const BATCHES: usize = 5;
const BATCH: usize = 1000;
/// The index is asked so often, and the best time of each query counts: others use the machine, too.
const ROUNDS: usize = 5;
const WAIT: Duration = Duration::from_secs(60);

/// Items in files, and how an index of them is made.
struct Case {
    kind: &'static str,
    count: usize,
    request: Request,
    items: PathBuf,
    more: Vec<PathBuf>,
    queries: PathBuf,
    /// For each near query the item that it is a copy of, and their distance.
    planted: Vec<(usize, f64)>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let value = |flag: &str| {
        let place = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(place + 1)
    };
    if let Some(index) = value("--child") {
        return child(Path::new(index), value("--queries").expect("queries"));
    }
    let size = |flag, most: usize| {
        let usual = if has("--quick") { most / 100 } else { most };
        value(flag).map_or(usual, |number| number.parse().expect("a number"))
    };
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = value("--folder").map_or(temporary.path().to_owned(), PathBuf::from);
    fs::create_dir_all(&folder).expect("a folder");
    let sizes = [size("--texts", 1_000_000), size("--codes", 10_000_000)];
    for (count, case) in sizes
        .into_iter()
        .zip([texts as fn(&Path, usize) -> Case, codes])
    {
        if count > 0 {
            measure(&case(&folder, count), &folder, has("--json"));
        }
    }
}

fn measure(case: &Case, folder: &Path, is_json: bool) {
    let registry = &builtin();
    let path = &folder.join(format!("{}-{}.idx", case.kind, case.count));
    let request = &case.request;
    let (build, built) = timed(|| {
        let items = source(&case.items, case.kind);
        Index::build(registry, request, &items, path, true, &())
    });
    let (planned, added) = built.expect("items");
    let bytes = added.stats.file.bytes as f64 / case.count as f64;
    let opens = (0..50).map(|_| timed(|| Index::open(registry, path).expect("an index")).0);
    let opens: Vec<Duration> = opens.collect();
    let queries = read(registry, &case.queries, case.kind);
    let index = Index::open(registry, path).expect("an index");
    let wanted = Wanted {
        k: 5,
        ..Wanted::default()
    };
    let (warm, answers) = warm(&index, &queries, &wanted);
    let found = compare(case, &answers);
    let cold = cold(registry, path, &queries, &wanted);
    drop(index);
    let memory = memory(path, &case.queries);
    let more: Vec<(Duration, u64)> = case
        .more
        .iter()
        .map(|more| add(registry, path, more, case.kind))
        .collect();
    let adds: Vec<Duration> = more.iter().map(|more| more.0).collect();
    let written: Vec<u64> = more.iter().map(|more| more.1).collect();
    let ids = (0..BATCH).map(|id| id.to_string()).collect::<Vec<_>>();
    let (remove, removed) = timed(|| Index::remove_ids(registry, path, &ids, WAIT, &()));
    removed.expect("they are there");
    let near = queries.len() / 2;
    let mean = warm.iter().sum::<Duration>().as_secs_f64() / warm.len() as f64;
    if is_json {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let line = json!({
            "kind": case.kind, "items": case.count, "plan": planned.to_string(), "build_s": build.as_secs_f64(),
            "bytes_per_item": bytes, "open_us": micros(median(&opens)), "found": found,
            "warm_p50_us": micros(median(&warm)), "warm_p99_us": micros(percentile(&warm, 0.99)),
            "cold_p50_us": micros(median(&cold)), "cold_p99_us": micros(percentile(&cold, 0.99)),
            "queries_per_s": 1.0 / mean, "add_1000_ms": micros(median(&adds)) / 1e3, "add_1000_bytes": written,
            "remove_1000_ms": micros(remove) / 1e3,
        });
        return println!("{line}");
    }
    println!("{} {}s", case.count, case.kind);
    print!("{planned}");
    let each = build.as_secs_f64() * 1e6 / case.count as f64;
    let threads = rayon::current_num_threads();
    println!(
        "  build          {:.2} s on {threads} threads, {each:.1} µs per item",
        build.as_secs_f64()
    );
    let file = added.stats.file;
    let per = |bytes: u64| bytes as f64 / case.count as f64;
    println!(
        "  file           {bytes:.0} bytes per item: {:.0} items, {:.0} buckets, {:.0} ids and tables",
        per(file.items),
        per(file.buckets),
        per(file.tables)
    );
    println!("  open           {}", short(median(&opens)));
    println!("  found          {found:.4} of the planted items within the threshold");
    println!("  a query                p50        p99");
    let rows = [
        ("near-copies", &warm[..near]),
        ("strangers", &warm[near..]),
        ("all, warm", &warm[..]),
        ("all, cold", &cold[..]),
    ];
    for (name, times) in rows {
        let (p50, p99) = (short(median(times)), short(percentile(times, 0.99)));
        println!("    {name:<12} {p50:>10} {p99:>10}");
    }
    println!("  queries        {:.0} per second, one thread", 1.0 / mean);
    let adds: Vec<String> = adds.iter().map(|&time| short(time)).collect();
    let written: Vec<String> = written
        .iter()
        .map(|&it| format!("{:.2}", it as f64 / 1e6))
        .collect();
    println!(
        "  add 1000       {}; MB written: {}",
        adds.join(", "),
        written.join(", ")
    );
    println!("  remove 1000    {}", short(remove));
    print!("  memory         {memory}");
    println!();
}

/// Texts of 200 words; the near queries have some of the words replaced.
fn texts(folder: &Path, count: usize) -> Case {
    let corpus = |seed| {
        let vocabulary = Vocabulary::new(50_000, 1).expect("words");
        let text = ZipfText::new(vocabulary, 1.0).expect("an exponent");
        Corpus::new(text, seed).words(WORDS, 5).expect("a width")
    };
    let stored = corpus(1);
    let record = |id: usize, text: &str| format!("{{\"id\": {id}, \"text\": \"{text}\"}}\n");
    let items = folder.join(format!("texts-{count}.jsonl"));
    write(&items, count, |id| {
        record(id, &stored.document(id as u64).text).into_bytes()
    });
    let more = (0..BATCHES).map(|batch| {
        let (path, first) = (
            folder.join(format!("texts-{count}-more-{batch}.jsonl")),
            count + batch * BATCH,
        );
        write(&path, BATCH, |id| {
            record(first + id, &stored.document((first + id) as u64).text).into_bytes()
        });
        path
    });
    let more = more.collect();
    let mut rng = random::stream(2, 0);
    let (mut planted, mut texts) = (Vec::new(), Vec::new());
    let jaccard = Jaccard::new(Shingler::default());
    for query in 0..QUERIES / 2 {
        let id = rng.random_range(0..count);
        let text = stored.document(id as u64).text;
        let mut words: Vec<&str> = text.split(' ').collect();
        for _ in 0..[0, 1, 2, 4, 6, 8, 10, 12, 13, 13][query % 10] {
            words[rng.random_range(0..WORDS)] = "replaced";
        }
        texts.push(words.join(" "));
        let distance = jaccard.distance(&jaccard.prepare(&texts[query]), &jaccard.prepare(&text));
        planted.push((id, distance));
    }
    let strangers = corpus(77);
    texts.extend((0..QUERIES / 2).map(|number| strangers.document(number as u64).text));
    let queries = folder.join(format!("texts-{count}-queries.jsonl"));
    write(&queries, QUERIES, |id| record(id, &texts[id]).into_bytes());
    let request = Request::new("jaccard", 0.5);
    Case {
        kind: "text",
        count,
        request,
        items,
        more,
        queries,
        planted,
    }
}

/// Random codes of 64 bits; the near queries differ in up to 6 of them.
fn codes(folder: &Path, count: usize) -> Case {
    let code = |id: usize| random::stream(3, id as u64).random::<u64>();
    let rows = |path: &Path, rows: usize, row: &(dyn Fn(usize) -> u64 + Sync)| {
        write(path, rows + 1, |place| match place.checked_sub(1) {
            None => npy(rows),
            Some(place) => row(place).to_be_bytes().to_vec(),
        });
    };
    let items = folder.join(format!("codes-{count}.npy"));
    rows(&items, count, &code);
    let more = (0..BATCHES).map(|batch| {
        let path = folder.join(format!("codes-{count}-more-{batch}.npy"));
        rows(&path, BATCH, &|place| code(count + batch * BATCH + place));
        path
    });
    let more = more.collect();
    let mut rng = random::stream(4, 0);
    let (mut planted, mut asked) = (Vec::new(), Vec::new());
    for query in 0..QUERIES / 2 {
        let id = rng.random_range(0..count);
        let flips = (0..query % 7).fold(0u64, |flips, _| flips | 1 << rng.random_range(0..64));
        asked.push(code(id) ^ flips);
        planted.push((id, f64::from(flips.count_ones())));
    }
    asked.extend((0..QUERIES / 2).map(|_| rng.random::<u64>()));
    let queries = folder.join(format!("codes-{count}-queries.npy"));
    rows(&queries, QUERIES, &|place| asked[place]);
    let request = Request::new("hamming", 6.0);
    Case {
        kind: "code",
        count,
        request,
        items,
        more,
        queries,
        planted,
    }
}

/// The head of an array of bytes.
fn npy(rows: usize) -> Vec<u8> {
    let head = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {BYTES}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{head:<117}\n").bytes());
    bytes
}

/// Writes a file piece by piece, unless it is there.
fn write(path: &Path, pieces: usize, piece: impl Fn(usize) -> Vec<u8> + Sync) {
    if path.exists() {
        return;
    }
    let part = path.with_extension("part");
    let mut out = BufWriter::new(File::create(&part).expect("a file"));
    for start in (0..pieces).step_by(1 << 16) {
        let run = start..pieces.min(start + (1 << 16));
        let run: Vec<Vec<u8>> = run.into_par_iter().map(&piece).collect();
        run.iter()
            .for_each(|piece| out.write_all(piece).expect("room"));
    }
    out.flush().expect("room");
    fs::rename(part, path).expect("a name");
}

fn source(path: &Path, kind: &'static str) -> Source {
    Source::new(&[path.display().to_string()], Options::default(), &[kind])
}

fn read(registry: &Registry, path: &Path, kind: &'static str) -> Dataset {
    let read = registry.read(&source(path, kind), &mut |_, _| ());
    read.expect("queries")
}

fn warm(index: &Index, queries: &Dataset, wanted: &Wanted) -> (Vec<Duration>, Vec<Answer>) {
    let mut asker = index.asker().expect("a plan");
    let mut round = || {
        let one = |query| timed(|| asker.ask(queries, query, wanted).expect("an index"));
        (0..queries.len())
            .map(one)
            .unzip::<_, _, Vec<Duration>, Vec<Answer>>()
    };
    let (mut best, answers) = round();
    for _ in 1..ROUNDS {
        for (time, again) in best.iter_mut().zip(round().0) {
            *time = again.min(*time);
        }
    }
    (best, answers)
}

/// Opens the index and asks one query, with nothing of the file in memory.
fn cold(registry: &Registry, path: &Path, queries: &Dataset, wanted: &Wanted) -> Vec<Duration> {
    let one = |query| {
        let forget = Command::new("dd")
            .arg(format!("if={}", path.display()))
            .args(["iflag=nocache", "count=0", "status=none"])
            .status();
        assert!(
            forget.is_ok_and(|status| status.success()),
            "GNU dd is needed"
        );
        timed(|| {
            let index = Index::open(registry, path).expect("an index");
            let answer = index.asker().expect("a plan").ask(queries, query, wanted);
            answer.expect("an index")
        })
        .0
    };
    (0..queries.len())
        .step_by(queries.len() / COLD)
        .map(one)
        .collect()
}

/// Distances must be exact; which share of the planted items within the threshold was found.
fn compare(case: &Case, answers: &[Answer]) -> f64 {
    let limit = case.request.threshold.expect("there is one");
    let limit = if case.kind == "text" {
        1.0 - limit
    } else {
        limit
    };
    let (mut all, mut there) = (0.0, 0.0);
    for (&(item, distance), answer) in case.planted.iter().zip(answers) {
        let own = answer
            .found
            .iter()
            .find(|near| near.id == Id::from(item as u64));
        if let Some(own) = own {
            assert!((own.distance - distance).abs() < 1e-9, "a wrong distance");
        }
        let is_within = distance <= limit;
        all += f64::from(u8::from(is_within));
        there += f64::from(u8::from(is_within && own.is_some()));
    }
    there / all
}

fn add(registry: &Registry, path: &Path, more: &Path, kind: &'static str) -> (Duration, u64) {
    let add = Add::new(None, Default::default(), WAIT);
    let before = written();
    let (time, added) = timed(|| Index::add(registry, path, &source(more, kind), &add, &()));
    assert_eq!(added.expect("new items").added, BATCH as u64);
    (time, written() - before)
}

/// The bytes that this process has written, where the system says it.
fn written() -> u64 {
    let said = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = said.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// A process that does nothing but ask: its memory.
fn memory(index: &Path, queries: &Path) -> String {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .arg("--child")
        .arg(index)
        .arg("--queries")
        .arg(queries)
        .output();
    String::from_utf8_lossy(&output.expect("a process").stdout).into_owned()
}

fn child(index: &Path, queries: &str) {
    let registry = builtin();
    let index = Index::open(&registry, index).expect("an index");
    let opened = resident();
    let kind = if index.plan().kind == "text" {
        "text"
    } else {
        "code"
    };
    let queries = read(&registry, Path::new(queries), kind);
    let mut asker = index.asker().expect("a plan");
    for query in 0..queries.len() {
        black_box(
            asker
                .ask(&queries, query, &Wanted::default())
                .expect("an index"),
        );
    }
    let (opened, asked) = (opened.unwrap_or_default(), resident().unwrap_or_default());
    let _ = writeln!(
        io::stdout(),
        "{opened} in a process that has opened it, {asked} after {QUERIES} queries"
    );
}

/// The most memory that was resident, where the system says it.
fn resident() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let answer = black_box(work());
    (start.elapsed(), answer)
}

fn median(times: &[Duration]) -> Duration {
    percentile(times, 0.5)
}

fn percentile(times: &[Duration], share: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share).round() as usize]
}

fn short(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
