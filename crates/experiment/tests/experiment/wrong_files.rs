//! Files that are wrong, each with what is said about it.

use crate::refused;

/// A file that is right but for one line.
fn said(line: &str) -> String {
    refused(&format!(
        "{line}\n[family]\nname = \"universal\"\n[data]\nkind = \"sets\"\nitems = [[1, 2], [1, 3]]\n"
    ))
}

#[test]
fn keys_at_the_top() {
    let wrong = [
        "treshold = 0.8",
        "threshold = 1.5",
        "threshold = \"high\"",
        "recall = 1.0",
        "bands = 20",
        "rows = 5",
        "bands = 0\nrows = 5",
        "bands = 20\nrows = 5\nrecall = 0.9",
        "amplify = []",
        "amplify = [{ xor = 5 }]",
        "amplify = [{ or = 0 }]",
        "functions = 0",
        "bands = 300\nrows = 300",
        "seeds = 0",
        "seeds = 2.5",
        "seeds = 5000000000",
        "bands = 2\nrows = 1000000000",
        "radius = 6",
        "max_bucket = 1",
        "preset = \"finewebb\"",
        "verify.method = \"exactly\"",
        "verify.metod = \"exact\"",
        "cluster.keep = \"longer\"",
        "functions = 1",
        "truth.comparisons = 0",
        "truth.sample = 3",
        "output.dirr = \"x\"",
        "seed = -1",
        "queries = 2",
        "queries = 0",
        "queries = -1",
        "bands = = 2",
    ];
    let said: Vec<String> = wrong
        .iter()
        .map(|line| format!("{line}\n    {}", said(line)))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn tables() {
    let wrong = [
        "[family]\nname = \"minhsh\"",
        "[family]\nname = 3",
        "family = 3",
        "[family]\nshingel = \"words:3\"\n[data]\nitems = [\"a\"]",
        "[family]\nshingle = \"words:0\"\n[data]\nitems = [\"a\"]",
        "[family]\nshingle = \"chars:5\"\ntokens = \"uax29\"\n[data]\nitems = [\"a\"]",
        "[family]\nname = \"universal\"",
        "[family]\nname = \"bit-sampling\"\n[data]\nkind = \"text\"",
        "[family]\nname = \"bit-sampling\"\n[data]\nitems = [\"00ff\"]",
        "radius = 6\n[family]\nname = \"bit-sampling\"\n[data]\nitems = [\"00fg\"]",
        "radius = -1\n[family]\nname = \"bit-sampling\"\n[data]\nitems = [\"00ff\"]",
        "threshold = 0.8\n[family]\nname = \"bit-sampling\"\n[data]\nitems = [\"00ff\"]",
        "radius = 6\n[family]\nname = \"blocks\"\nblocks = 99\n[data]\nitems = [\"00ff\"]",
        "radius = 6\nverify.method = \"signature\"\n[family]\nname = \"bit-sampling\"\n[data]\nitems = [\"00ff\", \"00fe\"]",
        "[data]\nitems = [\"a\"]\ninputs = [\"b\"]",
        "[data]\ngenrate.corpus = {}",
        "[data]\ngenerate.corpsu = {}",
        "[data]\ngenerate.corpus = { copies = 2.0 }",
        "[data]\ninputs = [\"no-such-file.jsonl\"]",
        "[data]\nkind = \"sets\"\ngenerate.pairs = { similarities = [0.333] }",
        "[family]\nname = \"permutation\"\nuniverse = 3\n[data]\nitems = [[1, 7]]",
        "verify.method = \"signature\"\n[family]\nname = \"brute-force\"\n[data]\nitems = [\"a\", \"a\"]",
        "radius = 6\nbands = 4\nrows = 3\n[family]\nname = \"blocks\"\nblocks = 7\n[data]\nitems = [\"00ff\", \"00fe\"]",
        "recall = 0.9\n[family]\nname = \"local-triples\"\n[data]\ngenerate.fingers = { fingers = 3 }",
        "[family]\nname = \"local-triples\"\nbest = 0\n[data]\ngenerate.fingers = { fingers = 3 }",
        "[data]\ngenerate.corpus = { documents = 3 }\ngenerate.news = { articles = 3 }",
        "[data]\ninputs = \"a.txt\"",
        "amplify = [{ and = 1 }]",
        "sweep = 3",
        "[sweep]\nbands = []",
        "[sweep]\noutput.dir = [\"a\", \"b\"]",
        "[family]\nname = \"universal\"\n[data]\nkind = \"setz\"",
        "[family]\nname = \"permutation\"\npermutations = [[1, 1, 2]]\n[data]\nitems = [[0]]",
        "[family]\nname = \"permutation\"\npermutations = [[1, 2]]\n[data]\nitems = [[0, 2]]",
        "bands = 3\nrows = 1\n[family]\nname = \"permutation\"\npermutations = [[1, 2]]\n[data]\nitems = [[0]]",
        "[family]\nname = \"permutation\"\nkeep = \"rows\"\n[data]\nitems = [[0]]",
        "[family]\nname = \"one-pass\"\nhashes = []\n[data]\nitems = [[0]]",
        "[family]\nname = \"permutation\"\npermutations = []\n[data]\nitems = [[0]]",
        "[family]\nname = \"one-pass\"\nhashes = [\"x mod 6\"]\n[data]\nitems = [[0]]",
        "[data]\nitems = [\"a\"]\n[small]\nsedes = 2",
        "[data]\nitems = [\"a\"]\n[small]\ndata.generate.corpsu = { documents = 3 }",
        "[data]\nitems = [\"a\"]\n[sweep]\nfamily.shingle = [\"words:2\", \"words:0\"]",
        "small = true",
        "rows = 5\n[data]\nitems = [\"a\"]\n[sweep]\nbands = [5,\n  0]",
    ];
    let said: Vec<String> = wrong
        .iter()
        .map(|file| format!("{file}\n    {}", refused(file)))
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn prints() {
    let folder = tempfile::tempdir().unwrap();
    let unlabelled = folder.path().join("scene.xyt");
    std::fs::write(&unlabelled, "83 214 90 61\n").unwrap();
    let path = unlabelled.display().to_string();
    let inputs = format!("inputs = ['{path}']");
    let model = "kind = \"squares\"\ngenerate.model = { fingers = 3 }";
    let fingers = "kind = \"prints\"\ngenerate.fingers = { fingers = 3 }";
    let wrong = [
        ("", "name = \"grid-squares\"", model),
        (
            "radius = 0.9",
            "name = \"grid-squares\"\neach = 2000",
            model,
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"\ngrid.cell = 9",
            model,
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"",
            "kind = \"squares\"\nitems = [[1]]",
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"",
            "kind = \"squares\"\nsquares = 9\nitems = [[9]]",
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"",
            "kind = \"squares\"\ngenerate.model = { fingers = 0 }",
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"",
            "kind = \"squares\"\ngenerate.model = { agreement = 0.1 }",
        ),
        (
            "radius = 0.9",
            "name = \"grid-squares\"",
            "kind = \"squares\"\ngrid.cell = 0.1\ngenerate.fingers = { }",
        ),
        ("radius = 1", "name = \"local-triples\"", fingers),
        ("", "name = \"grid-squares\"", fingers),
        (
            "rows = 1\nbands = 2",
            "name = \"grid-squares\"\ngrid.cell = 0.5",
            fingers,
        ),
        (
            "rows = 1\nbands = 2",
            "name = \"grid-squares\"\ngrid.position = \"left\"",
            fingers,
        ),
        ("", "name = \"local-triples\"\ntriples.squares = 4", fingers),
        ("", "name = \"local-triples\"\ntriples.square = 2", fingers),
        (
            "",
            "name = \"local-triples\"",
            "kind = \"prints\"\ngenerate.fingers = { dropped = 1.5 }",
        ),
        (
            "",
            "name = \"local-triples\"",
            "kind = \"prints\"\ngenerate.fingers = { impressions = 0 }",
        ),
        (
            "",
            "name = \"local-triples\"",
            "kind = \"prints\"\nitems = [3]",
        ),
        ("", "name = \"local-triples\"", &inputs),
        (
            "verify.method = \"signature\"",
            "name = \"local-triples\"",
            fingers,
        ),
    ];
    let said: Vec<String> = wrong
        .iter()
        .map(|(top, family, data)| {
            let text = format!("{top}\n[family]\n{family}\n[data]\n{data}\n");
            let said = refused(&text).replace(&path, "scene.xyt");
            let text = text.trim().replace(&path, "scene.xyt").replace('\n', " | ");
            format!("{text}\n    {said}")
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

/// More than memory holds is refused before it is made.
#[test]
fn too_much() {
    let wrong = [
        (
            "universal",
            "kind = \"sets\"\ngenerate.pairs = { similarities = [0.5], each = 4000000000 }",
        ),
        (
            "universal",
            "kind = \"sets\"\ngenerate.pairs = { similarities = [0.5], union = 4000000000 }",
        ),
        (
            "consistent-weighted",
            "generate.pairs = { similarities = [0.5], each = 4000000000 }",
        ),
        (
            "fast-similarity",
            "generate.corpus = { documents = 4000000000 }",
        ),
        (
            "fast-similarity",
            "generate.news = { articles = 800000000 }",
        ),
    ];
    let codes = [
        "generate.clusters = { count = 4000000000 }",
        "generate.pairs = { others = 4000000000 }",
        "generate.pairs = { bits = 65536, others = 900000 }",
    ];
    let codes = codes.map(|data| ("bit-sampling", data));
    for (family, data) in wrong.into_iter().chain(codes) {
        let radius = if family == "bit-sampling" {
            "radius = 3"
        } else {
            ""
        };
        let said = refused(&format!(
            "{radius}\n[family]\nname = \"{family}\"\n[data]\n{data}\n"
        ));
        assert!(
            said.starts_with("test.toml:") && said.contains("too many"),
            "{data}: {said}"
        );
    }
}
