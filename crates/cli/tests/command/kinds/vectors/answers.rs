//! Pairs and queries by every measure.

use super::super::scene::Scene;
use super::oracle::{
    all_pairs, are_equal, array, found_pairs, jsonl, measured, reaches, rows, vecs,
};

/// Measures with thresholds at which some of the test's vectors of 24 dimensions are near, and most are not.
const THRESHOLDS: [(&str, f64); 4] = [
    ("cosine", 0.95),
    ("angle", 18.0),
    ("euclidean", 0.9),
    ("l1", 3.7),
];

#[test]
fn exact_pairs_are_all_pairs() {
    let scene = Scene::new();
    for (count, dimensions) in [(200, 24), (90, 3), (40, 130)] {
        let rows = rows(count, dimensions);
        scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
        let times = dimensions as f64 / 24.0;
        for (measure, threshold) in THRESHOLDS {
            let threshold = match measure {
                "euclidean" => threshold * times.sqrt(),
                "l1" => threshold * times,
                _ => threshold,
            };
            let wanted = all_pairs(&rows, measure, threshold);
            assert!(!wanted.is_empty() && wanted.len() < count * count / 3);
            for how in ["--exact", "--family brute-force"] {
                let found = found_pairs(&scene, &format!("v.npy --{measure} {threshold} {how}"));
                assert!(
                    are_equal(&found, &wanted),
                    "{measure} {how}: {found:?}\n{wanted:?}"
                );
            }
        }
    }
}

/// All families and methods of a measure reach the recall, and find nothing that is not there.
#[test]
fn every_family_keeps_its_recall() {
    let scene = Scene::new();
    let rows = rows(1500, 32);
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    for (family, measure, threshold) in [
        ("hyperplanes", "cosine", 0.95),
        ("cross-polytope", "angle", 18.0),
        ("hyperplane-join", "cosine", 0.95),
        ("cross-polytope-join", "angle", 18.0),
        ("random-lines", "euclidean", 0.9),
        ("cauchy-lines", "l1", 4.0),
    ] {
        let wanted = all_pairs(&rows, measure, threshold);
        let args = format!("v.npy --{measure} {threshold} --family {family} --recall 0.9");
        let found = found_pairs(&scene, &args);
        let is_true = |pair: &(usize, usize, f64)| {
            let place = wanted.binary_search_by_key(&(pair.0, pair.1), |it| (it.0, it.1));
            place.is_ok_and(|place| are_equal(&[*pair], &[wanted[place]]))
        };
        assert!(found.iter().all(is_true), "{family}");
        let share = found.len() as f64 / wanted.len() as f64;
        // One draw of few tables, over pairs that share vectors.
        assert!(share > 0.8, "{family}: {share} of {}", wanted.len());
    }
}

#[test]
fn queries_find_what_is_near_them() {
    let scene = Scene::new();
    let rows = rows(300, 20);
    let queries: Vec<Vec<f32>> = rows.iter().step_by(29).cloned().collect();
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    scene.write("q.fvecs", vecs(&queries, f32::to_le_bytes));
    for (measure, threshold) in THRESHOLDS.into_iter().chain([("dot", 4.0)]) {
        for (k, limit) in [
            (usize::MAX, Some(threshold)),
            (3, Some(threshold)),
            (5, None),
        ] {
            let flag = match limit {
                Some(limit) => format!("--{measure} {limit} --exact"),
                None => format!("--measure {measure}"),
            };
            let top = if k < usize::MAX {
                format!("-k {k}")
            } else {
                String::new()
            };
            let args = format!("query v.npy q.fvecs {flag} {top} --json");
            let lines = scene.lines(&args);
            assert_eq!(lines.len(), queries.len(), "{args}");
            for (query, line) in queries.iter().zip(&lines) {
                let values = rows.iter().map(|row| measured(measure, query, row));
                let mut near: Vec<f64> = values
                    .filter(|&value| limit.is_none_or(|limit| reaches(measure, value, limit)))
                    .collect();
                near.sort_by(f64::total_cmp);
                if reaches(measure, 1.0, 0.0) {
                    near.reverse();
                }
                near.truncate(k);
                let said: serde_json::Value = serde_json::from_str(line).unwrap();
                let hits = said["hits"].as_array().unwrap();
                assert_eq!(hits.len(), near.len(), "{args}: {line}");
                for (hit, wanted) in hits.iter().zip(&near) {
                    let value = hit.get("similarity").or(hit.get("distance")).unwrap();
                    let value = value.as_f64().unwrap();
                    assert!(
                        (value - wanted).abs() < 1e-5 * wanted.abs().max(1.0),
                        "{args}: {line}"
                    );
                    let place = hit["id"].as_u64().unwrap() as usize;
                    let own = measured(measure, query, &rows[place]);
                    assert!(
                        (value - own).abs() < 1e-5 * own.abs().max(1.0),
                        "{args}: {line}"
                    );
                }
            }
        }
    }
}

