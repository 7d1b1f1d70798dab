//! The folder of results.

use std::{fs, path::Path};

use lookalike_experiment::{Error, Experiment, Outcome};

const FILE: &str = r#"
    seeds = 3
    threshold = 0.7
    [family]
    name = "universal"
    [data]
    generate.corpus = { documents = 80, words = 60, copies = 0.4 }
    [sweep]
    bands = [10, 20]
    rows = [4]
"#;

fn write(text: &str, folder: &Path, overwrite: bool) -> Result<Outcome, Error> {
    let registry = lookalike::builtin();
    let experiment = Experiment::parse(&registry, "some/corpus.toml", text, false)?;
    experiment.run_into(folder, overwrite, &())
}

/// What a file of results says beside its times, byte by byte.
fn without_times(folder: &Path) -> String {
    let json = fs::read_to_string(folder.join("result.json")).unwrap();
    let (rest, times) = json.split_once("\n  \"times\": {").unwrap();
    assert!(times.contains("peak_bytes"));
    rest.to_owned()
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, again, resolved] = ["one", "again", "resolved"].map(|name| folder.path().join(name));
    write(FILE, &one, false).unwrap();
    write(FILE, &again, false).unwrap();
    assert_eq!(without_times(&one), without_times(&again));
    let mut names: Vec<_> = fs::read_dir(&one)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["report.html", "result.csv", "result.json", "run.toml"]
    );
    // What was resolved says the same again.
    let settings = fs::read_to_string(one.join("run.toml")).unwrap();
    write(&settings, &resolved, false).unwrap();
    let again = fs::read_to_string(resolved.join("run.toml")).unwrap();
    assert_eq!(again, settings);
    let recalls = |folder: &Path| -> Vec<String> {
        let table = fs::read_to_string(folder.join("result.csv")).unwrap();
        let cell = |line: &str| line.split(',').nth(13).unwrap().to_owned();
        table.lines().map(cell).collect()
    };
    assert_eq!(recalls(&one), recalls(&resolved));
}

#[test]
fn the_page_shows_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let outcome = write(FILE, &out, false).unwrap();
    let html = fs::read_to_string(out.join("report.html")).unwrap();
    assert_eq!(outcome.runs.len(), 2);
    for said in [
        "bands=10 rows=4",
        "bands=20 rows=4",
        "false negatives",
        "Buckets by size",
        "Time of one repetition, by stage",
        "What is found, and what must be compared for it",
        "Other bands and rows",
    ] {
        assert!(html.contains(said), "{said}");
    }
    let lines = fs::read_to_string(out.join("result.csv")).unwrap();
    assert_eq!(lines.lines().count(), 3);
}

#[test]
fn what_is_there_stays_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let file = FILE.replace("seeds = 3", "seeds = 1");
    write(&file, &out, false).unwrap();
    let refused = write(&file, &out, false).unwrap_err().to_string();
    assert!(refused.contains("exists already"), "{refused}");
    write(&file, &out, true).unwrap();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    let refused = write(&file, &out, true).unwrap_err().to_string();
    assert!(refused.contains("not replaced"), "{refused}");
    // A run that fails leaves nothing.
    let fails = folder.path().join("fails");
    write(&file.replace("universal", "univrsal"), &fails, false).unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
