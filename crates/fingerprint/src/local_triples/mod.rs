//! Squares in each minutia's own frame, for prints that nobody has aligned.
//!
//! The textbook's squares lie on one grid for all prints, which holds only if prints are aligned. Here every minutia is an
//! origin: its neighbours are put on a grid that is turned to its direction, so that nothing depends on how the finger
//! was laid down. A function is a few squares of such a grid, each with a sector of relative direction; a print is in
//! its bucket once for every minutia whose neighbours occupy them all.
//!
//! There are far too many such functions to ask one by one, so that the print enumerates those that say yes. What is
//! shared by chance is told from what is shared by the finger by the [`Frame`]s of the origins: see
//! [`Votes`](crate::Votes).

#[cfg(test)]
mod tests;

use std::f32::consts::TAU;

use lookalike_core::{KEY_LIMIT, KeySource, TooManyKeys, mix};
use serde::{Deserialize, Serialize};

use crate::{Error, Frame, Minutia, Selection, Template, frame::middle, minutia::turn};

/// What [`LocalTriples`] are made of. The defaults are [`Triples::accurate`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Triples {
    /// Squares of a function beside the origin: 2 make triples of minutiae, 3 ask for more.
    pub squares: u32,
    /// How many of the nearest minutiae are looked at.
    pub neighbours: u32,
    /// How far away they may be, in pixels.
    pub radius: f32,
    /// The side of a square, in pixels.
    pub cell: f32,
    /// Into how many sectors the direction relative to the origin's is divided.
    pub sectors: u32,
    /// How near a border, in pixels, a minutia may also be asked for in the square next door.
    pub tolerance: f32,
    /// The same between sectors, in radians.
    pub turn: f32,
    /// How many such borders one key may cross.
    pub crossings: u32,
    /// The share of all functions that are drawn, from above 0 to 1.
    pub share: f64,
    /// Which are drawn.
    pub seed: u64,
    /// The minutiae that are looked at.
    pub minutiae: Selection,
}

impl Triples {
    /// Two squares, two crossings: finds most, and visits many prints for it.
    #[must_use]
    pub fn accurate() -> Self {
        Self {
            squares: 2,
            neighbours: 8,
            radius: 100.0,
            cell: 10.0,
            sectors: 12,
            tolerance: 4.0,
            turn: 0.15,
            crossings: 2,
            share: 1.0,
            seed: 0,
            minutiae: Selection::default(),
        }
    }

    /// Three squares, one crossing: visits a fiftieth of what [`accurate`](Triples::accurate) does.
    #[must_use]
    pub fn fast() -> Self {
        Self {
            squares: 3,
            crossings: 1,
            ..Self::accurate()
        }
    }
}

impl Default for Triples {
    fn default() -> Self {
        Self::accurate()
    }
}

/// Keys from squares in each minutia's own frame, a sparse [`KeySource`].
///
/// A query asks for the keys under which it would be stored, and for those that differ from them by a few borders
/// that a minutia is near to: noise moves minutiae across borders. The index stays small, since nothing is stored twice.
///
/// ```
/// use lookalike_engine::BucketIndex;
/// use lookalike_fingerprint::{LocalTriples, Triples, Votes, generate::{Finger, Impression}};
///
/// let fingers: Vec<Finger> = (0..20).map(Finger::new).collect();
/// let impression = Impression::default();
/// let stored: Vec<_> = fingers.iter().map(|finger| impression.of(finger, 1)).collect();
/// let index = BucketIndex::build(LocalTriples::new(Triples::accurate())?, &stored)?;
///
/// let mut votes = Votes::default();
/// let probe = impression.of(&fingers[7], 2);
/// index.query().hits(&probe, |hit| votes.add(hit.id, hit.stored, hit.asked, hit.bucket))?;
/// assert_eq!(votes.ranked(1)[0].id, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalTriples {
    triples: Triples,
    /// Hashes up to here are drawn.
    drawn: u64,
}

