//! The text index beside comparing all documents: `cargo bench --bench query` (`-- --quick` for a tenth of them).
//!
//! Half of the queries are near-copies of stored documents, half are strangers. One thread asks the index or compares the
//! sets; the corpus is read on all. Files are in the system's cache. What the index answers is compared with the truth: a similarity that differs is a panic.

use std::{
    fs::File,
    hint::black_box,
    io::{BufWriter, Write},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use lookalike::{
    LshFamily, Metric,
    engine::BucketIndex,
    minhash::{
        Elements, FastSimilarity, Hashes, Jaccard, Shingler,
        generate::{Corpus, Vocabulary, ZipfText},
    },
    random,
    search::{Ask, Settings, SimilarText, TextIndex, TextInput, build, scan},
};
use rand::RngExt;
use rayon::prelude::*;

const WORDS: usize = 200;
const K: usize = 5;
/// The index is asked so often, and the best time of each query counts: others use the machine, too.
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, index, queries] = &arguments[..]
        && flag == "--child"
    {
        return child(index, queries);
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let (count, asked) = if quick {
        (20_000, 400)
    } else {
        (200_000, 2_000)
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let documents = folder.path().join("documents.jsonl");
    let path = folder.path().join("index");
    let corpus = corpus();
    let bytes = write(&corpus, count, &documents);
    println!(
        "{count} documents of {WORDS} words, {:.0} MB of text; {asked} queries for {K} documents\n",
        bytes as f64 / 1e6
    );
    let data = TextInput {
        inputs: vec![documents.display().to_string()],
        ..TextInput::default()
    };
    let index = make(&data, &path, count);
    let queries = queries(&index, count, asked);
    let near = asked / 2;
    let sets = sets(&index, count);
    whole(&sets, count, folder.path());
    let threshold = Settings::default().threshold;
    let truth = by_all(&sets, &queries, threshold);
    let by_index = by_index(&index, &queries);
    compare(&truth, &by_index, threshold);
    let ask = Ask {
        k: K,
        min: threshold,
        ..Ask::default()
    };
    let read: Vec<Duration> = (0..5)
        .map(|query| {
            let (time, _) = timed(|| {
                let text = &queries[query][..];
                scan(&data, &Default::default(), &[text], &ask, &())
            });
            time
        })
        .collect();
    let all = median(&by_index.times);
    let ratio = |times: &[Duration]| median(times).as_secs_f64() / all.as_secs_f64();
    println!("a query                       p50        p99");
    let rows = [
        ("index, near-copies", &by_index.times[..near]),
        ("index, strangers", &by_index.times[near..]),
        ("index, all", &by_index.times[..]),
        ("all sets, in memory", &truth.times[..]),
        ("the corpus, read", &read[..]),
    ];
    for (name, times) in rows {
        let ratio = match name.starts_with("index") {
            true => String::new(),
            false => format!("   {:.0} × the index", ratio(times)),
        };
        let (p50, p99) = (short(median(times)), short(percentile(times, 0.99)));
        println!("  {name:<22} {p50:>10} {p99:>10}{ratio}");
    }
    memory(&path, &queries, folder.path());
}

fn corpus() -> Corpus {
    let vocabulary = Vocabulary::new(50_000, 1).expect("words");
    let text = ZipfText::new(vocabulary, 1.0).expect("an exponent");
    Corpus::new(text, 1).words(WORDS, 5).expect("a width")
}

/// Writes records; how many bytes of text.
fn write(corpus: &Corpus, count: u64, path: &Path) -> usize {
    let mut out = BufWriter::new(File::create(path).expect("a file"));
    let mut bytes = 0;
    for block in 0..count.div_ceil(10_000) {
        let numbers = block * 10_000..count.min((block + 1) * 10_000);
        let texts: Vec<_> = numbers
            .into_par_iter()
            .map(|number| (number, corpus.document(number).text))
            .collect();
        for (number, text) in texts {
            writeln!(out, "{{\"id\": {number}, \"text\": \"{text}\"}}").expect("room");
            bytes += text.len();
        }
    }
    out.flush().expect("room");
    bytes
}

fn make(data: &TextInput, path: &Path, count: u64) -> TextIndex {
    let (time, stats) = timed(|| build(&Settings::default(), data, path, false, &()));
    let stats = stats.expect("documents");
    let file = stats.file.expect("a file");
    let each = |bytes: u64| bytes as f64 / count as f64;
    println!("index, {}", stats.plan.banding.expect("bands"));
    println!(
        "  build   {:.2} s on {} threads, {:.1} µs a document",
        time.as_secs_f64(),
        rayon::current_num_threads(),
        time.as_secs_f64() * 1e6 / count as f64
    );
    println!(
        "  file    {:.0} bytes a document: {:.0} text (of {:.0}), {:.0} buckets, {:.0} ids and tables",
        each(file.bytes),
        each(file.texts),
        each(stats.text_bytes),
        each(file.buckets),
        each(file.tables)
    );
    let loads: Vec<Duration> = (0..20)
        .map(|_| timed(|| TextIndex::load(path).expect("an index")).0)
        .collect();
    println!("  load    {}", short(median(&loads)));
    TextIndex::load(path).expect("an index")
}

/// Near-copies with some words replaced, then strangers.
fn queries(index: &TextIndex, count: u64, asked: usize) -> Vec<String> {
    let mut rng = random::stream(2, 0);
    let strangers = Corpus::new(
        ZipfText::new(Vocabulary::new(50_000, 1).expect("words"), 1.0).expect("an exponent"),
        77,
    );
    let near = (0..asked / 2).map(|query| {
        let id = rng.random_range(0..count);
        let text = index.text(&id.into()).expect("an index").expect("a text");
        let mut words: Vec<&str> = text.split(' ').collect();
        for _ in 0..[0, 1, 2, 4, 6, 8, 10, 12, 13, 13][query % 10] {
            words[rng.random_range(0..WORDS)] = "replaced";
        }
        words.join(" ")
    });
    let near: Vec<String> = near.collect();
    let strangers = (0..).map(|number| strangers.document(number));
    let strangers = strangers.filter(|document| document.planted.is_none());
    let strangers = strangers.map(|document| document.text);
    near.into_iter().chain(strangers.take(asked / 2)).collect()
}

/// The sorted sets of all documents.
fn sets(index: &TextIndex, count: u64) -> Vec<Vec<u64>> {
    let set = |id: u64| {
        let text = index.text(&id.into()).expect("an index").expect("a text");
        Shingler::default().set(&text, &mut Default::default())
    };
    (0..count).into_par_iter().map(set).collect()
}

/// The engine's own file, which is read whole.
fn whole(sets: &[Vec<u64>], count: u64, folder: &Path) {
    let plan = Settings::default().plan().expect("a goal");
    let source = || {
        let family = FastSimilarity::new(Hashes).amplify(plan.scheme.clone());
        family.draw(0).expect("few keys")
    };
    let path = folder.join("engine");
    let mut index = BucketIndex::build(source(), sets).expect("few keys");
    index.save(&path).expect("room");
    let bytes = path.metadata().expect("a file").len();
    let loads: Vec<Duration> = (0..3)
        .map(|_| timed(|| BucketIndex::load(source(), &path).expect("an index")).0)
        .collect();
    println!(
        "  beside  {:.0} bytes a document and {} to load where all buckets are held in memory\n",
        bytes as f64 / count as f64,
        short(median(&loads))
    );
}

/// For each query, what was found and how long it took.
struct Answers {
    hits: Vec<Vec<SimilarText>>,
    times: Vec<Duration>,
}

/// Every set is compared, as far as it takes to know that it is below the threshold.
fn by_all(sets: &[Vec<u64>], queries: &[String], threshold: f64) -> Answers {
    let jaccard = Jaccard::new(Shingler::default());
    let one = |text: &String| {
        timed(|| {
            let asked = jaccard.prepare(text);
            let limit = 1.0 - threshold;
            let near = (0u64..).zip(sets).filter_map(|(id, set)| {
                let distance = jaccard.within(&asked, set, limit)?;
                let similarity = 1.0 - distance;
                Some(SimilarText {
                    id: id.into(),
                    similarity,
                })
            });
            near.collect::<Vec<SimilarText>>()
        })
    };
    let (times, hits) = queries.iter().map(one).unzip();
    Answers { hits, times }
}

fn by_index(index: &TextIndex, queries: &[String]) -> Answers {
    let mut searcher = index.searcher();
    let ask = Ask {
        k: K,
        ..Ask::default()
    };
    let mut round = || {
        let one = |text: &String| timed(|| searcher.ask(text, &ask).expect("an index").hits);
        let (times, hits) = queries.iter().map(one).unzip();
        Answers { hits, times }
    };
    let mut best = round();
    for _ in 1..ROUNDS {
        for (time, again) in best.times.iter_mut().zip(round().times) {
            *time = again.min(*time);
        }
    }
    best
}

/// Similarities must be the same; the share of the documents from the threshold on that the index has found.
fn compare(truth: &Answers, found: &Answers, threshold: f64) {
    let steps = [threshold, 0.6, 0.7, 0.8, 0.9, 1.1];
    let mut counts = [[0, 0]; 5];
    for (truth, found) in truth.hits.iter().zip(&found.hits) {
        for hit in found.iter().filter(|hit| hit.similarity >= threshold) {
            let same = |other: &&SimilarText| other.id == hit.id;
            let true_one = truth.iter().find(same).expect("a false answer");
            assert!((true_one.similarity - hit.similarity).abs() < 1e-12);
        }
        // More than were asked for cannot be found.
        let mut best = truth.clone();
        best.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
        for hit in best.iter().take(K) {
            let step = (0..5).find(|&step| hit.similarity < steps[step + 1]);
            let [all, there] = &mut counts[step.expect("at most 1")];
            *all += 1;
            *there += usize::from(found.iter().any(|other| other.id == hit.id));
        }
    }
    println!("found of the documents at a similarity");
    for (step, [all, there]) in counts.iter().enumerate() {
        let share = *there as f64 / *all as f64;
        println!(
            "  from {:.1}   {there:>5} of {all:>5}   {share:.4}",
            steps[step]
        );
    }
    println!();
}

/// A process that does nothing but ask: its memory.
fn memory(index: &Path, queries: &[String], folder: &Path) {
    let path = folder.join("queries");
    std::fs::write(&path, queries.join("\n")).expect("room");
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .arg("--child")
        .args([index, &path])
        .output()
        .expect("a process");
    print!("\n{}", String::from_utf8_lossy(&output.stdout));
}

fn child(index: &str, queries: &str) {
    let index = TextIndex::load(index).expect("an index");
    let queries = std::fs::read_to_string(queries).expect("queries");
    let loaded = resident();
    let mut searcher = index.searcher();
    for text in queries.lines() {
        black_box(searcher.ask(text, &Ask::default()).expect("an index"));
    }
    if let (Some(loaded), Some(most)) = (loaded, resident()) {
        println!(
            "memory of a process that asks: {loaded} when the index is open, {most} after all queries"
        );
    }
}

/// The most memory that was resident, where the system says it.
fn resident() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
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
