//! Buyers who are alike: sets of integers instead of texts.
//!
//! A buyer is the set of the articles in their orders. Two buyers are alike if they have
//! much of what either bought in common; what one of them has and the other not is worth
//! a recommendation. Nothing here is about text: tags of pictures, k-mers of genomes or
//! the ones of a 0-1 matrix go the same way.
//!
//! Run it with `cargo run --release --example similar_buyers`.

use std::collections::BTreeSet;

use lookalike::engine::{Columns, Exact, Join, Match};
use lookalike::minhash::{FastSimilarity, Integers, Jaccard};
use lookalike::{LshFamily, random, tune::Goal};
use rand::RngExt;

/// 5000 buyers of some 30 articles out of 20 000. Every tenth shops as the one before does.
fn buyers() -> Vec<Vec<u64>> {
    let mut rng = random::stream(2026, 0);
    let mut buyers: Vec<Vec<u64>> = Vec::new();
    for number in 0..5000 {
        let mut basket: BTreeSet<u64> = (0..30).map(|_| rng.random_range(0..20_000)).collect();
        if number % 10 == 9 {
            let like = buyers[number - 1].iter().skip(rng.random_range(0..12));
            basket = basket.into_iter().take(6).chain(like.copied()).collect();
        }
        buyers.push(basket.into_iter().collect());
    }
    buyers
}

/// Finds the pairs, and checks them against all 12 million.
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let buyers = buyers();
    let (likeness, unlike) = (0.5, 0.2);

    // Pairs that have half in common must be found in 95 of 100 cases, pairs with a fifth should be rare.
    let family = FastSimilarity::new(Integers);
    let plan = Goal::new(1.0 - likeness, 1.0 - unlike)?.plan(&family)?;
    let source = family.amplify(plan.banding.scheme()).draw(7)?;
    println!(
        "{}: promised recall {:.3}",
        plan.banding,
        plan.recall.value()
    );

    // Buckets nominate; the exact similarity decides.
    let columns = Columns::build(&source, &buyers)?;
    let jaccard = Jaccard::new(Integers);
    let exact = Exact::new(&jaccard, &buyers);
    let joined = Join::new(&columns).matches(&exact.within(1.0 - likeness));
    println!(
        "{} candidates, {} matches",
        joined.summary.candidates,
        joined.found.len()
    );

    // What the first of a pair has and the second has not.
    let unknown = |pair: &Match| {
        let [has, has_not] = [pair.pair.a(), pair.pair.b()].map(|id| &buyers[id as usize]);
        let unknown = has.iter().filter(|article| !has_not.contains(article));
        unknown.copied().collect::<Vec<u64>>()
    };
    let found = joined.found.iter().find(|found| !unknown(found).is_empty());
    if let Some(found @ Match { pair, distance }) = found {
        let alike = 1.0 - distance;
        println!("buyers {} and {} are {alike:.2} alike", pair.a(), pair.b());
        println!("recommend to {}: {:?}", pair.b(), unknown(found));
    }

    // What there is to find, by comparing everyone with everyone.
    let pairs = (0..buyers.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let truth = pairs
        .filter(|&(a, b)| {
            let common = buyers[a]
                .iter()
                .filter(|article| buyers[b].binary_search(article).is_ok())
                .count();
            common as f64 >= likeness * (buyers[a].len() + buyers[b].len() - common) as f64
        })
        .count();
    println!(
        "found {} of the {truth} pairs there are",
        joined.found.len()
    );
    assert!(joined.found.len() <= truth && joined.found.len() * 100 >= truth * 90);
    Ok(())
}
