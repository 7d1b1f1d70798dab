//! Keys under a plan, for callers that know the kind of their items and stream them.

use std::any::Any;

use lookalike_core::{
    KeySource, Payload, TooManyKeys,
    plugin::{self, Family, ItemOf, Kind, SignatureOf},
};

use crate::{
    Error, Plan, Registry,
    erased::{AnyKeys, ErasedScratch, ErasedSource, PayloadOf},
    table::from_table,
};

/// Gives items of a kind the keys of a plan. Made by [`Registry::keys`].
pub struct Keys<I: ?Sized> {
    source: Box<dyn Stored<I>>,
    bands: usize,
    signature: Option<SignatureOf<I>>,
}

/// Memory that [`Keys`] uses again from item to item.
#[derive(Default)]
pub struct KeysScratch(Option<Box<dyn Any + Send>>);

impl<I: ?Sized> KeySource for Keys<I> {
    type Item = I;
    type Payload = ();
    type Scratch = KeysScratch;

    fn bands(&self) -> usize {
        self.bands
    }

    fn key_bits(&self) -> u32 {
        self.source.key_bits()
    }

    fn describe(&self) -> String {
        self.source.describe()
    }

    fn keys(
        &self,
        item: &I,
        scratch: &mut KeysScratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        self.source
            .keys_of(item, &mut scratch.0, &mut |band, key| emit(band, key, ()))
    }
}

impl<I: ?Sized> Keys<I> {
    /// What gives an item the answers of all functions, if the share on which two items agree estimates 1 − their
    /// distance.
    #[must_use]
    pub fn signature(&self) -> Option<&SignatureOf<I>> {
        self.signature.as_ref()
    }
}

impl<I: ?Sized> std::fmt::Debug for Keys<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Keys")
            .field(&self.source.describe())
            .finish()
    }
}

/// A source of keys without its types; one virtual call per item.
trait Stored<I: ?Sized>: Send + Sync {
    fn key_bits(&self) -> u32;
    fn describe(&self) -> String;
    fn keys_of(
        &self,
        item: &I,
        scratch: &mut Option<Box<dyn Any + Send>>,
        emit: &mut dyn FnMut(u32, u64),
    ) -> Result<(), TooManyKeys>;
}

impl std::fmt::Debug for KeysScratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeysScratch").finish_non_exhaustive()
    }
}

impl<I: ?Sized, P: Payload> Stored<I> for ErasedSource<I, P> {
    fn key_bits(&self) -> u32 {
        KeySource::key_bits(self)
    }

    fn describe(&self) -> String {
        KeySource::describe(self)
    }

    fn keys_of(
        &self,
        item: &I,
        scratch: &mut Option<Box<dyn Any + Send>>,
        emit: &mut dyn FnMut(u32, u64),
    ) -> Result<(), TooManyKeys> {
        let scratch = scratch.get_or_insert_with(|| Box::new(ErasedScratch::<P>::default()));
        let scratch = scratch
            .downcast_mut()
            .expect("scratch memory of this source");
        self.keys(item, scratch, |band, key, _| emit(band, key))
    }
}

/// Makes [`Keys`] of the item of a kind; what is in the box depends on the kind.
pub(crate) type MakeKeys = fn(&Plan) -> Result<Box<dyn Any>, Error>;

/// The [`Keys`] of a family under a plan.
pub(crate) fn make_keys<F: Family>(plan: &Plan) -> Result<Box<dyn Any>, Error> {
    let (distance, family): (F::Distance, F) =
        (from_table(&plan.parameters)?, from_table(&plan.parameters)?);
    let keys = family.keys(&distance, plan.width)?;
    let any: &dyn AnyKeys<ItemOf<F::Distance>, PayloadOf<F::Keys>> = &keys;
    let source = any.source(&plan.scheme, plan.seed)?;
    if any.verified().is_some() || KeySource::has_probes(&source) {
        let message = format!(
            "{} is for queries: items that it is to compare do not share keys",
            F::NAME
        );
        return Err(plugin::Error::new(message).into());
    }
    let keys: Keys<ItemOf<F::Distance>> = Keys {
        bands: KeySource::bands(&source),
        signature: any.signature(&plan.scheme, plan.seed),
        source: Box::new(source),
    };
    Ok(Box::new(keys))
}

impl Registry {
    /// What gives items of a kind their keys under a plan, drawn as the plan says.
    ///
    /// ```
    /// use lookalike_core::{KeySource, plugin::Value};
    /// use lookalike_hamming::plugin::{BitSampling, Code, CodeReading};
    /// use lookalike_search::{Dataset, Registry, Request};
    ///
    /// let registry = Registry::default().with::<BitSampling>();
    /// let codes = ["ffee0011", "ffee0013", "12345678"].map(Value::Text);
    /// let data = Dataset::parse::<Code>(codes, CodeReading::default())?;
    /// let plan = registry.plan(&Request::new("hamming", 2.0).family("bit-sampling"), &data)?.plan;
    /// let keys = registry.keys::<Code>(&plan)?;
    /// let of = |code: u64| {
    ///     let mut all = Vec::new();
    ///     keys.keys(&[code], &mut Default::default(), |band, key, ()| all.push((band, key)))?;
    ///     Ok::<_, lookalike_core::TooManyKeys>(all)
    /// };
    /// assert_eq!(of(7)?.len(), keys.bands());
    /// assert_eq!(of(7)?, of(7)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the registry does not know what the plan names, the plan is for items of another kind, or the family is for
    /// queries alone.
    pub fn keys<K: Kind>(&self, plan: &Plan) -> Result<Keys<K::Item>, Error> {
        let entry = self.entry_of(plan)?;
        let made = (entry.keys)(plan)?;
        let keys = made.downcast::<Keys<K::Item>>().map_err(|_| {
            let message = format!("a plan for {} cannot hash {}", plan.kind, K::NAME);
            plugin::Error::new(message)
        })?;
        Ok(*keys)
    }
}
