//! Faults at the nth system call, by strace: `scripts/faults` and `scripts/index-faults` in full, here for some seconds.

use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// What the script says if strace cannot be used.
const SKIPPED: i32 = 77;

#[cfg(target_os = "linux")]
#[test]
fn a_fault_at_any_system_call_leaves_whole_results() {
    run("faults", &["--seconds", "12"]);
}

#[cfg(target_os = "linux")]
#[test]
fn writers_kills_faults_and_lost_power_leave_a_whole_index() {
    run("index-faults", &["--quick"]);
}

/// Runs a script of the repository with this command, if the machine has what it needs.
fn run(script: &str, args: &[&str]) {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("skipped: strace is not installed");
        return;
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let run = Command::new("python3")
        .arg(scripts.join(script))
        .args(args)
        .arg("--binary")
        .arg(assert_cmd::cargo::cargo_bin!("lookalike"))
        .output();
    let Ok(run) = run else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let said = String::from_utf8_lossy(&run.stdout);
    let error = String::from_utf8_lossy(&run.stderr);
    match run.status.code() {
        Some(0) => println!("{said}"),
        Some(SKIPPED) => eprintln!("{said}"),
        _ => panic!("{said}{error}"),
    }
}

/// Results that take their name at this moment do so whole, and nothing that was there is lost.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_while_results_take_their_name_loses_nothing() {
    const FILES: usize = 40;
    let tried = Command::new("strace")
        .args(["-f", "-q", "-o", "/dev/null", "true"])
        .status();
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("skipped: strace is not installed, or may not trace");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("in")).unwrap();
    for number in 0..FILES {
        let text = format!("text {number} of {} and {}\n", number * 7, number * 13);
        fs::write(path("in").join(format!("{number}.txt")), text).unwrap();
    }
    let lookalike = assert_cmd::cargo::cargo_bin!("lookalike");
    let dedup = ["dedup", "in", "--out", "out", "--overwrite", "--quiet"];
    let first = Command::new(lookalike)
        .args(dedup)
        .current_dir(folder.path())
        .status();
    assert!(first.unwrap().success());
    // Renaming takes a second, and removing a while: the signal comes in between.
    let mut traced = Command::new("strace")
        .args([
            "-f",
            "-q",
            "-o",
            "/dev/null",
            "-e",
            "trace=renameat2,unlinkat",
        ])
        .args(["-e", "inject=renameat2:delay_enter=1000000"])
        .args(["-e", "inject=unlinkat:delay_enter=30000"])
        .arg(lookalike)
        .args(dedup)
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    let is_complete = || {
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        let temporary =
            entries.filter(|it| it.file_name().to_string_lossy().starts_with(".lookalike-"));
        let inner =
            temporary.flat_map(|it| fs::read_dir(it.path()).into_iter().flatten().flatten());
        inner
            .into_iter()
            .any(|it| it.path().join(".files.toml").exists())
    };
    let start = Instant::now();
    while !is_complete() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing was written"
        );
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(600));
    let id = traced.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    let signal = Command::new("kill")
        .arg("-INT")
        .args(children.split_whitespace())
        .status();
    assert!(signal.unwrap().success());
    assert_eq!(traced.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(path("out/kept")).unwrap().count(), FILES);
}
