//! One place per function, however it was chosen.

use lookalike_core::LshFunctions;

/// The places that functions read.
pub(crate) struct Sampled(pub(crate) Vec<usize>);

impl LshFunctions for Sampled {
    type Item = [bool];
    type Key = bool;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, item: &[bool], (): &mut (), keys: &mut [bool]) {
        keys.iter_mut()
            .zip(&self.0)
            .for_each(|(key, &place)| *key = item[place]);
    }
}
