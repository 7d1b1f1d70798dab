use std::{any::TypeId, collections::HashSet};

use lookalike_core::plugin::{self, Distance, Family, KindOf, Measure, Method, Remedy, Setting};

use lookalike_output::nearest;

use crate::{
    BruteForce, Dataset, Error, Plan, Search, Table,
    dataset::KindEntry,
    entry::{DistanceEntry, Entry},
    generate::GeneratorEntry,
};

/// All kinds, distances, families and methods that users can name.
///
/// A family joins with its distance and kind, and brute force joins with every distance. What is stored are names and
/// functions that make erased objects; verbs are ordinary functions over these.
///
/// ```
/// use lookalike_hamming::plugin::{BitSampling, Code, CodeReading};
/// use lookalike_core::plugin::Value;
/// use lookalike_search::{Dataset, Registry, Request};
///
/// let registry = Registry::default().with::<BitSampling>();
/// let codes = ["ffee0011", "ffee0013", "12345678"].map(Value::Text);
/// let data = Dataset::parse::<Code>(codes, CodeReading::default())?;
/// let planned = registry.plan(&Request::new("hamming", 2.0), &data)?;
/// let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;
/// assert_eq!(pairs.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    pub(crate) kinds: Vec<KindEntry>,
    pub(crate) distances: Vec<DistanceEntry>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) generators: Vec<GeneratorEntry>,
}

impl Registry {
    /// One more family, and with it its distance, its kind and brute force.
    ///
    /// # Panics
    /// If a name of the plugin is not lower-case letters, digits and dashes, a measure is called like a setting
    /// ([`RESERVED`](crate::RESERVED)), or a name is taken: by another kind, by another distance of the same kind for a
    /// measure, by another family or method of the same distance. That is a mistake in the plugin, and every run shows
    /// it at once.
    #[must_use]
    pub fn with<F: Family>(mut self) -> Self {
        self.add_distance::<F::Distance>();
        self.add_entry(Entry::family::<F>());
        self
    }

    /// One more method, and with it its distance, its kind and brute force.
    ///
    /// # Panics
    /// As [`with`](Registry::with).
    #[must_use]
    pub fn with_method<M: Method>(mut self) -> Self {
        self.add_distance::<M::Distance>();
        self.add_entry(Entry::method::<M>());
        self
    }

    fn add_entry(&mut self, entry: Entry) {
        self.check_entry(&entry);
        self.entries.push(entry);
    }

    fn add_distance<D: Distance>(&mut self) {
        let is_known = |known: &DistanceEntry| known.type_id == TypeId::of::<D>();
        if self.distances.iter().any(is_known) {
            return;
        }
        let distance = DistanceEntry::new::<D>();
        let kind = KindEntry::new::<KindOf<D>>();
        self.check_distance(&distance, &kind);
        self.distances.push(distance);
        if !self.kinds.iter().any(|known| known.name == kind.name) {
            self.kinds.push(kind);
        }
        self.add_entry(Entry::method::<BruteForce<D>>());
    }

    /// Without the plugins of a kind.
    #[must_use]
    pub fn without_kind(mut self, name: &str) -> Self {
        self.kinds.retain(|kind| kind.name != name);
        self.distances.retain(|distance| distance.kind != name);
        self.entries.retain(|entry| entry.kind != name);
        self.generators.retain(|entry| entry.kind != name);
        self
    }

    /// All families and methods, in the order in which they joined; brute force comes first of its distance.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The families and methods with a name, over items of a kind if one is named, in the order in which they joined.
    ///
    /// # Errors
    /// If there are none; the error suggests what was perhaps meant, and is about `name` or `kind`.
    pub fn named(&self, name: &str, kind: Option<&str>) -> Result<Vec<&Entry>, Error> {
        let named = || self.entries.iter().filter(|entry| entry.name == name);
        if named().next().is_none() {
            return Err(self.unknown_family(name));
        }
        let is_internal = |name: &str| {
            self.kinds
                .iter()
                .any(|it| it.name == name && it.is_internal)
        };
        let of_kind = named().filter(|entry| match kind {
            Some(kind) => entry.kind == kind,
            None => !is_internal(entry.kind),
        });
        let of_kind: Vec<&Entry> = of_kind.collect();
        match (of_kind.is_empty(), kind) {
            (true, Some(kind)) => {
                let kinds = named().map(|entry| entry.kind);
                let mut kinds: Vec<&str> = kinds.filter(|kind| !is_internal(kind)).collect();
                kinds.dedup();
                let message = format!("{name} is for {}, not for `{kind}`", kinds.join(", "));
                let error = plugin::Error::new(message).about(kind);
                Err(suggesting(error, kind, &kinds).into())
            }
            _ => Ok(of_kind),
        }
    }

