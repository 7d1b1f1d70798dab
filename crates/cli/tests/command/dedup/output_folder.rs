//! The folder of the results: complete or not there, and never over something else.

use std::fs;

use super::scene::Scene;
use super::texts::five;

#[test]
fn a_folder_that_is_empty_is_filled() {
    let scene = Scene::with("in.jsonl", five());
    fs::create_dir(scene.path("out")).unwrap();
    scene.dedup("in.jsonl --out out/");
    assert_eq!(scene.report("out")["documents"]["removed"], 2);
}

#[test]
fn folders_on_the_way_are_made() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out a/b/out");
    assert_eq!(scene.report("a/b/out")["documents"]["removed"], 2);
    assert_eq!(scene.files("a").len(), scene.files("a/b/out").len());
}

#[test]
fn what_exists_is_not_written_over() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("out/mine", "precious");
    for out in ["out", "in.jsonl"] {
        let before = scene.names();
        let said = scene.run(&format!("in.jsonl --quiet --out {out}"));
        assert_eq!((said.code, said.out.as_str()), (1, ""));
        let expected = format!("error: {out}: exists already");
        assert!(said.error.starts_with(&expected), "{}", said.error);
        assert_eq!(scene.names(), before);
    }
    assert_eq!(
        (scene.read("out/mine"), scene.read("in.jsonl")),
        ("precious".into(), five())
    );
}

#[test]
fn a_file_has_no_folders() {
    let scene = Scene::with("in.jsonl", five());
    for out in ["in.jsonl/out", "in.jsonl/deep/out"] {
        let before = scene.names();
        let said = scene.run(&format!("in.jsonl --quiet --out {out}"));
        assert_eq!(said.code, 1);
        assert!(
            said.error
                .starts_with(&format!("error: {out}: Not a directory")),
            "{}",
            said.error
        );
        assert_eq!(scene.names(), before);
    }
}

/// The next run would read the results of this one.
#[test]
fn results_do_not_lie_in_the_folder_of_the_input() {
    let scene = Scene::with("data/in.jsonl", five());
    scene.write("new.jsonl", five());
    for (args, out, input) in [
        ("data --out data/out", "data/out", "data"),
        (
            "new.jsonl --against data --out data/new/out",
            "data/new/out",
            "data",
        ),
    ] {
        let before = scene.names();
        let said = scene.run(args);
        let message = format!(
            "error: {out}: is inside the input {input}, so that the next run would read its own results"
        );
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.error.starts_with(&message), "{}", said.error);
        assert_eq!(scene.names(), before);
    }
    // Files that are named, and hidden folders, are no trap.
    scene.dedup("data/in.jsonl --out data/out");
    scene.dedup("data/in.jsonl --out data/.out");
    assert_eq!(scene.files("data/.out/kept"), ["in.jsonl"]);
}

#[test]
fn files_of_others_among_the_results_are_not_deleted() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    scene.dedup("in.jsonl --out out --overwrite");
    for mine in ["out/kept/mine.txt", "out/removed/deep/mine.txt"] {
        scene.write(mine, "precious");
        let said = scene.run("in.jsonl --out out --overwrite --quiet");
        let message = format!(
            "error: {mine}: was not written by the run whose results out holds, so they are not replaced"
        );
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.error.starts_with(&message), "{}", said.error);
        assert_eq!(scene.read(mine), "precious");
        fs::remove_file(scene.path(mine)).unwrap();
    }
    scene.dedup("in.jsonl --out out --overwrite");
}

#[test]
fn three_runs_onto_one_folder_are_one_run_and_two_errors() {
    use std::process::{Command, Stdio};
    let scene = Scene::with("in.jsonl", five());
    let mut first = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .args(["dedup", "-", "--out", "out", "--quiet"])
        .current_dir(scene.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let is_started = || scene.names().iter().any(|name| name.ends_with("/results"));
    while !is_started() && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    for args in [
        "in.jsonl --out out --quiet",
        "in.jsonl --out out --overwrite --quiet",
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, 1, "{said:?}");
        let message = "error: out: another run is writing its results there: wait for it, or choose another --out\n";
        assert_eq!(said.error, message);
    }
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(scene.report("out")["documents"]["read"], 0);
}

#[test]
fn a_url_is_not_a_folder() {
    let scene = Scene::with("in.jsonl", five());
    for url in [
        "s3://bucket/clean",
        "hf://datasets/clean",
        "https://example.org/clean",
    ] {
        let before = scene.names();
        let said = scene.run(&format!("in.jsonl --quiet --out {url}"));
        assert_eq!(said.code, 1, "{said:?}");
        let message = format!("error: {url}: a URL; results are written to this machine only");
        assert!(said.error.starts_with(&message), "{}", said.error);
        assert_eq!(scene.names(), before);
    }
}

