//! Names of items in lines that are separated by tabs.

use super::scene::Scene;

/// Each line has its three fields, whatever an id contains; JSON has the id as it is.
#[test]
fn tabs_and_line_breaks_in_names_are_escaped() {
    let scene = Scene::new();
    scene.write(
        "codes.jsonl",
        r#"{"id": "a\tb", "hash": "00ff"}
{"id": "c\nd\re", "hash": "00fe"}
{"id": "f\\t", "hash": "ff00"}
{"id": "plain", "hash": "ff01"}
"#,
    );
    assert_eq!(
        scene.lines("pairs codes.jsonl --hamming 1"),
        ["1\ta\\tb\tc\\nd\\re", "1\tf\\\\t\tplain"]
    );
    assert_eq!(
        scene.lines("query codes.jsonl codes.jsonl --hamming 1"),
        [
            "a\\tb\t1\tc\\nd\\re",
            "c\\nd\\re\t1\ta\\tb",
            "f\\\\t\t1\tplain",
            "plain\t1\tf\\\\t"
        ]
    );
    assert_eq!(
        scene.lines("pairs codes.jsonl --hamming 1 --json")[0],
        r#"{"a": "a\tb", "b": "c\nd\re", "distance": 1}"#
    );
    for verb in ["pairs", "query"] {
        let help = scene.lines(&format!("{verb} --help")).join("\n");
        assert!(help.contains(r"\t") && help.contains(r"\\"), "{help}");
    }
}