    /// The names of all kinds that users name.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> + '_ {
        let named = self.kinds.iter().filter(|kind| !kind.is_internal);
        named.map(|kind| kind.name)
    }

    /// The field of a record that holds values of a kind, unless the user names another.
    #[must_use]
    pub fn field(&self, kind: &str) -> Option<&'static str> {
        let kind = self.kinds.iter().find(|entry| entry.name == kind);
        kind.map(|kind| kind.field)
    }

    /// How values of a kind are read, with the defaults.
    #[must_use]
    pub fn reading(&self, kind: &str) -> Table {
        let kind = self.kinds.iter().find(|entry| entry.name == kind);
        kind.map_or(Table::new(), |kind| (kind.reading)())
    }

    /// Every measure once: the flags of a command.
    #[must_use]
    pub fn measures(&self) -> Vec<&'static Measure> {
        let mut measures: Vec<&'static Measure> = Vec::new();
        for measure in self.distances.iter().flat_map(|distance| distance.measures) {
            if !measures.iter().any(|known| known.flag == measure.flag) {
                measures.push(measure);
            }
        }
        measures
    }

    /// The distance that a measure means for a kind.
    pub(crate) fn distance(&self, measure: &str, kind: &str) -> Result<&DistanceEntry, Error> {
        let distances = self.distances.iter();
        let mut with_measure = distances.filter(|entry| entry.measure(measure).is_some());
        match with_measure.clone().find(|entry| entry.kind == kind) {
            Some(distance) => Ok(distance),
            None if with_measure.next().is_some() => {
                let message = format!("items of the kind {kind} have no {measure}");
                Err(plugin::Error::new(message).into())
            }
            None => Err(self.unknown_measure(measure)),
        }
    }

    /// Many know a family by what it is, such as `minhash`, or by its measure, such as `jaccard`.
    fn unknown_family(&self, name: &str) -> Error {
        let says = |text: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.eq_ignore_ascii_case(name))
        };
        let is_meant = |entry: &&Entry| {
            let mut measures = entry.measures.iter();
            let is_of_measure = measures.any(|it| says(it.flag) || says(it.name));
            !entry.is_method && (is_of_measure || says(entry.summary))
        };
        let entries = self.entries.iter();
        let mut meant: Vec<&str> = entries.filter(is_meant).map(|entry| entry.name).collect();
        let mut seen = HashSet::new();
        meant.retain(|name| seen.insert(*name));
        if meant.is_empty() {
            let names: Vec<&str> = self.entries.iter().map(|entry| entry.name).collect();
            return unknown("family", name, &names);
        }
        let message = format!(
            "unknown family `{name}`: for {name} there is {}",
            meant.join(", ")
        );
        plugin::Error::new(message).about(name).into()
    }

    fn unknown_measure(&self, measure: &str) -> Error {
        let known: Vec<&str> = self.measures().iter().map(|known| known.flag).collect();
        unknown("measure", measure, &known)
    }

    /// The kinds that have a measure and that users name, in the order in which they joined.
    ///
    /// # Errors
    /// If no kind has it.
    pub fn kinds_with(&self, measure: &str) -> Result<Vec<&'static str>, Error> {
        let distances = self.distances.iter();
        let with_measure = distances.filter(|entry| entry.measure(measure).is_some());
        let is_named = |kind: &&str| self.kinds().any(|named| named == *kind);
        let kinds = with_measure.map(|entry| entry.kind).filter(is_named);
        let kinds: Vec<&str> = kinds.collect();
        match kinds.is_empty() {
            true => Err(self.unknown_measure(measure)),
            false => Ok(kinds),
        }
    }

    /// The kinds that items may be of: the one that is named, or all that have the measure.
    ///
    /// # Errors
    /// If no kind has the measure, the named kind does not exist, or it does not have the measure.
    pub fn kinds_for(&self, measure: &str, kind: Option<&str>) -> Result<Vec<&'static str>, Error> {
        let with_measure = self.kinds_with(measure)?;
        let Some(kind) = kind else {
            return Ok(with_measure);
        };
        let Some(named) = self.kinds().find(|named| *named == kind) else {
            return Err(unknown("kind", kind, &self.kinds().collect::<Vec<_>>()));
        };
        if !with_measure.contains(&named) {
            let message = format!(
                "items of the kind {kind} have no {measure}: it is for {}",
                with_measure.join(", ")
            );
            return Err(plugin::Error::new(message).into());
        }
        Ok(vec![named])
    }

    /// The measure of a plan.
    ///
    /// # Errors
    /// If the registry does not have it.
    pub fn measure(&self, plan: &Plan) -> Result<&'static Measure, Error> {
        let distance = self.distance(&plan.measure, &plan.kind)?;
        Ok(distance.measure(&plan.measure).expect("found by it"))
    }

    /// Binds items to a plan.
    ///
    /// # Errors
    /// If the registry does not know what the plan names, or the items are of another kind or width.
    pub fn search<'a>(
        &self,
        data: &'a Dataset,
        plan: &Plan,
    ) -> Result<Box<dyn Search + 'a>, Error> {
        let entry = self.entry_of(plan)?;
        if data.width() != plan.width && !data.is_empty() {
            let (found, expected) = (data.width(), plan.width);
            let message = format!("items of width {found}, but the plan is for width {expected}");
            return Err(plugin::Error::new(message).into());
        }
        (entry.search)(data, plan)
    }
}

