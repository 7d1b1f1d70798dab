use std::ops::RangeInclusive;

use serde::Serialize;

use crate::{BitSampling, Blocks, Codes, Error, Probed, chance, distance, probing::keys_within};
use lookalike_core::{KEY_LIMIT, addressed_bits, random};
use rand::RngExt;

/// What is to be found, from which a [`CodePlan`] follows.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeTask<'a> {
    /// Bits of a code.
    pub bits: usize,
    /// How many codes there are to be found.
    pub codes: usize,
    /// How many queries will be asked.
    pub queries: usize,
    /// The distance up to which codes are to be found.
    pub radius: u32,
    /// The share of the codes at the radius that must be found; `None`: all, for certain.
    pub recall: Option<f64>,
    /// Bytes that an index may take.
    pub memory: u64,
    /// Distances of some pairs of codes, from which follows how many are met in vain; without any, bits are taken to be random.
    pub distances: &'a [u32],
}

/// A way to find codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum CodeMethod {
    /// Every code is compared.
    BruteForce,
    /// [`BitSampling`] with up to so many flips in each table.
    BitSampling {
        /// Bits of a table's key.
        rows: u32,
        /// Tables.
        tables: u32,
        /// Flips.
        flips: u32,
    },
    /// [`Blocks`] with up to so many flips in each.
    Blocks {
        /// Blocks, each a table.
        blocks: u32,
        /// Bits of a block that are looked at, at most.
        at_most: u32,
        /// Flips.
        flips: u32,
    },
}

impl CodeMethod {
    /// Functions that all tables have together: sampled bits, or blocks.
    #[must_use]
    pub fn functions(self) -> u64 {
        match self {
            Self::BruteForce => 0,
            Self::BitSampling { rows, tables, .. } => u64::from(rows) * u64::from(tables),
            Self::Blocks { blocks, .. } => blocks.into(),
        }
    }
}

/// A method, and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CodePlan {
    /// The method.
    pub method: CodeMethod,
    /// The share of the codes at the radius that are found, at least.
    pub recall: f64,
    /// Keys that a query asks for.
    pub keys: u64,
    /// Codes that a query is compared with, on average.
    pub compared: f64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Seconds that building and all queries take on one thread of an ordinary machine, roughly.
    pub seconds: f64,
}

/// Nanoseconds, measured on one ordinary machine (a million codes of 64 and 256 bits); what counts is how they compare with
/// each other.
mod cost {
    /// To compare a word of a code, and to go on to the next code, one after the other.
    pub(super) const WORD: f64 = 0.18;
    pub(super) const NEXT: f64 = 0.25;
    /// To look up a key, by address and by hash.
    pub(super) const ADDRESSED: f64 = 60.0;
    pub(super) const HASHED: f64 = 90.0;
    /// To compare a code that may lie anywhere, and a word of it.
    pub(super) const MET: f64 = 7.0;
    pub(super) const MET_WORD: f64 = 1.6;
    /// To store a code in a table, by address and by hash.
    pub(super) const STORED: f64 = 55.0;
    pub(super) const STORED_HASHED: f64 = 200.0;
}

/// Nanoseconds of one comparison by brute force.
pub(crate) fn comparison(bits: usize) -> f64 {
    cost::WORD * bits.div_ceil(64) as f64 + cost::NEXT
}

/// The distances of some pairs of codes, the same for the same codes.
pub(crate) fn sample(codes: &Codes) -> Vec<u32> {
    const PAIRS: usize = 2000;
    if codes.len() < 2 {
        return Vec::new();
    }
    let mut rng = random::stream(0, 0);
    let mut one = || codes.get(rng.random_range(0..codes.len()));
    (0..PAIRS).map(|_| distance(one(), one())).collect()
}

/// Flips beyond which queries ask for more keys than is ever worth it.
pub(crate) const MOST_FLIPS: u32 = 3;
/// Tables beyond which nobody has the memory.
const MOST_TABLES: u32 = 1024;

