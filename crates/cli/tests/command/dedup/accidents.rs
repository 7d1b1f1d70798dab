//! Full disks, kills, and files that change under the reader: nothing half-written, and the next run works.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::compressed::zstd;
use super::scene::{Scene, exists};
use super::texts::{five, passage};
use crate::folder::Said;

fn spawn(scene: &Scene, args: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .arg("dedup")
        .args(args.split_whitespace())
        .current_dir(scene.path(""))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs with files of so many KiB at most, as on a disk that is full: writing fails, and no signal ends the program.
fn with_small_disk(scene: &Scene, kib: u32, args: &str) -> Said {
    scene.run_after(&format!("trap '' XFSZ; ulimit -f {kib}"), args)
}

fn different(n: usize) -> String {
    (0..n)
        .map(|i| {
            format!(
                "{{\"id\": {i}, \"text\": \"{}\"}}\n",
                passage(&format!("t{i}w"), &[])
            )
        })
        .collect()
}

#[test]
fn a_full_disk_is_an_error_that_names_the_file_and_leaves_nothing() {
    let scene = Scene::with("in.jsonl", different(200));
    let before = scene.names();
    let said = with_small_disk(&scene, 64, "in.jsonl --out out --quiet");
    assert_eq!(said.code, 1, "{said:?}");
    let kept = Path::new("out").join("kept").join("in.jsonl");
    assert!(
        said.error
            .starts_with(&format!("error: {}: ", kept.display())),
        "{said:?}"
    );
    assert_eq!(scene.names(), before);
    // What is kept meanwhile needs room too.
    let scene = Scene::with("in.jsonl.zst", zstd(different(200).as_bytes()));
    let before = scene.names();
    let said = with_small_disk(&scene, 64, "in.jsonl.zst --out out --quiet --mode report");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.error.contains("in.jsonl.zst") && said.error.contains("large"),
        "{said:?}"
    );
    assert_eq!(scene.names(), before);
    scene.dedup("in.jsonl.zst --out out");
}

#[test]
fn a_target_under_a_file_is_refused_before_any_work() {
    let scene = Scene::with("in.jsonl", five());
    let before = scene.names();
    let said = scene.run("in.jsonl --out in.jsonl/below/out");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.error.contains("in.jsonl"), "{said:?}");
    assert_eq!(scene.names(), before);
}

/// Waits until the scene has other names than before.
fn wait_for_change(scene: &Scene, before: usize) {
    let end = Instant::now() + Duration::from_secs(30);
    while scene.names().len() == before && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_ne!(scene.names().len(), before, "nothing happened");
}

#[test]
fn a_kill_leaves_nothing_that_looks_like_results_and_the_next_run_tidies_up() {
    let scene = Scene::new();
    let lines = b"some words\n".repeat(100_000);
    let mut killed = spawn(&scene, "- --out out --quiet");
    let mut input = killed.stdin.take().unwrap();
    input.write_all(&lines).unwrap();
    wait_for_change(&scene, 0);
    // Another one at the same time is not disturbed by what comes.
    let mut other = spawn(&scene, "- --out other --quiet --allow-mass-removal");
    let mut its_input = other.stdin.take().unwrap();
    its_input.write_all(&lines).unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    let folders = || {
        scene
            .names()
            .iter()
            .filter(|name| !name.contains('/'))
            .count()
    };
    while folders() < 2 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(folders(), 2, "{:?}", scene.names());

    killed.kill().unwrap();
    assert!(!killed.wait().unwrap().success());
    assert!(!exists(scene.path("out")));
    assert_eq!(folders(), 2, "a kill leaves a hidden folder");

    let said = scene.run_with("- --out out --quiet --allow-mass-removal", lines);
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    assert_eq!(scene.report("out")["documents"]["kept"], 1);
    let names = scene.names();
    let hidden: Vec<_> = names
        .iter()
        .filter(|name| name.starts_with('.') && !name.contains('/'))
        .collect();
    assert_eq!(hidden.len(), 1, "that of the run that goes on: {hidden:?}");

    drop(its_input);
    assert!(other.wait().unwrap().success());
    assert_eq!(scene.report("other")["documents"]["kept"], 1);
    assert!(!scene.names().iter().any(|name| name.starts_with('.')));
}

#[test]
fn a_signal_exits_with_128_and_its_number_and_leaves_nothing() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let scene = Scene::new();
        let mut child = spawn(&scene, "- --out out --quiet");
        let mut input = child.stdin.take().unwrap();
        input.write_all(&b"some words\n".repeat(100_000)).unwrap();
        wait_for_change(&scene, 0);
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(scene.names().is_empty(), "{:?}", scene.names());
    }
}

/// A pipe that is read after the file holds the run up, so that the file can change in the meantime.
#[test]
fn an_input_that_changes_between_two_passes_is_noticed() {
    let changed = five().replacen("\"first\"", "\"FIRST\"", 1);
    let shorter: String = five()
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    for (args, after) in [
        ("--mode remove", Some(&changed)),
        ("--mode annotate", Some(&shorter)),
        (
            "--mode remove --verify none --bands 200 --rows 1",
            Some(&changed),
        ),
        ("--mode remove", None),
    ] {
        let scene = Scene::with("in.jsonl", five());
        let made = Command::new("mkfifo")
            .arg(scene.path("pipe.jsonl"))
            .status();
        assert!(made.unwrap().success());
        // Texts longer than what is held of the first pass are read again for the second.
        let child = spawn(
            &scene,
            &format!("in.jsonl pipe.jsonl --out out --quiet {args}"),
        );
        let mut pipe = fs::OpenOptions::new()
            .write(true)
            .open(scene.path("pipe.jsonl"))
            .unwrap();
        // More than a pipe holds: once it is written, the file before it has been read.
        let blank = " \n".repeat(1 << 20);
        pipe.write_all(blank.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        match after {
            Some(text) => fs::write(scene.path("in.jsonl"), text).unwrap(),
            None => fs::remove_file(scene.path("in.jsonl")).unwrap(),
        }
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args}: {error}");
        assert!(
            error.contains("in.jsonl") && error.contains("changed"),
            "{args}: {error}"
        );
        assert!(!exists(scene.path("out")), "{args}");
        assert!(
            !scene.names().iter().any(|name| name.starts_with('.')),
            "{args}"
        );
    }
}
