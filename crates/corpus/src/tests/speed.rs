//! What the walk over records gains.

use super::Folder;
use crate::{Error, Options};
use serde::Deserialize;
use std::borrow::Cow;
use std::io::BufRead;
use std::time::{Duration, Instant};

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// About 100 MB of pages with an escape in every 30 bytes, at no regular places.
fn pages() -> Vec<u8> {
    let mut lines = Vec::new();
    let mut random = 1u64;
    for i in 0..20_000 {
        lines.extend_from_slice(format!("{{\"id\": \"page/{i}\", \"text\": \"").as_bytes());
        for _ in 0..1000 {
            random = random
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(i | 1);
            let word = &b"abcdefghijklm"[..1 + (random >> 60) as usize % 10];
            lines.extend_from_slice(word);
            let end: &[u8] = match random >> 40 & 7 {
                0 => b"\\n",
                1 if random & 1 << 50 == 0 => b"\\\"",
                _ => b" ",
            };
            lines.extend_from_slice(end);
        }
        lines.extend_from_slice(b"\"}\n");
    }
    lines
}

fn best(mut run: impl FnMut() -> usize) -> (Duration, usize) {
    let time = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    std::iter::repeat_with(time).take(7).min().unwrap()
}

/// `cargo test -p lookalike-corpus --release -- --ignored --nocapture speed`
#[test]
#[ignore = "a measurement, for a release build on a quiet machine"]
fn speed() {
    let folder = Folder::new(&[("a.jsonl", &pages())]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let (ours, sum) = pool.unwrap().install(|| {
        best(|| {
            let corpus = folder.open("a.jsonl", Options::default()).unwrap();
            let mut sum = 0;
            let work = |(): &mut (), documents: &mut crate::Documents<'_>| {
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
            corpus.scan(|| (), work, take).unwrap();
            sum
        })
    });
    let (serde, expected) = best(|| {
        let file = std::fs::File::open(folder.path("a.jsonl")).unwrap();
        let mut file = std::io::BufReader::with_capacity(1 << 18, file);
        let (mut line, mut sum) = (Vec::new(), 0);
        while file.read_until(b'\n', &mut line).unwrap() > 0 {
            let record: Record<'_> = serde_json::from_slice(&line).unwrap();
            sum += record.text.len() + record.id.len();
            line.clear();
        }
        sum
    });
    assert_eq!(sum, expected);
    let ratio = serde.as_secs_f64() / ours.as_secs_f64();
    println!("serde_json {serde:.1?}, a scan {ours:.1?}: {ratio:.1} times as fast");
}
