//! Strings: what is found is what the plain definition says, and odd strings are right or refused.

use super::scene::Scene;

/// The Levenshtein distance of two strings, by characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = replaced.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Names with slips of the pen: `count` of them, the same every time.
fn names(count: usize) -> Vec<String> {
    let parts = [
        "mar", "ti", "na", "jo", "han", "elea", "nor", "lu", "é", "名",
    ];
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut name = || {
        (0..2 + next(3))
            .map(|_| parts[next(parts.len())])
            .collect::<String>()
    };
    (0..count).map(|_| name()).collect()
}

/// All pairs of lines within some edits.
fn all_pairs(names: &[String], edits: usize) -> Vec<String> {
    let mut pairs = Vec::new();
    for (a, name) in names.iter().enumerate() {
        for (b, other) in names.iter().enumerate().skip(a + 1) {
            let distance = distance(name, other);
            if distance <= edits {
                pairs.push(format!(
                    "{distance}\tnames.txt:{}\tnames.txt:{}",
                    a + 1,
                    b + 1
                ));
            }
        }
    }
    pairs.sort();
    pairs
}

#[test]
fn exact_pairs_are_all_pairs() {
    let scene = Scene::new();
    let names = names(300);
    scene.write("names.txt", names.join("\n"));
    for edits in [0, 1, 2, 5, 100] {
        let wanted = all_pairs(&names, edits);
        assert!(!wanted.is_empty());
        for family in [
            "",
            "--family deletions",
            "--family partitions",
            "--family brute-force",
        ] {
            // Too many deletions of a string, or too many of its pieces.
            if edits == 100 && (family.contains("deletions") || family.contains("partitions")) {
                continue;
            }
            let command = format!("pairs names.txt --edits {edits} --exact {family}");
            let mut found = scene.lines(&command);
            let nearest: Vec<usize> = found
                .iter()
                .map(|line| line.split('\t').next().unwrap().parse().unwrap())
                .collect();
            assert!(nearest.is_sorted(), "the nearest first");
            found.sort();
            assert_eq!(found, wanted, "{command}");
            for threads in [2, 7] {
                let mut again = scene.lines(&format!("{command} --threads {threads}"));
                again.sort();
                assert_eq!(again, wanted, "{command}");
            }
        }
    }
}

#[test]
fn a_recall_is_measured_on_a_sample() {
    let scene = Scene::new();
    let names = names(2000);
    scene.write("names.txt", names.join("\n"));
    let all = scene.lines("pairs names.txt --edits 2 --exact");
    {
        let family = "cgk";
        let said = scene.run(&format!(
            "pairs names.txt --edits 2 --recall 0.7 --family {family}"
        ));
        assert_eq!(said.code, 0, "{said:?}");
        assert!(
            said.error.contains("(measured on a sample)"),
            "{}",
            said.error
        );
        assert!(
            said.out
                .lines()
                .all(|line| all.iter().any(|known| known == line))
        );
        let share = said.out.lines().count() as f64 / all.len() as f64;
        assert!(share > 0.6, "{family}: {share}");
    }
    let said = scene.run("pairs names.txt --edits 2 --exact --family cgk");
    assert!(
        said.code != 0 && said.error.contains("cannot promise to find everything"),
        "{said:?}"
    );
    // A stored index says it, too, as long as it is asked within the same limit.
    scene.run("index build names.txt --edits 2 --recall 0.7 --family cgk --out names.idx");
    let said = scene.run("query names.idx --text anna");
    let measured = "of the items up to edit distance 2 (measured on a sample";
    assert!(said.code == 0 && said.error.contains(measured), "{said:?}");
    let said = scene.run("query names.idx --text anna --edits 3");
    let unknown = "how many of the items at edit distance 3 are found is not known";
    assert!(said.code == 0 && said.error.contains(unknown), "{said:?}");
}

/// A family that does not go so far is refused with the reason.
#[test]
fn more_edits_than_a_family_reaches_are_refused() {
    let scene = Scene::new();
    scene.write("names.txt", "martina\njohanna\neleanor\n");
    for (options, problem) in [
        (
            "--edits 100 --family deletions",
            "100 edits are too many for deletions: strings would have too many keys",
        ),
        (
            "--edits 100 --family deletions --exact",
            "100 edits are too many for deletions",
        ),
        (
            "--edits 100 --family partitions",
            "reach is 100, but must be smaller",
        ),
        (
            "--edits 3 --family deletions --set prefix=3",
            "prefix is 3, but must be above 3, the edits",
        ),
    ] {
        let said = scene.run(&format!("pairs names.txt {options}"));
        assert!(said.code == 2 && said.error.contains(problem), "{said:?}");
    }
    assert_eq!(scene.lines("pairs names.txt --edits 100").len(), 3);
}

