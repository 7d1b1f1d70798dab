//! Bags: repeats count, in every verb that takes a Jaccard distance.

use serde_json::{Value, json};

use super::scene::Scene;

/// As sets both are {1, 2}; as bags they share 2 of 4 elements.
const REPEATED: &str = "1 1 2\n1 2 2\n7 8 9\n";

#[test]
fn repeats_count_in_sets() {
    let scene = Scene::new();
    scene.write("sets.txt", REPEATED);
    let pairs = |how: &str| scene.lines(&format!("pairs sets.txt --kind set --jaccard 0.4 {how}"));
    assert_eq!(pairs(""), ["1\tsets.txt:1\tsets.txt:2"]);
    let bags = ["0.5\tsets.txt:1\tsets.txt:2"];
    for how in [
        "--bag",
        "--set bag=true",
        "--bag --exact",
        "--bag --family universal --bands 60 --rows 1",
        "--bag --family fast-similarity --bands 60 --rows 1",
        "--bag --family simhash --bands 60 --rows 2",
    ] {
        assert_eq!(pairs(how), bags, "{how}");
    }
    // The last word has what is given by name.
    assert_eq!(
        pairs("--bag --set bag=false"),
        ["1\tsets.txt:1\tsets.txt:2"]
    );
    scene.write("queries.txt", "1 1 2\n");
    let query = "query sets.txt queries.txt --kind set --jaccard 0.4";
    let lines = scene.lines(&format!("{query} --bag"));
    let expected = [
        "queries.txt:1\t1\tsets.txt:1",
        "queries.txt:1\t0.5\tsets.txt:2",
    ];
    assert_eq!(lines, expected);
    let lines = scene.lines(query);
    assert_eq!(lines[1], "queries.txt:1\t1\tsets.txt:2");
    let records = r#"{"id": "a", "set": ["x", "x", "y"]}
{"id": "b", "set": ["x", "y", "y"]}
"#;
    scene.write("sets.jsonl", records);
    assert_eq!(
        scene.lines("pairs sets.jsonl --field set --jaccard 0.3 --bag"),
        ["0.5\ta\tb"]
    );
}

/// The textbook's abcab is {ab, bc, ca, ab}, and abcabab has ab three times and ba once: 4 of 6 in common.
#[test]
fn repeats_count_in_texts() {
    let scene = Scene::new();
    scene.write("texts.txt", "abcab\nabcabab\n");
    let pairs = |how: &str| {
        let args = format!("pairs texts.txt --jaccard 0.5 --shingle chars:2 --exact {how}");
        scene.lines(&args)
    };
    assert_eq!(pairs(""), ["0.75\ttexts.txt:1\ttexts.txt:2"]);
    assert_eq!(pairs("--bag"), ["0.666666667\ttexts.txt:1\ttexts.txt:2"]);
    let args = "query texts.txt texts.txt --jaccard 0.5 --shingle chars:2 --bag --json";
    let answers: Vec<Value> = scene
        .lines(args)
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 2);
    let similarity = &answers[0]["hits"][0]["similarity"];
    assert_eq!(similarity, &json!(0.666666667), "{answers:?}");
    // Codes change with what counts.
    let codes = |how: &str| {
        scene.lines(&format!(
            "codes texts.txt --family simhash --shingle chars:2 {how}"
        ))
    };
    assert_ne!(codes("")[1], codes("--bag")[1]);
}

#[test]
fn an_experiment_with_bags() {
    let scene = Scene::new();
    let toml = r#"
        jaccard = 0.5
        bands = 60
        rows = 1
        [family]
        name = "universal"
        bag = true
        [data]
        kind = "set"
        items = [[1, 1, 2], [1, 2, 2], [7, 8, 9]]
    "#;
    scene.write("bags.toml", toml);
    let read = |folder: &str| -> Value {
        serde_json::from_str(&scene.read(&format!("{folder}/result.json"))).unwrap()
    };
    scene.lines("run bags.toml --out bags");
    let bags = read("bags");
    scene.write("sets.toml", toml.replace("bag = true", ""));
    scene.lines("run sets.toml --out sets");
    let sets = read("sets");
    // Two items are at 0.5 as bags, and equal as sets.
    let nearest = |result: &Value| result["runs"][0]["curve"][0]["distance"].clone();
    assert_eq!(nearest(&bags), json!(0.5), "{bags}");
    assert_eq!(nearest(&sets), json!(0.0), "{sets}");
}

#[test]
fn what_cannot_count_repeats_says_so() {
    let scene = Scene::new();
    scene.write("sets.txt", REPEATED);
    scene.write("codes.txt", "00ff\n00fe\n");
    scene.write("texts.txt", "abcab\nabcabab\n");
    let refused = |args: &str, part: &str| {
        let said = scene.run(args);
        assert_eq!(said.code, 2, "{args}: {said:?}");
        assert!(said.error.contains(part), "{args}: {}", said.error);
    };
    for family in ["permutation", "one-pass"] {
        refused(
            &format!("pairs sets.txt --kind set --jaccard 0.5 --bag --family {family}"),
            "a column of a matrix has each row once, so this family cannot count repeats",
        );
    }
    refused("pairs codes.txt --hamming 1 --bag", "bag");
    refused(
        "query texts.txt --text abcab --bag",
        "--bag needs a measure, such as --jaccard 0.8",
    );
    let said = scene.run("index build texts.txt --out texts.idx --jaccard 0.5");
    assert_eq!(said.code, 0, "{said:?}");
    refused(
        "query texts.idx --text abcab --bag",
        "--bag is for items without an index",
    );
    refused(
        "pairs sets.txt --kind set --jaccard 0.5 --set bag=maybe",
        "bag",
    );
}
