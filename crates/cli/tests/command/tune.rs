//! `lookalike tune`: the choice, what to expect of it, and what is out of reach.

use serde_json::Value;

use crate::printed;

fn text(args: &str) -> String {
    printed::text("tune", args)
}

fn json(args: &str) -> Value {
    printed::json("tune", args)
}

/// What stderr says where a goal is out of reach.
fn refusal(args: &str) -> String {
    printed::refused(1, "tune", args)
}

#[test]
fn a_threshold_is_enough() {
    insta::assert_snapshot!(text("--threshold 0.8 --width 80"), @r"
    13 bands × 7 rows: 91 functions of at most 128

    recall            0.95310  of the pairs at 0.8 become candidates (asked: 0.95)
    false candidates  0.30865  of the pairs at 0.6 become candidates
    rule threshold    0.6932   (1/bands)^(1/rows): the curve has reached 0.65 there
    steepest at       0.6792   where its slope is 3.90

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
    let args = "--budget 100 --no-chart --avoid";
    let low = text(&format!("--threshold 0.6 {args} false-negatives"));
    assert!(low.starts_with("20 bands × 5 rows: 100 functions"), "{low}");
    assert!(low.contains("0.80190") && low.contains("0.5493"), "{low}");
    let high = text(&format!("--threshold 0.6 {args} false-positives"));
    assert!(
        high.starts_with("10 bands × 10 rows: 100 functions"),
        "{high}"
    );
    // The rule threshold of 10 × 10 is nearer to 0.8, and a third is missed there.
    insta::assert_snapshot!(text(&format!("--threshold 0.8 {args} false-negatives --width 80")), @r"
    20 bands × 5 rows: 100 functions of at most 100

    recall            0.99964  of the pairs at 0.8 become candidates (at least 0.8)
    false candidates  0.80190  of the pairs at 0.6 become candidates
    rule threshold    0.5493   (1/bands)^(1/rows): the curve has reached 0.64 there
    steepest at       0.5264   where its slope is 3.51

    similarity  one band  candidate    missed
    0.7         0.16807   0.97478      0.02522
    0.8         0.32768   0.99964      0.00036
    0.9         0.59049   0.999999982  0.000000018

                                          recall     cost: candidates
      split               rule threshold  at 0.8     at 0.6
      50 bands × 2 rows           0.1414  1          1 − 2.0e-10
      25 bands × 4 rows           0.4472  0.9999981  0.96888
    ● 20 bands × 5 rows           0.5493  0.99964    0.80190
      10 bands × 10 rows          0.7943  0.67886    0.05885
      5 bands × 20 rows           0.9227  0.05633    0.00018
    ");
}

#[test]
fn the_neighbours_of_a_split_are_in_the_json() {
    let choice = &json("--threshold 0.8 --budget 100 --avoid false-negatives")["choice"];
    assert_eq!(choice["avoid"], "false-negatives");
    assert_eq!(choice["wanted_recall"], 0.8);
    let splits = choice["splits"].as_array().unwrap();
    let rows: Vec<u64> = splits
        .iter()
        .map(|it| it["rows"].as_u64().unwrap())
        .collect();
    assert_eq!(rows, [2, 4, 5, 10, 20]);
    let chosen: Vec<bool> = splits.iter().map(|it| it["is_chosen"] == true).collect();
    assert_eq!(chosen, [false, false, true, false, false]);
    let recall = splits[3]["recall"].as_f64().unwrap();
    assert!((recall - 0.679).abs() < 0.0005, "{recall}");
    // Less may be demanded, and more.
    let rows = |recall: &str| {
        let args =
            format!("--threshold 0.8 --budget 100 --avoid false-negatives --recall {recall}");
        json(&args)["choice"]["rows"].as_u64().unwrap()
    };
    assert_eq!([rows("0.6"), rows("0.8"), rows("0.9999")], [10, 5, 4]);
}

#[test]
fn a_measure_is_a_threshold_of_a_family() {
    // For minhash, the similarity is the probability that one function agrees.
    let [plain, jaccard] =
        ["--threshold 0.8", "--jaccard 0.8"].map(|args| json(args)["choice"].clone());
    for key in ["bands", "rows", "recall", "false_candidates", "rare"] {
        assert_eq!(plain[key], jaccard[key], "{key}");
    }
    assert_eq!(jaccard["family"], "universal");
    let split = |args: &str| {
        let choice = json(&format!("{args} --budget 100 --avoid false-negatives"));
        [&choice["choice"]["bands"], &choice["choice"]["rows"]].map(|it| it.as_u64().unwrap())
    };
    assert_eq!(split("--jaccard 0.8"), [20, 5]);
    // Six of 64 bits: one agrees with probability 58/64, and the bits of a band are distinct.
    let hamming = &json("--hamming 6 --bits 64")["choice"];
    assert_eq!(hamming["one_function"], 0.90625);
    assert_eq!(
        (&hamming["family"], &hamming["item_width"]),
        (&"bit-sampling".into(), &64.into())
    );
    assert_eq!(hamming["rare"], 12.0);
    let [bands, rows] = ["bands", "rows"].map(|key| hamming[key].as_u64().unwrap());
    let band: f64 = (0..rows)
        .map(|i| (58 - i) as f64 / (64 - i) as f64)
        .product();
    let recall = 1.0 - (1.0 - band).powi(bands as i32);
    assert!((hamming["recall"].as_f64().unwrap() - recall).abs() < 1e-9);
    // 160 of 180 degrees.
    let angle = &json("--angle 20 --rare 45")["choice"];
    assert!((angle["one_function"].as_f64().unwrap() - 160.0 / 180.0).abs() < 1e-12);
    let depends = "Functions depend on each other";
    let said = |args: &str| {
        let words = text(&format!("{args} --no-chart"));
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(said("--hamming 6 --bits 64").contains(depends));
    assert!(!said("--jaccard 0.8").contains(depends));
    let lines = text("--euclidean 0.5 --no-chart");
    assert!(
        lines.contains("By random-lines over vectors, with width = 1: one function"),
        "{lines}"
    );
    let message = printed::refused(2, "tune", "--dot 3");
    assert!(message.contains("--dot 3 cannot be tuned"), "{message}");
    let named = &json("--jaccard 0.8 --family consistent-weighted --kind weighted-set")["choice"];
    assert_eq!(named["kind"], "weighted-set");
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
    The standard error at similarity J is √(J(1 − J)/738): at most 0.0184, at J = 0.5.
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
    try --budget 1609 or a higher --threshold
    ");
    text("--threshold 0.001 --avoid false-negatives --budget 1609");
    refusal("--threshold 0.001 --avoid false-negatives --budget 1608");
    let message = refusal("--threshold 0.1 --avoid false-negatives --budget 12");
    assert!(
        message.contains("the most is 0.7176, with 12 bands × 1 row\ntry --budget 16, "),
        "{message}"
    );
    let message = refusal("--hamming 31 --bits 64 --recall 0.99 --budget 4");
    assert!(
        message.contains("at Hamming distance 31\n") && message.contains("a lower --hamming"),
        "{message}"
    );
}

#[test]
fn the_choice_is_also_a_page_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let [page, picture] = ["tune.html", "tune.svg"].map(|name| folder.path().join(name));
    std::fs::write(&page, "old").unwrap();
    let mut command = printed::command(
        "tune",
        "--threshold 0.8 --budget 100 --avoid false-negatives --no-chart",
    );
    command.arg("--html").arg(&page).arg("--svg").arg(&picture);
    command.assert().success().stderr("");
    let [page, picture] = [page, picture].map(|path| std::fs::read_to_string(path).unwrap());
    for said in [
        "20 bands × 5 rows",
        "data-bands=\"20\"",
        "data-threshold=\"0.8\"",
        "0.67886",
        "ideal",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(
        picture.starts_with("<svg") && picture.contains("false positives, 0.2"),
        "{picture}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let nowhere = folder.path().join("missing/tune.svg");
    let mut command = printed::command("tune", "--threshold 0.8");
    command.arg("--svg").arg(&nowhere).assert().code(1);
}
