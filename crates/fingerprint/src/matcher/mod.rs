//! Whether two prints are of one finger, by laying one over the other: the verifier of a short list.
//!
//! ```text
//! edges that agree ──▶ seeds: pairs of minutiae with many ──▶ overlay ──▶ minutiae paired one to one ──▶ score
//! ```
//!
//! 1. An *edge* joins a minutia to one of its nearest neighbours; its length and the two angles between it and the directions
//!    of its ends do not depend on how the finger was laid down. Edges of both prints are compared.
//! 2. Two minutiae of which many edges agree are a *seed*: they say how one print lies over the other.
//! 3. Under that rotation and shift minutiae are paired one to one, the closest first; what is paired improves the overlay,
//!    twice.
//! 4. The score of the best overlay counts what is paired against what could have been: see [`Comparison`].
//!
//! Looking for the best overlay among all pairs of minutiae instead of seeds costs ten times as much and finds the same.

mod cells;
mod edges;
mod overlay;
#[cfg(test)]
mod tests;

use crate::{Minutia, Selection, Template};
use edges::{Edges, Mate, NEIGHBOURS};
use overlay::{Paired, Places, REACH, Rigid};

/// Compares prints.
///
/// ```
/// use lookalike_fingerprint::{Matcher, generate::{Finger, Impression}};
///
/// let impression = Impression::default();
/// let [a, b] = [Finger::new(1), Finger::new(2)];
/// let matcher = Matcher::default();
/// let prepare = |finger, seed| matcher.prepare(&impression.of(finger, seed));
/// let same = matcher.compare(&prepare(&a, 1), &prepare(&a, 2));
/// let other = matcher.compare(&prepare(&a, 1), &prepare(&b, 1));
/// assert!(same.score() > other.score());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matcher {
    selection: Selection,
}

/// A print made ready for many comparisons.
#[derive(Clone, Debug)]
pub struct Prepared {
    places: Places,
    edges: Edges,
}

/// How two prints lie over each other, and what that is worth.
///
/// The score is ln(1 + s) · w² / √(a·b), where w is the sum over the pairs of how close they are, from 0 to 1; s is how many
/// edges agree and have both ends paired; and a and b are the minutiae that each print has where the other one is, at
/// least 8. Few pairs of many that could be say nothing; pairs whose neighbourhoods agree too say much.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Places of minutiae in both prints that were paired, among the selected ones.
    pub pairs: Vec<(u8, u8)>,
    /// The sum of how close the pairs are, from 0 to 1 each.
    pub closeness: f32,
    /// Edges that agree and have both ends paired.
    pub support: u32,
    /// Minutiae of each print that lie where the other print is.
    pub overlap: (u32, u32),
    /// Radians by which the second print is turned to lie over the first.
    pub rotation: f32,
    /// Pixels by which it is shifted after that.
    pub shift: (f32, f32),
}

/// Seeds that are tried.
const SEEDS: usize = 10;

impl Matcher {
    /// Compares the minutiae that a selection takes.
    #[must_use]
    pub fn new(selection: Selection) -> Self {
        Self { selection }
    }

    /// Which minutiae are compared.
    #[must_use]
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Makes a print ready.
    #[must_use]
    pub fn prepare(&self, template: &Template) -> Prepared {
        let minutiae: Vec<Minutia> = self.selection.of(template);
        Prepared {
            edges: Edges::new(&minutiae),
            places: Places::new(&minutiae),
        }
    }

    /// Lays two prints over each other as well as it can.
    #[must_use]
    pub fn compare(&self, a: &Prepared, b: &Prepared) -> Comparison {
        let mut work = Work::default();
        self.compare_with(a, b, &mut work)
    }

