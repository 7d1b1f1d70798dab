use lookalike_core::KeySource;
use lookalike_engine::{Brute, BucketIndex, Columns, Join, Match, Pair};
use lookalike_hamming::{
    BitSampling, Blocks, CodeMethod, CodePlan, Codes, Probed, Probing, distance,
};

use crate::{Error, unique::Unique};

/// All pairs of codes within a radius.
///
/// Equal codes were compared once; their pairs are made when they are asked for.
#[derive(Debug)]
pub struct Pairs {
    unique: Unique,
    /// The pairs of unique codes, the nearest first.
    matches: Vec<Match>,
}

/// Finds all pairs of codes within a radius, the way that a plan says, on the threads of the current rayon pool.
///
/// Codes at the radius are found as often as the plan promises; equal codes always.
pub fn pairs(codes: &Codes, plan: CodePlan, seed: u64, radius: u32) -> Result<Pairs, Error> {
    let unique = Unique::new(codes)?;
    let bits = codes.bit_length();
    let matches = match plan.method {
        CodeMethod::BruteForce => Brute::new(&unique.codes)?.pairs(radius.into()),
        CodeMethod::BitSampling {
            rows,
            tables,
            flips,
        } => {
            let family = BitSampling::new(bits)?.rows(rows)?;
            let source = Probing::new(&family, tables, flips, seed)?;
            keyed(&unique.codes, source, radius)?
        }
        CodeMethod::Blocks {
            blocks,
            at_most,
            flips,
        } => {
            let family = Blocks::new(bits, blocks)?.at_most(at_most)?;
            let source = Probing::new(&family, blocks, flips, seed)?;
            keyed(&unique.codes, source, radius)?
        }
    };
    Ok(Pairs { unique, matches })
}

fn keyed<F: Probed + Sync>(
    codes: &Codes,
    source: Probing<F>,
    radius: u32,
) -> Result<Vec<Match>, Error> {
    if source.has_probes() {
        // A join sees stored keys alone.
        return Ok(BucketIndex::build(source, codes)?.matches(codes, radius.into())?);
    }
    let columns = Columns::build(&source, codes)?;
    let near = |pair: Pair| {
        let distance = distance(codes.get(pair.a() as usize), codes.get(pair.b() as usize));
        (distance <= radius).then(|| f64::from(distance))
    };
    // No limit on buckets: what was promised is to be found.
    let join = Join::new(&columns).bucket_limit(usize::MAX);
    Ok(join.matches(&near).found)
}

impl Pairs {
    /// How many pairs there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        let copies = |code: u32| self.unique.places(code).len() as u64;
        let equal = (0..self.unique.codes.len() as u32).map(|code| {
            let copies = copies(code);
            copies * (copies - 1) / 2
        });
        let near = self.matches.iter();
        let near = near.map(|near| copies(near.pair.a()) * copies(near.pair.b()));
        equal.sum::<u64>() + near.sum::<u64>()
    }

    /// All pairs, the nearest first, and at one distance in the order in which the codes first stand.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let codes = 0..self.unique.codes.len() as u32;
        let equal = codes.flat_map(|code| {
            let places = self.unique.places(code);
            let after = move |i: usize| places[i + 1..].iter().map(move |&b| (places[i], b, 0));
            (0..places.len()).flat_map(after)
        });
        let near = self.matches.iter().flat_map(|near| {
            let [a, b] = [near.pair.a(), near.pair.b()].map(|code| self.unique.places(code));
            let pair = |a: u32, b: u32| (a.min(b), a.max(b), near.distance as u32);
            a.iter()
                .flat_map(move |&a| b.iter().map(move |&b| pair(a, b)))
        });
        equal.chain(near)
    }
}
