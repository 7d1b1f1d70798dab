//! Codes: what is found is what the plain definition says.

use super::scene::{Scene, codes, distance, hex};

/// All pairs of `codes` within the radius, as lines.
fn all_pairs(codes: &[Vec<u8>], radius: u32) -> Vec<String> {
    let mut pairs = Vec::new();
    for (a, code) in codes.iter().enumerate() {
        for (b, other) in codes.iter().enumerate().skip(a + 1) {
            let distance = distance(code, other);
            if distance <= radius {
                pairs.push(format!(
                    "{distance}\tcodes.txt:{}\tcodes.txt:{}",
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
    for (count, bytes, radius) in [
        (40, 8, 6),
        (3000, 8, 6),
        (3000, 32, 20),
        (500, 128, 0),
        (600, 2, 3),
    ] {
        let codes = codes(count, bytes, 7);
        scene.write("codes.txt", hex(&codes));
        let mut found = scene.lines(&format!("pairs codes.txt --hamming {radius} --exact"));
        let nearest: Vec<u32> = found
            .iter()
            .map(|line| line.split('\t').next().unwrap().parse().unwrap())
            .collect();
        assert!(nearest.is_sorted(), "the nearest first");
        found.sort();
        let wanted = all_pairs(&codes, radius);
        assert!(!wanted.is_empty());
        assert_eq!(found, wanted, "{count} codes of {bytes} bytes");
    }
}

#[test]
fn a_recall_is_kept_and_nothing_false_is_found() {
    let scene = Scene::new();
    let codes = codes(20_000, 32, 3);
    scene.write("codes.txt", hex(&codes));
    let found = scene.run("pairs codes.txt --hamming 16 --recall 0.9");
    assert!(found.error.contains("\nbit-sampling: "), "{}", found.error);
    let all = scene.lines("pairs codes.txt --hamming 16 --exact");
    let lines: std::collections::HashSet<&str> = all.iter().map(String::as_str).collect();
    assert!(found.out.lines().all(|line| lines.contains(line)));
    let share = found.out.lines().count() as f64 / all.len() as f64;
    // Most pairs are nearer than the radius, where more is found.
    assert!(share > 0.9, "{share} of {}", all.len());
}

#[test]
fn queries_find_what_is_near_them() {
    let scene = Scene::new();
    let codes = codes(2000, 8, 5);
    let queries: Vec<Vec<u8>> = codes.iter().step_by(37).cloned().collect();
    scene.write("codes.txt", hex(&codes));
    scene.write("new.txt", hex(&queries));
    for k in [usize::MAX, 3] {
        let mut wanted = Vec::new();
        for (query, asked) in queries.iter().enumerate() {
            let mut near: Vec<(u32, usize)> = codes
                .iter()
                .enumerate()
                .map(|(place, code)| (distance(asked, code), place))
                .filter(|near| near.0 <= 9)
                .collect();
            near.sort_unstable();
            let line = |&(distance, place): &(u32, usize)| {
                format!("new.txt:{}\t{distance}\tcodes.txt:{}", query + 1, place + 1)
            };
            wanted.extend(near.iter().take(k).map(line));
        }
        let top = if k == 3 { "-k 3" } else { "" };
        for how in ["--exact", "--exact --threads 1", "--exact --memory 1"] {
            let args = format!("query codes.txt new.txt --hamming 9 {how} {top}");
            assert_eq!(scene.lines(&args), wanted, "{args}");
        }
    }
    // However far they are.
    let nearest = scene.lines("query codes.txt new.txt --measure hamming -k 1");
    assert_eq!(nearest.len(), queries.len());
    assert!(nearest.iter().all(|line| line.contains("\t0\t")));
}

#[test]
fn equal_codes_are_pairs_too_and_the_nearest_can_be_had_alone() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n00ff\n00fe\n00ff\n");
    let lines = scene.lines("pairs codes.txt --hamming 1");
    let pair = |distance: u32, a: u32, b: u32| format!("{distance}\tcodes.txt:{a}\tcodes.txt:{b}");
    let all = [
        pair(0, 1, 3),
        pair(0, 1, 5),
        pair(0, 3, 5),
        pair(1, 1, 4),
        pair(1, 3, 4),
        pair(1, 4, 5),
    ];
    assert_eq!(lines, all);
    for top in ["--top 2", "-k 2"] {
        let said = scene.run(&format!("pairs codes.txt --hamming 1 {top}"));
        assert_eq!(said.out.lines().collect::<Vec<_>>(), all[..2]);
        assert!(
            said.error.contains("2 pairs, the most similar ones, in "),
            "{said:?}"
        );
    }
    let quiet = scene.run("pairs codes.txt --hamming 1 -q");
    assert_eq!((quiet.out.lines().count(), quiet.error.as_str()), (6, ""));
}

#[test]
fn it_says_what_it_chose() {
    let scene = Scene::new();
    scene.write("few.txt", hex(&codes(50, 8, 1)));
    let few = scene.run("pairs few.txt --hamming 6");
    let start = "50 codes of width 64, Hamming distance at most 6\nbrute-force; finds everything\ncheapest by estimate: brute-force ";
    assert!(few.error.starts_with(start), "{few:?}");
    scene.write("many.txt", hex(&codes(30_000, 16, 1)));
    let exact = scene.run("pairs many.txt --hamming 7 --exact");
    assert!(exact.error.contains("\nblocks: "), "{exact:?}");
    assert!(exact.error.contains("; finds everything\n"), "{exact:?}");
    let sampled = scene.run("pairs many.txt --hamming 7 --recall 0.8");
    assert!(sampled.error.contains("\nbit-sampling: "), "{sampled:?}");
    assert!(sampled.error.contains("recall at least 0.8"), "{sampled:?}");
    // One table that misses hardly anything still misses something.
    scene.write("far.txt", hex(&codes(60, 8192, 1)));
    let nearly = scene.run("pairs far.txt --hamming 1");
    assert!(
        nearly.error.contains("recall at least 0.999 "),
        "{nearly:?}"
    );
    let any = scene.run("query few.txt few.txt --measure hamming -k 1");
    let start = "50 codes of width 64, any Hamming distance\nbrute-force; finds everything\n";
    assert!(any.error.starts_with(start), "{any:?}");
    assert!(
        any.error.contains("\n50 found for 50 queries, in "),
        "{any:?}"
    );
}

#[test]
fn a_family_a_scheme_and_parameters_can_be_named() {
    let scene = Scene::new();
    scene.write("codes.txt", hex(&codes(2000, 8, 4)));
    let all = scene.lines("pairs codes.txt --hamming 5 --exact --family brute-force");
    for (how, said) in [
        ("--family bit-sampling --recall 0.99", "bit-sampling: "),
        ("--family multi-probe --set flips=1", "multi-probe: "),
        ("--family blocks --exact", "blocks: "),
        (
            "--family bit-sampling --bands 30 --rows 8",
            "30 bands × 8 rows",
        ),
        (
            "--family bit-sampling --amplify and:8,or:30",
            "30 bands × 8 rows",
        ),
        (
            "--family bit-sampling --functions 4000 --seed 3",
            "bit-sampling: ",
        ),
    ] {
        let found = scene.run(&format!("pairs codes.txt --hamming 5 {how}"));
        assert_eq!(found.code, 0, "{how}: {found:?}");
        assert!(found.error.contains(said), "{how}: {found:?}");
        let found: Vec<&str> = found.out.lines().collect();
        let share = found.len() as f64 / all.len() as f64;
        assert!(share > 0.9, "{how}: {share}");
        assert!(found.iter().all(|line| all.iter().any(|it| it == line)));
    }
}

#[test]
fn answers_do_not_depend_on_threads_and_follow_the_seed() {
    let scene = Scene::new();
    scene.write("codes.txt", hex(&codes(20_000, 32, 3)));
    let run = |args: &str| {
        scene
            .run(&format!("pairs codes.txt --hamming 30 --recall 0.5 {args}"))
            .out
    };
    assert_eq!(run("--threads 1"), run("--threads 5"));
    assert_ne!(run("--seed 1"), run("--seed 2"));
}
