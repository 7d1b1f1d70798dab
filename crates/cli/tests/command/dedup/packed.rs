//! `--compress`, and compressed inputs that expand too far.

use std::io::{Read, Write};

use super::compressed;
use super::scene::Scene;
use super::texts::{five, passage, records};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn unpack(scene: &Scene, name: &str) -> String {
    let bytes = scene.bytes(name);
    let mut text = String::new();
    if name.ends_with(".gz") {
        let mut decoder = flate2::read::MultiGzDecoder::new(&bytes[..]);
        decoder.read_to_string(&mut text).unwrap();
    } else {
        let mut decoder = zstd::stream::read::Decoder::new(&bytes[..]).unwrap();
        decoder.read_to_string(&mut text).unwrap();
    }
    text
}

#[test]
fn outputs_are_compressed_when_it_is_asked_for() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out plain");
    scene.dedup("in.jsonl --out plain-notes --mode annotate");
    for (codec, extension) in [("gzip", "gz"), ("zstd", "zst")] {
        scene.dedup(&format!("in.jsonl --out {codec} --compress {codec}"));
        for kind in ["kept", "removed"] {
            assert_eq!(
                scene.files(&format!("{codec}/{kind}")),
                [format!("in.jsonl.{extension}")]
            );
            let plain = scene.read(&format!("plain/{kind}/in.jsonl"));
            let packed = format!("{codec}/{kind}/in.jsonl.{extension}");
            assert_eq!(unpack(&scene, &packed), plain);
        }
        let notes = format!("{codec}-notes");
        scene.dedup(&format!(
            "in.jsonl --out {notes} --compress {codec} --mode annotate"
        ));
        let packed = format!("{notes}/annotated/in.jsonl.{extension}");
        let plain = scene.read("plain-notes/annotated/in.jsonl");
        assert_eq!(unpack(&scene, &packed), plain);
        let other = |name: &str| scene.read(&format!("{codec}/{name}"));
        assert_eq!(other("pairs.jsonl"), scene.read("plain/pairs.jsonl"));
        assert!(other("run.toml").contains(&format!("compress = \"{codec}\"")));
    }
}

#[test]
fn a_file_is_compressed_as_its_input_is() {
    let scene = Scene::new();
    let text = five().into_bytes();
    scene.write("in/a.jsonl", &text);
    scene.write("in/b.jsonl.gz", compressed::gzip(&text));
    scene.write("in/c.txt.zst", compressed::zstd(b"one\ntwo\n"));
    scene.dedup("in/* --ignore-ids --out out --compress same");
    assert_eq!(
        scene.files("out/kept"),
        ["a.jsonl", "b.jsonl.gz", "c.txt.zst"]
    );
    let b = unpack(&scene, "out/kept/b.jsonl.gz") + &unpack(&scene, "out/removed/b.jsonl.gz");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&b), sorted(&five()));
    // Nothing was removed from it.
    assert_eq!(
        scene.bytes("out/kept/c.txt.zst"),
        scene.bytes("in/c.txt.zst")
    );
    assert_eq!(unpack(&scene, "out/removed/c.txt.zst"), "");
}

#[test]
fn what_stays_whole_stays_the_file_that_it_is() {
    let scene = Scene::new();
    let alone = records([("alone", passage("z", &[]))]).into_bytes();
    // As no encoder of ours would write them.
    scene.write("in/a.jsonl.gz", compressed::gzip(&alone));
    scene.write("in/b.csv.zst", compressed::zstd(b"text\none\n"));
    scene.dedup("in/* --out out --compress same");
    for name in ["a.jsonl.gz", "b.csv.zst"] {
        let kept = scene.bytes(&format!("out/kept/{name}"));
        assert_eq!(kept, scene.bytes(&format!("in/{name}")));
    }
    // The header of CSV goes to both.
    assert_eq!(unpack(&scene, "out/removed/b.csv.zst"), "text\n");
    scene.dedup("in/* --out gzip --compress gzip");
    assert_eq!(
        scene.bytes("gzip/kept/a.jsonl.gz"),
        scene.bytes("in/a.jsonl.gz")
    );
    assert_eq!(unpack(&scene, "gzip/kept/b.csv.gz"), "text\none\n");
    // A file that is a document goes where it goes.
    scene.write("docs/a.gz", compressed::gzip(passage("a", &[]).as_bytes()));
    scene.write("docs/b.gz", compressed::gzip(passage("a", &[]).as_bytes()));
    scene.dedup("docs --format files --out docs-out --compress same");
    assert_eq!(scene.files("docs-out/kept"), ["a.gz"]);
    assert_eq!(scene.files("docs-out/removed"), ["b.gz"]);
    assert_eq!(
        scene.bytes("docs-out/removed/b.gz"),
        scene.bytes("docs/b.gz")
    );
}

