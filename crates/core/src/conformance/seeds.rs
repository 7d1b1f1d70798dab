//! Whether draws depend on their seed: on all of it, and on nothing else.

use super::{
    Violation,
    run::{Draw, Visit},
};
use crate::random;

/// What stands for the answers of a draw to a pair.
pub(super) type Print<'a, I> = Draw<'a, I, Answers>;

/// What stands for all answers to a pair.
pub(super) struct Answers {
    /// A number for all of them.
    pub(super) hash: u64,
    /// Whether they would be the same under any other functions: all agree, or none does.
    pub(super) say_nothing: bool,
}

impl Answers {
    /// Whether functions agree, one by one.
    pub(super) fn of_agreements(agreements: &[bool]) -> Self {
        Self {
            hash: super::hash(agreements.iter().map(|&it| Some(u64::from(it)))),
            say_nothing: agreements.windows(2).all(|pair| pair[0] == pair[1]),
        }
    }
}

/// Pairs that are looked at together: enough that two unrelated draws never answer all of them alike.
const PAIRS: u64 = 8;
/// Unrelated seeds that are compared, and seeds whose bits are flipped.
const SEEDS: u64 = 16;

/// Refuses draws that are different for one seed.
pub(super) fn repeatable<I: ?Sized>(
    visit: &Visit<'_, I>,
    distance: f64,
    seed: u64,
    print: &Print<'_, I>,
) -> Result<(), Violation> {
    for number in 0..SEEDS {
        // The seed that was given comes first, so that a message names it.
        let own = if number == 0 {
            seed
        } else {
            random::derive(seed, number)
        };
        if all(visit, distance, seed, own, print)? != all(visit, distance, seed, own, print)? {
            return Err(Violation::Unstable(own));
        }
    }
    Ok(())
}

/// Refuses draws that are the same for different seeds, or for seeds that differ in one bit.
///
/// A right family that answers alike by chance, as one with hardly any buckets may, is not refused: a seed is ignored if
/// more than half of 16 pairs of unrelated seeds agree, a bit of it if all of 32 pairs do that differ in it.
pub(super) fn sensitive<I: ?Sized>(
    visit: &Visit<'_, I>,
    distance: f64,
    seed: u64,
    print: &Print<'_, I>,
) -> Result<(), Violation> {
    /// Pairs of seeds that must agree before a bit counts as ignored.
    const AGREEING: u64 = 32;
    let own = |number| random::derive(seed, 1000 + number);
    let draw = |of| all(visit, distance, seed, of, print);
    let mut alike = Vec::new();
    for number in 0..SEEDS {
        let seeds = [own(2 * number), own(2 * number + 1)];
        if draw(seeds[0])? == draw(seeds[1])? {
            alike.push(seeds);
        }
    }
    if alike.len() as u64 > SEEDS / 2 {
        return Err(Violation::SeedIgnored(alike[0][0], alike[0][1]));
    }
    let first = draw(own(0))?;
    for bit in 0..u64::BITS {
        let flipped = |number| draw(own(number) ^ 1 << bit);
        let mut agreeing = u64::from(first == flipped(0)?);
        while (1..AGREEING).contains(&agreeing) && draw(own(agreeing))? == flipped(agreeing)? {
            agreeing += 1;
        }
        if agreeing == AGREEING {
            return Err(Violation::SeedBitIgnored(bit, own(0), own(0) ^ 1 << bit));
        }
    }
    Ok(())
}

/// One number for the answers to all pairs.
fn all<I: ?Sized>(
    visit: &Visit<'_, I>,
    distance: f64,
    seed: u64,
    own: u64,
    print: &Print<'_, I>,
) -> Result<u64, Violation> {
    let mut ask = print(own)?;
    let mut sum = Ok((0, true));
    for pair in 0..PAIRS {
        let of_pair = random::derive(seed, 2000 + pair);
        visit(distance, of_pair, &mut |_, a, b| {
            if let Ok((hash, say_nothing)) = sum {
                sum = ask(a, b).map(|answers| {
                    let hash = crate::mix(hash ^ answers.hash).wrapping_add(pair);
                    (hash, say_nothing && answers.say_nothing)
                });
            }
        });
    }
    // Answers that say nothing do not say that the seed is ignored.
    let (hash, say_nothing) = sum?;
    Ok(if say_nothing {
        random::derive(own, 1)
    } else {
        hash
    })
}
