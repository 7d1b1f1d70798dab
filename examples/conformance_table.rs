//! False alarms of conformance over all families and methods of the project, and how long a check takes: the second
//! table of `docs/conformance.md`.
//!
//! `conformance_table [QUICK] [THOROUGH] [KIND]`: runs of each with the seeds below these numbers, 200 and 50 if not
//! given; of one kind, or of all.

use std::time::{Duration, Instant};

use lookalike::{builtin, conformance::Effort, search::Entry};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| {
        let text = given.get(place);
        text.map_or(default, |text| text.parse().expect("a number of seeds"))
    };
    let (quick, thorough) = (number(0, 200), number(1, 50));
    println!(
        "| kind | family or method | false alarms in {quick} quick runs | seconds of one | in {thorough} thorough runs | seconds of one |"
    );
    println!("|---|---|---|---|---|---|");
    let registry = builtin();
    let is_wanted = |entry: &&Entry| given.get(2).is_none_or(|kind| kind == entry.kind);
    for entry in registry.entries().iter().filter(is_wanted) {
        let [quick, thorough] = [(Effort::QUICK, quick), (Effort::THOROUGH, thorough)]
            .map(|(effort, seeds)| alarms(entry, effort, seeds));
        println!(
            "| {} | {} | {} | {:.2} | {} | {:.2} |",
            entry.kind, entry.name, quick.0, quick.1, thorough.0, thorough.1
        );
    }
}

/// How many runs found something wrong, and the seconds of the fastest.
fn alarms(entry: &Entry, effort: Effort, seeds: u64) -> (u64, f64) {
    let mut alarms = 0;
    let mut fastest = Duration::MAX;
    for seed in 0..seeds {
        let start = Instant::now();
        if let Err(violation) = entry.conformance(effort, seed) {
            eprintln!("{} {}, seed {seed}: {violation}", entry.kind, entry.name);
            alarms += 1;
        }
        fastest = fastest.min(start.elapsed());
    }
    (alarms, fastest.as_secs_f64())
}
