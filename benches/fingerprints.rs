//! Search in fingerprints: `cargo bench --bench fingerprints` (`-- --quick` for a twentieth of the prints; `-- matcher`, `fast`,
//! `accurate` or `grid` for one part alone).
//!
//! One thread, CPU time, the best of several rounds. Prints are generated: one of each finger is stored, and another one of some
//! of them is searched for. Beside the two profiles of `LocalTriples` stand the matcher alone, which compares everything, and the
//! textbook's grid.
//!
//! A *search* is all from a template to the ranked list of the best hundredth of the stored prints: keys, buckets, votes,
//! ranking. *Verified* is that, and the matcher on the best 100 of the list; stored prints were made ready for it before.

use std::{fs, hint::black_box, time::Instant};

use lookalike::{
    KeySource, LshFamily,
    engine::BucketIndex,
    fingerprint::{
        Grid, GridSquares, LocalTriples, Matcher, Prepared, Ranked, Squares, Template, Triples,
        Votes, Work,
        generate::{Finger, Impression},
    },
};
use rayon::prelude::*;

const ROUNDS: usize = 2;
/// The smallest time that is measured, by asking again and again.
const LEAST: f64 = 0.1;
/// Prints of a list that the matcher looks at.
const VERIFIED: usize = 100;
/// Stored prints that are compared without an index, and that the textbook's grid holds: it is too slow for all.
const SAMPLE: usize = 2_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let parts = ["matcher", "fast", "accurate", "grid"];
    let all = !parts.iter().any(|part| has(part));
    let wanted = |part: &str| all || has(part);
    let (stored, asked) = match has("--quick") {
        true => (5_000, 100),
        false => (100_000, 100),
    };
    let scene = Scene::new(stored, asked);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(|| {
        println!("{stored} stored prints, {asked} searches for other prints of stored fingers\n");
        let alone = wanted("matcher").then(|| scene.matcher());
        let profiles = [("fast", Triples::fast()), ("accurate", Triples::accurate())];
        for (name, triples) in profiles.into_iter().filter(|profile| wanted(profile.0)) {
            println!("\nlocal triples, {name}");
            let search = scene.triples(triples);
            if let Some(alone) = alone {
                let ratio = alone * stored as f64 / search;
                println!("  beside comparing everything       {ratio:>10.0} ×");
            }
        }
        if wanted("grid") {
            scene.textbook();
        }
    });
}

/// The stored prints, and those that are searched for: probe i is of stored finger `mates[i]`.
struct Scene {
    stored: Vec<Template>,
    ready: Vec<Prepared>,
    probes: Vec<Template>,
    mates: Vec<u32>,
    /// Other prints of the first stored fingers.
    first: Vec<Template>,
}

impl Scene {
    fn new(stored: usize, asked: usize) -> Self {
        let impression = Impression::default();
        let print = |finger: u64, seed: u64| impression.of(&Finger::new(finger), seed);
        let all = (0..stored as u64).into_par_iter();
        let stored: Vec<Template> = all.map(|finger| print(finger, 2 * finger)).collect();
        let step = stored.len() / asked;
        let mates: Vec<u32> = (0..asked).map(|probe| (probe * step) as u32).collect();
        let again = |&mate: &u32| print(mate.into(), 2 * u64::from(mate) + 1);
        let probes = mates.iter().map(again).collect();
        let first = (0..100).map(|mate| again(&mate)).collect();
        let ready = stored
            .par_iter()
            .map(|print| Matcher::default().prepare(print));
        Self {
            ready: ready.collect(),
            stored,
            probes,
            mates,
            first,
        }
    }

