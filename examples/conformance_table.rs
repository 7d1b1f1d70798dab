//! False alarms of conformance over all families and methods of the project, and how long a check takes: the second
//! table of `docs/conformance.md`.
//!
//! `conformance_table [QUICK] [THOROUGH] [NAME...]`: runs of each with the seeds below these numbers, 200 and 50 if not
//! given; of the kinds, measures, families and methods with these names, or of all.

#[path = "../crates/core/examples/cpu_time/mod.rs"]
mod cpu_time;

use cpu_time::mean_seconds;
use lookalike::{builtin, conformance::Effort, search::Entry};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| {
        let text = given.get(place);
        text.map_or(default, |text| text.parse().expect("a number of seeds"))
    };
    let (quick, thorough) = (number(0, 200), number(1, 50));
    let names = given.get(2..).unwrap_or_default();
    println!(
        "| kind | distance | family or method | false alarms in {quick} quick runs | CPU seconds of one | in {thorough} thorough runs | CPU seconds of one |"
    );
    println!("|---|---|---|---|---|---|---|");
    let registry = builtin();
    let is_wanted = |entry: &&Entry| {
        let own = [entry.kind, entry.measures[0].flag, entry.name];
        names.is_empty() || names.iter().any(|name| own.contains(&name.as_str()))
    };
    for entry in registry.entries().iter().filter(is_wanted) {
        let [quick, thorough] = [(Effort::QUICK, quick), (Effort::THOROUGH, thorough)]
            .map(|(effort, seeds)| alarms(entry, effort, seeds));
        println!(
            "| {} | {} | {} | {} | {:.2} | {} | {:.2} |",
            entry.kind,
            entry.measures[0].flag,
            entry.name,
            quick.0,
            quick.1,
            thorough.0,
            thorough.1
        );
    }
}

/// How many runs found something wrong, and the seconds of one.
fn alarms(entry: &Entry, effort: Effort, seeds: u64) -> (u64, f64) {
    let mut alarms = 0;
    let seconds = mean_seconds(seeds, |seed| {
        if let Err(violation) = entry.conformance(effort, seed) {
            let (kind, measure) = (entry.kind, entry.measures[0].flag);
            eprintln!("{kind} {measure} {}, seed {seed}: {violation}", entry.name);
            alarms += 1;
        }
    });
    (alarms, seconds)
}
