//! Files, folders, globs, pipes; records, lines, files; plain and compressed.

use super::compressed::{gzip, zstd};
use super::scene::Scene;
use super::texts::{five, passage, records};

/// Three files in two folders; the second and third repeat texts of the first.
fn tree() -> Scene {
    let scene = Scene::new();
    scene.write(
        "data/a.jsonl",
        records([("1", passage("a", &[])), ("2", passage("b", &[]))]),
    );
    scene.write(
        "data/sub/b.jsonl",
        records([("3", passage("a", &[50])), ("4", passage("c", &[]))]),
    );
    scene.write("data/sub/c.jsonl", records([("5", passage("b", &[]))]));
    scene.write("data/.hidden.jsonl", "not read");
    scene
}

#[test]
fn a_folder_is_mirrored() {
    let scene = tree();
    scene.dedup("data --out out");
    for folder in ["out/kept", "out/removed"] {
        assert_eq!(
            scene.files(folder),
            ["a.jsonl", "sub/b.jsonl", "sub/c.jsonl"]
        );
    }
    assert_eq!(scene.read("out/kept/a.jsonl"), scene.read("data/a.jsonl"));
    assert_eq!(
        scene.read("out/removed/sub/c.jsonl"),
        scene.read("data/sub/c.jsonl")
    );
    assert_eq!(scene.read("out/kept/sub/c.jsonl"), "");
    let report = scene.report("out");
    let removed: Vec<u64> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["removed"].as_u64().unwrap())
        .collect();
    assert_eq!(removed, [0, 1, 1]);
}

#[test]
fn a_glob_gives_the_same_files() {
    let scene = tree();
    scene.dedup("data --out folder");
    scene.dedup("data/**/*.jsonl --out glob");
    scene.dedup("data/a.jsonl data/sub/?.jsonl --out names");
    for name in [
        "clusters.jsonl",
        "pairs.jsonl",
        "report.html",
        "kept/sub/b.jsonl",
        "removed/sub/b.jsonl",
    ] {
        let written = |folder| scene.written(folder).remove(name).unwrap();
        assert_eq!(written("glob"), written("folder"), "{name}");
        assert_eq!(written("names"), written("folder"), "{name}");
    }
}

#[test]
fn the_first_is_that_of_the_first_input() {
    let scene = tree();
    scene.dedup("data/sub data/a.jsonl --out out");
    let representatives: Vec<String> = scene.clusters("out").into_keys().collect();
    assert_eq!(representatives, ["\"3\"", "\"5\""]);
}

#[test]
fn files_of_one_name_do_not_meet_in_the_output() {
    let scene = Scene::with("x/a.jsonl", records([("1", passage("a", &[]))]));
    scene.write("y/a.jsonl", records([("2", passage("b", &[]))]));
    scene.write(
        "y/a.jsonl.gz",
        gzip(records([("3", passage("c", &[]))]).as_bytes()),
    );
    scene.dedup("x y --out out");
    assert_eq!(
        scene.files("out/kept"),
        ["x/a.jsonl", "y/a-2.jsonl", "y/a.jsonl"]
    );
}

#[test]
fn a_line_of_text_is_a_document() {
    let lines = [
        passage("a", &[]),
        passage("b", &[]),
        String::new(),
        passage("a", &[50]),
        "end".into(),
    ];
    let scene = Scene::with("in.txt", lines.join("\n"));
    scene.dedup("in.txt --out out");
    assert_eq!(scene.read("out/removed/in.txt"), format!("{}\n", lines[3]));
    assert_eq!(
        scene.read("out/kept/in.txt"),
        [&lines[0], &lines[1], "", "end"].join("\n")
    );
    assert_eq!(scene.pairs("out")[0].1, "\"in.txt:4\"");
    assert_eq!(scene.report("out")["documents"]["read"], 4);
}

fn three_files() -> Scene {
    let scene = Scene::new();
    let [a, b] = ["a", "b"].map(|tag| passage(tag, &[]).replace(' ', "\n"));
    scene.write("data/1.txt", &a);
    scene.write("data/2.txt", &b);
    scene.write("data/3.md", passage("a", &[50]).replace(' ', "\n"));
    scene
}

#[test]
fn a_file_of_a_folder_is_a_document() {
    let scene = three_files();
    let said = scene.run("data --out out");
    let says = "3 documents: one per file (--format lines: one per line)\n";
    assert!(said.code == 0 && said.error.contains(says), "{said:?}");
    let report = scene.report("out");
    assert_eq!(
        (
            &report["documents"]["read"],
            &report["documents"]["removed"]
        ),
        (&3.into(), &1.into())
    );
    assert_eq!(scene.read("out/removed/3.md"), scene.read("data/3.md"));
    assert_eq!(scene.read("out/kept/2.txt"), scene.read("data/2.txt"));
}

#[test]
fn a_named_text_file_is_a_document_per_line() {
    let scene = three_files();
    let said = scene.run("data/1.txt data/2.t?? data/3.md --out lines --allow-mass-removal");
    let says = "documents: one per line of 3 files (--format files: one per file)\n";
    assert!(said.error.contains(says), "{said:?}");
    let said = scene.run("data --format lines --out same --allow-mass-removal");
    assert!(said.error.contains(says), "{said:?}");
    scene.dedup("data/1.txt data/2.txt data/3.md --format files --out files");
    assert_eq!(scene.report("files")["documents"]["read"], 3);
    let [named, folder] = ["lines", "same"].map(|out| scene.read(&format!("{out}/pairs.jsonl")));
    assert_eq!(named, folder);
}