impl LocalTriples {
    /// A source with these settings.
    pub fn new(triples: Triples) -> Result<Self, Error> {
        let Triples {
            squares,
            neighbours,
            radius,
            cell,
            sectors,
            tolerance,
            turn,
            share,
            ..
        } = triples;
        let wrong = |name, value: &dyn ToString, expected: &str| {
            Err(Error::parameter(name, value.to_string(), expected))
        };
        if !(2..=3).contains(&squares) {
            return wrong("squares", &squares, "2 or 3");
        }
        if !(squares..=32).contains(&neighbours) {
            return wrong("neighbours", &neighbours, "from the squares to 32");
        }
        if !(1.0..=1000.0).contains(&radius) {
            return wrong("radius", &radius, "from 1 to 1000 pixels");
        }
        if !(cell >= radius / 100.0 && cell <= radius) {
            return wrong("cell", &cell, "from a hundredth of the radius to all of it");
        }
        if !(1..=128).contains(&sectors) {
            return wrong("sectors", &sectors, "from 1 to 128");
        }
        if !(0.0..=0.5).contains(&(tolerance / cell)) {
            return wrong("tolerance", &tolerance, "from 0 to half a cell");
        }
        if !(0.0..=0.5).contains(&(turn / (TAU / sectors as f32))) {
            return wrong("turn", &turn, "from 0 to half a sector");
        }
        if !(share > 0.0 && share <= 1.0) {
            return wrong("share", &share, "above 0, up to 1");
        }
        let made = Self {
            triples,
            drawn: (share * u64::MAX as f64) as u64,
        };
        match made.most_keys() {
            most if most > KEY_LIMIT => Err(Error::TooManyKeys { most }),
            _ => Ok(made),
        }
    }

    /// The settings.
    #[must_use]
    pub fn triples(&self) -> &Triples {
        &self.triples
    }

    /// The most keys that a query asks: every square has three borders, one for each of its coordinates.
    fn most_keys(&self) -> u64 {
        let choose =
            |n: u32, k: u32| (0..k).fold(1, |c, i| c * u64::from(n - i) / u64::from(i + 1));
        let Triples {
            squares,
            neighbours,
            crossings,
            minutiae,
            ..
        } = self.triples;
        let borders = 3 * squares;
        let ways: u64 = (0..=crossings.min(borders))
            .map(|crossed| choose(borders, crossed))
            .sum();
        u64::from(minutiae.most) * choose(neighbours, squares) * ways
    }

    /// Emits the keys of all functions that say yes, with up to so many borders crossed.
    fn enumerate(
        &self,
        template: &Template,
        scratch: &mut TriplesScratch,
        crossings: u32,
        mut emit: impl FnMut(u32, u64, Frame),
    ) {
        let minutiae = self.triples.minutiae.of(template);
        let middle = middle(&minutiae);
        for (place, origin) in minutiae.iter().enumerate() {
            let TriplesScratch {
                near,
                squares,
                keys,
            } = scratch;
            self.neighbours(&minutiae, place, near);
            keys.clear();
            squares.clear();
            let toward = origin.direction.sin_cos();
            for &(_, other) in &*near {
                self.squares(origin, toward, &minutiae[other], crossings, squares);
            }
            let add = |key| keys.push(key);
            match self.triples.squares {
                2 => pairs(squares, crossings, add),
                _ => threes(squares, crossings, add),
            }
            // Two ways to the same key are one function.
            keys.sort_unstable();
            keys.dedup();
            let frame = Frame::new(origin, middle);
            let seed = self.triples.seed;
            let drawn = |key: &&u64| mix(**key ^ mix(seed)) <= self.drawn;
            for &key in keys.iter().filter(drawn) {
                emit(0, key, frame);
            }
        }
    }

