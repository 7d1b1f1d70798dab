//! The worked examples and claims of *Mining of Massive Datasets* (section 3.2) on shingles.

use std::collections::BTreeSet;

use lookalike_core::Metric;
use lookalike_minhash::{
    Bag, Elements, Jaccard, Normalize, Shingle, Shingler, ShinglerScratch, Tokens, Width,
    generate::{Vocabulary, ZipfText},
};
use proptest::prelude::*;

fn shingler(shingle: &str) -> Shingler {
    Shingler::new(shingle.parse().unwrap())
}

fn set(shingle: &str, text: &str) -> BTreeSet<String> {
    shingler(shingle).shingles(text).into_iter().collect()
}

fn of(shingles: &[&str]) -> BTreeSet<String> {
    shingles.iter().map(|s| (*s).to_owned()).collect()
}

fn similarity<E: Elements>(elements: E, a: &E::Item, b: &E::Item) -> f64 {
    let jaccard = Jaccard::new(elements);
    1.0 - jaccard.distance(&jaccard.prepare(a), &jaccard.prepare(b))
}

#[test]
fn characters() {
    assert_eq!(set("chars:2", "abcab"), of(&["ab", "bc", "ca"]));
    assert_eq!(
        set("chars:2", "abcdabd"),
        of(&["ab", "bc", "cd", "da", "bd"])
    );
    // As a bag the second `ab` counts again.
    assert_eq!(
        shingler("chars:2").shingles("abcab"),
        ["ab", "bc", "ca", "ab"]
    );
    let bag = |text: &str| {
        let bag = Bag::new(shingler("chars:2"));
        bag.set(text, &mut Default::default())
    };
    assert_eq!(bag("abcab").len(), 4);
    let bags = similarity(Bag::new(shingler("chars:2")), "abcab", "abcabab");
    assert!((bags - 4.0 / 6.0).abs() < 1e-12, "{bags}");
    assert_eq!(
        similarity(shingler("chars:2"), "abcab", "abcabab"),
        3.0 / 4.0
    );
}

