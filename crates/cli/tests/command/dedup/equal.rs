//! `--copies-only` and `--by`: equality instead of similarity.

use serde_json::json;

use super::scene::Scene;

fn record(id: u32, url: Option<&str>, text: &str) -> String {
    let mut record = json!({"id": id, "text": text, "score": id});
    if let Some(url) = url {
        record["url"] = url.into();
    }
    format!("{record}\n")
}

/// Texts whose words are the same, twice byte by byte.
fn formulas() -> String {
    [
        record(1, Some("x"), "a + b"),
        record(2, Some("y"), "a - b"),
        record(3, Some("x"), "a + b"),
        record(4, None, "A + B"),
        record(5, None, "!!! ..."),
        record(6, Some("y"), "!!! ..."),
        record(7, None, ""),
        record(8, None, ""),
    ]
    .concat()
}

fn kept(scene: &Scene, folder: &str) -> Vec<u64> {
    let lines = scene.lines(&format!("{folder}/kept/in.jsonl"));
    lines
        .iter()
        .map(|line| line["id"].as_u64().unwrap())
        .collect()
}

#[test]
fn copies_only_removes_equal_texts_and_nothing_else() {
    let scene = Scene::with("in.jsonl", formulas());
    // Words drop signs and case, so that a threshold of 1 is not equality.
    scene.dedup("in.jsonl --out shingles --threshold 1");
    assert_eq!(kept(&scene, "shingles")[..2], [1, 5]);
    let said = scene.run("in.jsonl --out out --copies-only");
    assert_eq!(kept(&scene, "out"), [1, 2, 4, 5, 7, 8]);
    assert_eq!(
        scene.pairs("out"),
        [("1", "3"), ("5", "6")].map(|(a, b)| (a.into(), b.into(), Some(1.0)))
    );
    assert!(
        said.error
            .starts_with("only documents with equal texts are duplicates\n"),
        "{said:?}"
    );
    assert!(!said.out.contains("candidates"), "{said:?}");
    assert!(scene.report("out").get("plan").is_none());
    scene.dedup("--config out/run.toml --out again");
    assert_eq!(scene.written("again"), scene.written("out"));
}

#[test]
fn by_removes_equal_values_of_a_field_whatever_the_texts() {
    let scene = Scene::with("in.jsonl", formulas());
    let said = scene.run("in.jsonl --out out --by url");
    assert_eq!(kept(&scene, "out"), [1, 2, 4, 5, 7, 8], "{said:?}");
    assert_eq!(scene.pairs("out")[1], ("2".into(), "6".into(), None));
    for says in ["with the `url` of another", "without `url`: kept"] {
        assert!(said.out.contains(says), "{said:?}");
    }
    scene.dedup("in.jsonl --out best --by url --keep max:score");
    assert_eq!(kept(&scene, "best"), [3, 4, 5, 6, 7, 8]);
    let said = scene.run("in.jsonl --by link --out none");
    let says =
        "no record has a field `link`, which by needs; the first has `id`, `score`, `text`, `url`";
    assert!(said.code == 1 && said.error.contains(says), "{said:?}");
}

#[test]
fn equality_and_similarity_exclude_each_other() {
    let scene = Scene::with("in.jsonl", formulas());
    for more in [
        "--copies-only --threshold 0.9",
        "--by url --tokens chars",
        "--by url --copies-only",
    ] {
        let error = scene.fails(2, &format!("in.jsonl {more}"));
        assert!(error.contains("cannot be used with"), "{error}");
    }
    scene.dedup("in.jsonl --out out --copies-only");
    let said = scene.lookalike(["audit", "out"], "");
    assert!(
        said.code == 1 && said.error.contains("nothing to measure"),
        "{said:?}"
    );
}
