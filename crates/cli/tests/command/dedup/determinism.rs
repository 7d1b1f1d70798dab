//! The same input gives the same bytes, however many threads there are and, with ids, in whatever order it comes.

use std::collections::BTreeSet;

use super::compressed::zstd;
use super::scene::Scene;
use super::texts::{passage, records};

/// 600 documents in 60 families: near copies, copies, texts of equal and of different length.
fn corpus() -> Vec<(String, String)> {
    (0..600)
        .map(|i| {
            let (family, member) = (i % 60, i / 60);
            let places: Vec<usize> = (0..member % 5).map(|place| 10 + 10 * place).collect();
            let mut text = passage(&format!("f{family}x"), &places);
            if member == 7 {
                text += " and some more";
            }
            (format!("d{:03}", i * 7 % 600), text)
        })
        .collect()
}

fn jsonl(corpus: &[(String, String)]) -> String {
    records(corpus.iter().map(|(id, text)| (id.as_str(), text.clone())))
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let whole = jsonl(&corpus());
    let half = whole[..whole.len() / 2].rfind('\n').unwrap() + 1;
    let scene = Scene::with("data/a.jsonl", &whole[..half]);
    scene.write("data/b.jsonl.zst", zstd(&whole.as_bytes()[half..]));
    for options in [
        "",
        "--mode annotate --keep longest --cluster components",
        "--verify signature",
        "--verify none --family universal --shingle chars:5 --allow-mass-removal",
    ] {
        let run = |threads| {
            let out = format!("out{threads}{}", options.len());
            scene.dedup(&format!("data --out {out} --threads {threads} {options}"));
            assert_eq!(scene.report(&out)["times"]["threads"], threads);
            scene.written(&out)
        };
        let one = run(1);
        assert!(one["clusters.jsonl"].len() > 1000, "{options}");
        assert_eq!(one, run(2), "{options}");
        assert_eq!(one, run(7), "{options}");
    }
}

#[test]
fn a_seed_gives_the_same_again_and_another_one_other_candidates() {
    let scene = Scene::with("in.jsonl", jsonl(&corpus()));
    for (out, seed) in [("a", 1), ("b", 1), ("c", 2)] {
        scene.dedup(&format!(
            "in.jsonl --out {out} --seed {seed} --threshold 0.9"
        ));
    }
    assert_eq!(scene.written("a"), scene.written("b"));
    let candidates = |folder| scene.report(folder)["pairs"]["candidates"].clone();
    assert_ne!(candidates("a"), candidates("c"));
}

#[test]
fn the_order_of_the_input_does_not_matter_where_length_and_id_choose() {
    let corpus = corpus();
    let shuffled: Vec<_> = (0..600)
        .map(|i| corpus[(i * 371 + 17) % 600].clone())
        .collect();
    let scene = Scene::with("in.jsonl", jsonl(&corpus));
    scene.write("shuffled.jsonl", jsonl(&shuffled));
    for (method, keep) in [
        ("star", "longest"),
        ("star", "shortest"),
        ("components", "longest"),
    ] {
        let options = format!("--cluster {method} --keep {keep}");
        let [a, b] = ["a", "b"].map(|name| format!("{name}-{method}-{keep}"));
        scene.dedup(&format!("in.jsonl --out {a} {options}"));
        scene.dedup(&format!("shuffled.jsonl --out {b} {options}"));
        let clusters = scene.clusters(&a);
        assert!(clusters.len() >= 60);
        assert_eq!(clusters, scene.clusters(&b), "{options}");
        let pairs = |folder| -> BTreeSet<_> {
            let pairs = scene.pairs(folder).into_iter();
            pairs
                .map(|(a, b, _)| (a.clone().min(b.clone()), a.max(b)))
                .collect()
        };
        assert_eq!(pairs(&a), pairs(&b), "{options}");
    }
}

/// Buckets of over a thousand different texts are not expanded: who is compared must not depend on order either.
#[test]
fn nor_does_it_in_buckets_over_the_limit() {
    let corpus: Vec<_> = (0..1500u64)
        .map(|i| {
            (
                format!("d{:04}", i * 7 % 1500),
                passage("a", &[]) + &format!(" end{}", i * i * i),
            )
        })
        .collect();
    let shuffled: Vec<_> = (0..1500)
        .map(|i| corpus[(i * 371 + 17) % 1500].clone())
        .collect();
    let scene = Scene::with("in.jsonl", jsonl(&corpus));
    scene.write("shuffled.jsonl", jsonl(&shuffled));
    for (input, out) in [("in", "a"), ("shuffled", "b")] {
        for threads in [1, 7] {
            scene.dedup(&format!("{input}.jsonl --out {out}{threads} --keep longest --threads {threads} --mode report"));
        }
    }
    assert!(
        scene.report("a1")["buckets"]["over_limit"]
            .as_u64()
            .unwrap()
            > 0
    );
    let clusters = scene.clusters("a1");
    assert_eq!(clusters.len(), 1);
    assert_eq!(clusters, scene.clusters("b1"));
    assert_eq!(scene.written("a1"), scene.written("a7"));
    assert_eq!(scene.written("b1"), scene.written("b7"));
}
