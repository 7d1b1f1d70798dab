//! Files by their TLSH digests: folders of anything, and lists of digests.

use lookalike::digest::{
    Digest, distance,
    generate::{edited, file},
};

use super::scene::Scene;

/// A folder with files of all sorts: some are edited copies of others.
fn scene() -> Scene {
    let scene = Scene::new();
    for group in 0..6 {
        let first = file(500, group);
        let name = |suffix: &str| format!("files/{group}/{suffix}");
        scene.write(&name("notes.txt"), &first);
        scene.write(&name("table.csv"), edited(&first, 0.01, 1));
        scene.write(&name("settings.json"), edited(&first, 0.02, 2));
        // Not text, and not gzip either.
        let bytes: Vec<u8> = first.iter().map(|byte| byte ^ 0xa5).collect();
        scene.write(&name("program"), bytes);
    }
    scene.write("files/tiny.txt", "too short");
    scene.write("files/empty", "");
    scene.write("files/zeros.bin", [0; 4000]);
    scene
}

#[test]
fn every_file_of_a_folder_is_an_item() {
    let scene = scene();
    let said = scene.run("pairs files --tlsh 25 --exact");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.error.contains("3 left out, too short or too uniform for a digest: files/empty, files/tiny.txt, files/zeros.bin"),
        "{said:?}"
    );
    assert!(said.error.contains("24 digests"), "{said:?}");
    let names: Vec<&str> = said
        .out
        .lines()
        .map(|line| line.split_once('\t').unwrap().1)
        .collect();
    assert!(
        names.contains(&"files/3/notes.txt\tfiles/3/table.csv"),
        "{said:?}"
    );
    let groups = |line: &&str| {
        let group = |name: &str| name.split('/').nth(1).unwrap().to_owned();
        let (a, b) = line.split_once('\t').unwrap();
        group(a) == group(b)
    };
    assert!(names.iter().all(groups), "{said:?}");
    assert!(!said.out.contains("program"), "{said:?}");
}

#[test]
fn distances_are_those_of_the_digests() {
    let scene = scene();
    let digest = |name: &str| Digest::of(&std::fs::read(scene.path(name)).unwrap()).unwrap();
    for line in scene.lines("pairs files --tlsh 60 --exact -q") {
        let [found, a, b] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert_eq!(
            found,
            distance(&digest(a), &digest(b)).to_string(),
            "{line}"
        );
    }
}

#[test]
fn lists_of_digests_give_the_pairs_of_their_files() {
    let scene = scene();
    scene.lines("codes files --family tlsh --out digests.jsonl -q");
    scene.lines("codes files --family tlsh --out digests.txt -q");
    let pairs = scene.lines("pairs files --tlsh 40 --exact -q");
    assert_eq!(
        scene.lines("pairs digests.jsonl --tlsh 40 --exact -q"),
        pairs
    );
    let by_line = scene.lines("pairs digests.txt --tlsh 40 --exact -q");
    assert_eq!(by_line.len(), pairs.len());
    assert!(by_line[0].contains("digests.txt:"), "{by_line:?}");
    let digest = scene.lines("codes files/0/program --family tlsh -q");
    assert!(
        digest[0].starts_with("T1") && digest[0].len() == 72,
        "{digest:?}"
    );
    // At a recall, too; the plan says how it is known.
    let said = scene.run("pairs digests.txt --tlsh 40 --family tlsh");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.error.contains("sample"), "{said:?}");
}

#[test]
fn a_file_is_a_query() {
    let scene = scene();
    let said = scene.run("query files files/2/settings.json --format bytes --tlsh 40 -k 2");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("files/2/notes.txt"), "{said:?}");
    assert!(!said.out.contains("\tfiles/2/settings.json\t"), "{said:?}");
    // A name without a known extension needs no format.
    scene.write("suspicious", file(500, 4));
    let lines = scene.lines("query files suspicious --tlsh 40 -q");
    assert!(
        lines.iter().any(|line| line.contains("files/4/notes.txt")),
        "{lines:?}"
    );
}

#[test]
fn what_has_no_digest_is_said() {
    let scene = scene();
    scene.write("short/a", "abc");
    let said = scene.run("pairs short --tlsh 30");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.error
            .contains("no items: its only value is too short or too uniform"),
        "{said:?}"
    );
    scene.write("wrong.txt", "T1abc\n");
    let said = scene.run("pairs wrong.txt --tlsh 30");
    assert!(
        said.error
            .contains("wrong.txt:1: `T1abc` is not a TLSH digest: expected T1 and 70"),
        "{said:?}"
    );
    let said = scene.run("pairs files --tlsh 30.5");
    assert_eq!(said.code, 2, "{said:?}");
    let said = scene.run("pairs files --tlsh 30 --family tlsh --exact");
    assert!(said.error.contains("cannot promise"), "{said:?}");
}

/// Links to files would be copies, and links to nothing errors.
#[cfg(unix)]
#[test]
fn links_are_passed_over() {
    let scene = scene();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, scene.path(name)).unwrap();
    };
    let before = scene.lines("pairs files --tlsh 40 --exact -q");
    link("0/notes.txt", "files/again");
    link("nothing", "files/broken");
    link("..", "files/up");
    assert_eq!(scene.lines("pairs files --tlsh 40 --exact -q"), before);
}

/// The shortest file with a digest has 50 bytes; a query without one is said, too.
#[test]
fn short_files_are_left_out_or_refused() {
    let scene = scene();
    let bytes = file(40, 9);
    scene.write("sizes/49", &bytes[..49]);
    scene.write("sizes/50", &bytes[..50]);
    scene.write("sizes/51", &bytes[..51]);
    let said = scene.run("codes sizes --family tlsh");
    assert_eq!((said.code, said.out.lines().count()), (0, 2), "{said:?}");
    assert!(said.error.contains("sizes/49"), "{said:?}");
    let said = scene.run("query files sizes/49 --tlsh 30");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.error.contains("too short or too uniform"), "{said:?}");
}

#[test]
fn wrong_digests_are_refused_with_their_place() {
    let scene = Scene::new();
    let digest = Digest::of(&file(300, 1)).unwrap().to_string();
    let short = &digest[..71];
    let strange = digest.replace(&digest[70..], "zz");
    for (name, content) in [
        ("short.txt", format!("{digest}\n{short}\n").into_bytes()),
        ("letters.txt", format!("{digest}\n{strange}\n").into_bytes()),
        ("bytes.txt", [digest.as_bytes(), b"\nT1\xff\n"].concat()),
    ] {
        scene.write(name, content);
        let said = scene.run(&format!("pairs {name} --tlsh 30"));
        assert_eq!(said.code, 1, "{name}: {said:?}");
        assert!(said.error.contains(&format!("{name}:2")), "{said:?}");
    }
    // TNULL is what other programs write for a file without a digest; case does not matter.
    let lower = digest.to_lowercase().replace("t1", "T1");
    scene.write("good.txt", format!("{digest}\nTNULL\n{lower}\n"));
    let lines = scene.lines("pairs good.txt --tlsh 0 --exact -q");
    assert_eq!(lines, ["0\tgood.txt:1\tgood.txt:3"]);
}
