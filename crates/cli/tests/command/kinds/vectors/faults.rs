//! Vectors that cannot be used, and wrong wishes: an error says where, what, and what would do.

use super::super::bad_input::refused;
use super::super::scene::{Scene, npy};
use super::oracle::{array, jsonl, rows, vecs};

#[test]
fn files_of_vectors_that_are_wrong_say_where_and_why() {
    let scene = Scene::new();
    let good = rows(6, 3);
    let with = |number: f32| {
        let mut rows = good.clone();
        rows[2][1] = number;
        rows
    };
    for (name, number) in [("nan", f32::NAN), ("inf", f32::INFINITY), ("huge", 1e30)] {
        let rows = with(number);
        scene.write(
            &format!("{name}.npy"),
            array("'<f4'", &rows, f32::to_le_bytes),
        );
        scene.write(&format!("{name}.fvecs"), vecs(&rows, f32::to_le_bytes));
        scene.write(&format!("{name}.txt"), format!("1 2 3\n4 {number} 5\n"));
    }
    scene.write(
        "nan8.npy",
        array("'<f8'", &with(f32::NAN), |it| f64::from(it).to_le_bytes()),
    );
    scene.write(
        "nan.jsonl",
        "{\"vector\": [1, 2]}\n{\"vector\": [1, NaN]}\n",
    );
    scene.write(
        "null.jsonl",
        "{\"vector\": [1, 2]}\n{\"vector\": [1, null]}\n",
    );
    scene.write(
        "ragged.jsonl",
        "{\"vector\": [1, 2]}\n{\"vector\": [1, 2, 3]}\n",
    );
    scene.write("ragged.txt", "1 2\n1 2 3\n");
    let mut ragged = vecs(&good, f32::to_le_bytes);
    ragged.extend(vecs(&rows(1, 5), f32::to_le_bytes));
    scene.write("ragged.fvecs", ragged);
    scene.write("empty.jsonl", "{\"vector\": []}\n");
    scene.write("words.jsonl", "{\"vector\": [\"a\", \"b\"]}\n");
    scene.write("text.jsonl", "{\"vector\": \"one two\"}\n");
    scene.write("other.jsonl", jsonl(&good, "emb"));
    scene.write("fortran.npy", npy("'<f4'", "True", "(2, 4)", &[0; 32]));
    scene.write("bool.npy", npy("'|b1'", "False", "(2, 4)", &[0; 8]));
    scene.write("complex.npy", npy("'<c8'", "False", "(2, 4)", &[0; 64]));
    scene.write("object.npy", npy("'|O'", "False", "(2, 4)", &[0; 64]));
    scene.write("flat.npy", npy("'<f4'", "False", "(8,)", &[0; 32]));
    scene.write("cube.npy", npy("'<f4'", "False", "(2, 2, 2)", &[0; 32]));
    scene.write("short.npy", npy("'<f4'", "False", "(4, 4)", &[0; 32]));
    scene.write("cut.fvecs", &vecs(&good, f32::to_le_bytes)[..20]);
    scene.write(
        "wide.npy",
        npy("'|u1'", "False", "(1, 70000)", &[0; 70_000]),
    );
    scene.write("none.npy", npy("'<f4'", "False", "(0, 4)", &[]));
    scene.write("good.npy", array("'<f4'", &good, f32::to_le_bytes));
    let cases: &[(&str, &[&str])] = &[
        ("nan.npy", &["nan.npy[2]", "NaN at dimension 1", "finite"]),
        ("inf.npy", &["inf.npy[2]", "inf at dimension 1", "finite"]),
        ("huge.npy", &["huge.npy[2]", "below 1e15"]),
        ("nan8.npy", &["nan8.npy[2]", "NaN at dimension 1"]),
        ("nan.fvecs", &["nan.fvecs[2]", "NaN at dimension 1"]),
        ("inf.fvecs", &["inf.fvecs[2]", "inf at dimension 1"]),
        ("nan.txt", &["nan.txt:2", "NaN at dimension 1"]),
        ("inf.txt", &["inf.txt:2", "inf at dimension 1"]),
        ("nan.jsonl", &["nan.jsonl:2"]),
        ("null.jsonl", &["null.jsonl:2", "null"]),
        (
            "ragged.jsonl",
            &["ragged.jsonl:2", "3 dimensions", "of 2", "same number"],
        ),
        (
            "ragged.txt",
            &["ragged.txt:2", "3 dimensions", "same number"],
        ),
        ("ragged.fvecs", &["ragged.fvecs", "dimension 5"]),
        ("empty.jsonl", &["empty.jsonl:1", "0 dimensions"]),
        ("words.jsonl", &["words.jsonl:1", "numbers"]),
        (
            "text.jsonl",
            &["text.jsonl:1", "numbers with spaces or commas"],
        ),
        (
            "other.jsonl",
            &["other.jsonl:1", "`vector`", "`emb`", "--field"],
        ),
        (
            "fortran.npy",
            &["fortran.npy", "Fortran", "np.ascontiguousarray"],
        ),
        ("bool.npy", &["bool.npy", "booleans", "astype(np.float32)"]),
        ("complex.npy", &["complex.npy", "astype(np.float32)"]),
        ("object.npy", &["object.npy", "np.stack"]),
        ("flat.npy", &["flat.npy", "np.newaxis"]),
        ("cube.npy", &["cube.npy", "reshape(len(array), -1)"]),
        ("short.npy", &["short.npy"]),
        ("cut.fvecs", &["cut.fvecs"]),
        ("wide.npy", &["wide.npy", "70000 dimensions", "65536"]),
        ("none.npy", &["none.npy: no items"]),
        ("good.npy fortran.npy", &["fortran.npy"]),
        ("missing.npy", &["missing.npy", "no such file"]),
    ];
    for (file, messages) in cases {
        for measure in ["--cosine 0.9", "--angle 10", "--euclidean 1", "--l1 1"] {
            let args = format!("pairs {file} {measure}");
            refused(&scene, 1, &[(&args, messages)]);
            let said = scene.run(&args);
            assert_eq!(said.error.lines().count(), 1, "{args}: {said:?}");
        }
        if file.contains(' ') {
            continue;
        }
        for measure in ["--angle 10", "--l1 1", "--dot 1", "--measure dot -k 1"] {
            for files in [format!("{file} good.npy"), format!("good.npy {file}")] {
                refused(
                    &scene,
                    1,
                    &[(&format!("query {files} {measure}"), messages)],
                );
            }
        }
    }
}

