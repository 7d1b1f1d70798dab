//! The stages of text beside the plain way to do each: `cargo bench --bench text` (`-- --quick` for a tenth of the
//! text). One thread, best of several in one process; what both sides answer is compared where it can be.

use std::{
    borrow::Cow,
    collections::HashSet,
    hint::black_box,
    io::BufRead,
    time::{Duration, Instant},
};

use lookalike::{
    LshFamily, LshFunctions,
    corpus::{Corpus, Documents, Error, Options},
    minhash::{
        Elements, FastSimilarity, Hashes, Jaccard, MinValue, Overlap, Shingler, ShinglerScratch,
        Tokens, Universal,
        generate::{Vocabulary, ZipfText, sets_with},
    },
};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

const WORDS: usize = 800;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let pages = pages(if quick { 1_000 } else { 10_000 });
    let bytes: usize = pages.iter().map(String::len).sum();
    println!(
        "{} pages, {:.1} MB of text",
        pages.len(),
        bytes as f64 / 1e6
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(|| {
        reading(&pages);
        tokens(&pages, bytes);
        shingles(&pages, bytes);
        sketches(if quick { 200 } else { 2_000 });
        exact(if quick { 20 } else { 200 });
    });
}

/// Zipf words with commas, quotes and lines, as pages have them.
fn pages(count: u64) -> Vec<String> {
    let vocabulary = Vocabulary::new(20_000, 1).expect("words");
    let text = ZipfText::new(vocabulary, 1.0).expect("an exponent");
    let page = |seed| {
        let words = text.write(&text.words(WORDS, seed));
        let ends = [" ", " ", " ", ", ", " ", ".\n", " \"", " "];
        let words = words.split(' ').zip(ends.iter().cycle());
        words.flat_map(|(word, end)| [word, end]).collect()
    };
    (0..count).map(page).collect()
}

/// The best of several runs, and what it gave.
fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..7 {
        let start = Instant::now();
        let result = black_box(run());
        let time = start.elapsed();
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, result));
        }
    }
    best.expect("seven runs")
}

fn report(what: &str, ours: Duration, plain: Duration, unit: &str, units: usize) {
    let each = |time: Duration| time.as_secs_f64() * 1e9 / units as f64;
    let ratio = plain.as_secs_f64() / ours.as_secs_f64();
    println!(
        "{what:<48} {:>10.2} ns {:>11.2} ns {unit:<8} {ratio:>5.1} ×",
        each(ours),
        each(plain)
    );
}

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

fn reading(pages: &[String]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pages.jsonl");
    let line = |(id, text): (usize, &String)| {
        format!(
            "{}\n",
            serde_json::json!({"id": id.to_string(), "text": text})
        )
    };
    let lines: String = pages.iter().enumerate().map(line).collect();
    std::fs::write(&path, &lines).expect("written");
    let inputs = [path.display().to_string()];
    let (ours, sum) = best(|| {
        let corpus = Corpus::open(&inputs, Options::default()).expect("opened");
        let mut sum = 0;
        let work = |(): &mut (), documents: &mut Documents<'_>| {
            let mut sum = 0;
            while let Some(document) = documents.next()? {
                sum += document.text.len() + document.id.map_or(0, |id| id.len() - 2);
            }
            Ok::<_, Error>(sum)
        };
        let take = |_, of_block: usize| {
            sum += of_block;
            Ok(())
        };
        corpus.scan(|| (), work, take).expect("read");
        sum
    });
    let (plain, expected) = best(|| {
        let file = std::fs::File::open(&path).expect("opened");
        let mut file = std::io::BufReader::with_capacity(1 << 18, file);
        let (mut line, mut sum) = (Vec::new(), 0);
        while file.read_until(b'\n', &mut line).expect("read") > 0 {
            let record: Record<'_> = serde_json::from_slice(&line).expect("a record");
            sum += record.text.len() + record.id.len();
            line.clear();
        }
        sum
    });
    assert_eq!(sum, expected);
    report("read JSONL, serde_json", ours, plain, "a byte", lines.len());
}

fn tokens(pages: &[String], bytes: usize) {
    for (tokens, name) in [
        (Tokens::Whitespace, "hash tokens by white space, std + XXH3"),
        (Tokens::Words, "hash words, chars() + XXH3"),
    ] {
        let shingler = Shingler::new("words:1".parse().expect("a shingle")).tokens(tokens);
        let (ours, count) = best(|| count(&shingler, pages));
        let (plain, expected) = best(|| {
            let mut count = 0;
            let mut take = |word: &str| {
                black_box(xxh3_64(word.as_bytes()));
                count += 1;
            };
            for page in pages {
                match tokens {
                    Tokens::Whitespace => page.split_whitespace().for_each(&mut take),
                    _ => page
                        .split(|c: char| !c.is_alphanumeric())
                        .filter(|word| !word.is_empty())
                        .for_each(|word| take(&word.to_lowercase())),
                }
            }
            count
        });
        assert_eq!(count, expected);
        report(name, ours, plain, "a byte", bytes);
    }
}

