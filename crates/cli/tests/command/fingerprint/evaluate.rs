//! Measures on prints whose fingers are known.

use serde_json::Value;

use super::scene::{Scene, as_xyt, print};

#[test]
fn measures_are_written_as_numbers_and_pictures() {
    let scene = Scene::new();
    for (set, fingers) in [("one", 0..12), ("two", 12..24)] {
        for finger in fingers {
            for impression in 1..=3 {
                let name = format!("prints/{set}/{finger}_{impression}.xyt");
                scene.write(&name, as_xyt(&print(finger, impression)));
            }
        }
    }
    for finger in 100..140 {
        scene.write(&format!("others/{finger}.xyt"), as_xyt(&print(finger, 1)));
    }
    let args = "evaluate prints --gallery-extra others --out result --json";
    let measured: Value = serde_json::from_str(&scene.out(args)).unwrap();
    assert_eq!(measured["gallery"], 64);
    assert_eq!(measured["extra"], 40);
    assert_eq!(measured["all"]["probes"], 48);
    let sets = measured["sets"].as_array().unwrap();
    assert_eq!(
        sets.iter()
            .map(|set| set["name"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["one", "two"]
    );
    let first = measured["all"]["verified"]["first"].as_f64().unwrap();
    assert!(first > 0.9, "{first}");
    let rates = &measured["all"]["matcher"];
    // Three impressions of 24 fingers make 72 pairs of one finger; 36 prints a set make 630 pairs, 36 of them of one finger.
    assert_eq!(
        (&rates["genuine"], &rates["impostors"]),
        (&72.into(), &1188.into())
    );
    assert!(rates["eer"].as_f64().unwrap() < 0.1);
    let written: Value = serde_json::from_str(&scene.read("result/result.json")).unwrap();
    assert_eq!(written, measured);
    assert!(
        scene
            .read("result/report.html")
            .starts_with("<!DOCTYPE html>")
    );
    for name in ["cmc", "penetration", "det"] {
        let picture = scene.read(&format!("result/{name}.svg"));
        assert!(picture.contains("<svg"), "{name}");
    }
    let examples = measured["examples"].as_array().unwrap();
    assert!(examples.len() >= 2, "{examples:?}");
    let page = scene.read("result/report.html");
    for example in examples {
        let text = |name: &str| example[name].as_str().unwrap().to_owned();
        let picture = scene.read(&format!("result/{}.svg", text("kind")));
        for part in [
            text("probe"),
            text("enrolled"),
            text("explanation")[1..40].into(),
        ] {
            assert!(picture.contains(&part) && page.contains(&part), "{part}");
        }
        // The key has a joint, and every pair one.
        let pairs = text("explanation");
        let pairs = pairs.split(": ").nth(1).unwrap().split(' ').next().unwrap();
        let joints = picture.matches("class=\"join\"").count();
        assert_eq!(joints - 1, pairs.parse::<usize>().unwrap());
    }
    let said = scene.run(args);
    assert!(
        said.code == 1 && said.error.contains("exists already"),
        "{said:?}"
    );
    // The same for any number of threads.
    let again = scene.out("evaluate prints --gallery-extra others --json --threads 1");
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap(), measured);
}

#[test]
fn the_grid_of_the_textbook_can_be_measured_too() {
    let scene = Scene::with_prints(10, 2);
    let table = scene.out("evaluate prints --method grid");
    assert!(table.contains("rank 1") && table.contains("EER"), "{table}");
    let table = scene.out("evaluate prints --profile fast --verify 0");
    assert!(table.contains("0 prints verified a probe"), "{table}");
}

#[test]
fn names_must_say_whose_prints_they_are() {
    let scene = Scene::with_prints(2, 1);
    let said = scene.run("evaluate prints");
    assert!(
        said.code == 1 && said.error.contains("one impression"),
        "{said:?}"
    );
    scene.write("prints/stray.xyt", as_xyt(&print(5, 1)));
    let said = scene.run("evaluate prints");
    assert!(
        said.code == 1 && said.error.contains("stray.xyt"),
        "{said:?}"
    );
    assert!(said.error.contains("17_2.xyt"), "{said:?}");
}
