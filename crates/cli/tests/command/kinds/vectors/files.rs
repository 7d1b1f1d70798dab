//! The same vectors in every format give the same answers; odd shapes are right.

use super::super::scene::{Scene, npy};
use super::oracle::{
    all_pairs, are_equal, array, found_pairs, jsonl, measured, parquet, rows, vecs,
};

#[test]
fn every_format_has_the_same_vectors() {
    let scene = Scene::new();
    let rows = rows(120, 12);
    scene.write("f4.npy", array("'<f4'", &rows, f32::to_le_bytes));
    scene.write("big.npy", array("'>f4'", &rows, f32::to_be_bytes));
    scene.write(
        "f8.npy",
        array("'<f8'", &rows, |it| f64::from(it).to_le_bytes()),
    );
    scene.write(
        "big8.npy",
        array("'>f8'", &rows, |it| f64::from(it).to_be_bytes()),
    );
    scene.write("v.fvecs", vecs(&rows, f32::to_le_bytes));
    scene.write("v.jsonl", jsonl(&rows, "vector"));
    scene.write("deep.jsonl", jsonl(&rows, "embedding"));
    scene.write("v.parquet", parquet(&rows));
    scene.write(
        "v.npy.zst",
        zstd::encode_all(&scene.bytes("f4.npy")[..], 1).unwrap(),
    );
    for (measure, threshold) in [("cosine", 0.95), ("euclidean", 0.6), ("l1", 2.0)] {
        let flag = format!("--{measure} {threshold} --exact");
        let wanted = all_pairs(&rows, measure, threshold);
        let first = found_pairs(&scene, &format!("f4.npy {flag}"));
        assert!(are_equal(&first, &wanted) && !wanted.is_empty());
        for file in [
            "big.npy",
            "f8.npy",
            "big8.npy",
            "v.fvecs",
            "v.jsonl",
            "v.npy.zst",
            "v.parquet",
            "deep.jsonl --field embedding",
        ] {
            assert_eq!(
                found_pairs(&scene, &format!("{file} {flag}")),
                first,
                "{file}"
            );
        }
    }
}

#[test]
fn integers_are_vectors_too() {
    let scene = Scene::new();
    let mut rows = rows(90, 9);
    rows.iter_mut()
        .flatten()
        .for_each(|number| *number = (*number * 64.0).round().abs());
    scene.write("u1.npy", array("'|u1'", &rows, |it| [it as u8]));
    scene.write(
        "i2.npy",
        array("'<i2'", &rows, |it| (it as i16).to_le_bytes()),
    );
    scene.write(
        "i4.npy",
        array("'>i4'", &rows, |it| (it as i32).to_be_bytes()),
    );
    scene.write(
        "i8.npy",
        array("'<i8'", &rows, |it| (it as i64).to_le_bytes()),
    );
    scene.write("v.bvecs", vecs(&rows, |it| [it as u8]));
    scene.write("v.ivecs", vecs(&rows, |it| (it as i32).to_le_bytes()));
    scene.write("v.jsonl", jsonl(&rows, "vector"));
    for (measure, threshold) in [("angle", 12.0), ("euclidean", 22.0), ("l1", 55.0)] {
        let wanted = all_pairs(&rows, measure, threshold);
        assert!(!wanted.is_empty());
        for file in [
            "u1.npy", "i2.npy", "i4.npy", "i8.npy", "v.bvecs", "v.ivecs", "v.jsonl",
        ] {
            let found = found_pairs(&scene, &format!("{file} --{measure} {threshold} --exact"));
            assert!(
                are_equal(&found, &wanted),
                "{file} {measure}: {found:?}\n{wanted:?}"
            );
        }
    }
}