    /// The matcher without an index; the seconds that it takes for a comparison.
    fn matcher(&self) -> f64 {
        println!("the matcher alone");
        let matcher = Matcher::default();
        let few = &self.stored[..SAMPLE.min(self.stored.len())];
        let prepare = best(|| {
            few.iter()
                .for_each(|print| _ = black_box(matcher.prepare(print)));
        });
        row("templates made ready", few.len() as f64 / prepare, "/s");

        let sample = &self.ready[..few.len()];
        let probes = self.first[..20].iter().map(|probe| matcher.prepare(probe));
        let probes: Vec<Prepared> = probes.collect();
        let mut work = Work::default();
        let mut first = 0;
        let compare = best(|| {
            first = 0;
            for (mate, probe) in probes.iter().enumerate() {
                let score = |print| matcher.compare_with(probe, print, &mut work).score();
                let scores: Vec<f32> = sample.iter().map(score).collect();
                let found = scores[mate];
                let better = scores.iter().filter(|&&score| score > found).count();
                first += usize::from(better == 0 && found > 0.0);
            }
        });
        let compare = compare / (probes.len() * sample.len()) as f64;
        row("templates compared", 1.0 / compare, "/s");
        let all = compare * self.stored.len() as f64;
        println!("  comparing everything              {all:>10.2} s a search");
        let share = first as f64 / probes.len() as f64;
        println!(
            "  the mate is the best of {} for      {share:>10.3}   ({} probes)",
            sample.len(),
            probes.len()
        );
        compare
    }

    /// An index of local triples; the seconds that a search takes.
    fn triples(&self, triples: Triples) -> f64 {
        let source = LocalTriples::new(triples).expect("a profile");
        let start = cpu();
        let index = BucketIndex::build(source, &self.stored).expect("an index");
        let build = cpu() - start;
        let (stored, asked) = (self.stored.len() as f64, self.probes.len() as f64);
        row("enrolled", stored / build, "prints/s");
        row("index", index.bytes() as f64 / stored, "bytes a print");

        let (mut keys, mut hits) = (0u64, 0u64);
        let mut query = index.query();
        let mut votes = Votes::default();
        let mut search = |probe: &Template, top: usize| -> Vec<Ranked> {
            let vote = query.hits(probe, |hit| {
                votes.add(hit.id, hit.stored, hit.asked, hit.bucket)
            });
            vote.expect("few keys");
            votes.ranked(top)
        };
        let top = self.stored.len() / 100;
        let lists: Vec<Vec<Ranked>> = self
            .probes
            .iter()
            .map(|probe| search(probe, usize::MAX))
            .collect();
        let plain = best(|| {
            for probe in &self.probes {
                black_box(search(probe, top));
            }
        }) / asked;
        let mut first = 0;
        let mut work = Work::default();
        let verified = best(|| {
            first = 0;
            for (probe, mate) in self.probes.iter().zip(&self.mates) {
                let list = search(probe, top);
                first += usize::from(self.verified(probe, &list, &mut work) == Some(*mate));
            }
        }) / asked;
        for probe in &self.probes {
            let asks = source.probes(probe, &mut Default::default(), |_, _, _| keys += 1);
            asks.expect("few keys");
            let visits = index.query().hits(probe, |_| hits += 1);
            visits.expect("few keys");
        }
        row("searches", 1.0 / plain, "/s");
        row("verified", 1.0 / verified, "/s");
        row("keys asked", keys as f64 / asked, "a probe");
        row("hits", hits as f64 / asked, "a probe");
        println!(
            "  rank 1, best 1%, best 5%          {}",
            self.within(&lists)
        );
        println!(
            "  rank 1 after verification         {:>10.3}",
            first as f64 / asked
        );
        println!(
            "  hit rate and penetration          {}",
            self.penetration(&lists)
        );
        plain
    }

    /// The print that the matcher takes for the mate among the best of a list.
    fn verified(&self, probe: &Template, list: &[Ranked], work: &mut Work) -> Option<u32> {
        let matcher = Matcher::default();
        let probe = matcher.prepare(probe);
        let scores = list.iter().take(VERIFIED).map(|ranked| {
            let print = &self.ready[ranked.id as usize];
            (matcher.compare_with(&probe, print, work).score(), ranked.id)
        });
        scores.max_by(|a, b| a.0.total_cmp(&b.0)).map(|best| best.1)
    }

