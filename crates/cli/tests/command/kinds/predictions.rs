//! `query --vote` and `--mean`: what neighbours say about a query.

use super::scene::Scene;

/// Points on a line, with a class and a number.
fn scene() -> Scene {
    let scene = Scene::new();
    let points = [
        (0.0, "low", "1.5"),
        (1.0, "low", "2"),
        (2.0, "high", "4"),
        (9.0, "high", "\"10\""),
        (10.0, "two words", "20"),
    ];
    let record = |(x, class, size): (f64, &str, &str)| {
        format!(
            "{{\"id\": \"p{x}\", \"vector\": [{x}, 0], \"class\": \"{class}\", \"size\": {size}}}\n"
        )
    };
    scene.write("points.jsonl", points.map(record).concat());
    scene.write(
        "new.jsonl",
        "{\"id\": 7, \"vector\": [0.1, 0]}\n{\"id\": 8, \"vector\": [9.9, 0]}\n",
    );
    scene
}

#[test]
fn most_neighbours_decide_and_the_nearest_breaks_ties() {
    let scene = scene();
    let vote =
        |rest: &str| scene.lines(&format!("query points.jsonl new.jsonl {rest} --vote class"));
    assert_eq!(
        vote("--measure euclidean -k 3"),
        ["7\tlow\t2 of 3", "8\thigh\t2 of 3"]
    );
    assert_eq!(
        vote("--measure euclidean -k 2"),
        ["7\tlow\t2 of 2", "8\ttwo words\t1 of 2"]
    );
    assert_eq!(
        vote("--euclidean 0.05 --exact"),
        ["7\t–\t0 of 0", "8\t–\t0 of 0"]
    );
    let json = vote("--measure euclidean -k 3 --json");
    assert_eq!(
        json[1],
        r#"{"query": 8, "vote": "high", "votes": 2, "neighbours": 3}"#
    );
    let none = vote("--euclidean 0.05 --exact --json");
    assert_eq!(
        none[0],
        r#"{"query": 7, "vote": null, "votes": 0, "neighbours": 0}"#
    );
}

#[test]
fn numbers_have_a_mean_also_if_they_are_written_as_strings() {
    let scene = scene();
    let mean =
        |rest: &str| scene.lines(&format!("query points.jsonl new.jsonl {rest} --mean size"));
    assert_eq!(
        mean("--measure euclidean -k 3"),
        ["7\t2.5\t3", "8\t11.333333333\t3"]
    );
    assert_eq!(
        mean("--euclidean 0.2 --exact --json"),
        [
            r#"{"query": 7, "mean": 1.5, "neighbours": 1}"#,
            r#"{"query": 8, "mean": 20, "neighbours": 1}"#
        ]
    );
    assert_eq!(mean("--euclidean 0.05 --exact")[0], "7\t–\t0");
    assert!(mean("--euclidean 0.05 --exact --json")[0].contains("\"mean\": null"));
}

/// An item is not its own neighbour: the error that is left is the one that a stranger would see.
#[test]
fn items_are_predicted_by_the_others() {
    let scene = scene();
    let own = scene.lines("query points.jsonl points.jsonl --measure euclidean -k 1 --vote class");
    assert_eq!(own[0], "p0\tlow\t1 of 1");
    assert_eq!(own[4], "p10\thigh\t1 of 1");
    let with_self =
        scene.lines("query points.jsonl points.jsonl --measure euclidean -k 1 --vote class --self");
    assert_eq!(with_self[4], "p10\ttwo words\t1 of 1");
    let text = scene.run("query points.jsonl --text [9,0] --measure euclidean -k 1 --mean size");
    assert_eq!((text.code, &*text.out), (0, "text\t10\t1\n"));
}

#[test]
fn wrong_fields_and_uses_are_refused() {
    let scene = scene();
    let items = "query points.jsonl new.jsonl --measure euclidean -k 3";
    for (args, code, said) in [
        (
            format!("{items} --vote colour"),
            1,
            "points.jsonl:1: no field colour with a label",
        ),
        (
            format!("{items} --mean class"),
            1,
            "p0: class is \"low\", but --mean needs a number: use --vote class",
        ),
        (
            format!("{items} --mean size --vote class"),
            2,
            "cannot be used with",
        ),
        (
            format!("{items} --vote class --json --texts"),
            2,
            "cannot be used with",
        ),
        (
            "query points.jsonl --text x --vote class".into(),
            2,
            "--vote needs a measure",
        ),
        (
            "query points.jsonl --text x --mean size".into(),
            2,
            "--mean needs a measure",
        ),
    ] {
        let found = scene.run(&args);
        assert_eq!(found.code, code, "{args}: {found:?}");
        assert!(found.error.contains(said), "{args}: {}", found.error);
        assert_eq!(found.out, "", "{args}");
    }
    scene.write("in.jsonl", "{\"text\": \"one two three four five six\"}\n");
    assert_eq!(scene.run("index build in.jsonl --out in.idx").code, 0);
    let found = scene.run("query in.idx --text x --vote class");
    assert!(
        found.code == 2 && found.error.contains("--vote is for items without an index"),
        "{found:?}"
    );
}
