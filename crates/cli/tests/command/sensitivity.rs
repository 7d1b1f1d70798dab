//! `lookalike sensitivity`: the textbook's numbers, every registered family, and what is refused.

use serde_json::Value;

use crate::printed;

fn command(args: &str) -> assert_cmd::Command {
    printed::command("sensitivity", args)
}

fn text(args: &str) -> String {
    printed::text("sensitivity", args)
}

fn json(args: &str) -> Value {
    printed::json("sensitivity", args)
}

/// p1 and p2 after each step.
fn stages(args: &str) -> Vec<[f64; 2]> {
    let json = json(args);
    let stages = json["stages"].as_array().unwrap().iter();
    let p = |stage: &Value, name: &str| stage[name].as_f64().unwrap();
    stages
        .map(|stage| [p(stage, "p1"), p(stage, "p2")])
        .collect()
}

#[track_caller]
fn assert_near(found: &[[f64; 2]], expected: &[[f64; 2]], within: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < within, "{found}, not {expected}");
    }
}

#[test]
fn minhash_step_by_step() {
    insta::assert_snapshot!(text("universal --d1 0.2 --d2 0.6 --amplify and:5,or:20 --no-chart --width 80"), @r"
    universal over texts, by Jaccard distance
    Items at most d1 = 0.2 apart agree with probability p1 or more, items at least
    d2 = 0.6 apart with probability p2 or less.

      step          functions  p1       p2       p1 − p2  ρ
    ● one function          1  0.80000  0.40000  0.40000  0.2435
    ○ and:5                 5  0.32768  0.01024  0.31744  0.2435
    ▲ or:20               100  0.99964  0.18605  0.81359  2.1e-4

    One function is (0.2, 0.6, 0.8, 0.4)-sensitive.
    All 100 functions together are (0.2, 0.6, 0.99964, 0.18605)-sensitive.
    ρ = ln p1 / ln p2, less is better; an AND of independent functions does not
    change it.
    ");
}

#[test]
fn the_textbook_s_families() {
    // Jaccard: (d1, d2, 1 − d1, 1 − d2).
    for family in [
        "universal",
        "fast-similarity",
        "permutation",
        "consistent-weighted",
    ] {
        let found = stages(&format!("{family} --d1 0.2 --d2 0.6"));
        assert_near(&found, &[[0.8, 0.4]], 1e-12);
    }
    // Hamming: (d1, d2, 1 − d1/n, 1 − d2/n).
    let found = stages("bit-sampling --bits 64 --d1 6 --d2 24");
    assert_near(&found, &[[1.0 - 6.0 / 64.0, 1.0 - 24.0 / 64.0]], 1e-12);
    // Angles: (d1, d2, (180 − d1)/180, (180 − d2)/180).
    let found = stages("hyperplanes --d1 30 --d2 120");
    assert_near(&found, &[[150.0 / 180.0, 60.0 / 180.0]], 1e-12);
    // Euclidean: (a/2, 2a, 1/2, 1/3), of which the exact numbers are better.
    let [[p1, p2]] = stages("random-lines --set width=4 --d1 2 --d2 8")[..] else {
        panic!("one function");
    };
    assert!(p1 >= 0.5 && p2 <= 1.0 / 3.0, "{p1} {p2}");
}

/// 20 × 5 at similarities 0.8 and 0.3, and 10 × 10: the numbers of the notes.
#[test]
fn the_textbook_s_bandings() {
    let found = stages("universal --d1 0.2 --d2 0.7 --amplify and:5,or:20");
    assert_near(
        &found,
        &[[0.8, 0.3], [0.328, 0.00243], [0.99964, 0.0475]],
        5e-4,
    );
    let found = stages("universal --d1 0.2 --d2 0.7 --amplify and:10,or:10");
    assert_near(&found[2..], &[[1.0 - 0.321, 0.000_059]], 5e-4);
    let found = stages("universal --d1 0.2 --d2 0.7 --amplify and:5,or:15");
    assert_near(&found[2..], &[[1.0 - 0.00259, 0.0358]], 5e-5);
}

#[test]
fn the_textbook_s_fingerprints() {
    let many = "grid-squares --squares 1000000 --d1 0.84 --d2 0.96 --amplify";
    let found = stages(&format!("{many} or:1024,and:2"));
    assert_near(&found[..1], &[[0.004096, 0.000064]], 5e-7);
    assert_near(&found[1..], &[[0.98505, 0.06344], [0.9703, 0.00402]], 5e-5);
    let found = stages(&format!("{many} or:2048,and:2"));
    assert_near(&found[1..], &[[0.99978, 0.12285], [0.99955, 0.01509]], 5e-5);
}

#[test]
fn an_and_keeps_rho_and_an_or_lowers_it() {
    let json = json("universal --d1 0.2 --d2 0.6 --amplify and:5,or:20");
    let rho = |stage: usize| json["stages"][stage]["rho"].as_f64().unwrap();
    assert!((rho(0) - 0.2435).abs() < 5e-5 && (rho(0) - rho(1)).abs() < 1e-12);
    assert!(rho(2) < 0.001);
    assert_eq!(json["distance"], "Jaccard distance");
    assert_eq!(
        json["stages"][2]["amplify"],
        serde_json::json!([{"and": 5}, {"or": 20}])
    );
    assert_eq!(json["stages"][1]["step"], "and:5");
    let curve = json["stages"][0]["curve"].as_array().unwrap();
    assert_eq!(curve[0], serde_json::json!([0.0, 1.0, 1.0]));
}

/// A name means the first kind with a promise; --kind and --measure say another.
#[test]
fn kinds_and_measures_can_be_named() {
    let kind = |args: &str| json(&format!("{args} --d1 0.2 --d2 0.6"))["kind"].clone();
    assert_eq!(kind("simhash"), "text");
    assert_eq!(kind("simhash --kind weighted-set"), "weighted-set");
    assert_eq!(kind("fast-similarity --kind squares"), "squares");
    assert_eq!(kind("grid-squares --squares 1024"), "squares");
    let lines = json("random-lines --measure euclidean --d1 1 --d2 4 --dimensions 8");
    assert_eq!(lines["distance"], "Euclidean distance");
    let blocks = stages("blocks --set blocks=8 --bits 64 --d1 7 --d2 24");
    assert_eq!(
        blocks[1][0], 1.0,
        "what differs in seven bits leaves one of eight blocks alone"
    );
    let deletions = stages("deletions --set reach=2 --d1 2 --d2 5");
    assert_eq!(deletions, [[1.0, 1.0]]);
}

/// A parameter that a plan would choose has a value here, and the value is said.
#[test]
fn parameters_that_are_not_given_are_stated() {
    for (family, name, value) in [
        ("random-lines --d1 0.5 --d2 2", "width", 1),
        ("cauchy-lines --d1 0.5 --d2 2", "width", 1),
        ("blocks --bits 64 --d1 6 --d2 24", "blocks", 8),
        ("deletions --d1 1 --d2 3", "reach", 1),
    ] {
        assert_eq!(json(family)["parameters"][name], value, "{family}");
        assert_eq!(
            stages(family),
            stages(&format!("{family} --set {name}={value}"))
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("lines.html");
    let mut command = command("random-lines --d1 0.5 --d2 2");
    command.arg("--html").arg(&page).assert().success();
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("width = 1"));
    assert_eq!(
        stages("blocks --bits 64 --d1 6 --d2 24")[1][0],
        1.0,
        "six bits leave two of eight blocks alone"
    );
    // Codes of four bits have no eight blocks.
    assert_eq!(stages("blocks --bits 4 --d1 1 --d2 3").len(), 1);
}

/// What `families` lists is of use: close items are more likely to agree than far ones.
#[test]
fn listed_promises_tell_close_items_from_far_ones() {
    let listed = printed::json("families", "--width 80");
    let kinds = listed["kinds"].as_array().unwrap().iter();
    let families = kinds.flat_map(|kind| kind["families"].as_array().unwrap());
    let mut seen = 0;
    for family in families.filter(|family| !family["promise"].is_null()) {
        let p = |name: &str| family["promise"][name].as_f64().unwrap();
        // SimHash of weighted sets promises nothing of far ones.
        let is_bounded_below_alone = p("p2") == 1.0 && !family["caveat"].is_null();
        assert!(p("p1") > p("p2") || is_bounded_below_alone, "{family}");
        assert!(p("p1") > 0.0, "{family}");
        seen += 1;
    }
    assert!(seen >= 16, "{seen}");
}

#[test]
fn what_falls_apart_has_signs_and_infinities() {
    let args = "fast-similarity --d1 0.45 --d2 0.65 --amplify and:5 --no-chart";
    let text = text(args);
    assert!(text.contains(" −0.00525  ∞\n"), "{text}");
}

#[test]
fn every_family_states_its_promise_or_that_it_has_none() {
    let output = assert_cmd::cargo::cargo_bin_cmd!("lookalike")
        .args(["families", "--json"])
        .assert()
        .success()
        .get_output()
        .clone();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (mut promising, mut silent) = (0, 0);
    for kind in listed["kinds"].as_array().unwrap() {
        let measure = kind["measures"][0]["flag"].as_str().unwrap();
        // 1 and 2 of whatever it is, or shares.
        let distances = match measure {
            "jaccard" | "uncommon" => "--d1 0.2 --d2 0.6",
            _ => "--d1 1 --d2 2",
        };
        for family in kind["families"].as_array().unwrap() {
            let [name, kind] = [&family["name"], &kind["kind"]].map(|it| it.as_str().unwrap());
            let args =
                format!("{name} --kind {kind} --measure {measure} --item-width 64 {distances}");
            let output = command(&args).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(0) => promising += 1,
                Some(2) => {
                    silent += 1;
                    let says = ["promises nothing", "is a method", "is not a distance"];
                    assert!(says.iter().any(|it| error.contains(it)), "{args}: {error}");
                }
                other => panic!("{args}: {other:?} {error}"),
            }
        }
    }
    assert!(promising >= 19 && silent >= 15, "{promising} {silent}");
}

#[test]
fn wrong_use_says_what_would_do() {
    for (args, said) in [
        (
            "universal --d1 0.6 --d2 0.2",
            "--d1 0.6 must be below --d2 0.2",
        ),
        (
            "universal --d1 0.2 --d2 0.2",
            "--d1 0.2 must be below --d2 0.2",
        ),
        (
            "universal --d1 0.2 --d2 1.5",
            "--d2 1.5 is beyond 1, the largest Jaccard distance of texts",
        ),
        (
            "universal --d1 -0.2 --d2 0.5",
            "--d1 -0.2 is not a distance",
        ),
        ("universal --d1 x --d2 0.5", "must be a number"),
        ("universal --d1 nan --d2 0.5", "must be a number"),
        ("universal --d1 0.2", "--d2 <D>"),
        ("univresal --d1 0.2 --d2 0.5", "did you mean `universal`?"),
        (
            "minhash --d1 0.2 --d2 0.5",
            "unknown family `minhash`: for minhash there is fast-similarity, universal, permutation, one-pass, consistent-weighted",
        ),
        (
            "euclidean --d1 1 --d2 2",
            "for euclidean there is random-lines",
        ),
        (
            "one-pass --d1 0.2 --d2 0.5",
            "one-pass promises nothing, so that it has no (d1, d2, p1, p2). Functions ax + b mod p come close",
        ),
        (
            "universal --kind code --d1 0.2 --d2 0.5",
            "universal is for text, set",
        ),
        (
            "universal --measure hamming --d1 0.2 --d2 0.5",
            "universal is not for --hamming",
        ),
        (
            "universal --measure hamming --d1 0.2 --d2 0.5",
            "its measures are --jaccard Usage",
        ),
        ("multi-probe --d1 6 --d2 24", "add --bits 64"),
        ("universal --measure jacard --d1 0.2 --d2 0.5", "jaccard"),
        ("bit-sampling --d1 6 --d2 24", "add --bits 64"),
        (
            "bit-sampling --bits 64 --d1 6.5 --d2 24",
            "--d1 6.5 is not a whole number",
        ),
        (
            "bit-sampling --bits 64 --d1 6 --d2 65",
            "--d2 65 is beyond 64, the largest Hamming distance of codes of 64 bits",
        ),
        ("hyperplanes --d1 6 --d2 181", "beyond 180"),
        (
            "hyperplanes --measure dot --d1 1 --d2 2",
            "inner product, which is not a distance: there is no (d1, d2, p1, p2). At an inner product s, functions agree as those of hyperplanes for angles do at acos(s / (longest · query_length))",
        ),
        (
            "universal --d1 0.2 --d2 0.6 --amplify and:5;or:20",
            "like and:5 or or:20",
        ),
        (
            "universal --d1 0.2 --d2 0.6 --amplify and:0",
            "of size 1 or more",
        ),
        (
            "universal --d1 0.2 --d2 0.6 --set rows=4",
            "unknown parameter `rows`",
        ),
        (
            "random-lines --d1 1 --d2 2 --set width=0",
            "a number above 0",
        ),
        ("tlsh --d1 10 --d2 50", "tlsh promises nothing"),
        ("brute-force --d1 0.1 --d2 0.5", "brute-force is a method"),
        (
            "deletions --d1 1 --d2 5 --amplify and:2",
            "cannot be combined by and:2",
        ),
    ] {
        let error = printed::refused(2, "sensitivity", args);
        let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(error.contains(said), "{args}: {error}");
    }
}

#[test]
fn a_page_and_a_picture_have_the_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let [page, picture] = ["a.html", "a.svg"].map(|name| folder.path().join(name));
    std::fs::write(&picture, "old").unwrap();
    let mut command =
        command("universal --d1 0.2 --d2 0.6 --amplify and:4,or:4,and:4,or:4 --no-chart");
    command.arg("--html").arg(&page).arg("--svg").arg(&picture);
    command.assert().success().stderr("");
    let [page, picture] = [page, picture].map(|path| std::fs::read_to_string(path).unwrap());
    for said in ["d1 = 0.2", "d2 = 0.6", "Jaccard distance", "or:4 (2)"] {
        assert!(page.contains(said) && picture.contains(said), "{said}");
    }
    assert!(page.contains("One function is (0.2, 0.6, 0.8, 0.4)-sensitive."));
    assert!(picture.contains(">p1 = ") && picture.starts_with("<svg"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
