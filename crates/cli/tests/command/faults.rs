//! Faults at the nth system call, by strace: `scripts/faults` in full, here for some seconds.

use std::{path::Path, process::Command};

/// What the script says if strace cannot be used.
const SKIPPED: i32 = 77;

#[cfg(target_os = "linux")]
#[test]
fn a_fault_at_any_system_call_leaves_whole_results() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("skipped: strace is not installed");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/faults");
    let run = Command::new("python3")
        .arg(script)
        .args(["--seconds", "12", "--binary"])
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
