//! Whole runs of the library, against the definition and against corpora whose pairs are known.

mod audit;
mod changed;
mod explain;
mod families;
mod found;
mod many_copies;
mod oracle;
mod policies;
mod progress;
mod quality;
mod recall;
