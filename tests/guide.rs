//! The guides in `docs` show examples, and the examples run.

#[path = "../examples/dna_reads.rs"]
mod dna_reads;
#[path = "../examples/document_versions.rs"]
mod document_versions;
#[path = "../examples/fingerprints_many_to_many.rs"]
mod fingerprints_many_to_many;
#[path = "../examples/fingerprints_many_to_one.rs"]
mod fingerprints_many_to_one;
#[path = "../examples/hierarchical_clustering.rs"]
mod hierarchical_clustering;
#[allow(dead_code, reason = "its `main` reads the command line of a test")]
#[path = "../examples/near_duplicate_images.rs"]
mod near_duplicate_images;
#[path = "../examples/nearest_neighbours.rs"]
mod nearest_neighbours;
#[path = "../examples/news_stories.rs"]
mod news_stories;
#[path = "../examples/similar_buyers.rs"]
mod similar_buyers;
#[path = "../examples/similar_customers.rs"]
mod similar_customers;
#[path = "../examples/similar_images.rs"]
mod similar_images;
#[allow(dead_code, reason = "its `main` reads the command line of a test")]
#[path = "../examples/similar_words.rs"]
mod similar_words;

use std::{fs, path::Path};

/// Whether every block of Rust in a guide is a part of its example; how many there are.
fn blocks_of(guide: &str, example: &str) -> usize {
    let blocks: Vec<&str> = guide
        .split("```rust\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    for block in &blocks {
        assert!(example.contains(block), "not in the example:\n{block}");
    }
    blocks.len()
}

