//! The crates depend on each other in one direction only, and are made alike.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use toml::{Table, Value};

/// Who may depend on whom. A new crate is a new line; one family may build on another only with its reason here.
const ARROWS: [(&str, &[&str]); 20] = [
    ("lookalike-core", &[]),
    ("lookalike-memory", &[]),
    ("lookalike-engine", &["lookalike-core", "lookalike-memory"]),
    // The engine is for its tests: a family is shown to work under it.
    ("lookalike-minhash", &["lookalike-core", "lookalike-engine"]),
    (
        "lookalike-hamming",
        &["lookalike-core", "lookalike-engine", "lookalike-memory"],
    ),
    ("lookalike-digest", &["lookalike-core", "lookalike-engine"]),
    (
        "lookalike-vector",
        &["lookalike-core", "lookalike-engine", "lookalike-memory"],
    ),
    (
        "lookalike-fingerprint",
        &["lookalike-core", "lookalike-engine"],
    ),
    ("lookalike-strings", &["lookalike-core", "lookalike-engine"]),
    // Of core these two have the remedies of errors.
    ("lookalike-corpus", &["lookalike-core"]),
    ("lookalike-output", &["lookalike-core"]),
    ("lookalike-report", &[]),
    // A file takes its name by output, and is refused like other results.
    ("lookalike-store", &["lookalike-core", "lookalike-output"]),
    (
        "lookalike-prints",
        &[
            "lookalike-core",
            "lookalike-engine",
            "lookalike-fingerprint",
            "lookalike-report",
        ],
    ),
    (
        "lookalike-dedup",
        &[
            "lookalike-core",
            "lookalike-corpus",
            "lookalike-engine",
            "lookalike-memory",
            "lookalike-minhash",
            "lookalike-output",
            "lookalike-report",
            "lookalike-search",
        ],
    ),
    (
        "lookalike-search",
        // Hamming is for an example in its documentation.
        &[
            "lookalike-core",
            "lookalike-corpus",
            "lookalike-engine",
            "lookalike-hamming",
            // For a test of the memory that an index takes.
            "lookalike-memory",
            "lookalike-minhash",
            "lookalike-output",
            "lookalike-store",
        ],
    ),
    // Of dedup it has the settings that both share.
    (
        "lookalike-experiment",
        &[
            // The facade and minhash are for its tests: a file names the plugins of the project.
            "lookalike",
            "lookalike-core",
            "lookalike-corpus",
            "lookalike-dedup",
            "lookalike-engine",
            "lookalike-fingerprint",
            "lookalike-memory",
            "lookalike-minhash",
            "lookalike-output",
            "lookalike-prints",
            "lookalike-report",
            "lookalike-search",
        ],
    ),
    (
        "lookalike",
        &[
            "lookalike-core",
            "lookalike-corpus",
            "lookalike-dedup",
            "lookalike-digest",
            "lookalike-engine",
            "lookalike-experiment",
            "lookalike-fingerprint",
            "lookalike-hamming",
            // For its benchmarks.
            "lookalike-memory",
            "lookalike-minhash",
            "lookalike-output",
            "lookalike-prints",
            "lookalike-report",
            "lookalike-search",
            "lookalike-vector",
            "lookalike-strings",
        ],
    ),
    ("lookalike-cli", &["lookalike"]),
    // A third party's: the plugin needs core, the command the other two.
    (EXAMPLE, &["lookalike", "lookalike-cli", "lookalike-core"]),
];

/// The package of a third party. It inherits nothing of the workspace.
const EXAMPLE: &str = "colours";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(folder: &Path) -> Table {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    text.parse()
        .unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn members() -> Vec<Table> {
    let workspace = manifest(root());
    let members = workspace["workspace"]["members"]
        .as_array()
        .unwrap()
        .clone();
    members
        .iter()
        .map(|member| manifest(&root().join(member.as_str().unwrap())))
        .collect()
}

fn name(manifest: &Table) -> &str {
    manifest["package"]["name"].as_str().unwrap()
}

#[test]
fn dependencies_point_one_way() {
    let members = members();
    let names: BTreeSet<&str> = members.iter().map(name).collect();
    assert_eq!(
        names,
        ARROWS.iter().map(|(name, _)| *name).collect(),
        "every crate has its line"
    );
    for manifest in &members {
        let allowed = ARROWS
            .iter()
            .find(|(of, _)| *of == name(manifest))
            .unwrap()
            .1;
        let tables = ["dependencies", "build-dependencies", "dev-dependencies"]
            .iter()
            .filter_map(|kind| manifest.get(*kind));
        let tables = tables.map(|table| table.as_table().unwrap());
        for dependency in tables
            .flat_map(Table::keys)
            .filter(|key| names.contains(key.as_str()))
        {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{} must not depend on {dependency}",
                name(manifest)
            );
        }
    }
}

