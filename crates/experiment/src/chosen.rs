//! Which family, measure and threshold a file means.

use lookalike_core::{
    Banding, Bounds, Scheme,
    plugin::{self, Measure},
    tune,
};
use lookalike_search::{Entry, Plan, Promise, Registry, Table};

use crate::{Error, Settings};

/// The family of a file that names none.
const FAMILY: &str = "fast-similarity";

/// Kinds by the names that older files use, which results use too.
const OLDER_NAMES: [(&str, &str); 4] = [
    ("sets", "set"),
    ("weights", "weighted-set"),
    ("codes", "code"),
    ("prints", "print"),
];

/// What a file says of the family and of how near is near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// The name of the family.
    pub(crate) family: Option<String>,
    /// The kind of items.
    pub(crate) kind: Option<String>,
    /// A threshold by the name of its measure.
    pub(crate) stated: Option<(&'static Measure, f64)>,
    /// Parameters of the family and of its distance.
    pub(crate) parameters: Table,
}

/// The family, measure and threshold that a file means.
#[derive(Clone, Debug)]
pub(crate) struct Chosen<'a> {
    pub(crate) entry: &'a Entry,
    /// The kind as the file calls it, or else as results do.
    pub(crate) kind: String,
    pub(crate) measure: &'static Measure,
    pub(crate) threshold: f64,
    /// The largest distance of items that are alike by the measure.
    pub(crate) limit: f64,
    pub(crate) parameters: Table,
}

impl<'a> Chosen<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        said: &Said,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let name = said.family.as_deref().unwrap_or(FAMILY);
        let kind = said.kind.as_deref().map(|said| {
            let older = OLDER_NAMES.iter().find(|(older, _)| *older == said);
            older.map_or(said, |(_, kind)| kind)
        });
        let entries = registry.named(name, kind).map_err(|error| {
            let is_about_kind = error_parameter(&error) == kind && kind.is_some();
            let key = if is_about_kind {
                "data.kind"
            } else {
                "family.name"
            };
            Error::from_plugin(key, error)
        })?;
        let wanted = Wanted {
            stated: said.stated,
            settings,
        };
        // A family may have several distances over one kind: the threshold says which is meant.
        let fits = |entry: &&&Entry| entry.measures.iter().any(|it| wanted.fits(it));
        let entry = entries.iter().find(fits).or(entries.first());
        let entry = *entry.expect("at least one has the name");
        let (measure, threshold, key) = wanted.threshold(entry)?;
        let limit = measure
            .limit(threshold)
            .map_err(|error| Error::from_plugin(key, error.into()))?;
        entry
            .check(&said.parameters)
            .map_err(|error| Error::about_table("family", error))?;
        Ok(Self {
            entry,
            kind: said.kind.clone().unwrap_or_else(|| {
                let older = OLDER_NAMES.iter().find(|(_, kind)| *kind == entry.kind);
                older.map_or(entry.kind, |(older, _)| older).to_owned()
            }),
            measure,
            threshold,
            limit,
            parameters: said.parameters.clone(),
        })
    }

    /// The scheme that the file states, or that the parameters imply, or one that is tuned by the promise; `None` for a
    /// method, which has no keys, and for a family that promises nothing or whose functions cannot be combined to rows, so
    /// that its own planner must choose.
    pub(crate) fn scheme(
        &self,
        settings: &Settings,
        width: usize,
    ) -> Result<Option<Scheme>, Error> {
        let said = settings.scheme()?;
        if self.entry.is_method {
            return Ok(None);
        }
        let own = self.entry.scheme(&self.parameters);
        let own = own.map_err(|error| Error::from_plugin("family", error))?;
        // Nothing is combined: votes decide, or the only function.
        let is_fixed = own.as_ref().is_some_and(|own| own.steps().is_empty());
        if let (true, Some(way)) = (is_fixed, settings.way()) {
            let name = self.entry.name;
            let message =
                format!("{name} with these parameters combines no functions: leave {way} out");
            return Err(Error::setting(way, message));
        }
        if said.is_some() {
            return Ok(said);
        }
        if own.is_some() && !settings.is_tuned() {
            return Ok(own);
        }
        let promise = self.entry.promise(&self.parameters, width);
        let promise = promise.map_err(|error| Error::from_plugin("family", error))?;
        let promises = |rows| promise(&Banding::new(1, rows).ok()?.scheme(), self.limit);
        if promises(1).is_none() || promises(2).is_none() {
            return Ok(None);
        }
        self.tuned(settings, &promise).map(Some)
    }

    /// Bands and rows that reach the recall at the threshold by the family's promise.
    fn tuned(&self, settings: &Settings, promise: &Promise) -> Result<Scheme, Error> {
        let goal = tune::Goal::new(self.limit, self.measure.far(self.threshold));
        let tuned = goal
            .and_then(|goal| goal.recall(settings.wanted_recall()))
            .and_then(|goal| goal.budget(settings.functions.unwrap_or(self.entry.functions)))
            .and_then(|goal| {
                goal.plan_with(|scheme, distance| {
                    promise(scheme, distance).unwrap_or(Bounds::ANYTHING)
                })
            });
        let tuned = tuned.map_err(|error| {
            let stated = match self.measure.is_similarity {
                true => "threshold",
                false => "radius",
            };
            Error::setting(settings.way().unwrap_or(stated), error.to_string())
        })?;
        Ok(tuned.banding.scheme())
    }

    /// The plan of a run.
    pub(crate) fn plan(
        &self,
        registry: &Registry,
        data: &lookalike_search::Dataset,
        scheme: Option<Scheme>,
        settings: &Settings,
    ) -> Result<Plan, Error> {
        let mut request = lookalike_search::Request::new(self.measure.flag, self.threshold)
            .family(self.entry.name)
            .seed(settings.seed);
        request.parameters = self.parameters.clone();
        request.recall = settings.recall.filter(|_| scheme.is_none());
        request.functions = settings.functions;
        request.scheme = scheme;
        let planned = registry.plan(&request, data);
        let planned = planned.map_err(|error| Error::about_table("family", error))?;
        Ok(planned.plan)
    }
}

