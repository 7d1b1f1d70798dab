//! usage: strings-peers passjoin STRINGS EDITS PAIRS
//!        strings-peers symspell|symspell-ascii|fast_symspell|fast_symspell-ascii|symspell_rs WORDS QUERIES EDITS
//!
//! `passjoin` writes pairs of lines. The others print JSON: seconds of all look-ups, and how many words they gave.

mod passjoin;

use std::fs;

use cpu_time::ProcessTime;

fn lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file of lines");
    text.lines().map(str::to_owned).collect()
}

/// Times look-ups, which give a number of words.
fn look_up(queries: &[String], mut words_of: impl FnMut(&str) -> usize) {
    let start = ProcessTime::now();
    let found: usize = queries.iter().map(|query| words_of(query)).sum();
    println!("{{\"seconds\": {}, \"found\": {found}}}", start.elapsed().as_secs_f64());
}

/// Look-ups by `symspell` or `fast_symspell`, a fork of it.
macro_rules! look_up_in {
    ($symspell:ident, $strategy:ident, $words:expr, $queries:expr, $edits:expr) => {{
        let edits: i64 = $edits.parse().expect("a number of edits");
        let mut symspell: $symspell::SymSpell<$symspell::$strategy> =
            $symspell::SymSpellBuilder::default()
                .max_dictionary_edit_distance(edits)
                .prefix_length(7)
                .count_threshold(1)
                .build()
                .expect("settings of the defaults");
        for word in lines($words) {
            symspell.load_dictionary_line(&format!("{word}\t1"), 0, 1, "\t");
        }
        look_up(&lines($queries), |query| {
            symspell.lookup(query, $symspell::Verbosity::All, edits).len()
        });
    }};
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["passjoin", strings, edits, pairs] => {
            let found = passjoin::join(&lines(strings), edits.parse().expect("a number of edits"));
            let text: String = found.iter().map(|(a, b)| format!("{a}\t{b}\n")).collect();
            fs::write(pairs, text).expect("a file of pairs");
        }
        ["symspell", words, queries, edits] => {
            look_up_in!(symspell, UnicodeStringStrategy, words, queries, edits);
        }
        ["symspell-ascii", words, queries, edits] => {
            look_up_in!(symspell, AsciiStringStrategy, words, queries, edits);
        }
        ["fast_symspell", words, queries, edits] => {
            look_up_in!(fast_symspell, UnicodeStringStrategy, words, queries, edits);
        }
        ["fast_symspell-ascii", words, queries, edits] => {
            look_up_in!(fast_symspell, AsciiStringStrategy, words, queries, edits);
        }
        ["symspell_rs", words, queries, edits] => {
            let edits: usize = edits.parse().expect("a number of edits");
            let mut symspell = symspell_rs::SymSpell::new(edits, None, 7, 1);
            for word in lines(words) {
                symspell.create_dictionary_entry(word, 1);
            }
            look_up(&lines(queries), |query| {
                let all = symspell_rs::Verbosity::All;
                symspell.lookup(query, all, edits, &None, None, true).len()
            });
        }
        _ => panic!("usage: see the first lines of main.rs"),
    }
}
