//! DNA reads that overlap, by their shared k-mers.
//!
//!     cargo run --release --example dna_reads
//!
//! A sequencer gives short reads from unknown places of a genome, from either strand, with errors. Two reads of the same place
//! share most of their k-mers: the substrings of k letters, where a k-mer and its reverse complement count as one. So a read is
//! a set of integers, and overlaps are pairs of similar sets. The genome is drawn here, so that the true overlaps are known.

use lookalike::engine::{Columns, Exact, Join};
use lookalike::minhash::{FastSimilarity, Integers, Jaccard};
use lookalike::random::{self, Stream};
use lookalike::{LshFamily, tune::Goal};

/// Letters of a k-mer. 4^15 is over a billion, so that k-mers of other places hardly ever agree by chance.
const K: usize = 15;
const GENOME: usize = 20_000;
const READS: usize = 1000;
const READ: usize = 200;
/// Letters of a read that are wrong, one in so many.
const ERRORS: u32 = 200;
/// Jaccard similarity of the k-mers of reads that overlap enough to be found.
const SIMILARITY: f64 = 0.5;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (reads, places) = reads();
    let sets: Vec<Vec<u64>> = reads.iter().map(|read| kmers(read)).collect();

    let family = FastSimilarity::new(Integers);
    let plan = Goal::new(1.0 - SIMILARITY, 0.9)?.plan(&family)?;
    let source = family.amplify(plan.banding.scheme()).draw(1)?;
    let columns = Columns::build(&source, &sets)?;
    let jaccard = Jaccard::new(Integers);
    let exact = Exact::new(&jaccard, &sets);
    let joined = Join::new(&columns).matches(&exact.within(1.0 - SIMILARITY));
    let (candidates, found) = (joined.summary.candidates, joined.found.len());
    println!(
        "{}: {candidates} candidates, {found} overlaps of {READS} reads",
        plan.banding
    );

    // The reads know where they come from.
    let common = |a: usize, b: usize| READ.saturating_sub(places[a].abs_diff(places[b]));
    let [a, b] = joined
        .found
        .first()
        .map_or([0, 0], |it| [it.pair.a(), it.pair.b()]);
    let shared = common(a as usize, b as usize);
    println!("reads {a} and {b} have {shared} of {READ} letters in common");
    let is_wrong = |a: u32, b: u32| common(a as usize, b as usize) < READ / 4;
    let wrong = joined
        .found
        .iter()
        .filter(|it| is_wrong(it.pair.a(), it.pair.b()));
    let wrong = wrong.count();
    // Reads that differ by a tenth of their length at most.
    let pairs = (0..READS).flat_map(|b| (0..b).map(move |a| (a, b)));
    let near: Vec<(usize, usize)> = pairs
        .filter(|&(a, b)| common(a, b) * 10 >= READ * 9)
        .collect();
    let is_found = |&(a, b): &(usize, usize)| {
        let ids = (a as u32, b as u32);
        joined
            .found
            .iter()
            .any(|it| (it.pair.a(), it.pair.b()) == ids)
    };
    let right = near.iter().filter(|pair| is_found(pair)).count();
    println!(
        "{right} of {} pairs that share 90 % of their letters; {wrong} wrong ones",
        near.len()
    );
    assert_eq!(wrong, 0);
    assert!(
        near.len() > 500 && right * 100 >= near.len() * 70,
        "{right} of {}",
        near.len()
    );
    Ok(())
}

/// Reads from both strands with errors, and where they begin.
fn reads() -> (Vec<Vec<u8>>, Vec<usize>) {
    let mut rng = random::stream(2026, 0);
    let genome: Vec<u8> = (0..GENOME).map(|_| letter(&mut rng)).collect();
    let mut read = || {
        let place = random::below((GENOME - READ) as u32, &mut rng) as usize;
        let mut read = genome[place..place + READ].to_vec();
        for it in &mut read {
            if random::below(ERRORS, &mut rng) == 0 {
                *it = letter(&mut rng);
            }
        }
        if random::below(2, &mut rng) == 0 {
            read = read.iter().rev().map(|it| 3 - it).collect();
        }
        (read, place)
    };
    (0..READS).map(|_| read()).unzip()
}

/// A, C, G or T as 0 to 3: complements sum to 3.
fn letter(rng: &mut Stream) -> u8 {
    random::below(4, rng) as u8
}

/// The k-mers of a read, each as the smaller of itself and its reverse complement; sorted, without repeats.
fn kmers(read: &[u8]) -> Vec<u64> {
    let number = |letters: &mut dyn Iterator<Item = u8>| {
        letters.fold(0, |number, letter| number << 2 | u64::from(letter))
    };
    let canonical = |kmer: &[u8]| {
        let forward = number(&mut kmer.iter().copied());
        let backward = number(&mut kmer.iter().rev().map(|letter| 3 - letter));
        forward.min(backward)
    };
    let mut kmers: Vec<u64> = read.windows(K).map(canonical).collect();
    kmers.sort_unstable();
    kmers.dedup();
    kmers
}