    /// The places of the nearest minutiae, with their squared distances.
    fn neighbours(&self, minutiae: &[Minutia], place: usize, near: &mut Vec<(f32, usize)>) {
        near.clear();
        let origin = &minutiae[place];
        let limit = self.triples.radius * self.triples.radius;
        for (other, minutia) in minutiae.iter().enumerate() {
            let (dx, dy) = (minutia.x - origin.x, minutia.y - origin.y);
            let squared = dx * dx + dy * dy;
            if other != place && squared <= limit {
                near.push((squared, other));
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(self.triples.neighbours as usize);
    }

    /// Notes the square of a neighbour in the frame of an origin, whose direction has this sine and cosine, and those next to it
    /// that are near.
    fn squares(
        &self,
        origin: &Minutia,
        (sin, cos): (f32, f32),
        neighbour: &Minutia,
        crossings: u32,
        squares: &mut Near,
    ) {
        let Triples {
            cell,
            sectors,
            tolerance,
            turn: between,
            ..
        } = self.triples;
        let (dx, dy) = (neighbour.x - origin.x, neighbour.y - origin.y);
        let width = TAU / sectors as f32;
        let across = Beside::new((cos * dx + sin * dy) / cell, tolerance / cell, crossings);
        let along = Beside::new((cos * dy - sin * dx) / cell, tolerance / cell, crossings);
        let relative = turn(neighbour.direction - origin.direction);
        let around = Beside::new(relative / width, between / width, crossings);
        for (x, over_x) in across.all() {
            for (y, over_y) in along.all() {
                for (sector, over) in around.all() {
                    let sector = sector.rem_euclid(sectors as i32) as u32;
                    // A radius has at most a hundred cells, so that each takes a byte.
                    let code = ((x + 128) as u32) << 16 | ((y + 128) as u32) << 8 | sector;
                    let crossed = over_x + over_y + over;
                    squares.all.push(Square { code, crossed });
                }
            }
        }
        squares.ends.push(squares.all.len());
    }
}

/// The squares of each neighbour, in one list.
#[derive(Debug, Default)]
struct Near {
    all: Vec<Square>,
    ends: Vec<usize>,
}

impl Near {
    fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    /// The squares of each neighbour from this one on.
    fn from(&self, neighbour: usize) -> impl Iterator<Item = &[Square]> {
        (neighbour..self.ends.len()).map(|neighbour| {
            let start = neighbour.checked_sub(1).map_or(0, |last| self.ends[last]);
            &self.all[start..self.ends[neighbour]]
        })
    }
}

/// A square with a sector, and how many borders lie between it and the minutia's own.
#[derive(Clone, Copy, Debug)]
struct Square {
    code: u32,
    crossed: u32,
}

/// A cell of one coordinate, and the one next door if its border is near.
struct Beside {
    own: i32,
    next: Option<i32>,
}

impl Beside {
    fn new(at: f32, tolerance: f32, crossings: u32) -> Self {
        let own = at.floor();
        let within = at - own;
        let next = if crossings == 0 {
            None
        } else if within < tolerance {
            Some(-1)
        } else if within > 1.0 - tolerance {
            Some(1)
        } else {
            None
        };
        let own = own as i32;
        Self {
            own,
            next: next.map(|step| own + step),
        }
    }

    fn all(&self) -> impl Iterator<Item = (i32, u32)> {
        std::iter::once((self.own, 0)).chain(self.next.map(|next| (next, 1)))
    }
}

fn pairs(squares: &Near, crossings: u32, mut add: impl FnMut(u64)) {
    for (i, first) in squares.from(0).enumerate() {
        for second in squares.from(i + 1) {
            for a in first.iter().filter(|a| a.crossed <= crossings) {
                let left = crossings - a.crossed;
                for b in second.iter().filter(|b| b.crossed <= left) {
                    let (low, high) = (a.code.min(b.code), a.code.max(b.code));
                    add(mix(u64::from(low) << 32 | u64::from(high)));
                }
            }
        }
    }
}

fn threes(squares: &Near, crossings: u32, mut add: impl FnMut(u64)) {
    for (i, first) in squares.from(0).enumerate() {
        for (j, second) in (i + 1..).zip(squares.from(i + 1)) {
            for third in squares.from(j + 1) {
                for a in first.iter().filter(|a| a.crossed <= crossings) {
                    let left = crossings - a.crossed;
                    for b in second.iter().filter(|b| b.crossed <= left) {
                        let left = left - b.crossed;
                        for c in third.iter().filter(|c| c.crossed <= left) {
                            let mut codes = [a.code, b.code, c.code];
                            codes.sort_unstable();
                            let two = u64::from(codes[0]) << 32 | u64::from(codes[1]);
                            add(mix(mix(two).wrapping_add(u64::from(codes[2]))));
                        }
                    }
                }
            }
        }
    }
}

/// Memory that [`LocalTriples`] use again from print to print.
#[derive(Debug, Default)]
pub struct TriplesScratch {
    near: Vec<(f32, usize)>,
    squares: Near,
    keys: Vec<u64>,
}

impl KeySource for LocalTriples {
    type Item = Template;
    type Payload = Frame;
    type Scratch = TriplesScratch;

    fn bands(&self) -> usize {
        1
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        format!("Local{:?}", self.triples)
    }

    fn keys(
        &self,
        template: &Template,
        scratch: &mut TriplesScratch,
        emit: impl FnMut(u32, u64, Frame),
    ) -> Result<(), TooManyKeys> {
        self.enumerate(template, scratch, 0, emit);
        Ok(())
    }

    fn has_probes(&self) -> bool {
        self.triples.crossings > 0
    }

    fn probes(
        &self,
        template: &Template,
        scratch: &mut TriplesScratch,
        emit: impl FnMut(u32, u64, Frame),
    ) -> Result<(), TooManyKeys> {
        self.enumerate(template, scratch, self.triples.crossings, emit);
        Ok(())
    }
}
