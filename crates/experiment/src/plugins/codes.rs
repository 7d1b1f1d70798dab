use lookalike_core::{Banding, Bounds, Drawn, Scheme, Step};
use lookalike_hamming::{BitSampling, Blocks, Codes as Bits, Hamming, Probed, Probing};
use serde::{Deserialize, Serialize};

use crate::{Error, FamilySearch, Measure, Plugin, Search, data::Codes};

pub(super) const HAMMING: Measure = Measure::Distance("Hamming distance");

/// [`BitSampling`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BitSamplingCodes {}

impl Plugin for BitSamplingCodes {
    const NAME: &'static str = "bit-sampling";
    const MEASURE: Measure = HAMMING;
    const SUMMARY: &'static str =
        "bits drawn at random; those of a band are distinct, if a code has so many";
    const SENSITIVITY: &'static str = "(d1, d2, 1 − d1/n, 1 − d2/n)";
    type Data = Codes;
    type Search = Sampling;

    fn search(&self, codes: &Bits) -> Result<Sampling, Error> {
        let bits = codes.bit_length();
        let family = BitSampling::new(bits)?;
        Ok(Sampling {
            search: FamilySearch::new(family, Hamming),
            bits: bits as u32,
        })
    }
}

/// Bands of sampled bits.
#[derive(Debug)]
pub(super) struct Sampling {
    search: FamilySearch<BitSampling, Hamming>,
    bits: u32,
}

impl Search for Sampling {
    type Item = [u64];
    type Source = Drawn<BitSampling>;
    type Metric = Hamming;

    fn metric(&self) -> &Hamming {
        self.search.metric()
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Drawn<BitSampling>, Error> {
        self.search.source(scheme, seed)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        self.search.promise(scheme, distance)
    }

    fn distinct(&self) -> Option<u32> {
        Some(self.bits)
    }
}

/// [`Probing`] over [`BitSampling`].
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MultiProbeCodes {
    /// How many bits of a key a query flips at most.
    flips: u32,
}

impl Default for MultiProbeCodes {
    fn default() -> Self {
        Self { flips: 1 }
    }
}

impl Plugin for MultiProbeCodes {
    const NAME: &'static str = "multi-probe";
    const MEASURE: Measure = HAMMING;
    const SUMMARY: &'static str = "bit sampling whose queries also ask for keys with flipped bits";
    const SENSITIVITY: &'static str =
        "(d1, d2, h(d1), h(d2)), h: at most f of r sampled bits differ";
    type Data = Codes;
    type Search = MultiProbe;

    fn search(&self, codes: &Bits) -> Result<MultiProbe, Error> {
        Ok(MultiProbe {
            family: BitSampling::new(codes.bit_length())?,
            flips: self.flips,
        })
    }
}

/// Bands of sampled bits, asked with flips.
#[derive(Debug)]
pub(super) struct MultiProbe {
    family: BitSampling,
    flips: u32,
}

impl MultiProbe {
    fn tables(&self, scheme: &Scheme) -> Result<(BitSampling, Banding), Error> {
        let banding = scheme.banding().ok_or_else(|| {
            let message = format!("multi-probe takes bands and rows, not {scheme}");
            Error::setting("amplify", message)
        })?;
        Ok((self.family.rows(banding.rows())?, banding))
    }
}

impl Search for MultiProbe {
    type Item = [u64];
    type Source = Probing<BitSampling>;
    type Metric = Hamming;

    fn metric(&self) -> &Hamming {
        &Hamming
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error> {
        let (family, banding) = self.tables(scheme)?;
        let (flips, rows) = (self.flips, banding.rows());
        if flips > rows {
            let message = format!("flips is {flips}, but a key has {rows} bits");
            return Err(Error::setting("family.flips", message));
        }
        Ok(Probing::new(&family, banding.bands(), self.flips, seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let (family, banding) = self.tables(scheme).ok()?;
        Some(family.met(banding.bands(), self.flips, distance))
    }
}

/// [`Blocks`], probed where flips are asked for.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockCodes {
    /// How many blocks.
    blocks: u32,
    /// How many bits of a block a query flips at most.
    #[serde(default)]
    flips: u32,
}

impl Plugin for BlockCodes {
    const NAME: &'static str = "blocks";
    const MEASURE: Measure = HAMMING;
    const SUMMARY: &'static str = "all bits cut into blocks: certain up to a distance";
    const SENSITIVITY: &'static str = "(d1, d2, 1, h(d2)) for all m blocks, d1 < m·(flips + 1)";
    type Data = Codes;
    type Search = BlockSearch;

    fn search(&self, codes: &Bits) -> Result<BlockSearch, Error> {
        let family = Blocks::new(codes.bit_length(), self.blocks)
            .map_err(|error| Error::setting("family.blocks", error.to_string()))?;
        let (flips, widest) = (
            self.flips,
            codes.bit_length().div_ceil(self.blocks as usize),
        );
        if flips as usize > widest {
            let message = format!("flips is {flips}, but the widest block has {widest} bits");
            return Err(Error::setting("family.flips", message));
        }
        Ok(BlockSearch { family, flips })
    }
}

/// Blocks as bands, asked with flips.
#[derive(Debug)]
pub(super) struct BlockSearch {
    family: Blocks,
    flips: u32,
}

impl BlockSearch {
    fn tables(&self, scheme: &Scheme) -> Result<u32, Error> {
        match *scheme.steps() {
            [] => Ok(1),
            [Step::Or(tables)] => Ok(tables),
            _ => {
                let message = format!("blocks are an OR of blocks, not {scheme}");
                Err(Error::setting("amplify", message))
            }
        }
    }
}

impl Search for BlockSearch {
    type Item = [u64];
    type Source = Probing<Blocks>;
    type Metric = Hamming;

    fn metric(&self) -> &Hamming {
        &Hamming
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error> {
        let tables = self.tables(scheme)?;
        Ok(Probing::new(&self.family, tables, self.flips, seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let tables = self.tables(scheme).ok()?;
        Some(Probed::met(&self.family, tables, self.flips, distance))
    }

    fn scheme(&self) -> Option<Scheme> {
        Scheme::new([Step::Or(self.family.blocks())]).ok()
    }
}
