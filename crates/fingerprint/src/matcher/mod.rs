//! Whether two prints are of one finger, by laying one over the other: the verifier of a short list.
//!
//! ```text
//! edges that agree ──▶ seeds: pairs of minutiae with some ──▶ overlay that most share ──▶ minutiae paired one to one ──▶ score
//! ```
//!
//! 1. An *edge* joins a minutia to one of its nearest neighbours; its length and the two angles between it and the directions
//!    of its ends do not depend on how the finger was laid down. Edges of both prints are compared.
//! 2. Two minutiae of which edges agree are a *seed*: they say how one print lies over the other. The seed whose rotation and
//!    shift the most edges of other seeds share gives the overlay, fitted to all of these.
//! 3. Under the overlay minutiae are paired one to one, the closest first; it is fitted to what is paired, and they are paired
//!    anew.
//! 4. The score counts what is paired against what could have been: see [`Comparison`].
//!
//! Pairing minutiae under the overlay of each of the ten best seeds and taking the best score costs five times as much
//! and finds the same mates.

mod block;
mod cells;
mod edges;
mod overlay;
mod seeds;
#[cfg(test)]
mod tests;

use crate::{Minutia, Selection, Template};
use edges::{Edges, Mate};
use overlay::{Paired, Places, REACH, Rigid};
use seeds::Seeds;

/// The usual minimum [score](Comparison::score) for two prints to count as prints of one finger.
///
/// Of the pairs of different fingers in FVC2002 DB3 and DB4 fewer than one in a thousand reach it.
pub const DEFAULT_MATCH_SCORE: f32 = 11.0;

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
/// The score is ln(1 + 2s) · w² / √(a·b), where w is the sum over the pairs of how close they are, from 0 to 1; s is how many
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

/// Points that hold an overlay.
const HOLD: usize = 3;

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
            seeds,
            paired,
        } = work;
        a.edges.agreeing(&b.edges, mates);
        let overlay = seeds.overlay(&a.places, &b.places, mates);
        overlay
            .and_then(|overlay| judge(a, b, mates, overlay, paired))
            .unwrap_or_default()
    }
}

/// Memory for comparisons.
#[derive(Clone, Debug, Default)]
pub struct Work {
    mates: Vec<Mate>,
    seeds: Seeds,
    paired: Vec<Paired>,
}

/// What an overlay is worth once it is fitted to what it pairs; nothing where that does not hold it.
fn judge(
    a: &Prepared,
    b: &Prepared,
    mates: &[Mate],
    overlay: Rigid,
    paired: &mut Vec<Paired>,
) -> Option<Comparison> {
    overlay.pair(&a.places, &b.places, REACH.0, paired);
    if paired.len() < HOLD {
        return None;
    }
    let overlay = Rigid::fit(&a.places, &b.places, paired)?;
    overlay.pair(&a.places, &b.places, REACH.1, paired);
    if paired.len() < HOLD {
        return None;
    }
    let mut partner = [None; 256];
    for pair in paired.iter() {
        partner[pair.a as usize] = Some(pair.b);
    }
    let together = |(i, j): (u8, u8)| partner[i as usize] == Some(j);
    let support = mates
        .iter()
        .filter(|mate| together(mate.from) & together(mate.to));
    let (rotation, shift) = overlay.parts();
    Some(Comparison {
        pairs: paired.iter().map(|pair| (pair.a, pair.b)).collect(),
        closeness: paired.iter().map(|pair| 1.0 - pair.apart / 2.0).sum(),
        support: support.count() as u32,
        overlap: overlay.overlap(&a.places, &b.places),
        rotation,
        shift,
    })
}

impl Comparison {
    /// What the overlay is worth: 0 where there is none.
    #[must_use]
    pub fn score(&self) -> f32 {
        let at_least = |minutiae: u32| minutiae.max(8) as f32;
        let possible = at_least(self.overlap.0) * at_least(self.overlap.1);
        (2.0 * self.support as f32).ln_1p() * self.closeness * self.closeness / possible.sqrt()
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
