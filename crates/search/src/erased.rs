//! Families without their types, so that verbs are compiled once per distance and not once per family.
//!
//! One virtual call per item: hashing an item takes far longer. Generic verbs took 4 CPU seconds of a release build per
//! family.

use std::any::Any;

use lookalike_core::{
    Bounds, KeySource, Payload, Scheme, TooManyKeys,
    plugin::{Error, Hit, KeyFamily, SignatureOf},
};

/// The payload of a family's sources.
pub(crate) type PayloadOf<K> = <<K as KeyFamily>::Source as KeySource>::Payload;

/// A [`KeyFamily`] without its type.
pub(crate) trait AnyKeys<I: ?Sized, P: Payload>: Send + Sync {
    fn source(&self, scheme: &Scheme, seed: u64) -> Result<ErasedSource<I, P>, Error>;
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds>;
    fn signature(&self, scheme: &Scheme, seed: u64) -> Option<SignatureOf<I>>;
    fn verified(&self) -> Option<usize>;
    fn rank(&self, hits: &[Hit<P>]) -> Vec<u32>;
}

impl<K: KeyFamily> AnyKeys<K::Item, PayloadOf<K>> for K {
    fn source(
        &self,
        scheme: &Scheme,
        seed: u64,
    ) -> Result<ErasedSource<K::Item, PayloadOf<K>>, Error> {
        let source = KeyFamily::source(self, scheme, seed)?;
        Ok(ErasedSource(Box::new(source)))
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        KeyFamily::promise(self, scheme, distance)
    }

    fn signature(&self, scheme: &Scheme, seed: u64) -> Option<SignatureOf<K::Item>> {
        KeyFamily::signature(self, scheme, seed)
    }

    fn verified(&self) -> Option<usize> {
        KeyFamily::verified(self)
    }

    fn rank(&self, hits: &[Hit<PayloadOf<K>>]) -> Vec<u32> {
        KeyFamily::rank(self, hits)
    }
}

/// A [`KeySource`] without its type.
trait AnySource<I: ?Sized, P>: Send + Sync {
    fn bands(&self) -> usize;
    fn key_bits(&self) -> u32;
    fn describe(&self) -> String;
    fn has_probes(&self) -> bool;
    fn scratch(&self) -> Box<dyn Any + Send>;
    /// Adds the keys under which an item is stored, or those that a query asks.
    fn add_keys(
        &self,
        item: &I,
        is_query: bool,
        scratch: &mut dyn Any,
        keys: &mut Vec<(u32, u64, P)>,
    ) -> Result<(), TooManyKeys>;
    /// Adds the keys under which items are stored, and the place of the item to each.
    fn add_keys_of_all(
        &self,
        items: &[&I],
        scratch: &mut dyn Any,
        keys: &mut Vec<(usize, u32, u64, P)>,
    ) -> Result<(), (usize, TooManyKeys)>;
}

impl<S> AnySource<S::Item, S::Payload> for S
where
    S: KeySource<Scratch: 'static> + Send,
{
    fn bands(&self) -> usize {
        KeySource::bands(self)
    }

    fn key_bits(&self) -> u32 {
        KeySource::key_bits(self)
    }

    fn describe(&self) -> String {
        KeySource::describe(self)
    }

    fn has_probes(&self) -> bool {
        KeySource::has_probes(self)
    }

    fn scratch(&self) -> Box<dyn Any + Send> {
        Box::new(S::Scratch::default())
    }

    fn add_keys(
        &self,
        item: &S::Item,
        is_query: bool,
        scratch: &mut dyn Any,
        keys: &mut Vec<(u32, u64, S::Payload)>,
    ) -> Result<(), TooManyKeys> {
        let scratch = scratch
            .downcast_mut()
            .expect("scratch memory of this source");
        // One call for sources without probes, so that hashing is compiled once.
        match is_query && KeySource::has_probes(self) {
            true => self.probes(item, scratch, adder(keys)),
            false => self.keys(item, scratch, adder(keys)),
        }
    }

    fn add_keys_of_all(
        &self,
        items: &[&S::Item],
        scratch: &mut dyn Any,
        keys: &mut Vec<(usize, u32, u64, S::Payload)>,
    ) -> Result<(), (usize, TooManyKeys)> {
        let scratch = scratch
            .downcast_mut()
            .expect("scratch memory of this source");
        self.keys_of_all(items, scratch, adder_of_all(keys))
    }
}

/// A function of its own, so that the closure, and what is generic over it, does not depend on the source.
fn adder<P>(keys: &mut Vec<(u32, u64, P)>) -> impl FnMut(u32, u64, P) {
    |band, key, payload| keys.push((band, key, payload))
}

/// The same for the keys of many items.
fn adder_of_all<P>(keys: &mut Vec<(usize, u32, u64, P)>) -> impl FnMut(usize, u32, u64, P) {
    |place, band, key, payload| keys.push((place, band, key, payload))
}

/// A source of keys whose type is known only to itself.
pub(crate) struct ErasedSource<I: ?Sized, P>(Box<dyn AnySource<I, P>>);

/// Scratch memory of an erased source, and the keys of the last item or batch.
pub(crate) struct ErasedScratch<P> {
    own: Option<Box<dyn Any + Send>>,
    keys: Vec<(u32, u64, P)>,
    keys_of_all: Vec<(usize, u32, u64, P)>,
}

impl<P> Default for ErasedScratch<P> {
    fn default() -> Self {
        Self {
            own: None,
            keys: Vec::new(),
            keys_of_all: Vec::new(),
        }
    }
}

impl<I: ?Sized, P: Payload> ErasedSource<I, P> {
    fn emit(
        &self,
        item: &I,
        is_query: bool,
        scratch: &mut ErasedScratch<P>,
        mut emit: impl FnMut(u32, u64, P),
    ) -> Result<(), TooManyKeys> {
        let own = scratch.own.get_or_insert_with(|| self.0.scratch());
        scratch.keys.clear();
        self.0
            .add_keys(item, is_query, &mut **own, &mut scratch.keys)?;
        for &(band, key, payload) in &scratch.keys {
            emit(band, key, payload);
        }
        Ok(())
    }
}

impl<I: ?Sized, P: Payload> KeySource for ErasedSource<I, P> {
    type Item = I;
    type Payload = P;
    type Scratch = ErasedScratch<P>;

    fn bands(&self) -> usize {
        self.0.bands()
    }

    fn key_bits(&self) -> u32 {
        self.0.key_bits()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn has_probes(&self) -> bool {
        self.0.has_probes()
    }

    fn keys(
        &self,
        item: &I,
        scratch: &mut ErasedScratch<P>,
        emit: impl FnMut(u32, u64, P),
    ) -> Result<(), TooManyKeys> {
        self.emit(item, false, scratch, emit)
    }

    fn keys_of_all(
        &self,
        items: &[&I],
        scratch: &mut ErasedScratch<P>,
        mut emit: impl FnMut(usize, u32, u64, P),
    ) -> Result<(), (usize, TooManyKeys)> {
        let own = scratch.own.get_or_insert_with(|| self.0.scratch());
        scratch.keys_of_all.clear();
        let keys = &mut scratch.keys_of_all;
        self.0.add_keys_of_all(items, &mut **own, keys)?;
        for &(place, band, key, payload) in &*keys {
            emit(place, band, key, payload);
        }
        Ok(())
    }

    fn probes(
        &self,
        item: &I,
        scratch: &mut ErasedScratch<P>,
        emit: impl FnMut(u32, u64, P),
    ) -> Result<(), TooManyKeys> {
        self.emit(item, true, scratch, emit)
    }
}
