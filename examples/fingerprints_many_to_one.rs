//! Fingerprints, many-to-one: a print from a scene against a database whose buckets were computed beforehand.
//!
//!     cargo run --release --example fingerprints_many_to_one
//!
//! The textbook's functions ask for minutiae at places of a grid. Their index is built once, and a print from a scene is
//! compared with nothing but the prints in its buckets. First prints here lie alike, as the textbook assumes, and it works.
//! Then they lie as a scanner gets them, and it does not. At last squares are laid around each minutia instead of around the
//! print, votes make a ranked list, and a matcher verifies the first of it.

use std::time::Instant;

use lookalike::LshFamily;
use lookalike::engine::BucketIndex;
use lookalike::fingerprint::generate::{Anatomy, Impression};
use lookalike::fingerprint::{
    Grid, GridSquares, LocalTriples, Matcher, Squares, Template, Triples, Votes, Work,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Fingers of the database, and those of them that left a print at a scene.
const FINGERS: u64 = 1000;
const SCENES: u64 = 50;

pub(crate) fn main() -> Result<()> {
    println!("{FINGERS} prints in the database, {SCENES} prints of their fingers from scenes\n");
    println!(
        "The textbook's grid: one of 1024 functions of three squares, on better prints than there are: fingers that fill the
scanner and have few minutiae, of which a tenth is missed"
    );
    println!("  prints        squares        the finger is a candidate   so are of the others");
    // Better prints than there are: larger than the scanner, and a tenth of the minutiae missed.
    let fingers = Anatomy::default().area(460.0, 560.0)?.minutiae(50.0, 6.0)?;
    let alike = Impression::perfect()
        .noise(1.2, 0.05)?
        .dropped(0.1)?
        .spurious(3.0)?;
    let anyhow = alike.rotation(0.17)?.translation(48.0)?;
    for (name, impression) in [("lie alike", alike), ("lie anyhow", anyhow)] {
        for (cell, tolerance) in [(25.0, 3.0), (50.0, 12.0)] {
            let (found, others) = textbook(&fingers, impression, cell, tolerance)?;
            let squares = format!("{cell} px ± {tolerance}");
            println!("  {name:<13} {squares:<14} {found:>25.2} {others:>22.3}");
            // It tells fingers apart where prints lie alike, and only there.
            match name {
                "lie alike" if cell == 25.0 => assert!(found > 0.85 && others < 0.1),
                "lie anyhow" => assert!(found - others < 0.35),
                _ => {}
            }
        }
    }
    println!(
        "
A function asks for minutiae at *places*. Prints that lie alike have theirs in the same squares, most of the time. Moved
by a few squares and turned by 10°, a print of the same finger has them in other squares, and agrees hardly more than a
print of any other finger. Larger squares forgive the move, but then everybody's minutiae are in them: the finger is found,
together with most of the database.
"
    );
    local_triples()
}

/// The database: one print of each finger.
fn database(fingers: &Anatomy, impression: Impression) -> Vec<Template> {
    let print = |finger| impression.of(&fingers.finger(finger), 2 * finger);
    (0..FINGERS).map(print).collect()
}

/// The print at scene i, of finger 20·i.
fn scene(fingers: &Anatomy, impression: Impression, number: u64) -> (u32, Template) {
    let finger = number * (FINGERS / SCENES);
    let print = impression.of(&fingers.finger(finger), 2 * finger + 1);
    (finger as u32, print)
}

/// The share of the scenes for which the right finger is a candidate, and the share of all prints that are.
fn textbook(
    fingers: &Anatomy,
    impression: Impression,
    cell: f32,
    tolerance: f32,
) -> Result<(f64, f64)> {
    let grid = Grid::new((400.0 / cell) as u32, (500.0 / cell) as u32, cell)?;
    let grid = grid.tolerance(tolerance)?;
    let prints = database(fingers, impression);
    let squares: Vec<Squares> = prints.iter().map(|print| grid.squares(print)).collect();
    // Done once: which prints each of the functions puts into its bucket.
    let functions = GridSquares::new(grid.total())?.or(1024).draw(7)?;
    let index = BucketIndex::build(functions, &squares)?;
    let mut query = index.query();
    let (mut found, mut others) = (0, 0);
    for number in 0..SCENES {
        let (finger, print) = scene(fingers, impression, number);
        let candidates = query.candidates(&grid.squares(&print))?;
        let right = candidates.contains(&finger);
        found += usize::from(right);
        others += candidates.len() - usize::from(right);
    }
    Ok((
        found as f64 / SCENES as f64,
        others as f64 / (SCENES * (FINGERS - 1)) as f64,
    ))
}

/// Squares around each minutia: nothing depends on how the finger lay.
fn local_triples() -> Result<()> {
    let (fingers, usual) = (&Anatomy::default(), Impression::default());
    // Worse than a scanner's: a third is missed, up to half is cut off, and it lies as it was found.
    let bad = usual.dropped(0.3)?.cut(0.5)?.spurious(8.0)?.rotation(0.8)?;
    let prints = database(fingers, usual);
    let matcher = Matcher::default();
    let ready: Vec<_> = prints.iter().map(|print| matcher.prepare(print)).collect();
    let index = BucketIndex::build(LocalTriples::new(Triples::accurate())?, &prints)?;
    println!(
        "Local triples, fingers and a scanner as they are; prints from scenes are partial, turned and noisy:"
    );

    let (mut query, mut votes, mut work) = (index.query(), Votes::default(), Work::default());
    let (mut listed, mut first) = (0, 0);
    let start = Instant::now();
    for number in 0..SCENES {
        let (finger, print) = scene(fingers, bad, number);
        // Every shared bucket is a vote for one way to lay a stored print over this one.
        query.hits(&print, |hit| {
            votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
        })?;
        let cast = votes.len();
        let list = votes.ranked(FINGERS as usize / 20);
        listed += u32::from(list.iter().any(|ranked| ranked.id == finger));

        // Candidates are not matches yet: each of the list is laid over the print.
        let probe = matcher.prepare(&print);
        let mut verified = Vec::new();
        for ranked in &list {
            let stored = &ready[ranked.id as usize];
            let overlay = matcher.compare_with(&probe, stored, &mut work);
            verified.push((overlay, *ranked));
        }
        verified.sort_by(|a, b| b.0.score().total_cmp(&a.0.score()));
        first += u32::from(verified[0].1.id == finger);
        if number == 1 {
            println!(
                "\n  a print of finger {finger} with {} minutiae: {cast} votes",
                print.minutiae().len()
            );
            for (overlay, ranked) in &verified[..3] {
                println!(
                    "  finger {:>3}, {:.2} votes agree; {overlay}",
                    ranked.id, ranked.score
                );
            }
        }
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1e3 / SCENES as f64;
    println!(
        "
The votes of a stored print count as far as they agree on one way to lay it over the print from the scene, each by how few
prints share its bucket. The matcher's score grows with the minutiae that it can pair under the best overlay, against those
that both prints have where they overlap, and with the edges between neighbours that agree.

The right finger is in the best 5% by votes for {listed} of {SCENES} scenes, and first after verification for {first};
{milliseconds:.1} ms a scene."
    );
    assert!(listed * 10 >= SCENES as u32 * 8 && first * 10 >= SCENES as u32 * 7);
    Ok(())
}