impl CodeTask<'_> {
    /// The cheapest method that does it.
    pub fn plan(&self) -> Result<CodePlan, Error> {
        Codes::new(self.bits)?;
        if self.radius as usize >= self.bits {
            let expected = format!(
                "below {}, the bits of a code: everything is within it",
                self.bits
            );
            return Err(Error::parameter("radius", self.radius, expected));
        }
        if let Some(recall) = self.recall
            && !(recall > 0.0 && recall < 1.0)
        {
            let expected = "above 0 and below 1; to find all, ask for an exact search";
            return Err(Error::parameter("recall", recall, expected));
        }
        let mut best = self.brute_force();
        let sampling = self.sampling(0..=MOST_FLIPS);
        let keyed = self.blocks(None).into_iter().chain(sampling);
        for plan in keyed.filter(|plan| plan.bytes <= self.memory) {
            if plan.seconds < best.seconds {
                best = plan;
            }
        }
        Ok(best)
    }

    fn brute_force(&self) -> CodePlan {
        let codes = self.codes as f64;
        let each = comparison(self.bits);
        CodePlan {
            method: CodeMethod::BruteForce,
            recall: 1.0,
            keys: 0,
            compared: codes,
            bytes: 0,
            seconds: 1e-9 * self.queries as f64 * codes * each,
        }
    }

    /// With the fewest blocks that are certain to meet, for each number of flips; `at_most` bits of each block are
    /// looked at, or what is cheaper of what is found by address and all.
    pub(crate) fn blocks(&self, at_most: Option<u32>) -> Vec<CodePlan> {
        let widths = at_most.map_or_else(|| vec![self.addressed_bits(), 64], |bits| vec![bits]);
        let mut plans = Vec::new();
        for flips in 0..=MOST_FLIPS {
            let blocks = self.radius / (flips + 1) + 1;
            for &at_most in &widths {
                let family = Blocks::new(self.bits, blocks);
                let Ok(family) = family.and_then(|family| family.at_most(at_most)) else {
                    continue;
                };
                let widths = family.widths();
                let method = CodeMethod::Blocks {
                    blocks,
                    at_most: widths[0],
                    flips,
                };
                let recall = family.met(blocks, flips, self.radius.into()).lower();
                plans.extend(self.keyed(method, recall.value(), &widths, flips));
            }
        }
        plans
    }

    /// With the fewest tables that reach the recall, for each number of rows and flips.
    pub(crate) fn sampling(&self, flips: RangeInclusive<u32>) -> Vec<CodePlan> {
        let Some(wanted) = self.recall else {
            return Vec::new();
        };
        let mut plans = Vec::new();
        let most = 64.min(self.bits as u32).min(self.addressed_bits() + 8);
        for (flips, rows) in flips.flat_map(|f| (1..=most).map(move |r| (f, r))) {
            let family = BitSampling::new(self.bits).and_then(|family| family.rows(rows));
            let family = family.expect("no more rows than bits");
            let recall = |tables| {
                family
                    .met(tables, flips, self.radius.into())
                    .lower()
                    .value()
            };
            let one = recall(1);
            let tables = if one >= wanted {
                1.0
            } else {
                ((1.0 - wanted).ln() / (-one).ln_1p()).ceil()
            };
            if tables.is_nan() || tables > f64::from(MOST_TABLES) {
                continue;
            }
            let mut tables = tables as u32;
            // Where the two logarithms were rounded to the wrong side.
            tables += u32::from(recall(tables) < wanted);
            let method = CodeMethod::BitSampling {
                rows,
                tables,
                flips,
            };
            let widths = vec![rows; tables as usize];
            plans.extend(self.keyed(method, recall(tables), &widths, flips));
        }
        plans
    }

    /// What tables of such widths cost; `None` where a query would ask for too many keys.
    fn keyed(
        &self,
        method: CodeMethod,
        recall: f64,
        widths: &[u32],
        flips: u32,
    ) -> Option<CodePlan> {
        let (codes, queries) = (self.codes as f64, self.queries as f64);
        let widest = *widths.iter().max()?;
        let is_addressed = widest <= self.addressed_bits();
        let slots = |width: u32| {
            if is_addressed {
                1u64 << width
            } else {
                self.codes as u64
            }
        };
        let posting = if is_addressed { 4 } else { 12 };
        let keys = widths.iter().map(|&width| keys_within(width, flips));
        let keys = keys.fold(0u64, u64::saturating_add);
        if keys > KEY_LIMIT {
            return None;
        }
        let met: f64 = widths
            .iter()
            .map(|&width| self.met_by_chance(width, flips))
            .sum();
        let words = self.bits.div_ceil(64) as f64;
        let (lookup, store) = if is_addressed {
            (cost::ADDRESSED, cost::STORED)
        } else {
            (cost::HASHED, cost::STORED_HASHED)
        };
        let compared = codes * met;
        let a_query = keys as f64 * lookup + compared * (cost::MET + cost::MET_WORD * words);
        let build = codes * widths.len() as f64 * store;
        Some(CodePlan {
            method,
            recall,
            keys,
            compared,
            bytes: widths
                .iter()
                .map(|&width| 4 * slots(width) + posting * self.codes as u64)
                .sum(),
            seconds: 1e-9 * (build + queries * a_query),
        })
    }

    /// How likely a table of this width meets a code that has nothing to do with the query.
    fn met_by_chance(&self, width: u32, flips: u32) -> f64 {
        if self.distances.is_empty() {
            return keys_within(width, flips) as f64 * 0.5f64.powi(width as i32);
        }
        let bits = self.bits as u32;
        let chance = |&differ: &u32| chance::within_flips(bits, differ.min(bits), width, flips);
        self.distances.iter().map(chance).sum::<f64>() / self.distances.len() as f64
    }

    /// Keys up to this width are found by address.
    fn addressed_bits(&self) -> u32 {
        addressed_bits(self.codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(bits: usize, codes: usize, radius: u32, recall: Option<f64>) -> CodeTask<'static> {
        CodeTask {
            bits,
            codes,
            queries: codes,
            radius,
            recall,
            memory: 4 << 30,
            distances: &[],
        }
    }

    #[test]
    fn few_codes_or_queries_are_compared_one_by_one() {
        assert_eq!(
            wish(64, 100, 6, Some(0.95)).plan().unwrap().method,
            CodeMethod::BruteForce
        );
        let one = CodeTask {
            queries: 1,
            ..wish(256, 1_000_000, 25, Some(0.95))
        };
        assert_eq!(one.plan().unwrap().method, CodeMethod::BruteForce);
        // No keys are worth anything where half of the bits may differ.
        assert_eq!(
            wish(64, 100_000, 40, None).plan().unwrap().method,
            CodeMethod::BruteForce
        );
    }

    #[test]
    fn many_are_found_by_keys_with_the_recall_that_was_wished() {
        for (bits, radius) in [(64, 6), (256, 25), (1024, 100)] {
            for recall in [0.5, 0.95, 0.999] {
                let plan = wish(bits, 1_000_000, radius, Some(recall)).plan().unwrap();
                assert!(plan.recall >= recall, "{plan:?}");
                assert!(plan.compared < 10_000.0, "{plan:?}");
                assert!(plan.bytes <= 4 << 30, "{plan:?}");
            }
            let plan = wish(bits, 1_000_000, radius, None).plan().unwrap();
            let CodeMethod::Blocks { blocks, flips, .. } = plan.method else {
                panic!("{plan:?}");
            };
            assert!(blocks * (flips + 1) > radius);
            assert_eq!(plan.recall, 1.0);
        }
    }

    #[test]
    fn memory_is_kept_to() {
        let tight = CodeTask {
            memory: 40 << 20,
            ..wish(256, 1_000_000, 25, Some(0.95))
        };
        let plan = tight.plan().unwrap();
        assert!(
            plan.bytes <= 40 << 20 && plan.method != CodeMethod::BruteForce,
            "{plan:?}"
        );
    }

    #[test]
    fn codes_that_are_alike_take_longer_keys() {
        let rows = |distances: &[u32]| {
            let wish = CodeTask {
                distances,
                ..wish(256, 1_000_000, 25, Some(0.95))
            };
            match wish.plan().unwrap().method {
                CodeMethod::BitSampling { rows, .. } => rows,
                other => panic!("{other:?}"),
            }
        };
        assert!(rows(&[60; 100]) > rows(&[128; 100]));
    }

    #[test]
    fn what_cannot_be_found_is_refused() {
        assert!(wish(64, 100, 64, None).plan().is_err());
        assert!(wish(64, 100, 6, Some(1.0)).plan().is_err());
        assert!(wish(64, 100, 6, Some(f64::NAN)).plan().is_err());
        assert!(wish(0, 100, 6, None).plan().is_err());
        assert!(wish(64, 0, 6, None).plan().is_ok());
    }
}