/// Negative integers, and numbers without a point.
#[test]
fn signs_are_kept() {
    let scene = Scene::new();
    let rows = vec![vec![-3.0, 4.0], vec![3.0, -4.0], vec![-3.0, 3.0]];
    scene.write("v.npy", array("'|i1'", &rows, |it| [it as i8 as u8]));
    scene.write("v.ivecs", vecs(&rows, |it| (it as i32).to_le_bytes()));
    scene.write("v.txt", "-3 4\n3,-4\n[-3, 3]\n");
    for file in ["v.npy", "v.ivecs"] {
        assert_eq!(
            found_pairs(&scene, &format!("{file} --l1 1")),
            [(0, 2, 1.0)]
        );
        let opposite = found_pairs(&scene, &format!("{file} --cosine -1"));
        assert_eq!(opposite.len(), 3, "{file}: {opposite:?}");
    }
    assert_eq!(scene.lines("pairs v.txt --l1 1"), ["1\tv.txt:1\tv.txt:3"]);
    let lines = scene.lines("query v.txt --text [-3,4.5] --l1 1");
    assert_eq!(lines, ["text\t0.5\tv.txt:1"]);
}

#[test]
fn dimensions_from_one_to_ten_thousand() {
    let scene = Scene::new();
    for dimensions in [1, 2, 15, 17, 10_000] {
        let rows = rows(if dimensions == 10_000 { 30 } else { 60 }, dimensions);
        scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
        let scale = (dimensions as f64).sqrt();
        for (measure, threshold) in [
            ("cosine", 0.93),
            ("euclidean", 0.16 * scale),
            ("l1", 0.14 * dimensions as f64),
        ] {
            let wanted = all_pairs(&rows, measure, threshold);
            assert!(!wanted.is_empty(), "{dimensions} {measure}");
            for how in ["", "--exact"] {
                let found = found_pairs(&scene, &format!("v.npy --{measure} {threshold} {how}"));
                match how {
                    "--exact" => assert!(are_equal(&found, &wanted), "{dimensions} {measure}"),
                    _ => assert!(
                        found.len() as f64 >= 0.8 * wanted.len() as f64,
                        "{dimensions} {measure}"
                    ),
                }
            }
        }
        // The nearest of a vector is itself; the product with itself is not always the largest.
        let length = |row: &Vec<f32>| measured("dot", row, row).sqrt();
        let longest = rows.iter().map(length).fold(0.0, f64::max);
        for measure in ["cosine", "angle", "euclidean", "l1", "dot"] {
            let args = format!("query v.npy v.npy --self --measure {measure} -k 2 --json");
            for (row, line) in rows.iter().zip(scene.lines(&args)) {
                let said: serde_json::Value = serde_json::from_str(&line).unwrap();
                let hits = said["hits"].as_array().unwrap();
                assert_eq!(hits.len(), 2, "{dimensions} {measure}: {line}");
                let value = hits[0].get("similarity").or(hits[0].get("distance"));
                let value = value.and_then(serde_json::Value::as_f64).unwrap();
                let products = rows.iter().map(|other| measured("dot", row, other));
                let wanted = match measure {
                    "cosine" => 1.0,
                    "dot" => products.fold(f64::NEG_INFINITY, f64::max),
                    _ => 0.0,
                };
                let scale = longest * length(row);
                let tolerance = 1e-5 * if measure == "dot" { scale } else { 1.0 };
                let said = format!("{dimensions} {measure}: {line}, {wanted}");
                assert!((value - wanted).abs() <= tolerance, "{said}");
            }
        }
        for family in ["hyperplane-join", "cross-polytope-join"] {
            let said = scene.run(&format!("pairs v.npy --cosine 0.93 --family {family}"));
            let fits = (16..=4096).contains(&dimensions);
            assert_eq!(said.code == 0, fits, "{dimensions} {family}: {said:?}");
            assert!(fits || said.error.contains(family), "{said:?}");
        }
    }
}