#[cfg(unix)]
#[test]
fn others_may_read_the_results_as_they_may_read_a_new_folder() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    fs::create_dir(scene.path("new")).unwrap();
    let mode = |name: &str| fs::metadata(scene.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("out"), mode("new"));
    assert_eq!(mode("out/kept"), mode("new"));
    assert_eq!(mode("out/run.toml"), mode("in.jsonl"));
}

#[test]
fn a_run_that_fails_leaves_no_folder_on_the_way() {
    let scene = Scene::new();
    let said = scene.run("nowhere.jsonl --out a/b/out");
    assert_eq!(said.code, 1);
    assert!(scene.names().is_empty(), "{:?}", scene.names());
}

#[test]
fn the_current_folder_is_refused_before_any_work() {
    let scene = Scene::with("in.jsonl", five());
    fs::create_dir(scene.path("here")).unwrap();
    let run = assert_cmd::cargo::cargo_bin_cmd!("lookalike")
        .args(["dedup", "../in.jsonl", "--out", ".", "--quiet"])
        .current_dir(scene.path("here"))
        .output()
        .unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(error.contains("is the current folder"), "{error}");
    assert_eq!(run.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_link_to_an_empty_folder_is_one() {
    let scene = Scene::with("in.jsonl", five());
    fs::create_dir(scene.path("real")).unwrap();
    std::os::unix::fs::symlink("real", scene.path("link")).unwrap();
    scene.dedup("in.jsonl --out link");
    assert_eq!(scene.report("real")["documents"]["removed"], 2);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_leaves_nothing() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let scene = Scene::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .args(["dedup", "-", "--out", "out", "--quiet"])
        .current_dir(scene.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&b"some words\n".repeat(100_000)).unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while scene.names().is_empty() && std::time::Instant::now() < end {
        std::thread::yield_now();
    }
    let kill = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert!(scene.names().is_empty(), "{:?}", scene.names());
}

#[test]
fn an_earlier_run_is_replaced_only_where_that_is_asked_for() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("broken.jsonl", "{");
    scene.dedup("in.jsonl --out out");
    let first = scene.written("out");
    assert_eq!(scene.run("in.jsonl --out out").code, 1);
    assert_eq!(scene.run("broken.jsonl --out out --overwrite").code, 1);
    assert_eq!(scene.written("out"), first);
    scene.dedup("in.jsonl --out out --overwrite --mode report");
    let files = [
        "clusters.jsonl",
        "pairs.jsonl",
        "report.html",
        "report.json",
        "run.toml",
    ];
    assert_eq!(scene.files("out"), files);
    assert!(!scene.read("out/run.toml").contains("overwrite"));
}

#[test]
fn what_is_no_earlier_run_is_not_replaced() {
    let scene = Scene::with("in.jsonl", five());
    scene.write("out/mine", "precious");
    let said = scene.run("in.jsonl --out out --overwrite");
    assert_eq!(
        (said.code, scene.read("out/mine").as_str()),
        (1, "precious")
    );
}

#[test]
fn files_of_others_in_the_folder_of_an_earlier_run_are_not_lost() {
    let scene = Scene::with("out/in.jsonl", five());
    scene.write("out/run.toml", "");
    scene.run("out/in.jsonl --out out --overwrite");
    assert_eq!(scene.read("out/in.jsonl"), five());
}

/// A signal used to end the run here, and its temporary folder stayed.
#[cfg(unix)]
#[test]
fn a_file_over_the_limit_of_the_system_is_an_error_and_leaves_nothing() {
    let lines: String = (0..9000).map(|i| format!("line number {i}\n")).collect();
    let scene = Scene::with("in.txt", lines);
    let said = scene.run_after("ulimit -f 20", "in.txt --out out --quiet");
    assert_eq!(said.code, 1, "{said:?}");
    let says = "File too large";
    assert!(
        said.error.starts_with("error: out/") && said.error.contains(says),
        "{said:?}"
    );
    assert_eq!(scene.names().len(), 1, "{:?}", scene.names());
}

#[cfg(unix)]
#[test]
fn a_filter_without_a_folder_for_temporary_files_says_so() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run_after("export TMPDIR=/nowhere", "in.jsonl --stdout --quiet");
    let says = "error: cannot make temporary files in /nowhere (set TMPDIR to another folder): No such file";
    assert!(said.code == 1 && said.error.starts_with(says), "{said:?}");
}

/// It has a temporary folder in a temporary folder.
#[cfg(unix)]
#[test]
fn a_filter_that_is_interrupted_leaves_nothing() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let scene = Scene::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .args(["dedup", "-", "--stdout", "--quiet"])
        .current_dir(scene.path(""))
        .env("TMPDIR", scene.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&b"some words\n".repeat(100_000)).unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let is_started = || scene.names().iter().any(|name| name.ends_with("/results"));
    while !is_started() && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let kill = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(scene.names().is_empty(), "{:?}", scene.names());
}