/// How a file states how near is near.
struct Wanted<'a> {
    stated: Option<(&'static Measure, f64)>,
    settings: &'a Settings,
}

impl Wanted<'_> {
    /// Whether the threshold can be one of this measure.
    fn fits(&self, measure: &Measure) -> bool {
        match (self.stated, self.settings.threshold, self.settings.radius) {
            (Some((stated, _)), _, _) => measure.flag == stated.flag,
            (None, Some(_), _) => measure.is_similarity,
            (None, None, Some(_)) => !measure.is_similarity,
            (None, None, None) => true,
        }
    }

    /// The measure, the threshold, and the key that states it.
    fn threshold(&self, entry: &Entry) -> Result<(&'static Measure, f64, &'static str), Error> {
        let (threshold, radius) = (self.settings.threshold, self.settings.radius);
        let given = match (self.stated, threshold, radius) {
            (Some((measure, value)), None, None) => Some((value, measure.flag)),
            (None, Some(value), None) => Some((value, "threshold")),
            (None, None, Some(value)) => Some((value, "radius")),
            (None, None, None) => None,
            (Some((measure, _)), _, _) => {
                let flag = measure.flag;
                let message = format!("{flag} states the threshold already: choose one of the two");
                return Err(Error::setting(flag, message));
            }
            (None, Some(_), Some(_)) => {
                let message = "threshold and radius contradict each other: choose one";
                return Err(Error::setting("radius", message));
            }
        };
        let first = &entry.measures[0];
        let Some(measure) = entry.measures.iter().find(|it| self.fits(it)) else {
            let (_, key) = given.expect("any measure fits nothing");
            let (name, flag) = (first.name, first.flag);
            let message = match key {
                "threshold" => format!(
                    "threshold is a similarity, and {name} is a distance: give radius or {flag}"
                ),
                "radius" => format!(
                    "radius is a distance, and {name} is a similarity: give threshold or {flag}"
                ),
                key => format!("{} has no {key}: give {flag}", entry.name),
            };
            return Err(Error::setting(key, message));
        };
        match (given, measure.usual) {
            (Some((value, key)), _) => Ok((measure, value, key)),
            (None, Some(usual)) => Ok((measure, usual, "threshold")),
            (None, None) => {
                let (name, flag) = (measure.name, measure.flag);
                let key = if measure.is_similarity {
                    "threshold"
                } else {
                    "radius"
                };
                let message = format!(
                    "{key} is missing: at which {name} are two items alike? Give {key} or {flag}"
                );
                Err(Error::setting(key, message))
            }
        }
    }
}

/// The parameter that an error of the registry is about.
pub(crate) fn error_parameter(error: &lookalike_search::Error) -> Option<&str> {
    match error {
        lookalike_search::Error::Plugin(error) => plugin::Error::parameter(error),
        _ => None,
    }
}