#[test]
fn a_folder_gives_one_format_and_says_what_it_ignores() {
    let scene = tree();
    scene.write("data/README.md", "about the data\n".repeat(1000));
    scene.write("data/raw.tar.gz", gzip(b"a\0b"));
    let said = scene.run("data --out out");
    let says = "5 documents: one per line of 3 jsonl files\n\
                3 files ignored: data/.hidden.jsonl, data/README.md, data/raw.tar.gz (--include GLOB: read others)\n";
    assert!(said.code == 0 && said.error.contains(says), "{said:?}");
    scene.dedup("data --include *.md --out notes");
    assert_eq!(scene.report("notes")["documents"]["read"], 1);
    scene.dedup("data --exclude sub/** --out top");
    assert_eq!(scene.report("top")["documents"]["read"], 2);
    // What was chosen is written down: the run is repeated, and explained, from its settings.
    scene.dedup("--config top/run.toml --out again");
    assert_eq!(scene.written("again"), scene.written("top"));
}

#[test]
fn a_file_that_is_a_document_is_kept_or_removed_not_both() {
    let scene = three_files();
    scene.dedup("data --format files --out out");
    assert_eq!(scene.files("out/kept"), ["1.txt", "2.txt"]);
    assert_eq!(scene.files("out/removed"), ["3.md"]);
}

#[test]
fn compressed_files_give_what_plain_ones_give() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out plain");
    let expected = scene.written("plain");
    type Compress = fn(&[u8]) -> Vec<u8>;
    let codecs: [(&str, Compress); 2] = [("gz", gzip), ("zst", zstd)];
    for (extension, compress) in codecs {
        for mode in ["remove", "annotate", "report"] {
            let out = format!("{extension}-{mode}");
            scene.write(
                &format!("in.jsonl.{extension}"),
                compress(five().as_bytes()),
            );
            scene.dedup(&format!("in.jsonl.{extension} --out {out} --mode {mode}"));
            let written = scene.written(&out);
            for name in [
                "clusters.jsonl",
                "pairs.jsonl",
                "kept/in.jsonl",
                "removed/in.jsonl",
            ] {
                if mode == "remove" || !name.contains('/') {
                    assert_eq!(written[name], expected[name], "{out} {name}");
                }
            }
        }
    }
}

#[test]
fn content_tells_what_is_compressed_not_the_name() {
    let scene = Scene::with("in.jsonl", gzip(five().as_bytes()));
    scene.write("other.gz", zstd(b"{\"text\": \"a\"}\n"));
    scene.dedup("in.jsonl other.gz --out out");
    assert_eq!(scene.report("out")["documents"]["read"], 6);
    assert_eq!(scene.files("out/kept"), ["in.jsonl", "other"]);
}

#[test]
fn members_of_a_gzip_file_follow_each_other() {
    let scene = Scene::with(
        "in.jsonl.gz",
        [gzip(five().as_bytes()), gzip(b"{\"text\": \"a\"}\n")].concat(),
    );
    scene.dedup("in.jsonl.gz --out out");
    assert_eq!(scene.report("out")["documents"]["read"], 6);
}

#[test]
fn stdin_is_an_input_plain_or_compressed() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out file");
    let file = scene.written("file");
    for (out, bytes) in [
        ("plain", five().into_bytes()),
        ("gzip", gzip(five().as_bytes())),
        ("zstd", zstd(five().as_bytes())),
    ] {
        scene.dedup_with(&format!("- --out {out}"), bytes);
        let written = scene.written(out);
        assert_eq!(written["clusters.jsonl"], file["clusters.jsonl"]);
        assert_eq!(written["kept/stdin.jsonl"], file["kept/in.jsonl"]);
        assert_eq!(written["removed/stdin.jsonl"], file["removed/in.jsonl"]);
    }
    scene.dedup_with("- --out lines", "a b\na b\n");
    assert_eq!(scene.read("lines/removed/stdin.txt"), "a b\n");
    assert_eq!(scene.pairs("lines")[0].0, "\"stdin:1\"");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_once() {
    let scene = Scene::new();
    let pipe = scene.path("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let writer = std::thread::spawn(move || std::fs::write(pipe, five()).unwrap());
    scene.dedup("pipe --out out");
    writer.join().unwrap();
    assert_eq!(scene.report("out")["documents"]["removed"], 2);
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_named_in_a_folder_and_no_trouble_for_a_glob() {
    use std::os::unix::fs::symlink;
    let scene = Scene::with("data/in.jsonl", five());
    for (link, target) in [("loop.jsonl", "loop.jsonl"), ("lost.jsonl", "nowhere")] {
        symlink(target, scene.path(&format!("data/{link}"))).unwrap();
        let error = scene.fails(1, "data --quiet");
        let expected = format!("error: data/{link}: cannot read: ");
        assert!(error.starts_with(&expected), "{error}");
        assert_eq!(error.matches(link).count(), 1, "{error}");
        scene.dedup(&format!("data/*.jsonl --out {link}"));
        assert_eq!(scene.files(&format!("{link}/kept")), ["in.jsonl"]);
        std::fs::remove_file(scene.path(&format!("data/{link}"))).unwrap();
    }
    symlink("../data", scene.path("data/above")).unwrap();
    let error = scene.fails(1, "data --quiet");
    let expected = "error: data/above: cannot read: it links to data, which holds it\n";
    assert_eq!(error, expected);
}
