//! The guides in `docs` show examples, and the examples run.

#[path = "../examples/fingerprints_many_to_many.rs"]
mod fingerprints_many_to_many;
#[path = "../examples/fingerprints_many_to_one.rs"]
mod fingerprints_many_to_one;
#[path = "../examples/similar_buyers.rs"]
mod similar_buyers;
#[path = "../examples/similar_images.rs"]
mod similar_images;
#[path = "../examples/your_own_family.rs"]
mod your_own_family;

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

/// It checks its own family by `conformance` and fails where that does.
#[test]
fn the_example_keeps_its_promise() {
    your_own_family::main().unwrap();
}

#[test]
fn the_guide_shows_the_code_that_runs() {
    let guide = include_str!("../docs/your-own-family.md");
    let example = include_str!("../examples/your_own_family.rs");
    assert_eq!(blocks_of(guide, example), 6);
    assert!(example.lines().count() < 60);
}

/// It compares with brute force, and fails where it finds too few.
#[test]
fn buyers_who_are_alike_are_found() {
    similar_buyers::main().unwrap();
}

/// It knows which images are copies, and fails where it finds too few of them, or too much else.
#[test]
fn copies_of_images_are_found() {
    similar_images::main().unwrap();
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
