//! What the registry holds of each plugin: names, and functions that make erased objects.

use std::any::{TypeId, type_name};

use lookalike_core::{
    Bounds, Scheme,
    conformance::{self, Checked, Effort, Violation},
    plugin::{self, Distance, Family, KeyFamily, KindOf, Measure, Method, Proposal, Recall, Task},
    tune,
};

use crate::{
    Dataset, Error, Plan, Search, Table,
    bound::Bound,
    brute::BoundMethod,
    codes::{MakeCodes, make_codes},
    erased::PayloadOf,
    keys::{MakeKeys, make_keys},
    registry::unknown,
    stored::{FamilyHashes, MakeHashes, MethodHashes},
    table::{from_table, table_of},
};

/// A distance and what it needs.
#[derive(Clone, Copy)]
pub(crate) struct DistanceEntry {
    pub(crate) type_id: TypeId,
    pub(crate) type_name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) measures: &'static [Measure],
    pub(crate) is_symmetric: bool,
    pub(crate) largest: fn(usize) -> Option<f64>,
}

impl DistanceEntry {
    pub(crate) fn new<D: Distance>() -> Self {
        Self {
            type_id: TypeId::of::<D>(),
            type_name: type_name::<D>(),
            kind: <KindOf<D> as plugin::Kind>::NAME,
            measures: D::MEASURES,
            is_symmetric: D::IS_SYMMETRIC,
            largest: D::largest,
        }
    }

    pub(crate) fn measure(&self, flag: &str) -> Option<&'static Measure> {
        self.measures.iter().find(|measure| measure.flag == flag)
    }
}

/// A family or a method over a distance.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in files and flags.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Whether it searches without keys in buckets.
    pub is_method: bool,
    /// The kind of items.
    pub kind: &'static str,
    /// What a label of an item names.
    pub label: &'static str,
    /// How users state the distance.
    pub measures: &'static [Measure],
    /// What a reader should know who compares its promise with what was measured, if it is not exact.
    pub caveat: &'static str,
    /// The most functions that are chosen if the user does not say.
    pub functions: u32,
    pub(crate) distance: TypeId,
    largest: fn(usize) -> Option<f64>,
    own_parameters: fn() -> Table,
    distance_parameters: fn() -> Table,
    distinct_functions: fn(usize) -> Option<u32>,
    check: fn(&Table) -> Result<(), Error>,
    scheme: fn(&Table) -> Result<Option<Scheme>, Error>,
    promise: fn(&Table, usize) -> Result<Promise, Error>,
    conformance: fn(Effort, u64) -> Result<Checked, Violation>,
    pub(crate) propose: Propose,
    pub(crate) search: Bind,
    pub(crate) hashes: MakeHashes,
    has_codes: fn() -> bool,
    pub(crate) make_codes: MakeCodes,
    pub(crate) keys: MakeKeys,
}

/// Bounds on the probability that items at a distance become candidates under a scheme, if anything is promised.
pub type Promise = Box<dyn Fn(&Scheme, f64) -> Option<Bounds> + Send + Sync>;
/// Asks a family or a method for a proposal.
type Propose = fn(&Dataset, &Table, &Task) -> Result<Option<Proposed>, Error>;
/// Binds items to a plan.
type Bind = for<'a> fn(&'a Dataset, &Plan) -> Result<Box<dyn Search + 'a>, Error>;

/// A proposal without its types.
pub(crate) struct Proposed {
    pub(crate) parameters: Table,
    pub(crate) scheme: Scheme,
    pub(crate) recall: Recall,
    pub(crate) seconds: f64,
}

impl Proposed {
    fn new<P: plugin::Params>(distance: &impl plugin::Params, proposal: Proposal<P>) -> Self {
        let Proposal {
            parameters,
            scheme,
            recall,
            seconds,
        } = proposal;
        Self {
            parameters: both(table_of(distance), table_of(&parameters)),
            scheme,
            recall,
            seconds,
        }
    }
}

/// The parameters of a distance and of a family in one table.
fn both(mut distance: Table, family: Table) -> Table {
    distance.extend(family);
    distance
}

impl Entry {
    pub(crate) fn family<F: Family>() -> Self {
        Self {
            name: F::NAME,
            summary: F::SUMMARY,
            is_method: false,
            kind: <KindOf<F::Distance> as plugin::Kind>::NAME,
            label: <KindOf<F::Distance> as plugin::Kind>::LABEL,
            measures: F::Distance::MEASURES,
            caveat: F::CAVEAT,
            functions: F::FUNCTIONS.unwrap_or(tune::BUDGET),
            distance: TypeId::of::<F::Distance>(),
            largest: F::Distance::largest,
            own_parameters: || table_of(&F::default()),
            distance_parameters: || table_of(&F::Distance::default()),
            distinct_functions: F::distinct_functions,
            check: |table| {
                from_table::<F>(table)?;
                Ok(from_table::<F::Distance>(table)?.metric().map(drop)?)
            },
            scheme: |table| Ok(from_table::<F>(table)?.scheme()),
            promise: |table, width| {
                let family: F = from_table(table)?;
                let keys = family.keys(&from_table(table)?, width)?;
                Ok(Box::new(move |scheme, distance| {
                    keys.promise(scheme, distance)
                }))
            },
            conformance: conformance::plugin_with::<F>,
            propose: |data, table, task| {
                let (distance, family): (F::Distance, F) = (from_table(table)?, from_table(table)?);
                let items = data.items::<KindOf<F::Distance>>()?;
                let proposal = family.propose(&distance, items, task)?;
                Ok(proposal.map(|proposal| Proposed::new(&distance, proposal)))
            },
            search: |data, plan| {
                let (distance, family): (F::Distance, F) =
                    (from_table(&plan.parameters)?, from_table(&plan.parameters)?);
                let keys = Box::new(family.keys(&distance, plan.width)?);
                let bound = Bound::<_, PayloadOf<F::Keys>>::new(data, plan, &distance, keys)?;
                Ok(Box::new(bound))
            },
            hashes: |plan| {
                let (distance, family): (F::Distance, F) =
                    (from_table(&plan.parameters)?, from_table(&plan.parameters)?);
                let keys = Box::new(family.keys(&distance, plan.width)?);
                let hashes = FamilyHashes::<_, PayloadOf<F::Keys>>::new(plan, &distance, keys)?;
                Ok(Box::new(hashes))
            },
            has_codes: || {
                let coder = F::default().coder(&F::Distance::default(), 0);
                coder.is_ok_and(|coder| coder.is_some())
            },
            make_codes: make_codes::<F>,
            keys: make_keys::<F>,
        }
    }

