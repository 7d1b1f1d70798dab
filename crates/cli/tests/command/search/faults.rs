//! Damaged files, runs that are killed, and readers beside a writer.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::scene::{Scene, passage, record, six};

/// The bytes of the index but those that say who changes it.
fn state(scene: &Scene) -> Vec<u8> {
    let mut bytes = scene.bytes("in.idx");
    bytes.drain(1536..2048);
    bytes
}

/// A run that holds the lock of the index and waits for more to read.
fn waiting(scene: &Scene, args: &str, input: &str) -> std::process::Child {
    let mut child = scene
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let start = Instant::now();
    let is_held = || {
        scene.bytes("in.idx")[1536..2040]
            .iter()
            .any(|&byte| byte != 0)
    };
    while !is_held() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "it does not start"
        );
        thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_killed_run_leaves_the_index_as_it_was() {
    let scene = Scene::with_index();
    let before = state(&scene);
    let names = scene.names();
    let more: String = (1000..21_000)
        .map(|id| record(id, &passage("z", &[id % 100])))
        .collect();
    let mut child = waiting(&scene, "index add in.idx -", &more);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(state(&scene), before);
    // What is left is hidden, and in nobody's way.
    let left: Vec<String> = scene.names().difference(&names).cloned().collect();
    assert!(
        left.iter().all(|name| name.starts_with(".lookalike-")),
        "{left:?}"
    );
    scene.write("more.jsonl", more);
    scene.quiet("index add in.idx more.jsonl");
    assert_eq!(scene.json("index stats in.idx")[0]["documents"], 20_006);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let scene = Scene::with_index();
    let before = (scene.names(), state(&scene));
    let mut child = waiting(
        &scene,
        "index add in.idx -",
        &record("new", "one two three"),
    );
    // Waiting for it would close its input, and the run would go on.
    let input = child.stdin.take();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
    assert_eq!((scene.names(), state(&scene)), before);
    scene.quiet("index add in.idx in.jsonl --skip");
}

/// Another program, or a version without locks, may replace the file.
#[test]
fn an_index_that_changes_while_a_run_adds_to_it_is_noticed() {
    let scene = Scene::with_index();
    scene.write("other.idx", scene.bytes("in.idx"));
    scene.quiet("index remove other.idx first");
    let mut child = waiting(
        &scene,
        "index add in.idx -",
        &record("late", "one two three"),
    );
    std::fs::rename(scene.path("other.idx"), scene.path("in.idx")).unwrap();
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("in.idx: another file has taken its place"),
        "{error}"
    );
    assert_eq!(scene.json("index stats in.idx")[0]["documents"], 5);
}

#[test]
fn many_ask_while_one_changes() {
    let scene = Scene::with_index();
    scene.write("page.txt", passage("b", &[50]));
    thread::scope(|scope| {
        for _ in 0..3 {
            let scene = &scene;
            scope.spawn(move || {
                for _ in 0..15 {
                    let hits = scene.hits("query in.idx page.txt -k 1");
                    assert_eq!(hits[0][0].0, "\"other\"");
                }
            });
        }
        for round in 0..8 {
            scene.write("more.jsonl", record(100 + round, &passage("c", &[round])));
            scene.quiet("index add in.idx more.jsonl");
        }
    });
    assert_eq!(scene.json("index stats in.idx")[0]["documents"], 14);
}

#[test]
fn a_reader_may_leave_after_the_first_line() {
    let scene = Scene::with_index();
    let many = six().repeat(2000);
    scene.write("many.jsonl", many);
    for args in [
        "query in.idx many.jsonl",
        "query in.idx many.jsonl --json --texts",
    ] {
        let mut child = scene
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args}");
        assert_eq!(output.status.code(), Some(0), "{args}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let scene = Scene::with_index();
    fs::create_dir(scene.path("locked")).unwrap();
    fs::set_permissions(scene.path("locked"), PermissionsExt::from_mode(0o555)).unwrap();
    // Some users may write everywhere.
    if fs::write(scene.path("locked/probe"), "").is_err() {
        let error = scene.fails(1, "index build in.jsonl --out locked/new.idx");
        assert!(
            error.contains("locked/new.idx: Permission denied"),
            "{error}"
        );
    }
}
