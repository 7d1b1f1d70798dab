//! Real prints, beside the repository: `LOOKALIKE_DATA` says where.
//!
//! Settings were chosen on DB3 and DB4; DB1 and DB2 confirm them.

use serde_json::Value;

use super::scene::Scene;

fn evaluate(format: &str, more: &str) -> Option<Value> {
    let Ok(data) = std::env::var("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return None;
    };
    let prints = format!("{data}/fingerprints");
    let mut args = format!("evaluate {prints} --format {format} --json");
    if !more.is_empty() {
        args += &format!(" --gallery-extra {prints}/{more}");
    }
    Some(serde_json::from_str(&Scene::new().out(&args)).unwrap())
}

fn share(of: &Value, key: &str, field: &str) -> f64 {
    of[key][field].as_f64().unwrap()
}

#[test]
fn mates_are_found_among_thousands() {
    for format in ["xyt", "iso"] {
        let Some(measured) = evaluate(format, "distractors-6000.tar.zst") else {
            return;
        };
        assert_eq!(
            (&measured["gallery"], &measured["all"]["probes"]),
            (&6040.into(), &280.into())
        );
        let all = &measured["all"];
        assert!(share(all, "found", "within_1_percent") >= 0.90, "{all}");
        assert!(share(all, "found", "within_5_percent") >= 0.94, "{all}");
        for set in &measured["sets"].as_array().unwrap()[..2] {
            assert!(share(set, "verified", "first") >= 0.90, "{set}");
        }
    }
}

#[test]
fn mates_come_first_among_forty() {
    let Some(measured) = evaluate("xyt", "") else {
        return;
    };
    for set in &measured["sets"].as_array().unwrap()[..2] {
        assert!(share(set, "verified", "first") >= 0.97, "{set}");
    }
}

/// Hardly a pair of different fingers reaches the default threshold, and most pairs of one finger do.
#[test]
fn pairs_are_of_one_finger() {
    let Ok(data) = std::env::var("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return;
    };
    let (mut mates, mut others) = (0, 0);
    for set in 1..=4 {
        let prints = format!("{data}/fingerprints/fvc2002-db{set}");
        let found = Scene::new().out(&format!("pairs {prints} --format xyt --quiet"));
        for line in found.lines() {
            let names: Vec<&str> = line.split('\t').skip(1).collect();
            // 17_2.xyt is of finger 17.
            let finger = |name: &str| name.split('_').next().map(str::to_owned);
            match finger(names[0]) == finger(names[1]) {
                true => mates += 1,
                false => others += 1,
            }
        }
    }
    eprintln!("{mates} pairs of one finger, {others} others");
    // Of 1120 and 11 520.
    assert!(mates >= 950 && others <= 11, "{mates} {others}");
}
