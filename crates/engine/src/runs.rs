//! Work on runs of items in parallel, behind one call per run: what rayon makes of it is compiled once per result and
//! not once per source of keys.

use std::ops::Range;

use lookalike_core::Items;
use rayon::prelude::*;

use crate::Error;

/// What one thread does with a run of places.
pub(crate) type Work<'a, T> = Box<dyn FnMut(Range<usize>) -> Result<T, Error> + 'a>;

/// The results of the runs of `length` places that cover `places`, in their order. `make` is called at least once per
/// thread, for memory that is used again from run to run.
pub(crate) fn in_runs<'a, T: Send>(
    places: Range<usize>,
    length: usize,
    make: &(dyn Fn() -> Work<'a, T> + Sync),
) -> Result<Vec<T>, Error> {
    let end = places.end;
    let firsts = places.into_par_iter().step_by(length);
    let runs = firsts.map_init(make, |work, first| work(first..end.min(first + length)));
    runs.collect()
}

/// Items that are hashed together: enough for a matrix product, few enough for their answers to stay in the cache.
const BATCH: usize = 64;

/// Calls `work` with the items of a run of places, a batch at a time, and the first place of each batch.
pub(crate) fn in_batches<T: ?Sized>(
    run: Range<usize>,
    items: &(impl Items<T> + ?Sized),
    mut work: impl FnMut(usize, &[&T]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut batch = Vec::with_capacity(BATCH.min(run.len()));
    for first in run.clone().step_by(BATCH) {
        batch.clear();
        let places = first..run.end.min(first + BATCH);
        batch.extend(places.map(|place| items.item(place)));
        work(first, &batch)?;
    }
    Ok(())
}
