//! Which files are versions of one document, and in which order were they written?
//!
//!     cargo run --release --example document_versions
//!
//! `examples/versions` has five versions of the rules of a reading room, each an edited copy of the one before, and a letter.
//! Versions share most of their shingles, and more of them the fewer edits lie between. So the tree that joins all versions by
//! the most similar pairs is a chain, from the first to the last version.

use lookalike::corpus::Options;
use lookalike::search::{Request, Source};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn main() -> Result<()> {
    for link in links()? {
        let [a, b] = &link.names;
        println!("{:.3}  {a} and {b}", link.similarity);
    }
    Ok(())
}

/// Two versions with nothing between them.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) similarity: f64,
    pub(crate) names: [String; 2],
}

/// The links between versions, the most similar first.
pub(crate) fn links() -> Result<Vec<Link>> {
    let registry = lookalike::builtin();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/versions");
    let source = Source::new(&[folder.to_owned()], Options::default(), &["text"]);
    let data = registry.read(&source, &mut |_, _| ())?;
    let request = Request::new("jaccard", 0.3)
        .with("shingle", "words:3")
        .recall(1.0);
    let planned = registry.plan(&request, &data)?;
    let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;
    let name = |id: u32| {
        let text = data.names().text(id);
        let file = text.rsplit('/').next().unwrap_or_default();
        file.trim_end_matches(".txt").to_owned()
    };
    // A pair that joins two groups of versions is a link; between members of one group it is a detour.
    let mut group: Vec<usize> = (0..data.len()).collect();
    let mut links = Vec::new();
    for found in pairs.iter() {
        let [a, b] = [found.pair.a(), found.pair.b()];
        let (from, to) = (group[b as usize], group[a as usize]);
        if from == to {
            continue;
        }
        group
            .iter_mut()
            .filter(|it| **it == from)
            .for_each(|it| *it = to);
        links.push(Link {
            similarity: 1.0 - found.distance,
            names: [name(a), name(b)],
        });
    }
    Ok(links)
}
