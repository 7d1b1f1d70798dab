//! The guide `docs/your-own-family.md` is its example, and the example runs.

#[path = "../examples/your_own_family.rs"]
mod your_own_family;

const EXAMPLE: &str = include_str!("../examples/your_own_family.rs");
const GUIDE: &str = include_str!("../docs/your-own-family.md");

/// It checks its own family by `conformance` and fails where that does.
#[test]
fn the_example_keeps_its_promise() {
    your_own_family::main().unwrap();
}

#[test]
fn the_guide_shows_the_code_that_runs() {
    let blocks: Vec<&str> = GUIDE
        .split("```rust\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 5);
    for block in blocks {
        assert!(EXAMPLE.contains(block), "not in the example:\n{block}");
    }
    assert!(EXAMPLE.lines().count() < 60);
}
