//! Classes, numbers and outliers from nearest neighbours.
//!
//!     cargo run --release --example nearest_neighbours
//!
//! 150 iris flowers with the lengths and widths of their sepals and petals (R. A. Fisher, The use of multiple measurements in
//! taxonomic problems, 1936). Each flower is asked which five others are nearest:
//!
//! - classification: the species that most of them have;
//! - regression: the mean of their petal widths, if neighbours are found by the other three numbers;
//! - outliers: flowers whose fifth neighbour is farthest away.
//!
//! The same on the command line, where an item is never its own neighbour:
//!
//!     lookalike query examples/iris/iris.jsonl examples/iris/iris.jsonl --measure euclidean -k 5 --vote species
//!     lookalike query examples/iris/iris.jsonl examples/iris/iris.jsonl --field first_three --measure euclidean -k 5 --mean petal_width

use lookalike::Near;
use lookalike::corpus::Options;
use lookalike::search::{Dataset, Request, Source, Vote, neighbour_mean};

/// Neighbours that decide.
const NEIGHBOURS: usize = 5;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn main() -> Result<()> {
    let found = evaluate()?;
    println!(
        "{} of 150 flowers have the species of most neighbours",
        found.right
    );
    println!("the petal width is off by {:.3} cm on average", found.error);
    for (distance, flower) in &found.outliers {
        println!("flower {flower} is far from others: its fifth neighbour is at {distance:.2}");
    }
    Ok(())
}

/// What neighbours know about flowers.
pub(crate) struct Evaluation {
    /// Flowers that get their own species.
    pub(crate) right: usize,
    /// How far petal widths are off, on average.
    pub(crate) error: f64,
    /// The three flowers with the farthest neighbours.
    pub(crate) outliers: Vec<(f64, String)>,
}

pub(crate) fn evaluate() -> Result<Evaluation> {
    // Species: a vote.
    let flowers = read("vector", "species")?;
    let neighbours = neighbours(&flowers)?;
    let label = |near: &Near| flowers.labels()[near.id as usize];
    let votes = neighbours
        .iter()
        .map(|near| Vote::of(near.iter().map(label)));
    let right = votes
        .zip(flowers.labels())
        .filter(|(vote, own)| vote.is_some_and(|vote| vote.label == **own))
        .count();

    // Outliers: far from the fifth neighbour.
    let farthest = |near: &Vec<Near>| near.last().map_or(0.0, |near| near.distance);
    let mut outliers: Vec<(f64, String)> = (0..)
        .zip(&neighbours)
        .map(|(id, near)| (farthest(near), flowers.names().text(id)))
        .collect();
    outliers.sort_by(|a, b| b.0.total_cmp(&a.0));
    outliers.truncate(3);

    // Petal widths: a mean.
    let others = read("first_three", "petal_width")?;
    let width = |id: u32| -> Result<f64> {
        let text = others.label_text(others.labels()[id as usize]);
        Ok(text.ok_or("a flower without a petal width")?.parse()?)
    };
    let widths: Vec<f64> = (0..others.len() as u32).map(width).collect::<Result<_>>()?;
    let mut error = 0.0;
    for (near, own) in self::neighbours(&others)?.iter().zip(&widths) {
        let mean = neighbour_mean(near.iter().map(|near| widths[near.id as usize]));
        error += (mean.ok_or("a flower without neighbours")? - own).abs();
    }
    error /= widths.len() as f64;
    Ok(Evaluation {
        right,
        error,
        outliers,
    })
}

/// The flowers as vectors of one field, with another field as their label.
fn read(vector: &str, label: &str) -> Result<Dataset> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/iris/iris.jsonl");
    let options = Options {
        text: vector.parse()?,
        ..Options::default()
    };
    let mut source = Source::new(&[path.to_owned()], options, &["vector"]);
    source.label = Some(label.parse()?);
    Ok(lookalike::builtin().read(&source, &mut |_, _| ())?)
}

/// The nearest other items of each item.
fn neighbours(data: &Dataset) -> Result<Vec<Vec<Near>>> {
    let registry = lookalike::builtin();
    let planned = registry.plan(&Request::nearest("euclidean").queries(data.len()), data)?;
    let search = registry.search(data, &planned.plan)?;
    let mut all = search.asker()?.ask(data, 0..data.len(), NEIGHBOURS + 1)?;
    for (id, near) in (0..).zip(&mut all) {
        near.retain(|near| near.id != id);
        near.truncate(NEIGHBOURS);
    }
    Ok(all)
}
