//! Settings from a file, and from the command line over it.

use super::scene::Scene;
use super::texts::{five, passage, records};

#[test]
fn a_run_can_be_run_again() {
    let scene = Scene::with("in.jsonl", five());
    for options in [
        "",
        "--threshold 0.6 --recall 0.99 --seed 18446744073709551615 --keep longest --cluster components",
        "--shingle chars:9 --normalize nfkc,casefold --verify signature --family universal --mode annotate",
        "--bands 10 --rows 3 --tokens whitespace --verify none --mode report",
        "--text-field text --id-field id --format jsonl --shingle stopwords",
    ] {
        let scene = Scene::with("in.jsonl", scene.read("in.jsonl"));
        scene.dedup(&format!("in.jsonl --out first {options}"));
        scene.dedup("--config first/run.toml --out second");
        assert_eq!(scene.written("first"), scene.written("second"), "{options}");
    }
}

#[test]
fn a_file_can_say_everything() {
    let scene = Scene::with("in.jsonl", five());
    scene.write(
        "mine.toml",
        "seed = 3\nthreshold = 0.95\nrecall = 0.9\nfunctions = 256\n[data]\ninputs = [\"in.jsonl\"]\nformat = \"jsonl\"\n\
         [family]\nname = \"universal\"\ntokens = \"uax29\"\nshingle = \"words:3\"\nnormalize = [\"nfc\"]\nhash = 32\n\
         [verify]\nmethod = \"exact\"\n[cluster]\nmethod = \"components\"\nkeep = \"last\"\n[output]\ndir = \"there\"\nmode = \"report\"\n",
    );
    scene.dedup("--config mine.toml");
    let clusters = scene.clusters("there");
    assert_eq!(clusters.into_keys().collect::<Vec<_>>(), ["\"copy\""]);
    let resolved = scene.read("there/run.toml");
    for line in [
        "seed = 3",
        "threshold = 0.95",
        "hash = 32",
        "tokens = \"uax29\"",
        "keep = \"last\"",
        "normalize = [\"nfc\"]",
    ] {
        assert!(resolved.contains(line), "{resolved}");
    }
    assert!(
        !resolved.contains("recall") && !resolved.contains("dir"),
        "{resolved}"
    );
}

#[test]
fn the_command_line_has_the_last_word() {
    let scene = Scene::with("in.jsonl", five());
    scene.write(
        "mine.toml",
        "threshold = 0.99\nbands = 3\nrows = 3\n[data]\ninputs = [\"nowhere\"]\n[cluster]\nkeep = \"last\"\n[output]\ndir = \"there\"\n",
    );
    scene.dedup(
        "in.jsonl --config mine.toml --out here --threshold 0.8 --recall 0.95 --keep shortest",
    );
    assert!(!scene.names().contains("there"));
    let resolved = scene.read("here/run.toml");
    for line in [
        "threshold = 0.8",
        "bands = 13\nrows = 7",
        "inputs = [\"in.jsonl\"]",
        "keep = \"shortest\"",
    ] {
        assert!(resolved.contains(line), "{resolved}");
    }
}

#[test]
fn bands_and_rows_put_a_recall_of_the_file_aside() {
    let scene = Scene::with("in.jsonl", five());
    for setting in [
        "recall = 0.9",
        "functions = 64",
        "amplify = [{ and = 2 }, { or = 9 }]",
    ] {
        let scene = Scene::with("in.jsonl", scene.read("in.jsonl"));
        scene.write("mine.toml", setting);
        scene.dedup("in.jsonl --config mine.toml --out out --bands 20 --rows 5");
        assert!(
            scene.read("out/run.toml").contains("bands = 20\nrows = 5"),
            "{setting}"
        );
    }
}

#[test]
fn a_cascade_of_the_file_is_used_and_recorded() {
    let scene = Scene::with("in.jsonl", five());
    scene.write(
        "mine.toml",
        "amplify = [{ and = 2 }, { or = 4 }, { and = 2 }]",
    );
    scene.dedup("in.jsonl --config mine.toml --out out");
    let resolved = scene.read("out/run.toml");
    let cascade: String = resolved.split_whitespace().collect();
    assert!(
        cascade.contains("amplify=[{and=2},{or=4},{and=2}]")
            || cascade.contains("[[amplify]]and=2[[amplify]]or=4[[amplify]]and=2"),
        "{resolved}"
    );
    scene.dedup("--config out/run.toml --out again");
    assert_eq!(scene.written("out"), scene.written("again"));
}

#[test]
fn steps_of_normalisation_make_texts_alike() {
    let [loud, quiet] = [passage("a", &[]).to_uppercase(), passage("a", &[])];
    let scene = Scene::with("in.jsonl", records([("1", loud), ("2", quiet)]));
    scene.dedup("in.jsonl --out as-is --tokens whitespace");
    scene.dedup("in.jsonl --out folded --tokens whitespace --normalize casefold");
    assert_eq!(scene.pairs("as-is"), []);
    assert_eq!(
        scene.pairs("folded"),
        [("\"1\"".into(), "\"2\"".into(), Some(1.0))]
    );
}

#[test]
fn the_settings_of_a_run_work_from_any_folder() {
    let scene = Scene::with("data/in.jsonl", five());
    scene.write("data/old.jsonl", "{\"text\": \"old\"}\n");
    scene.write("elsewhere/here", "");
    scene.dedup("./data/in.jsonl --against data/o*.jsonl --out out");
    let run = |args: &[&str]| {
        let output = assert_cmd::cargo::cargo_bin_cmd!("lookalike")
            .args(args)
            .current_dir(scene.path("elsewhere"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    run(&[
        "dedup",
        "--config",
        "../out/run.toml",
        "--out",
        "../again",
        "--quiet",
    ]);
    assert_eq!(scene.written("again"), scene.written("out"));
    run(&["audit", "../out"]);
    run(&["explain", "--run", "../out", "first", "copy"]);
    // What is typed is seen from where it is typed.
    scene.write(
        "elsewhere/mine.jsonl",
        "{\"text\": \"old\"}\n{\"text\": \"new\"}\n",
    );
    run(&[
        "dedup",
        "mine.jsonl",
        "--config",
        "../out/run.toml",
        "--out",
        "../mine",
        "--quiet",
    ]);
    let report = scene.report("mine");
    assert_eq!(report["documents"]["read"], 2);
    assert_eq!(report["against"]["documents"], 1);
}
