//! Families whose recall is measured on a sample: it is what they then find.

use std::collections::BTreeSet;

use lookalike_core::{
    Items, KeySource, Pair,
    plugin::{Distance, Family, Generator, KeyFamily, Proposal, Recall, Task},
};
use lookalike_engine::{Brute, Columns, Exact, Join};
use lookalike_strings::{
    Strings,
    plugin::{Cgk, EditDistance, OrderMinhash, StringPairs},
};

/// Strings with neighbours at 1 to 4 edits.
fn strings(length: usize, alphabet: u32) -> Strings {
    let pairs = StringPairs {
        length,
        alphabet,
        distances: vec![1, 2, 3, 4, 5],
        each: 150,
        others: 500,
        ..StringPairs::default()
    };
    pairs.generate().unwrap().items
}

fn propose<F: Family<Distance = EditDistance>>(
    family: &F,
    items: &Strings,
    recall: f64,
    functions: Option<u32>,
) -> Option<Proposal<F>> {
    let mut task = Task::new(4.0, 8.0);
    task.recall = recall;
    task.functions = functions;
    task.is_named = true;
    let proposal = family.propose(&EditDistance::default(), items, &task);
    proposal.unwrap()
}

/// The share of all pairs within 4 edits that a proposal finds, on average over some seeds.
fn found<F: Family<Distance = EditDistance>>(proposal: &Proposal<F>, items: &Strings) -> f64 {
    const SEEDS: u64 = 8;
    let distance = EditDistance::default();
    let metric = distance.metric().unwrap();
    let all: BTreeSet<Pair> = {
        let exact = Exact::new(&metric, items);
        let pairs = Brute::new(&exact).unwrap().pairs(4.0);
        pairs.iter().map(|found| found.pair).collect()
    };
    let keys = proposal.parameters.keys(&distance, 0).unwrap();
    let mut count = 0;
    for seed in 0..SEEDS {
        let source = keys.source(&proposal.scheme, seed).unwrap();
        let columns = Columns::build(&source, items).unwrap();
        let candidates = Join::new(&columns).bucket_limit(usize::MAX).candidates();
        count += candidates
            .found
            .iter()
            .filter(|pair| all.contains(pair))
            .count();
    }
    count as f64 / (SEEDS as usize * all.len()) as f64
}

fn check<F: Family<Distance = EditDistance>>(family: &F, items: &Strings) {
    for wanted in [0.5, 0.9] {
        let proposal = propose(family, items, wanted, None).unwrap();
        let Recall::Calibrated {
            recall,
            standard_error,
        } = proposal.recall
        else {
            panic!("{:?}", proposal.recall);
        };
        assert!(recall >= wanted, "{} {recall}", F::NAME);
        assert!(standard_error < 0.05, "{} ± {standard_error}", F::NAME);
        let found = found(&proposal, items);
        // 600 pairs and 8 draws of bands: an error of 0.02 in what is found.
        let apart = (found - recall).abs();
        assert!(apart < 0.06, "{}: {found} instead of {recall}", F::NAME);
    }
}

#[test]
fn the_recall_of_walks_is_what_was_measured() {
    check(&Cgk::default(), &strings(40, 26));
    check(&Cgk::default(), &strings(100, 4));
}

#[test]
fn the_recall_of_order_minhash_is_what_was_measured() {
    check(&OrderMinhash::default(), &strings(40, 26));
}

/// Strings that have nothing near them: pairs are made up.
#[test]
fn a_recall_is_measured_without_pairs() {
    let items = StringPairs {
        distances: Vec::new(),
        others: 300,
        ..StringPairs::default()
    };
    let items = items.generate().unwrap().items;
    let proposal = propose(&Cgk::default(), &items, 0.9, None).unwrap();
    assert!(proposal.recall.share().unwrap() >= 0.9);
}

#[test]
fn what_cannot_be_reached_is_said() {
    let items = strings(40, 26);
    // Certainty is not for these families.
    assert!(propose(&Cgk::default(), &items, 1.0, None).is_none());
    assert!(propose(&OrderMinhash::default(), &items, 1.0, None).is_none());
    // Two functions are not enough; the recall that they have is stated.
    let short = propose(&Cgk::default(), &items, 0.99, Some(8)).unwrap();
    assert!(short.scheme.functions() <= 8);
    assert!(short.recall.share().unwrap() < 0.99);
    // Nobody to compare with.
    let nothing = Strings::default();
    assert!(propose(&Cgk::default(), &nothing, 0.9, None).is_none());
}

#[test]
fn a_given_scheme_is_measured() {
    let items = strings(40, 26);
    let recall_of = |scheme: &str| {
        let mut task = Task::new(4.0, 8.0);
        task.is_named = true;
        task.scheme = Some(scheme.parse().unwrap());
        let proposal = Cgk::default().propose(&EditDistance::default(), &items, &task);
        proposal.map(|proposal| proposal.unwrap().recall.share().unwrap())
    };
    let recalls = ["and:6,or:2", "and:6,or:20", "and:6,or:100"].map(|it| recall_of(it).unwrap());
    assert!(
        recalls.is_sorted() && recalls[0] < recalls[2],
        "{recalls:?}"
    );
    let wrong = recall_of("or:2,and:3,or:2").unwrap_err().to_string();
    assert!(wrong.contains("cgk takes bands and rows"), "{wrong}");
}

/// Plans do not depend on a seed, and one string may have several keys in a band.
#[test]
fn keys_are_in_their_bands() {
    let keys = Cgk { reach: Some(8) }
        .keys(&EditDistance::default(), 0)
        .unwrap();
    let source = keys.source(&"and:4,or:6".parse().unwrap(), 1).unwrap();
    let mut bands = Vec::new();
    let items = strings(40, 26);
    let emit = |band, _, ()| bands.push(band);
    source
        .keys(items.item(0), &mut Default::default(), emit)
        .unwrap();
    assert!(bands.is_sorted() && bands.len() >= 6 && bands[bands.len() - 1] == 5);
}
