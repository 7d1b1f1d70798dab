//! Documents that are strange but right.

use super::scene::Scene;
use super::texts::{passage, records};

#[test]
fn an_empty_file_has_no_documents() {
    for (name, bytes) in [
        ("in.jsonl", ""),
        ("in.txt", ""),
        ("in", ""),
        ("in.jsonl", "\n \r\n\n"),
        ("in.txt", "\u{FEFF}"),
    ] {
        let scene = Scene::with(name, bytes);
        scene.dedup(&format!("{name} --out out"));
        let documents = &scene.report("out")["documents"];
        assert_eq!(
            (&documents["read"], &documents["kept"]),
            (&0.into(), &0.into()),
            "{name}"
        );
        assert_eq!(scene.read(&format!("out/kept/{name}")), bytes);
        assert_eq!(
            scene.read("out/clusters.jsonl") + &scene.read("out/pairs.jsonl"),
            ""
        );
    }
}

#[test]
fn an_empty_file_among_others_is_mirrored() {
    let scene = Scene::with("data/a.jsonl", "");
    scene.write(
        "data/b.jsonl",
        records([("1", passage("a", &[])), ("2", passage("a", &[]))]),
    );
    scene.dedup("data --out out");
    assert_eq!(scene.files("out/kept"), ["a.jsonl", "b.jsonl"]);
    assert_eq!(scene.report("out")["documents"]["removed"], 1);
}

#[test]
fn documents_without_a_word_are_counted_and_kept() {
    let texts = ["", "", " \n\t", "…!?", "", "\u{0}"];
    let input: String = texts
        .iter()
        .map(|text| format!("{}\n", serde_json::json!({"text": text})))
        .collect();
    let scene = Scene::with("in.jsonl", &input);
    scene.dedup("in.jsonl --out out");
    let documents = &scene.report("out")["documents"];
    let counts = ["read", "kept", "removed", "empty", "copies"]
        .map(|count| documents[count].as_u64().unwrap());
    assert_eq!(counts, [6, 6, 0, 6, 0]);
    assert_eq!(scene.read("out/kept/in.jsonl"), input);
}

#[test]
fn one_word_is_a_document_that_is_like_itself_alone() {
    let scene = Scene::with("in.txt", "word\nother\nWord\nword\nwords\n");
    scene.dedup("in.txt --out out");
    // `words` folds case: "Word" has the tokens of "word", though not its text.
    assert_eq!(scene.read("out/kept/in.txt"), "word\nother\nwords\n");
    let documents = &scene.report("out")["documents"];
    assert_eq!(
        (&documents["empty"], &documents["copies"]),
        (&0.into(), &1.into())
    );
    let expected = [("1", "3"), ("1", "4"), ("3", "4")];
    let expected = expected.map(|(a, b)| {
        (
            format!("\"in.txt:{a}\""),
            format!("\"in.txt:{b}\""),
            Some(1.0),
        )
    });
    assert_eq!(scene.pairs("out"), expected);
}

#[test]
fn a_short_text_is_not_like_a_long_one_that_holds_it() {
    let scene = Scene::with("in.txt", format!("a0 a1\n{}\n", passage("a", &[])));
    scene.dedup("in.txt --out out --threshold 0.001 --bands 500 --rows 1");
    assert_eq!(scene.pairs("out"), []);
}

#[test]
fn texts_in_any_script_are_compared() {
    let russian = "все счастливые семьи похожи друг на друга каждая несчастливая семья несчастлива по своему ".repeat(3);
    let chinese = "话说天下大势分久必合合久必分周末七国分争并入于秦";
    let scene = Scene::with(
        "in.txt",
        [
            &russian,
            &russian.to_uppercase(),
            chinese,
            &format!("{chinese}。"),
            "👩‍👩‍👧 emoji",
        ]
        .join("\n"),
    );
    scene.dedup("in.txt --out out");
    let clusters = scene.clusters("out");
    let representatives: Vec<&str> = clusters.keys().map(String::as_str).collect();
    assert_eq!(representatives, ["\"in.txt:1\"", "\"in.txt:3\""]);
}

/// The same words, on both sides of the length at which texts are no longer held in memory.
#[test]
fn a_long_text_is_like_a_longer_one() {
    let words: Vec<String> = (0..180_000)
        .map(|i| format!("w{}", i * 7919 % 1_000_003))
        .collect();
    let text = words.join(" ");
    let cut = |bytes: usize| text[..bytes].to_owned();
    let scene = Scene::with(
        "in.jsonl",
        records([
            ("a", cut((1 << 20) - 9)),
            ("b", cut((1 << 20) + 9)),
            ("c", cut(1 << 19)),
        ]),
    );
    for method in ["exact", "signature"] {
        scene.dedup(&format!(
            "in.jsonl --out {method} --verify {method} --threshold 0.95"
        ));
        let pairs = scene.pairs(method);
        assert_eq!(pairs.len(), 1, "{method}");
        assert!(pairs[0].2.unwrap() > 0.98, "{method}: {pairs:?}");
    }
}

#[test]
fn ids_of_one_value_in_two_types_are_two_ids() {
    let scene = Scene::with(
        "in.jsonl",
        "{\"id\": 1, \"text\": \"a\"}\n{\"id\": \"1\", \"text\": \"a\"}\n",
    );
    scene.dedup("in.jsonl --out out");
    assert_eq!(
        scene.pairs("out"),
        [("1".into(), "\"1\"".into(), Some(1.0))]
    );
}

/// They have no shingle, so that only their bytes tell that they are copies.
#[test]
fn equal_texts_without_a_word_are_copies() {
    let line = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
    let bare: String = (0..200).map(|_| line("!!! ...")).collect();
    let others = ["???", "!!! ....", "", "", "   ", "words"]
        .map(line)
        .concat();
    let scene = Scene::with("in.jsonl", format!("{bare}{others}"));
    scene.dedup("in.jsonl --out out --allow-mass-removal");
    let documents = &scene.report("out")["documents"];
    let counts = ["read", "kept", "removed", "copies", "empty"]
        .map(|count| documents[count].as_u64().unwrap());
    assert_eq!(counts, [206, 7, 199, 199, 205]);
    let kept: Vec<_> = scene.lines("out/kept/in.jsonl");
    assert_eq!(kept[0]["text"], "!!! ...");
    assert_eq!(scene.clusters("out").len(), 1);
    // What is read again agrees.
    let said = scene.lookalike(["audit", "out", "--json"], "");
    assert_eq!(said.code, 0, "{said:?}");
    let audit: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(audit["copies"], 200 * 199 / 2);
    let said = scene.lookalike(
        [
            "explain",
            "--run",
            "out",
            "in.jsonl:1",
            "in.jsonl:2",
            "--json",
        ],
        "",
    );
    let explained: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(explained["verdict"], "same-text", "{said:?}");
    // Short texts that are skipped are like nothing, their copies included.
    let scene = Scene::with(
        "in.jsonl",
        line("two words").repeat(3) + &line("!").repeat(3),
    );
    scene.dedup("in.jsonl --out out --short skip");
    assert_eq!(scene.report("out")["documents"]["removed"], 2);
}
