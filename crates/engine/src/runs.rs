//! Work on runs of items in parallel, behind one call per run: what rayon makes of it is compiled once per result and
//! not once per source of keys.

use std::ops::Range;

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