    /// The same, with memory that is used again from comparison to comparison.
    #[must_use]
    pub fn compare_with(&self, a: &Prepared, b: &Prepared, work: &mut Work) -> Comparison {
        let Work {
            mates,
            counts,
            seeds,
            paired,
            best_paired,
        } = work;
        a.edges.agreeing(&b.edges, mates);
        find_seeds(a, b, mates, counts, seeds);
        best_paired.clear();
        let mut best = Comparison::default();
        for &(_, seed) in seeds.iter() {
            let width = b.places.len();
            let (i, j) = (seed as usize / width, seed as usize % width);
            let mut overlay = Rigid::of_pair(&a.places, i, &b.places, j);
            overlay.pair(&a.places, &b.places, REACH.0, paired);
            // Three points hold an overlay; and what pairs half of what another does will not overtake it.
            if paired.len() < 3 || 2 * paired.len() < best_paired.len() {
                continue;
            }
            for reach in [REACH.0, REACH.1] {
                overlay = Rigid::fit(&a.places, &b.places, paired);
                overlay.pair(&a.places, &b.places, reach, paired);
            }
            if paired.len() < 3 {
                continue;
            }
            let least = best.score();
            if let Some(found) = judge(a, b, mates, overlay, paired, least) {
                best = found;
                std::mem::swap(paired, best_paired);
            }
        }
        best.pairs = best_paired.iter().map(|pair| (pair.a, pair.b)).collect();
        best
    }
}

/// Memory for comparisons.
#[derive(Clone, Debug, Default)]
pub struct Work {
    mates: Vec<Mate>,
    counts: Vec<u16>,
    seeds: Vec<(u16, u32)>,
    paired: Vec<Paired>,
    best_paired: Vec<Paired>,
}

/// The pairs of minutiae with the most edges that agree, as (edges, place in a · width + place in b).
fn find_seeds(
    a: &Prepared,
    b: &Prepared,
    mates: &[Mate],
    counts: &mut Vec<u16>,
    seeds: &mut Vec<(u16, u32)>,
) {
    let width = b.places.len();
    counts.clear();
    counts.resize(a.places.len() * width, 0);
    seeds.clear();
    for mate in mates {
        for (i, j) in [mate.from, mate.to] {
            let place = i as usize * width + j as usize;
            counts[place] += 1;
            if counts[place] == 2 {
                seeds.push((0, place as u32));
            }
        }
    }
    for (count, place) in &mut *seeds {
        *count = counts[*place as usize];
    }
    let best_first = |seed: &(u16, u32)| (std::cmp::Reverse(seed.0), seed.1);
    if seeds.len() > SEEDS {
        seeds.select_nth_unstable_by_key(SEEDS - 1, best_first);
        seeds.truncate(SEEDS);
    }
    seeds.sort_unstable_by_key(best_first);
}

/// The overlay without its pairs, if it is worth more than `least`.
fn judge(
    a: &Prepared,
    b: &Prepared,
    mates: &[Mate],
    overlay: Rigid,
    paired: &[Paired],
    least: f32,
) -> Option<Comparison> {
    let (rotation, shift) = overlay.parts();
    let mut found = Comparison {
        pairs: Vec::new(),
        closeness: paired.iter().map(|pair| 1.0 - pair.apart / 2.0).sum(),
        // No more than all edges that start at a paired minutia agree.
        support: (NEIGHBOURS * paired.len()) as u32,
        overlap: overlay.overlap(&a.places, &b.places),
        rotation,
        shift,
    };
    if found.score() <= least {
        return None;
    }
    let mut partner = [None; 256];
    for pair in paired {
        partner[pair.a as usize] = Some(pair.b);
    }
    let together = |(i, j): (u8, u8)| partner[i as usize] == Some(j);
    let support = mates
        .iter()
        .filter(|mate| together(mate.from) & together(mate.to));
    found.support = support.count() as u32;
    (found.score() > least).then_some(found)
}

impl Comparison {
    /// What the overlay is worth: 0 where there is none.
    #[must_use]
    pub fn score(&self) -> f32 {
        let at_least = |minutiae: u32| minutiae.max(8) as f32;
        let possible = at_least(self.overlap.0) * at_least(self.overlap.1);
        (self.support as f32).ln_1p() * self.closeness * self.closeness / possible.sqrt()
    }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "score {:.2}: {} pairs of {} and {} minutiae where both prints are, closeness {:.1}, {} edges agree; turned by {:.0}°, \
             shifted by {:.0}, {:.0} pixels",
            self.score(),
            self.pairs.len(),
            self.overlap.0,
            self.overlap.1,
            self.closeness,
            self.support,
            self.rotation.to_degrees(),
            self.shift.0,
            self.shift.1,
        )
    }
}
