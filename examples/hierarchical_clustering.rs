//! A hierarchy of clusters from verified pairs: merge order and dendrogram.
//!
//!     cargo run --release --example hierarchical_clustering
//!
//! Single linkage joins the two clusters with the most similar pair of members, again and again. Pairs in the order of their
//! similarity are therefore all it needs: a pair whose items are in two clusters merges them. `pairs` gives the pairs at or
//! above a threshold, found by hashing and compared exactly, instead of the n²/2 distances that the textbook algorithm starts
//! from; what never reaches the threshold stays apart.

use lookalike::corpus::Options;
use lookalike::search::{Request, Source};

/// Cosine at which clusters are no longer merged.
const COSINE: f64 = 0.9;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A cluster: one item, or two clusters that were merged at a similarity.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Leaf(String),
    Merged(f64, Box<[Tree; 2]>),
}

/// The similarity of a merge, and the members of its two clusters.
pub(crate) type Merge = (f64, [String; 2]);

pub(crate) fn main() -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/vectors/words.jsonl");
    let (merges, trees) = clusters(path, COSINE)?;
    println!("merges, in their order:");
    for (number, (cosine, [a, b])) in merges.iter().enumerate() {
        println!("{:>3}  {cosine:.4}  {a} | {b}", number + 1);
    }
    println!("\ndendrogram:");
    for tree in &trees {
        print!("{}", tree.drawn());
    }
    Ok(())
}

/// The merges, each with the members of its two clusters, and the trees that remain.
pub(crate) fn clusters(path: &str, cosine: f64) -> Result<(Vec<Merge>, Vec<Tree>)> {
    let registry = lookalike::builtin();
    let options = Options {
        text: "vector".parse()?,
        ..Options::default()
    };
    let source = Source::new(&[path.to_owned()], options, &["vector"]);
    let data = registry.read(&source, &mut |_, _| ())?;
    let planned = registry.plan(&Request::new("cosine", cosine), &data)?;
    let measure = registry.measure(&planned.plan)?;
    let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;

    // The tree of each item is at the place of one of its members, which `place` leads to.
    let leaf = |id: u32| Some(Tree::Leaf(data.names().text(id)));
    let mut trees: Vec<Option<Tree>> = (0..data.len() as u32).map(leaf).collect();
    let mut place: Vec<usize> = (0..data.len()).collect();
    let mut merges = Vec::new();
    for found in pairs.iter() {
        let [a, b] = [found.pair.a(), found.pair.b()].map(|id| place[id as usize]);
        if a == b {
            continue;
        }
        let (Some(first), Some(second)) = (trees[a].take(), trees[b].take()) else {
            return Err("every place that is led to has a tree".into());
        };
        let cosine = measure.shown(found.distance);
        merges.push((cosine, [first.members(), second.members()]));
        trees[a] = Some(Tree::Merged(cosine, Box::new([first, second])));
        for it in &mut place {
            *it = if *it == b { a } else { *it };
        }
    }
    Ok((merges, trees.into_iter().flatten().collect()))
}

impl Tree {
    /// The names of all items.
    pub(crate) fn members(&self) -> String {
        match self {
            Self::Leaf(name) => name.clone(),
            Self::Merged(_, parts) => parts.each_ref().map(Self::members).join(", "),
        }
    }

    /// One line per node: the similarity of a merge, with its parts below it.
    pub(crate) fn drawn(&self) -> String {
        let mut lines = String::new();
        self.draw("", "", &mut lines);
        lines
    }

    fn draw(&self, before: &str, below: &str, lines: &mut String) {
        match self {
            Self::Leaf(name) => *lines += &format!("{before}{name}\n"),
            Self::Merged(cosine, parts) => {
                *lines += &format!("{before}{cosine:.4}\n");
                let [first, second] = &**parts;
                first.draw(&format!("{below}├─ "), &format!("{below}│  "), lines);
                second.draw(&format!("{below}└─ "), &format!("{below}   "), lines);
            }
        }
    }
}