#[test]
fn stdin_is_compressed_again() {
    let scene = Scene::new();
    scene.dedup_with(
        "- --out out --compress same",
        compressed::gzip(five().as_bytes()),
    );
    assert_eq!(scene.files("out/kept"), ["stdin.jsonl.gz"]);
    assert_eq!(unpack(&scene, "out/kept/stdin.jsonl.gz").lines().count(), 3);
}

/// Two names that compression would make one.
#[test]
fn no_output_is_written_over_another() {
    let scene = Scene::new();
    scene.write("in/a.txt", compressed::gzip(b"one\n"));
    scene.write("in/a.txt.gz.gz", "two\n");
    let error = scene.fails(1, "in --compress same --quiet");
    assert!(error.contains("a.txt.gz"), "{error}");
}

/// 300 MB of zeros, and as many of short lines: on the way to memory and disk.
#[test]
fn what_expands_too_far_is_refused() {
    let mut zeros = vec![0; 300_000_000];
    let endless = gzip(&zeros);
    zeros.chunks_mut(2).for_each(|line| line[1] = b'\n');
    for (name, bytes) in [
        ("endless.txt.gz", endless),
        ("lines.jsonl.zst", zstd::bulk::compress(&zeros, 1).unwrap()),
    ] {
        let scene = Scene::with(name, bytes);
        let error = scene.fails(1, &format!("{name} --on-error skip --quiet"));
        assert!(
            error.starts_with(&format!("error: {name}: "))
                && error.contains("over 200 times as many: unpack it first, or allow more with"),
            "{error}"
        );
    }
}

/// Four gigabytes that would come out of little, whatever they would be: an error within one of address space.
#[cfg(target_os = "linux")]
#[test]
fn what_unpacks_to_gigabytes_takes_bounded_memory() {
    const PART: usize = 1 << 24;
    let repeated = |what: &[u8]| what.repeat(PART / what.len());
    for (name, part) in [
        ("endless.txt.gz", repeated(b"a")),
        ("blank.jsonl.zst", repeated(b"\n")),
        ("lines.txt.zst", repeated(b"a line.\n")),
        ("records.jsonl.gz", repeated(b"{\"text\":\"\"}\n")),
        (
            "rows.csv.zst",
            [b"text\n", &repeated(b"\"\"\n")[..]].concat(),
        ),
    ] {
        let packed = match name.ends_with(".gz") {
            true => gzip(&part),
            false => zstd::bulk::compress(&part, 1).unwrap(),
        };
        // One after the other, members and frames are a file: 4 GB.
        let scene = Scene::with(name, packed.repeat(256));
        let args = format!("{name} --out out --threads 2 --quiet");
        let said = scene.run_after("ulimit -v 1000000", &args);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(
            said.error.starts_with(&format!("error: {name}: "))
                && said.error.contains("over 200 times as many"),
            "{said:?}"
        );
        assert_eq!(scene.names().len(), 1, "{:?}", scene.names());
    }
}

#[test]
fn a_limit_that_is_lifted() {
    let scene = Scene::with("in.txt.gz", gzip(&b"one\n".repeat(100_000)));
    for n in ["0", "-1", "x"] {
        scene.fails(2, &format!("in.txt.gz --max-expansion {n}"));
    }
    scene.dedup("in.txt.gz --out out --max-expansion 5000 --allow-mass-removal");
    assert!(scene.read("out/run.toml").contains("max_expansion = 5000"));
}
