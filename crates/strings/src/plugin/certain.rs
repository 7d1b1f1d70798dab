//! What families have in common that find everything up to a number of edits.

use lookalike_core::{
    Bounds, KeySource, Probability, Scheme,
    plugin::{Error, KeyFamily, Proposal, Recall, Task},
};

/// A proposal of a family that finds everything within `reach` edits, by its cost in nanoseconds.
pub(super) fn proposal<P>(parameters: P, reach: u32, cost: f64, task: &Task) -> Proposal<P> {
    let is_enough = f64::from(reach) >= task.limit;
    Proposal {
        parameters,
        scheme: Scheme::default(),
        recall: if is_enough {
            Recall::Proved(1.0)
        } else {
            Recall::Unknown
        },
        seconds: 1e-9 * cost,
    }
}

/// The keys of a family that finds everything up to a number of edits.
#[derive(Clone, Copy, Debug)]
pub struct CertainKeys<S> {
    /// The name of the family.
    pub(super) family: &'static str,
    /// Edits up to which strings share a key.
    pub(super) reach: u32,
    pub(super) source: S,
}

impl<S> KeyFamily for CertainKeys<S>
where
    S: KeySource<Item = str, Scratch: 'static> + Copy + Send + 'static,
{
    type Item = str;
    type Source = S;

    fn source(&self, scheme: &Scheme, _: u64) -> Result<S, Error> {
        match scheme.steps() {
            [] => Ok(self.source),
            _ => Err(Error::new(format!(
                "{} has no functions to combine by {scheme}",
                self.family
            ))),
        }
    }

    /// Certain up to the reach; beyond, or under a scheme with steps, nothing is promised.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let is_certain = distance <= f64::from(self.reach);
        scheme.steps().is_empty().then_some(match is_certain {
            true => Bounds::exact(Probability::CERTAIN),
            false => Bounds::ANYTHING,
        })
    }
}