fn count(shingler: &Shingler, pages: &[String]) -> usize {
    let mut scratch = ShinglerScratch::default();
    let mut count = 0;
    for page in pages {
        shingler.visit(page, &mut scratch, &mut |piece| count += piece.len());
    }
    count
}

fn shingles(pages: &[String], bytes: usize) {
    let shingler = Shingler::default().tokens(Tokens::Whitespace);
    let (ours, found) = best(|| count(&shingler, pages));
    let (plain, expected) = best(|| {
        let mut count = 0;
        for page in pages {
            let words: Vec<&str> = page.split_whitespace().collect();
            for five in words.windows(5) {
                black_box(xxh3_64(five.join(" ").as_bytes()));
                count += 1;
            }
        }
        count
    });
    assert_eq!(found, expected);
    report(
        "hash shingles of 5 words, windows + join",
        ours,
        plain,
        "a byte",
        bytes,
    );
}

fn sketches(items: usize) {
    const K: usize = 128;
    for n in [20, 200, 2000] {
        let sets: Vec<Vec<u64>> = (0..items as u64)
            .map(|seed| sets_with(n, 0.5, seed).expect("a pair").into_sets().0)
            .map(|set| set.into_iter().map(lookalike::mix).collect())
            .collect();
        let (plain, _) = best(|| {
            let minimum = |set: &[u64], i: u64| {
                let (a, b) = (lookalike::mix(i) | 1, lookalike::mix(!i));
                set.iter().map(|x| x.wrapping_mul(a).wrapping_add(b)).min()
            };
            let all = |set: &Vec<u64>| (0..K as u64).filter_map(|i| minimum(set, i)).sum::<u64>();
            sets.iter().map(all).fold(0, u64::wrapping_add)
        });
        for (name, time) in [
            (
                "FastSimilarity",
                sketch(&FastSimilarity::new(Hashes), &sets),
            ),
            ("Universal", sketch(&Universal::new(Hashes), &sets)),
        ] {
            let what = format!("{name}, k = {K}, {n} elements, a·x + b");
            report(&what, time, plain, "an item", items);
        }
    }
}

fn sketch<F>(family: &F, sets: &[Vec<u64>]) -> Duration
where
    F: LshFamily<Item = [u64], Functions: LshFunctions<Key = MinValue>>,
{
    let functions = family.draw(128, 1);
    let mut scratch = Default::default();
    let mut keys = [None; 128];
    let run = || {
        sets.iter()
            .for_each(|set| functions.hash_into(set, &mut scratch, &mut keys))
    };
    best(run).0
}

/// Texts of which every fiftieth word differs.
fn exact(items: u64) {
    let shingler = Shingler::default();
    let lists = |seed: u64| {
        let text = |changed: bool| -> String {
            let word = |i: u64| match changed && i.is_multiple_of(50) {
                true => format!("x{seed}y{i} "),
                false => format!("w{seed}v{i} "),
            };
            (0..1000).map(word).collect()
        };
        [false, true].map(|changed| {
            let mut list = Vec::new();
            shingler.collect(&text(changed), &mut Default::default(), &mut list);
            list
        })
    };
    let pairs: Vec<[Vec<u64>; 2]> = (0..items).map(lists).collect();
    let (ours, common) = best(|| {
        let mut overlap = Overlap::default();
        let mut common = 0;
        for [a, b] in &pairs {
            overlap.hold(&a[..]);
            common += overlap.compare(b).a;
        }
        common
    });
    let (sorted, of_sorted) = best(|| {
        let jaccard = Jaccard::new(Hashes);
        let distance = |[a, b]: &[Vec<u64>; 2]| {
            use lookalike::Metric;
            jaccard.distance(&jaccard.prepare(a), &jaccard.prepare(b))
        };
        pairs.iter().map(distance).sum::<f64>()
    });
    let (plain, expected) = best(|| {
        let common = |[a, b]: &[Vec<u64>; 2]| {
            let a: HashSet<u64> = a.iter().copied().collect();
            let b: HashSet<u64> = b.iter().copied().collect();
            a.intersection(&b).count()
        };
        pairs.iter().map(common).sum::<usize>()
    });
    assert_eq!(common, expected);
    black_box(of_sorted);
    report(
        "compare 1000 shingles exactly, sort + merge",
        ours,
        sorted,
        "a pair",
        pairs.len(),
    );
    report(
        "compare 1000 shingles exactly, HashSet",
        ours,
        plain,
        "a pair",
        pairs.len(),
    );
}