#[test]
fn queries_find_what_is_near_them() {
    let scene = Scene::new();
    scene.write("names.txt", "martina\njohanna\neleanor\n");
    scene.write("new.txt", "martine\nelinor\n");
    let found = scene.lines("query names.txt new.txt --edits 2");
    assert_eq!(found.len(), 2, "{found:?}");
    let nearest = scene.lines("query names.txt --text johannes --measure edits -k 1");
    assert!(
        nearest.len() == 1 && nearest[0].contains("names.txt:2"),
        "{nearest:?}"
    );
}

/// Which edits count, and what one letter is.
#[test]
fn variants_and_units_are_parameters() {
    let scene = Scene::new();
    // A swap; a replaced letter; é in one character and in two.
    scene.write(
        "names.txt",
        "amrtin\nmartin\nmarten\ncaf\u{e9}\ncafe\u{301}\n",
    );
    let pairs = |more: &str| -> Vec<String> {
        let lines = scene.lines(&format!("pairs names.txt --edits 2 --exact {more}"));
        let short = |line: &String| line.replace("names.txt:", "").replace('\t', " ");
        lines.iter().map(short).collect()
    };
    assert_eq!(pairs(""), ["1 2 3", "2 1 2", "2 4 5"]);
    assert_eq!(
        pairs("--set variant=osa"),
        ["1 1 2", "1 2 3", "2 1 3", "2 4 5"]
    );
    assert_eq!(pairs("--set variant=indel"), ["2 1 2", "2 2 3"]);
    // By bytes é is two, and its mark two more: replaced, replaced, inserted.
    assert_eq!(pairs("--set units=bytes"), ["1 2 3", "2 1 2"]);
    let said = scene.run("pairs names.txt --edits 2 --set variant=jaro");
    assert!(said.code != 0 && said.error.contains("variant"), "{said:?}");
}

#[test]
fn strings_come_from_every_format() {
    let scene = Scene::new();
    scene.write(
        "names.jsonl",
        "{\"text\": \"rose\"}\n{\"text\": \"\"}\n{\"text\": \"nose\"}\n",
    );
    scene.write("names.csv", "id,text\na,rose\nb,\nc,nose\n");
    let lines = scene.lines("pairs names.jsonl --edits 1");
    assert_eq!(lines, ["1\tnames.jsonl:1\tnames.jsonl:3"]);
    let lines = scene.lines("pairs names.csv --edits 1");
    assert_eq!(lines, ["1\ta\tc"]);
    // An empty string is as far from another as that is long.
    let lines = scene.lines("pairs names.jsonl --edits 4");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(
        scene
            .run_with("pairs - --edits 1", "rose\nnose\n")
            .out
            .lines()
            .count(),
        1
    );
}

#[test]
fn bad_strings_are_refused() {
    let scene = Scene::new();
    scene.write("names.txt", "rose\nnose\n");
    scene.write("latin.txt", b"ros\xe9\nnose\n");
    scene.write("number.jsonl", "{\"text\": 17}\n");
    for (args, messages) in [
        ("latin.txt --edits 1", &["latin.txt:1", "UTF-8"][..]),
        ("number.jsonl --edits 1", &["number.jsonl:1", "17"]),
        ("names.txt --edits 1.5", &["whole number"]),
        ("names.txt --edits -1", &["edits"]),
        (
            "names.txt --edits 2 --family deletions --set prefix=0",
            &["prefix is 0"],
        ),
        (
            "names.txt --edits 2 --family order-minhash --set gram=0",
            &["gram is 0"],
        ),
        (
            "names.txt --edits 2 --family deletions --bands 3 --rows 2",
            &["deletions"],
        ),
        (
            "names.txt --edits 200 --family partitions",
            &["reach is 200", "pieces"],
        ),
    ] {
        let said = scene.run(&format!("pairs {args}"));
        assert_ne!(said.code, 0, "{args}: {said:?}");
        for message in messages {
            assert!(
                said.error.contains(message),
                "{args}: {message:?} in {said:?}"
            );
        }
    }
}

