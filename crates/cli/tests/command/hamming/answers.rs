//! What is found is what the plain definition says.

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
        let mut found = scene.lines(&format!("pairs codes.txt --radius {radius} --exact"));
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
    let found = scene.run("pairs codes.txt --radius 16 --recall 0.9");
    assert!(found.error.contains("bit sampling"), "{}", found.error);
    let all = scene.lines("pairs codes.txt --radius 16 --exact");
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
            let args = format!("query codes.txt new.txt --radius 9 {how} {top}");
            assert_eq!(scene.lines(&args), wanted, "{args}");
        }
    }
    // However far they are.
    let nearest = scene.lines("query codes.txt new.txt -k 1");
    assert_eq!(nearest.len(), queries.len());
    assert!(nearest.iter().all(|line| line.contains("\t0\t")));
}

#[test]
fn equal_codes_are_pairs_too_and_the_nearest_can_be_had_alone() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n00ff\n00fe\n00ff\n");
    let lines = scene.lines("pairs codes.txt --radius 1");
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
    let said = scene.run("pairs codes.txt --radius 1 -k 2");
    assert_eq!(said.out.lines().collect::<Vec<_>>(), all[..2]);
    assert!(
        said.error
            .contains("6 pairs, of which 4 farther ones are not shown"),
        "{said:?}"
    );
    let quiet = scene.run("pairs codes.txt --radius 1 -q");
    assert_eq!((quiet.out.lines().count(), quiet.error.as_str()), (6, ""));
}

#[test]
fn it_says_what_it_chose() {
    let scene = Scene::new();
    scene.write("few.txt", hex(&codes(50, 8, 1)));
    let few = scene.run("pairs few.txt --radius 6");
    assert!(
        few.error
            .contains("50 codes of 64 bits, radius 6\nevery code is compared"),
        "{few:?}"
    );
    scene.write("many.txt", hex(&codes(30_000, 16, 1)));
    let exact = scene.run("pairs many.txt --radius 7 --exact");
    assert!(exact.error.contains("blocks: "), "{exact:?}");
    assert!(
        exact.error.contains("finds everything within 7 bits"),
        "{exact:?}"
    );
    let sampled = scene.run("pairs many.txt --radius 7 --recall 0.8");
    assert!(sampled.error.contains("bit sampling: "), "{sampled:?}");
    // One table that misses hardly anything still misses something, and one is one.
    scene.write("far.txt", hex(&codes(60, 8192, 1)));
    let nearly = scene.run("pairs far.txt --radius 1");
    assert!(
        nearly.error.contains("1 table of") && nearly.error.contains("finds 99.9% at the radius"),
        "{nearly:?}"
    );
    let any = scene.run("query few.txt few.txt -k 1");
    assert!(
        any.error
            .contains("50 codes of 64 bits, any distance\nevery code is compared\n50 found"),
        "{any:?}"
    );
    let said = |text: &str| text.contains("of the index") || text.contains("the index takes");
    assert!(said(&sampled.error), "{sampled:?}");
}

#[test]
fn answers_do_not_depend_on_threads_and_follow_the_seed() {
    let scene = Scene::new();
    scene.write("codes.txt", hex(&codes(20_000, 32, 3)));
    let run = |args: &str| {
        scene
            .run(&format!("pairs codes.txt --radius 30 --recall 0.5 {args}"))
            .out
    };
    assert_eq!(run("--threads 1"), run("--threads 5"));
    assert_ne!(run("--seed 1"), run("--seed 2"));
}
