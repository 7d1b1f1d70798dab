use lookalike_core::{
    Bounds, Scheme,
    plugin::{Error, KeyFamily},
};

use crate::{Probed, Probing};

/// Tables of a family whose keys are asked for with flips.
#[derive(Clone, Debug)]
pub struct Probes<F> {
    pub(super) family: F,
    pub(super) flips: u32,
    pub(super) tables: Tables<F>,
}

/// The family of one table and the number of tables, from the family and a scheme.
pub(super) type Tables<F> = fn(&F, &Scheme) -> Result<(F, u32), Error>;

impl<F: Probed + Clone + Send + Sync + 'static> KeyFamily for Probes<F> {
    type Item = [u64];
    type Source = Probing<F>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Probing<F>, Error> {
        let (family, tables) = (self.tables)(&self.family, scheme)?;
        Ok(Probing::new(&family, tables, self.flips, seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let (family, tables) = (self.tables)(&self.family, scheme).ok()?;
        Some(family.met(tables, self.flips, distance))
    }
}