#[test]
fn wrong_wishes_say_what_would_do() {
    let scene = Scene::new();
    scene.write("v.npy", array("'<f4'", &rows(30, 20), f32::to_le_bytes));
    refused(
        &scene,
        2,
        &[
            (
                "pairs v.npy --cosine 1.5",
                &["'1.5' for '--cosine", "from -1 to 1"],
            ),
            (
                "pairs v.npy --cosine 95",
                &["'95' for '--cosine", "from -1 to 1"],
            ),
            ("pairs v.npy --cosine nan", &["'nan' for '--cosine"]),
            (
                "pairs v.npy --angle 181",
                &["'181' for '--angle", "from 0 to 180"],
            ),
            ("pairs v.npy --angle -1", &["'-1' for '--angle"]),
            (
                "pairs v.npy --euclidean -1",
                &["'-1' for '--euclidean", "0 or more"],
            ),
            ("pairs v.npy --euclidean inf", &["'inf' for '--euclidean"]),
            ("pairs v.npy --l1 -0.5", &["'-0.5' for '--l1", "0 or more"]),
            ("pairs v.npy --cosine x", &["must be a number"]),
            (
                "pairs v.npy --cosine 0.9 --euclidean 1",
                &["cannot be used with"],
            ),
            (
                "pairs v.npy --cosine 0.9 --angle 10",
                &["cannot be used with"],
            ),
            ("query v.npy v.npy --dot 1 --l1 2", &["cannot be used with"]),
            (
                "pairs v.npy --dot 1",
                &[
                    "inner product",
                    "between queries and stored items",
                    "give queries",
                ],
            ),
            (
                "pairs v.npy --cosine 0.9 --family random-lines",
                &["random-lines"],
            ),
            (
                "pairs v.npy --cosine 0.9 --family hyperplan",
                &["did you mean `hyperplane"],
            ),
            (
                "pairs v.npy --cosine 0.9 --exact --family hyperplane-join",
                &["hyperplane-join", "--recall"],
            ),
            (
                "pairs v.npy --cosine 0.9 --family cross-polytope-join --set directions=100",
                &["directions", "power of two"],
            ),
            (
                "pairs v.npy --cosine 0.9 --family hyperplane-join --set bits=40",
                &["bits is 40", "from 1 to 16"],
            ),
            (
                "pairs v.npy --cosine 0.9 --family hyperplane-join --set tables=1 --set bits=16",
                &["hyperplane-join with these parameters finds ", "--recall"],
            ),
            (
                "query v.npy v.npy --euclidean 1 --family random-lines --set width=-1",
                &["width is -1"],
            ),
            (
                "query v.npy v.npy --cosine 0.9 --family hyperplanes --set probes=0",
                &["probes is 0"],
            ),
            (
                "pairs v.npy --hamming 3 --kind vector",
                &["vector have no hamming", "code"],
            ),
            ("pairs v.npy --cosin 0.9", &["'--cosine'"]),
        ],
    );
}

#[test]
fn queries_must_fit_the_vectors() {
    let scene = Scene::new();
    scene.write("v.npy", array("'<f4'", &rows(30, 20), f32::to_le_bytes));
    scene.write("q.npy", array("'<f4'", &rows(3, 19), f32::to_le_bytes));
    scene.write("nan.txt", "nan 1\n");
    refused(
        &scene,
        1,
        &[
            (
                "query v.npy q.npy --cosine 0.9",
                &["q.npy: a vector of width 19", "the items have width 20"],
            ),
            (
                "query v.npy --text 1,2 --cosine 0.9",
                &["--text: a vector of width 2"],
            ),
            (
                "query v.npy --text rose --cosine 0.9",
                &["--text", "numbers with spaces or commas"],
            ),
            ("query v.npy nan.txt --cosine 0.9", &["nan.txt:1", "NaN"]),
        ],
    );
}
