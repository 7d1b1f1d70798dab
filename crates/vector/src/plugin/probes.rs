use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use lookalike_core::{
    Bounds, LshFamily, Scheme,
    plugin::{Error, KeyFamily},
};

use crate::families::{Perturbed, Probed, Probing, ProbingScratch, Simulated, checked};

/// Tables of a family that are asked for several keys each.
#[derive(Clone, Debug)]
pub struct Probes<F> {
    pub(super) family: F,
    pub(super) probes: u32,
    /// What was simulated: a promise is asked for again and again.
    known: Arc<Mutex<BTreeMap<(u32, u64), Simulated>>>,
}

impl<F: Probed> Probes<F> {
    /// A family whose tables are asked for so many keys each; `None`: their own alone.
    pub(super) fn new(family: F, probes: Option<u32>) -> Result<Self, Error> {
        let probes = probes.unwrap_or(1);
        checked(&Scheme::default(), probes)?;
        Ok(Self {
            family,
            probes,
            known: Arc::default(),
        })
    }

    fn simulated(&self, rows: u32, distance: f64) -> Simulated {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (rows, distance.to_bits());
        if let Some(known) = lock().get(&place) {
            return *known;
        }
        let found = Simulated::of_promise(&self.family, rows, self.probes, distance);
        lock().insert(place, found);
        found
    }
}

impl<F> KeyFamily for Probes<F>
where
    F: Probed + Clone + Send + Sync + 'static,
    F::Functions: Perturbed<Key: Send + Sync + 'static, Scratch: 'static> + 'static,
    ProbingScratch<F::Functions>: Send,
{
    type Item = F::Item;
    type Source = Probing<F>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Probing<F>, Error> {
        Ok(Probing::new(&self.family, scheme, self.probes, seed)?)
    }

    /// That of the family for one key a table; simulated for several, which need bands and rows.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        match (self.probes, scheme.banding()) {
            (1, _) => Some(LshFamily::promise(&self.family, scheme, distance)),
            (_, Some(banding)) => {
                let one = self.simulated(banding.rows(), distance);
                Some(one.bounds(banding.bands()))
            }
            _ => None,
        }
    }
}