    pub(crate) fn method<M: Method>() -> Self {
        Self {
            name: M::NAME,
            summary: M::SUMMARY,
            is_method: true,
            kind: <KindOf<M::Distance> as plugin::Kind>::NAME,
            label: <KindOf<M::Distance> as plugin::Kind>::LABEL,
            measures: M::Distance::MEASURES,
            caveat: "",
            functions: tune::BUDGET,
            distance: TypeId::of::<M::Distance>(),
            largest: M::Distance::largest,
            own_parameters: || table_of(&M::default()),
            distance_parameters: || table_of(&M::Distance::default()),
            distinct_functions: |_| None,
            check: |table| {
                from_table::<M>(table)?;
                Ok(from_table::<M::Distance>(table)?.metric().map(drop)?)
            },
            scheme: |_| Ok(None),
            promise: |_, _| Ok(Box::new(|_, _| None)),
            conformance: conformance::method_with::<M>,
            propose: |data, table, task| {
                let (distance, method): (M::Distance, M) = (from_table(table)?, from_table(table)?);
                let items = data.items::<KindOf<M::Distance>>()?;
                let proposal = method.propose(&distance, items, task)?;
                Ok(proposal.map(|proposal| Proposed::new(&distance, proposal)))
            },
            search: |data, plan| Ok(Box::new(BoundMethod::<M>::new(data, plan)?)),
            hashes: |plan| Ok(Box::new(MethodHashes::<M>::new(plan)?)),
            has_codes: || false,
            make_codes: |_, _, _| Ok(None),
            keys: |plan| {
                let message = format!("{} searches without keys", plan.family);
                Err(plugin::Error::new(message).into())
            },
        }
    }

    /// The parameters of the family or method, with their defaults.
    #[must_use]
    pub fn own_parameters(&self) -> Table {
        (self.own_parameters)()
    }

    /// The parameters of the distance, with their defaults.
    #[must_use]
    pub fn distance_parameters(&self) -> Table {
        (self.distance_parameters)()
    }

    /// All parameters with their defaults.
    #[must_use]
    pub fn parameters(&self) -> Table {
        both(self.distance_parameters(), self.own_parameters())
    }

    /// Whether the family gives items codes for use elsewhere.
    #[must_use]
    pub fn has_codes(&self) -> bool {
        (self.has_codes)()
    }

    /// Refuses parameters that are not known or wrong, before there are items.
    ///
    /// # Errors
    /// If there are such; the error names the first.
    pub fn check(&self, parameters: &Table) -> Result<(), Error> {
        let known = self.parameters();
        if let Some(name) = parameters.keys().find(|name| !known.contains_key(*name)) {
            let known: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(unknown("parameter", name, &known));
        }
        (self.check)(parameters)
    }

    /// What the family promises with the given parameters, for items of a width.
    ///
    /// # Errors
    /// If a parameter is wrong.
    pub fn promise(&self, parameters: &Table, width: usize) -> Result<Promise, Error> {
        (self.promise)(parameters, width)
    }

    /// The largest distance that items of a width can have, if there is one: by their width, or by a measure.
    #[must_use]
    pub fn largest(&self, width: usize) -> Option<f64> {
        let measures = self.measures.iter().map(Measure::farthest);
        let farthest = measures.fold(f64::MAX, f64::min);
        (self.largest)(width).or(Some(farthest).filter(|farthest| *farthest < f64::MAX))
    }

    /// The scheme that the parameters imply, such as one band per block; `None` if any will do.
    ///
    /// # Errors
    /// If a parameter is wrong.
    pub fn scheme(&self, parameters: &Table) -> Result<Option<Scheme>, Error> {
        (self.scheme)(parameters)
    }

    /// Checks the kind, the distance, and the family or method, with their default parameters:
    /// [`conformance::plugin_with`] or [`conformance::method_with`].
    ///
    /// # Errors
    /// The first thing that is wrong, or that the distance has no specimens to test with.
    pub fn conformance(&self, effort: Effort, seed: u64) -> Result<Checked, Violation> {
        (self.conformance)(effort, seed)
    }

    /// How many functions there are in all for items of a width, if those of a band are different ones and the distance
    /// is the number of functions that disagree.
    #[must_use]
    pub fn distinct_functions(&self, width: usize) -> Option<u32> {
        (self.distinct_functions)(width)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