#[test]
fn every_folder_of_crates_is_a_member() {
    let workspace = manifest(root());
    let listed = workspace["workspace"]["members"].as_array().unwrap();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let folder = folder.unwrap();
        if folder.path().join("Cargo.toml").exists() {
            let member = Value::from(format!("crates/{}", folder.file_name().to_str().unwrap()));
            assert!(listed.contains(&member), "{member} is not in the workspace");
        }
    }
}

#[test]
fn crates_share_what_the_workspace_says() {
    let ours = |manifest: &Table| name(manifest) != EXAMPLE;
    for manifest in members().into_iter().filter(ours) {
        let inherited =
            |value: &Value| value.get("workspace").and_then(Value::as_bool) == Some(true);
        for key in ["version", "edition", "rust-version", "license"] {
            assert!(
                inherited(&manifest["package"][key]),
                "{}: {key}",
                name(&manifest)
            );
        }
        assert!(inherited(&manifest["lints"]), "{}: lints", name(&manifest));
        for kind in ["dependencies", "dev-dependencies"] {
            for (dependency, value) in manifest
                .get(kind)
                .and_then(Value::as_table)
                .into_iter()
                .flatten()
            {
                assert!(inherited(value), "{}: {dependency}", name(&manifest));
            }
        }
    }
}

/// Every crate of the facade is behind a feature of its own, and all of them are on unless the user says otherwise.
/// Besides them the facade takes serde alone, which core takes too.
#[test]
fn the_facade_has_a_feature_for_each_crate() {
    let facade = manifest(root());
    let features = facade["features"].as_table().unwrap();
    let listed = |name: &str| -> BTreeSet<&str> {
        let list = features[name].as_array().unwrap();
        list.iter().map(|it| it.as_str().unwrap()).collect()
    };
    let mut all: BTreeSet<&str> = features.keys().map(String::as_str).collect();
    assert!(all.remove("default") && all.remove("parquet"));
    assert_eq!(listed("default"), all);
    for (dependency, value) in facade["dependencies"].as_table().unwrap() {
        let Some(name) = dependency.strip_prefix("lookalike-") else {
            assert_eq!(dependency, "serde");
            continue;
        };
        let is_optional = value.get("optional").and_then(Value::as_bool) == Some(true);
        assert_eq!(is_optional, name != "core", "{dependency}");
        if is_optional {
            assert!(
                listed(name).contains(format!("dep:{dependency}").as_str()),
                "{name}"
            );
        }
    }
}

/// What a program compiles that uses the facade with these features alone.
fn compiled(features: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--package",
            "lookalike",
            "--edges",
            "normal,build",
        ])
        .args([
            "--prefix",
            "none",
            "--no-default-features",
            "--features",
            features,
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let tree = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| line.split(' ').next().unwrap().to_owned();
    tree.lines().map(name).collect()
}

/// C comes with crates that build it by `cc`, or that bind a library (`-sys`; those of Linux and Windows bind the system).
#[test]
fn a_family_with_the_engine_needs_no_c_compiler() {
    let is_c = |name: &String| {
        let is_system = ["linux-raw-sys", "windows-sys"].contains(&name.as_str());
        name == "cc" || name == "cmake" || name.ends_with("-sys") && !is_system
    };
    for family in [
        "minhash",
        "hamming",
        "digest",
        "vector",
        "strings",
        "fingerprint",
    ] {
        let compiled = compiled(&format!("{family},engine"));
        assert!(compiled.contains(&format!("lookalike-{family}")));
        assert!(!compiled.iter().any(is_c), "{family}: {compiled:?}");
    }
    assert!(compiled("search").iter().any(is_c), "the check sees zstd");
}

/// CI runs exactly the command that README gives.
#[test]
fn ci_runs_the_tests_of_the_readme() {
    let command = "cargo test --workspace";
    for file in ["README.md", ".ci/run"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(
            text.lines().any(|line| line == command),
            "{file} has no line `{command}`"
        );
    }
}
