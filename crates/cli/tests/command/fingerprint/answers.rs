//! Enrolling, searching and pairing.

use std::collections::BTreeSet;

use serde_json::Value;

use super::scene::{Scene, as_iso, as_xyt, print};

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn a_print_is_found_in_a_saved_index() {
    let scene = Scene::with_prints(30, 1);
    let said = scene.out("enroll prints --index prints.idx");
    assert!(said.contains("enrolled  30"), "{said}");
    for finger in [0, 7, 29] {
        scene.write(&format!("probes/{finger}_2.xyt"), as_xyt(&print(finger, 2)));
    }
    let found = scene.out("search prints.idx probes --top 3 --json");
    let answers: Vec<Value> = found.lines().map(json).collect();
    assert_eq!(answers.len(), 3);
    for answer in &answers {
        let probe = answer["probe"].as_str().unwrap();
        let first = &answer["candidates"][0];
        let mate = probe.replace("_2", "_1");
        assert_eq!(first["name"].as_str().unwrap(), mate, "{answer}");
        assert!(first["score"].as_f64() > answer["candidates"][1]["score"].as_f64());
        assert_eq!(answer["candidates"].as_array().unwrap().len(), 3);
        // The score is explained by what it is made of.
        let part = |name: &str| first[name].as_f64().unwrap();
        let (close, edges) = (part("closeness"), part("edges"));
        let [of_a, of_b] = [0, 1].map(|side| first["of"][side].as_f64().unwrap().max(8.0));
        let score = (1.0 + 2.0 * edges).ln() * close * close / (of_a * of_b).sqrt();
        assert!((score - part("score")).abs() < 0.01 * score, "{first}");
    }
    let text = scene.out("search prints.idx probes/7_2.xyt");
    assert!(text.contains("rank") && text.contains("7_1.xyt"), "{text}");
}

#[test]
fn threads_and_formats_change_nothing() {
    let scene = Scene::with_prints(20, 2);
    for finger in 0..20 {
        for impression in 1..=2 {
            let name = format!("records/{finger}_{impression}.iso");
            scene.write(&name, as_iso(&print(finger, impression)));
        }
    }
    let one = scene.out("pairs prints --json --threads 1");
    assert_eq!(one, scene.out("pairs prints --json --threads 2"));
    let of = |text: &str| -> BTreeSet<(String, String)> {
        let stem = |name: &Value| name.as_str().unwrap().split('.').next().unwrap().to_owned();
        let pair = |line: &str| (stem(&json(line)["a"]), stem(&json(line)["b"]));
        text.lines().map(pair).collect()
    };
    // Directions are rounded a little otherwise in records.
    let (lines, records) = (of(&one), of(&scene.out("pairs records --json")));
    let right = |(a, b): &&(String, String)| a.split('_').next() == b.split('_').next();
    for pairs in [&lines, &records] {
        assert!(pairs.iter().filter(right).count() >= 18, "{pairs:?}");
        assert!(
            pairs.iter().filter(|pair| !right(pair)).count() <= 1,
            "{pairs:?}"
        );
    }
    scene.out("enroll prints --index a.idx --threads 1");
    scene.out("enroll prints --index b.idx --threads 2 --quiet");
    assert_eq!(scene.bytes("a.idx"), scene.bytes("b.idx"));
}

#[test]
fn archives_are_read_as_folders_are() {
    let scene = Scene::with_prints(5, 1);
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all(".", scene.path("prints")).unwrap();
    let bytes = archive.into_inner().unwrap();
    scene.write("prints.tar.zst", zstd::encode_all(&bytes[..], 1).unwrap());
    scene.write("prints.tar", bytes);
    for name in ["prints.tar", "prints.tar.zst"] {
        let said = scene.out(&format!("enroll {name} --index prints.idx --profile fast"));
        assert!(said.contains("enrolled  5"), "{said}");
    }
}

#[test]
fn several_views_are_several_prints() {
    use lookalike::fingerprint::format::{View, fmr};
    let scene = Scene::new();
    let view = |impression| View {
        number: impression as u8 - 1,
        ..View::new(print(3, impression))
    };
    scene.write("prints/3.iso", fmr::write(&[view(1), view(2)]).unwrap());
    let pairs = scene.out("pairs prints");
    assert!(pairs.contains("3.iso#1\t3.iso#2"), "{pairs}");
}
