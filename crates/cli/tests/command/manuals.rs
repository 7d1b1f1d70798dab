//! Completions and manual pages: made from the same definitions as the help.

use std::{fs, process::Command};

use assert_cmd::cargo::cargo_bin_cmd;

fn run(args: &[&str]) -> String {
    let output = cargo_bin_cmd!("lookalike").args(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_has_a_script_that_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        for word in ["dedup", "explain", "tune", "allow-mass-removal"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// The script completes in a real bash.
#[test]
fn bash_completes() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("lookalike.bash");
    fs::write(&script, run(&["completions", "bash"])).unwrap();
    let complete = "source \"$0\"; COMP_WORDS=(lookalike dedup --pre); COMP_CWORD=2; _lookalike lookalike --pre dedup; echo \"${COMPREPLY[*]}\"";
    let output = Command::new("bash")
        .args(["-c", complete])
        .arg(&script)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim(),
        "--preset",
        "{:?}",
        String::from_utf8(output.stderr)
    );
}

#[test]
fn the_manual_page_says_what_the_help_says() {
    let page = run(&["man"]);
    assert!(
        page.contains(".TH lookalike 1") && page.contains("locality"),
        "{page}"
    );
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made/man1");
    assert_eq!(run(&["man", "--out", out.to_str().unwrap()]), "");
    let dedup = fs::read_to_string(out.join("lookalike-dedup.1")).unwrap();
    for said in ["max\\-bucket", "near\\-duplicate", "run.toml", "lee2022"] {
        assert!(dedup.contains(said), "{said}");
    }
    assert!(out.join("lookalike.1").is_file());
}

#[test]
fn examples_of_the_manual_are_lines_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    run(&["man", "--out", out]);
    let mut pages = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let name = path.display();
        assert!(page.is_ascii(), "{name}");
        assert!(!page.contains(".SH EXTRA"), "{name}");
        let (_, examples) = page.split_once(".SH \"EXAMPLES\"\n.nf\n").unwrap();
        let (examples, _) = examples.split_once("\n.fi\n").unwrap();
        let lines: Vec<&str> = examples.lines().collect();
        let is_command = |line: &&str| line.trim().contains("lookalike ");
        assert!(lines.iter().any(is_command), "{name}: {examples}");
        pages += 1;
    }
    assert!(pages > 12, "{pages}");
    let dedup = fs::read_to_string(folder.path().join("lookalike-dedup.1")).unwrap();
    assert!(
        dedup.contains("\\-\\-mode report \\e\n"),
        "a backslash is shown"
    );
}
