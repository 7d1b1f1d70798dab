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

/// Whether words are part of a line. A number stands for itself: 0.5 is not found in 10.52.
fn stands_in(line: &str, expected: &str) -> bool {
    line.match_indices(expected).any(|(place, _)| {
        let before = line[..place].chars().next_back();
        let after = line[place + expected.len()..].chars().next();
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '.');
        ends(before) && ends(after)
    })
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
    assert!(steps.len() >= 70, "{} steps", steps.len());
    for Step { command, prints } in &steps {
        assert!(!prints.is_empty(), "{command}: nothing to compare");
        let printed = run(command, folder.path());
        let lines: Vec<String> = printed.lines().map(together).collect();
        for expected in prints {
            let expected = together(expected);
            assert!(
                lines.iter().any(|line| stands_in(line, &expected)),
                "{command}\nno `{expected}` in\n{printed}"
            );
        }
    }
}

/// Numbers of the lecture notes, as they were computed for them and not as a command prints them today: each with a part
/// of the command that reproduces it.
const NOTES: &[(&str, &[&str])] = &[
    // Shingles and sets.
    (
        "--text abcab --text abcdabd",
        &["‘ab’ ‘bc’ ‘ca’", "‘ab’ ‘bc’ ‘cd’ ‘da’ ‘bd’", "2/6"],
    ),
    (
        "--bag --text abcab --text abcabab",
        &["‘ab’ ‘bc’ ‘ca’ ‘ab’", "4/6"],
    ),
    (
        "A rose is a rose is a rose.",
        &[
            "‘a rose is’ ‘rose is red’ ‘is red a’ ‘red a rose’ ‘rose is white’",
            "‘a rose is’ ‘rose is a’ ‘is a rose’",
            "3/7",
            "1/7",
        ],
    ),
    (
        "The dog which chased the cat",
        &[
            "1 0 ‘g w’",
            "1 0 ‘ wh’",
            "1 0 ‘whi’",
            "1 0 ‘hic’",
            "1 0 ‘ich’",
            "1 0 ‘ch ’",
            "1 0 ‘h c’",
        ],
    ),
    (
        "I recommend that you buy Sudzo",
        &["‘i recommend that’ ‘that you buy’ ‘you buy sudzo’ ‘for your laundry’"],
    ),
    ("--column 10111 --column 10011", &["3/4"]),
    ("--column 001001 --column 001010", &["1/3"]),
    (
        "--set a,d --set c --set b,d,e --set a,c,d",
        &["1 1 2 1 1/4", "0/3", "2 0 1 2 2/3"],
    ),
    // Signatures: one line per permutation or function.
    (
        "configs/matrix-1",
        &["2 2 3 1", "1 1 1 2", "1 2 2 1", "0.667 0.5", "0 0"],
    ),
    ("4,2,7,1,6,3,5", &["2 2 3 1"]),
    (
        "configs/matrix-2",
        &[
            "2 1 2 1",
            "2 1 4 1",
            "1 2 1 2",
            "1 5 1 5",
            "2 3 1 3",
            "6 4 6 4",
            "1 1 2 1 2",
            "3 2 1 2 1",
            "1 and 3 0.667 0.75",
            "2 and 4 1 0.75",
            "1 and 2 0 0",
            "3 and 4 0 0",
        ],
    ),
    ("configs/matrix-3", &["3 1 1 2", "2 2 1 3", "1 5 3 2"]),
    (
        "--hash 'x+1 mod 5' --hash '3x+1 mod 5'",
        &[
            "0 1 1 1* 1* ∞ ∞ ∞ ∞ 1* 1*",
            "1 3 0 1",
            "0 2 0 0",
            "1.0000 0.6667 = 2/3",
        ],
    ),
    ("configs/one-pass-practice", &["1 1 0", "2 2 0"]),
    ("--estimate 0.1", &["185"]),
    ("--estimate 0.05", &["738"]),
    ("--estimate 0.02", &["4612"]),
    // 20 × 5, by similarity; one band, candidate and missed at 0.8 and 0.3.
    (
        "--bands 20 --rows 5 --no-chart",
        &[
            "0.1 0.00020",
            "0.2 0.00638",
            "0.3 0.04749",
            "0.4 0.18605",
            "0.5 0.47005",
            "0.6 0.80190",
            "0.7 0.97478",
            "0.8 0.99964",
            "0.9 0.999999982",
            "0.5493 0.5264 3.51",
        ],
    ),
    (
        "--bands 20 --rows 5 --at 0.8,0.3",
        &["0.32768 0.99964 0.00036", "0.00243 0.04749 0.95251"],
    ),
    // 15 × 5 and 10 × 10 at 0.8 and 0.3; rule thresholds of 100 functions.
    (
        "--bands 15,10 --rows 5,10",
        &["0.00259", "0.03584", "0.32114", "0.000059"],
    ),
    (
        "--bands 50,20,10,5",
        &["0.1414", "0.5493", "0.7943", "0.9227"],
    ),
    (
        "--bands 1 --rows 1,5",
        &["0.32768", "0.03125 0.03125 0.96875"],
    ),
    ("--threshold 0.6 --budget 100", &["20 bands × 5 rows"]),
    (
        "--threshold 0.8 --budget 100",
        &["20 bands × 5 rows", "0.32768 0.99964 0.00036", "0.67886"],
    ),
    // Distances and families.
    ("--edits 3 --set variant=indel", &["3"]),
    (
        "universal --d1 0.2 --d2 0.6",
        &["(0.2, 0.6, 0.8, 0.4)", "(0.2, 0.6, 0.99964, 0.18605)"],
    ),
    (
        "random-lines --d1 0.5 --d2 2",
        &["(0.5, 2, 0.60955, 0.19542)"],
    ),
    ("bit-sampling --d1 6 --d2 24", &["(6, 24, 0.90625, 0.625)"]),
    (
        "hyperplanes --d1 20 --d2 60",
        &["(20, 60, 0.88889, 0.66667)"],
    ),
    (
        "grid-squares --squares 1000000",
        &["(0.84, 0.96, 0.0041, 0.000064)"],
    ),
    // Fingerprints: one group, two groups, more functions.
    ("and:3,or:1024 ", &["0.98505", "0.06344"]),
    ("and:3,or:1024,and:2 ", &["0.97032", "0.00402"]),
    ("and:3,or:2048 ", &["0.99978", "0.12285"]),
    ("and:3,or:2048,and:2 ", &["0.99955", "0.01509"]),
];

#[test]
fn the_page_has_the_numbers_of_the_notes() {
    let steps = steps();
    let shown = |part: &str| -> String {
        let step = steps.iter().find(|step| step.command.contains(part));
        let step = step.unwrap_or_else(|| panic!("no step has {part}"));
        step.prints.join(" ; ")
    };
    for (part, numbers) in NOTES {
        let shown = shown(part);
        for number in *numbers {
            assert!(stands_in(&shown, number), "{part}: no {number} in {shown}");
        }
    }
    // 1 − (1 − t^5)^10, from 0.1 to 0.9.
    let shown = shown("--bands 10 --rows 5 --no-chart");
    for tenth in 1..=9 {
        let t = f64::from(tenth) / 10.0;
        let candidate = 1.0 - (1.0 - t.powi(5)).powi(10);
        let decimals = if tenth == 1 { 6 } else { 5 };
        let expected = format!("{t:.1} {candidate:.decimals$}");
        assert!(stands_in(&shown, &expected), "{expected} in {shown}");
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
