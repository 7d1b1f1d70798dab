use std::ops::Range;

use super::{
    edges::Mate,
    overlay::{Fit, Places, Rigid, Turn},
};

/// Pairs of minutiae with edges that agree: each says how one print lies over the other.
///
/// In prints of one finger many of them say the same, by chance they do not: the overlay that most of them share is found
/// without looking at anything else.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    /// Edges that agree, for each pair of minutiae.
    counts: Vec<u8>,
    /// The pairs with any, where their counts are.
    touched: Vec<u16>,
    /// The same, those with the most edges first.
    places: Vec<u16>,
    /// How many of them are looked at.
    seeds: usize,
    /// Place in a, place in b, cosine and sine of the rotation: a list each, so that many are looked at at once.
    numbers: [[f32; MOST]; 6],
    edges: [u32; MOST],
}

/// Seeds that are looked at.
const MOST: usize = 100;
/// Seeds whose overlays are tried.
const TRIED: usize = 10;
/// More edges than so many are not told apart in the order of seeds.
const MANY: usize = 15;
/// Pixels between minutiae of seeds that share an overlay: it has the errors of a single pair.
const REACH: f32 = 18.0;
/// The cosine of the angle between their rotations: 20°.
const TURN: f32 = 0.94;

impl Default for Seeds {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            touched: Vec::new(),
            places: Vec::new(),
            seeds: 0,
            numbers: [[0.0; MOST]; 6],
            edges: [0; MOST],
        }
    }
}

impl Seeds {
    /// The overlay that most edges of seeds share, fitted to these.
    pub(super) fn overlay(&mut self, a: &Places, b: &Places, mates: &[Mate]) -> Option<Rigid> {
        self.count(a.len(), mates);
        self.fill(a, b);
        let tried = 0..self.seeds.min(TRIED);
        // Of equal ones the last is taken: the first seed, the other way round.
        let (_, best) = tried
            .rev()
            .map(|seed| (self.sharing(&self.alone(seed)), seed))
            .max_by_key(|tried| tried.0)?;
        Some(self.fitted(best))
    }

    /// Counts the edges that agree of each pair of minutiae, and orders the pairs.
    fn count(&mut self, rows: usize, mates: &[Mate]) {
        let (cells, most) = (rows * 256, 2 * mates.len());
        self.counts.resize(cells.max(self.counts.len()), 0);
        self.counts[..cells].fill(0);
        self.touched.resize(most.max(self.touched.len()), 0);
        let mut touched = 0;
        for (i, j) in mates.iter().flat_map(|mate| [mate.from, mate.to]) {
            let place = u16::from_be_bytes([i, j]);
            let count = &mut self.counts[place as usize];
            // Whether it is new is not foreseeable: without a branch.
            self.touched[touched] = place;
            touched += usize::from(*count == 0);
            *count = count.saturating_add(1);
        }
        let touched = &self.touched[..touched];
        // A counting sort.
        let rank = |place: u16| MANY - MANY.min(self.counts[place as usize].into());
        let mut starts = [0; MANY + 1];
        for &place in touched {
            starts[rank(place) + 1] += 1;
        }
        for rank in 1..=MANY {
            starts[rank] += starts[rank - 1];
        }
        self.places.resize(touched.len().max(self.places.len()), 0);
        for &place in touched {
            let next = &mut starts[rank(place)];
            self.places[*next] = place;
            *next += 1;
        }
        self.seeds = touched.len().min(MOST);
    }

    /// Lists the seeds.
    fn fill(&mut self, a: &Places, b: &Places) {
        for (seed, &place) in self.all().zip(&self.places) {
            let [i, j] = place.to_be_bytes();
            let (p, q) = (a.place(i.into()), b.place(j.into()));
            let turn = Turn::between(p, q);
            let numbers = [p.x, p.y, q.x, q.y, turn.cos, turn.sin];
            for (list, number) in self.numbers.iter_mut().zip(numbers) {
                list[seed] = number;
            }
            self.edges[seed] = self.counts[place as usize].into();
        }
    }

    /// Not beyond the lists, which the compiler sees here.
    fn all(&self) -> Range<usize> {
        0..self.seeds.min(MOST)
    }

    /// A minutia of a, the one of b that belongs over it, and what turns that one.
    #[inline]
    fn seed(&self, seed: usize) -> ((f32, f32), (f32, f32), Turn) {
        let [x, y, of_x, of_y, cos, sin] = &self.numbers;
        let turn = Turn {
            cos: cos[seed],
            sin: sin[seed],
        };
        ((x[seed], y[seed]), (of_x[seed], of_y[seed]), turn)
    }

    /// The overlay that a seed asks for.
    fn alone(&self, seed: usize) -> Rigid {
        let (a, b, turn) = self.seed(seed);
        Rigid::new(turn, b, a)
    }

    /// How many edges of seeds share an overlay.
    fn sharing(&self, overlay: &Rigid) -> u32 {
        let mut sum = 0;
        for seed in self.all() {
            let (a, b, turn) = self.seed(seed);
            let shares = share(overlay, a, b, turn);
            // All bits, or none: without a branch.
            sum += self.edges[seed] & u32::from(shares).wrapping_neg();
        }
        sum
    }

    /// The overlay of a seed, fitted to all that share it.
    fn fitted(&self, seed: usize) -> Rigid {
        let overlay = self.alone(seed);
        let (a, b, _) = self.seed(seed);
        let mut fit = Fit::around(a, b);
        for other in self.all() {
            let (a, b, turn) = self.seed(other);
            if share(&overlay, a, b, turn) {
                fit.add(a, b, turn, self.edges[other] as f32);
            }
        }
        fit.overlay().unwrap_or(overlay)
    }
}

/// Whether a seed fits an overlay.
#[inline]
fn share(overlay: &Rigid, a: (f32, f32), b: (f32, f32), turn: Turn) -> bool {
    let (x, y) = overlay.forth(b.0, b.1);
    let squared = (x - a.0) * (x - a.0) + (y - a.1) * (y - a.1);
    (squared < REACH * REACH) & (turn.cos_to(overlay.turn) > TURN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_with_the_most_edges_come_first() {
        let mut seeds = Seeds::default();
        let mate = |from: (u8, u8), to: (u8, u8)| Mate { from, to };
        let mut mates = vec![mate((1, 2), (3, 4)), mate((5, 6), (3, 4))];
        seeds.count(10, &mates);
        assert_eq!(seeds.places[..seeds.seeds], [0x304, 0x102, 0x506]);
        // More than are told apart, or fit into a byte.
        mates.extend([mate((9, 200), (9, 201)); 300]);
        seeds.count(10, &mates);
        assert_eq!(
            seeds.places[..seeds.seeds],
            [0x9c8, 0x9c9, 0x304, 0x102, 0x506]
        );
        // What was counted before is forgotten.
        seeds.count(10, &mates[..1]);
        assert_eq!(seeds.places[..seeds.seeds], [0x102, 0x304]);
        // No more than there is place for.
        let many = (0..255).map(|i| mate((0, i), (1, i))).collect::<Vec<_>>();
        seeds.count(2, &many);
        assert_eq!(seeds.all(), 0..MOST);
    }
}
