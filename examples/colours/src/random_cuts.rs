//! Colours on the same side of many random cuts are near each other.

use lookalike_core::plugin::{Error, Family};
use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random};
use serde::{Deserialize, Serialize};

use crate::{Rgb, RgbDifference};

/// A function says whether red, green or blue is above a cut. Which of them, and where the cut is, is random.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RandomCuts;

impl Family for RandomCuts {
    const NAME: &'static str = "random-cuts";
    const SUMMARY: &'static str = "is red, green or blue above a random cut?";
    type Distance = RgbDifference;
    type Keys = Self;

    fn keys(&self, _: &RgbDifference, _: usize) -> Result<Self, Error> {
        Ok(Self)
    }
}

impl LshFamily for RandomCuts {
    type Item = Rgb;
    type Functions = Cuts;

    /// Of the 3 · 255 cuts, as many separate two colours as their distance says.
    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance / 765.0))
    }

    fn draw(&self, k: usize, seed: u64) -> Cuts {
        let mut rng = random::stream(seed, 0);
        let cut = |_| (random::below(3, &mut rng), random::below(255, &mut rng));
        Cuts((0..k).map(cut).collect())
    }
}

/// Functions drawn together: the channel and the cut of each.
pub struct Cuts(Vec<(u32, u32)>);

impl LshFunctions for Cuts {
    type Item = Rgb;
    type Key = bool;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, colour: &Rgb, _: &mut (), keys: &mut [bool]) {
        for (key, &(channel, cut)) in keys.iter_mut().zip(&self.0) {
            *key = u32::from(colour[channel as usize]) > cut;
        }
    }
}
