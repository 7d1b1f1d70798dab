use std::fmt;

use lookalike_core::{
    Bounds, Drawn, Items, Key, KeySource, LshFamily, LshFunctions, Metric, Probability, Scheme,
};
use lookalike_engine::{Hit, Id, Pair};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Data, Error, Measure};

/// A family as a file names it: the value is its table `[family]`.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_experiment::{Error, FamilySearch, Measure, Plugin, Registry, data::Sets};
/// use lookalike_minhash::{Integers, Jaccard, Universal};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Mine {}
///
/// impl Plugin for Mine {
///     const NAME: &'static str = "mine";
///     const MEASURE: Measure = Measure::Similarity("Jaccard similarity");
///     type Data = Sets;
///     type Search = FamilySearch<Universal<Integers>, Jaccard<Integers>>;
///     fn search(&self, _: &Vec<Vec<u64>>) -> Result<Self::Search, Error> {
///         Ok(FamilySearch::new(Universal::new(Integers), Jaccard::new(Integers)))
///     }
/// }
///
/// let registry = Registry::builtin().with::<Mine>();
/// assert_eq!(registry.entries().last().unwrap().name, "mine");
/// ```
pub trait Plugin: DeserializeOwned + Serialize {
    /// The name in a file. Families over different [kinds](Data::KIND) of items may share one.
    const NAME: &'static str;
    /// What it is about.
    const MEASURE: Measure;
    /// What it is, in a line.
    const SUMMARY: &'static str = "";
    /// What one function promises, as a formula.
    const SENSITIVITY: &'static str = "";
    /// What to know where a prediction is held against what was measured: nothing, if it is exact.
    const CAVEAT: &'static str = "";
    /// What it reads: the table `[data]`.
    type Data: Data;
    /// How items meet.
    type Search: Search<Item = <Self::Data as Data>::Item>;

    /// The family for these items, which say how long codes are, for example.
    fn search(&self, items: &<Self::Data as Data>::Items) -> Result<Self::Search, Error>;
}

/// How items meet, and what a meeting is worth: all that a run needs to know of a family.
pub trait Search: Sync {
    /// What is compared.
    type Item: ?Sized;
    /// What gives items their keys.
    type Source: KeySource<Item = Self::Item>;
    /// What is true.
    type Metric: Metric<Item = Self::Item, Prepared: Send + Sync> + Sync;

    /// The exact distance.
    fn metric(&self) -> &Self::Metric;

    /// Keys under a scheme, drawn from a seed.
    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error>;

    /// Bounds on the probability that items at a distance become candidates, where something is promised.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        let _ = (scheme, distance);
        None
    }

    /// How many functions there are in all, where those of a band are different ones and a distance is the number of them that
    /// disagree: the bits of a code.
    fn distinct(&self) -> Option<u32> {
        None
    }

    /// The scheme where a file says none; `None`: bands and rows are chosen for a recall.
    fn scheme(&self) -> Option<Scheme> {
        None
    }

    /// What makes two items candidates.
    fn meeting(&self) -> Meeting<<Self::Source as KeySource>::Payload> {
        Meeting::Keys
    }

    /// What verifies candidates, where the truth is known only because the data says it: whose a fingerprint is.
    fn verifier<'a>(&'a self, items: &'a dyn Items<Self::Item>) -> Option<Verifier<'a>> {
        let _ = items;
        None
    }

    /// The answers of all functions to an item, where the share on which two items agree estimates 1 − their distance.
    fn signatures<'a>(&'a self, source: &'a Self::Source) -> Option<SignatureOf<'a, Self::Item>> {
        let _ = source;
        None
    }
}

/// The answers of all functions to an item; none where a function has none.
pub type SignatureOf<'a, I> = Box<dyn Fn(&I) -> Vec<Option<u64>> + Sync + 'a>;

/// Whether two items are a match.
pub type Verifier<'a> = Box<dyn Fn(Pair) -> bool + Sync + 'a>;

/// What makes two items candidates.
pub enum Meeting<P> {
    /// One asks for a key under which the other is stored. If the source has no probes, they share a stored key.
    Keys,
    /// One elects the other.
    Votes(Election<P>),
    /// They are both there: everything is compared with everything.
    Presence,
}

/// Which items all hits of a query elect, in any order.
///
/// Hits have what was stored and what was asked with, so that votes may count together that agree with each other.
pub type Election<P> = Box<dyn Fn(&[Hit<P>]) -> Vec<Id> + Sync>;

impl<P> fmt::Debug for Meeting<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keys => "Keys",
            Self::Votes(_) => "Votes",
            Self::Presence => "Presence",
        })
    }
}

/// The usual search: a family under a scheme, and its metric.
#[derive(Clone, Debug)]
pub struct FamilySearch<F, M> {
    family: F,
    metric: M,
}

impl<F: LshFamily, M: Metric<Item = F::Item>> FamilySearch<F, M> {
    /// A family and what is true.
    pub fn new(family: F, metric: M) -> Self {
        Self { family, metric }
    }

    /// Whether the share of functions that agree estimates 1 − distance.
    fn estimates_similarity(&self) -> bool {
        [0.25, 0.5, 0.75].iter().all(|&distance| {
            let similarity = Probability::saturating(1.0 - distance);
            self.family.collision(distance) == Bounds::exact(similarity)
        })
    }
}

impl<F, M> Search for FamilySearch<F, M>
where
    F: LshFamily + Clone + Sync,
    M: Metric<Item = F::Item, Prepared: Send + Sync> + Sync,
    <F::Functions as LshFunctions>::Key: Sync,
{
    type Item = F::Item;
    type Source = Drawn<F>;
    type Metric = M;

    fn metric(&self) -> &M {
        &self.metric
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Drawn<F>, Error> {
        let amplified = self.family.clone().amplify(scheme.clone());
        Ok(amplified.draw(seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        Some(self.family.promise(scheme, distance))
    }

    fn signatures<'a>(&'a self, source: &'a Drawn<F>) -> Option<SignatureOf<'a, F::Item>> {
        self.estimates_similarity()
            .then(|| signatures(source.functions()))
    }
}

/// The answers of functions, by their bits.
pub(crate) fn signatures<H: LshFunctions<Key: Sync>>(functions: &H) -> SignatureOf<'_, H::Item> {
    Box::new(|item| {
        let mut keys = vec![H::Key::default(); functions.len()];
        functions.hash_into(item, &mut H::Scratch::default(), &mut keys);
        keys.into_iter().map(Key::bits).collect()
    })
}
