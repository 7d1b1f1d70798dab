//! What a family of the registry promises, and the keys that it gives texts.

use std::num::NonZeroU64;

use lookalike_core::{
    Bounds, KeySource, Probability, Scheme, TooManyKeys,
    plugin::{Kind, SignatureOf},
};
use lookalike_engine::Rows;
use lookalike_minhash::{
    MinValue,
    plugin::{Hashed, Text},
};
use lookalike_search::{
    Dataset, Entry, Keys, KeysScratch, Promise, Registry, Request, Table, TextFamily, TextPlan,
    WrongSetting,
};

use crate::{Config, Error, Verification};

/// The measure by which documents are alike.
const MEASURE: &str = "jaccard";

/// What a family over texts promises.
pub(crate) struct Promised {
    promise: Promise,
    /// The most functions that are chosen unless the settings say.
    pub(crate) budget: u32,
}

impl Promised {
    pub(crate) fn new(family: &TextFamily, registry: &Registry) -> Result<Self, Error> {
        let entry = entry(family, registry)?;
        Ok(Self {
            promise: entry.promise(&family.parameters(), 0)?,
            budget: entry.functions,
        })
    }

    /// The probability that texts with a similarity become candidates: by the S-curve where it holds, or else at least.
    pub(crate) fn candidate(&self, plan: &TextPlan, similarity: f64) -> f64 {
        let candidate = match plan.is_s_curve {
            true => plan.scheme.probability(Probability::saturating(similarity)),
            false => self.bounds(&plan.scheme, 1.0 - similarity).lower(),
        };
        candidate.value()
    }

    /// Bounds on the probability that texts at a distance become candidates.
    pub(crate) fn bounds(&self, scheme: &Scheme, distance: f64) -> Bounds {
        (self.promise)(scheme, distance).unwrap_or(Bounds::ANYTHING)
    }
}

/// The family over texts that the settings name.
fn entry<'r>(family: &TextFamily, registry: &'r Registry) -> Result<&'r Entry, Error> {
    let named = registry.named(&family.name, Some(Text::NAME))?;
    let is_family =
        |entry: &&Entry| !entry.is_method && entry.measures.iter().any(|it| it.flag == MEASURE);
    named.into_iter().find(is_family).ok_or_else(|| {
        let name = &family.name;
        let message = format!("family is {name}, which gives texts no keys under {MEASURE}");
        WrongSetting::new("family.name", message).into()
    })
}

/// The functions of a run: for texts, and the same for elements that are at hand, where the family has such.
#[derive(Debug)]
pub(crate) struct Hashing {
    texts: Keys<str>,
    elements: Option<Keys<[u64]>>,
}

/// Memory that is used again from item to item.
#[derive(Default)]
pub(crate) struct HashingScratch {
    texts: KeysScratch,
    elements: KeysScratch,
}

impl Hashing {
    /// The functions of a plan, drawn from the seed of the settings.
    pub(crate) fn new(
        config: &Config,
        plan: &TextPlan,
        registry: &Registry,
    ) -> Result<Self, Error> {
        let name = &config.family.name;
        let of_elements = registry.entries().iter();
        let mut of_elements = of_elements.filter(|entry| entry.kind == Hashed::NAME);
        let elements = match of_elements.any(|entry| entry.name == name) {
            true => {
                // What repeats has become another element already.
                let mut parameters = config.family.parameters();
                parameters.remove("bag");
                Some(keys::<Hashed>(config, plan, registry, parameters)?)
            }
            false => None,
        };
        let texts = keys::<Text>(config, plan, registry, config.family.parameters())?;
        let hashing = Self { texts, elements };
        if config.verify.method == Verification::Signature && hashing.signature().is_none() {
            let message = format!(
                "verify.method is signature, and {name} has no signatures that estimate a similarity: choose exact"
            );
            return Err(WrongSetting::new("verify.method", message).into());
        }
        Ok(hashing)
    }

    pub(crate) fn bands(&self) -> usize {
        self.texts.bands()
    }

    /// Adds the keys of a text whose elements are at hand, unless it is too long for that; the keys of a group are its
    /// own.
    pub(crate) fn push(
        &self,
        rows: &mut Rows,
        group: Option<u64>,
        text: &str,
        elements: Option<&[u64]>,
        scratch: &mut HashingScratch,
    ) -> Result<(), TooManyKeys> {
        match (&self.elements, elements) {
            (Some(keys), Some(elements)) => {
                push(rows, group, keys, elements, &mut scratch.elements)
            }
            _ => push(rows, group, &self.texts, text, &mut scratch.texts),
        }
    }

    /// All keys of a text.
    pub(crate) fn keys(&self, text: &str) -> Result<Vec<(u32, u64)>, TooManyKeys> {
        let mut keys = Vec::new();
        let emit = |band, key, ()| keys.push((band, key));
        self.texts.keys(text, &mut KeysScratch::default(), emit)?;
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// What gives a text the answers of all functions, where they estimate a similarity.
    pub(crate) fn signature(&self) -> Option<&SignatureOf<str>> {
        self.texts.signature()
    }

    /// The answers for a text whose elements are at hand; none where they estimate nothing.
    pub(crate) fn answers(&self, text: &str, elements: Option<&[u64]>) -> Vec<MinValue> {
        let of_elements = self.elements.as_ref().and_then(Keys::signature);
        let answers = match (of_elements, elements, self.signature()) {
            (Some(signature), Some(elements), _) => signature(elements),
            (_, _, Some(signature)) => signature(text),
            _ => Vec::new(),
        };
        let value = |answer: Option<u64>| answer.and_then(NonZeroU64::new);
        answers.into_iter().map(value).collect()
    }
}

fn keys<K: Kind<Reading: Default>>(
    config: &Config,
    plan: &TextPlan,
    registry: &Registry,
    parameters: Table,
) -> Result<Keys<K::Item>, Error> {
    let mut request = Request::new(MEASURE, config.threshold)
        .family(&config.family.name)
        .scheme(plan.scheme.clone())
        .seed(config.seed);
    request.parameters = parameters;
    // The scheme is decided, so that no items are needed.
    let none = Dataset::parse::<K>([], K::Reading::default());
    let none = none.map_err(lookalike_search::Error::from)?;
    let plan = registry.plan(&request, &none)?.plan;
    Ok(registry.keys::<K>(&plan)?)
}

/// Adds the keys of an item; those of a group are its own.
fn push<S: KeySource>(
    rows: &mut Rows,
    group: Option<u64>,
    source: &S,
    item: &S::Item,
    scratch: &mut S::Scratch,
) -> Result<(), TooManyKeys> {
    match group {
        None => rows.push(source, item, scratch),
        Some(group) => rows.push_among(group, source, item, scratch),
    }
}
