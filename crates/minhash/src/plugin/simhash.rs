use lookalike_core::plugin::{Coder, Error, Family};
use serde::{Deserialize, Serialize};

use super::{SetFamily, WeightedSetJaccard};
use crate::{
    CodeBits, Coordinates, Elements, SetCoordinates, SimHash as Codes, WeightCoordinates, Weights,
};

/// SimHash of sets: sampled bits of a code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimHash {
    /// Bits of a code: 64 or 128.
    pub bits: CodeBits,
    /// Whether an element counts as often as it occurs. Nothing is promised then.
    pub counts: bool,
}

const NAME: &str = "simhash";

impl SetFamily for SimHash {
    const NAME: &'static str = NAME;
    const SUMMARY: &'static str =
        "SimHash: sampled bits of a code of 64 or 128 bits (Charikar 2002)";
    const CAVEAT: &'static str = "What is predicted lies between two bounds: the cosine of two sets is between 2J/(1+J) and √J. All bands sample one code, which the prediction takes into account.";
    /// Sampling bits of a code costs next to nothing; the code costs the same for one band as for many.
    const FUNCTIONS: Option<u32> = Some(1024);
    type Over<E: Elements> = Codes<SetCoordinates<E>>;

    fn over<E: Elements>(&self, elements: E) -> Self::Over<E> {
        let sets = SetCoordinates::new(elements);
        let coordinates = if self.counts { sets.counted() } else { sets };
        Codes::new(coordinates, self.bits)
    }

    fn coder<E: Elements + 'static>(&self, elements: E, seed: u64) -> Option<Coder<E::Item>> {
        Some(coder(&self.over(elements), self.bits, seed))
    }
}

/// SimHash of weighted sets: the coordinates are the square roots of the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightedSimHash {
    /// Bits of a code: 64 or 128.
    pub bits: CodeBits,
}

impl Family for WeightedSimHash {
    const NAME: &'static str = NAME;
    const SUMMARY: &'static str =
        "SimHash of the square roots of the weights: sampled bits of a code of 64 or 128 bits";
    const CAVEAT: &'static str = "What is predicted is a lower bound: the cosine of two weighted sets is at least 2J/(1+J), and may be anything above.";
    const FUNCTIONS: Option<u32> = <SimHash as SetFamily>::FUNCTIONS;
    type Distance = WeightedSetJaccard;
    type Keys = Codes<WeightCoordinates>;

    fn keys(&self, _: &WeightedSetJaccard, _: usize) -> Result<Self::Keys, Error> {
        Ok(Codes::new(WeightCoordinates, self.bits))
    }

    fn coder(&self, _: &WeightedSetJaccard, seed: u64) -> Result<Option<Coder<Weights>>, Error> {
        let family = Codes::new(WeightCoordinates, self.bits);
        Ok(Some(coder(&family, self.bits, seed)))
    }
}

/// The codes of a family as bytes.
fn coder<C: Coordinates + 'static>(family: &Codes<C>, bits: CodeBits, seed: u64) -> Coder<C::Item> {
    let (codes, bytes) = (family.coder(seed), bits.count() as usize / 8);
    Coder::new(bytes, move |item| {
        let code = codes.code(item, &mut C::Scratch::default())?;
        Some(code.to_le_bytes()[..bytes].to_vec())
    })
}
