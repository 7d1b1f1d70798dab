//! `lookalike clusters`, and what the page says of clusters.

use serde_json::Value;

use super::scene::Scene;
use super::texts::{five, passage, records};

/// A cluster of three and one of two.
fn two_clusters() -> Scene {
    let [a, b] = ["a", "b"].map(|tag| passage(tag, &[]));
    let texts = [("b1", &b), ("a1", &a), ("a2", &a), ("b2", &b), ("a3", &a)];
    let texts = texts.map(|(id, text)| (id, text.clone()));
    let scene = Scene::with("in.jsonl", records(texts));
    scene.dedup("in.jsonl --out out");
    scene
}

#[test]
fn clusters_lists_the_largest_a_sample_or_that_of_a_document() {
    let scene = two_clusters();
    let said = |words: &[&str]| {
        let words = ["clusters", "out"].iter().chain(words).copied();
        scene.lookalike(words, "")
    };
    assert_eq!(
        said(&[]).out,
        "the 2 largest of 2 clusters\n\n\
         3 documents; kept: a1\n  1.0000  a2\n  1.0000  a3\n\n\
         2 documents; kept: b1\n  1.0000  b2\n"
    );
    let one = said(&["--top", "1"]).out;
    assert!(
        one.contains("kept: a1") && !one.contains("kept: b1"),
        "{one}"
    );
    let sample = said(&["--sample", "9", "--seed", "3"]).out;
    assert!(
        sample.starts_with("2 of 2 clusters, at random\n"),
        "{sample}"
    );
    let of = said(&["b2"]).out;
    assert_eq!(of, "\n2 documents; kept: b1\n  1.0000  b2\n");
    let json: Value = serde_json::from_str(&said(&["a3", "--json"]).out).unwrap();
    assert_eq!(json["count"], 2);
    assert_eq!(json["clusters"][0]["representative"], "a1");
    assert_eq!(json["clusters"][0]["members"][1]["id"], "a3");
    let none = said(&["c"]);
    assert!(
        none.code == 1 && none.error.contains("in no cluster"),
        "{none:?}"
    );
    let none = scene.lookalike(["clusters", "nowhere"], "");
    assert!(
        none.code == 1 && none.error.contains("not the folder of a finished run"),
        "{none:?}"
    );
}

#[test]
fn the_page_starts_with_a_headline_and_shows_clusters_by_id() {
    let scene = two_clusters();
    let page = scene.read("out/report.html");
    let headline = "60.0% duplicates: 3 of 5 documents, ";
    assert!(page.contains(headline), "{page}");
    let clusters = page.split_once("Largest clusters").unwrap().1;
    let (a, b) = (clusters.find("a1").unwrap(), clusters.find("b1").unwrap());
    assert!(a < b, "the largest first");
    assert!(!page.contains("in.jsonl:"), "ids where there are ids");
    assert_eq!(scene.report("out")["documents"]["removed_text_bytes"], {
        let one = passage("a", &[]).len();
        3 * one
    });
}

/// Bars used to go on behind 1.
#[test]
fn the_histogram_ends_at_one() {
    for threshold in ["0.8", "1"] {
        let scene = Scene::with("in.jsonl", five());
        scene.dedup(&format!("in.jsonl --out out --threshold {threshold}"));
        let page = scene.read("out/report.html");
        let chart = page.split_once("Pairs by similarity").unwrap().1;
        assert!(
            !chart.contains("1.01") && !chart.contains("1.005"),
            "{threshold}"
        );
    }
}

/// Ids are data, and a terminal must not obey them.
#[test]
fn ids_are_escaped_in_the_terminal_and_not_in_json() {
    let [first, second] = ["\u{1b}[31mred\n", "\u{1b}]0;title\u{7}"];
    let text = passage("a", &[]);
    let scene = Scene::with("in.jsonl", records([(first, text.clone()), (second, text)]));
    scene.dedup("in.jsonl --out out");
    let said = scene.lookalike(["clusters", "out"], "");
    assert!(said.code == 0 && !said.out.contains('\u{1b}'), "{said:?}");
    assert!(said.out.contains(r"kept: \u{1b}[31mred\u{a}"), "{said:?}");
    let said = scene.lookalike(["clusters", "out", "--json"], "");
    let json: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["clusters"][0]["members"][0]["id"], second);
}