/// Ten megabytes in one line.
#[test]
fn a_long_string_is_an_item() {
    let scene = Scene::new();
    let long = "ACGT".repeat(2_500_000);
    scene.write("reads.txt", format!("{long}\n{}A\nACGT\n", &long[1..]));
    for family in ["", "--family partitions", "--family deletions"] {
        let lines = scene.lines(&format!("pairs reads.txt --edits 2 --exact {family}"));
        assert_eq!(lines, ["2\treads.txt:1\treads.txt:2"], "{family}");
    }
    let lines = scene.lines("pairs reads.txt --edits 2 --recall 0.9 --family cgk");
    assert!(lines.len() <= 1);
}

/// Two unlike strings of ten megabytes, and one that is asked for.
#[test]
fn long_strings_that_differ_are_told_apart() {
    let scene = Scene::new();
    let long = "ACGT".repeat(2_500_000);
    let other = "GATTACA".repeat(10_000_000 / 7);
    scene.write("reads.txt", format!("{long}\n{other}\n"));
    for family in ["", "--family partitions", "--family brute-force"] {
        let lines = scene.lines(&format!("pairs reads.txt --edits 8 --exact {family}"));
        assert!(lines.is_empty(), "{family}: {}", lines.len());
    }
    scene.write("new.txt", format!("T{long}\n"));
    let lines = scene.lines("query reads.txt new.txt --edits 1 --exact");
    assert_eq!(lines, ["new.txt:1\t1\treads.txt:1"]);
}

/// The empty string is an item: a copy of another empty one, and as far from others as they are long.
#[test]
fn empty_strings_are_compared() {
    let scene = Scene::new();
    scene.write(
        "names.jsonl",
        "{\"text\": \"\"}\n{\"text\": \"\"}\n{\"text\": \"a\"}\n{\"text\": \"rose\"}\n",
    );
    let pairs = |edits: u64, family: &str| -> Vec<String> {
        let command = format!("pairs names.jsonl --edits {edits} --exact {family}");
        let mut lines = scene.lines(&command);
        lines.sort();
        let short = |line: &String| line.replace("names.jsonl:", "").replace('\t', " ");
        lines.iter().map(short).collect()
    };
    for family in [
        "",
        "--family deletions",
        "--family partitions",
        "--family brute-force",
    ] {
        assert_eq!(pairs(0, family), ["0 1 2"], "{family}");
        assert_eq!(pairs(1, family), ["0 1 2", "1 1 3", "1 2 3"], "{family}");
        assert_eq!(pairs(4, family).len(), 6, "{family}");
    }
    // More edits than any letters.
    assert_eq!(pairs(1_000_000_000_000, "").len(), 6);
    let nearest = scene.lines("query names.jsonl --text x --measure edits -k 1");
    assert!(nearest[0].contains("names.jsonl:1"), "{nearest:?}");
}

/// Bytes that are not UTF-8 are refused with their place, wherever strings come from.
#[test]
fn wrong_bytes_are_refused_with_their_place() {
    let scene = Scene::new();
    scene.write("names.txt", "rose\nnose\n");
    scene.write("latin.txt", b"rose\nnos\xe9\n");
    scene.write(
        "latin.jsonl",
        b"{\"text\": \"rose\"}\n{\"text\": \"nos\xe9\"}\n",
    );
    scene.write("latin.csv", b"id,text\na,rose\nb,nos\xe9\n");
    for command in [
        "pairs latin.txt --edits 1",
        "pairs latin.txt --edits 1 --set units=bytes",
        "pairs latin.jsonl --edits 1",
        "pairs latin.csv --edits 1",
        "query names.txt latin.txt --edits 1",
    ] {
        let said = scene.run(command);
        assert_eq!(said.code, 1, "{command}: {said:?}");
        assert!(said.error.contains("UTF-8"), "{command}: {said:?}");
        let place = said.error.contains(":2") || said.error.contains(":3");
        assert!(place, "{command}: {said:?}");
        assert!(said.out.is_empty(), "{command}: {said:?}");
    }
}

/// Combining marks are letters of their own: texts that look alike differ, and are not cut apart.
#[test]
fn combining_marks_are_letters() {
    let scene = Scene::new();
    let marks = "e\u{301}\u{302}\u{303}";
    scene.write("names.txt", format!("{marks}\ne\u{301}\n\u{e9}\n"));
    for family in [
        "--family deletions",
        "--family partitions",
        "--family brute-force",
    ] {
        let command = format!("pairs names.txt --edits 4 --exact {family}");
        let mut lines = scene.lines(&command);
        lines.sort();
        let short: Vec<String> = lines
            .iter()
            .map(|line| line.replace("names.txt:", "").replace('\t', " "))
            .collect();
        assert_eq!(short, ["2 1 2", "2 2 3", "4 1 3"], "{family}");
    }
}
