//! The families of the project, a plugin each.

mod brute;
mod codes;
mod prints;
mod rows;
mod sets;
mod squares;
mod texts;
mod weights;

use crate::Registry;

/// All of them, the one that a name means without a kind of items before the others.
pub(crate) fn all(registry: Registry) -> Registry {
    registry
        .with::<texts::FastSimilarityTexts>()
        .with::<texts::UniversalTexts>()
        .with::<sets::FastSimilaritySets>()
        .with::<sets::UniversalSets>()
        .with::<rows::PermutationSets>()
        .with::<rows::OnePassSets>()
        .with::<weights::ConsistentWeights>()
        .with::<codes::BitSamplingCodes>()
        .with::<codes::MultiProbeCodes>()
        .with::<codes::BlockCodes>()
        .with::<squares::GridSquaresSquares>()
        .with::<squares::FastSimilaritySquares>()
        .with::<squares::UniversalSquares>()
        .with::<prints::GridSquaresPrints>()
        .with::<prints::FastSimilarityPrints>()
        .with::<prints::LocalTriplesPrints>()
        .with::<brute::BruteTexts>()
        .with::<brute::BruteSets>()
        .with::<brute::BruteWeights>()
        .with::<brute::BruteCodes>()
        .with::<brute::BruteSquares>()
        .with::<prints::BrutePrints>()
}