/// A file of the example that `docs/your-own-family.md` writes; the tests of that package run it.
fn colours(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/colours");
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Each file stands in the guide as a whole, after its name. The manifest of a third party has no paths, and what only our
/// tests need is left out.
#[test]
fn the_guide_to_plugins_shows_whole_files() {
    let guide = include_str!("../docs/your-own-family.md");
    let files = [
        "src/lib.rs",
        "src/colour.rs",
        "src/random_cuts.rs",
        "tests/conformance.rs",
        "src/main.rs",
    ];
    for name in files {
        let block = format!("`{name}`:\n\n```rust\n{}```\n", colours(name));
        assert!(guide.contains(&block), "the guide has an older {name}");
    }
    assert_eq!(guide.matches("```rust\n").count(), files.len());
    let manifest = colours("Cargo.toml");
    let (manifest, _) = manifest.split_once("\n[dev-dependencies]").unwrap();
    for line in manifest.lines() {
        let version = line
            .split_once(" = { version = ")
            .filter(|_| line.contains("path ="));
        let expected = version.map_or(line.to_owned(), |(name, rest)| {
            format!("{name} = {}", rest.split(',').next().unwrap())
        });
        assert!(guide.lines().any(|line| line == expected), "{expected}");
    }
}

/// A third party's plugin is small, and builds on core and serde alone.
#[test]
fn a_plugin_is_two_short_files_over_core_and_serde() {
    let files = ["src/colour.rs", "src/random_cuts.rs"].map(colours);
    let lines: usize = files.iter().map(|file| file.lines().count()).sum();
    assert!(lines < 150, "{lines} lines");
    for line in files.iter().flat_map(|file| file.lines()) {
        let used = line
            .strip_prefix("use ")
            .map(|path| path.split("::").next().unwrap());
        let is_allowed = |name| ["lookalike_core", "serde", "crate"].contains(&name);
        assert!(used.is_none_or(is_allowed), "{line}");
    }
}

/// It compares with brute force, and fails where it finds too few.
#[test]
fn buyers_who_are_alike_are_found() {
    similar_buyers::main().unwrap();
}

/// Customers of one hobby are alike, things of one hobby are bought together, and the committed transposed file is the
/// transposed matrix.
#[test]
fn customers_and_what_they_buy_are_grouped_by_hobbies() {
    use similar_customers::{read, similar, transposed};
    similar_customers::main().unwrap();
    let customers = read("customers").unwrap();
    let alike = similar(&customers, 0.5).unwrap();
    let (similarity, names) = &alike[0];
    assert_eq!(names.each_ref().map(|it| &**it), ["Pat", "Vic"]);
    assert!((similarity - 0.8).abs() < 1e-9);
    // Every fourth of six hobbies is that of a customer six places on.
    let names: Vec<&String> = customers.keys().collect();
    let hobby = |name: &String| names.iter().position(|it| *it == name).unwrap() % 6;
    assert_eq!(alike.len(), 25);
    assert!(alike.iter().all(|(_, [a, b])| hobby(a) == hobby(b)));
    let items = transposed(&customers);
    assert_eq!(items, read("items").unwrap());
    assert_eq!(transposed(&items), customers);
    let together = similar(&items, 0.75).unwrap();
    let is_pair = |a: &str, b: &str| together.iter().any(|(_, names)| names == &[a, b]);
    assert!(is_pair("twine", "watering can") && !is_pair("coffee", "twine"));
}

/// The numbers of a plain program over all distances.
#[test]
fn flowers_are_told_by_their_neighbours() {
    nearest_neighbours::main().unwrap();
    let found = nearest_neighbours::evaluate().unwrap();
    assert_eq!(found.right, 145);
    assert!((found.error - 0.139).abs() < 0.002, "{}", found.error);
    let outliers: Vec<&str> = found.outliers.iter().map(|(_, id)| &**id).collect();
    assert_eq!(outliers, ["132", "118", "119"]);
}

/// Merges go from the most similar pair down, and each takes one cluster away.
#[test]
fn words_become_a_tree() {
    hierarchical_clustering::main().unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/vectors/words.jsonl");
    let (merges, trees) = hierarchical_clustering::clusters(path, 0.9).unwrap();
    assert!(merges.is_sorted_by(|a, b| a.0 >= b.0));
    assert_eq!(merges.len() + trees.len(), 38);
    let fish = trees.iter().find(|tree| tree.members().contains("salmon"));
    let fish = fish.unwrap();
    assert!(fish.members().contains("trout") && !fish.members().contains("plane"));
    let (lines, leaves) = (fish.drawn(), fish.members().split(", ").count());
    assert_eq!(lines.lines().count(), 2 * leaves - 1);
}

/// With stop-word shingles a group is a story; with plain ones pages of a story fall apart.
#[test]
fn pages_are_grouped_by_story() {
    news_stories::main().unwrap();
    let story = |page: &String| page.split('-').nth(1).unwrap().to_owned();
    let stories = news_stories::stories("stopwords").unwrap();
    assert_eq!(stories.len(), 12);
    for pages in &stories {
        let same = pages.iter().all(|page| story(page) == story(&pages[0]));
        assert!(same && pages.len() == 4, "{pages:?}");
        assert!(!pages.iter().any(|page| page.ends_with("same-ads")));
    }
    let plain = news_stories::stories("words:3").unwrap();
    assert!(plain.iter().all(|pages| pages.len() < 4), "{plain:?}");
}

#[test]
fn versions_are_a_chain() {
    document_versions::main().unwrap();
    let links = document_versions::links().unwrap();
    let mut found: Vec<[&str; 2]> = links
        .iter()
        .map(|it| it.names.each_ref().map(|it| &**it))
        .collect();
    found.iter_mut().for_each(|pair| pair.sort_unstable());
    assert_eq!(
        found,
        [
            ["draft", "second"],
            ["approved", "review"],
            ["review", "second"],
            ["approved", "printed"]
        ]
    );
    assert!(links.is_sorted_by(|a, b| a.similarity >= b.similarity));
}

/// It knows where reads come from, and fails if it finds too few overlaps, or a wrong one.
#[test]
fn reads_that_overlap_are_found() {
    dna_reads::main().unwrap();
}

/// It knows which images are copies, and fails where it finds too few of them, or too much else.
#[test]
fn copies_of_images_are_found() {
    similar_images::main().unwrap();
}

/// It knows which images are copies, and fails where it finds too few of them, or anything else.
#[test]
fn copies_of_images_are_found_by_pixels() {
    near_duplicate_images::near_duplicates(None, 0.97).unwrap();
}

#[test]
fn words_are_like_words_of_their_kind() {
    let words = |word| -> Vec<String> {
        let similar = similar_words::similar(word, None, None).unwrap();
        similar.into_iter().map(|(_, word)| word).collect()
    };
    assert_eq!(words("salmon")[..2], ["trout", "herring"]);
    assert_eq!(words("plane")[0], "helicopter");
    assert!(similar_words::similar("unicorn", None, None).is_err());
}

/// It knows which prints are of one finger, and fails where the textbook's numbers do not hold, or hold where they
/// should not.
#[test]
fn fingers_are_told_apart_where_prints_lie_alike() {
    fingerprints_many_to_many::main().unwrap();
}

/// It knows whose prints were at the scenes, and fails where too few of them are found.
#[test]
fn prints_from_scenes_find_their_fingers() {
    fingerprints_many_to_one::main().unwrap();
}

#[test]
fn the_cookbook_shows_the_code_that_runs() {
    let cookbook = include_str!("../docs/cookbook.md");
    let example = include_str!("../examples/similar_buyers.rs");
    assert_eq!(blocks_of(cookbook, example), 2);
}
