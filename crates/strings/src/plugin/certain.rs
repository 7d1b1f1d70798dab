//! What families have in common that find everything up to a number of edits.

use lookalike_core::{
    Bounds, Probability, Scheme,
    plugin::{Error, Proposal, Recall, Task},
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

/// Certain up to a number of edits; beyond, or under a scheme with steps, nothing is promised.
pub(super) fn promise(reach: u32, scheme: &Scheme, distance: f64) -> Option<Bounds> {
    let is_certain = distance <= f64::from(reach);
    scheme.steps().is_empty().then_some(match is_certain {
        true => Bounds::exact(Probability::CERTAIN),
        false => Bounds::ANYTHING,
    })
}

/// Refuses a scheme with steps.
pub(super) fn refuse_steps(family: &str, scheme: &Scheme) -> Result<(), Error> {
    match scheme.steps() {
        [] => Ok(()),
        _ => Err(Error::new(format!(
            "{family} has no functions to combine by {scheme}"
        ))),
    }
}
