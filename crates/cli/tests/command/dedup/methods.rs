//! `--keep`, `--cluster`, `--verify`, `--bands`: each does what it says.

use super::scene::{Clusters, Scene};
use super::texts::{passage, records, similarity};

/// Enough bands to find all that is alike in these texts for certain.
const SURE: &str = "--bands 60 --rows 2";

fn cluster(
    representative: &str,
    members: &[(&str, Option<f64>)],
) -> (String, std::collections::BTreeMap<String, Option<f64>>) {
    let quoted = |id: &str| format!("\"{id}\"");
    let members = members
        .iter()
        .map(|(id, similarity)| (quoted(id), *similarity));
    (quoted(representative), members.collect())
}

/// Four of one kind: "long" has one word more, "bit" one character less, than the others.
#[test]
fn keep_chooses_who_stays() {
    let long = passage("a", &[]) + " more";
    let short = passage("a", &[]).replace("a50 ", "a5 ");
    let scene = Scene::with(
        "in.jsonl",
        records([
            ("one", passage("a", &[])),
            ("long", long),
            ("bit", short),
            ("two", passage("a", &[20])),
        ]),
    );
    for (keep, stays) in [
        ("first", "one"),
        ("last", "two"),
        ("longest", "long"),
        ("shortest", "bit"),
    ] {
        scene.dedup(&format!(
            "in.jsonl --out {keep} --keep {keep} {SURE} --threshold 0.7"
        ));
        let clusters: Vec<String> = scene.clusters(keep).into_keys().collect();
        assert_eq!(clusters, [format!("\"{stays}\"")], "{keep}");
        let kept = scene.lines(&format!("{keep}/kept/in.jsonl"));
        assert_eq!((kept.len(), &kept[0]["id"]), (1, &stays.into()), "{keep}");
    }
}

#[test]
fn of_equally_long_ones_the_smaller_id_stays() {
    let scene = Scene::with(
        "in.jsonl",
        records(["c", "a", "b"].map(|id| (id, passage("x", &[])))),
    );
    for keep in ["longest", "shortest"] {
        scene.dedup(&format!("in.jsonl --out {keep} --keep {keep}"));
        assert_eq!(
            scene.clusters(keep).into_keys().collect::<Vec<_>>(),
            ["\"a\""]
        );
    }
}

/// Each differs from the next in two words, from the next but one in four: 0.81 and 0.66.
fn chain() -> Scene {
    let chain = [
        ("1", passage("a", &[])),
        ("2", passage("a", &[10, 20])),
        ("3", passage("a", &[10, 20, 30, 40])),
        ("4", passage("a", &[10, 20, 30, 40, 50, 60])),
    ];
    Scene::with("in.jsonl", records(chain))
}

#[test]
fn a_star_holds_what_is_like_its_representative_and_components_hold_the_chain() {
    let scene = chain();
    scene.dedup(&format!("in.jsonl --out star {SURE}"));
    scene.dedup(&format!(
        "in.jsonl --out components --cluster components {SURE}"
    ));
    let near = Some(similarity(2));
    let star: Clusters = [cluster("1", &[("2", near)]), cluster("3", &[("4", near)])].into();
    assert_eq!(scene.clusters("star"), star);
    let components: Clusters = [cluster("1", &[("2", near), ("3", None), ("4", None)])].into();
    assert_eq!(scene.clusters("components"), components);
    assert_eq!(scene.pairs("star"), scene.pairs("components"));
    assert_eq!(scene.pairs("star").len(), 3);
}

#[test]
fn the_threshold_itself_is_reached() {
    // 76 of 116 shingles are common.
    let scene = Scene::with(
        "in.jsonl",
        records([
            ("1", passage("a", &[])),
            ("2", passage("a", &[10, 20, 30, 40])),
        ]),
    );
    let exact = 76.0 / 116.0;
    for (threshold, pairs) in [(exact, 1), (exact + 1e-7, 0), (exact - 1e-7, 1)] {
        let out = format!("t{threshold}");
        scene.dedup(&format!(
            "in.jsonl --out {out} {SURE} --threshold {threshold}"
        ));
        assert_eq!(scene.pairs(&out).len(), pairs, "{threshold}");
    }
}

#[test]
fn verified_by_signature_is_an_estimate() {
    let scene = chain();
    scene.dedup("in.jsonl --out out --verify signature --bands 400 --rows 2 --threshold 0.7");
    let pairs = scene.pairs("out");
    assert!(!pairs.is_empty());
    for (a, b, estimate) in pairs {
        let places = 2 * a[1..2]
            .parse::<usize>()
            .unwrap()
            .abs_diff(b[1..2].parse().unwrap());
        let [estimate, exact] = [estimate.unwrap(), similarity(places)];
        assert!(estimate >= 0.7);
        // 800 functions: standard error at most 0.018.
        assert!(
            (estimate - exact).abs() < 0.08,
            "{a} {b}: {estimate}, but {exact}"
        );
    }
}

#[test]
fn not_verified_is_every_candidate_without_a_similarity() {
    let scene = chain();
    scene.dedup(&format!(
        "in.jsonl --out out --verify none {SURE} --threshold 0.99"
    ));
    let pairs = scene.pairs("out");
    assert_eq!(pairs.len(), 6);
    assert!(pairs.iter().all(|pair| pair.2.is_none()), "{pairs:?}");
    let report = scene.report("out");
    assert_eq!(report["pairs"]["candidates"], 6);
}

#[test]
fn bands_and_rows_are_taken_as_given() {
    let scene = chain();
    // At 0.81 one band of sixty rows finds nothing; at 60 × 2 it is certain.
    scene.dedup("in.jsonl --out few --bands 1 --rows 60");
    scene.dedup(&format!("in.jsonl --out many {SURE}"));
    let plan = |folder: &str| scene.report(folder)["plan"].clone();
    assert_eq!(
        (&plan("few")["bands"], &plan("few")["rows"]),
        (&1.into(), &60.into())
    );
    assert_eq!(
        (&plan("many")["bands"], &plan("many")["rows"]),
        (&60.into(), &2.into())
    );
    assert!(plan("few")["recall"].as_f64().unwrap() < 1e-5);
    assert_eq!(
        (scene.pairs("few").len(), scene.pairs("many").len()),
        (0, 3)
    );
}

#[test]
fn every_family_tokenisation_and_shingle_finds_a_copy_with_a_word_more() {
    let text = |end: &str| {
        format!(
            "{} the end of the matter is that {} it ends here {end}",
            passage("a", &[]),
            passage("the", &[])
        )
    };
    let scene = Scene::with(
        "in.jsonl",
        records([
            ("1", text("")),
            ("2", text("now")),
            ("3", passage("b", &[])),
        ]),
    );
    // SimHash would need too many tables for the last of the recall.
    for (family, recall) in [
        ("fast-similarity", 0.999),
        ("universal", 0.999),
        ("simhash", 0.9),
    ] {
        for (number, text) in [
            "--tokens words",
            "--tokens uax29",
            "--tokens whitespace",
            "--tokens chars",
            "--shingle chars:9",
            "--shingle stopwords",
            "--shingle words:64",
        ]
        .iter()
        .enumerate()
        {
            let out = format!("{family}{number}");
            scene.dedup(&format!(
                "in.jsonl --out {out} --family {family} {text} --threshold 0.7 --recall {recall}"
            ));
            let pairs = scene.pairs(&out);
            assert_eq!(pairs.len(), 1, "{family} {text}");
            assert_eq!(
                (pairs[0].0.as_str(), pairs[0].1.as_str()),
                ("\"1\"", "\"2\"")
            );
        }
    }
}