#[test]
fn roses() {
    let red_white = "A rose is red, a rose is white.";
    let white_red = "A rose is white, a rose is red.";
    let rose = "A rose is a rose is a rose.";
    assert_eq!(
        set("words:3", red_white),
        of(&[
            "a rose is",
            "rose is red",
            "is red a",
            "red a rose",
            "rose is white"
        ])
    );
    assert_eq!(
        set("words:3", white_red),
        of(&[
            "a rose is",
            "rose is white",
            "is white a",
            "white a rose",
            "rose is red"
        ])
    );
    assert_eq!(
        set("words:3", rose),
        of(&["a rose is", "rose is a", "is a rose"])
    );
    for (a, b, expected) in [
        (red_white, white_red, 3.0 / 7.0),
        (red_white, rose, 1.0 / 7.0),
        (white_red, rose, 1.0 / 7.0),
    ] {
        let found = similarity(shingler("words:3"), a, b);
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}

/// Lower-casing and dropping punctuation may also be said as steps.
#[test]
fn the_same_roses_by_named_steps() {
    let steps = [Normalize::Casefold, Normalize::Punctuation];
    let by_steps = shingler("words:3")
        .tokens(Tokens::Whitespace)
        .normalize(steps);
    for text in [
        "A rose is red, a rose is white.",
        "A rose is a rose is a rose.",
    ] {
        assert_eq!(by_steps.shingles(text), shingler("words:3").shingles(text));
    }
}

#[test]
fn which_and_that() {
    let which = set("chars:3", "The dog which chased the cat");
    let that = set("chars:3", "The dog that chased the cat");
    let lost: BTreeSet<String> = which.difference(&that).cloned().collect();
    assert_eq!(lost, of(&["g w", " wh", "whi", "hic", "ich", "ch ", "h c"]));
}

#[test]
fn stop_words() {
    let text = "I recommend that you buy Sudzo for your laundry";
    assert_eq!(set("stopwords", "Buy Sudzo"), of(&[]));
    assert_eq!(
        shingler("stopwords").shingles(text),
        [
            "i recommend that",
            "that you buy",
            "you buy sudzo",
            "for your laundry"
        ]
    );
    let longer = format!("{text} basket");
    let more: Vec<String> = shingler("stopwords").shingles(&longer).split_off(4);
    assert_eq!(more, ["your laundry basket"]);
    // The list can be replaced.
    let own = shingler("stopwords").stop_words(["Buy"]);
    assert_eq!(own.shingles(text), ["buy sudzo for"]);
}

/// One character makes all pages alike; the longer the shingles, the better they are told apart.
#[test]
fn short_shingles_make_all_pages_alike() {
    let text = ZipfText::new(Vocabulary::new(300, 1).unwrap(), 1.0).unwrap();
    let pages: Vec<String> = (0..8)
        .map(|seed| text.write(&text.words(500, seed)))
        .collect();
    let mean = |k: usize| {
        let shingler = Shingler::new(Shingle::chars(k).unwrap());
        let pairs = (0..8).flat_map(|a| (0..a).map(move |b| (a, b)));
        let all: Vec<f64> = pairs
            .map(|(a, b)| similarity(shingler.clone(), &pages[a], &pages[b]))
            .collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    let by_k: Vec<f64> = [1, 2, 3, 5, 9, 20].map(mean).into();
    assert!(by_k[0] > 0.95, "{by_k:?}");
    assert!(by_k.is_sorted_by(|a, b| a > b), "{by_k:?}");
    assert!(by_k[5] < 0.01, "{by_k:?}");
}

/// What loses the order cannot tell these apart; shingles of two words can.
#[test]
fn a_set_of_words_loses_the_order() {
    let (a, b) = ("the dog bit the man", "the man bit the dog");
    assert_eq!(similarity(shingler("words:1"), a, b), 1.0);
    assert!(similarity(shingler("words:2"), a, b) < 1.0);
}

/// Four bytes a shingle: the chance of a false overlap is n²/2^32 at most.
#[test]
fn four_bytes_a_shingle() {
    let narrow = shingler("words:2").width(Width::Bits32);
    let set = narrow.set("a rose is a rose", &mut ShinglerScratch::default());
    assert!(set.iter().all(|&hash| hash <= u64::from(u32::MAX)));
    assert_eq!(set.len(), 3);
    // Two texts of 50 000 shingles that have none in common: .58 meet by chance.
    let hashes = |first: u32| -> BTreeSet<u64> {
        let text: String = (first..first + 50_001).map(|n| format!("w{n} ")).collect();
        narrow
            .set(&text, &mut ShinglerScratch::default())
            .into_iter()
            .collect()
    };
    let common = hashes(0).intersection(&hashes(1_000_000)).count() as f64;
    let expected = 50_000f64.powi(2) / 2f64.powi(32);
    assert!(
        (common - expected).abs() <= 4.0 * expected.sqrt() + 1.0,
        "{common} of {expected}"
    );
}

proptest! {
    /// A changed word touches only the shingles within k − 1 of it: at most k of either text.
    #[test]
    fn a_changed_word_touches_k_shingles(
        words in prop::collection::vec(0u32..50, 1..80), at: prop::sample::Index, k in 1usize..8,
    ) {
        let write = |words: &[u32]| words.iter().map(|w| format!("w{w} ")).collect::<String>();
        let mut changed = words.clone();
        changed[at.index(words.len())] = 999;
        let shingler = Shingler::new(Shingle::words(k).unwrap());
        let (a, b) = (shingler.shingles(&write(&words)), shingler.shingles(&write(&changed)));
        prop_assert_eq!(a.len(), b.len());
        prop_assert!(a.iter().zip(&b).filter(|(a, b)| a != b).count() <= k);
    }

    /// A moved paragraph changes only shingles across its borders: its own two, and the one where it arrives.
    #[test]
    fn a_moved_paragraph_touches_shingles_across_its_borders(
        sizes in prop::collection::vec(8usize..30, 4), k in 1usize..8,
    ) {
        let mut word = 0;
        let paragraphs: Vec<String> = sizes.iter().map(|&size| {
            (0..size).map(|_| { word += 1; format!("w{word} ") }).collect()
        }).collect();
        let text = |order: [usize; 4]| order.map(|p| paragraphs[p].clone()).concat();
        let shingler = Shingler::new(Shingle::words(k).unwrap());
        let set = |text: &str| -> BTreeSet<String> { shingler.shingles(text).into_iter().collect() };
        let (a, b) = (set(&text([0, 1, 2, 3])), set(&text([0, 2, 3, 1])));
        // At the end of a text nothing is torn apart.
        prop_assert_eq!(a.difference(&b).count(), 2 * (k - 1));
        prop_assert_eq!(b.difference(&a).count(), 2 * (k - 1));
        let inside = set(&text([0, 2, 1, 3]));
        prop_assert_eq!(a.difference(&inside).count(), 3 * (k - 1));
    }
}

/// Two pages with the same article and other advertisements are more alike than two with the same advertisements and
/// other articles, also when a copy is cropped or framed; with plain shingles less so.
#[test]
fn stop_word_shingles_see_the_article() {
    let page = |article: u64, advertisements: u64, crop: usize| {
        let article = prose(article, 400);
        let kept: Vec<&str> = article.split(' ').take(400 - crop).collect();
        format!(
            "{} {} {}",
            advert(advertisements),
            kept.join(" "),
            advert(advertisements + 1)
        )
    };
    let same_article = |shingler: &Shingler, crop: usize| {
        similarity(shingler.clone(), &page(1, 10, 0), &page(1, 20, crop))
    };
    let same_adverts =
        |shingler: &Shingler| similarity(shingler.clone(), &page(1, 10, 0), &page(2, 10, 0));
    let (stop, plain) = (shingler("stopwords"), shingler("words:3"));
    for crop in [0, 100] {
        let by_stop = same_article(&stop, crop) - same_adverts(&stop);
        let by_plain = same_article(&plain, crop) - same_adverts(&plain);
        assert!(
            by_stop > by_plain + 0.05,
            "crop {crop}: {by_stop} and {by_plain}"
        );
        assert!(by_stop > 0.5, "crop {crop}: {by_stop}");
    }
}

/// Made-up words, every third of them a stop word.
fn prose(seed: u64, words: usize) -> String {
    let text = ZipfText::new(Vocabulary::new(2000, 7).unwrap(), 0.8).unwrap();
    let written = text.write(&text.words(words, seed));
    let stop = ["the", "of", "and", "that", "with", "for"];
    let words = written.split(' ').enumerate().map(|(i, word)| match i % 3 {
        0 => stop[(i / 3 + seed as usize) % stop.len()],
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Names and slogans, without a stop word.
fn advert(seed: u64) -> String {
    let text = ZipfText::new(Vocabulary::new(2000, 8).unwrap(), 0.3).unwrap();
    text.write(&text.words(120, 1000 + seed))
}