#[test]
fn equal_vectors_are_all_pairs() {
    let scene = Scene::new();
    let rows = vec![vec![0.5; 20]; 50];
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    for (flag, value) in [
        ("cosine 1", 1.0),
        ("angle 0", 0.0),
        ("euclidean 0", 0.0),
        ("l1 0", 0.0),
    ] {
        for how in ["", "--exact"] {
            let found = found_pairs(&scene, &format!("v.npy --{flag} {how}"));
            assert_eq!(found.len(), 50 * 49 / 2, "{flag}");
            assert!(
                found.iter().all(|pair| (pair.2 - value).abs() < 1e-9),
                "{flag}"
            );
        }
    }
    for (measure, value) in [
        ("cosine", 1.0),
        ("angle", 0.0),
        ("euclidean", 0.0),
        ("l1", 0.0),
        ("dot", 5.0),
    ] {
        let lines = scene.lines(&format!(
            "query v.npy v.npy --self --measure {measure} -k 50 --json"
        ));
        assert_eq!(lines.len(), 50, "{measure}");
        for line in lines {
            let said: serde_json::Value = serde_json::from_str(&line).unwrap();
            let hits = said["hits"].as_array().unwrap();
            assert_eq!(hits.len(), 50, "{measure}: {line}");
            for hit in hits {
                let found = hit.get("similarity").or(hit.get("distance")).unwrap();
                let found = found.as_f64().unwrap();
                assert!((found - value).abs() < 1e-6, "{measure}: {line}");
            }
        }
    }
    // Of one direction, but not equal.
    let rows: Vec<Vec<f32>> = (1..=50).map(|times| vec![0.1 * times as f32; 20]).collect();
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    for how in ["0.999999 --exact", "1 --family hyperplane-join"] {
        let found = found_pairs(&scene, &format!("v.npy --cosine {how}"));
        let share = found.len() as f64 / (50.0 * 49.0 / 2.0);
        assert!(share <= 1.0 && share >= if how.ends_with("exact") { 1.0 } else { 0.98 });
    }
    assert_eq!(found_pairs(&scene, "v.npy --euclidean 0").len(), 0);
}

/// A vector of zeros has no direction, but distances.
#[test]
fn zeros_have_no_angle_but_distances() {
    let scene = Scene::new();
    let mut rows = rows(40, 20);
    rows[3] = vec![0.0; 20];
    rows[4] = vec![-0.0; 20];
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    for how in [
        "-1",
        "-1 --exact",
        "0.8 --family hyperplane-join",
        "0.8 --family hyperplanes",
    ] {
        let found = found_pairs(&scene, &format!("v.npy --cosine {how}"));
        assert!(!found.is_empty(), "{how}");
        assert!(
            found
                .iter()
                .all(|pair| ![pair.0, pair.1].iter().any(|it| [3, 4].contains(it))),
            "{how}"
        );
    }
    let found = found_pairs(&scene, "v.npy --euclidean 0");
    assert!(found.contains(&(3, 4, 0.0)), "{found:?}");
    let found = found_pairs(&scene, "v.npy --l1 100 --exact");
    assert_eq!(found.len(), 40 * 39 / 2);
    scene.write("zero.npy", npy("'<f4'", "False", "(1, 20)", &[0; 80]));
    assert_eq!(scene.lines("query v.npy zero.npy --cosine 0.5").len(), 0);
    assert_eq!(
        scene.lines("query v.npy zero.npy --measure dot -k 2").len(),
        2
    );
}

/// One vector, and none.
#[test]
fn few_vectors_have_few_pairs() {
    let scene = Scene::new();
    scene.write("one.npy", array("'<f4'", &rows(1, 16), f32::to_le_bytes));
    for measure in ["cosine 0.9", "angle 10", "euclidean 1", "l1 1"] {
        assert_eq!(scene.lines(&format!("pairs one.npy --{measure}")).len(), 0);
        let said = scene.run(&format!("pairs one.npy --{measure} --exact"));
        assert_eq!((said.code, said.out.as_str()), (0, ""), "{said:?}");
    }
    assert_eq!(
        scene
            .lines("query one.npy one.npy --cosine 0.9 --self")
            .len(),
        1
    );
}