    /// The share of the searches that have the mate so early in their lists.
    fn within(&self, lists: &[Vec<Ranked>]) -> String {
        let shares = [1, self.stored.len() / 100, self.stored.len() / 20].map(|top| {
            let found = self.mates.iter().zip(lists);
            let found = found
                .filter(|(mate, list)| list.iter().take(top).any(|ranked| ranked.id == **mate));
            format!("{:>10.3}", found.count() as f64 / lists.len() as f64)
        });
        shares.join(" ")
    }

    /// For some scores, the share of the searches whose mate has that much, and the share of the stored prints that do.
    fn penetration(&self, lists: &[Vec<Ranked>]) -> String {
        let shares = [0.0, 0.01, 0.1, 0.5].map(|least| {
            let (mut mates, mut all) = (0.0, 0.0);
            for (&mate, list) in self.mates.iter().zip(lists) {
                let taken = || list.iter().filter(|ranked| ranked.score >= least);
                all += taken().count() as f64 / self.stored.len() as f64;
                mates += f64::from(u8::from(taken().any(|ranked| ranked.id == mate)));
            }
            let [mates, all] = [mates, all].map(|sum| sum / lists.len() as f64);
            match least {
                0.0 => format!("{mates:.3} / {all:.4} any vote"),
                _ => format!("{mates:.3} / {all:.5} from {least}"),
            }
        });
        shares.join(", ")
    }

    /// The textbook's grid in the frame of the image: one of 1024 functions of three squares.
    fn textbook(&self) {
        let few = SAMPLE.min(self.stored.len());
        println!("\nthe textbook's grid, {few} stored prints; 1024 functions of three squares");
        for (cell, tolerance) in [(25.0, 3.0), (40.0, 10.0)] {
            let (columns, rows) = ((400.0f32 / cell).ceil(), (500.0f32 / cell).ceil());
            let grid = Grid::new(columns as u32, rows as u32, cell).expect("squares");
            let grid = grid.tolerance(tolerance).expect("less than a square");
            let family = GridSquares::new(grid.total()).expect("squares");
            let functions = family.or(1024).draw(0).expect("few keys");
            let squares: Vec<Squares> = self.stored[..few]
                .iter()
                .map(|print| grid.squares(print))
                .collect();
            let index = BucketIndex::build(functions, &squares).expect("an index");
            let mut query = index.query();
            let (mut found, mut met) = (0, 0);
            let seconds = best(|| {
                (found, met) = (0, 0);
                for (mate, probe) in (0..).zip(&self.first) {
                    let candidates = query.candidates(&grid.squares(probe)).expect("few keys");
                    met += candidates.len();
                    found += usize::from(candidates.binary_search(&mate).is_ok());
                }
            });
            let asked = self.first.len() as f64;
            println!(
                "  squares of {cell} px ± {tolerance}: hit rate {:.3}, penetration {:.3}, {:.0} searches/s, {:.0} bytes a print",
                found as f64 / asked,
                met as f64 / asked / few as f64,
                asked / seconds,
                index.bytes() as f64 / few as f64
            );
        }
    }
}

fn row(name: &str, value: f64, unit: &str) {
    println!("  {name:<33} {value:>10.0} {unit}");
}

/// The best time of several rounds, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let (start, mut times) = (cpu(), 0.0);
        while times == 0.0 || cpu() - start < LEAST {
            work();
            times += 1.0;
        }
        (cpu() - start) / times
    });
    rounds.fold(f64::MAX, f64::min)
}

/// Seconds of CPU time of this thread, where the system tells them; otherwise of the clock.
fn cpu() -> f64 {
    thread_local! { static START: Instant = Instant::now(); }
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.with(|start| start.elapsed().as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}
