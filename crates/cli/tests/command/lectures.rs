//! Every command of `docs/lectures.md` prints what the page says, and the page has the numbers of the lecture notes.

use std::{fs, path::Path, process::Command};

const PAGE: &str = include_str!("../../../../docs/lectures.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A row of the page: a command, and what it prints.
struct Step {
    command: String,
    prints: Vec<String>,
}

/// The texts in backticks of a cell. A pipe in one is written `\|`.
fn quoted(cell: &str) -> Vec<String> {
    let parts = cell.split('`').skip(1).step_by(2);
    parts.map(|part| part.replace(r"\|", "|")).collect()
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<String> {
    let whole = line.replace(r"\|", "\0");
    let cells = whole.trim_matches('|').split('|');
    cells.map(|cell| cell.replace('\0', r"\|")).collect()
}

fn steps() -> Vec<Step> {
    let rows = PAGE.lines().filter(|line| line.starts_with('|')).map(cells);
    let step = |cells: Vec<String>| {
        let command = quoted(cells.get(1)?).into_iter().next()?;
        let is_ours = command.starts_with("lookalike ") || command.contains("| lookalike ");
        let prints = quoted(cells.get(2)?);
        is_ours.then_some(Step { command, prints })
    };
    rows.filter_map(step).collect()
}

/// Words with one space between them.
fn together(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a command of the page prints to stdout, in a folder with the examples and configs.
fn run(command: &str, folder: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin!("lookalike");
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("bash")
        .args(["-c", command])
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env_remove("COLUMNS")
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_step_prints_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["examples", "configs"] {
        let status = Command::new("cp")
            .args(["-r", &format!("{ROOT}/{name}"), "."])
            .current_dir(folder.path())
            .status();
        assert!(status.unwrap().success(), "{name}");
    }
    let steps = steps();
    assert!(steps.len() >= 40, "{} steps", steps.len());
    for Step { command, prints } in &steps {
        assert!(!prints.is_empty(), "{command}: nothing to compare");
        let printed = run(command, folder.path());
        let lines: Vec<String> = printed.lines().map(together).collect();
        for expected in prints {
            // A number stands for itself: 0.5 is not found in 10.52.
            let has = |line: &String| {
                let (line, expected) = (format!(" {line} "), together(expected));
                line.match_indices(&expected).any(|(place, _)| {
                    let before = line[..place].chars().next_back();
                    let after = line[place + expected.len()..].chars().next();
                    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '.');
                    ends(before) && ends(after)
                })
            };
            assert!(
                lines.iter().any(has),
                "{command}\nno `{expected}` in\n{printed}"
            );
        }
    }
}

/// Numbers of the lecture notes, as they were computed for them and not as a command prints them today.
#[test]
fn the_page_has_the_numbers_of_the_notes() {
    let shown: Vec<String> = steps().into_iter().flat_map(|step| step.prints).collect();
    let shown = shown.join(" ; ");
    for number in [
        // Shingles and sets.
        "3/7",
        "1/7",
        "3/4",
        "1/4",
        "1/3",
        "2/3",
        // Signatures and their lengths.
        "185",
        "738",
        "4612",
        // 20 × 5, by similarity; one band, candidate and missed at 0.8 and 0.3.
        "0.00020",
        "0.00638",
        "0.04749",
        "0.18605",
        "0.47005",
        "0.80190",
        "0.97478",
        "0.99964",
        "0.999999982",
        "0.32768 0.99964 0.00036",
        "0.00243 0.04749 0.95251",
        "0.5493 0.5264 3.51",
        // 15 × 5 and 10 × 10 at 0.8 and 0.3; rule thresholds of 100 functions.
        "0.00259",
        "0.0358",
        "0.321",
        "0.000059",
        "0.1414",
        "0.7943",
        "0.9227",
        // Fingerprints: one group, two groups, more functions.
        "0.98505",
        "0.06344",
        "0.9703",
        "0.00402",
        "0.99978",
        "0.12285",
        "0.99955",
        "0.01509",
    ] {
        assert!(shown.contains(number), "{number}");
    }
    // 1 − (1 − t^5)^10, from 0.1 to 0.9.
    for tenth in 1..=9 {
        let t = f64::from(tenth) / 10.0;
        let candidate = 1.0 - (1.0 - t.powi(5)).powi(10);
        let expected = format!("{t:.1} {candidate:.5}");
        assert!(shown.contains(&expected), "{expected}");
    }
}

/// Files that the page links to are there.
#[test]
fn links_of_the_page_lead_somewhere() {
    let links = PAGE
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap());
    let links: Vec<&str> = links.filter(|link| !link.starts_with("http")).collect();
    assert!(links.len() > 10);
    for link in links {
        let path = format!("{ROOT}/docs/{link}");
        assert!(fs::exists(&path).unwrap(), "{link}");
    }
}