impl Registry {
    /// The family or method of a plan.
    pub(crate) fn entry_of(&self, plan: &Plan) -> Result<&Entry, Error> {
        let distance = self.distance(&plan.measure, &plan.kind)?;
        let mut entries = self.entries.iter();
        let entry = entries
            .find(|entry| entry.distance == distance.type_id && entry.name == plan.family)
            .ok_or_else(|| {
                let (family, kind) = (&plan.family, &plan.kind);
                plugin::Error::new(format!(
                    "the plan names {family} over items of the kind {kind}, which this program does not have"
                ))
            })?;
        Ok(entry)
    }

    /// The measure of a plan.
    ///
    /// # Errors
    /// If the registry does not have it.
    pub fn measure_of(&self, plan: &Plan) -> Result<&'static Measure, Error> {
        let distance = self.distance(&plan.measure, &plan.kind)?;
        Ok(distance.measure(&plan.measure).expect("found by it"))
    }

    /// A measure of the distance of a plan, by its flag: the distance may be stated by another measure than the plan's.
    #[must_use]
    pub fn measure_for(&self, flag: &str, plan: &Plan) -> Option<&'static Measure> {
        self.distance(&plan.measure, &plan.kind).ok()?.measure(flag)
    }

    /// The name of a kind.
    ///
    /// # Errors
    /// If the registry has no such kind.
    pub fn kind_named(&self, name: &str) -> Result<&'static str, Error> {
        let kind = self.kinds().find(|kind| *kind == name);
        kind.ok_or_else(|| unknown("kind", name, &self.kinds().collect::<Vec<_>>()))
    }
}

/// The error for a name that is not known, with a suggestion; it is about that name.
pub(crate) fn unknown(what: &'static str, name: &str, known: &[&str]) -> Error {
    let mut names = known.to_vec();
    names.sort_unstable();
    names.dedup();
    let known = match names.is_empty() {
        true => "there are none".to_owned(),
        false => format!("known are {}", names.join(", ")),
    };
    let message = format!("unknown {what} `{name}`: {known}");
    let error = plugin::Error::new(message).about(name);
    suggesting(error, name, &names).into()
}

/// An error with a suggestion, if a known name is like the one that was given.
fn suggesting(error: plugin::Error, name: &str, known: &[&str]) -> plugin::Error {
    match nearest(name, known) {
        Some(meant) => error.remedy(Remedy::advice(format!("did you mean `{meant}`?"))),
        None => error,
    }
}

/// The setting that names a family.
pub(crate) const FAMILY: Setting = Setting("family");

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.entries).finish()
    }
}
