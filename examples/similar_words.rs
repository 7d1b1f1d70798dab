//! Words whose vectors are like that of a word.
//!
//!     cargo run --release --example similar_words -- salmon
//!     cargo run --release --example similar_words -- king vectors.npy words.txt
//!
//! The vectors of `examples/vectors/words.jsonl` were written by hand, ten properties a word. Trained ones are read from any
//! format with rows of numbers, and the words from a text file, one a line in the order of the rows.

use lookalike::corpus::Options;
use lookalike::search::{Dataset, Registry, Request, Source};

/// The words that are printed.
const COUNT: usize = 5;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn main() -> Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given = |place: usize| given.get(place).map(String::as_str);
    let word = given(0).unwrap_or("salmon");
    println!("{word}:");
    for (cosine, name) in similar(word, given(1), given(2))? {
        println!("  {cosine:.4}  {name}");
    }
    Ok(())
}

/// The words most like a word with their cosines, among those of a file.
pub(crate) fn similar(
    word: &str,
    vectors: Option<&str>,
    words: Option<&str>,
) -> Result<Vec<(f64, String)>> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/vectors/words.jsonl");
    let registry = lookalike::builtin();
    let mut data = read(&registry, vectors.unwrap_or(own))?;
    if let Some(words) = words {
        let words = std::fs::read_to_string(words)?;
        data = data.named(words.lines().map(str::to_owned));
    }
    nearest(&registry, &data, word)
}

/// The vectors of a file.
fn read(registry: &Registry, path: &str) -> Result<Dataset> {
    let options = Options {
        text: "vector".parse()?,
        ..Options::default()
    };
    let source = Source::new(&[path.to_owned()], options, &["vector"]);
    Ok(registry.read(&source, &mut |_, _| ())?)
}

/// The nearest of a word by the cosine, without itself.
fn nearest(registry: &Registry, data: &Dataset, word: &str) -> Result<Vec<(f64, String)>> {
    let names = (0..data.len() as u32).map(|id| data.names().text(id));
    let names: Vec<String> = names.collect();
    let place = names.iter().position(|name| name == word);
    let place = place.ok_or_else(|| format!("`{word}` is not among the words"))?;
    // No threshold, so every vector is compared.
    let request = Request::nearest("cosine").queries(1);
    let planned = registry.plan(&request, data)?;
    let measure = registry.measure(&planned.plan)?;
    let search = registry.search(data, &planned.plan)?;
    let answers = search.asker()?.ask(data, place..place + 1, COUNT + 1)?;
    let others = answers[0].iter().filter(|near| near.id as usize != place);
    let shown = others.map(|near| {
        (
            measure.shown(near.distance),
            names[near.id as usize].clone(),
        )
    });
    Ok(shown.take(COUNT).collect())
}
