//! Pages of news sites, grouped by their story.
//!
//!     cargo run --release --example news_stories
//!
//! The same article stands on several sites, between other advertisements, cropped, or in another frame. Shingles that begin at
//! a stop word come from the prose and hardly ever from advertisements and menus, so pages with the same article share most of
//! them. Pairs of such pages are the edges of a graph, and its components are the stories.

use lookalike::engine::{Match, cluster};
use lookalike::minhash::{
    generate::News,
    plugin::{Text, Texts},
};
use lookalike::search::{Dataset, Request};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Similarity at which two pages tell the same story.
const SAME_STORY: f64 = 0.4;

pub(crate) fn main() -> Result<()> {
    for shingle in ["stopwords", "words:3"] {
        let stories = stories(shingle)?;
        println!("{shingle}: {} groups", stories.len());
        for story in stories.iter().take(5) {
            println!("  {}", story.join(", "));
        }
    }
    let page = News::new(1, 1)?.pages().next().ok_or("no page")?;
    println!("\n{}:\n{}", page.name, page.text);
    Ok(())
}

/// The names of pages that tell the same story, by the shingles of this kind.
pub(crate) fn stories(shingle: &str) -> Result<Vec<Vec<String>>> {
    let (mut texts, mut names) = (Texts::default(), Vec::new());
    for page in News::new(12, 1)?.pages() {
        texts.push(&page.text);
        names.push(page.name);
    }
    let data = Dataset::new::<Text>(texts).named(names);
    let registry = lookalike::builtin();
    let request = Request::new("jaccard", SAME_STORY).with("shingle", shingle);
    let planned = registry.plan(&request, &data)?;
    let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;
    let matches: Vec<Match> = pairs.iter().collect();
    let clusters = cluster::components(&matches, |id| id);
    let name = |id: u32| data.names().text(id);
    let groups = clusters.iter().map(|cluster| {
        let members = cluster.members.iter().map(|member| member.id);
        let mut ids: Vec<u32> = members.chain([cluster.representative]).collect();
        ids.sort_unstable();
        ids.into_iter().map(name).collect()
    });
    Ok(groups.collect())
}
