//! `lookalike curve`: the textbook's numbers, as text and as JSON.

use serde_json::Value;

use crate::printed::{self, assert_near};

fn curve(args: &str) -> String {
    printed::text("curve", args)
}

fn json(args: &str) -> Value {
    printed::json("curve", args)
}

#[test]
fn twenty_bands_of_five_rows() {
    insta::assert_snapshot!(curve("--bands 20 --rows 5 --width 80"), @r"
    The probability that a pair becomes a candidate, by t: the probability that
    one function agrees; for minhash, the Jaccard similarity.

      scheme             functions  rule threshold  steepest at  slope
    ● 20 bands × 5 rows        100          0.5493       0.5264   3.51

         ● 20 bands
    t      × 5 rows
    0.0  0
    0.1  0.00020
    0.2  0.00638
    0.3  0.04749
    0.4  0.18605
    0.5  0.47005
    0.6  0.80190
    0.7  0.97478
    0.8  0.99964
    0.9  0.999999982
    1.0  1

    probability of a candidate
    1.00 ┤                                                 ●●●●●●●●●●●●●●●●●●●●●●
         │                                              ●●●
         │                                            ●●
         │                                          ●●
    0.75 ┤                                         ●
         │                                       ●●
         │                                      ●
         │                                     ●
    0.50 ┤                                   ●●
         │                                  ●
         │                                 ●
         │                               ●●
    0.25 ┤                              ●
         │                           ●●●
         │                         ●●
         │                    ●●●●●
    0.00 ┤●●●●●●●●●●●●●●●●●●●●
         └┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬
         0.0    0.1    0.2    0.3    0.4    0.5    0.6    0.7    0.8    0.9    1.0
                                                                                t

          ● 20 bands × 5 rows
    ");
}

#[test]
fn schemes_stand_side_by_side() {
    let text = curve("--bands 20,15,10 --rows 5,5,10 --at 0.8,0.3 --no-chart --step 0.5");
    insta::assert_snapshot!(text, @r"
    The probability that a pair becomes a candidate, by t: the probability that
    one function agrees; for minhash, the Jaccard similarity.

      scheme              functions  rule threshold  steepest at  slope
    ● 20 bands × 5 rows         100          0.5493       0.5264   3.51
    ○ 15 bands × 5 rows          75          0.5818       0.5579   3.34
    ▲ 10 bands × 10 rows        100          0.7943       0.7868   4.90

         ● 20 bands  ○ 15 bands  ▲ 10 bands
    t      × 5 rows    × 5 rows    × 10 rows
    0.0  0           0           0
    0.5  0.47005     0.37888     0.00972
    1.0  1           1           1

    t      scheme              one band   candidate  missed
    0.8  ● 20 bands × 5 rows   0.32768    0.99964    0.00036
    0.8  ○ 15 bands × 5 rows   0.32768    0.99741    0.00259
    0.8  ▲ 10 bands × 10 rows  0.10737    0.67886    0.32114
    0.3  ● 20 bands × 5 rows   0.00243    0.04749    0.95251
    0.3  ○ 15 bands × 5 rows   0.00243    0.03584    0.96416
    0.3  ▲ 10 bands × 10 rows  0.0000059  0.000059   0.999941
    ");
}

#[test]
fn a_narrow_terminal_gets_narrow_tables_and_a_narrow_chart() {
    let text = curve("--bands 20,10 --rows 5 --amplify or:4,and:4 --at 0.5 --step 0.5 --width 40");
    insta::assert_snapshot!(text, @r"
    The probability that a pair becomes a candidate, by t: the probability that
    one function agrees; for minhash, the Jaccard similarity.

      scheme             functions
    ● 20 bands × 5 rows        100
    ○ 10 bands × 5 rows         50
    ▲ or:4,and:4                16

      scheme             rule threshold
    ● 20 bands × 5 rows          0.5493
    ○ 10 bands × 5 rows          0.6310
    ▲ or:4,and:4                      –

      scheme             steepest at  slope
    ● 20 bands × 5 rows       0.5264   3.51
    ○ 10 bands × 5 rows       0.6059   3.13
    ▲ or:4,and:4                   –      –

         ● 20 bands  ○ 10 bands  ▲ or:4,
    t      × 5 rows    × 5 rows    and:4
    0.0  0           0           0
    0.5  0.47005     0.27202     0.77248
    1.0  1           1           1

    t      scheme             one band
    0.5  ● 20 bands × 5 rows  0.03125
    0.5  ○ 10 bands × 5 rows  0.03125
    0.5  ▲ or:4,and:4         0.77248

    t      scheme             candidate
    0.5  ● 20 bands × 5 rows  0.47005
    0.5  ○ 10 bands × 5 rows  0.27202
    0.5  ▲ or:4,and:4         0.77248

    t      scheme             missed
    0.5  ● 20 bands × 5 rows  0.52995
    0.5  ○ 10 bands × 5 rows  0.72798
    0.5  ▲ or:4,and:4         0.22752

    probability of a candidate
    1.00 ┤               ┊     ●●●●●●●●●●
         │               ┊   ▲●▲○○
         │               ┊ ▲▲●  ○
         │               ┊▲ ●  ○
    0.75 ┤               ▲  ● ○
         │              ▲┊ ● ○
         │             ▲ ┊ ● ○
         │            ▲  ┊● ○
    0.50 ┤           ▲   ●  ○
         │          ▲    ● ○
         │          ▲   ●┊○
         │         ▲    ●┊○
    0.25 ┤        ▲    ● ○
         │       ▲    ● ○┊
         │      ▲    ●○○ ┊
         │    ▲▲   ●●○   ┊
    0.00 ┤●●●●●●●●●○     ┊
         └┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬
         0.0   0.2   0.4   0.6   0.8   1.0
                                        t

          ● 20 bands × 5 rows
          ○ 10 bands × 5 rows   ▲ or:4,and:4
          ┊ t = 0.5
    ");
}

#[test]
fn thresholds_of_a_hundred_functions() {
    let text = curve("--bands 50,20,10,5 --rows 2,5,10,20 --no-chart");
    for (scheme, threshold) in [
        ("50 bands × 2 rows", "0.1414"),
        ("20 bands × 5 rows", "0.5493"),
        ("10 bands × 10 rows", "0.7943"),
        ("5 bands × 20 rows", "0.9227"),
    ] {
        let line = text.lines().find(|line| line.contains(scheme)).unwrap();
        assert!(line.contains(threshold) && line.contains(" 100 "), "{line}");
    }
}

#[test]
fn json_has_the_same_numbers() {
    let json = json("--bands 20,10 --rows 5 --at 0.8,0.3");
    let [twenty, ten] = &json["schemes"].as_array().unwrap()[..] else {
        panic!("{json}");
    };
    assert_eq!(twenty["name"], "20 bands × 5 rows");
    assert_eq!(
        twenty["amplify"],
        serde_json::json!([{ "and": 5 }, { "or": 20 }])
    );
    assert_eq!((&twenty["bands"], &twenty["rows"]), (&20.into(), &5.into()));
    assert_eq!(twenty["functions"], 100);
    assert_near(&twenty["rule_threshold"], 0.5493, 5e-5);
    assert_near(&twenty["steepest"]["t"], 0.5264, 5e-5);
    assert_near(&twenty["steepest"]["slope"], 3.51, 5e-3);
    let known = [
        0.0002,
        0.006,
        0.047,
        0.186,
        0.470,
        0.802,
        0.975,
        0.9996,
        0.999_999_98,
    ];
    for (i, p) in known.into_iter().enumerate() {
        let point = &twenty["curve"][i + 1];
        assert_near(&point["t"], (i + 1) as f64 / 10.0, 1e-12);
        assert_near(&point["candidate"], p, 5e-4);
    }
    let [at_08, at_03] = [&twenty["at"][0], &twenty["at"][1]];
    assert_near(&at_08["one_band"], 0.328, 5e-4);
    assert_near(&at_08["missed"], 0.00036, 5e-6);
    assert_near(&at_03["one_band"], 0.00243, 5e-6);
    assert_near(&at_03["candidate"], 0.0475, 5e-5);
    let known = [
        0.0001, 0.0032, 0.024, 0.098, 0.272, 0.555, 0.841, 0.981, 0.9999,
    ];
    for (i, p) in known.into_iter().enumerate() {
        assert_near(&ten["curve"][i + 1]["candidate"], p, 5e-4);
    }
}

#[test]
fn a_cascade_has_no_rule_threshold_unless_it_is_a_banding() {
    let json = json("--amplify and:5,or:20 --amplify or:20,and:5");
    let [banding, cascade] = [&json["schemes"][0], &json["schemes"][1]];
    assert_eq!(banding["name"], "and:5,or:20");
    assert_near(&banding["rule_threshold"], 0.5493, 5e-5);
    assert_eq!(cascade["functions"], 100);
    assert!(cascade.get("rule_threshold").is_none() && cascade.get("bands").is_none());
}

#[test]
fn the_largest_bandings_stay_finite() {
    let json = json("--bands 4294967295,1 --rows 1,4294967295 --at 0.5,0.999999999");
    for scheme in json["schemes"].as_array().unwrap() {
        assert!(scheme["steepest"]["slope"].is_number());
        let points = scheme["curve"].as_array().unwrap().iter();
        for point in points.chain(scheme["at"].as_array().unwrap()) {
            let p = point["candidate"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&p), "{point}");
        }
    }
    curve("--bands 4294967295,1 --rows 1,4294967295 --at 0,1 --width 400");
}

#[test]
fn a_threshold_states_the_areas_of_both_errors() {
    let json = json("--amplify and:1 --amplify and:4 --threshold 0.5");
    // The diagonal has two triangles; t^4 has the integral t^5/5.
    assert_near(
        &json["schemes"][0]["errors"]["false_negatives"],
        0.125,
        1e-9,
    );
    assert_near(
        &json["schemes"][0]["errors"]["false_positives"],
        0.125,
        1e-9,
    );
    assert_near(
        &json["schemes"][1]["errors"]["false_positives"],
        0.5f64.powi(5) / 5.0,
        1e-6,
    );
    assert!(
        self::json("--amplify and:4")["schemes"][0]
            .get("errors")
            .is_none()
    );
    let text = curve("--bands 20 --rows 5 --threshold 0.55 --no-chart");
    assert!(text.contains("0.0238") && text.contains("0.0725"), "{text}");
}

#[test]
fn curves_are_also_pages_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["one.svg", "several.svg", "several.html"];
    let [one, several, page] = files.map(|name| folder.path().join(name));
    std::fs::write(&one, "old").unwrap();
    let drawn = |args: &str, option: &str, path: &std::path::Path| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
        command.arg("curve").args(args.split(' ')).arg("--no-chart");
        command.arg(option).arg(path).assert().success().stderr("");
        std::fs::read_to_string(path).unwrap()
    };
    let svg = drawn("--bands 20 --rows 5", "--svg", &one);
    for said in [
        "<svg",
        "ideal",
        "false negatives, 0.0238",
        "false positives, 0.0725",
        "threshold 0.55",
    ] {
        assert!(svg.contains(said), "{said}");
    }
    let several_bandings = "--bands 20,10,20 --rows 5,10,5 --threshold 0.6 --amplify or:4,and:4";
    let svg = drawn(several_bandings, "--svg", &several);
    assert_eq!(svg.matches("translate(").count(), 4);
    let page = drawn(several_bandings, "--html", &page);
    for said in [
        "data-bands=\"20\"",
        "data-threshold=\"0.6\"",
        "In one picture",
        "or:4,and:4",
    ] {
        assert!(page.contains(said), "{said}");
    }
    // A cascade alone has nothing to move.
    let page = drawn(
        "--amplify or:4,and:4",
        "--html",
        &folder.path().join("cascade.html"),
    );
    assert!(!page.contains("data-bands") && page.contains("or:4,and:4"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    command.args(["curve", "--bands", "20", "--rows", "5", "--html"]);
    let output = command
        .arg(folder.path().join("missing/a.html"))
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing/a.html"));
}

/// A pipe takes what is written, and is not replaced by a file: `/dev/null` belongs to the system, also for a superuser.
#[cfg(unix)]
#[test]
fn pipes_are_not_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    command.args([
        "curve",
        "--bands",
        "20",
        "--rows",
        "5",
        "--no-chart",
        "--svg",
    ]);
    command.arg(&pipe).assert().success().stderr("");
    let kind = std::fs::metadata(&pipe).unwrap().file_type();
    assert!(kind.is_fifo());
    assert!(reader.join().unwrap().starts_with("<svg"));

    let file = folder.path().join("both");
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("lookalike");
    command.args(["curve", "--bands", "20", "--rows", "5", "--svg"]);
    command.arg(&file).arg("--html").arg(&file);
    let output = command.assert().code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("name one file"));
    assert!(!file.exists());
}
