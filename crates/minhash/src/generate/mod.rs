//! Made-up documents and sets whose similarity is known, for tests, benches and experiments.
//!
//! Everything comes from a seed and is computed, not assumed: what is planted at a similarity
//! comes with the exact one that was reached.
//!
//! | to get … | read |
//! |---|---|
//! | two sets of integers at a similarity | [`sets_with`], [`sets_in`] |
//! | text with the word frequencies of language | [`ZipfText`], over a [`Vocabulary`] |
//! | a document's near-duplicate | [`ZipfText::copy`] |
//! | a corpus with planted near-duplicates, and the truth | [`Corpus`] |
//! | news pages: articles and advertisements, shared and not | [`News`] |

mod corpus;
mod news;
mod sets;
mod text;
mod vocabulary;

pub use corpus::{Corpus, Document, Planted};
pub use news::{News, Page};
pub use sets::{SetPair, sets_in, sets_with};
pub use text::{NearCopy, ZipfText};
pub use vocabulary::Vocabulary;
