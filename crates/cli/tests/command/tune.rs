//! `lookalike tune`: the choice, what to expect of it, and what is out of reach.

use assert_cmd::Command;
use serde_json::Value;

fn tune(args: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    command
        .arg("tune")
        .args(args.split(' '))
        .env_remove("COLUMNS");
    command
}

fn text(args: &str) -> String {
    let output = tune(args)
        .assert()
        .success()
        .stderr("")
        .get_output()
        .clone();
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&text(&format!("{args} --json"))).unwrap()
}

/// What stderr says where a goal is out of reach.
fn refusal(args: &str) -> String {
    let output = tune(args).assert().code(1).stdout("").get_output().clone();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_threshold_is_enough() {
    insta::assert_snapshot!(text("--threshold 0.8 --width 80"), @r"
    13 bands × 7 rows: 91 functions of at most 128

    recall            0.95310  of the pairs at 0.8 become candidates (asked: 0.95)
    false candidates  0.30865  of the pairs at 0.6 become candidates
    rule threshold    0.6932   (1/bands)^(1/rows), the middle of the rise

    similarity  one band  candidate  missed
    0.7         0.08235   0.67283    0.32717
    0.8         0.20972   0.95310    0.04690
    0.9         0.47830   0.99979    0.00021

    probability of a candidate
    1.00 ┤                                          ┊             ┊●●●●●●●●●●●●●●
         │                                          ┊            ●●
         │                                          ┊          ●● ┊
         │                                          ┊         ●   ┊
    0.75 ┤                                          ┊       ●●    ┊
         │                                          ┊      ●      ┊
         │                                          ┊     ●       ┊
         │                                          ┊    ●        ┊
    0.50 ┤                                          ┊   ●         ┊
         │                                          ┊  ●          ┊
         │                                          ┊●●           ┊
         │                                          ●             ┊
    0.25 ┤                                        ●●┊             ┊
         │                                      ●●  ┊             ┊
         │                                   ●●●    ┊             ┊
         │                              ●●●●●       ┊             ┊
    0.00 ┤●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●            ┊             ┊
         └┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬
         0.0    0.1    0.2    0.3    0.4    0.5    0.6    0.7    0.8    0.9    1.0
                                                                       similarity

          ● 13 bands × 7 rows   ┊ threshold 0.8, rare 0.6
    ");
}

#[test]
fn json_has_the_same_numbers() {
    let json = json("--threshold 0.8 --estimate 0.05");
    let choice = &json["choice"];
    assert_eq!((&choice["bands"], &choice["rows"]), (&13.into(), &7.into()));
    assert_eq!(
        (&choice["functions"], &choice["budget"]),
        (&91.into(), &128.into())
    );
    assert_eq!(
        (&choice["threshold"], &choice["rare"]),
        (&0.8.into(), &0.6.into())
    );
    assert_eq!(choice["wanted_recall"], 0.95);
    let printed = |value: &Value| format!("{:.5}", value.as_f64().unwrap());
    assert_eq!(printed(&choice["recall"]), "0.95310");
    assert_eq!(printed(&choice["false_candidates"]), "0.30865");
    assert_eq!(printed(&choice["rule_threshold"]), "0.69321");
    let curve = choice["curve"].as_array().unwrap();
    let curve: Vec<String> = curve
        .iter()
        .map(|point| printed(&point["candidate"]))
        .collect();
    assert_eq!(curve, ["0.67283", "0.95310", "0.99979"]);
    assert_eq!(json["estimate"]["functions"], 738);
}

#[test]
fn more_recall_and_another_rare_similarity_change_the_choice() {
    let choice = &json("--threshold 0.8 --recall 0.99 --rare 0.5 --budget 256")["choice"];
    assert!(choice["recall"].as_f64().unwrap() >= 0.99, "{choice}");
    assert!(choice["functions"].as_u64().unwrap() <= 256, "{choice}");
    assert_eq!(choice["rare"], 0.5);
    let smaller = &json("--threshold 0.8 --recall 0.99 --rare 0.5 --num-perm 64")["choice"];
    assert_eq!(smaller["budget"], 64);
    assert!(smaller["false_candidates"].as_f64() > choice["false_candidates"].as_f64());
}

#[test]
fn the_rare_similarity_is_never_below_half_the_threshold() {
    for (threshold, rare) in [
        ("1", 0.8),
        ("0.5", 0.3),
        ("0.4", 0.2),
        ("0.3", 0.15),
        ("0.1", 0.05),
    ] {
        let choice = &json(&format!("--threshold {threshold}"))["choice"];
        assert_eq!(choice["rare"], rare);
    }
}

#[test]
fn the_textbook_avoids_false_negatives_with_twenty_bands() {
    let args = "--threshold 0.6 --budget 100 --no-chart --avoid";
    let low = text(&format!("{args} false-negatives"));
    assert!(low.starts_with("20 bands × 5 rows: 100 functions"), "{low}");
    assert!(low.contains("0.80190") && low.contains("0.5493"), "{low}");
    let high = text(&format!("{args} false-positives"));
    assert!(
        high.starts_with("10 bands × 10 rows: 100 functions"),
        "{high}"
    );
}

#[test]
fn the_ends_of_the_axis_are_not_passed() {
    let ts = |threshold: &str| {
        let json = json(&format!(
            "--threshold {threshold} --recall 0.5 --budget 1000"
        ));
        let points = json["choice"]["curve"].as_array().unwrap().clone();
        points
            .iter()
            .map(|point| point["t"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(ts("1"), [0.9, 1.0]);
    assert_eq!(ts("0.95"), [0.85, 0.95, 1.0]);
    assert_eq!(ts("0.05"), [0.0, 0.05, 0.15]);
}

#[test]
fn an_estimate_can_be_asked_for_alone() {
    insta::assert_snapshot!(text("--estimate 0.05"), @r"
    738 functions estimate a similarity within 0.05 of the true one
    with probability 0.95 or more, whatever it is (Hoeffding's bound).
    ");
    assert!(text("--estimate 0.05 --confidence 0.99").starts_with("1060 functions"));
    assert!(json("--estimate 0.05").get("choice").is_none());
}

#[test]
fn what_cannot_be_reached_says_what_can() {
    insta::assert_snapshot!(refusal("--threshold 0.5 --recall 0.999 --budget 8"), @r"
    error: no banding of at most 8 functions makes candidates of 0.999 of the pairs at similarity 0.5
    the most is 0.9961, with 8 bands × 1 row
    try --budget 10, a lower --recall or a higher --threshold
    ");
    // The suggestion does it, and one function fewer does not.
    text("--threshold 0.5 --recall 0.999 --budget 10");
    refusal("--threshold 0.5 --recall 0.999 --budget 9");
}

#[test]
fn a_split_that_cannot_be_low_enough_says_what_can() {
    insta::assert_snapshot!(refusal("--threshold 0.001 --avoid false-negatives"), @r"
    error: no split of 128 functions has a rule threshold of 0.001 or less
    the lowest is 0.0078, with one row in each band
    try --budget 1000 or a higher --threshold
    ");
    text("--threshold 0.001 --avoid false-negatives --budget 1000");
    refusal("--threshold 0.001 --avoid false-negatives --budget 999");
}