/// Every query is one of the collection, so that its nearest is at 0; many keys of a table are asked.
#[test]
fn queries_by_keys_find_their_neighbours() {
    let scene = Scene::new();
    let rows = rows(2000, 32);
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    let queries: Vec<Vec<f32>> = rows.iter().step_by(20).cloned().collect();
    scene.write("q.npy", array("'<f4'", &queries, f32::to_le_bytes));
    for (family, measure, threshold) in [
        ("hyperplanes", "cosine", 0.9),
        ("hyperplanes --set probes=8", "cosine", 0.9),
        ("cross-polytope", "angle", 20.0),
        ("random-lines", "euclidean", 0.9),
        ("cauchy-lines", "l1", 4.0),
        ("hyperplanes --set probes=4", "dot", 9.0),
    ] {
        let args = format!("query v.npy q.npy --{measure} {threshold}");
        let all = scene.lines(&format!("{args} --exact"));
        assert!(all.len() >= queries.len(), "{args}");
        let found = scene.lines(&format!("{args} --family {family} --recall 0.9"));
        assert!(found.iter().all(|line| all.contains(line)), "{family}");
        let share = found.len() as f64 / all.len() as f64;
        assert!(
            share > 0.85,
            "{family}, {measure}: {share} of {}",
            all.len()
        );
    }
}

/// A long query has small angles to nothing: tables for short ones would find next to nothing of what it is near.
#[test]
fn inner_products_of_long_queries_are_found() {
    let scene = Scene::new();
    let rows = rows(2000, 32);
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    let queries: Vec<Vec<f32>> = rows.iter().step_by(20).cloned().collect();
    let longer = queries.iter();
    let longer: Vec<Vec<f32>> = longer
        .map(|query| query.iter().map(|it| 20.0 * it).collect())
        .collect();
    scene.write("q.npy", array("'<f4'", &longer, f32::to_le_bytes));
    let args = "query v.npy q.npy --dot 180";
    let all = scene.lines(&format!("{args} --exact"));
    assert!(all.len() >= queries.len());
    let found = scene.lines(&format!("{args} --family hyperplanes --recall 0.9"));
    let share = found.len() as f64 / all.len() as f64;
    assert!(share > 0.85, "{share} of {}", all.len());
    let said = scene.run(&format!("{args} --family hyperplanes --set query_length=3"));
    assert_eq!(said.code, 2);
    let wanted = "query_length is 3, but a query has the length";
    assert!(said.error.contains(wanted), "{said:?}");
}

/// Bands and rows need no family, however few items there are.
#[test]
fn few_vectors_are_searched_with_given_bands() {
    let scene = Scene::new();
    scene.write("v.npy", array("'<f4'", &rows(100, 20), f32::to_le_bytes));
    for scheme in ["--bands 9 --rows 3", "--amplify and:3,or:9"] {
        let said = scene.run(&format!("pairs v.npy --cosine 0.95 {scheme}"));
        assert_eq!(said.code, 0, "{said:?}");
        assert!(said.error.contains("9 bands × 3 rows"), "{said:?}");
    }
}

#[test]
fn threads_give_the_same_bytes() {
    let scene = Scene::new();
    let rows = rows(3000, 40);
    scene.write("v.npy", array("'<f4'", &rows, f32::to_le_bytes));
    scene.write(
        "q.npy",
        array("'<f4'", &rows[..99].to_vec(), f32::to_le_bytes),
    );
    for args in [
        "pairs v.npy --cosine 0.97 --exact",
        "pairs v.npy --cosine 0.97 --family cross-polytope-join",
        "pairs v.npy --cosine 0.97 --family hyperplane-join",
        "pairs v.npy --angle 14 --family cross-polytope",
        "pairs v.npy --euclidean 0.8 --family random-lines",
        "pairs v.npy --l1 3.5 --exact",
        "query v.npy q.npy --cosine 0.9 --family hyperplanes",
        "query v.npy q.npy --measure euclidean -k 7",
        "query v.npy q.npy --measure dot -k 3",
    ] {
        let one = scene.lines(&format!("{args} --threads 1"));
        assert!(!one.is_empty(), "{args}");
        for threads in [2, 7] {
            let same = scene.lines(&format!("{args} --threads {threads}"));
            assert_eq!(same, one, "{args} --threads {threads}");
        }
    }
    let run = |seed| {
        scene
            .run(&format!(
                "pairs v.npy --cosine 0.8 --recall 0.5 --family hyperplane-join --seed {seed}"
            ))
            .out
    };
    assert_ne!(run(1), run(2));
}

#[test]
fn the_plan_says_how_the_recall_is_known() {
    let scene = Scene::new();
    scene.write("v.npy", array("'<f4'", &rows(2000, 32), f32::to_le_bytes));
    for (family, said) in [
        ("hyperplane-join", "recall at least 0.9"),
        ("cross-polytope-join", "measured on a sample"),
        ("brute-force", "finds everything"),
    ] {
        let error = scene
            .run(&format!("pairs v.npy --cosine 0.95 --family {family}"))
            .error;
        assert!(
            error.contains("2000 vectors of width 32, cosine at least 0.95"),
            "{error}"
        );
        assert!(error.contains(said), "{error}");
    }
    scene.write(
        "long.jsonl",
        "{\"vector\": [0.123456789012, 1]}\n{\"vector\": [0.25, 1]}\n",
    );
    let error = scene.run("pairs long.jsonl --cosine 0.9").error;
    assert!(error.contains("rounded to 32-bit floats"), "{error}");
    scene.write("short.jsonl", jsonl(&rows(3, 2), "vector"));
    let error = scene.run("pairs short.jsonl --cosine 0.9").error;
    assert!(!error.contains("rounded"), "{error}");
}
