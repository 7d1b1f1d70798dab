use lookalike_core::plugin::{Distance, Error, Kind, Measure, Specimens, Value};
use serde::{Deserialize, Serialize};

use super::{JACCARD, Set, SetDistance, Sets, TextJaccard, specimens};
use crate::{Hashes, Jaccard, SetOrBag};

/// Elements that have been hashed already: what a pass over texts has at hand. Internal; users do not name it.
#[derive(Clone, Copy, Debug)]
pub struct Hashed;

impl Kind for Hashed {
    const NAME: &'static str = "hashed";
    const IS_INTERNAL: bool = true;
    type Item = [u64];
    type Items = Sets;
    type Reading = ();

    fn parse(value: Value<'_>, reading: &(), sets: &mut Sets) -> Result<(), Error> {
        Set::parse(value, reading, sets)
    }

    fn show(set: &[u64], width: usize) -> String {
        Set::show(set, width)
    }

    fn summary(set: &[u64], width: usize) -> String {
        Set::summary(set, width)
    }

    fn encode(set: &[u64], width: usize, bytes: &mut Vec<u8>) {
        Set::encode(set, width, bytes);
    }

    fn decode(bytes: &[u8], sets: &mut Sets) -> Result<(), Error> {
        Set::decode(bytes, sets)
    }
}

/// The Jaccard distance of hashed elements. It keeps the parameters of the texts that they came from, so that one plan
/// serves both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HashedJaccard(pub TextJaccard);

impl Distance for HashedJaccard {
    const MEASURES: &'static [Measure] = JACCARD;
    type Kind = Hashed;
    type Metric = Jaccard<SetOrBag<Hashes>>;

    fn metric(&self) -> Result<Self::Metric, Error> {
        Ok(Jaccard::new(self.elements()?))
    }

    fn specimens() -> Option<Specimens<Sets>> {
        Some(Specimens::new(1.0, specimens::hashes))
    }
}

impl SetDistance for HashedJaccard {
    type Elements = SetOrBag<Hashes>;

    fn elements(&self) -> Result<SetOrBag<Hashes>, Error> {
        Ok(SetOrBag::new(Hashes, self.0.bag))
    }
}
