//! Customers who buy the same things, and things that the same customers buy.
//!
//!     cargo run --release --example similar_customers
//!
//! `examples/purchases/customers.jsonl` has the set of items of each customer: the columns of a 0-1 matrix. The same matrix,
//! transposed, has the set of customers of each item. Both questions are all pairs of similar sets, and one function answers
//! them. The data is made up: four customers for each of six hobbies, and two without one.
//!
//! The same on the command line, where `items.jsonl` is the transposed matrix:
//!
//!     lookalike pairs examples/purchases/customers.jsonl --jaccard 0.6
//!     lookalike pairs examples/purchases/items.jsonl --jaccard 0.75

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use lookalike::plugin::Value;
use lookalike::search::{Request, Source};
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What belongs to each name: the items of a customer, or the customers of an item.
pub(crate) type Sets = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn main() -> Result<()> {
    let customers = read("customers")?;
    let items = transposed(&customers);
    println!("customers with the same taste:");
    let alike = similar(&customers, 0.6)?;
    for (similarity, [a, b]) in &alike {
        println!("  {similarity:.2}  {a} and {b}");
    }
    println!("worth a recommendation:");
    for (_, [a, b]) in alike.iter().take(3) {
        for (one, other) in [(a, b), (b, a)] {
            let new: Vec<&String> = customers[one].difference(&customers[other]).collect();
            println!("  {other}: {new:?}, as {one} has");
        }
    }
    println!("bought by the same customers:");
    for (similarity, [a, b]) in similar(&items, 0.75)?.iter().take(10) {
        println!("  {similarity:.2}  {a} and {b}");
    }
    Ok(())
}

/// The sets of a file of `examples/purchases`.
pub(crate) fn read(name: &str) -> Result<Sets> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/purchases");
    let text = fs::read_to_string(format!("{folder}/{name}.jsonl"))?;
    let record = |line: &str| -> Result<(String, BTreeSet<String>)> {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let id = record["id"].as_str().ok_or("an id must be a string")?;
        Ok((
            id.to_owned(),
            serde_json::from_value(record["set"].clone())?,
        ))
    };
    text.lines().map(record).collect()
}

/// Rows become columns.
pub(crate) fn transposed(sets: &Sets) -> Sets {
    let mut transposed = Sets::new();
    for (name, set) in sets {
        for element in set {
            let names = transposed.entry(element.clone()).or_default();
            names.insert(name.clone());
        }
    }
    transposed
}

/// Pairs of names whose sets have at least this Jaccard similarity, the most similar first.
pub(crate) fn similar(sets: &Sets, jaccard: f64) -> Result<Vec<(f64, [String; 2])>> {
    let registry = lookalike::builtin();
    let source = Source::new(&[], Default::default(), &["set"]);
    let arrays: Vec<String> = sets.values().map(|set| json!(set).to_string()).collect();
    let values = arrays.iter().map(|array| Value::Json(array));
    let data = registry.parse(&source, values)?.named(sets.keys().cloned());
    let planned = registry.plan(&Request::new("jaccard", jaccard).recall(1.0), &data)?;
    let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;
    let name = |id: u32| data.names().text(id);
    let named = pairs.iter().map(|found| {
        let names = [found.pair.a(), found.pair.b()].map(name);
        (1.0 - found.distance, names)
    });
    Ok(named.collect())
}
